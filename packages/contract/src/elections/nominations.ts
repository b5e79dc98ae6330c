import { nominationLife, nominationStates } from './life.ts';
import * as z from 'zod/mini';
import { Email } from '../email.ts';
import { corporate, endpoint, group, signedIn, staff } from '../endpoint.ts';
import { electionPermissions } from '../staff-permissions.ts';
import { oneLine } from '../one-line.ts';
import { severalLines } from '../several-lines.ts';
import { Eligibility } from './voting.ts';

/** A nomination as its nominators see it. */
export const Nomination = z.object({
  nominationId: z.string(),
  fullName: z.string(),
  organisation: z.string(),
  reason: z.string(),
  state: z.enum(nominationStates),
  nominatedAt: z.iso.datetime(),
  nominatorName: z.string(),
  /** The member that nominates; null where a person does. */
  accountName: z.nullable(z.string()),
  /** Why the registry found that the nominee can’t stand. */
  judgeReason: z.string(),
  /** The caller may withdraw it now. */
  withdrawable: z.boolean(),
  /** The caller may authorise it for the account now. */
  authorisable: z.boolean(),
});
export type Nomination = z.infer<typeof Nomination>;

/** A nomination as registry staff see it. */
export const StaffNomination = z.extend(Nomination, { email: z.string(), statement: z.string(), answeredAt: z.nullable(z.iso.datetime()) });
export type StaffNomination = z.infer<typeof StaffNomination>;

/** A candidate, as voters see them. */
export const Candidate = z.object({ fullName: z.string(), organisation: z.string(), statement: z.string(), nominatedBy: z.string() });

/** How the order of candidates on the ballot is drawn: by the SHA-256 of `seed|election|name`, from a seed that is drawn as the election is published, or as it gets nominations. */
export const BallotOrder = z.object({
  /** The SHA-256 of the seed, in hexadecimal, shown from the publication on. */
  commitment: z.string(),
  /** 64 hexadecimal digits; null before candidates are put on the ballot. */
  seed: z.nullable(z.string()),
  /** Whether the ballot has the candidates in the order that follows from the seed; null before candidates are on it. */
  isAsDrawn: z.nullable(z.boolean()),
  /** Whether the names on the ballot are those of the candidates, each spelled as it stood as a nomination; null before candidates are on it. */
  hasTheirNames: z.nullable(z.boolean()),
  /** Whether the seed was drawn before anyone was nominated. */
  isDrawnFirst: z.boolean(),
});
export type BallotOrder = z.infer<typeof BallotOrder>;

export const NominationGiven = z
  .object({
    /** The member that nominates; null for oneself. */
    account: z.nullable(z.string()),
    fullName: oneLine(100, 2, 'Enter the full name of the nominee'),
    email: Email,
    emailAgain: Email,
    organisation: oneLine(200),
    reason: severalLines(3000, 10),
  })
  .check(
    z.refine(({ email, emailAgain }) => email.toLowerCase() === emailAgain.toLowerCase(), {
      error: 'Enter the same e-mail address twice',
      path: ['emailAgain'],
    }),
  );

