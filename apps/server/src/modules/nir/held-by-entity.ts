import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import type { HeldBlock } from '../resources/index.ts';

/** Returns the holdings of a sub-account's organisation in all its sub-accounts, one row per delegation, for the rules of requests. */
export const heldByEntityOf = (read: Pick<Read, 'rows'>, subaccountId: number): Promise<HeldBlock[]> =>
  read.rows<HeldBlock>(sql`select coalesce(d.delegation_id, 0) as delegation_id, n.kind, n.resource, n.size::text, 'delegated' as source, 'active' as status, n.type,
      n.delegated_on::text, d.hold_until::text, d.purpose, d.ends_on::text, case when n.type = 'assigned' then n.size::text else coalesce((select sum(i.size) from assignment i
        left join assignment own on own.assignment_id = n.assignment_id
        where n.kind <> 'asn' and i.account_name = n.account_name and i.kind = n.kind and i.first >= n.first and i.last <= n.last
          and i.level = coalesce(own.level + 1, 0)), 0)::text end as used,
      exists (select from resource_lock k where k.delegation_id = d.delegation_id and k.released_at is null) as own_lock
    from nir_delegation n left join delegation d on n.pool = 'registry' and d.account_name = n.account_name and d.kind = n.kind and d.resource = n.resource
      and d.status <> 'closed'
    where n.subaccount_id in (select o.subaccount_id from subaccount s join subaccount o on o.entity_id = s.entity_id where s.subaccount_id = ${subaccountId})
    order by n.kind, n.start`);
