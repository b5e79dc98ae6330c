import { life, openStatesOf } from '../life.ts';

export const requestStates = [
  'draft',
  'offered',
  'submitted',
  'in-review',
  'needs-info',
  'awaiting-fee',
  'on-hold',
  'completed',
  'rejected',
  'withdrawn',
  'declined',
  'expired',
] as const;
export type RequestState = (typeof requestStates)[number];

/**
 * The life of a case. Calls, buttons, deadlines and the database follow these rows: no other moves exist. Drawn in
 * docs/generated/lives.md.
 */
export const requestLife = life(
  { title: 'Requests', table: 'resource_request', column: 'state', states: requestStates },
  {
    send: {
      from: ['draft'],
      stays: ['offered', 'submitted', 'in-review', 'awaiting-fee', 'on-hold'],
      to: ['offered', 'submitted'],
      who: 'requester',
      does: 'sends it: to its recipient where there is one; one that was sent is answered as it is',
    },
    acknowledge: { from: ['offered'], to: ['submitted'], who: 'recipient', does: 'acknowledges it' },
    decline: { from: ['offered'], to: ['declined'], who: 'recipient', does: 'declines it' },
    withdraw: {
      from: ['draft', 'offered', 'submitted', 'in-review', 'needs-info', 'on-hold'],
      to: ['withdrawn'],
      who: 'requester',
      does: 'withdraws it',
      by: ['requests.confirmOneClick'],
      unless: { when: 'a recipient takes part', from: ['draft', 'offered'], because: 'the recipient acknowledged it, and relies on it' },
    },
    review: {
      from: ['submitted', 'needs-info'],
      stays: ['in-review'],
      to: ['in-review'],
      who: 'staff',
      does: 'take it into review, also from a colleague',
    },
    ask: { from: ['submitted', 'in-review', 'needs-info'], to: ['needs-info'], who: 'staff', does: 'ask a party' },
    answer: {
      from: ['needs-info'],
      to: ['needs-info', 'in-review'],
      who: 'party',
      does: 'answers; with the last answer the review goes on',
    },
    approve: {
      from: ['submitted', 'in-review'],
      to: ['awaiting-fee', 'on-hold', 'completed'],
      who: 'staff',
      does: 'approve it: it waits for its fee or for free numbers, or it is done',
    },
    holdUp: {
      from: ['awaiting-fee'],
      to: ['on-hold'],
      who: 'registry',
      does: 'can’t complete it although the fee is paid',
      by: ['requests.holdTransfer'],
    },
    complete: {
      from: ['awaiting-fee', 'on-hold'],
      to: ['completed'],
      who: 'registry',
      does: 'completes it when its fee is paid or its turn has come',
      by: ['requests.completePaidTransfer', 'requests.serveWaitingList'],
    },
    refuse: {
      from: ['offered', 'submitted', 'in-review', 'needs-info', 'awaiting-fee', 'on-hold'],
      to: ['rejected'],
      who: 'staff',
      does: 'reject it; a return for an event ends when the event goes on',
      by: ['requests.eventSpace.extendEventSpace'],
    },
    expire: {
      from: ['draft', 'offered', 'submitted', 'in-review', 'needs-info', 'awaiting-fee', 'on-hold'],
      to: ['expired'],
      who: 'registry',
      does: 'ends it: no one acted in time, or an account was closed',
      by: ['requests.expireRequest', 'requests.endRequest'],
    },
  },
);

/** States from which some move leads on. */
export const openRequestStates = openStatesOf<RequestState>(requestLife);

/** States from which a case can be withdrawn. */
export const withdrawnFrom = ({ hasTwoParties }: { hasTwoParties: boolean }): readonly RequestState[] =>
  hasTwoParties ? requestLife.withdraw.unless.from : requestLife.withdraw.from;
