import * as z from 'zod/mini';
import { Email } from '../email.ts';
import { endpoint, group, staff } from '../endpoint.ts';
import { electionPermissions } from '../staff-permissions.ts';

/** Trustees of one election at most. */
export const maxTrustees = 50;

/** Messages of a trustee, in this order: a key of its own; or certificate, polynomial and share of a key that several make together; and the decryption of the sums. */
export const trusteeSteps = ['key', 'certificate', 'polynomial', 'share', 'decryption'] as const;
export type TrusteeStep = (typeof trusteeSteps)[number];

/** Events of an archive. */
export const ballotEventKinds = ['Setup', 'Ballot', 'EndBallots', 'EncryptedTally', 'PartialDecryption', 'Result'] as const;

/** The encrypted ballot of an election: those appointed, what each has sent, and how far the archive is. */
const EncryptedBallot = z.object({
  electionId: z.string(),
  /** The identifier of the election in its archive, which is called `<uuid>.bel`; null before anyone is appointed. */
  uuid: z.nullable(z.string()),
  authority: z.nullable(z.object({ fullName: z.string(), email: z.string() })),
  /** How many trustees decrypt together; null where each is needed. */
  threshold: z.nullable(z.int()),
  trustees: z.array(
    z.object({
      place: z.int(),
      fullName: z.string(),
      email: z.string(),
      /** The next message of this trustee; null while others are waited for, and when all is done. */
      next: z.nullable(z.enum(trusteeSteps)),
    }),
  ),
  /** Accounts on the roll with their votes, by the number of votes; null before the roll is fixed. */
  roll: z.nullable(z.array(z.object({ votes: z.int(), accounts: z.int() }))),
  /** When the roll of a published election is fixed automatically, so that accounts have time to object; null once it is fixed. */
  rollDueAt: z.nullable(z.iso.datetime()),
  /** Why accounts have too little time to object to a roll that isn’t fixed, and from when on voting can open; null where they have enough. */
  tooSoon: z.nullable(z.string()),
  /** Whether the credential authority has sent the list of credentials. */
  hasCredentials: z.boolean(),
  /** Whether the trustees have made the key. */
  hasKey: z.boolean(),
  setUpAt: z.nullable(z.iso.datetime()),
  /** The last event of the archive; null before the setup. `bytes`: how long the archive is. */
  archive: z.nullable(z.object({ kind: z.enum(ballotEventKinds), height: z.int(), hash: z.string(), bytes: z.int(), ballots: z.int() })),
  /** Once voting is over: numbers of votes whose voters every sum gives away, and how many voted with each. Staff confirm that they have read it. */
  readableVotes: z.nullable(z.array(z.object({ votes: z.int(), ballots: z.int() }))),
  /** The votes of each answer, after those of blank ballots; null before all have decrypted. */
  result: z.nullable(z.object({ blank: z.int(), answers: z.array(z.object({ name: z.string(), votes: z.int() })) })),
});

/** How registry staff set an encrypted ballot up and have it counted. */
export const encryptedBallotSetup = group('encryptedBallots.setup', {
  getEncryptedBallot: endpoint({
    method: 'GET',
    path: '/api/staff/elections/:electionId/encrypted-ballot',
    summary: 'Those appointed for the encrypted ballot of an election, what each has sent, and how far its archive is. It holds no choice.',
    access: staff(electionPermissions),
    answer: EncryptedBallot,
    errors: ['NOT_FOUND'],
  }),
  appointTrustees: endpoint({
    method: 'PUT',
    path: '/api/staff/elections/:electionId/encrypted-ballot',
    summary: 'Appoint the credential authority and the trustees of an encrypted ballot. What others had sent is discarded.',
    access: staff('election-officer'),
    effect: 'votes',
    body: z.object({
      /** The address of the login of someone who is not of the registry. */
      authority: Email,
      trustees: z
        .array(Email)
        .check(
          z.minLength(1, { error: 'Enter at least one trustee' }),
          z.maxLength(maxTrustees, { error: `Enter at most ${maxTrustees}` }),
        ),
      /** How many trustees decrypt together; null where each is needed. */
      threshold: z.nullable(z.int().check(z.minimum(1), z.maximum(maxTrustees))),
    }),
    answer: EncryptedBallot,
    errors: ['NOT_FOUND', 'BALLOT_SET_UP'],
    activity: 'Appointed the trustees of an election',
    secondPersonWhen: 'another credential authority, once the ballot was set up',
    secondRole: 'election-observer',
  }),
  fixRoll: endpoint({
    method: 'POST',
    path: '/api/staff/elections/:electionId/encrypted-ballot/roll',
    summary: 'Fix who can vote on an encrypted ballot, and with how many votes: the credential authority makes credentials for it.',
    access: staff('returning-officer'),
    effect: 'votes',
    answer: EncryptedBallot,
    errors: ['NOT_FOUND', 'BALLOT_SET_UP'],
    activity: 'Fixed the roll of an election',
    alone: 'it follows from the ledger, and is published before voting opens',
  }),
  setUpBallot: endpoint({
    method: 'POST',
    path: '/api/staff/elections/:electionId/encrypted-ballot/setup',
    summary: 'Begin the archive of an encrypted ballot: its questions, keys and credentials stay as they are from now on.',
    access: staff('returning-officer'),
    effect: 'votes',
    answer: EncryptedBallot,
    errors: ['NOT_FOUND', 'BALLOT_SET_UP', 'BALLOT_NOT_READY'],
    activity: 'Set up the ballot of an election',
    alone: 'the authority, the trustees and everyone who reads the archive check it',
  }),
  startCount: endpoint({
    method: 'POST',
    path: '/api/staff/elections/:electionId/encrypted-ballot/count',
    summary: 'Add the registry’s part to the decryption of the sums, once voting is over: the trustees can then decrypt them.',
    access: staff('returning-officer'),
    effect: 'votes',
    body: z.object({
      /** The numbers of votes of `readableVotes`, which the caller has read. */
      readableVotes: z.array(z.int().check(z.minimum(1), z.maximum(64))).check(z.maxLength(64)),
    }),
    answer: EncryptedBallot,
    errors: ['NOT_FOUND', 'BALLOT_NOT_READY'],
    activity: 'Started the count of an election',
    secondPerson: 'always',
    secondRole: 'election-observer',
  }),
});
