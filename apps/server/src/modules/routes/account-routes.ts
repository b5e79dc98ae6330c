import { listPrefixes, type ResourceSet, printPrefix } from '@portal/number-resources';
import { sql } from 'kysely';
import { mapInTurns } from '../../platform/breathing.ts';
import type { Read } from '../../platform/database/index.ts';
import { holdingsOf } from '../resources/index.ts';
import { findAuthority, type KeptRoa, keptRoas } from '../rpki/index.ts';
import { consentsAskedBy, linkedMaintainers, listRouteObjects, type RouteObjectRow } from '../whois/index.ts';
import { keptRoutes, type KeptRoute, keyOf, listVersion } from './route-rows.ts';

/** The present state of an account's routes. */
export type AccountRoutes = {
  /** Versions of the list of routes and of ROAs: both have to be what the person saw. */
  version: string;
  listVersion: number;
  authorityVersion: number | null;
  held: ResourceSet;
  /** The held addresses as prefixes. */
  space: string[];
  kept: KeptRoute[];
  roas: KeptRoa[];
  /** Route objects inside the space, including those of other maintainers. */
  objects: RouteObjectRow[];
  /** Requests for consent by the object they name, `route 192.0.2.0/24as64500`; the latest of each. */
  consents: Map<string, { consentId: number; state: string; objects: string[] }>;
  /** Maintainers linked to the account, the principal one first. */
  maintainers: { key: string; shown: string }[];
  /** Defaults for its route objects: the name of the organisation, the principal maintainer. */
  usual: { descr: string; maintainer: string };
};

/** The class and key of a route's object. */
export const objectName = (prefix: string, asn: number): string =>
  `${prefix.includes(':') ? 'route6' : 'route'} ${prefix}as${asn}`.toLowerCase();

/** Routes of which account versions, joined: `12-5`. */
const versionOf = (list: number, authority: number | null): string => `${list}-${authority ?? 0}`;

/** The address space of a set, as prefixes. */
export const spaceOf = (held: ResourceSet): string[] => [...listPrefixes(held, 'ipv4'), ...listPrefixes(held, 'ipv6')].map(printPrefix);

/** Reads the routes of an account with ROAs and route objects. @param held what it holds, if that is known */
export async function accountRoutes(read: Pick<Read, 'rows' | 'stream'>, accountName: string, held?: ResourceSet): Promise<AccountRoutes> {
  held ??= (await holdingsOf(read, [accountName])).get(accountName)!;
  const space = spaceOf(held);
  const list = await listVersion(read, accountName);
  const authority = await findAuthority(read, accountName);
  const maintainers = await linkedMaintainers(read, accountName);
  const [account] = await read.rows<{ orgName: string }>(sql`select org_name from account where account_name = ${accountName}`);
  const consents: AccountRoutes['consents'] = new Map();
  for (const { objects, consentId, state } of await consentsAskedBy(read, accountName))
    for (const name of objects) {
      const key = name.toLowerCase();
      if (!consents.has(key)) consents.set(key, { consentId, state, objects });
    }
  return {
    version: versionOf(list, authority?.version ?? null),
    listVersion: list,
    authorityVersion: authority?.version ?? null,
    held,
    space,
    kept: await keptRoutes(read, accountName),
    roas: await keptRoas(read, accountName),
    objects: await listRouteObjects(read, space),
    consents,
    maintainers,
    usual: { descr: account?.orgName ?? accountName, maintainer: maintainers[0]?.shown ?? '' },
  };
}

/** ROAs by prefix and AS number. */
export const roasByKey = (roas: readonly KeptRoa[]): Promise<Map<string, KeptRoa>> => mapInTurns(roas, keyOf);
/** Route objects by their names. */
export const objectsByName = (objects: readonly RouteObjectRow[]): Promise<Map<string, RouteObjectRow>> =>
  mapInTurns(objects, ({ prefix, asn }) => objectName(prefix, asn));

/** The present version, which a change of the account's routes has to name. */
export async function routeVersion(read: Pick<Read, 'rows'>, accountName: string): Promise<string> {
  const list = await listVersion(read, accountName);
  return versionOf(list, (await findAuthority(read, accountName))?.version ?? null);
}
