import * as z from 'zod/mini';
import { endpoint, group, signedIn } from '../endpoint.ts';
import { oneLine } from '../one-line.ts';
import { checkGroups, dnsCheckIds } from './check-catalogue.ts';

/** Checks that one person may start within a minute. */
export const maxChecksAMinute = 10;
/** Days for which a report can be opened by its link. */
export const reportDays = 7;

/** The worst that was found; `failed`: the check itself could not be made. */
export const grades = ['ok', 'notice', 'warning', 'error', 'failed'] as const;

export const Finding = z.object({
  check: z.enum(dnsCheckIds),
  state: z.enum(['passed', 'failed', 'skipped']),
  severity: z.enum(['error', 'warning', 'notice']),
  group: z.enum(Object.keys(checkGroups) as [keyof typeof checkGroups, ...(keyof typeof checkGroups)[]]),
  /** The server it is about; null for the zone as a whole. */
  server: z.nullable(z.string()),
  /** The observation, in a sentence. */
  detail: z.string(),
});
export type Finding = z.infer<typeof Finding>;

const Target = z.object({
  server: z.string(),
  address: z.string(),
  /**
   * `authoritative`: answers correctly; `lame`: answers wrongly; `silent`: does not answer; `unreached`: not asked, because the registry has no route
   * to the address.
   */
  state: z.enum(['authoritative', 'lame', 'silent', 'unreached']),
  said: z.string(),
  udpMs: z.nullable(z.number()),
  tcpMs: z.nullable(z.number()),
  serial: z.nullable(z.int()),
});
export type CheckedServer = z.infer<typeof Target>;

export const CheckReport = z.object({
  findings: z.array(Finding),
  servers: z.array(Target),
  /** Zones from the root down, as far as they are known. */
  chain: z.array(z.object({ zone: z.string(), signed: z.nullable(z.boolean()), servers: z.nullable(z.int()) })),
  keys: z.array(z.object({ tag: z.int(), algorithm: z.int(), flags: z.int(), inDs: z.boolean() })),
  ds: z.array(z.string()),
  /** DS records that the zone asks for by CDS or CDNSKEY. */
  cds: z.array(z.string()),
  /** When that was signed with a key of the DS, where it may be followed; reports of earlier versions lack it. */
  cdsSince: z.optional(z.nullable(z.iso.datetime())),
  signatures: z.array(
    z.object({ covered: z.string(), tag: z.int(), begins: z.iso.datetime(), ends: z.iso.datetime(), valid: z.boolean() }),
  ),
  signaturesEnd: z.nullable(z.iso.datetime()),
  raw: z.array(z.object({ server: z.string(), question: z.string(), milliseconds: z.number(), text: z.string() })),
});
export type CheckReport = z.infer<typeof CheckReport>;

export const DnsCheckRun = z.object({
  checkId: z.string(),
  zone: z.string(),
  prefix: z.nullable(z.string()),
  /** Asked with servers and keys that are not delegated yet. */
  undelegated: z.boolean(),
  servers: z.array(z.string()),
  askedDs: z.array(z.string()),
  state: z.enum(['queued', 'done']),
  grade: z.nullable(z.enum(grades)),
  askedAt: z.iso.datetime(),
  doneAt: z.nullable(z.iso.datetime()),
  /** Until when the link opens it. */
  until: z.iso.datetime(),
  report: z.nullable(CheckReport),
  /** Checks that failed in the previous run and pass now, and vice versa. */
  since: z.nullable(
    z.object({ checkId: z.string(), askedAt: z.iso.datetime(), fixed: z.array(z.string()), appeared: z.array(z.string()) }),
  ),
});
export type DnsCheckRun = z.infer<typeof DnsCheckRun>;

export const StartingCheck = z.object({
  /** Zone name, prefix or address. */
  zone: oneLine(120, 1, 'Enter a zone, prefix or address'),
  servers: z._default(z.array(oneLine(300)).check(z.maxLength(24)), []),
  ds: z._default(z.array(oneLine(400)).check(z.maxLength(24)), []),
});
export const StartedCheck = z.object({ checkId: z.string(), zone: z.string() });

export const dnsChecking = group('reverseDns.checks', {
  startCheck: endpoint({
    method: 'POST',
    path: '/api/reverse-dns/checks',
    summary: 'Check a reverse zone: as it is delegated, or with the name servers and DS records given.',
    access: signedIn,
    effect: 'reading',
    body: StartingCheck,
    answer: StartedCheck,
    errors: ['TOO_MANY_CHECKS', 'INVALID_REQUEST'],
    activity: 'Checked a reverse zone',
  }),
  getCheck: endpoint({
    method: 'GET',
    path: '/api/reverse-dns/checks/:checkId',
    summary: 'A check and its report. Its id is the secret of its link.',
    access: signedIn,
    answer: DnsCheckRun,
    errors: ['NOT_FOUND'],
  }),
  listChecks: endpoint({
    method: 'GET',
    path: '/api/reverse-dns/checks',
    summary: 'The latest checks of the signed-in person.',
    access: signedIn,
    query: z.object({ zone: z.optional(z.string().check(z.maxLength(120))) }),
    answer: z.object({
      rows: z.array(
        z.object({
          checkId: z.string(),
          zone: z.string(),
          askedAt: z.iso.datetime(),
          grade: z.nullable(z.enum(grades)),
          undelegated: z.boolean(),
        }),
      ),
    }),
  }),
});
