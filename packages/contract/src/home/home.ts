import * as z from 'zod/mini';
import { contact, endpoint, group } from '../endpoint.ts';
import { zoneStates } from '../reverse-dns/zone-states.ts';
import { KindTotals } from '../resources/resource-kinds.ts';

/** Something the person or the account has to deal with. */
export const Attention = z.object({
  /** Stable, for keys and tests: `account-suspended`, `membership-expiring`, … */
  attentionId: z.string(),
  urgency: z.enum(['urgent', 'soon', 'note']),
  /** Deadline as a day or instant; null if there is none. Orders items of the same urgency. */
  due: z.nullable(z.string()),
  title: z.string(),
  detail: z.string(),
  /** Page that deals with it, and what its button says; null when nothing can be done here. */
  action: z.nullable(z.object({ label: z.string(), link: z.string() })),
  /** How many things of its page it stands for; one where it doesn't say. */
  count: z.optional(z.int()),
  /** `me`: only this person can act; `account`: any contact with the permission. */
  forWhom: z.enum(['me', 'account']),
});
export type Attention = z.infer<typeof Attention>;

/** The latest changes of the account, with those that others made since the person's previous session marked. Dry runs are left out. */
export const RecentActivity = z.object({
  /** When the previous session was last used; null without one. */
  since: z.nullable(z.iso.datetime()),
  byContacts: z.int(),
  byStaff: z.int(),
  byTheRegistry: z.int(),
  /** The newest first. `object`: the person or thing acted on, unless the summary names it; `isNew`: another person made it since the previous session. */
  lines: z.array(
    z.object({
      activityId: z.int(),
      at: z.iso.datetime(),
      by: z.string(),
      summary: z.string(),
      object: z.string(),
      isNew: z.boolean(),
    }),
  ),
});
export type RecentActivity = z.infer<typeof RecentActivity>;

/** Reverse zones drawn one by one. */
export const homeZones = 64;

export const home = group('home', {
  getNetwork: endpoint({
    method: 'GET',
    path: '/api/:account/home/network',
    summary:
      'How the account’s space is announced, and whether its reverse zones answer. A part the caller may not see, or that failed, is null.',
    access: contact,
    answer: z.object({
      routes: z.nullable(
        z.object({
          valid: z.int(),
          invalid: z.int(),
          notFound: z.int(),
          /** When collectors saw it; null without a table of BGP. */
          collectedAt: z.nullable(z.iso.datetime()),
        }),
      ),
      reverse: z.nullable(
        z.object({
          /** Zones that the account’s space needs, and how many of all delegations answer, answer with a warning, are lame, or weren’t checked. */
          needed: z.int(),
          ok: z.int(),
          warning: z.int(),
          lame: z.int(),
          unchecked: z.int(),
          missing: z.int(),
          /** The states of the first 64 zones in address order; empty for more, which no picture of this size shows. */
          cells: z.array(z.enum(zoneStates)),
        }),
      ),
    }),
  }),
  getHome: endpoint({
    method: 'GET',
    path: '/api/:account/home',
    summary: 'The account at one glance. A part the caller may not see, or that failed, is null.',
    access: contact,
    answer: z.object({
      attention: z.nullable(z.array(Attention)),
      resources: z.nullable(z.array(KindTotals)),
      recent: z.nullable(RecentActivity),
      contacts: z.nullable(z.array(z.object({ contactId: z.string(), name: z.string(), contactTypes: z.array(z.string()) }))),
    }),
  }),
});
