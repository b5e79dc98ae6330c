import { life } from '../life.ts';

export const objectionStates = ['open', 'upheld', 'rejected', 'withdrawn'] as const;
export type ObjectionState = (typeof objectionStates)[number];

/** The life of an objection to the electoral roll. One that is upheld corrects the roll, and its credentials are made anew. */
export const objectionLife = life(
  { title: 'Objections to the roll', table: 'roll_objection', column: 'state', states: objectionStates },
  {
    decide: {
      from: ['open'],
      to: ['upheld', 'rejected'],
      who: 'staff',
      does: 'uphold it and correct the roll, or reject it, with the reason',
    },
    withdraw: { from: ['open'], to: ['withdrawn'], who: 'contact', does: 'withdraws it' },
  },
);
