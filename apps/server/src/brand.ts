import { createHash } from 'node:crypto';
import { accentRule } from '@portal/contract/brand/brand-colours';
import { brandValueNames } from '@portal/contract/brand/brand-values';
import { type Html, html } from './platform/http/html.ts';
import type { Profile } from './profile.ts';

/** Returns the name of the portal: `MyRegistry`. */
export const portalNameOf = ({ portalName, product }: Pick<Profile, 'portalName' | 'product'>): string => portalName || `My${product}`;

/** Returns a text that is another one whenever a value of the brand is. */
export const brandKey = (profile: Profile): string => JSON.stringify(brandValueNames.map(name => profile[name]));

type Accents = Pick<Profile, 'accentLight' | 'accentDark'>;

/** The rule of the accent colour in force; empty where it is the design's. It is in the first HTML of every page, so that none is drawn in another colour first. */
const ruleOf = ({ accentLight, accentDark }: Accents): string => accentRule(accentLight, accentDark);

/** The style element with this rule, for the head of a page that is rendered here. */
export const accentStyle = (profile: Accents): Html | null => {
  const rule = ruleOf(profile);
  // The rule has no text of people: colours alone.
  return rule === '' ? null : html`<style>${rule}</style>`;
};

let last = { rule: '', source: '' };
/** Returns the source expression that allows this element in a content security policy; empty where there is none. */
export function accentSource(profile: Accents): string {
  const rule = ruleOf(profile);
  if (rule !== last.rule) last = { rule, source: rule === '' ? '' : `'sha256-${createHash('sha256').update(rule).digest('base64')}'` };
  return last.source;
}
