import type { AnswerOf } from '@portal/contract';
import { type ResourceKind, resourceKinds } from '@portal/contract/resources/resource-kinds';
import type { resources } from '@portal/contract/resources/resources';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import { delegationColumns, delegationOf, type DelegationRow, usageColumns, usageOfEach } from './delegation-list.ts';

type Summary = AnswerOf<typeof resources.getSummary>;
type Totals = Omit<Summary['totals'][number], 'kind'> & { kind: ResourceKind };

const LATEST = 5;

/** Returns an account's holdings by kind, including kinds it does not hold. */
export async function getSummary({ read, account: { accountName } }: { read: Read; account: { accountName: string } }): Promise<Summary> {
  const open = sql`d.account_name = ${accountName} and d.status <> 'closed'`;
  const [totals, economies, latest] = await Promise.all([
    // At least one row, so that there is always a timestamp.
    read.rows<{ [Name in keyof Totals]: Totals[Name] | null } & { asOf: string }>(sql`
      select t.*, i.as_of from (select now() as as_of) i left join (select d.kind, count(*)::int as delegations, sum(d.size)::text as size, max(d.delegated_on) as last_delegated_on,
        coalesce(min(u.used), 0)::text as used, coalesce(min(u.registrations), 0)::int as registrations
      from delegation d
      left join (select kind, sum(size) filter (where level = 0) as used, count(*) as registrations
        from assignment where account_name = ${accountName} group by kind) u using (kind)
      where ${open} group by d.kind) t on true`),
    read.rows<Summary['economies'][number]>(sql`
      select economy, count(*)::int as delegations from delegation d where ${open} group by economy order by 2 desc, 1`),
    read.rows<DelegationRow>(sql`
      select ${delegationColumns}, ${usageColumns} from (
        select * from delegation d where ${open} and delegated_on is not null order by delegated_on desc, first, first_as limit ${LATEST}) d
      ${usageOfEach} order by d.delegated_on desc, d.first, d.first_as`),
  ]);
  return {
    totals: resourceKinds.map(kind => {
      const found = totals.find(row => row.kind === kind);
      return {
        kind,
        delegations: found?.delegations ?? 0,
        size: found?.size ?? '0',
        used: found?.used ?? '0',
        registrations: found?.registrations ?? 0,
        lastDelegatedOn: found?.lastDelegatedOn ?? null,
      };
    }),
    latest: latest.map(delegationOf),
    economies,
    asOf: totals[0]!.asOf,
  };
}
