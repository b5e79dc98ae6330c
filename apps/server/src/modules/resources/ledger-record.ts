import { recordAddress } from '@portal/contract/records/record-address';
import type { RecordAssignment, RecordHolding } from '@portal/contract/records/records';
import { equalResources, type NumberResource } from '@portal/number-resources';
import { sql } from 'kysely';
import { preparedQuery, type Read } from '../../platform/database/index.ts';
import type { AdmittedAccount } from '../../platform/http/endpoints.ts';
import { actorNameOf } from '../accounts/index.ts';
import { historyWords } from './history-words.ts';
import { columnsOf, type LedgerColumns, resourceOf } from './ledger-columns.ts';
import { findPools } from './pools.ts';
import { maySeePrivate } from './registrations.ts';

/** Maximum number of delegations, pools and registrations on one page. */
const HOLDINGS = 100;
const POOLS = 50;
const ASSIGNMENTS = 200;

type DelegationRow = LedgerColumns & {
  delegationId: number;
  type: 'allocated' | 'assigned';
  status: 'active' | 'locked' | 'closing' | 'closed';
  source: 'delegated' | 'transferred' | 'historical';
  portable: boolean;
  delegatedOn: string | null;
  holdUntil: string | null;
  endsOn: string | null;
  economy: string | null;
  accountName: string;
  orgName: string;
  registry: string;
};
type AssignmentRow = {
  delegationId: number;
  first: string;
  last: string;
  resource: string;
  netname: string;
  customer: string | null;
  type: 'allocated' | 'assigned';
  visibility: 'public' | 'private';
  level: number;
};

/** The ledger's records about some numbers. */
export type LedgerRecord = {
  holdings: RecordHolding[];
  moreHoldings: boolean;
  pools: { relation: RecordHolding['relation']; resource: string; state: 'available' | 'reserved' }[];
  assignments: RecordAssignment[];
  moreAssignments: boolean;
  mayAssign: boolean;
  /** Addresses registered inside, of the caller's own; null where parts can't be registered. */
  used: string | null;
  /** Delegations of the caller's account, whose history may be shown. */
  ownDelegations: number[];
  history: { at: string; what: string; by: string }[];
};

/** Returns the position of `other` relative to `of`; a partial overlap counts as inside. */
export const relationOf = (other: NumberResource, of: NumberResource): RecordHolding['relation'] =>
  equalResources(other, of) ? 'exact' : other.first <= of.first && other.last >= of.last ? 'around' : 'inside';

/**
 * Returns the holders of these numbers, the free space in them, and the registrations of the caller's account; now, or at the end of a day (UTC). About others
 * only what whois and the statistics files publish is returned: holder, kind, date and economy; for a past day the holder only if it is the caller's account.
 */
export async function ledgerRecord(
  read: Read,
  account: AdmittedAccount,
  resource: NumberResource,
  on: string | null,
): Promise<LedgerRecord> {
  const [open, pools] = await Promise.all([openDelegations(read, resource), on === null ? findPools(read, resource, POOLS) : []]);
  const own = open.filter(({ accountName }) => accountName === account.accountName);
  const rows = on === null ? open.slice(0, HOLDINGS) : await delegationsOn(read, resource, on, open);
  const ownIds = [
    ...new Set([...own, ...rows.filter(({ accountName }) => accountName === account.accountName)].map(row => row.delegationId)),
  ];
  const [assignments, history, used] = await Promise.all([
    resource.family === 'asn' || ownIds.length === 0 ? [] : assignmentsIn(read, account, resource, ownIds, on),
    ledgerHistory(read, account.accountName, ownIds.slice(0, 5)),
    resource.family === 'asn' || on !== null || ownIds.length === 0 ? '0' : usedIn(read, account, resource, ownIds),
  ]);
  const holdings = rows.map((row): RecordHolding => {
    const isOwn = row.accountName === account.accountName;
    return {
      relation: relationOf(resourceOf(row), resource),
      resource: row.resource,
      link: recordAddress(row.resource),
      size: row.size,
      type: row.type,
      statusText: row.kind === 'asn' ? null : `${row.type.toUpperCase()} ${row.portable ? 'PORTABLE' : 'NON-PORTABLE'}`,
      delegatedOn: row.delegatedOn,
      economy: row.economy,
      holder: isOwn || on === null ? row.orgName : '',
      own: isOwn,
      registry: row.registry === '' ? null : row.registry,
      status: isOwn ? row.status : null,
      source: isOwn ? row.source : null,
      holdUntil: isOwn ? row.holdUntil : null,
      endsOn: isOwn ? row.endsOn : null,
    };
  });
  const isAllocated = own.some(row => row.type === 'allocated' && row.kind !== 'asn' && relationOf(resourceOf(row), resource) !== 'inside');
  const isWhole = assignments.some(row => row.type === 'assigned' && isAround(row, resource));
  return {
    holdings,
    used: on === null && isAllocated && !isWhole ? used : null,
    moreHoldings: open.length > HOLDINGS,
    pools: pools.map(pool => ({ relation: relationOf(resourceOf(pool), resource), resource: pool.resource, state: pool.state })),
    assignments: assignments.slice(0, ASSIGNMENTS).map(row => ({
      relation: relationOf(resourceOf({ kind: resource.family, first: row.first, last: row.last, firstAs: null, lastAs: null }), resource),
      resource: row.resource,
      link: recordAddress(row.resource),
      netname: row.netname,
      customer: row.customer,
      statusText: `${row.type.toUpperCase()} NON-PORTABLE`,
      visibility: row.visibility,
      level: row.level,
    })),
    moreAssignments: assignments.length > ASSIGNMENTS,
    mayAssign: on === null && isAllocated && !isWhole,
    ownDelegations: ownIds,
    history,
  };
}

