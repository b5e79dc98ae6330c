import { life } from '../life.ts';

export const applicationStates = ['draft', 'submitted', 'in-review', 'needs-info', 'approved', 'rejected', 'withdrawn', 'expired'] as const;
export type ApplicationState = (typeof applicationStates)[number];
/** An application in one of these states is open and reserves its account name. */
export const openApplicationStates = ['submitted', 'in-review', 'needs-info'] as const satisfies readonly ApplicationState[];

/** The life of a membership application; see `requestLife`. */
export const applicationLife = life(
  { title: 'Membership applications', table: 'membership_application', column: 'state', states: applicationStates },
  {
    submit: {
      from: ['draft'],
      stays: ['submitted', 'in-review'],
      to: ['submitted'],
      who: 'applicant',
      does: 'submits it; one that was submitted is answered as it is',
    },
    review: { from: ['submitted', 'needs-info'], to: ['in-review'], who: 'staff', does: 'take it into review' },
    ask: { from: ['submitted', 'in-review'], to: ['needs-info'], who: 'staff', does: 'ask the applicant' },
    answer: { from: ['needs-info'], to: ['in-review'], who: 'applicant', does: 'answers' },
    approve: { from: ['submitted', 'in-review'], to: ['approved'], who: 'staff', does: 'approve it: the account is there' },
    refuse: { from: ['submitted', 'in-review', 'needs-info'], to: ['rejected'], who: 'staff', does: 'reject it' },
    withdraw: { from: ['draft', 'submitted', 'in-review', 'needs-info'], to: ['withdrawn'], who: 'applicant', does: 'withdraws it' },
    expire: { from: ['draft'], to: ['expired'], who: 'registry', does: 'ends a draft that was left', by: ['applications.expireDraft'] },
  },
);
