import * as z from 'zod/mini';
import { contact, endpoint, group } from '../endpoint.ts';
import { KindTotals } from '../resources/resource-kinds.ts';

/** Something that waits for the person or the account. */
export const Attention = z.object({
  /** Stable, for keys and tests: `account-suspended`, `membership-expiring`, … */
  attentionId: z.string(),
  urgency: z.enum(['urgent', 'soon', 'note']),
  title: z.string(),
  detail: z.string(),
  /** Page that deals with it, and what its button says; null when nothing can be done here. */
  action: z.nullable(z.object({ label: z.string(), link: z.string() })),
  /** `me`: only this person can act; `account`: any contact with the permission. */
  forWhom: z.enum(['me', 'account']),
});
export type Attention = z.infer<typeof Attention>;

export const ledgerLine = z.object({ activityId: z.int(), at: z.iso.datetime(), by: z.string(), summary: z.string() });

export const home = group('home', {
  getHome: endpoint({
    method: 'GET',
    path: '/api/:account/home',
    summary: 'The account at one glance. A part the caller may not see, or that failed, is null.',
    access: contact,
    answer: z.object({
      attention: z.nullable(z.array(Attention)),
      resources: z.nullable(z.array(KindTotals)),
      /** Blocks of the largest IPv4 and IPv6 holding, for the small pictures. */
      ledger: z.nullable(z.array(ledgerLine)),
      contacts: z.nullable(z.array(z.object({ name: z.string(), contactTypes: z.array(z.string()) }))),
    }),
  }),
});
