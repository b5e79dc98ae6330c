import { describe, expect, it } from 'vitest';
import type { AttributeName } from '../attributes.ts';
import { checkValue } from '../check.ts';
import type { ClassName } from '../class-name.ts';
import { exampleObject } from '../example.ts';

const classOf: Partial<Record<AttributeName, ClassName>> = {
  inject: 'route',
  components: 'route',
  'aggr-mtd': 'route',
  'aggr-bndry': 'route',
  'export-comps': 'route',
  filter: 'filter-set',
  'mp-filter': 'filter-set',
  peering: 'peering-set',
  'mp-peering': 'peering-set',
  ifaddr: 'inet-rtr',
  interface: 'inet-rtr',
  peer: 'inet-rtr',
  'mp-peer': 'inet-rtr',
};

const faultOf = (attribute: AttributeName, policy: string) =>
  checkValue(exampleObject(classOf[attribute] ?? 'aut-num'), attribute, policy)?.message ?? null;

/** Taken from the examples of RFC 2622 and RFC 4012 with numbers for documentation, and from what members write. */
const right: readonly [AttributeName, readonly string[]][] = [
  [
    'import',
    [
      'from AS2 accept AS2',
      'from AS2 7.7.7.2 at 7.7.7.1 action pref = 1; accept { 128.9.0.0/16 }',
      'from AS2 action pref = 1; from AS3 action pref = 2; accept AS4',
      'from AS2 at 7.7.7.1 accept AS2',
      'from AS-ANY EXCEPT (AS64500 OR AS64501) accept ANY',
      'from (AS42 or AS3) accept { 10.0.0.0/8^+, 192.0.2.0/24^24-28, 0.0.0.0/0 }',
      'from AS2 7.7.7.2 AND NOT-A-KEYWORD.example.net at RTRS-MINE accept ANY',
      'from PRNG-TRANSIT accept ANY',
      'from AS2 action pref = 10; med = 0; community.append(10250, 3561:10); accept { 128.9.0.0/16 }',
      'from AS2 action community .= { 64500:1 }; aspath.prepend(AS1, AS1); next-hop = 192.0.2.1; accept PeerAS',
      'from AS2 action community = {}; community.delete(NO_EXPORT); med = igp_cost; accept PeerAS^24',
      'from AS1 accept <^AS1 AS2* AS3$>',
      'from AS1 accept <AS-EXAMPLE+ [AS1-AS5 AS7] . (AS8|AS9)? AS10{2,3} AS11~* [^AS12]>',
      'from AS1 accept (AS1 or AS2) AND NOT {192.0.2.0/24^-} OR FLTR-BOGONS',
      'from AS1 accept AS1 AS2 AS-THREE',
      'from AS1 accept community.contains(64500:1) AND community == {64500:1, 64500:2}',
      'from AS1 accept community(NO_EXPORT)',
      'from AS1 accept AS1:AS-CUSTOMERS:PeerAS^24-32 AND {128.9.0.0/16}^24',
      'protocol BGP4 into RIP from AS1 accept ANY',
      'protocol STATIC into BGP4 from AS1 accept ANY;',
      '{ from AS-ANY action pref = 1; accept community(3560:10); from AS-ANY action pref = 2; accept community(3560:20); } refine { from AS1 accept AS1; from AS2 accept AS2; from AS3 accept AS3; }',
      'from AS1 action pref=1; accept AS-FOO; except { from AS2 action pref=2; accept AS226; } except { from AS3 action pref=3; accept {128.9.0.0/16}; }',
      'from AS1 accept ANY EXCEPT from AS2 accept AS2 REFINE from AS3 accept AS3',
    ],
  ],
  [
    'export',
    [
      'to AS2 announce AS4',
      'to AS-ANY announce RS-ROUTES^+',
      'protocol RIP into BGP4 to AS2 at 7.7.7.1 action med = 5; announce ANY',
      'to AS1 to AS2 announce AS-SELF AND NOT {0.0.0.0/0}',
    ],
  ],
  ['default', ['to AS2', 'to AS2 7.7.7.2 at 7.7.7.1', 'to AS2 action pref = 1; networks { 128.9.0.0/16 }']],
  [
    'mp-import',
    [
      'afi ipv6.unicast from AS1 action pref = 1; accept as-foo',
      'afi ipv6.unicast,ipv4 from AS1 accept {3FFE:FFFF::/35^48}',
      'afi any.unicast from AS65001 action pref=1; accept as-foo; except afi any.unicast { from AS65002 action pref=2; accept AS65226; } except afi ipv6.unicast { from AS65003 action pref=3; accept {3FFE:FFFF::/35}; }',
      'from AS1 2001:db8::2 at 2001:db8::1 accept ANY',
    ],
  ],
  ['mp-export', ['afi ipv6.unicast to AS1 announce AS-SELF', 'to AS1 announce {2001:db8::/32^+}']],
  ['mp-default', ['to AS2 2001:db8::2', 'afi ipv6 to AS1 action pref=100; networks ANY']],
  ['filter', ['ANY', '{ }', 'NOT NOT AS1', '((AS1))', '{192.0.2.0/24^+}^-']],
  ['mp-filter', ['{ ::/0, 2001:db8::/32^48-64, 192.0.2.0/24 }']],
  ['peering', ['AS1', 'AS1 at 9.9.9.1', 'PRNG-OTHER', '(AS1 EXCEPT AS2) rtr.example.net OR 192.0.2.7 at rtr2.example.net']],
  ['mp-peering', ['AS1 2001:db8::1 at 2001:db8::2']],
  [
    'inject',
    [
      'at 1.1.1.1 action next-hop = 1.1.1.1; pref = 100; upon HAVE-COMPONENTS {128.8.0.0/16, 128.9.0.0/16}',
      'upon EXCLUDE {128.9.0.0/16} OR (STATIC AND HAVE-COMPONENTS {128.8.0.0/16})',
      'at RTRS-CORE',
    ],
  ],
  [
    'components',
    [
      '',
      'ATOMIC',
      '{ 128.8.0.0/15^- }',
      'ATOMIC { 128.8.0.0/15^- } protocol BGP4 { 128.8.0.0/16^+ } protocol OSPF { 128.9.0.0/16^+ }',
      '<^AS226>',
    ],
  ],
  ['aggr-mtd', ['inbound', 'outbound', 'outbound AS1 OR AS-ANY']],
  ['aggr-bndry', ['AS1', 'AS1 OR (AS-FOO EXCEPT AS2)']],
  ['export-comps', ['{ 128.8.0.0/15^- }', 'NOT {192.0.2.0/24}']],
  ['ifaddr', ['1.1.1.1 masklen 30', '1.1.1.1 masklen 30 action pref = 7;']],
  [
    'interface',
    [
      '2001:db8::1 masklen 64',
      '192.0.2.1 masklen 32 tunnel 2001:db8::9,GRE',
      '192.0.2.1 masklen 30 action pref=1; tunnel 192.0.2.9, IPinIP',
    ],
  ],
  [
    'peer',
    [
      'BGP4 192.87.45.195 asno(AS3334), flap_damp()',
      'BGP4 rtr.example.net asno(PeerAS)',
      'BGP4 PRNG-EXAMPLE',
      'OSPF RTRS-CORE flap_damp(1,2,3)',
    ],
  ],
  ['mp-peer', ['MPBGP 2001:db8::2 asno(AS64501)']],
];

