import { type AttributeName, attributes, type FormerAttributeName, formerAttributes, longName, type ValueType } from './attributes.ts';
import {
  attributeOf,
  attributeStart,
  formatObject,
  listValues,
  parseObject,
  type RpslAttribute,
  type RpslObject,
  valueOf,
} from './object.ts';

/** Types of values that name a person, or reach one. */
type PersonalType = 'email' | 'phone' | 'postal-address' | 'person-name';
type Types = { [Name in AttributeName]: (typeof attributes)[Name]['type'] } & {
  [Name in FormerAttributeName]: (typeof formerAttributes)[Name]['type'];
};
type PersonalName = { [Name in keyof Types]: Types[Name] extends PersonalType ? Name : never }[keyof Types];
type OtherName = Exclude<keyof Types, PersonalName>;

/**
 * How far an attribute is published, each step further than the one before: `withheld` has its name in answers, but no value; `asked` is in answers about
 * its object; `filtered` also in those that are asked for without addresses (`--filtering`); `copied` also, as it is written, in copies for everyone
 * (dumps, mirrors) that leave personal data out.
 */
export type Publication = 'withheld' | 'asked' | 'filtered' | 'copied';

/** Attributes that are published everywhere. The compiler refuses one whose type is personal: it is a choice in the list below. */
const open: readonly OtherName[] = [
  'inetnum',
  'netname',
  'descr',
  'country',
  'geofeed',
  'geoloc',
  'language',
  'org',
  'admin-c',
  'tech-c',
  'abuse-c',
  'status',
  'remarks',
  'mnt-by',
  'mnt-lower',
  'mnt-domains',
  'mnt-routes',
  'mnt-irt',
  'last-modified',
  'source',
  'inet6num',
  'as-block',
  'aut-num',
  'as-name',
  'member-of',
  'import',
  'mp-import',
  'export',
  'mp-export',
  'default',
  'mp-default',
  'as-set',
  'members',
  'mbrs-by-ref',
  'route',
  'origin',
  'holes',
  'inject',
  'aggr-mtd',
  'aggr-bndry',
  'export-comps',
  'components',
  'route6',
  'route-set',
  'mp-members',
  'inet-rtr',
  'alias',
  'local-as',
  'ifaddr',
  'interface',
  'peer',
  'mp-peer',
  'filter-set',
  'filter',
  'mp-filter',
  'peering-set',
  'peering',
  'mp-peering',
  'rtr-set',
  'domain',
  'zone-c',
  'nserver',
  'ds-rdata',
  'mntner',
  'referral-by',
  'irt',
  'signature',
  'encryption',
  'key-cert',
  'method',
  'owner',
  'fingerpr',
  'certif',
  'organisation',
  'org-name',
  'org-type',
  'mnt-ref',
  'nic-hdl',
  'created',
  'refer',
  'sub-dom',
  'dom-net',
  'rev-srv',
];

/** Attributes about people, and credentials, as far as they are published. */
const chosen: Partial<Record<PersonalName | 'auth', Publication>> = {
  auth: 'withheld',
  'e-mail': 'asked',
  notify: 'asked',
  'mnt-nfy': 'asked',
  'upd-to': 'asked',
  'ref-nfy': 'asked',
  'irt-nfy': 'asked',
  changed: 'asked',
  phone: 'filtered',
  'fax-no': 'filtered',
  // The mailbox is there to be written to by anyone; names and addresses are those of teams, as objects of people keep none in copies.
  'abuse-mailbox': 'copied',
  address: 'copied',
  role: 'copied',
  person: 'copied',
};

const published: ReadonlyMap<string, Publication> = new Map([
  ...open.map(name => [name, 'copied'] as const),
  ...(Object.entries(chosen) as [string, Publication][]),
]);

/** Returns how far an attribute is published; null for one that is private, as is every one that is in no list. */
export const publicationOf = (name: string): Publication | null => published.get(name) ?? null;

const types = new Map<string, ValueType>(Object.entries({ ...formerAttributes, ...attributes }).map(([name, { type }]) => [name, type]));
const typeOf = (name: string): ValueType | undefined => types.get(name);

