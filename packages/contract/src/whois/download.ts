import * as z from 'zod/mini';
import { contact, endpoint, group } from '../endpoint.ts';
import { whoisClasses, whoisFilters } from './whois.ts';

export const downloadFormats = ['rpsl', 'json', 'csv'] as const;
/** Ranges of one download. */
export const maxDownloadedRanges = 50;

/** Selects the objects of a file. */
const choice = {
  /** Names separated by commas; none: all. */
  classes: z._default(
    z.string().check(
      z.refine(names => names === '' || names.split(',').every(name => whoisClasses.some(each => each === name)), {
        error: 'Write classes such as inetnum,route',
      }),
    ),
    '',
  ),
  maintainer: whoisFilters.maintainer,
  changedSince: whoisFilters.changedSince,
  /** Prefixes, address ranges and AS numbers, separated by commas: only objects about these. None: all. */
  ranges: z._default(z.string().check(z.trim(), z.maxLength(3_000)), ''),
  /** Includes objects inside the ranges, and routes of the AS numbers. */
  children: z._default(z.enum(['yes', 'no']), 'yes'),
  /** Assignments that are registered and not in whois; takes the permission to see them. */
  privateOnes: z.optional(z.enum(['yes'])),
};

export const whoisDownload = group('whois.download', {
  countDownload: endpoint({
    method: 'GET',
    path: '/api/:account/whois/download-count',
    summary: 'How much a download would hold.',
    access: contact,
    query: z.object(choice),
    answer: z.object({
      objects: z.int(),
      /** Bytes of the text before compression. */
      bytes: z.int(),
      classes: z.array(z.object({ class: z.string(), objects: z.int(), bytes: z.int() })),
      privateOnes: z.int(),
      /** Persons whose names and addresses are left out for the caller. */
      masked: z.int(),
    }),
    errors: ['INVALID_REQUEST', 'NO_PERMISSION'],
  }),
  downloadObjects: endpoint({
    method: 'GET',
    path: '/api/:account/whois/download',
    publicApi: { path: '/whois/download', scope: 'whois:read' },
    summary:
      'Whois objects of the account as they are stored, in one file: as text that can be sent again, as JSON, or their keys and names as CSV. Nothing that opens a maintainer.',
    access: contact,
    query: z.object({ ...choice, format: z._default(z.enum(downloadFormats), 'rpsl'), gzip: z.optional(z.enum(['yes'])) }),
    answer: 'download',
    downloads: ['txt', 'json', 'csv', 'gzip'],
    errors: ['INVALID_REQUEST', 'NO_PERMISSION'],
  }),
});
