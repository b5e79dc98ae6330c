import type { RequestState } from '@portal/contract/requests/life';
import type { RequestCheck, ResourceRequest } from '@portal/contract/requests/requests';
import type { State } from '@portal/ui';

const caseStates: Record<RequestState, { state: State; words: string }> = {
  draft: { state: 'info', words: 'Draft' },
  offered: { state: 'pending', words: 'Awaiting acknowledgement' },
  submitted: { state: 'pending', words: 'In the queue' },
  'in-review': { state: 'pending', words: 'In review' },
  'needs-info': { state: 'warning', words: 'Question for you' },
  'awaiting-fee': { state: 'warning', words: 'Awaiting the transfer fee' },
  'on-hold': { state: 'warning', words: 'On hold' },
  completed: { state: 'valid', words: 'Completed' },
  rejected: { state: 'invalid', words: 'Rejected' },
  withdrawn: { state: 'closed', words: 'Withdrawn' },
  declined: { state: 'closed', words: 'Declined' },
  expired: { state: 'closed', words: 'Expired' },
};

/** The state of a case, as shown to the account: a question is for the party that was asked. */
export const caseState = ({ state, nextMove }: Pick<ResourceRequest, 'state' | 'nextMove'>): { state: State; words: string } =>
  state === 'needs-info' && nextMove === 'other-party' ? { state: 'pending', words: 'Question for the other party' } : caseStates[state];

/** Returns who has the next move in a case; another account by its name. */
export function nextMoveWords({ nextMove, otherParty }: Pick<ResourceRequest, 'nextMove' | 'otherParty'>): string {
  switch (nextMove) {
    case 'you':
      return 'You';
    case 'registry':
      return 'The registry';
    case 'other-party':
      return otherParty ?? 'The other party';
    case 'none':
      return 'None';
  }
}

export const checkMarks: Record<RequestCheck['state'], { state: State; words: string }> = {
  met: { state: 'valid', words: 'Met' },
  unmet: { state: 'invalid', words: 'Not met' },
  review: { state: 'warning', words: 'Reviewed by us' },
  open: { state: 'info', words: 'Needs your answer' },
};

/** Acts of a person, for lines that begin with their name. */
const acts: Record<string, string> = {
  submitted: 'sent it',
  offered: 'offered it',
  acknowledged: 'acknowledged it',
  'in-review': 'started the review',
  question: 'asked',
  answer: 'answered',
  message: 'wrote',
  note: 'noted',
  approved: 'approved it',
  'fee-paid': 'recorded the payment of the fee',
  rejected: 'rejected it',
  withdrawn: 'withdrew it',
  declined: 'declined it',
};
/** Events without a person. */
const happenings: Record<string, string> = {
  reserved: 'Numbers reserved',
  'awaiting-fee': 'Waiting for the transfer fee',
  completed: 'Completed',
  expired: 'Expired',
  reminded: 'Reminder sent',
  'on-hold': 'On hold',
};
/** An event of a case in words, with the name of who acted where someone did. */
export const eventLine = ({ kind, by }: { kind: string; by: string | null }): { by: string | null; words: string } =>
  happenings[kind] ? { by: null, words: happenings[kind] } : { by, words: acts[kind] ?? kind };

/** The page of a case, for a party of it. */
export function caseAddress({ kind, requestId, role, state }: Pick<ResourceRequest, 'kind' | 'requestId' | 'role' | 'state'>): string {
  const query = `?request=${requestId}`;
  const draft = state === 'draft';
  switch (kind) {
    case 'ipv4':
    case 'ipv6':
    case 'asn':
      return `/resources/${kind}_request_form${query}`;
    case 'pre-approval':
      return `/resources/ipv4_pre-approval_form${query}`;
    case 'return':
      return `/resources/ipv4_transfer_return${draft ? '' : '_success'}${query}`;
    case 'transfer':
      return role === 'recipient'
        ? `/resources/ipv4_receive_form${query}`
        : `/resources/ipv4_transfer_request${draft ? '' : '_success'}${query}`;
    case 'acquisition':
      return role === 'recipient'
        ? `/resources/acquisition_transfer_receive${query}`
        : `/resources/acquisition_transfer_request${draft ? '' : '_success'}${query}`;
  }
}
