import type { NumberResource } from '@portal/number-resources';
import { type RawBuilder, sql } from 'kysely';

/**
 * SQL: whether delegation `d` has any of these numbers. Delegations are disjoint: at most one begins before them, all others inside. The planner doesn't use the index of
 * ranges with an order.
 */
export function hasNumbers(accountName: string, { family, ...range }: NumberResource): RawBuilder<unknown> {
  const [first, last] = [String(range.first), String(range.last)];
  return sql`d.start <= ${last}::numeric and d.start + d.size > ${first}::numeric and d.start >= coalesce((select max(o.start)
    from nir_delegation o where o.account_name = ${accountName} and o.kind = ${family} and o.start <= ${first}::numeric), ${first}::numeric)`;
}
