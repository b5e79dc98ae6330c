import { formatObject, objectOf } from '@portal/rpsl';
import type { Change } from '../../platform/database/index.ts';
import type { DemoRegistry } from '../../platform/demo.ts';
import { syncRegistryObjects } from './ledger/registry-object-sync.ts';
import { linkMaintainerTo } from './rights/maintainer-links.ts';
import { submit } from './submit/submit.ts';
import type { Credentials } from './store/update.ts';
import { bulkChange } from './updates/bulk-change.ts';
import type { Profile } from '../../profile.ts';

/** Whois objects of the demo accounts besides those the registry keeps: each object a list of its lines, without source. */
type Lines = readonly (readonly [name: string, value: string])[];
type DemoWhois = {
  accountName: string;
  maintainer: string;
  /** Name of its first person. */
  person: string;
  phone: string;
  /** Address of its people, and where mail for them goes. */
  address: string;
  domain: string;
  /** After the registry's objects name its maintainer. */
  objects: (handles: { person: string; role: string; irt: string }) => readonly Lines[];
};

const network = (
  key: string,
  netname: string,
  descr: string,
  { of, status = 'ASSIGNED NON-PORTABLE' }: { of: { country: string; maintainer: string; role: string; irt: string }; status?: string },
): Lines => [
  [key.includes(':') ? 'inet6num' : 'inetnum', key],
  ['netname', netname],
  ['descr', descr],
  ['country', of.country],
  ['admin-c', of.role],
  ['tech-c', of.role],
  ['status', status],
  ['mnt-by', of.maintainer],
  ['mnt-irt', of.irt],
];
const route = (prefix: string, origin: string, descr: string, maintainer: string, more: Lines = []): Lines => [
  [prefix.includes(':') ? 'route6' : 'route', prefix],
  ['descr', descr],
  ['origin', origin],
  ...more,
  ['mnt-by', maintainer],
];
const reverse = (zone: string, descr: string, servers: readonly string[], of: { maintainer: string; role: string }): Lines => [
  ['domain', zone],
  ['descr', descr],
  ['admin-c', of.role],
  ['tech-c', of.role],
  ['zone-c', of.role],
  ...servers.map(server => ['nserver', server] as const),
  ['mnt-by', of.maintainer],
];
const set = (
  objectClass: string,
  name: string,
  descr: string,
  members: readonly string[],
  of: { maintainer: string; role: string },
  more: Lines = [],
): Lines => [
  [objectClass, name],
  ['descr', descr],
  ...members.map(
    member => [objectClass === 'filter-set' ? 'filter' : objectClass === 'peering-set' ? 'peering' : 'members', member] as const,
  ),
  ...more,
  ['tech-c', of.role],
  ['admin-c', of.role],
  ['mnt-by', of.maintainer],
];

