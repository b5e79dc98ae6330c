import * as z from 'zod/mini';
import { endpoint, group, largeBody, signedIn } from '../endpoint.ts';
import { BallotProgress } from './duties.ts';
import { trusteeSteps } from './setup.ts';

const Trustee = z.object({
  uuid: z.string(),
  title: z.string(),
  place: z.int(),
  /** The number of the trustee among all who decrypt, from 1: `--trustee-id` of belenios-tool. The first is the registry. */
  number: z.int(),
  threshold: z.nullable(z.int()),
  /** The next message; null while others are waited for, and when all is done. */
  next: z.nullable(z.enum(trusteeSteps)),
  /** The certificates of all in their order, once all have sent theirs: `certs.jsons` of belenios-tool. */
  certificates: z.nullable(z.array(z.string())),
  /** The messages of the others for this trustee, once all have sent theirs. */
  input: z.nullable(z.string()),
  /** The message of this trustee in the last step of the key: its private part is sealed for the trustee. */
  share: z.nullable(z.string()),
  /** Ballots in the archive. */
  ballots: z.int(),
  progress: BallotProgress,
});

/** Trustees of an election: each keeps a part of the key, with a browser or with `belenios-tool`. */
export const ballotTrustees = group('encryptedBallots.trustees', {
  getTrustee: endpoint({
    method: 'GET',
    path: '/api/elections/:electionId/trustee',
    summary: 'For a trustee of an election: what to send next, and what the others sent for it.',
    access: signedIn,
    answer: Trustee,
    errors: ['NOT_FOUND'],
  }),
  sendTrusteeMessage: endpoint({
    method: 'POST',
    path: '/api/elections/:electionId/trustee',
    summary: 'For a trustee of an election: the next message of the key, or the decryption of the sums, as belenios-tool makes them.',
    access: signedIn,
    effect: 'votes',
    body: z.object({
      step: z.enum(trusteeSteps),
      message: z.string().check(z.minLength(2, { error: 'Enter the message' }), z.maxLength(500_000, { error: 'The message is too long' })),
    }),
    answer: Trustee,
    errors: ['NOT_FOUND', 'BALLOT_SET_UP', 'BALLOT_NOT_READY', 'TRUSTEE_MESSAGE_REFUSED'],
    largestBody: largeBody,
    activity: 'Sent a message of a trustee',
  }),
});
