import type { ClassName } from './class-name.ts';

/** Types of values; each has its syntax in a file of `syntax/`. */
export type ValueType =
  | 'free-text'
  | 'ipv4-range'
  | 'ipv4-prefix'
  | 'ipv6-prefix'
  | 'as-number'
  | 'as-block'
  | 'net-name'
  | 'object-name'
  | 'irt'
  | 'nic-hdl'
  | 'org-id'
  | 'org-name'
  | 'org-type'
  | 'person-name'
  | 'postal-address'
  | 'country'
  | 'language'
  | 'email'
  | 'phone'
  | 'status'
  | 'source'
  | 'geoloc'
  | 'https-url'
  | 'timestamp'
  | 'domain'
  | 'domain-name'
  | 'nserver'
  | 'ds-rdata'
  | 'auth'
  | 'key-cert'
  | 'key-text'
  | 'generated'
  | 'as-set'
  | 'route-set'
  | 'filter-set'
  | 'peering-set'
  | 'rtr-set'
  | 'member-of'
  | 'mbrs-by-ref'
  | 'members'
  | 'mp-members'
  | 'mnt-routes'
  | 'holes'
  | 'import'
  | 'mp-import'
  | 'export'
  | 'mp-export'
  | 'default'
  | 'mp-default'
  | 'filter'
  | 'mp-filter'
  | 'peering'
  | 'mp-peering'
  | 'inject'
  | 'components'
  | 'export-comps'
  | 'aggr-bndry'
  | 'aggr-mtd'
  | 'ifaddr'
  | 'interface'
  | 'peer'
  | 'mp-peer';

/** Properties of an attribute in any class. */
export interface AttributeRule {
  /** Two letters for `-F`, `-i` and `*xx:` lines; null for the younger attributes that have none. */
  readonly short: string | null;
  readonly type: ValueType;
  /** True when one line may hold several values with commas between. */
  readonly list: boolean;
  /** Classes of which one must have the value as its key. */
  readonly refersTo: readonly ClassName[];
}

const contact = ['person', 'role'] as const;

/**
 * Every attribute of the 19 classes: name → short name, syntax, references. In the order of their first class. One that is new is private until
 * `publication.ts` says how far it is published.
 */
export const attributes = {
  inetnum: is('in', 'ipv4-range'),
  netname: is('na', 'net-name'),
  descr: is('de', 'free-text'),
  country: is('cy', 'country'),
  geofeed: is(null, 'https-url'),
  geoloc: is('gl', 'geoloc'),
  language: is('ln', 'language'),
  org: is('og', 'org-id', 'organisation'),
  'admin-c': is('ac', 'nic-hdl', ...contact),
  'tech-c': is('tc', 'nic-hdl', ...contact),
  'abuse-c': is('au', 'nic-hdl', 'role'),
  status: is('st', 'status'),
  remarks: is('rm', 'free-text'),
  notify: is('ny', 'email'),
  'mnt-by': list('mb', 'object-name', 'mntner'),
  'mnt-lower': list('ml', 'object-name', 'mntner'),
  'mnt-domains': list('md', 'object-name', 'mntner'),
  'mnt-routes': is('mu', 'mnt-routes', 'mntner'),
  'mnt-irt': list('mi', 'irt', 'irt'),
  'last-modified': is(null, 'timestamp'),
  source: is('so', 'source'),
  inet6num: is('i6', 'ipv6-prefix'),
  'as-block': is('ak', 'as-block'),
  'aut-num': is('an', 'as-number'),
  'as-name': is('aa', 'object-name'),
  'member-of': list('mo', 'member-of', 'as-set', 'route-set', 'rtr-set'),
  import: is('ip', 'import'),
  'mp-import': is('my', 'mp-import'),
  export: is('ex', 'export'),
  'mp-export': is('me', 'mp-export'),
  default: is('df', 'default'),
  'mp-default': is('ma', 'mp-default'),
  'as-set': is('as', 'as-set'),
  members: list('ms', 'members'),
  'mbrs-by-ref': list('mr', 'mbrs-by-ref', 'mntner'),
  route: is('rt', 'ipv4-prefix'),
  origin: is('or', 'as-number', 'aut-num'),
  holes: list('ho', 'holes'),
  inject: is('ij', 'inject'),
  'aggr-mtd': is('ag', 'aggr-mtd'),
  'aggr-bndry': is('ab', 'aggr-bndry'),
  'export-comps': is('ec', 'export-comps'),
  components: is('co', 'components'),
  route6: is('r6', 'ipv6-prefix'),
  'route-set': is('rs', 'route-set'),
  'mp-members': list('mm', 'mp-members'),
  'inet-rtr': is('ir', 'domain-name'),
  alias: is('az', 'domain-name'),
  'local-as': is('la', 'as-number'),
  ifaddr: is('if', 'ifaddr'),
  interface: is('ie', 'interface'),
  peer: is('pe', 'peer'),
  'mp-peer': is('mp', 'mp-peer'),
  'filter-set': is('fs', 'filter-set'),
  filter: is('fi', 'filter'),
  'mp-filter': is('mf', 'mp-filter'),
  'peering-set': is('ps', 'peering-set'),
  peering: is('pg', 'peering'),
  'mp-peering': is('mg', 'mp-peering'),
  'rtr-set': is('is', 'rtr-set'),
  domain: is('dn', 'domain'),
  'zone-c': is('zc', 'nic-hdl', ...contact),
  nserver: is('ns', 'nserver'),
  'ds-rdata': is('ds', 'ds-rdata'),
  mntner: is('mt', 'object-name'),
  'upd-to': is('dt', 'email'),
  'mnt-nfy': is('mn', 'email'),
  auth: is('at', 'auth', 'key-cert'),
  'abuse-mailbox': is('am', 'email'),
  'referral-by': is('rb', 'object-name', 'mntner'),
  irt: is('it', 'irt'),
  address: is('ad', 'postal-address'),
  phone: is('ph', 'phone'),
  'fax-no': is('fx', 'phone'),
  'e-mail': is('em', 'email'),
  signature: is('sg', 'key-cert', 'key-cert'),
  encryption: is('en', 'key-cert', 'key-cert'),
  'irt-nfy': is('iy', 'email'),
  'key-cert': is('kc', 'key-cert'),
  method: is('mh', 'generated'),
  owner: is('ow', 'generated'),
  fingerpr: is('fp', 'generated'),
  certif: is('ce', 'key-text'),
  organisation: is('oa', 'org-id'),
  'org-name': is('on', 'org-name'),
  'org-type': is('ot', 'org-type'),
  'ref-nfy': is('rn', 'email'),
  'mnt-ref': list('mz', 'object-name', 'mntner'),
  role: is('ro', 'person-name'),
  'nic-hdl': is('nh', 'nic-hdl'),
  person: is('pn', 'person-name'),
} as const satisfies Record<string, AttributeRule>;

