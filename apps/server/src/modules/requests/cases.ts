import { rowNumber } from '@portal/contract/row-ids';
import { allowedIn } from '@portal/contract/life';
import { requestLife, withdrawnFrom } from '@portal/contract/requests/life';
import { refuse, refuseWithCurrent } from '../../platform/failure.ts';
import type { CasesOf } from '../../platform/http/cases.ts';
import { lockOwnAccount, refuseOwnAccount } from '../accounts/index.ts';
import { waitsForFee } from './completion.ts';
import { requireDeciders } from './deciders.ts';
import { isOpen, lockOwnRequest, lockRequest, type Row, requestById } from './request-row.ts';
import { questionTo } from './questions.ts';
import { detailFor } from './request-detail.ts';
import { refuseState } from './request-states.ts';
import { staffDetail } from './staff-request.ts';

const what = { what: 'The request' };
const isOffer = ({ name }: { name: string }): boolean => name === requestLife.acknowledge.name || name === requestLife.decline.name;

/** The cases that contacts of a party move. What the account isn't a party of, or what the other party moves, is as if it weren't there. */
export const casesOfParty: CasesOf<Row> = {
  stateOf: ({ state }) => state,
  lock: async ({ change, account, params: { requestId } }, move) => {
    const { accountName } = account!;
    // Who gives or takes numbers is held first: an account that is closed meanwhile does neither.
    if (move.name === requestLife.send.name || move.name === requestLife.acknowledge.name) await lockOwnAccount(change, account!);
    const row = await lockOwnRequest(change, accountName, requestId!);
    if (isOffer(move) && row.recipientName !== accountName) throw refuse('NOT_FOUND', { what: 'The offer' });
    if (move.name === requestLife.withdraw.name && row.accountName !== accountName) throw refuse('NOT_FOUND', what);
    return row;
  },
  refusal: async (row, { change, account, registry }) => refuseState(row, await detailFor(change, row, account!.accountName, registry)),
  within: (row, move, { account }) => {
    const { accountName } = account!;
    switch (move.name) {
      case requestLife.send.name:
        return row.accountName === accountName ? allowedIn(move) : move.from;
      case requestLife.answer.name:
        return questionTo(row, accountName) ? move.from : [];
      case requestLife.withdraw.name:
        return withdrawnFrom({ hasTwoParties: (row.kind === 'transfer' || row.kind === 'acquisition') && row.recipientName !== null });
      default:
        return allowedIn(move);
    }
  },
};

/** The cases that registry staff move: neither who decides nor who confirms it is a contact of either party. */
export const casesOfStaff: CasesOf<Row> = {
  stateOf: ({ state }) => state,
  lock: async ({ change, caller, params: { requestId }, registry }) => {
    const id = rowNumber(requestId!);
    const found = id === null ? null : await requestById(change, id);
    if (!found || found.submittedAt === null) throw refuse('NOT_FOUND', what);
    await requireDeciders(change, found, caller);
    await lockRequest(change, found.id);
    const row = (await requestById(change, found.id))!;
    if (!isOpen(row)) throw refuseWithCurrent(await staffDetail(change, row, registry), 'ALREADY_RESOLVED', what);
    for (const party of [row.accountName, ...(row.recipientName === null ? [] : [row.recipientName])])
      await refuseOwnAccount(change, party, caller);
    return row;
  },
  refusal: async (row, { change, registry }) => refuseState(row, await staffDetail(change, row, registry)),
  within: (row, move, { caller }) => {
    switch (move.name) {
      case requestLife.review.name:
        // A colleague's review can be taken over.
        return row.reviewerId !== null && row.reviewerId !== caller.loginId ? allowedIn(move) : move.from;
      case requestLife.complete.name:
        return waitsForFee(row) ? move.from : [];
      default:
        return allowedIn(move);
    }
  },
};