/** It equals or contains these numbers: an assigned network is used as a whole, so nothing in it can be assigned. */
const isAround = ({ first, last }: { first: string; last: string }, resource: NumberResource): boolean =>
  resource.family !== 'asn' &&
  relationOf(resourceOf({ kind: resource.family, first, last, firstAs: null, lastAs: null }), resource) !== 'inside';

const columns = `d.delegation_id, d.kind, host(d.first) as first, host(d.last) as last, d.first_as, d.last_as, d.resource, d.size::text, d.type, d.status,
  d.source, d.portable, d.delegated_on::text, d.hold_until::text, d.ends_on::text, d.economy, d.account_name, d.registry, a.org_name`;

// Active delegations are disjoint, so at most one begins before the numbers; all others begin inside them.
const OPEN_NUMBERS =
  preparedQuery<DelegationRow>(`select ${columns} from (select * from delegation where kind = 'asn' and status <> 'closed' and first_as <= $2::bigint
        and last_as >= $1::bigint and first_as >= coalesce((select o.first_as from delegation o where o.kind = 'asn' and o.status <> 'closed'
          and o.first_as <= $1::bigint order by o.first_as desc limit 1), $1::bigint) order by first_as limit ${HOLDINGS + 1}) d
        join account a using (account_name) order by d.first_as`);
const OPEN_ADDRESSES =
  preparedQuery<DelegationRow>(`select ${columns} from (select * from delegation where kind <> 'asn' and status <> 'closed' and first <= $2::inet
        and last >= $1::inet and first >= coalesce((select o.first from delegation o where o.kind <> 'asn' and o.status <> 'closed'
          and o.first <= $1::inet order by o.first desc limit 1), $1::inet) order by first limit ${HOLDINGS + 1}) d
        join account a using (account_name) order by d.first`);

function openDelegations(read: Read, resource: NumberResource): Promise<DelegationRow[]> {
  const { first, last, firstAs, lastAs } = columnsOf(resource);
  return read.rows(resource.family === 'asn' ? OPEN_NUMBERS(firstAs, lastAs) : OPEN_ADDRESSES(first, last));
}

/** The delegations as they were at the end of a day: their last version before it ended; if records begin later, their first version if it was delegated by then. */
async function delegationsOn(read: Read, resource: NumberResource, on: string, open: readonly DelegationRow[]): Promise<DelegationRow[]> {
  const { first, last, firstAs, lastAs } = columnsOf(resource);
  const closed =
    resource.family === 'asn'
      ? sql`kind = 'asn' and status = 'closed' and first_as <= ${lastAs} and last_as >= ${firstAs}`
      : sql`kind <> 'asn' and status = 'closed' and first <= ${last}::inet and last >= ${first}::inet`;
  const ids = open.map(({ delegationId }) => delegationId);
  return read.rows<DelegationRow>(sql`
    with chosen as (select unnest(${ids}::bigint[]) as delegation_id union select delegation_id from delegation where ${closed}),
    was as (select w.after from chosen c cross join lateral (
        select coalesce(
          (select r.after from row_change r join activity y using (activity_id) where r.table_name = 'delegation'
            and coalesce(r.after, r.before) ->> 'delegation_id' = c.delegation_id::text and r.after is not null
            and y.happened_at < ${on}::date + 1 order by r.activity_id desc, r.row_change_id desc limit 1),
          (select r.after from row_change r where r.table_name = 'delegation' and coalesce(r.after, r.before) ->> 'delegation_id' = c.delegation_id::text
            and r.operation = 'INSERT' and (r.after ->> 'delegated_on')::date <= ${on}::date limit 1)) as after) w where w.after is not null)
    select ${sql.raw(columns)} from was cross join lateral jsonb_populate_record(null::delegation, was.after) d join account a using (account_name)
    where d.status <> 'closed' and (d.delegated_on is null or d.delegated_on <= ${on}::date) order by d.first, d.first_as limit ${HOLDINGS}`);
}

