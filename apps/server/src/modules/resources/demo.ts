import { DAY_MS, utcDay } from '@portal/contract/days';
import { parseResource } from '@portal/number-resources';
import type { DemoRegistry } from '../../platform/demo.ts';
import type { Profile } from '../../profile.ts';
import { assign } from './assignments.ts';
import { delegate } from './delegations.ts';
import { addDemoPools } from './demo-pools.ts';
import { holdUntil as endOfHold } from './hold.ts';

/** A day so many days from today. */
const dayFrom = (today: Date, days: number): string => utcDay(today.getTime() + days * DAY_MS);

/** The same day some years earlier; 1 March if there is no 29 February. */
function yearsBefore(day: string, years: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCFullYear(date.getUTCFullYear() - years);
  return utcDay(date);
}

type Given = Parameters<typeof delegate>[1] & { resource: string };
const given = (accountName: string, resource: string, delegatedOn: string, type: Given['type'], more: Partial<Given> = {}): Given => ({
  economy: accountName.slice(-2),
  accountName,
  resource,
  delegatedOn,
  type,
  ...more,
});

const holdUntil = ({ resource, delegatedOn = null }: Given, profile: Profile): string | null =>
  endOfHold(parseResource(resource), delegatedOn, profile);

/** Documentation and benchmarking resources only (RFC 5737, 2544, 3849, 9637, 5398). */
const delegationsOf = (today: Date): Given[] => [
  given('EXAMPLE-AU', '198.18.0.0/19', '2021-03-02', 'allocated'),
  given('EXAMPLE-AU', '198.18.64.0 - 198.18.66.255', '2022-11-14', 'allocated'),
  // From the last pool: its hold ends in 18 days.
  given('EXAMPLE-AU', '203.0.113.0/24', yearsBefore(dayFrom(today, 18), 5), 'assigned'),
  given('EXAMPLE-AU', '2001:db8::/32', '2021-03-02', 'allocated'),
  given('EXAMPLE-AU', 'AS64500', '2021-03-02', 'allocated'),
  given('EXAMPLE-AU', 'AS65536 - AS65538', '2023-05-30', 'allocated'),
  given('SOUTHSITE-NZ', '192.0.2.0/24', '2023-07-19', 'assigned'),
  given('SOUTHSITE-NZ', '3fff:100::/48', '2023-07-19', 'assigned'),
  given('OTHER-SG', '198.51.100.0/24', '2020-05-11', 'allocated'),
  given('OTHER-SG', '3fff:200::/32', '2020-05-11', 'allocated'),
  given('OTHER-SG', 'AS64501', '2020-05-11', 'allocated'),
  given('NATREG-XX', '198.19.0.0/17', '2002-01-15', 'allocated'),
  given('NATREG-XX', '3fff:400::/24', '2006-06-06', 'allocated'),
  given('NATREG-XX', 'AS64502 - AS64509', '2004-04-01', 'allocated'),
  given('OLDNET-JP', '198.18.128.0/18', '1994-08-30', 'assigned', { source: 'historical' }),
  given('CAMPUS-JP', '198.18.192.0/22', '2015-10-05', 'assigned'),
  given('LATE-FJ', '198.18.200.0/23', '2019-10-20', 'allocated'),
  given('BEACON-BD', '198.18.204.0/22', '2022-09-09', 'allocated'),
  given('BEACON-BD', 'AS64511', '2022-09-09', 'allocated'),
];

type Registered = Parameters<typeof assign>[1];
const infrastructure = (
  accountName: string,
  resource: string,
  netname: string,
  registeredOn: string,
  more: Partial<Registered> = {},
): Registered => ({
  accountName,
  resource,
  netname,
  registeredOn,
  type: 'assigned',
  visibility: 'public',
  customer: null,
  economy: accountName.slice(-2),
  ...more,
});
const customer = (
  accountName: string,
  resource: string,
  netname: string,
  name: string,
  registeredOn: string,
  more: Partial<Registered> = {},
): Registered => ({
  ...infrastructure(accountName, resource, netname, registeredOn),
  customer: name,
  visibility: 'private',
  ...more,
});

