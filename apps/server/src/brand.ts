import { createHash } from 'node:crypto';
import { accentRule } from '@portal/contract/brand/brand-colours';
import { brandValueNames, logoDrawn } from '@portal/contract/brand/brand-values';
import { type Html, html } from './platform/http/html.ts';
import type { Profile } from './profile.ts';

/** Returns the name of the portal: `MyRegistry`. */
export const portalNameOf = ({ portalName, product }: Pick<Profile, 'portalName' | 'product'>): string => portalName || `My${product}`;

/** Returns a text that is another one whenever a value of the brand is. */
export const brandKey = (profile: Profile): string => JSON.stringify(brandValueNames.map(name => profile[name]));

type Brand = Pick<Profile, 'accentLight' | 'accentDark' | 'logoLight' | 'logoDark'>;

/** The mark of the design, in the bar of the built pages and at the top of those that are rendered here. */
const marks = ['.TopBar_mark', '.brand svg'];

/** Draws a logo in place of the mark, by the style alone: no markup grows. @param theme selectors under which it is drawn */
function markRule(name: string, theme: readonly string[]): string {
  const { height, widest } = logoDrawn;
  const width = Math.min(widest, Math.max(1, Math.round((Number(/-(\d+)\./.exec(name)![1]) * height) / 100)));
  const drawn = theme.flatMap(root => marks.map(mark => `${root} ${mark}`));
  const parts = drawn.map(mark => `${mark} *`);
  return `${drawn.join()}{flex:none;width:${width}px;height:${height}px;background:url(/brand/${name}) center/contain no-repeat}${parts.join()}{display:none}`;
}

/** The part of the bar above the navigation is as wide as that; beside a wide logo the name needs more. */
const barRule = '@media(min-width:992px){html .TopBar_brand{width:auto;min-width:calc(var(--side) - 1px);max-width:340px}}';

/** The rules of the logos: where one theme has none, the dark one has that of the light one, and the light one the mark of the design. */
function logoRule({ logoLight, logoDark }: Brand): string {
  if (logoLight === '' && logoDark === '') return '';
  const light = barRule + (logoLight === '' ? '' : markRule(logoLight, ['html']));
  if (logoDark === '' || logoDark === logoLight) return light;
  const bySystem = markRule(logoDark, ['html:not([data-theme=light])']);
  return `${light}@media(prefers-color-scheme:dark){${bySystem}}${markRule(logoDark, ['html[data-theme=dark]'])}`;
}

/** The rules of the accent colour and the logo in force; empty where they are the design's. They are in the first HTML of every page, so that none is drawn in another look first. */
const ruleOf = (brand: Brand): string => accentRule(brand.accentLight, brand.accentDark) + logoRule(brand);

/** The style element with this rule, for the head of a page that is rendered here. */
export const brandStyle = (profile: Brand): Html | null => {
  const rule = ruleOf(profile);
  // The rule has no text of people: colours and names of files alone.
  return rule === '' ? null : html`<style>${rule}</style>`;
};

let last = { rule: '', source: '' };
/** Returns the source expression that allows this element in a content security policy; empty where there is none. */
export function brandSource(profile: Brand): string {
  const rule = ruleOf(profile);
  if (rule !== last.rule) last = { rule, source: rule === '' ? '' : `'sha256-${createHash('sha256').update(rule).digest('base64')}'` };
  return last.source;
}