const accounts: readonly DemoWhois[] = [
  {
    accountName: 'EXAMPLE-AU',
    maintainer: 'MAINT-AU-EXAMPLE',
    person: 'Tess Lindqvist',
    phone: '+61 7 5550 0100',
    address: 'Level 3, 10 Example Street, South Brisbane QLD 4101',
    domain: 'example-au.example',
    objects: ({ person, role, irt }) => {
      const of = { country: 'AU', maintainer: 'MAINT-AU-EXAMPLE', role, irt };
      const servers = ['ns1.example.net', 'ns2.example.net'];
      return [
        network('198.18.0.0 - 198.18.1.255', 'CORE-INFRA', 'Core infrastructure', { of }),
        network('198.18.2.0 - 198.18.2.255', 'POP-SYD-1', 'Point of presence, Sydney', { of }),
        network('198.18.3.0 - 198.18.3.255', 'POP-MEL-1', 'Point of presence, Melbourne', { of }),
        network('198.18.4.0 - 198.18.7.255', 'ACCESS-A', 'Access network A', { of }),
        network('198.18.8.0 - 198.18.8.255', 'HOSTING-1', 'Hosting', { of }),
        network('198.18.12.0 - 198.18.13.255', 'CUST-NORTHWIND', 'Northwind Freight', { of }),
        network('198.18.24.0 - 198.18.24.255', 'CUST-HARVEST', 'Harvest Markets', { of, status: 'ALLOCATED NON-PORTABLE' }),
        network('198.18.24.0 - 198.18.24.63', 'HARVEST-SHOPS', 'Harvest Markets, shops', { of }),
        network('198.18.24.128 - 198.18.24.191', 'HARVEST-DEPOT', 'Harvest Markets, depot', { of }),
        network('2001:db8::/36', 'V6-CORE', 'Core infrastructure', { of }),
        network('2001:db8:1000::/36', 'V6-ACCESS', 'Access networks', { of }),
        network('2001:db8:8000::/40', 'V6-NORTHWIND', 'Northwind Freight', { of }),
        set('as-set', 'AS64500:AS-CUSTOMERS', 'Customers of Example Networks', ['AS64500', 'AS65536', 'AS65537'], of, [
          ['mbrs-by-ref', 'MAINT-AU-EXAMPLE'],
        ]),
        set('as-set', 'AS64500:AS-ALL', 'All that Example Networks announces', ['AS64500:AS-CUSTOMERS', 'AS65538'], of),
        set('route-set', 'AS64500:RS-ROUTES', 'Routes of Example Networks', ['198.18.0.0/19^19-24'], of, [
          ['mbrs-by-ref', 'MAINT-AU-EXAMPLE'],
        ]),
        set('filter-set', 'AS64500:FLTR-CUSTOMERS', 'What is taken from customers', ['AS64500:AS-CUSTOMERS'], of),
        route('198.18.0.0/19', 'AS64500', 'Example Networks', 'MAINT-AU-EXAMPLE', [['member-of', 'AS64500:RS-ROUTES']]),
        route('198.18.8.0/24', 'AS65536', 'Example Networks, hosting', 'MAINT-AU-EXAMPLE'),
        route('198.18.64.0/23', 'AS64500', 'Example Networks, access B', 'MAINT-AU-EXAMPLE'),
        route('203.0.113.0/24', 'AS64500', 'Example Networks', 'MAINT-AU-EXAMPLE'),
        route('2001:db8::/32', 'AS64500', 'Example Networks', 'MAINT-AU-EXAMPLE'),
        reverse('2.18.198.in-addr.arpa', 'Reverse zone of 198.18.2.0/24', servers, of),
        reverse('3.18.198.in-addr.arpa', 'Reverse zone of 198.18.3.0/24', servers, of),
        reverse('113.0.203.in-addr.arpa', 'Reverse zone of 203.0.113.0/24', servers, of),
        reverse('8.b.d.0.1.0.0.2.ip6.arpa', 'Reverse zone of 2001:db8::/32', servers, of),
        [
          ['inet-rtr', 'edge1.syd.example.net'],
          ['descr', 'Edge router, Sydney'],
          ['local-as', 'AS64500'],
          ['ifaddr', '198.18.2.1 masklen 24'],
          ['admin-c', person],
          ['tech-c', role],
          ['mnt-by', 'MAINT-AU-EXAMPLE'],
        ],
      ];
    },
  },
  {
    accountName: 'OTHER-SG',
    maintainer: 'MAINT-SG-OTHER',
    person: 'Olive Tan',
    phone: '+65 5550 0101',
    address: '1 Example Road #08-01, Singapore 000001'.replace('#', 'unit '),
    domain: 'other-sg.example',
    objects: ({ role, irt }) => {
      const of = { country: 'SG', maintainer: 'MAINT-SG-OTHER', role, irt };
      return [
        network('198.51.100.0 - 198.51.100.127', 'OTHER-EDGE', 'Edge', { of }),
        route('198.51.100.0/24', 'AS64501', 'Other Cloud', 'MAINT-SG-OTHER'),
        route('3fff:200::/32', 'AS64501', 'Other Cloud', 'MAINT-SG-OTHER'),
        set('as-set', 'AS64501:AS-OTHER', 'Other Cloud and its customers', ['AS64501', 'AS64500:AS-CUSTOMERS'], of),
        reverse('100.51.198.in-addr.arpa', 'Reverse zone of 198.51.100.0/24', ['ns1.example.com', 'ns2.example.com'], of),
      ];
    },
  },
  {
    accountName: 'SOUTHSITE-NZ',
    maintainer: 'MAINT-NZ-SOUTHSITE',
    person: 'Corin Achterberg',
    phone: '+64 3 555 0117',
    address: 'RD 3, Ashburton 7773',
    domain: 'southsite-nz.example',
    objects: ({ role }) => [
      reverse('2.0.192.in-addr.arpa', 'Reverse zone of 192.0.2.0/24', ['ns1.example.org', 'ns2.example.org'], {
        maintainer: 'MAINT-NZ-SOUTHSITE',
        role,
      }),
    ],
  },
  {
    accountName: 'NATREG-XX',
    maintainer: 'MAINT-XX-NATREG',
    person: 'Nils Sorensen',
    phone: '+999 555 0102',
    address: 'Ministry of Communications, 2 Harbour Square, Port Example',
    domain: 'natreg.example',
    objects: ({ role, irt }) => {
      const of = { country: 'ZZ', maintainer: 'MAINT-XX-NATREG', role, irt };
      return [
        network('198.19.0.0 - 198.19.15.255', 'NATREG-POOL-1', 'Pool of the national registry', { of, status: 'ALLOCATED NON-PORTABLE' }),
        route('198.19.0.0/17', 'AS64502', 'National Registry of Exampleland', 'MAINT-XX-NATREG'),
      ];
    },
  },
];

const line = (summary: string, accountName: string) => ({ action: 'demo.whois', summary, accountName });

