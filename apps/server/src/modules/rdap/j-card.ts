import { valueOf, valuesOf, type RpslObject } from '@portal/rpsl';
import type { JCardProperty } from './answer.ts';

/** The attribute that names an object of each class that is an entity, and the kind it is (RFC 6350, 6.1.4). */
const naming = {
  person: ['person', 'individual'],
  role: ['role', 'group'],
  irt: ['irt', 'group'],
  mntner: ['mntner', 'group'],
  organisation: ['org-name', 'org'],
} as const;
export type EntityClass = keyof typeof naming;
/** If two objects have the same name, the earlier class is shown. */
export const entityClasses = Object.keys(naming) as EntityClass[];
export const isEntityClass = (name: string): name is EntityClass => name in naming;

/** The name of an entity as people read it. */
const nameOf = (object: RpslObject): string =>
  isEntityClass(object.class) ? (valueOf(object, naming[object.class][0]) ?? valueOf(object, object.class) ?? '') : '';

/**
 * The jCard of a person, role, organisation, irt or mntner, with exactly the properties of the NRO profile (5.1.1). @param mail which addresses:
 * abuse mailboxes first for an abuse contact; `none` omits them.
 */
export function jCardOf(object: RpslObject, mail: 'all' | 'abuse' | 'none'): JCardProperty[] {
  const kind = isEntityClass(object.class) ? naming[object.class][1] : 'group';
  const card: JCardProperty[] = [
    ['version', {}, 'text', '4.0'],
    ['fn', {}, 'text', nameOf(object)],
    ['kind', {}, 'text', kind],
  ];
  const address = valuesOf(object, 'address').filter(line => line !== '');
  const country = valueOf(object, 'country');
  const economy: Record<string, string> = country !== undefined && /^[a-z]{2}$/i.test(country) ? { cc: country.toUpperCase() } : {};
  if (address.length > 0) card.push(['adr', { label: address.join('\n'), ...economy }, 'text', ['', '', '', '', '', '', '']]);
  for (const number of valuesOf(object, 'phone')) card.push(['tel', { type: 'voice' }, 'text', number]);
  for (const number of valuesOf(object, 'fax-no')) card.push(['tel', { type: 'fax' }, 'text', number]);
  for (const [place, mailbox] of mailboxesOf(object, mail).entries())
    card.push(['email', mail === 'abuse' && place === 0 ? { pref: '1' } : {}, 'text', mailbox]);
  return card;
}

/** The e-mail addresses of an entity, each once. */
export function mailboxesOf(object: RpslObject, mail: 'all' | 'abuse' | 'none'): string[] {
  if (mail === 'none') return [];
  const [common, abuse] = [valuesOf(object, 'e-mail'), valuesOf(object, 'abuse-mailbox')];
  const chosen = mail === 'abuse' ? (abuse.length > 0 ? abuse : common) : [...common, ...abuse];
  return [...new Set(chosen.filter(mailbox => mailbox !== ''))];
}