/** Each with the words that name what is wrong. */
const wrong: readonly [AttributeName, string, string][] = [
  ['import', '', 'from'],
  ['import', 'AS2 accept AS2', '“from” and a peering'],
  ['import', 'to AS2 announce AS2', '“from”'],
  ['import', 'from accept ANY', 'Expected an AS number, an as-set or a peering-set after “from”, found “accept”'],
  ['import', 'from AS2', '“accept” and a filter'],
  ['import', 'from AS2 announce ANY', '“accept”'],
  ['import', 'from AS2 accept', 'Expected a filter'],
  ['import', 'from AS2 accept ANY ANYTHING-ELSE', 'found “ANYTHING-ELSE”'],
  ['import', 'from AS2 accept ANY; from AS3 accept ANY', 'Expected the end after “;”'],
  ['import', 'from AS2 action pref=1 accept ANY', 'a semicolon at the end of the action after “1”'],
  ['import', 'from AS2 action pref=70000; accept ANY', '65535'],
  ['import', 'from AS2 action prefer=1; accept ANY', 'an action on pref'],
  ['import', 'from AS2 action community.append(64500:70000); accept ANY', '64500:70000 is not a community'],
  ['import', 'from AS2 action community .= 64500:1; accept ANY', '{64500:1}'],
  ['import', 'from AS2 accept 192.0.2.0/24', 'Put prefixes in braces'],
  ['import', 'from AS2 accept {192.0.2.1/24}', 'host bits'],
  ['import', 'from AS2 accept {192.0.2.0/24 198.51.100.0/24}', 'a comma or }'],
  ['import', 'from AS2 accept {2001:db8::/32}', 'is IPv6'],
  ['import', 'from AS2 2001:db8::1 accept ANY', 'is IPv6'],
  ['import', 'from AS2 accept {192.0.2.0/24^23}', '^23 does not fit'],
  ['import', 'from AS2 accept AS1^x', 'range operator'],
  ['import', 'from AS2 accept (AS1', 'a closing bracket'],
  ['import', 'from AS2 accept AS1)', 'Expected the end'],
  ['import', 'from AS2 accept AS1 AND', 'Expected a filter'],
  ['import', 'from AS2 accept <^AS1', '<'],
  ['import', 'from AS2 accept <*AS1>', 'nothing to repeat'],
  ['import', 'from AS2 accept <[AS1>', '[ without ]'],
  ['import', 'from AS2 accept <(AS1>', 'open bracket'],
  ['import', 'from AS2 accept <AS1-AS2>', 'Put ranges of AS numbers in [ ]'],
  ['import', 'from AS2 accept <FOO>', 'neither an AS number nor an as-set'],
  ['import', 'from AS4294967296 accept ANY', 'AS number'],
  ['import', 'protocol FOO from AS1 accept ANY', 'a protocol'],
  ['import', '{ from AS1 accept ANY; ', 'after “;”, found nothing'],
  ['import', '{ from AS1 accept ANY', '} at the end of the group'],
  ['import', 'afi ipv6 from AS1 accept ANY', '“from”'],
  ['import', `from AS1 accept ${'('.repeat(5000)}AS1`, 'nested'],
  ['import', `${'{'.repeat(5000)}`, 'nested'],
  ['mp-import', 'afi ipv7 from AS1 accept ANY', 'address family'],
  ['export', 'to AS1 accept ANY', '“announce”'],
  ['default', 'from AS1', '“to”'],
  ['peering', 'RS-FOO', 'peering-set'],
  ['inject', 'upon FOO', 'HAVE-COMPONENTS'],
  ['aggr-mtd', 'sideways', 'inbound or outbound'],
  ['ifaddr', '192.0.2.1', 'masklen'],
  ['ifaddr', '192.0.2.1 masklen 33', 'above 32'],
  ['ifaddr', '2001:db8::1 masklen 64', 'is IPv6'],
  ['interface', '192.0.2.1 masklen 30 tunnel 192.0.2.2,FOO', 'GRE'],
  ['peer', 'BGP4', 'router'],
  ['peer', 'BGP4 192.0.2.1 foo(1)', 'asno'],
];

describe('a routing policy', () => {
  it.each(right)('of %s follows the RFCs', (attribute, policies) => {
    for (const policy of policies) expect([policy, faultOf(attribute, policy)]).toEqual([policy, null]);
  });

  it.each(wrong)('of %s that does not is reported with its place: %#', (attribute, policy, words) => {
    expect(faultOf(attribute, policy)).toContain(words);
  });
});
