import type { StaffPermission } from '@portal/contract';
import { sql } from 'kysely';
import type { Change } from '../../platform/database/index.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { requireStaffPermission, type StaffCases, staffPermissionsOf } from '../roles/index.ts';
import type { Row } from './request-row.ts';

/** Who decides a request. */
const decides = ({ kind }: Pick<Row, 'kind'>): StaffPermission =>
  kind === 'transfer' || kind === 'acquisition' || kind === 'return' ? 'transfers' : 'resources';

/** Checks that everyone who takes part in a decision decides requests of this kind. @throws Failure NO_STAFF_PERMISSION */
export async function requireDeciders(change: Change, row: Row, { approvedBy, staffPermissions }: Caller): Promise<void> {
  await requireStaffPermission(change, staffPermissions, [decides(row)], change.now);
  if (approvedBy === undefined) return;
  const held = await staffPermissionsOf(change, approvedBy, new Date(change.now));
  await requireStaffPermission(change, held, [decides(row)], change.now);
}

/** Open requests that someone reviews. */
export const requestsOfStaff: StaffCases = {
  open: read =>
    read.rows(
      sql`select reviewer as login_id, count(*)::int as cases from resource_request where reviewer is not null and resolved_at is null group by 1`,
    ),
  handOver: async (change, from, to) =>
    (
      await change.rows(
        sql`update resource_request set reviewer = ${to} where reviewer = ${from} and resolved_at is null returning 1 as handed`,
      )
    ).length,
};