/** Nominations in the portal: a member or a person nominates, the nominee agrees, the registry checks. */
export const nominations = group('elections.nominations', {
  getNominations: endpoint({
    method: 'GET',
    path: '/api/elections/:electionId/nominations',
    summary: 'What the caller, or the account they act for, nominated in an election, and whether they can nominate now.',
    access: signedIn,
    query: z.object({ account: z.optional(z.string()) }),
    answer: z.object({
      title: z.string(),
      seats: z.nullable(z.int()),
      timeZone: z.string(),
      closesAt: z.iso.datetime(),
      /** Members alone nominate, so the account has to be named. */
      byMembers: z.boolean(),
      /** A nomination by the caller needs the authorisation of a corporate contact first. */
      needsAuthorisation: z.boolean(),
      eligibility: Eligibility,
      rows: z.array(Nomination),
    }),
    errors: ['NOT_FOUND', 'ACCOUNT_NOT_FOUND', 'SECOND_FACTOR_DEMANDED'],
  }),
  nominate: endpoint({
    method: 'POST',
    path: '/api/elections/:electionId/nominations',
    summary: 'Nominate a person, who is asked by e-mail whether they agree.',
    access: signedIn,
    effect: 'conversation',
    body: NominationGiven,
    answer: Nomination,
    errors: ['NOT_FOUND', 'ACCOUNT_NOT_FOUND', 'SECOND_FACTOR_DEMANDED', 'NOMINATION_CLOSED', 'ALREADY_NOMINATED', 'TOO_MANY_REQUESTS'],
    activity: 'Nominated a person',
  }),
  withdrawNomination: endpoint({
    method: 'POST',
    path: '/api/nominations/:nominationId/withdraw',
    summary: 'Withdraw a nomination that the caller made or received, until nominations close.',
    moves: nominationLife.withdraw,
    access: signedIn,
    effect: 'conversation',
    errors: ['NOT_FOUND', 'NOMINATION_CLOSED'],
    activity: 'Withdrew a nomination',
  }),
  authoriseNomination: endpoint({
    method: 'POST',
    path: '/api/:account/nominations/:nominationId/authorise',
    summary: 'Authorise a nomination that another contact of the account made, or reject it.',
    moves: nominationLife.authorise,
    access: corporate,
    effect: 'conversation',
    body: z.object({ authorise: z.boolean() }),
    errors: ['NOT_FOUND', 'NOMINATION_CLOSED'],
    activity: 'Decided on a nomination',
  }),
  getOwnNomination: endpoint({
    method: 'GET',
    path: '/api/elections/:electionId/own-nomination',
    summary: 'The nomination of the caller in an election, found by the verified address of their login.',
    access: signedIn,
    answer: z.object({
      title: z.string(),
      timeZone: z.string(),
      closesAt: z.iso.datetime(),
      open: z.boolean(),
      nomination: Nomination,
      statement: z.string(),
    }),
    errors: ['NOT_FOUND'],
  }),
  answerNomination: endpoint({
    method: 'POST',
    path: '/api/elections/:electionId/own-nomination',
    summary: 'Agree to stand, with a statement for the voters, or decline. Until nominations close the statement can be changed.',
    moves: nominationLife.answer,
    access: signedIn,
    effect: 'conversation',
    body: z.object({ accept: z.boolean(), statement: severalLines(3000) }),
    errors: ['NOT_FOUND', 'NOMINATION_CLOSED'],
    activity: 'Answered a nomination',
  }),
  listCandidates: endpoint({
    method: 'GET',
    path: '/api/elections/:electionId/candidates',
    summary: 'Those who stand in an election, by name, once the registry has checked them.',
    access: signedIn,
    answer: z.object({
      title: z.string(),
      seats: z.nullable(z.int()),
      final: z.boolean(),
      rows: z.array(Candidate),
      order: z.nullable(BallotOrder),
    }),
    errors: ['NOT_FOUND'],
  }),
  listNominations: endpoint({
    method: 'GET',
    path: '/api/staff/elections/:electionId/nominations',
    summary: 'All nominations of an election, oldest first.',
    access: staff(electionPermissions),
    answer: z.object({ rows: z.array(StaffNomination) }),
    errors: ['NOT_FOUND'],
  }),
  judgeNomination: endpoint({
    method: 'POST',
    path: '/api/staff/nominations/:nominationId/judge',
    summary: 'Say whether a nominee who agreed can stand. The nominee and the nominator are notified.',
    moves: nominationLife.judge,
    access: staff('election-officer'),
    effect: 'votes',
    body: z.object({ eligible: z.boolean(), reason: severalLines(500) }),
    errors: ['NOT_FOUND', 'NOMINATION_CLOSED', 'ELECTION_BEGUN', 'OWN_REQUEST'],
    activity: 'Checked a nominee',
    alone: 'the nominee and the nominator are notified, and it can be changed until voting opens',
  }),
  putCandidatesOnBallot: endpoint({
    method: 'POST',
    path: '/api/staff/elections/:electionId/options/candidates',
    summary: 'Put those who stand on the ballot, in the order that follows from the seed of the election.',
    access: staff('election-officer'),
    effect: 'votes',
    answer: z.object({ candidates: z.int() }),
    errors: ['NOT_FOUND', 'ELECTION_BEGUN', 'ELECTION_OVER', 'NOMINATION_CLOSED'],
    activity: 'Put candidates on the ballot',
    alone: 'everyone who can stand is put there, in an order that anyone can calculate from the seed',
  }),
});
