import * as z from 'zod/mini';
import { contact, group, unrecordedEndpoint } from '../endpoint.ts';
import { whoisClasses } from './whois.ts';

/** Interval at which an open editor reports that it is open. */
export const presenceBeatSeconds = 20;

export const whoisPresence = group('whois.presence', {
  reportPresence: unrecordedEndpoint({
    path: '/api/:account/whois/presence',
    summary: `Tell every ${presenceBeatSeconds} seconds that one has an object open in the editor, and hear which colleagues have; at last that one leaves.`,
    access: contact,
    effect: 'own settings',
    body: z.object({
      class: z.enum(whoisClasses),
      key: z.string().check(z.minLength(1), z.maxLength(300)),
      leaves: z.optional(z.literal('yes')),
    }),
    answer: z.object({ others: z.array(z.string()) }),
    unrecorded: 'Who has an object open in the editor: seconds of life, told anew every few seconds',
  }),
});
