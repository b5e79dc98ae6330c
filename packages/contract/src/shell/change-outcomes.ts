import * as z from 'zod/mini';
import { group, signedIn, unrecordedEndpoint } from '../endpoint.ts';

/** The result of a change whose answer was lost. */
export const ChangeOutcome = z.object({
  outcome: z.enum(['saved', 'not-saved']),
  /** When it was saved; null when it was not. */
  savedAt: z.nullable(z.iso.datetime()),
});
export type ChangeOutcome = z.infer<typeof ChangeOutcome>;

export const changeOutcomes = group('shell.changeOutcomes', {
  settleChange: unrecordedEndpoint({
    path: '/api/change-outcomes',
    summary:
      'Whether a change of the caller with this idempotency key was saved. One that was not is not made any more, however late it arrives.',
    access: signedIn,
    effect: 'reading',
    body: z.object({
      /** The id of the endpoint that was called. */
      endpoint: z.string().check(z.regex(/^[a-zA-Z.]{3,100}$/, { error: 'Enter the id of an endpoint, such as contacts.inviteContact' })),
      key: z.string().check(z.regex(/^[\x21-\x7e]{8,128}$/, { error: 'Enter the key, 8 to 128 visible ASCII characters' })),
    }),
    answer: ChangeOutcome,
    unrecorded: 'that a key is not to be used any more, for a day',
  }),
});
