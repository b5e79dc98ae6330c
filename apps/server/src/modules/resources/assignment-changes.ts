import { sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';

/** An assignment of an account as it is registered. */
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
  registeredOn: string;
  updatedAt: string;
  /** How many others lie in it. */
  holds: number;
};
/** What may change of one: its range and type stay. */
export type AssignmentFacts = Pick<Assignment, 'netname' | 'customer' | 'description' | 'visibility' | 'economy'>;

const columns = sql`a.assignment_id::text, a.kind, host(a.first) as first, host(a.last) as last, a.resource, a.type, a.netname, a.customer, a.descr as description,
  a.visibility, a.economy, a.registered_on::text, a.updated_at,
  (select count(*)::int from assignment i where i.delegation_id = a.delegation_id and i.level > a.level and i.first >= a.first and i.last <= a.last) as holds`;

/** One assignment of the account. @throws Failure NOT_FOUND */
export async function readAssignment(read: Pick<Read, 'rows'>, accountName: string, assignmentId: string): Promise<Assignment> {
  const [row] = /^\d{1,15}$/.test(assignmentId)
    ? await read.rows<Assignment>(
        sql`select ${columns} from assignment a where a.assignment_id = ${assignmentId}::bigint and a.account_name = ${accountName}`,
      )
    : [];
  if (!row) throw refuse('NOT_FOUND', { what: 'The assignment' });
  return row;
}

/** The assignments of an account that are exactly some ranges, first and last address each. */
export const findAssignments = (
  read: Pick<Read, 'rows'>,
  accountName: string,
  ranges: readonly { first: string; last: string }[],
): Promise<Assignment[]> =>
  read.rows<Assignment>(sql`select ${columns} from unnest(${ranges.map(r => r.first)}::inet[], ${ranges.map(r => r.last)}::inet[]) as r (first, last)
    join assignment a on a.account_name = ${accountName} and a.first = r.first and a.last = r.last`);

/** Writes what changed of an assignment. */
export async function changeAssignment(change: Change, assignmentId: string, facts: AssignmentFacts): Promise<void> {
  await change.rows(sql`update assignment set netname = ${facts.netname}, customer = ${facts.customer}, descr = ${facts.description},
    visibility = ${facts.visibility}, economy = ${facts.economy}, updated_at = ${change.now}::timestamptz where assignment_id = ${assignmentId}::bigint`);
}

/** Takes an assignment back: the space is free again. @throws Failure INVALID_REQUEST while others lie in it. */
export async function releaseAssignment(change: Change, { assignmentId, resource, holds }: Assignment): Promise<void> {
  if (holds > 0)
    throw refuse('INVALID_REQUEST', {
      detail: `${resource} holds ${holds} ${holds === 1 ? 'other' : 'others'}; take back what lies in it first`,
    });
  await change.rows(sql`delete from assignment where assignment_id = ${assignmentId}::bigint`);
}
