import { createHash } from 'node:crypto';
import { accentRule } from '@portal/contract/brand/brand-colours';
import { brandValueNames } from '@portal/contract/brand/brand-values';
import { type Html, html } from './platform/http/html.ts';
import type { Profile } from './profile.ts';

/** Returns the name of the portal: `MyRegistry`. */
export const portalNameOf = ({ portalName, product }: Pick<Profile, 'portalName' | 'product'>): string => portalName || `My${product}`;

/** Returns a text that is another one whenever a value of the brand is. */
export const brandKey = (profile: Profile): string => JSON.stringify(brandValueNames.map(name => profile[name]));

type Brand = Pick<Profile, 'accentLight' | 'accentDark' | 'logoLight' | 'logoDark'>;

/** The mark of the design, in the bar of the built pages and at the top of those that are rendered here. */
const marks = ['html .TopBar_mark', 'html .brand svg'];
/** The height of a logo, and the most it is wide, in pixels. */
const HEIGHT = 22;
const WIDEST = 132;

/** Draws the logo in place of the mark of the design, by the style alone: no markup grows. */
function logoRule({ logoLight, logoDark }: Brand): string {
  const light = logoLight || logoDark;
  if (light === '') return '';
  const dark = logoDark || light;
  const widthOf = (name: string): number => Math.min(WIDEST, Math.max(12, Math.round((Number(/-(\d+)\./.exec(name)![1]) * HEIGHT) / 100)));
  const set = (name: string): string => `{--logo:url(/brand/${name});--logo-width:${widthOf(name)}px}`;
  const themes = light === dark ? '' : `@media(prefers-color-scheme:dark){html:not([data-theme=light])${set(dark)}}html[data-theme=dark]${set(dark)}`;
  const mark = `${marks.join(',')}{background:var(--logo) center/contain no-repeat;inline-size:var(--logo-width);block-size:${HEIGHT}px}`;
  return `html${set(light)}${themes}${mark}${marks.map(each => `${each} *`).join(',')}{display:none}`;
}

/** The rules of the accent colour and the logo in force; empty where they are the design's. They are in the first HTML of every page, so that none is drawn in another look first. */
const ruleOf = (brand: Brand): string => accentRule(brand.accentLight, brand.accentDark) + logoRule(brand);

/** The style element with this rule, for the head of a page that is rendered here. */
export const accentStyle = (profile: Brand): Html | null => {
  const rule = ruleOf(profile);
  // The rule has no text of people: colours alone.
  return rule === '' ? null : html`<style>${rule}</style>`;
};

let last = { rule: '', source: '' };
/** Returns the source expression that allows this element in a content security policy; empty where there is none. */
export function accentSource(profile: Brand): string {
  const rule = ruleOf(profile);
  if (rule !== last.rule) last = { rule, source: rule === '' ? '' : `'sha256-${createHash('sha256').update(rule).digest('base64')}'` };
  return last.source;
}
