import { reading, useKit } from '@portal/app-kit';
import { brand, type BrandChange } from '@portal/contract/brand/brand';
import { accentThemes, type BrandValueName, brandRow, isAccent, isLogo } from '@portal/contract/brand/brand-values';
import { contrasts, leastOfText, readColour, surfaces, type Theme, usualAccent } from '@portal/contract/brand/brand-colours';
import type { State } from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import styles from './Brand.module.css';

export const changeHref = (changeId: string): string => `/desk/brand?change=${changeId}`;
/** The form of a change that goes back to what was in force once another had begun. */
export const backHref = (changeId: string): string => `/desk/brand?prepare=${changeId}`;

/** The values that a change sets, in words. */
export function titlesOf({ values }: Pick<BrandChange, 'values'>): string {
  const titles = values.map(({ name }) => brandRow(name).title);
  const shown = titles.length > NAMED ? [...titles.slice(0, NAMED - 1), `${titles.length - NAMED + 1} more values`] : titles;
  return new Intl.ListFormat('en-GB').format(shown);
}
/** More values than these are counted. */
const NAMED = 3;

/** The state of a change, in words. */
export function stateWords({ state }: Pick<BrandChange, 'state'>): { state: State; words: string } {
  if (state === 'in-force') return { state: 'valid', words: 'Took effect' };
  if (state === 'confirmed') return { state: 'pending', words: 'Confirmed' };
  if (state === 'prepared') return { state: 'pending', words: 'Prepared' };
  return { state: 'closed', words: state === 'withdrawn' ? 'Withdrawn' : 'Discarded' };
}

/** Surfaces by the words of the page. */
const surfaceWords: Record<string, string> = {
  page: 'on the page',
  sheet: 'on a sheet',
  sunken: 'on a sunken field',
  hover: 'on a row under the pointer',
  tint: 'on a selected row',
  'text on it': 'of text on a button',
};

/** A value as people read it. */
export function Value({ name, value }: { name: BrandValueName; value: string }) {
  if (isLogo(name)) return value === '' ? <Empty name={name} /> : <Logo name={value} theme={name === 'logoDark' ? 'dark' : 'light'} />;
  if (isAccent(name)) return <Colour theme={accentThemes[name]} value={value} />;
  return value === '' ? <Empty name={name} /> : <bdi className={styles.text}>{value}</bdi>;
}

const Empty = ({ name }: { name: BrandValueName }) => <span className="quiet">Not set: {brandRow(name).ifEmpty}</span>;

/** A logo as pages draw it, on the surface of its theme: also one that no page shows yet. */
function Logo({ name, theme }: { name: string; theme: Theme }) {
  const { call } = useKit();
  const { data, error } = useQuery({ ...reading(call, brand.getBrandLogo, { name }), staleTime: Number.POSITIVE_INFINITY });
  if (error) return <span className="quiet">The logo can’t be shown now.</span>;
  if (!data) return <span className="quiet">Loading the logo…</span>;
  return (
    <span className={styles.logo}>
      <img src={data.address} alt="The logo as pages draw it" style={{ background: surfaces[theme].sheet }} />
      <small>
        {name.endsWith('.webp') ? 'WebP' : 'PNG'}, {data.width} × {data.height} pixels
      </small>
    </span>
  );
}

/** A value that is to come, in a few words. */
export const valueInShort = (name: BrandValueName, value: string): string =>
  value === '' ? 'not set' : isLogo(name) ? 'another logo' : value;

/** A colour as a word of a page in it, with its lowest contrast. Drawn in SVG: its colours are attributes, which the pages' policy allows. */
export function Colour({ theme, value }: { theme: Theme; value: string }) {
  const colour = readColour(value || usualAccent[theme]);
  if (colour === null) return <span className="quiet">Not a colour</span>;
  const [worst] = contrasts(colour, theme);
  const passes = worst!.ratio >= leastOfText;
  const sheet = theme === 'light' ? '#ffffff' : '#121929';
  const inButton = theme === 'light' ? '#ffffff' : '#0c1120';
  return (
    <span className={styles.colour}>
      <svg viewBox="0 0 132 32" aria-hidden="true">
        <rect width="132" height="32" rx="3" fill={sheet} stroke="var(--line-strong)" />
        <text x="8" y="21" fill={colour} fontSize="13">
          Link text
        </text>
        <rect x="72" y="5" width="54" height="22" rx="3" fill={colour} />
        <text x="80" y="20" fill={inButton} fontSize="12">
          Button
        </text>
      </svg>
      <span>
        <span className="mono">{colour}</span>
        {value === '' && <span className="quiet">, the colour of the design</span>}
        <small data-passes={passes}>
          Lowest contrast {(Math.floor(worst!.ratio * 100) / 100).toFixed(2)}:1, {surfaceWords[worst!.surface]}
          {passes ? '' : `. It needs ${leastOfText}:1`}
        </small>
      </span>
    </span>
  );
}
