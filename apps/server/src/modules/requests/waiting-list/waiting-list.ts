import { sql } from 'kysely';
import type { Change, Read } from '../../../platform/database/index.ts';
import { heldFor, lockLedger } from '../../resources/index.ts';
import { choose } from '../transfers/chosen-resource.ts';
import { notifyParty } from '../request-notices.ts';
import { inWords, type Row, recordEvent, referenceOf, requestById, requestRows, updateRequest } from '../request-row.ts';
import { requestsTexts } from '../mail-texts.ts';

/** Cases on the waiting list for IPv4: approved, but the pool has nothing for them. Transfers on hold are a different kind. */
const listed = sql`r.kind = 'ipv4' and r.state = 'on-hold'`;

/** The waiting list, first come first. */
export const waitingList = (read: Pick<Read, 'rows'>): Promise<Row[]> =>
  requestRows(read, sql`${listed} order by r.since, r.resource_request_id`);

/** Whether an approved request has to wait: nothing is held for it, and nothing is free or others are already waiting. */
export async function mustWait(change: Change, row: Row): Promise<boolean> {
  if (row.kind !== 'ipv4') return false;
  await lockLedger(change);
  if ((await heldFor(change, referenceOf(row.id))).length > 0) return false;
  return (await waitingList(change)).length > 0 || (await choose(change, row.kind, row.form, row)) === null;
}

/** Puts an approved request on the waiting list and notifies the account. */
export async function putOnWaitingList(change: Change, row: Row, decided: Parameters<typeof updateRequest>[2]): Promise<void> {
  await updateRequest(change, row, { ...decided, state: 'on-hold' });
  await recordEvent(change, row.id, 'on-hold', { byStaff: true, words: 'Approved. It’s on the waiting list until a block is free.' });
  await change.note({ request: referenceOf(row.id), waitingList: true });
  const { place } = (await requestById(change, row.id))!;
  await notifyParty(change, row, row.accountName, {
    text: requestsTexts.written('approvedWaitingList', { numbers: inWords(row), place: place! }),
  });
}
