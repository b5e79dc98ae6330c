import * as z from 'zod/mini';
import { endpoint, group, member, largeBody } from '../endpoint.ts';
import { longText } from '../long-text.ts';
import { oneLine } from '../one-line.ts';

/** Announcements that one upload can have. */
export const maxOwnAnnouncements = 20_000;

/** A BGP table that announcements of the account's space are read from. */
export const BgpTable = z.object({
  /** `collectors`: imported by the registry, seen by everyone. `own`: uploaded for the account, which alone sees it. */
  source: z.enum(['collectors', 'own']),
  family: z.enum(['ipv4', 'ipv6']),
  fileName: z.string(),
  collectedAt: z.iso.datetime(),
  importedAt: z.iso.datetime(),
  /** Null for those of the registry. */
  uploadedBy: z.nullable(z.string()),
  announcements: z.int(),
});
export type BgpTable = z.infer<typeof BgpTable>;

const OwnTables = z.object({
  rows: z.array(BgpTable),
  /** The addresses held, as prefixes: only what lies in them is kept. */
  space: z.array(z.string()),
});
const change = member('roas-update');

export const ownBgpTables = group('routes.ownTables', {
  listTables: endpoint({
    method: 'GET',
    path: '/api/:account/routes/bgp-tables',
    summary: 'BGP tables that the account’s announcements are read from: those of route collectors, and the account’s own.',
    access: member('rescert-view', { staff: true }),
    answer: OwnTables,
  }),
  uploadTable: endpoint({
    method: 'PUT',
    path: '/api/:account/routes/bgp-tables',
    summary:
      'Upload what your own routers announce or see, in place of the upload before. Only your account sees it; only what lies in its space is kept.',
    access: change,
    effect: 'records',
    largestBody: largeBody,
    body: z.object({
      fileName: z._default(oneLine(120), ''),
      /** When your routers had it; now unless given. */
      collectedAt: z.optional(z.iso.datetime()),
      /** A line for each announcement: prefix and AS number in either order, parted by blanks, tabs or commas; the number of peers may follow. `#` and `%` begin comments. */
      text: longText({
        most: 900_000,
        tooLong: 'The table is longer than 900,000 characters. Leave out what isn’t in your space',
        empty: 'Choose a file or paste lines first',
      }),
    }),
    answer: z.extend(OwnTables, {
      kept: z.int(),
      /** Left out: outside of the account's space, and with an AS set as origin. */
      outside: z.int(),
      sets: z.int(),
    }),
    errors: ['INVALID_REQUEST'],
    activity: 'Uploaded a BGP table',
  }),
  removeTable: endpoint({
    method: 'DELETE',
    path: '/api/:account/routes/bgp-tables',
    summary: 'Delete the BGP table that the account uploaded.',
    access: change,
    effect: 'records',
    answer: OwnTables,
    errors: ['NOT_FOUND'],
    activity: 'Deleted the uploaded BGP table',
  }),
});
