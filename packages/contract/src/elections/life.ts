import { life } from '../life.ts';

/** `closed` is a published election with every window over; it is derived, not set. */
export const electionStates = ['draft', 'published', 'closed', 'cancelled'] as const;
export type ElectionState = (typeof electionStates)[number];

/** The life of an election. `closed` is not stored: it follows from its windows. */
export const electionLife = life(
  { title: 'Elections', table: 'election', column: 'state', states: electionStates },
  {
    publish: { from: ['draft'], to: ['published'], who: 'staff', does: 'publish it' },
    cancel: { from: ['draft', 'published'], to: ['cancelled'], who: 'staff', does: 'cancel it, with the reason' },
  },
);

export const windowStates = ['not-yet-open', 'open', 'closed'] as const;
export type WindowState = (typeof windowStates)[number];

/** The life of a window of an election, by the clock alone. */
export const windowLife = life(
  { title: 'Windows of elections', table: null, column: null, states: windowStates },
  {
    open: { from: ['not-yet-open'], to: ['open'], who: 'registry', does: 'opens it at its instant' },
    close: { from: ['open'], to: ['closed'], who: 'registry', does: 'closes it at its instant' },
  },
);

/** `confirmed`: the nominee agreed; `eligible`: the registry checked that they can stand. */
export const nominationStates = [
  'awaiting-authorisation',
  'awaiting-nominee',
  'confirmed',
  'eligible',
  'ineligible',
  'declined',
  'withdrawn',
] as const;
export type NominationState = (typeof nominationStates)[number];

/** The life of a nomination. */
export const nominationLife = life(
  { title: 'Nominations', table: 'nomination', column: 'state', states: nominationStates },
  {
    authorise: {
      from: ['awaiting-authorisation'],
      to: ['awaiting-nominee', 'withdrawn'],
      who: 'contact',
      does: 'authorises it for the member, or not',
    },
    answer: {
      from: ['awaiting-nominee', 'confirmed', 'eligible'],
      to: ['confirmed', 'declined'],
      who: 'nominee',
      does: 'agrees to stand, or declines',
    },
    judge: {
      from: ['confirmed', 'eligible', 'ineligible'],
      to: ['eligible', 'ineligible'],
      who: 'staff',
      does: 'check whether the nominee can stand',
    },
    withdraw: {
      from: ['awaiting-authorisation', 'awaiting-nominee', 'confirmed', 'eligible'],
      to: ['withdrawn'],
      who: 'nominator',
      does: 'withdraws it; so can the nominee',
    },
  },
);

/** `expired` is an appointment that was never used, once proxies have voted; it is derived. */
export const proxyStates = ['active', 'used', 'revoked', 'voided', 'expired'] as const;

/** The life of the appointment of a proxy. That it was never used (`expired`) follows from the windows. */
export const proxyLife = life(
  { title: 'Proxies', table: 'election_proxy', column: 'state', states: proxyStates },
  {
    use: {
      from: ['active'],
      to: ['used'],
      who: 'proxy',
      does: 'votes',
      by: ['ballots.castBallot', 'encryptedBallots.proxyVotes.castProxyBallot', 'elections.ballots.reportVote'],
    },
    reopen: {
      from: ['used'],
      to: ['active'],
      who: 'staff',
      does: 'let proxies vote again, after the ballots were discarded',
      by: ['elections.options.resetElection'],
    },
    revoke: { from: ['active'], to: ['revoked'], who: 'contact', does: 'revokes it' },
    void: { from: ['active'], to: ['voided'], who: 'staff', does: 'void it, with the reason' },
  },
);
