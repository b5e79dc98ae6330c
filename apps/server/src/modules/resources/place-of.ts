import { sql } from 'kysely';
import { isIP } from 'node:net';
import type { Read } from '../../platform/database/index.ts';

/** Returns holder and economy of an address by the registry's own delegations; null for addresses of other registries. */
export async function placeOf(read: Read, address: string): Promise<{ economy: string | null; holder: string } | null> {
  if (isIP(address) === 0) return null;
  // Delegations are disjoint, so only the last one that begins at or before the address can contain it.
  const [found] = await read.rows<{ economy: string | null; holder: string; holds: boolean | null }>(sql`
    select coalesce(d.economy, account.economy) as economy, account.org_name as holder, d.last >= ${address}::inet as holds
    from (select * from delegation where kind <> 'asn' and status <> 'closed' and first <= ${address}::inet and family(first) = family(${address}::inet)
      order by first desc limit 1) d join account using (account_name)`);
  return found?.holds ? { economy: found.economy, holder: found.holder } : null;
}
