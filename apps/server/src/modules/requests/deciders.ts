import { rowNumber } from '@portal/contract/row-ids';
import type { StaffPermission } from '@portal/contract';
import { requestDesk } from '@portal/contract/requests/desk';
import type { Change, Read } from '../../platform/database/index.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { CasePermissions } from '../proposals/index.ts';
import type { Profile } from '../../profile.ts';
import { requireStaffPermission, staffPermissionsOf } from '../roles/index.ts';
import { type Row, requestById } from './request-row.ts';

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

/** Returns whether the holder of resources changes when a case is approved. */
const changesHolder = ({ kind }: Pick<Row, 'kind'>): boolean => kind === 'transfer' || kind === 'acquisition' || kind === 'return';

/** Returns whether a case takes two members of staff. The profile may allow one for a change of holder, never for direct delegations. */
export const needsTwo = (row: Pick<Row, 'kind' | 'direct'>, { holderChangesAlone }: Pick<Profile, 'holderChangesAlone'>): boolean =>
  row.direct || (changesHolder(row) && !holderChangesAlone);

/** The request decides who approves it, for both people. */
export const requestPermissions: CasePermissions = {
  calls: [requestDesk.approveRequest.id],
  of: async (read, params) => {
    const id = rowNumber((params as { requestId: string }).requestId);
    const row = id === null ? null : await requestById(read, id);
    return row && [decides(row)];
  },
};
