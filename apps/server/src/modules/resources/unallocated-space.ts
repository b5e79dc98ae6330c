import { type ResourceSet, resourceSetOf, subtractSets } from '@portal/number-resources';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import { type LedgerColumns, resourceOf } from './ledger-columns.ts';

type Row = Pick<LedgerColumns, 'kind' | 'first' | 'last' | 'firstAs' | 'lastAs'>;

/**
 * Returns the addresses that this registry could delegate: available, held for a request or in quarantine; not space reserved for other reasons,
 * which the registry may use itself, and nothing delegated by any registry.
 */
export async function unallocatedSpace(read: Pick<Read, 'rows'>): Promise<ResourceSet> {
  const pools = await read.rows<Row>(sql`select kind, host(first) as first, host(last) as last, first_as, last_as from pool
    where registry = '' and kind <> 'asn' and (state = 'available' or held_for is not null or rests_until is not null)`);
  // Pools of this registry and delegations of another may overlap while space moves between them.
  const delegated = await read.rows<Row>(sql`select d.kind, host(d.first) as first, host(d.last) as last, d.first_as, d.last_as
    from pool p cross join lateral (select * from delegation o where o.kind <> 'asn' and o.status <> 'closed'
      and inetrange(o.first, o.last, '[]') && inetrange(p.first, p.last, '[]') offset 0) d
    where p.registry = '' and p.kind <> 'asn'`);
  return subtractSets(resourceSetOf(pools.map(resourceOf)), resourceSetOf(delegated.map(resourceOf)));
}
