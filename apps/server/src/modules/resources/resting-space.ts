import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';

/** Days between a customer's return of space and its next use: time to find remaining uses. */
const REST_DAYS = 30;

/** Space a customer returned recently. Dates are days (UTC). */
export type RestingSpace = {
  kind: 'ipv4' | 'ipv6';
  resource: string;
  first: string;
  last: string;
  customer: string | null;
  returnedOn: string;
  /** The first day on which it can be assigned again. */
  until: string;
};

/**
 * Lists the resting space of an account's allocations, from the history of its assignments, most recently returned first. A network that was only in
 * whois was never assigned in the register.
 */
export const listRestingSpace = (read: Pick<Read, 'rows'>, accountName: string): Promise<RestingSpace[]> =>
  read.rows<RestingSpace>(sql`
    select r.before ->> 'kind' as kind, r.before ->> 'resource' as resource, host((r.before ->> 'first')::inet) as first, host((r.before ->> 'last')::inet) as last,
      r.before ->> 'customer' as customer, y.happened_at::date::text as returned_on, (y.happened_at::date + ${REST_DAYS}::int)::text as until
    from row_change r join activity y using (activity_id)
    where r.table_name = 'assignment' and r.after is null and r.before ->> 'account_name' = ${accountName} and not coalesce((r.before ->> 'from_whois')::boolean, false) and y.happened_at between now() - make_interval(days => ${REST_DAYS}::int) and now() + interval '5 minutes'
      and coalesce(r.after, r.before) ->> 'delegation_id' in
        (select delegation_id::text from delegation where account_name = ${accountName} and type = 'allocated' and status <> 'closed')
    order by r.activity_id desc, r.row_change_id desc`);
