import { isRowId } from '@portal/contract/row-ids';
import { sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';

/** A registered assignment of an account. */
export type Assignment = {
  assignmentId: string;
  kind: 'ipv4' | 'ipv6';
  first: string;
  last: string;
  resource: string;
  type: 'allocated' | 'assigned';
  netname: string;
  customer: string | null;
  description: string | null;
  visibility: 'public' | 'private';
  economy: string | null;
  /** Created from its whois object, and deleted with it. */
  fromWhois: boolean;
  /** A delegation of a national registry to one of its members. */
  portable: boolean;
  registeredOn: string;
  updatedAt: string;
  /** Number of assignments inside it. */
  holds: number;
};
/** Facts of an assignment that can be changed; its range can't. */
export type AssignmentFacts = Pick<Assignment, 'type' | 'netname' | 'customer' | 'description' | 'visibility' | 'economy' | 'fromWhois'>;

const columns = sql`a.assignment_id::text, a.kind, host(a.first) as first, host(a.last) as last, a.resource, a.type, a.netname, a.customer, a.descr as description,
  a.visibility, a.economy, a.from_whois, a.portable, a.registered_on::text, a.updated_at,
  (select count(*)::int from assignment i where i.delegation_id = a.delegation_id and i.level > a.level and i.first >= a.first and i.last <= a.last) as holds`;

/** One assignment of the account. @throws Failure NOT_FOUND */
export async function readAssignment(read: Pick<Read, 'rows'>, accountName: string, assignmentId: string): Promise<Assignment> {
  const [row] = isRowId(assignmentId)
    ? await read.rows<Assignment>(
        sql`select ${columns} from assignment a where a.assignment_id = ${assignmentId}::bigint and a.account_name = ${accountName}`,
      )
    : [];
  if (!row) throw refuse('NOT_FOUND', { what: 'The assignment' });
  return row;
}

/** The assignments of an account with exactly these ranges (first and last address). */
export const findAssignments = (
  read: Pick<Read, 'rows'>,
  accountName: string,
  ranges: readonly { first: string; last: string }[],
): Promise<Assignment[]> =>
  read.rows<Assignment>(sql`select ${columns} from unnest(${ranges.map(r => r.first)}::inet[], ${ranges.map(r => r.last)}::inet[]) as r (first, last)
    join assignment a on a.account_name = ${accountName} and a.kind = case family(r.first) when 4 then 'ipv4' else 'ipv6' end and a.first = r.first and a.last = r.last`);

/** Stores changes of some assignments. */
export async function changeAssignments(change: Change, list: readonly (AssignmentFacts & { assignmentId: string })[]): Promise<void> {
  if (list.length === 0) return;
  await change.rows(sql`update assignment a set type = w.type, netname = w.netname, customer = w.customer, descr = w.descr, visibility = w.visibility,
      economy = w.economy, from_whois = w.from_whois, updated_at = ${change.now}::timestamptz
    from unnest(${list.map(each => each.assignmentId)}::bigint[], ${list.map(each => each.type)}::text[], ${list.map(each => each.netname)}::text[],
      ${list.map(each => each.customer)}::text[], ${list.map(each => each.description)}::text[], ${list.map(each => each.visibility)}::text[],
      ${list.map(each => each.economy)}::text[], ${list.map(each => each.fromWhois)}::boolean[])
      as w (assignment_id, type, netname, customer, descr, visibility, economy, from_whois)
    where a.assignment_id = w.assignment_id`);
}

/** Deletes an assignment: the space is free again. @throws Failure INVALID_REQUEST while others lie in it. */
export async function releaseAssignment(change: Change, { assignmentId, resource, holds }: Assignment): Promise<void> {
  if (holds > 0)
    throw refuse('INVALID_REQUEST', {
      detail: `${resource} contains ${holds} ${holds === 1 ? 'other' : 'others'}. Return those first`,
    });
  await change.rows(sql`delete from assignment where assignment_id = ${assignmentId}::bigint`);
}

/** Deletes several assignments, except those containing others that stay. Returns the deleted ids. */
export async function releaseAssignments(change: Change, assignmentIds: readonly string[]): Promise<Set<string>> {
  if (assignmentIds.length === 0) return new Set();
  const ids = sql`${assignmentIds}::bigint[]`;
  const gone = await change.rows<{ assignmentId: string }>(sql`delete from assignment a where a.assignment_id = any(${ids})
    and not exists (select from assignment i where i.delegation_id = a.delegation_id and i.level > a.level and i.first >= a.first and i.last <= a.last
      and not i.assignment_id = any(${ids})) returning a.assignment_id::text`);
  return new Set(gone.map(({ assignmentId }) => assignmentId));
}
