import type { RecordRouting, ResourceRecord } from '@portal/contract/records/records';
import {
  type AddressRange,
  childPrefix,
  containsRange,
  enclosingPrefix,
  parsePrefix,
  parseRange,
  type Prefix,
  printAddress,
  printAsNumber,
  printPrefix,
} from '@portal/number-resources';
import { classNames, DateText, formatCount } from '@portal/ui';
import { validityWords } from '../routes/route-words.ts';
import { shareOf } from '../../shell/amounts.ts';
import { nearOf } from './position.ts';
import styles from './RoutingPicture.module.css';

/** Bars of one row that are drawn; the lists below have all. */
const DRAWN = 6;
const ROW = 24;

type Bar = { id: string; range: Prefix; text: string; note: string; look: 'roa' | 'object' | 'valid' | 'invalid' | 'not-found' };

/** On one axis: what ROAs allow, what route objects say, and what collectors see, with the numbers of the page framed. */
export function RoutingPicture({ record, routing, kind }: { record: ResourceRecord; routing: RecordRouting; kind: 'ipv4' | 'ipv6' }) {
  const range = parseRange(record.resource);
  const axis = axisOf(record, range);
  const bars = barsOf(record, routing);
  const rows = [
    { title: 'ROAs', sub: 'allow', bars: bars.roas },
    { title: 'Route objects', sub: 'say', bars: bars.routes },
    { title: 'Seen in BGP', sub: null, bars: bars.seen },
  ];
  const focus = focusOf(routing, range);
  return (
    <figure className={styles.figure}>
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn from data; the lists below it have the same */}
      <div className={styles.rows} role="img" aria-label={inWords(record, routing, bars.routes)}>
        <div className={styles.ticks} aria-hidden="true">
          {ticksOf(axis, kind).map(({ at, text }) => (
            <span key={at} style={{ left: `${100 * at}%` }}>
              {text}
            </span>
          ))}
        </div>
        {rows.map(({ title, sub, bars: drawn }, index) => (
          <Lane key={title} row={index + 2} title={title} axis={axis} bars={drawn}>
            {sub ?? (routing.collectedAt ? <DateText value={routing.collectedAt} shape="date" /> : 'no table yet')}
          </Lane>
        ))}
        <div className={styles.frame} aria-hidden="true">
          <i style={placeOf(range, axis)} />
        </div>
      </div>
      <figcaption className={styles.caption}>
        <span className="mono">{printPrefix(axis)}</span>
        {axis.length < (kind === 'ipv4' ? 31 : 127) && <span>1 cell = /{axis.length + 2}</span>}
      </figcaption>
      {focus && (
        <div
          className={styles.peers}
          data-validity={focus.validity === 'valid' || focus.validity === 'not-found' ? focus.validity : 'invalid'}
        >
          <i aria-hidden="true">
            <i style={{ width: `${(100 * focus.peers) / Math.max(1, routing.peers)}%` }} />
          </i>
          <span>
            <span>
              {formatCount(focus.peers)} {focus.peers === 1 ? 'peer carries' : 'peers carry'} {focus.prefix} from {printAsNumber(focus.asn)}
            </span>
            {routing.peers > focus.peers && <span>{formatCount(routing.peers - focus.peers)} drop it or don’t see it</span>}
          </span>
        </div>
      )}
    </figure>
  );
}

/** The block two lengths up within the delegation; the numbers themselves where they are a delegation. */
function axisOf({ resource, holdings }: ResourceRecord, range: AddressRange): Prefix {
  const around = holdings.find(each => each.relation === 'around');
  const near = around ? nearOf(resource, around.resource) : null;
  return near ? parsePrefix(near) : enclosingPrefix(range);
}

const originOf = (shown: string): string => /AS\d+$/i.exec(shown)?.[0].toUpperCase() ?? '';

function barsOf({ objects }: ResourceRecord, routing: RecordRouting) {
  return {
    roas: routing.roas.map(({ prefix, asn, maxLength }): Bar => {
      const { length } = parsePrefix(prefix);
      return {
        id: `${prefix} ${asn} ${maxLength}`,
        range: parsePrefix(prefix),
        text: printAsNumber(asn),
        note: `/${length}${maxLength > length ? `, up to /${maxLength}` : ''}`,
        look: 'roa',
      };
    }),
    routes: objects.flatMap(({ class: objectClass, shown, resource }): Bar[] =>
      (objectClass === 'route' || objectClass === 'route6') && resource?.includes('/')
        ? [{ id: shown, range: parsePrefix(resource), text: originOf(shown), note: `/${parsePrefix(resource).length}`, look: 'object' }]
        : [],
    ),
    seen: routing.announcements.map(
      ({ prefix, asn, validity }): Bar => ({
        id: `${prefix} ${asn}`,
        range: parsePrefix(prefix),
        text: printAsNumber(asn),
        note: `/${parsePrefix(prefix).length}`,
        look: validity === 'valid' ? 'valid' : validity === 'not-found' ? 'not-found' : 'invalid',
      }),
    ),
  };
}

