import { listingLife, listingStates } from './listing-life.ts';
import { publicWords } from '../public-words.ts';
import * as z from 'zod/mini';
import { endpoint, group, member, staff } from '../endpoint.ts';
import { oneLine } from '../one-line.ts';
import { severalLines } from '../several-lines.ts';
import { listedId } from '../whole-numbers.ts';

/** Days a listing stays on the board, unless it is renewed. */
export const listingDays = 90;
/** Prefix lengths on the board: the smallest block that can be transferred, and the largest. */
export const listingLengths = { smallest: 24, largest: 8 } as const;
/** Messages an account can send about listings in a day. */
export const maxListingMessages = 10;

export const listingKinds = { offer: 'Offered', wanted: 'Wanted' } as const;
const kinds = Object.keys(listingKinds) as ['offer', 'wanted'];

/** One entry of the board. It names no address of a person. */
export const Listing = z.object({
  listingId: z.string(),
  kind: z.enum(kinds),
  length: z.int(),
  /** The block and its holder, where the holder shows them, and always to itself. */
  resource: z.nullable(z.string()),
  holder: z.nullable(z.string()),
  economy: z.nullable(z.string()),
  interRegistry: z.boolean(),
  notes: z.string(),
  state: z.enum(listingStates),
  own: z.boolean(),
  namesHolder: z.boolean(),
  listedAt: z.iso.datetime(),
  expiresOn: z.iso.date(),
  endedAt: z.nullable(z.iso.datetime()),
  endedWhy: z.string(),
  /** Messages it got; of own listings only. */
  messages: z.nullable(z.int()),
  /** The account wrote about it already. */
  asked: z.boolean(),
});
export type Listing = z.infer<typeof Listing>;

/** A listing as registry staff see it. */
export const StaffListing = z.extend(Listing, {
  accountName: z.string(),
  reports: z.array(z.object({ accountName: z.string(), words: z.string(), at: z.iso.datetime() })),
});
export type StaffListing = z.infer<typeof StaffListing>;

const see = member('tickets-resources-view');
const update = member('tickets-resources-update');
const length = z.coerce.number().check(z.int(), z.minimum(listingLengths.largest), z.maximum(listingLengths.smallest));

