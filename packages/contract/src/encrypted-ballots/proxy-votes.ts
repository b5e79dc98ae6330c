import * as z from 'zod/mini';
import { ballotKinds, electionKindNames } from '../elections/elections.ts';
import { proxyStates, windowStates } from '../elections/life.ts';
import { endpoint, group, largeBody, signedIn } from '../endpoint.ts';
import { BallotForm, CastBallot, SentBallot } from './casting.ts';

/** An account for which the reader is, or was, the proxy in an election. */
const ProxyVote = z.object({
  proxyId: z.string(),
  electionId: z.string(),
  title: z.string(),
  kind: z.enum(electionKindNames),
  ballots: z.enum(ballotKinds),
  /** The host of the voting system where plain ballots are cast; null with the registry itself. */
  host: z.nullable(z.string()),
  accountName: z.string(),
  orgName: z.string(),
  /** The votes of the account on the roll. */
  votes: z.nullable(z.int()),
  state: z.enum(proxyStates),
  appointedBy: z.string(),
  appointedAt: z.iso.datetime(),
  endedAt: z.nullable(z.iso.datetime()),
  endReason: z.string(),
  /** When proxies vote. */
  opensAt: z.iso.datetime(),
  closesAt: z.iso.datetime(),
  window: z.enum(windowStates),
  /** `Opens in 3 days`. */
  words: z.string(),
  cancelReason: z.nullable(z.string()),
  votedAt: z.nullable(z.iso.datetime()),
  /** The session was opened with a second factor, without which no ballot is cast. */
  hasSecondFactor: z.boolean(),
});
export type ProxyVote = z.infer<typeof ProxyVote>;

/** Votes of proxies: they sign in with a login of the address that they were appointed with. */
export const proxyVotes = group('encryptedBallots.proxyVotes', {
  listProxyVotes: endpoint({
    method: 'GET',
    path: '/api/proxy-votes',
    summary: 'Accounts for which the caller is or was the proxy in elections, newest first.',
    access: signedIn,
    answer: z.object({ rows: z.array(ProxyVote) }),
  }),
  getProxyBallotForm: endpoint({
    method: 'GET',
    path: '/api/proxy-votes/:proxyId/ballot',
    summary: 'For the proxy of an account: the questions and the key of the encrypted ballot, and the votes of the account.',
    access: signedIn,
    answer: BallotForm,
    errors: ['NOT_FOUND', 'BALLOT_CLOSED'],
  }),
  castProxyBallot: endpoint({
    method: 'POST',
    path: '/api/proxy-votes/:proxyId/ballot',
    summary: 'Cast the encrypted ballot of an account as its proxy. The same ballot sent again is the one that was cast.',
    access: signedIn,
    effect: 'votes',
    body: SentBallot,
    answer: CastBallot,
    errors: ['NOT_FOUND', 'BALLOT_CLOSED', 'VOTES_CAST', 'BALLOT_REFUSED'],
    largestBody: largeBody,
    activity: 'Cast an encrypted ballot as a proxy',
  }),
});
