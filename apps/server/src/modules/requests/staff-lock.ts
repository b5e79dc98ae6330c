import type { StaffResourceRequest } from '@portal/contract/requests/desk';
import type { Caller } from '../../platform/http/caller.ts';
import type { Change } from '../../platform/database/index.ts';
import { refuse, refuseWithCurrent } from '../../platform/failure.ts';
import type { Registry } from '../../platform/registry.ts';
import { refuseOwnAccount } from '../accounts/index.ts';
import { isOpen, lockRequest, numberOf, type Row, requestById } from './request-row.ts';
import { refuseState } from './request-states.ts';
import { staffDetail } from './staff-request.ts';

const what = { what: 'The request' };

/** A case held for staff. @throws Failure NOT_FOUND, ALREADY_RESOLVED with the case as it is, OWN_REQUEST */
export async function lockForStaff(
  change: Change,
  requestId: string,
  caller: Caller,
  registry: Pick<Registry, 'profile' | 'now'>,
): Promise<Row> {
  const id = numberOf(requestId);
  const found = id === null ? null : await requestById(change, id);
  if (!found || found.submittedAt === null) throw refuse('NOT_FOUND', what);
  await lockRequest(change, found.id);
  const row = (await requestById(change, found.id))!;
  if (!isOpen(row)) throw refuseWithCurrent(await staffDetail(change, row, registry), 'ALREADY_RESOLVED', what);
  // Neither who decides nor who confirms it is a contact of either party.
  for (const loginId of [caller.loginId, ...(caller.approvedBy === undefined ? [] : [caller.approvedBy])])
    for (const party of [row.accountName, ...(row.recipientName === null ? [] : [row.recipientName])])
      await refuseOwnAccount(change, party, { loginId });
  return row;
}

/** The case as it is now, for registry staff. */
export const again = async (change: Change, row: Row, registry: Pick<Registry, 'profile' | 'now'>): Promise<StaffResourceRequest> =>
  staffDetail(change, (await requestById(change, row.id))!, registry);

/** Refuses a case that is not in one of these states. @throws Failure REQUEST_STATE with the case as it is */
export async function refuseUnless(
  change: Change,
  row: Row,
  states: readonly Row['state'][],
  registry: Pick<Registry, 'profile' | 'now'>,
): Promise<void> {
  if (!states.includes(row.state)) throw refuseState(row, await staffDetail(change, row, registry));
}
