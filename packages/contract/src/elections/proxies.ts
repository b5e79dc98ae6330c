import { proxyLife, proxyStates } from './life.ts';
import * as z from 'zod/mini';
import { Email } from '../email.ts';
import { contact, endpoint, group, member, staff } from '../endpoint.ts';
import { electionPermissions } from '../staff-permissions.ts';
import { oneLine } from '../one-line.ts';
import { severalLines } from '../several-lines.ts';
import { ballotKinds } from './elections.ts';
import { Eligibility, Voter } from './voting.ts';

/** A proxy as the account that appointed it sees it. */
export const ElectionProxy = z.object({
  proxyId: z.string(),
  electionId: z.string(),
  title: z.string(),
  fullName: z.string(),
  email: z.string(),
  state: z.enum(proxyStates),
  appointedBy: z.string(),
  appointedAt: z.iso.datetime(),
  endedAt: z.nullable(z.iso.datetime()),
  endReason: z.string(),
  /** The account can withdraw it now. */
  revocable: z.boolean(),
});
export type ElectionProxy = z.infer<typeof ElectionProxy>;

/** The details that a contact enters to appoint a proxy. The second e-mail address has to equal the first. */
export const ProxyGiven = z
  .object({
    fullName: oneLine(100, 2, 'Enter the full name of the proxy'),
    email: Email,
    emailAgain: Email,
    authorised: z.literal(true, { error: 'Confirm that you are authorised and have read the notice' }),
  })
  .check(
    z.refine(({ email, emailAgain }) => email.toLowerCase() === emailAgain.toLowerCase(), {
      error: 'Enter the same e-mail address twice',
      path: ['emailAgain'],
    }),
  );

/** Votes of an account that were cast. What was voted for is not known to the portal. */
export const CastVote = z.object({
  electionId: z.string(),
  title: z.string(),
  /** The vote was repeated after this one, so it doesn't count. */
  isVoid: z.boolean(),
  votes: z.int(),
  castAs: z.enum(['member', 'proxy']),
  voterName: z.string(),
  castAt: z.iso.datetime(),
  resultsUrl: z.nullable(z.string()),
});
export type CastVote = z.infer<typeof CastVote>;

/** Proxies of accounts, who votes for an account, and what it did in past elections. */
export const proxies = group('elections.proxies', {
  getProxyForm: endpoint({
    method: 'GET',
    path: '/api/:account/elections/:electionId/proxy',
    summary: 'An election with what decides whether the caller can appoint the proxy of the account, and the proxy it has.',
    access: contact,
    answer: z.object({
      electionId: z.string(),
      title: z.string(),
      timeZone: z.string(),
      ballots: z.enum(ballotKinds),
      /** Until when a proxy can be appointed, and when proxies vote. Null in an election without proxies. */
      closesAt: z.nullable(z.iso.datetime()),
      proxiesVoteAt: z.nullable(z.iso.datetime()),
      votes: z.nullable(z.int()),
      per: z.string(),
      eligibility: Eligibility,
      proxy: z.nullable(ElectionProxy),
      /** Contacts of the account who can vote without a proxy, in lower case. */
      ownEmails: z.array(z.string()),
    }),
    errors: ['NOT_FOUND'],
  }),
  appointProxy: endpoint({
    method: 'POST',
    path: '/api/:account/elections/:electionId/proxy',
    summary: 'Appoint the one proxy of the account in an election. The account cannot vote directly from then on.',
    access: member('nominate-proxy'),
    effect: 'votes',
    body: ProxyGiven,
    answer: ElectionProxy,
    errors: ['NOT_FOUND', 'PROXY_NOT_POSSIBLE', 'VOTES_CAST', 'PROXY_APPOINTED'],
    activity: 'Appointed a proxy',
  }),
  revokeProxy: endpoint({
    method: 'POST',
    path: '/api/:account/proxies/:proxyId/revoke',
    summary: 'Take back the appointment of a proxy that has not voted, while proxies can be appointed. The account votes directly again.',
    moves: proxyLife.revoke,
    access: member('nominate-proxy'),
    effect: 'votes',
    answer: ElectionProxy,
    errors: ['NOT_FOUND', 'PROXY_FINAL'],
    activity: 'Revoked a proxy',
  }),
  listProxies: endpoint({
    method: 'GET',
    path: '/api/:account/proxies',
    summary: 'The proxies an account appointed in all elections, newest first.',
    access: contact,
    answer: z.object({ rows: z.array(ElectionProxy) }),
  }),
  listVotes: endpoint({
    method: 'GET',
    path: '/api/:account/votes',
    summary: 'In which elections votes of the account were cast, when and by which contact or proxy, newest first.',
    access: contact,
    answer: z.object({ rows: z.array(CastVote) }),
  }),
  listVoters: endpoint({
    method: 'GET',
    path: '/api/:account/voters',
    summary: 'The contacts of an account, and which of them may vote for it.',
    access: contact,
    answer: z.object({ rows: z.array(Voter) }),
  }),
  setVoter: endpoint({
    method: 'POST',
    path: '/api/:account/voters/:contactId',
    summary: 'Let a contact vote for the account in all elections until further notice, or no longer.',
    access: member('appoint-another-voter'),
    effect: 'votes',
    body: z.object({ mayVote: z.boolean() }),
    answer: z.object({ rows: z.array(Voter) }),
    errors: ['NOT_FOUND', 'PERMISSION_NOT_GRANTABLE'],
    activity: 'Changed who votes for the account',
  }),
  listElectionProxies: endpoint({
    method: 'GET',
    path: '/api/staff/elections/:electionId/proxies',
    summary: 'All proxies of an election, newest first.',
    access: staff(electionPermissions),
    answer: z.object({ rows: z.array(z.extend(ElectionProxy, { accountName: z.string() })) }),
    errors: ['NOT_FOUND'],
  }),
  voidProxy: endpoint({
    method: 'POST',
    path: '/api/staff/proxies/:proxyId/void',
    summary: 'Void the appointment of a proxy that has not voted. The account and the proxy are notified.',
    moves: proxyLife.void,
    access: staff('election-officer'),
    effect: 'votes',
    body: z.object({ reason: severalLines(500, 3) }),
    answer: ElectionProxy,
    errors: ['NOT_FOUND', 'PROXY_FINAL', 'OWN_REQUEST'],
    activity: 'Voided a proxy',
    secondPerson: 'always',
    secondRole: 'election-observer',
  }),
});
