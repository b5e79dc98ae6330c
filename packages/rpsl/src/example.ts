import { type AttributeName, attributes, type ValueType } from './attributes.ts';
import { classes } from './classes.ts';
import type { ClassName } from './class-name.ts';
import { objectOf, type RpslObject } from './object.ts';

const byAttribute: Partial<Record<AttributeName, string>> = {
  netname: 'EXAMPLE-NET',
  'as-name': 'EXAMPLE-AS',
  mntner: 'MAINT-EXAMPLE',
  role: 'Example Network Operations',
  descr: 'Example network',
  remarks: 'Made for an example',
  'inet-rtr': 'router.example.net',
  method: 'PGP',
  owner: 'Jo Example <jo@example.net>',
  fingerpr: '7F3E 2A11 90CD 45B6 8D02  6E4B 1C9A 5501 4F8B A2C1',
};

/** Addresses, AS numbers and names kept for documentation (RFC 5737, RFC 3849, RFC 5398, RFC 2606). */
const byType: Readonly<Record<ValueType, string>> = {
  'free-text': 'Example',
  'ipv4-range': '192.0.2.0 - 192.0.2.255',
  'ipv4-prefix': '192.0.2.0/24',
  'ipv6-prefix': '2001:db8::/32',
  'as-number': 'AS64500',
  'as-block': 'AS64496 - AS64511',
  'net-name': 'EXAMPLE-NET',
  'object-name': 'MAINT-EXAMPLE',
  irt: 'IRT-EXAMPLE-EX',
  'nic-hdl': 'JE1-EX',
  'org-id': 'ORG-EX1-EX',
  'org-name': 'Example Pty Ltd',
  'org-type': 'NON-REGISTRY',
  'person-name': 'Jo Example',
  'postal-address': '1 Example Street, Exampleville',
  country: 'AU',
  language: 'en',
  email: 'noc@example.net',
  phone: '+61 7 5550 0100',
  status: 'ASSIGNED NON-PORTABLE',
  source: 'EXAMPLE',
  geoloc: '-27.47 153.02',
  'https-url': 'https://example.net/geofeed.csv',
  timestamp: '2026-11-21T08:00:00Z',
  domain: '2.0.192.in-addr.arpa',
  'domain-name': 'ns1.example.net',
  nserver: 'ns1.example.net',
  'ds-rdata': '64431 5 1 278BF194C29A812B33935BB2517E17D1486210FA',
  auth: 'PORTAL',
  'key-cert': 'PGPKEY-4F8BA2C1',
  'key-text': '-----BEGIN PGP PUBLIC KEY BLOCK-----',
  generated: 'example',
  'as-set': 'AS64500:AS-EXAMPLE',
  'route-set': 'AS64500:RS-EXAMPLE',
  'filter-set': 'AS64500:FLTR-EXAMPLE',
  'peering-set': 'AS64500:PRNG-EXAMPLE',
  'rtr-set': 'AS64500:RTRS-EXAMPLE',
  'member-of': 'AS64500:RS-EXAMPLE',
  'mbrs-by-ref': 'MAINT-EXAMPLE',
  members: 'AS64501',
  'mp-members': '2001:db8::/32^+',
  'mnt-routes': 'MAINT-EXAMPLE',
  holes: '192.0.2.128/25',
  import: 'from AS64501 accept AS64501',
  'mp-import': 'afi ipv6.unicast from AS64501 accept AS64501',
  export: 'to AS64501 announce AS64500',
  'mp-export': 'afi ipv6.unicast to AS64501 announce AS64500',
  default: 'to AS64501',
  'mp-default': 'afi ipv6.unicast to AS64501',
  filter: '{192.0.2.0/24^+}',
  'mp-filter': '{2001:db8::/32^+}',
  peering: 'AS64501',
  'mp-peering': 'AS64501',
  inject: 'at 192.0.2.1 action pref=10; upon HAVE-COMPONENTS {192.0.2.0/25}',
  components: 'ATOMIC {192.0.2.0/24^+}',
  'export-comps': '{192.0.2.0/24^+}',
  'aggr-bndry': 'AS64500 OR AS64501',
  'aggr-mtd': 'outbound AS64501',
  ifaddr: '192.0.2.1 masklen 30',
  interface: '2001:db8::1 masklen 64',
  peer: 'BGP4 192.0.2.2 asno(AS64501)',
  'mp-peer': 'BGP4 2001:db8::2 asno(AS64501)',
};

/** A value that is right for the attribute in this class. */
export function exampleValue(className: ClassName, attribute: AttributeName): string {
  if (attribute === 'member-of')
    return className === 'aut-num' ? byType['as-set'] : className === 'inet-rtr' ? byType['rtr-set'] : byType['route-set'];
  if (attribute === 'members' || attribute === 'mp-members') {
    if (className === 'route-set') return attribute === 'members' ? '192.0.2.0/24^24-28' : byType['mp-members'];
    if (className === 'rtr-set') return byType['domain-name'];
  }
  if (attribute === 'nic-hdl') return className === 'role' ? 'ENO1-EX' : byType['nic-hdl'];
  const holes6 = className === 'route6' ? { holes: '2001:db8:1::/48', components: 'ATOMIC {2001:db8::/32^+}' } : undefined;
  if (attribute === 'holes' || attribute === 'components') return holes6?.[attribute] ?? byType[attribute];
  return byAttribute[attribute] ?? byType[attributes[attribute].type];
}

/**
 * An object of the class that passes `checkObject`, one line for each attribute: the mandatory ones, or all that people write with `full`.
 * Forms show it as a pattern, tests vary it.
 */
export function exampleObject(className: ClassName, options: { readonly full?: boolean } = {}): RpslObject {
  const lines: [string, string][] = [];
  for (const { attribute, need } of classes[className].template) {
    const isOneOfPair = attribute === 'filter' || attribute === 'peering';
    if (attribute === 'mp-filter' || attribute === 'mp-peering') continue;
    if (need === 'mandatory' || isOneOfPair || (options.full === true && need === 'optional'))
      lines.push([attribute, exampleValue(className, attribute)]);
  }
  return objectOf(lines);
}
