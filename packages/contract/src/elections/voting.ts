import { windowStates } from './life.ts';
import * as z from 'zod/mini';
import { contact, endpoint, group, signedIn } from '../endpoint.ts';
import { windowKindNames } from './election-windows.ts';
import { ballotKinds, electionKindNames } from './elections.ts';

/** Reasons why something of an election is closed to the reader, as far as they are known before a ballot. */
export const votingReasons = [
  'NOT_ELIGIBLE_TYPE',
  'NOT_IN_GOOD_STANDING',
  'NO_VOTE_PERMISSION',
  'NO_PROXY_PERMISSION',
  'CORPORATE_ONLY',
  'NOT_REGISTERED',
  'NOT_ATTENDED',
  'MFA_NOT_ENABLED',
  'NOT_OPEN',
  'CLOSED',
  'PROXY_APPOINTED',
  'ALREADY_VOTED',
  'NO_PROXIES',
] as const;
export type VotingReason = (typeof votingReasons)[number];

/** The reader's eligibility in one window: the reason against it, or where to take part. */
export const Eligibility = z.object({
  /** Null: the reader may take part now. */
  reason: z.nullable(z.enum(votingReasons)),
  /** The specification's wording of it; empty without a reason. */
  message: z.string(),
  /** Explanation and what would help; may be empty. */
  detail: z.string(),
  /** Where to take part; only for those who may do so now. */
  url: z.nullable(z.string()),
});
export type Eligibility = z.infer<typeof Eligibility>;

export const ElectionWindow = z.object({
  kind: z.enum(windowKindNames),
  opensAt: z.iso.datetime(),
  closesAt: z.iso.datetime(),
  state: z.enum(windowStates),
  /** Time until it opens or closes, by the server's clock: `Opens in 3 days`. */
  words: z.string(),
  /** The host name of the system in which it happens; null for the portal itself. */
  host: z.nullable(z.string()),
  /** Null where the window does not concern the reader: proxies are notified by e-mail. */
  eligibility: z.nullable(Eligibility),
});
export type ElectionWindow = z.infer<typeof ElectionWindow>;

/** An election as those who vote in it see it. */
export const VotingElection = z.object({
  electionId: z.string(),
  kind: z.enum(electionKindNames),
  ballots: z.enum(ballotKinds),
  title: z.string(),
  description: z.string(),
  seats: z.nullable(z.int()),
  state: z.enum(['published', 'closed', 'cancelled']),
  /** Members read why. */
  cancelReason: z.string(),
  /** IANA name of the zone the timetable is published in. */
  timeZone: z.string(),
  candidatesUrl: z.nullable(z.string()),
  resultsUrl: z.nullable(z.string()),
  /** In the order of the timetable, those that concern the reader. */
  windows: z.array(ElectionWindow),
});
export type VotingElection = z.infer<typeof VotingElection>;

/** An election of members, with the account's votes. */
export const MemberElection = z.extend(VotingElection, {
  /** Votes of the account for each candidate or resolution; null if it has none, or the election is over. */
  votes: z.nullable(z.int()),
  /** The votes are frozen, as voting has opened. */
  frozen: z.boolean(),
  /** The name of the proxy of the account. */
  proxy: z.nullable(z.string()),
  /** The record that the account's votes were cast: by which contact or proxy, and when. */
  voted: z.nullable(z.object({ by: z.string(), at: z.iso.datetime() })),
});
export type MemberElection = z.infer<typeof MemberElection>;

/** A contact of an account, and whether they may vote for it. */
export const Voter = z.object({
  contactId: z.string(),
  fullName: z.string(),
  contactTypes: z.array(z.string()),
  mayVote: z.boolean(),
  /** Why the permission can't be changed; null if it can. */
  fixed: z.nullable(z.string()),
});
export type Voter = z.infer<typeof Voter>;

/** A vote that a person cast as an attendee. */
export const AttendeeVote = z.object({
  electionId: z.string(),
  title: z.string(),
  /** The vote was repeated after this one, so it doesn't count. */
  isVoid: z.boolean(),
  castAt: z.iso.datetime(),
  resultsUrl: z.nullable(z.string()),
});
export type AttendeeVote = z.infer<typeof AttendeeVote>;

/** An account whose votes the person can cast now as its proxy, on `/voting/proxy-votes/{proxyId}`. */
export const ProxyTurn = z.object({ proxyId: z.string(), accountName: z.string(), title: z.string() });
export type ProxyTurn = z.infer<typeof ProxyTurn>;

/** The latest election that is over. */
const LastElection = z.nullable(z.object({ title: z.string(), closedAt: z.iso.datetime(), resultsUrl: z.nullable(z.string()) }));
const asOf = z.iso.datetime();

/** A person's votes, as an attendee and for an account. */
export const voting = group('elections.voting', {
  getAttendeeVoting: endpoint({
    method: 'GET',
    path: '/api/voting',
    summary: 'Elections in which attendees of conferences vote, now, to come and lately closed, and whether the signed-in person does.',
    access: signedIn,
    answer: z.object({ asOf, elections: z.array(VotingElection), last: LastElection, proxyTurns: z.array(ProxyTurn) }),
  }),
  listAttendeeVotes: endpoint({
    method: 'GET',
    path: '/api/voting/votes',
    summary: 'In which elections the caller voted as an attendee, and when, newest first.',
    access: signedIn,
    answer: z.object({ rows: z.array(AttendeeVote) }),
  }),
  getMemberVoting: endpoint({
    method: 'GET',
    path: '/api/:account/voting',
    summary:
      'Elections in which members vote, now, to come and lately closed: the votes of the account, and whether the caller casts them; those of attendees; and who votes for the account.',
    access: contact,
    answer: z.object({
      asOf,
      elections: z.array(MemberElection),
      last: LastElection,
      /** As of `getAttendeeVoting`. */
      attendees: z.object({ elections: z.array(VotingElection), last: LastElection }),
      proxyTurns: z.array(ProxyTurn),
      /** Contacts of the account, as of `listVoters`. */
      voters: z.array(Voter),
      weight: z.object({
        /** In elections by holdings; null for accounts that do not vote. */
        votes: z.nullable(z.int()),
        /** The name of the tier; null for a national registry, which votes for its members, and for accounts that do not vote. */
        tier: z.nullable(z.string()),
        nir: z.boolean(),
        /** Holdings that decided the tier: IPv4 addresses and IPv6 /56 blocks. Null for readers who may not see the number resources. */
        holdings: z.nullable(z.object({ ipv4Addresses: z.string(), ipv6Blocks: z.string() })),
      }),
      /** Tiers of elections by holdings, the smallest first; see `VotingTier`. */
      tiers: z.array(z.object({ name: z.string(), ipv4: z.string(), ipv6: z.string(), votes: z.int() })),
    }),
  }),
});
