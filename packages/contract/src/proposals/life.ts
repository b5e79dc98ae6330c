import { life } from '../life.ts';

export const proposalStates = ['pending', 'approved', 'rejected', 'withdrawn', 'expired'] as const;

/** The life of a change that waits for a second person (S25). */
export const proposalLife = life(
  { title: 'Proposals', table: 'proposal', column: 'state', states: proposalStates },
  {
    approve: { from: ['pending'], to: ['approved'], who: 'second person', does: 'approves it: it is done' },
    reject: { from: ['pending'], to: ['rejected', 'withdrawn'], who: 'second person', does: 'rejects it; a colleague’s own is withdrawn' },
    withdraw: { from: ['pending'], to: ['withdrawn'], who: 'proposer', does: 'withdraws it' },
    expire: { from: ['pending'], to: ['expired'], who: 'registry', does: 'ends it: no one approved it in time', by: ['proposals.expire'] },
  },
);