/** The announcement that the numbers depend on: a wrong one first, then the most specific around them. */
function focusOf({ announcements }: RecordRouting, range: AddressRange): RecordRouting['announcements'][number] | undefined {
  const wrong = announcements.find(({ validity }) => validity === 'invalid-asn' || validity === 'invalid-length');
  const whole = announcements.filter(({ prefix }) => containsRange(parsePrefix(prefix), range));
  return wrong ?? whole.at(-1) ?? announcements[0];
}

function inWords({ resource }: ResourceRecord, routing: RecordRouting, routes: readonly Bar[]): string {
  const list = (what: string, texts: readonly string[]): string =>
    texts.length === 0 ? `${what} none.` : `${what} ${texts.slice(0, DRAWN).join(', ')}${texts.length > DRAWN ? ' and more' : ''}.`;
  return [
    `Routing of ${resource}.`,
    list(
      'ROAs:',
      routing.roas.map(({ prefix, asn, maxLength }) => `${printAsNumber(asn)} on ${prefix} up to /${maxLength}`),
    ),
    list(
      'Route objects:',
      routes.map(({ id }) => id),
    ),
    list(
      'Seen in BGP:',
      routing.announcements.map(({ prefix, asn, validity }) => `${prefix} from ${printAsNumber(asn)}, ${validityWords[validity].word}`),
    ),
  ].join(' ');
}

const placeOf = (range: AddressRange, axis: AddressRange): { left: string; width: string } => {
  const [first, last] = [range.first > axis.first ? range.first : axis.first, range.last < axis.last ? range.last : axis.last];
  const size = axis.last - axis.first + 1n;
  return { left: `${100 * shareOf(first - axis.first, size)}%`, width: `max(4px, ${100 * shareOf(last - first + 1n, size)}%)` };
};

/** Puts each bar into the first sub-row in which it has room. */
function stacked(bars: readonly Bar[]): { bar: Bar; row: number }[] {
  const ends: bigint[] = [];
  return bars.map(bar => {
    const free = ends.findIndex(end => end < bar.range.first);
    const row = free < 0 ? ends.length : free;
    ends[row] = bar.range.last;
    return { bar, row };
  });
}

function Lane({
  row,
  title,
  axis,
  bars,
  children,
}: {
  row: number;
  title: string;
  axis: Prefix;
  bars: readonly Bar[];
  children: React.ReactNode;
}) {
  const drawn = stacked(bars.slice(0, DRAWN));
  const height = Math.max(1, ...drawn.map(each => each.row + 1)) * ROW;
  return (
    <>
      <div className={styles.label} style={{ gridRow: row }}>
        {title}
        <small>{children}</small>
      </div>
      <div className={styles.track} style={{ gridRow: row, minHeight: height }}>
        {drawn.length === 0 && <span className={styles.none}>none</span>}
        {drawn.map(({ bar, row: sub }) => {
          const place = placeOf(bar.range, axis);
          const share = Number.parseFloat(/[\d.]+(?=%\)$)/.exec(place.width)?.[0] ?? '100');
          const tight = share >= 30 ? undefined : Number.parseFloat(place.left) > 60 ? 'left' : 'right';
          return (
            <div
              key={bar.id}
              className={classNames(styles.bar, styles[bar.look])}
              data-tight={tight}
              style={{ ...place, top: sub * ROW }}
              title={`${bar.id}`}
            >
              <span>
                {bar.text} <small>{bar.note}</small>
              </span>
            </div>
          );
        })}
        {bars.length > DRAWN && <span className={styles.none}>and {bars.length - DRAWN} more</span>}
      </div>
    </>
  );
}

/** Where the four cells of the axis begin; of IPv6, whose addresses are long, the two halves. */
function ticksOf(axis: Prefix, kind: 'ipv4' | 'ipv6'): { at: number; text: string }[] {
  const step = kind === 'ipv4' ? 2 : 1;
  if (axis.length + step > (kind === 'ipv4' ? 32 : 128)) return [{ at: 0, text: printAddress({ family: kind, value: axis.first }) }];
  return Array.from({ length: 1 << step }, (_, index) => {
    const address = printAddress({ family: kind, value: childPrefix(axis, axis.length + step, BigInt(index)).first });
    return { at: index / (1 << step), text: kind === 'ipv4' ? address.split('.').slice(2).join('.') : address };
  });
}
