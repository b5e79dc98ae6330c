import * as z from 'zod/mini';
import { anyone, endpoint, group, member, signedIn } from '../endpoint.ts';

/** Minutes within which an opened ballot can be cast; meanwhile the account can't appoint a proxy. */
export const ballotMinutes = 30;

/** Hands voters over to the voting system and receives its report of who has voted. Choices never pass here. */
export const ballots = group('elections.ballots', {
  openBallot: endpoint({
    method: 'POST',
    path: '/api/:account/elections/:electionId/ballot',
    summary: 'The address at which the caller casts the votes of the account now, with a signed hand-over for the voting system.',
    access: member('voting-vote'),
    effect: 'votes',
    answer: z.object({ url: z.string(), expiresAt: z.iso.datetime(), votes: z.int() }),
    errors: ['NOT_FOUND', 'BALLOT_CLOSED', 'VOTES_CAST', 'PROXY_APPOINTED'],
    activity: 'Opened the ballot of an election',
  }),
  openAttendeeBallot: endpoint({
    method: 'POST',
    path: '/api/elections/:electionId/attendee-ballot',
    summary: 'The address at which the caller votes as an attendee now, with a signed hand-over for the voting system.',
    access: signedIn,
    effect: 'votes',
    answer: z.object({ url: z.string(), expiresAt: z.iso.datetime() }),
    errors: ['NOT_FOUND', 'BALLOT_CLOSED', 'ATTENDEE_VOTED'],
    activity: 'Opened the ballot of an attendee',
  }),
  openProxyBallot: endpoint({
    method: 'POST',
    path: '/api/proxy-votes/:proxyId/plain-ballot',
    summary:
      'The address at which the caller casts the votes of an account as its proxy now, with a signed hand-over for the voting system.',
    access: signedIn,
    effect: 'votes',
    answer: z.object({ url: z.string(), expiresAt: z.iso.datetime() }),
    errors: ['NOT_FOUND', 'BALLOT_CLOSED', 'VOTES_CAST'],
    activity: 'Opened the ballot of an account as its proxy',
  }),
  reportVote: endpoint({
    method: 'POST',
    path: '/api/voting-system/votes',
    summary:
      'For the voting system: a voter has voted. `signature` is the HMAC-SHA256 (base64url) of `voted.<voter>.<votedAt>` with VOTING_SYSTEM_SECRET. Repeating it changes nothing.',
    access: anyone,
    effect: 'votes',
    body: z.object({
      voter: z.guid({ error: 'Enter the voter of the hand-over' }),
      votedAt: z.iso.datetime({ offset: true, error: 'Enter an instant, such as 2027-02-16T04:00:00Z' }),
      signature: z.string().check(z.regex(/^[\w-]{43}$/, { error: 'Enter an HMAC-SHA256 in base64url' })),
    }),
    errors: ['VOTE_REPORT_REFUSED'],
    activity: 'The voting system reported a vote',
  }),
});