/** Fills the whois database through submissions, so that its objects obey every rule. */
export async function addDemo({ db, profile, change: changeDemo }: DemoRegistry): Promise<void> {
  const handles = new Map<string, { person: string; role: string; irt: string }>();
  await syncRegistryObjects(db, profile);
  for (const account of accounts) {
    handles.set(
      account.accountName,
      await changeDemo(line('Created the first maintainer and its contacts', account.accountName), change =>
        makeContacts(change, account, profile),
      ),
    );
  }
  await syncRegistryObjects(db, profile);
  for (const account of accounts) {
    const objects = account.objects(handles.get(account.accountName)!);
    await changeDemo(line(`Created ${objects.length} whois objects`, account.accountName), async change => {
      await submitAll(change, objects, credentialsOf(account, true), profile);
    });
  }
}

/** Adds bulk updates with their reports. */
export async function addDemoLife({ changeAs, profile, config }: DemoRegistry): Promise<void> {
  const networks = { classes: ['inet6num' as const], attribute: 'mnt-by' as const, value: 'MAINT-AU-EXAMPLE' };
  const requests: [daysAgo: number, Parameters<typeof bulkChange>[0]['body']][] = [
    [
      96,
      {
        choose: networks,
        actions: [{ action: 'add', attribute: 'remarks', newValue: 'Addressing plan 2026: see noc@example-au.example' }],
        mode: 'best-effort',
        dryRun: false,
      },
    ],
    [21, { choose: networks, actions: [{ action: 'set', attribute: 'tech-c', newValue: 'NW9-EX' }], mode: 'atomic', dryRun: false }],
  ];
  for (const [daysAgo, request] of requests)
    await changeAs({
      person: 'tess',
      accountName: 'EXAMPLE-AU',
      action: 'whois.bulkChange',
      daysAgo,
      summary: 'Bulk-updated whois objects',
      run: (change, { account }) => bulkChange({ change, account, body: request, registry: { profile, config } }),
    });
}

const credentialsOf = ({ accountName, maintainer, person }: DemoWhois, linked: boolean): Credentials => ({
  maintainers: new Set(linked ? [maintainer.toLowerCase()] : []),
  holder: accountName,
  mayWriteDomains: true,
  registry: false,
  who: `${person} of ${accountName}`,
});

async function makeContacts(change: Change, account: DemoWhois, profile: Profile): Promise<{ person: string; role: string; irt: string }> {
  const { accountName, maintainer, person, phone, address, domain } = account;
  const irt = `IRT-${maintainer.replace('MAINT-', '')}`;
  const country = accountName.slice(-2) === 'XX' ? 'ZZ' : accountName.slice(-2);
  const outcomes = await submitAll(
    change,
    [
      [
        ['person', person],
        ['address', address],
        ['country', country],
        ['phone', phone],
        ['e-mail', `${person.split(' ')[0]!.toLowerCase()}@${domain}`],
        ['nic-hdl', 'AUTO-1'],
        ['mnt-by', maintainer],
      ],
      [
        ['role', `${accountName.slice(0, -3)} Network Operations`],
        ['address', address],
        ['country', country],
        ['phone', phone],
        ['e-mail', `noc@${domain}`],
        ['admin-c', 'AUTO-1'],
        ['tech-c', 'AUTO-1'],
        ['nic-hdl', 'AUTO-2'],
        ['abuse-mailbox', `abuse@${domain}`],
        ['mnt-by', maintainer],
      ],
      [
        ['mntner', maintainer],
        ['descr', `Maintainer of ${accountName}`],
        ['admin-c', 'AUTO-1'],
        ['tech-c', 'AUTO-2'],
        ['upd-to', `noc@${domain}`],
        ['mnt-nfy', `noc@${domain}`],
        ['auth', 'PORTAL'],
        ['mnt-by', maintainer],
      ],
      [
        ['irt', irt],
        ['address', address],
        ['e-mail', `security@${domain}`],
        ['abuse-mailbox', `abuse@${domain}`],
        ['admin-c', 'AUTO-1'],
        ['tech-c', 'AUTO-2'],
        ['auth', 'PORTAL'],
        ['mnt-by', maintainer],
      ],
    ],
    credentialsOf(account, false),
    profile,
  );
  await linkMaintainerTo(change, accountName, maintainer);
  return { person: outcomes[0]!.shown, role: outcomes[1]!.shown, irt };
}

async function submitAll(change: Change, objects: readonly Lines[], credentials: Credentials, profile: Profile) {
  const updates = objects.map(lines => ({
    operation: 'create' as const,
    text: formatObject(objectOf([...lines, ['source', profile.source]])),
  }));
  const outcomes = await submit(change, updates, { credentials, mode: 'atomic', profile, sendNotices: false });
  const failed = outcomes.filter(({ state }) => state === 'failed');
  if (failed.length > 0)
    throw new Error(
      failed
        .map(
          ({ class: objectClass, shown, problems }) =>
            `The demo object ${objectClass} ${shown} is refused: ${problems.map(({ message }) => message).join('; ')}`,
        )
        .join('\n'),
    );
  return outcomes;
}

export { regionStages } from './demo-region.ts';