export type AttributeName = keyof typeof attributes;

/**
 * Attributes of earlier times and other registries. They are loaded and shown unchanged, and go when their object is changed: `dropped` with a warning,
 * the others must be removed by the member.
 */
export const formerAttributes = {
  changed: { short: 'ch', type: 'email', dropped: true },
  created: { short: null, type: 'timestamp', dropped: true },
  refer: { short: 'rf', type: 'free-text', dropped: false },
  'sub-dom': { short: 'sd', type: 'free-text', dropped: false },
  'dom-net': { short: 'di', type: 'free-text', dropped: false },
  'rev-srv': { short: 'rz', type: 'free-text', dropped: false },
} as const satisfies Record<string, { readonly short: string | null; readonly type: ValueType; readonly dropped: boolean }>;

export type FormerAttributeName = keyof typeof formerAttributes;

/** The rule of an attribute; undefined for names that are no attribute today. */
export function attributeRule(name: string): AttributeRule | undefined {
  return Object.hasOwn(attributes, name) ? attributes[name as AttributeName] : undefined;
}

const longNames = new Map<string, string>(
  [...Object.entries(attributes), ...Object.entries(formerAttributes)].flatMap(([name, { short }]) =>
    short === null ? [] : [[short, name]],
  ),
);

/** `mnt-by` for `Mnt-By`, `*mb` and `*MB`; unknown names in lower case. */
export function longName(written: string): string {
  const lower = written.toLowerCase();
  return lower.startsWith('*') ? (longNames.get(lower.slice(1)) ?? lower) : lower;
}

/** The attribute a query means: its name or its short name, in any case; undefined when there is none. */
export function findAttribute(name: string): AttributeName | undefined {
  const lower = name.toLowerCase();
  const long = longNames.get(lower) ?? lower;
  return Object.hasOwn(attributes, long) ? (long as AttributeName) : undefined;
}

function is<Type extends ValueType>(short: string | null, type: Type, ...refersTo: ClassName[]): AttributeRule & { readonly type: Type } {
  return { short, type, list: false, refersTo };
}

function list<Type extends ValueType>(short: string | null, type: Type, ...refersTo: ClassName[]): AttributeRule & { readonly type: Type } {
  return { short, type, list: true, refersTo };
}
