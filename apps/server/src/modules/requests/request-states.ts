import { type Failure, refuseWithCurrent } from '../../platform/failure.ts';
import { referenceOf, type Row } from './request-row.ts';

/** Describes the state of a case and who acts next, to be read after its reference: `REQ-7 is in review by Stella Kowalski`. */
function stateInWords(row: Pick<Row, 'state' | 'kind' | 'accountName' | 'recipientName' | 'questions'>): string {
  switch (row.state) {
    case 'draft':
      return `a draft until ${row.accountName} sends it`;
    case 'offered':
      return `offered: ${row.recipientName} acknowledges or declines it`;
    case 'submitted':
      return 'with the registry, which reviews it next';
    case 'in-review':
      return 'in review: the registry decides it';
    case 'needs-info':
      return `waiting for an answer from ${row.questions.map(({ accountName }) => accountName).join(' and ')}`;
    case 'awaiting-fee':
      return `approved and waiting for its fee: ${row.recipientName ?? row.accountName} pays it`;
    case 'on-hold':
      return row.kind === 'ipv4' ? 'on the waiting list' : 'on hold: registry staff complete or reject it';
    case 'completed':
    case 'rejected':
    case 'withdrawn':
    case 'declined':
    case 'expired':
      return row.state;
  }
}

/** The refusal of an act that isn't possible in this state, naming the state and who acts next. @param current the case, as returned by the call */
export const refuseState = (row: Row, current: unknown): Failure =>
  refuseWithCurrent(current, 'REQUEST_STATE', { reference: referenceOf(row.id), state: stateInWords(row) });
