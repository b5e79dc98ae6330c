import * as z from 'zod/mini';
import { contact, endpoint, group, member } from './endpoint.ts';
import { KindTotals } from './resources.ts';

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

const ledgerLine = z.object({ activityId: z.int(), at: z.iso.datetime(), by: z.string(), summary: z.string() });

/** What others did in the account since the person's session before this one. */
export const SinceLastVisit = z.object({
  /** When that session was last used; null when there is none to go by. */
  since: z.nullable(z.iso.datetime()),
  byContacts: z.int(),
  byStaff: z.int(),
  byTheRegistry: z.int(),
  /** The newest of them. */
  lines: z.array(ledgerLine),
});
export type SinceLastVisit = z.infer<typeof SinceLastVisit>;

export const home = group('home', {
  getSinceLastVisit: endpoint({
    method: 'GET',
    path: '/api/:account/since-last-visit',
    summary: 'What others, registry staff and the registry’s own work changed since the person was last here.',
    access: member('member-account-access-logs-view'),
    answer: SinceLastVisit,
  }),
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
