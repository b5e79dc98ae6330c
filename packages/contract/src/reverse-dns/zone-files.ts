import * as z from 'zod/mini';
import { endpoint, group, member } from '../endpoint.ts';
import { oneLine } from '../one-line.ts';
import { WhoisOutcome } from '../whois/whois.ts';
import { longestZoneFile } from './reverse-dns.ts';
import { longText } from '../long-text.ts';

/** Zones of one upload. */
export const maxUploadedZones = 10_000;
/** Rows of a preview that are rehearsed against whois; the rest is read only. */
export const maxRehearsed = 500;

const Upload = z.object({
  text: longText({
    most: longestZoneFile,
    tooLong: 'The file is larger than 2 MB. Send it in parts',
    empty: 'Choose a file, or paste its text',
  }),
  /** Origin of relative names until the file has `$ORIGIN`. */
  origin: z._default(oneLine(254), ''),
  adminC: z._default(oneLine(60), ''),
  techC: z._default(oneLine(60), ''),
  zoneC: z._default(oneLine(60), ''),
  mntBy: z._default(oneLine(80), ''),
});

const Row = z.object({
  zone: z.string(),
  prefix: z.nullable(z.string()),
  line: z.int(),
  servers: z.array(z.string()),
  ds: z.array(z.string()),
  /** `not-held`: not space of the account, so nothing is written; `refused`: whois refuses the object. */
  action: z.enum(['create', 'modify', 'unchanged', 'not-held', 'refused']),
  outcome: z.nullable(WhoisOutcome),
});
export type ZoneFileRow = z.infer<typeof Row>;

const update = member('whois-domain-objects-update');
const flag = 'zonefiles';
const errors = ['ACCOUNT_SUSPENDED', 'ACCOUNT_RESTRICTED_IRT', 'TOO_MANY_OBJECTS', 'TOO_MANY_TASKS', 'INVALID_REQUEST'] as const;

export const reverseZoneFiles = group('reverseDns.zoneFiles', {
  readZoneFile: endpoint({
    method: 'POST',
    path: '/api/:account/reverse-dns/zone-files/reading',
    publicApi: { path: '/reverse-dns/zone-files/reading', scope: 'reverse-dns:write' },
    summary: 'What a zone file would delegate: a row a zone, and what is wrong by line. Nothing is written.',
    access: update,
    effect: 'reading',
    body: Upload,
    answer: z.object({
      total: z.int(),
      rows: z.array(Row),
      problems: z.array(z.object({ line: z.int(), severity: z.enum(['error', 'warning']), message: z.string() })),
    }),
    errors,
    flag,
    largestBody: 3 * 1024 * 1024,
    activity: 'Previewed a zone file',
  }),
  uploadZoneFile: endpoint({
    method: 'POST',
    path: '/api/:account/reverse-dns/zone-files',
    publicApi: { path: '/reverse-dns/zone-files', scope: 'reverse-dns:write' },
    summary: 'Delegate the zones of a zone file, as a task. Zones outside of the account’s space are left out.',
    access: update,
    effect: 'zones',
    body: Upload,
    answer: z.object({ taskId: z.int(), zones: z.int() }),
    errors,
    flag,
    largestBody: 3 * 1024 * 1024,
    activity: 'Uploaded a zone file',
  }),
});