export const listings = group('requests.listings', {
  listListings: endpoint({
    method: 'GET',
    path: '/api/:account/listings',
    publicApi: { path: '/listings', scope: 'requests:read', continues: { parameter: 'before', next: 'next' } },
    summary: 'The board of IPv4 for transfer, newest first, a page at a time; or the listings of the account, ended ones too.',
    access: see,
    query: z.object({
      of: z._default(z.enum(['all', 'own']), 'all'),
      kind: z.optional(z.enum(kinds)),
      length: z.optional(length),
      economy: z.optional(
        z.string().check(z.toUpperCase(), z.regex(/^[A-Z]{2}$/, { error: 'Enter a two-letter country code, such as AU' })),
      ),
      interRegistry: z.optional(z.enum(['yes', 'no'])),
      q: z._default(z.string().check(z.trim(), z.maxLength(100)), ''),
      before: z.optional(listedId),
      limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100)), 50),
    }),
    answer: z.object({
      rows: z.array(Listing),
      /** For `before`; null when there is nothing older. */
      next: z.nullable(z.int()),
      total: z.int(),
      economies: z.array(z.string()),
    }),
  }),
  addListing: endpoint({
    method: 'POST',
    path: '/api/:account/listings',
    publicApi: { path: '/listings', scope: 'requests:write' },
    summary: `Offer a block of the account for transfer, or say what is looked for. It stays listed for ${listingDays} days.`,
    access: update,
    effect: 'statements',
    body: z.object({
      kind: z.enum(kinds),
      /** Of an offer: a prefix the account holds. */
      resource: z._default(oneLine(100), ''),
      /** Of what is wanted. */
      length: z._default(z.int().check(z.minimum(0), z.maximum(listingLengths.smallest)), 0),
      notes: z._default(publicWords(500), ''),
      namesHolder: z._default(z.boolean(), false),
      interRegistry: z._default(z.boolean(), false),
      /** Messages reach the contacts by mail of the registry; addresses are not shown. */
      consent: z.literal(true, { error: 'Agree to get messages of other holders by e-mail' }),
    }),
    answer: Listing,
    errors: [
      'INVALID_REQUEST',
      'NOT_HOLDER',
      'RESOURCE_LOCKED',
      'ON_HOLD_UNTIL',
      'REQUEST_NOT_ALLOWED',
      'LISTING_EXISTS',
      'TOO_MANY_LISTINGS',
      'ACCOUNT_SUSPENDED',
    ],
    activity: 'Listed IPv4 for transfer',
  }),
  renewListing: endpoint({
    method: 'POST',
    path: '/api/:account/listings/:listingId/renew',
    publicApi: { path: '/listings/:listingId/renew', scope: 'requests:write' },
    summary: `Keep an open listing for another ${listingDays} days.`,
    moves: listingLife.renew,
    access: update,
    effect: 'statements',
    answer: Listing,
    errors: ['NOT_FOUND', 'LISTING_ENDED', 'RESOURCE_LOCKED', 'ACCOUNT_SUSPENDED'],
    activity: 'Renewed a listing',
  }),
  withdrawListing: endpoint({
    method: 'POST',
    path: '/api/:account/listings/:listingId/withdraw',
    publicApi: { path: '/listings/:listingId/withdraw', scope: 'requests:write' },
    summary: 'Withdraw a listing.',
    moves: listingLife.withdraw,
    access: update,
    effect: 'protection',
    answer: Listing,
    errors: ['NOT_FOUND', 'LISTING_ENDED'],
    activity: 'Withdrew a listing',
  }),
  askAboutListing: endpoint({
    method: 'POST',
    path: '/api/:account/listings/:listingId/messages',
    publicApi: { path: '/listings/:listingId/messages', scope: 'requests:write' },
    summary:
      'Write to the holder of a listing: the registry mails it on with name, account and address of the sender, who agrees to that. The holder’s address stays hidden.',
    access: update,
    effect: 'conversation',
    body: z.object({
      words: severalLines(2_000, 1),
      consent: z.literal(true, { error: 'Agree to share your name and e-mail address with the holder' }),
    }),
    answer: Listing,
    errors: ['NOT_FOUND', 'LISTING_ENDED', 'OWN_LISTING', 'TOO_MANY_MESSAGES', 'ACCOUNT_SUSPENDED'],
    activity: 'Wrote about a listing',
  }),
  reportListing: endpoint({
    method: 'POST',
    path: '/api/:account/listings/:listingId/reports',
    summary: 'Tell the registry that something is wrong with a listing.',
    access: update,
    effect: 'conversation',
    body: z.object({ words: severalLines(1_000, 1) }),
    answer: Listing,
    errors: ['NOT_FOUND', 'LISTING_ENDED', 'OWN_LISTING', 'TOO_MANY_MESSAGES'],
    activity: 'Reported a listing',
  }),
  listStaffListings: endpoint({
    method: 'GET',
    path: '/api/staff/listings',
    summary: 'Open listings with their holders and reports, reported ones first.',
    access: staff('transfers'),
    answer: z.object({ rows: z.array(StaffListing), total: z.int() }),
  }),
  removeListing: endpoint({
    method: 'POST',
    path: '/api/staff/listings/:listingId/remove',
    summary: 'Remove a listing, with the reason that its holder reads.',
    moves: listingLife.remove,
    access: staff('transfers'),
    effect: 'statements',
    body: z.object({ reason: oneLine(500, 1, 'Enter a reason') }),
    answer: StaffListing,
    errors: ['NOT_FOUND', 'LISTING_ENDED'],
    activity: 'Removed a listing',
  }),
});
