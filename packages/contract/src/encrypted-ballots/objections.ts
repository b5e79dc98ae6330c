import * as z from 'zod/mini';
import { contact, endpoint, group, member, staff } from '../endpoint.ts';
import { severalLines } from '../several-lines.ts';
import { electionPermissions } from '../staff-permissions.ts';
import { objectionLife, objectionStates } from './objection-life.ts';

/** Subjects of an objection: the number of votes, that the account isn’t on the roll, and its voting code. */
export const objectionSubjects = ['votes', 'missing', 'code'] as const;
export type ObjectionSubject = (typeof objectionSubjects)[number];

/** An objection of an account to its entry on the electoral roll. */
export const RollObjection = z.object({
  objectionId: z.string(),
  about: z.enum(objectionSubjects),
  reason: z.string(),
  state: z.enum(objectionStates),
  madeBy: z.string(),
  madeAt: z.iso.datetime(),
  /** Votes of the entry when the objection was made; null where the account wasn’t on the roll. */
  votesThen: z.nullable(z.int()),
  decidedAt: z.nullable(z.iso.datetime()),
  /** The reason of the decision, which the account reads; empty before it. */
  answer: z.string(),
});
export type RollObjection = z.infer<typeof RollObjection>;

const StaffObjection = z.extend(RollObjection, {
  accountName: z.string(),
  /** Votes of the account on the roll now; null where it isn’t on it. */
  votesNow: z.nullable(z.int()),
  decidedBy: z.nullable(z.string()),
});
export type StaffObjection = z.infer<typeof StaffObjection>;

/** An account’s entry on the roll of an election, and its objections. */
const RollEntry = z.object({
  title: z.string(),
  timeZone: z.string(),
  /** When the roll was fixed; null before that, when there is no entry yet. */
  fixedAt: z.nullable(z.iso.datetime()),
  /** Null where the account isn’t on the roll. */
  votes: z.nullable(z.int()),
  /** Until when objections can be made, and when voting opens; null in an election without a voting window. */
  closesAt: z.nullable(z.iso.datetime()),
  opensAt: z.nullable(z.iso.datetime()),
  /** Accounts on the roll by their votes, as everyone sees them. */
  roll: z.array(z.object({ votes: z.int(), accounts: z.int() })),
  /** Subjects that can be objected to now; empty while an objection is open, and after the end. */
  possible: z.array(z.enum(objectionSubjects)),
  objections: z.array(RollObjection),
});

/** Objections to the electoral roll of an election with encrypted ballots, which is published before voting. */
export const rollObjections = group('encryptedBallots.objections', {
  getRollEntry: endpoint({
    method: 'GET',
    path: '/api/:account/elections/:electionId/roll-entry',
    summary: 'The entry of the account on the electoral roll of an election, until when it can be objected to, and its objections.',
    access: contact,
    answer: RollEntry,
    errors: ['NOT_FOUND'],
  }),
  objectToRoll: endpoint({
    method: 'POST',
    path: '/api/:account/elections/:electionId/roll-objections',
    summary: 'Object to the entry of the account on the electoral roll, from when it is fixed until it closes before voting opens.',
    access: member('voting-vote'),
    effect: 'votes',
    body: z.object({ about: z.enum(objectionSubjects), reason: severalLines(1000, 10) }),
    answer: RollObjection,
    errors: ['NOT_FOUND', 'OBJECTION_NOT_POSSIBLE'],
    activity: 'Objected to the electoral roll',
  }),
  withdrawObjection: endpoint({
    method: 'POST',
    path: '/api/:account/roll-objections/:objectionId/withdraw',
    summary: 'Withdraw an objection to the electoral roll that isn’t decided yet.',
    moves: objectionLife.withdraw,
    access: member('voting-vote'),
    effect: 'votes',
    answer: RollObjection,
    errors: ['NOT_FOUND', 'OBJECTION_NOT_POSSIBLE'],
    activity: 'Withdrew an objection to the electoral roll',
  }),
  listRollObjections: endpoint({
    method: 'GET',
    path: '/api/staff/elections/:electionId/roll-objections',
    summary: 'Objections to the electoral roll of an election, those that are open first.',
    access: staff(electionPermissions),
    answer: z.object({ rows: z.array(StaffObjection) }),
    errors: ['NOT_FOUND'],
  }),
  decideObjection: endpoint({
    method: 'POST',
    path: '/api/staff/roll-objections/:objectionId/decision',
    summary:
      'Decide on an objection to the electoral roll, before the first ballot is cast. One that is upheld, which a scrutineer approves, corrects the roll: credentials that were made for it are discarded, and the credential authority makes new ones.',
    moves: objectionLife.decide,
    access: staff('returning-officer'),
    effect: 'votes',
    body: z.object({
      upheld: z.boolean(),
      /** The votes that the account gets; null where the objection is rejected or about the voting code. */
      votes: z.nullable(z.int().check(z.minimum(1), z.maximum(64))),
      /** The account reads it. */
      answer: severalLines(1000, 10),
    }),
    answer: StaffObjection,
    errors: ['NOT_FOUND', 'OBJECTION_NOT_POSSIBLE', 'OWN_REQUEST'],
    activity: 'Decided on an objection to the electoral roll',
    secondPersonWhen: 'an objection that is upheld, which corrects the roll',
    secondRole: 'election-observer',
  }),
});
