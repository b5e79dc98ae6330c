import * as z from 'zod/mini';
import { anyone, endpoint, group, largeBody, member } from '../endpoint.ts';

/** A ballot of 100 answers has fewer than 200,000 characters, and quotation marks between them. */
const maxBallotText = 500_000;

/** A tracker as it is typed, and a voting code: neither is sent as it is. */
export const TypedTracker = z.object({ tracker: z.string().check(z.maxLength(120)) });
export const TypedCode = z.object({ code: z.string().check(z.maxLength(40)) });

/** The parameters with which a browser encrypts. */
export const BallotForm = z.object({
  /** The text of the election in its archive, of which a ballot has the hash. */
  parameters: z.string(),
  votes: z.nullable(z.int()),
  closesAt: z.iso.datetime(),
  /** Statements of the candidates or answers, in the order of the ballot; empty for none. */
  statements: z.array(z.string()),
  /** The credential authority, who sends voters their codes. */
  authority: z.object({ fullName: z.string(), email: z.string() }),
});

/** A ballot on its way. */
export const SentBallot = z.object({
  /** The ballot as its voter encrypted and signed it. */
  ballot: z.string().check(z.minLength(2, { error: 'Enter the ballot' }), z.maxLength(maxBallotText, { error: 'The ballot is too long' })),
  /** The key of the right to vote, derived from the private credential. It is looked up and forgotten. */
  rightKey: z.string().check(z.regex(/^[0-9a-f]{64}$/, { error: 'Enter 64 hexadecimal digits' })),
});

/** A ballot in the archive. */
export const CastBallot = z.object({
  /** The tracker: it shows that the ballot is in the archive, not what is in it. In Base64, and in hexadecimal as belenios-tool lists it. */
  tracker: z.string(),
  trackerHex: z.string(),
  votes: z.int(),
});

/** Casting encrypted ballots. A choice leaves the voter’s browser encrypted only. */
export const ballotCasting = group('encryptedBallots.casting', {
  getBallotForm: endpoint({
    method: 'GET',
    path: '/api/:account/elections/:electionId/encrypted-ballot',
    summary: 'The questions and the key of an encrypted ballot, as its archive has them, and the votes of the account.',
    access: member('voting-vote'),
    answer: BallotForm,
    errors: ['NOT_FOUND', 'BALLOT_CLOSED'],
  }),
  castBallot: endpoint({
    method: 'POST',
    path: '/api/:account/elections/:electionId/encrypted-ballot',
    summary: 'Cast the encrypted ballot of an account. The same ballot sent again is the one that was cast.',
    access: member('voting-vote'),
    effect: 'votes',
    body: SentBallot,
    answer: CastBallot,
    errors: ['NOT_FOUND', 'BALLOT_CLOSED', 'VOTES_CAST', 'PROXY_APPOINTED', 'BALLOT_REFUSED'],
    largestBody: largeBody,
    activity: 'Cast an encrypted ballot',
  }),
  listTrackers: endpoint({
    method: 'GET',
    path: '/api/elections/:electionId/trackers',
    summary:
      'The trackers of all ballots in the archive of an election, in their own order, with their votes. A voter looks for one in the whole list, so that no one learns which.',
    access: anyone,
    answer: z.object({
      rows: z.array(z.object({ tracker: z.string(), votes: z.int() })),
      /** The hash of the last event of the archive that has these ballots. */
      archiveHash: z.string(),
    }),
    errors: ['NOT_FOUND'],
  }),
});