const WITHHELD = '           # Filtered\n';

/** Returns the text of an object as anyone may read it: without private attributes and values of `auth`, with one final line end. Takes time in proportion to the text. */
export function publicText(text: string): string {
  const lines = text.includes('\r') ? text.replaceAll('\r\n', '\n') : text;
  let shown = '';
  let copiedTo = 0;
  let isHidden = false;
  for (let at = 0; at < lines.length; ) {
    const newline = lines.indexOf('\n', at);
    attributeStart.lastIndex = at;
    const written = attributeStart.exec(lines)?.[1];
    if (written !== undefined) {
      if (isHidden) copiedTo = at;
      const name = longName(written);
      const publication = publicationOf(name);
      isHidden = publication === null || publication === 'withheld';
      if (isHidden) shown += lines.slice(copiedTo, at) + (publication === null ? '' : `${name}:${WITHHELD}`);
    }
    at = newline < 0 ? lines.length : newline + 1;
  }
  if (!isHidden) shown += lines.slice(copiedTo);
  return `${shown.trimEnd()}\n`;
}

/** Returns the object as anyone may read it, without private attributes and values of `auth`; null for a text that has none. */
export const publicObject = (text: string): RpslObject | null => parseObject(publicText(text)).object;

/** Returns whether an object is about a person: a person, or a role without the mailbox that makes it a contact for abuse. */
export const isPersonal = (object: { readonly class: string; readonly text: string }): boolean =>
  object.class === 'person' || (object.class === 'role' && hasNoMailbox(parseObject(object.text).object));

const hasNoMailbox = (role: RpslObject | null): boolean => role === null || (valueOf(role, 'abuse-mailbox') ?? '') === '';

/** All that copies keep of a person: who it is by handle, and whose. */
const keptOfPeople: ReadonlySet<string> = new Set<keyof Types>(['nic-hdl', 'mnt-by', 'last-modified', 'created', 'source']);

/** Returns the text of an object as copies for everyone have it: values from column 17, without private attributes and credentials; null for a text that has none. */
export function copiedText(text: string): string | null {
  const object = publicObject(text);
  return object && formatObject(object);
}

/** Returns the text as copies without personal data have it: dummies in place of people, of telephone numbers and of addresses for mail. Null for a text that has none. */
export function copiedTextWithDummies(text: string): string | null {
  const object = publicObject(text);
  if (!object) return null;
  if (!isPersonal({ class: object.class, text })) return formatObject({ ...object, attributes: maskedOf(object.attributes) });
  const kept = object.attributes.filter(({ name }) => keptOfPeople.has(name));
  const [handle, rest] = [kept.filter(({ name }) => name === 'nic-hdl'), kept.filter(({ name }) => name !== 'nic-hdl')];
  return formatObject({
    class: object.class,
    attributes: [
      attributeOf(object.class, 'Name Removed'),
      attributeOf('address', '***'),
      attributeOf('country', 'ZZ'),
      attributeOf('phone', '+000000000'),
      attributeOf('e-mail', 'unread@invalid.invalid'),
      ...handle,
      attributeOf('remarks', 'Personal data is left out of this copy'),
      ...rest,
    ],
  });
}

/** Dummies by the type of value, for copies without personal data. An attribute whose type has none is left out of them. */
const dummies: Partial<Record<ValueType, (value: string) => string>> = {
  phone: () => '+000000000',
  email: value =>
    listValues(value)
      .map(each => each.replace(/^.*@/, '***@'))
      .join(', '),
};

/** The attributes as they are, dummies in place of those that copies without personal data don't have. */
function maskedOf(attributes: readonly RpslAttribute[]): RpslAttribute[] {
  const masked: RpslAttribute[] = [];
  for (const attribute of attributes) {
    const { name, value } = attribute;
    const publication = publicationOf(name);
    if (publication === 'copied' || publication === 'withheld') {
      masked.push(attribute);
      continue;
    }
    const type = typeOf(name);
    const dummy = type && dummies[type];
    if (dummy) masked.push(attributeOf(name, dummy(value)));
  }
  return masked;
}
