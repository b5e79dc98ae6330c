import * as z from 'zod/mini';
import { endpoint, group, signedIn } from '../endpoint.ts';
import { severalLines } from '../several-lines.ts';
import { Ticket } from './tickets.ts';

/** A conversation with support, and when it is answered. */
export const Talk = z.object({
  /** The ticket that holds it; null where none is open, or was within the last day. */
  ticket: z.nullable(Ticket),
  /** For which account; null for the person, who then has no permission to write for the account. */
  writesFor: z.nullable(z.string()),
  /** Whether support is staffed now, and when that changes; null where the registry doesn't say. */
  hours: z.nullable(z.object({ staffed: z.boolean(), until: z.iso.datetime() })),
  /** Half of the general tickets of the last 90 days were first answered within so many minutes; null without any. */
  medianAnswerMinutes: z.nullable(z.int()),
});
export type Talk = z.infer<typeof Talk>;

/** The panel "Talk to us": a ticket of the general queue with live updates for both sides. */
export const talks = group('tickets.talks', {
  getTalk: endpoint({
    method: 'GET',
    path: '/api/talk',
    summary: 'The conversation of the caller with support, for the account or for themselves.',
    access: signedIn,
    query: z.object({ account: z.optional(z.string()) }),
    answer: Talk,
    errors: ['ACCOUNT_NOT_FOUND', 'SECOND_FACTOR_DEMANDED'],
  }),
  sendTalk: endpoint({
    method: 'POST',
    path: '/api/talk',
    summary: 'Write to support in the open conversation, or begin one.',
    access: signedIn,
    effect: 'conversation',
    body: z.object({ account: z.nullable(z.string()), text: severalLines(4000, 1) }),
    answer: Talk,
    errors: ['ACCOUNT_NOT_FOUND', 'SECOND_FACTOR_DEMANDED', 'TOO_MANY_REQUESTS'],
    activity: 'Wrote to support',
  }),
});
