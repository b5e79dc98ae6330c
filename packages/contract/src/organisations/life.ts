import { life } from '../life.ts';

/** The acts that close an account: on the day that it asked for, for what it owes, or when it merged into another one. */
const closesAccount = [
  'organisations.closures.closeAccount',
  'billing.closeAccount',
  'requests.desk.approveRequest',
  'requests.desk.completeTransfer',
  'requests.completePaidTransfer',
];

export const organisationChangeStates = ['submitted', 'in-review', 'needs-info', 'approved', 'rejected', 'withdrawn'] as const;

/** The life of a change of an organisation that the registry decides. */
export const organisationChangeLife = life(
  { title: 'Changes of organisations', table: 'organisation_change', column: 'state', states: organisationChangeStates },
  {
    review: { from: ['submitted'], to: ['in-review'], who: 'staff', does: 'take it into review' },
    ask: { from: ['submitted', 'in-review'], to: ['needs-info'], who: 'staff', does: 'ask the member' },
    answer: { from: ['needs-info'], to: ['in-review'], who: 'member', does: 'answers' },
    approve: { from: ['submitted', 'in-review', 'needs-info'], to: ['approved'], who: 'staff', does: 'approve it: it takes effect' },
    refuse: { from: ['submitted', 'in-review', 'needs-info'], to: ['rejected'], who: 'staff', does: 'reject it' },
    withdraw: { from: ['submitted', 'in-review', 'needs-info'], to: ['withdrawn'], who: 'member', does: 'withdraws it' },
    end: {
      from: ['submitted', 'in-review', 'needs-info'],
      to: ['rejected'],
      who: 'registry',
      does: 'ends it with the account',
      by: closesAccount,
    },
  },
);

export const closureStates = ['submitted', 'approved', 'rejected', 'withdrawn', 'closed'] as const;

/** The life of a request to end an account. */
export const closureLife = life(
  { title: 'Account closures', table: 'account_closure_request', column: 'state', states: closureStates },
  {
    approve: { from: ['submitted'], to: ['approved'], who: 'staff', does: 'approve it: the account closes on its day' },
    refuse: { from: ['submitted', 'approved'], to: ['rejected'], who: 'staff', does: 'reject it' },
    withdraw: { from: ['submitted', 'approved'], to: ['withdrawn'], who: 'member', does: 'withdraws it, until its day' },
    keepOpen: {
      from: ['approved'],
      to: ['rejected'],
      who: 'registry',
      does: 'keeps the account open, which locked a resource',
      by: ['organisations.closures.keepOpen'],
    },
    close: { from: ['approved'], to: ['closed'], who: 'registry', does: 'closes the account on its day', by: closesAccount },
    end: {
      from: ['submitted'],
      to: ['rejected'],
      who: 'registry',
      does: 'ends it with an account that is closed for another reason',
      by: closesAccount,
    },
  },
);
