import * as z from 'zod/mini';
import { invoiceKinds } from '../billing/billing.ts';
import { storedInvoiceStates } from '../billing/life.ts';
import { endpoint, group, staff } from '../endpoint.ts';
import { resourceKinds } from '../resources/resource-kinds.ts';
import { ticketStateNames } from '../tickets/queues.ts';
import { DeskRequest } from './desk.ts';

/** Years of the time line of an account. */
export const pictureYears = 10;
/** Invoices, cases, tickets and contacts that the time line draws: what is open, then the latest of each. */
export const pictureItems = 300;

/** Delegations that are listed one by one. */
export const pictureResources = 60;

const Resource = z.object({
  kind: z.enum(resourceKinds),
  resource: z.string(),
  /** Delegated on; null where it isn’t known. */
  since: z.nullable(z.iso.date()),
  size: z.string(),
  used: z.string(),
  /** Announcements of it that collectors see, by origin validation; for an AS number those that it originates. */
  routes: z.object({ valid: z.int(), invalid: z.int(), notFound: z.int() }),
  /** Its reverse zones; null for AS numbers, and where it has none. */
  zones: z.nullable(z.object({ needed: z.int(), covered: z.int(), lame: z.int() })),
});
const Held = z.object({
  /** The day from which the account held so much (UTC). */
  day: z.iso.date(),
  /** Numbers of addresses and AS numbers as decimal text. */
  ipv4: z.string(),
  ipv6: z.string(),
  asns: z.string(),
});
const Invoice = z.object({
  number: z.string(),
  kind: z.enum(Object.keys(invoiceKinds) as [keyof typeof invoiceKinds, ...(keyof typeof invoiceKinds)[]]),
  state: z.enum(storedInvoiceStates),
  /** The term that it pays for, if its kind has one. */
  periodFrom: z.iso.date(),
  periodTo: z.iso.date(),
  issuedOn: z.iso.date(),
  dueOn: z.iso.date(),
  /** The day on which nothing was owed any more: paid, cancelled or written off; null while something is. */
  settledOn: z.nullable(z.iso.date()),
  /** The day on which a payment settled it; null for one that was cancelled, written off or credited as a whole. */
  paidOn: z.nullable(z.iso.date()),
  currency: z.string(),
  total: z.string(),
  /** Owed now. */
  owed: z.string(),
});
const Sum = z.object({ currency: z.string(), amount: z.string() });
const Ticket = z.object({
  ticketId: z.string(),
  subject: z.string(),
  state: z.enum(ticketStateNames),
  owner: z.nullable(z.string()),
  createdAt: z.iso.datetime(),
  resolvedAt: z.nullable(z.iso.datetime()),
});

/** An account over time and its health now. A part that the reader can't open elsewhere is null. */
export const AccountPicture = z.object({
  at: z.iso.datetime(),
  memberSince: z.nullable(z.iso.date()),
  /** From the oldest to the latest: the first is what it held when the time line begins. */
  holdings: z.nullable(z.array(Held)),
  invoices: z.nullable(z.array(Invoice)),
  /** The fee of its next term by what it holds today, before tax; the sums that came in since it joined, less those that went back; and its unused credit. */
  money: z.nullable(
    z.object({
      /** Null where it pays none, or the fees of its next term can’t be known. `projected`: they aren’t announced yet. */
      fee: z.nullable(z.object({ begins: z.iso.date(), currency: z.string(), amount: z.string(), projected: z.boolean() })),
      paid: z.array(Sum),
      credit: Sum,
    }),
  ),
  /** Its votes in elections by holdings, and the name of the tier that gives them; null of an account that doesn’t vote, and where the part can’t be opened. */
  votes: z.nullable(z.object({ votes: z.int(), tier: z.nullable(z.string()) })),
  cases: z.nullable(
    z.array(
      z.pick(DeskRequest, {
        kind: true,
        requestId: true,
        reference: true,
        asked: true,
        state: true,
        requestedAt: true,
        resolvedAt: true,
        handler: true,
        dueAt: true,
        late: true,
      }),
    ),
  ),
  tickets: z.nullable(z.array(Ticket)),
  contacts: z.nullable(
    z.array(
      // Without names, which the sheet has: the line only counts.
      z.object({
        corporate: z.boolean(),
        /** Gets in with a password and nothing else. */
        passwordAlone: z.boolean(),
        from: z.iso.datetime(),
        until: z.nullable(z.iso.datetime()),
        /** When a corporate contact became an active one: added, promoted, or accepted; null for others. */
        corporateSince: z.nullable(z.iso.datetime()),
      }),
    ),
  ),
  /** The first delegations in order of their numbers; `delegations` counts all. */
  resources: z.nullable(z.object({ rows: z.array(Resource), delegations: z.int() })),
  routes: z.nullable(
    z.object({
      valid: z.int(),
      invalid: z.int(),
      notFound: z.int(),
      /** When collectors saw it; null without a table of BGP. */
      collectedAt: z.nullable(z.iso.datetime()),
      /** The invalid ones that most peers of the collectors still see; five at most. */
      worst: z.array(
        z.object({
          prefix: z.string(),
          asn: z.int(),
          why: z.enum(['invalid-asn', 'invalid-length']),
          /** Peers of the collectors that see it. */ peers: z.int(),
        }),
      ),
    }),
  ),
  zones: z.nullable(z.object({ needed: z.int(), ok: z.int(), warning: z.int(), lame: z.int(), unchecked: z.int(), missing: z.int() })),
  /** Mailboxes of its irt objects, by whether they answered in time; `pending` ones still may. */
  mailboxes: z.nullable(z.object({ valid: z.int(), pending: z.int(), invalid: z.int(), restricted: z.int() })),
  /** Parts that failed: the rest is complete. */
  failed: z.array(z.string()),
});
export type AccountPicture = z.infer<typeof AccountPicture>;

export const accountPictures = group('staff.accountPictures', {
  getAccountPicture: endpoint({
    method: 'GET',
    path: '/api/staff/accounts/:accountName/picture',
    summary:
      'Any account over ten years, and its health now: holdings, invoices, cases, tickets, contacts, routes, reverse zones and mailboxes. A part that the reader can’t open elsewhere, or that failed, is null.',
    access: staff('accounts'),
    query: z.object({
      /** `health`: only what shows how the account does now (contacts, routes, reverse zones and mailboxes); every other part is null. */
      part: z._default(z.enum(['all', 'health']), 'all'),
    }),
    answer: AccountPicture,
    errors: ['NOT_FOUND'],
  }),
});
