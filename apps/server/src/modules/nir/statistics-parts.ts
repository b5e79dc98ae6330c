import { sql } from 'kysely';
import { breathing } from '../../platform/breathing.ts';
import type { Read } from '../../platform/database/index.ts';
import { type MemberPart, resourceOf } from '../resources/index.ts';

type Row = Parameters<typeof resourceOf>[0] & Omit<MemberPart, 'resource' | 'holder'> & { accountName: string; entityId: string };

/** Returns delegations of national registries to their members, by the registry's account: an organisation is one holder, with all its sub-accounts. */
export async function membersInStatistics(read: Pick<Read, 'rows'>): Promise<Map<string, MemberPart[]>> {
  const rows =
    await read.rows<Row>(sql`select n.account_name, n.kind, host(n.first) as first, host(n.last) as last, n.first_as, n.last_as, n.type,
      n.delegated_on::text, e.entity_id::text, e.economy
    from nir_delegation n join subaccount s using (subaccount_id) join nir_entity e on e.entity_id = s.entity_id order by n.kind, n.start`);
  const parts = new Map<string, MemberPart[]>();
  const breathe = breathing();
  for (const { accountName, entityId, economy, delegatedOn, type, ...row } of rows) {
    const holder = `${accountName}/${entityId}`;
    const own = parts.get(accountName) ?? [];
    own.push({ resource: resourceOf(row), holder, economy, delegatedOn, type });
    parts.set(accountName, own);
    await breathe();
  }
  return parts;
}