/** Public ones have their object in whois (`whois/demo.ts`). */
const registrations: Registered[] = [
  infrastructure('EXAMPLE-AU', '198.18.0.0/23', 'CORE-INFRA', '2021-03-02'),
  infrastructure('EXAMPLE-AU', '198.18.2.0/24', 'POP-SYD-1', '2021-03-02'),
  infrastructure('EXAMPLE-AU', '198.18.3.0/24', 'POP-MEL-1', '2021-03-02'),
  infrastructure('EXAMPLE-AU', '198.18.4.0/22', 'ACCESS-A', '2021-06-14'),
  infrastructure('EXAMPLE-AU', '198.18.8.0/24', 'HOSTING-1', '2022-01-20'),
  infrastructure('EXAMPLE-AU', '198.18.9.0/24', 'HOSTING-2', '2022-01-20', { visibility: 'private' }),
  customer('EXAMPLE-AU', '198.18.12.0/23', 'CUST-NORTHWIND', 'Northwind Freight', '2024-08-05', { visibility: 'public' }),
  customer('EXAMPLE-AU', '198.18.14.0/25', 'CUST-ELDER', 'Elder Care Trust', '2023-11-11'),
  customer('EXAMPLE-AU', '198.18.14.128/26', 'CUST-PINE', 'Pine Timber Supplies', '2024-02-27'),
  infrastructure('EXAMPLE-AU', '198.18.15.0/24', 'VOICE', '2022-05-02', { visibility: 'private' }),
  infrastructure('EXAMPLE-AU', '198.18.16.0/21', 'CGN-PUBLIC', '2021-09-01', { visibility: 'private' }),
  customer('EXAMPLE-AU', '198.18.24.0/24', 'CUST-HARVEST', 'Harvest Markets', '2025-01-16', { type: 'allocated', visibility: 'public' }),
  customer('EXAMPLE-AU', '198.18.24.0/26', 'HARVEST-SHOPS', 'Harvest Markets', '2025-01-20', { visibility: 'public' }),
  customer('EXAMPLE-AU', '198.18.24.128/26', 'HARVEST-DEPOT', 'Harvest Markets', '2025-03-03', { visibility: 'public' }),
  infrastructure('EXAMPLE-AU', '198.18.30.0/24', 'LAB', '2025-09-30', { visibility: 'private' }),
  infrastructure('EXAMPLE-AU', '198.18.64.0/23', 'ACCESS-B', '2022-11-20', { visibility: 'private' }),
  infrastructure('EXAMPLE-AU', '2001:db8::/36', 'V6-CORE', '2021-03-02'),
  infrastructure('EXAMPLE-AU', '2001:db8:1000::/36', 'V6-ACCESS', '2021-06-14'),
  infrastructure('EXAMPLE-AU', '2001:db8:2000::/36', 'V6-HOSTING', '2022-01-20', { visibility: 'private' }),
  customer('EXAMPLE-AU', '2001:db8:8000::/40', 'V6-NORTHWIND', 'Northwind Freight', '2024-08-05', { visibility: 'public' }),
  customer('EXAMPLE-AU', '2001:db8:8100::/48', 'V6-ELDER', 'Elder Care Trust', '2023-11-11'),
  infrastructure('OTHER-SG', '198.51.100.0/25', 'OTHER-EDGE', '2020-05-11'),
  infrastructure('NATREG-XX', '198.19.0.0/20', 'NATREG-POOL-1', '2003-03-03'),
];

/** Time at which the changes of earlier days are recorded: that of the last day. */
const lastOf = (days: readonly (string | null | undefined)[]): { happenedAt?: string } => {
  const last = days
    .filter(day => typeof day === 'string')
    .sort()
    .at(-1);
  return last ? { happenedAt: `${last}T04:00:00.000Z` } : {};
};

/** Adds delegations and members' registrations in them, one change per account, so that each activity log has its own history. */
export async function addDemo(registry: DemoRegistry): Promise<void> {
  const delegations = Map.groupBy(delegationsOf(registry.today), ({ accountName }) => accountName);
  const registered = Map.groupBy(registrations, ({ accountName }) => accountName);
  for (const [accountName, held] of delegations)
    await registry.change(
      {
        action: 'demo.delegate',
        summary: held.length === 1 ? `Delegated ${held[0]!.resource}` : `Delegated ${held.length} resources`,
        accountName,
        ...lastOf(held.map(({ delegatedOn }) => delegatedOn)),
      },
      async change => {
        for (const delegation of held)
          await delegate(change, { ...delegation, holdUntil: holdUntil(delegation, registry.profile) }, registry.profile);
      },
    );
  for (const [accountName, networks] of registered)
    await registry.change(
      {
        action: 'demo.assign',
        summary: `Registered ${networks.length === 1 ? networks[0]!.netname : `${networks.length} networks`}`,
        accountName,
        ...lastOf(networks.map(({ registeredOn }) => registeredOn)),
      },
      async change => {
        for (const network of networks) await assign(change, network);
      },
    );
}

/** Fills the pools. */
export const addDemoLife = ({ change: changeDemo }: DemoRegistry): Promise<void> =>
  changeDemo({ action: 'demo.fillPools', summary: 'Filled the pools' }, addDemoPools);

export { regionStages } from './demo-region.ts';
