import { rowNumber } from '@portal/contract/row-ids';
import type { StaffPermission } from '@portal/contract';
import { requestDesk } from '@portal/contract/requests/desk';
import { sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { CasePermissions } from '../proposals/index.ts';
import { requireStaffPermission, type StaffCases, staffPermissionsOf } from '../roles/index.ts';
import { recoveryInWords } from './recoveries.ts';
import { recordEvent, requestById, type Row, updateRequest } from './request-row.ts';

/** Who decides a request. */
const decides = ({ kind }: Pick<Row, 'kind'>): StaffPermission =>
  kind === 'transfer' || kind === 'acquisition' || kind === 'return' ? 'transfers' : 'resources';

/** Checks that everyone who takes part in a decision decides requests of this kind. @throws Failure NO_STAFF_PERMISSION */
export async function requireDeciders(change: Change, row: Row, { approvedBy, staffPermissions }: Caller): Promise<void> {
  const { now } = change;
  await requireStaffPermission(change, staffPermissions, [decides(row)], { now });
  if (approvedBy === undefined) return;
  await requireStaffPermission(change, await staffPermissionsOf(change, approvedBy, new Date(now)), [decides(row)], { now });
}

/** Checks that registry staff decide requests of this kind, or audit. @throws Failure NO_STAFF_PERMISSION */
export const requireReader = (read: Pick<Read, 'rows'>, row: Row, { staffPermissions }: Pick<Caller, 'staffPermissions'>, now: Date) =>
  requireStaffPermission(read, staffPermissions, [decides(row)], { now: now.toISOString(), isRead: true });

/** The request decides who approves it, for both people. */
export const requestPermissions: CasePermissions = {
  calls: [requestDesk.approveRequest.id],
  of: async (read, params) => {
    const id = rowNumber((params as { requestId: string }).requestId);
    const row = id === null ? null : await requestById(read, id);
    return row && [decides(row)];
  },
};

/** Open requests that someone reviews. */
export const requestsOfStaff: StaffCases = {
  // Transfers and mergers end with the account; a return goes on, and takes nothing that was paid for.
  beforeOpening: recoveryInWords,
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
  kinds: ['resources', 'transfers'],
  handOne: async (change, caseId, { by, to, words }) => {
    const row = (await requestById(change, Number(caseId)))!;
    await updateRequest(change, row, { reviewer: to });
    await recordEvent(change, row.id, 'note', { by, byStaff: true, internal: true, words });
  },
};
