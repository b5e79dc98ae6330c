import * as z from 'zod/mini';
import { endpoint, group, signedIn } from '../endpoint.ts';
import { trusteeSteps } from './setup.ts';

/** Those who make the keys of an encrypted ballot, and what each still has to send. */
export const BallotProgress = z.object({
  authority: z.object({
    fullName: z.string(),
    /** The list of credentials is expected now. */ isDue: z.boolean(),
    askedAt: z.nullable(z.iso.datetime()),
  }),
  hasCredentials: z.boolean(),
  trustees: z.array(
    z.object({
      place: z.int(),
      fullName: z.string(),
      /** The message that is expected now; null while others are waited for, and when all is done. */
      next: z.nullable(z.enum(trusteeSteps)),
      /** When it was asked for by mail. */
      askedAt: z.nullable(z.iso.datetime()),
      /** The fingerprint of the certificate or key, which trustees compare by telephone; null before it is sent. */
      fingerprint: z.nullable(z.string()),
    }),
  ),
  hasKey: z.boolean(),
  setUpAt: z.nullable(z.iso.datetime()),
});

/** Duties of those who were appointed. */
export const ballotDuties = group('encryptedBallots.duties', {
  listDuties: endpoint({
    method: 'GET',
    path: '/api/ballot-duties',
    summary: 'Elections of which the caller is the credential authority or a trustee, newest first, until their result is there.',
    access: signedIn,
    answer: z.object({
      rows: z.array(z.object({ electionId: z.string(), title: z.string(), as: z.enum(['authority', 'trustee']), isDue: z.boolean() })),
    }),
  }),
});