async function assignmentsIn(
  read: Read,
  account: AdmittedAccount,
  resource: NumberResource,
  delegationIds: readonly number[],
  on: string | null,
): Promise<AssignmentRow[]> {
  const { first, last } = columnsOf(resource);
  const source =
    on === null
      ? sql`(select * from assignment where delegation_id = any(${delegationIds}::bigint[]))`
      : sql`(select p.* from (
          select distinct on (coalesce(r.after, r.before) ->> 'assignment_id') r.after from row_change r join activity y using (activity_id)
          where r.table_name = 'assignment' and coalesce(r.after, r.before) ->> 'delegation_id' = any(${delegationIds.map(String)}::text[])
            and y.happened_at < ${on}::date + 1
          order by coalesce(r.after, r.before) ->> 'assignment_id', r.activity_id desc, r.row_change_id desc) x
        cross join lateral jsonb_populate_record(null::assignment, x.after) p where x.after is not null)`;
  return read.rows<AssignmentRow>(sql`
    select delegation_id, host(first) as first, host(last) as last, resource, netname, customer, type, visibility, level from ${source} s
    where account_name = ${account.accountName} and first <= ${last}::inet and last >= ${first}::inet
      and (visibility = 'public' or ${maySeePrivate(account)}) order by s.first, level limit ${ASSIGNMENTS + 1}`);
}

/**
 * Returns how many addresses of a range are registered inside it: registrations that lie in another one inside don't count again. Registrations are nested or
 * disjoint, so in the order of their beginning, longer ones first, each that ends no later than one before it lies in it: one pass, however deep they are.
 */
async function usedIn(read: Read, account: AdmittedAccount, resource: NumberResource, delegationIds: readonly number[]): Promise<string> {
  const { first, last } = columnsOf(resource);
  const [row] = await read.rows<{ used: string }>(sql`select coalesce(sum(size), 0)::text as used from (
      select a.size, a.last, max(a.last) over (partition by a.delegation_id order by a.first, a.last desc, a.level
        rows between unbounded preceding and 1 preceding) as reached
      from assignment a where a.delegation_id = any(${delegationIds}::bigint[]) and a.first >= ${first}::inet and a.last <= ${last}::inet
        and not (a.first = ${first}::inet and a.last = ${last}::inet) and (a.visibility = 'public' or ${maySeePrivate(account)})) inside
    where reached is null or last > reached`);
  return row!.used;
}

/** SQL: change `r` of activity `y` enters a delegation that was made on another day, such as one of an import: its words are about the import. */
const isEnteredLater = sql`abs((r.after ->> 'delegated_on')::date - (y.happened_at at time zone 'UTC')::date) > 1`;

/** Returns the history of the caller's delegations, without naming earlier and later holders. */
async function ledgerHistory(read: Read, accountName: string, delegationIds: readonly number[]): Promise<LedgerRecord['history']> {
  if (delegationIds.length === 0) return [];
  return read.rows<{ at: string; what: string; by: string }>(sql`
    select y.happened_at as at, case when r.operation = 'INSERT' and ${isEnteredLater} then 'Entered in the ledger' else ${historyWords(accountName)} end as what, coalesce(${actorNameOf('y', accountName)}, 'The registry') as by
    from row_change r join activity y using (activity_id)
    where r.table_name = 'delegation' and coalesce(r.after, r.before) ->> 'delegation_id' = any(${delegationIds.map(String)}::text[])
      and ${accountName} in (r.before ->> 'account_name', r.after ->> 'account_name')
    order by r.activity_id desc limit 50`);
}
