import * as z from 'zod/mini';
import { endpoint, group, member, largeBody } from '../endpoint.ts';
import { oneLine } from '../one-line.ts';
import { severalLines } from '../several-lines.ts';
import { WhoisOutcome } from '../whois/whois.ts';
import { listOffset, rowVersion } from '../whole-numbers.ts';
import { zoneStates } from './zone-states.ts';

/** Zones that one request may delegate: those of a /16 cut into /24. */
export const maxZonesAtOnce = 256;
/** Zones of one request whose name servers are checked before they are delegated. */
export const maxCheckedFirst = 4;
/** Name servers of one zone. */
export const maxServers = 12;
/** Characters of a zone file that may be uploaded. */
export const longestZoneFile = 2_000_000;

/** DNSSEC of a zone. `ends-soon`: signatures end within days. `broken`: resolvers that validate refuse its answers. */
export const dnssecStates = ['none', 'signed', 'ends-soon', 'broken'] as const;

export const ReverseZone = z.object({
  zone: z.string(),
  prefix: z.string(),
  kind: z.enum(['ipv4', 'ipv6']),
  /** The prefix of the account's holding that it belongs to. */
  within: z.string(),
  state: z.enum(zoneStates),
  dnssec: z.enum(dnssecStates),
  /** In the order of the object; a server inside the zone with its address. */
  servers: z.array(z.string()),
  ds: z.array(z.string()),
  /** Key of the enclosing zone where it is covered. */
  coveredBy: z.nullable(z.string()),
  /** Version of the domain object; null without one. */
  version: z.nullable(z.int()),
  /** The last check; null before the first. */
  checkedAt: z.nullable(z.iso.datetime()),
  checkId: z.nullable(z.string()),
  /** The worst finding in a few words. */
  problem: z.nullable(z.string()),
  /** When signatures end, where that was seen. */
  signaturesEnd: z.nullable(z.iso.datetime()),
  /** Servers that don't answer for it, since the first of the checks in a row that they failed; left out of the parent zone since `disabledOn`. Days in UTC. */
  lame: z.array(z.object({ server: z.string(), since: z.iso.date(), disabledOn: z.nullable(z.iso.date()) })),
  /** Serial of the parent zone in which its current state was published; null before that. */
  sinceSerial: z.nullable(z.int()),
});
export type ReverseZone = z.infer<typeof ReverseZone>;

/** Space of the account whose reverse zones this registry doesn't delegate. */
const Outside = z.object({
  /** `registry`: another registry delegated the space, and serves its zones. `small`: parts of a /24, which the holder of the /24 hands on. */
  why: z.enum(['registry', 'small']),
  /** The other registry, as a name in a sentence. */
  registry: z.nullable(z.string()),
  /** The first five. */
  prefixes: z.array(z.string()),
  count: z.int(),
});

const Cell = z.object({ zone: z.string(), label: z.string(), state: z.enum(zoneStates), dnssec: z.enum(dnssecStates) });
const Block = z.object({
  /** A prefix of the holding, and the ending of the names of its zones. */
  prefix: z.string(),
  kind: z.enum(['ipv4', 'ipv6']),
  ending: z.string(),
  needed: z.int(),
  covered: z.int(),
  delegated: z.int(),
  signed: z.int(),
  cells: z.array(Cell),
});
export type ZoneBlock = z.infer<typeof Block>;

const filters = {
  q: z._default(z.string().check(z.trim(), z.maxLength(100)), ''),
  state: z.optional(z.enum(zoneStates)),
  dnssec: z.optional(z.enum(dnssecStates)),
  server: z.optional(z.string().check(z.maxLength(254))),
  /** `true`: those that have a delegation of their own; `false`: the others that the account’s space needs. */
  delegated: z.optional(z.enum(['true', 'false'])),
};

/** A request for reverse zones: the same name servers, keys and contacts for each. */
export const ZoneSubmission = z.object({
  zones: z.array(oneLine(100, 1)).check(z.minLength(1, { error: 'Choose a zone' }), z.maxLength(maxZonesAtOnce)),
  /** `remove` deletes the delegations; the rest of the request is ignored then. */
  operation: z._default(z.enum(['delegate', 'remove']), 'delegate'),
  servers: z._default(z.array(oneLine(300)).check(z.maxLength(24)), []),
  /**
   * DS or DNSKEY records, one a line; of a DNSKEY each zone gets its own DS. If left out, zones keep their DS records, as do zones without a line; an
   * empty text removes them, and DNSSEC with them.
   */
  keys: z.optional(severalLines(20_000)),
  descr: z._default(oneLine(200), ''),
  adminC: z._default(oneLine(60), ''),
  techC: z._default(oneLine(60), ''),
  zoneC: z._default(oneLine(60), ''),
  mntBy: z._default(oneLine(80), ''),
  reason: z._default(oneLine(300), ''),
  /** The version of the object that was edited, where the request is about one zone: with a newer one it is refused as STALE. */
  version: z.optional(rowVersion),
});
export type ZoneSubmission = z.infer<typeof ZoneSubmission>;

/** A problem of a request: a field, the entry where it has several, and the sentence. */
const Problem = z.object({ field: z.string(), index: z.nullable(z.int()), message: z.string() });
const ZoneOutcome = z.object({ zone: z.string(), prefix: z.string(), ds: z.array(z.string()), outcome: WhoisOutcome });
export type ZoneOutcome = z.infer<typeof ZoneOutcome>;

const view = member('whois-domain-objects-view', { staff: true });
const update = member('whois-domain-objects-update');
const writeErrors = ['ACCOUNT_SUSPENDED', 'ACCOUNT_RESTRICTED_IRT', 'TOO_MANY_OBJECTS', 'TOO_MANY_EDITS', 'INVALID_REQUEST'] as const;

export const reverseDns = group('reverseDns', {
  getSummary: endpoint({
    method: 'GET',
    path: '/api/:account/reverse-dns',
    publicApi: { path: '/reverse-dns', scope: 'reverse-dns:read' },
    summary: 'The reverse zones that the account’s space needs: what is delegated, signed and answers.',
    access: view,
    answer: z.object({
      counts: z.object({
        /** Zones that the space needs; of these, how many a delegation of their own or one around them answers for. */
        needed: z.int(),
        covered: z.int(),
        /** All delegations: of needed zones, and of zones inside them. */
        delegated: z.int(),
        ok: z.int(),
        warning: z.int(),
        lame: z.int(),
        unchecked: z.int(),
        missing: z.int(),
        signed: z.int(),
        endsSoon: z.int(),
      }),
      /** The contacts that most delegated zones have; null without a zone. */
      contacts: z.nullable(z.object({ adminC: z.string(), techC: z.string(), zoneC: z.string() })),
      lastCheckedAt: z.nullable(z.iso.datetime()),
      blocks: z.array(Block),
      outside: z.array(Outside),
      /** Name servers, the busiest first: how many zones each has, and for how many it answers with authority. */
      servers: z.array(z.object({ server: z.string(), zones: z.int(), answers: z.int(), checked: z.int() })),
    }),
  }),
  listZones: endpoint({
    method: 'GET',
    path: '/api/:account/reverse-dns/zones',
    publicApi: { path: '/reverse-dns/zones', scope: 'reverse-dns:read' },
    summary: 'The reverse zones of the account, a page at a time.',
    access: view,
    query: z.object({
      ...filters,
      offset: listOffset,
      limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(500)), 50),
    }),
    answer: z.object({ total: z.int(), rows: z.array(ReverseZone) }),
  }),
  exportZones: endpoint({
    method: 'GET',
    path: '/api/:account/reverse-dns/zones-export',
    publicApi: { path: '/reverse-dns/zones-export', scope: 'reverse-dns:read' },
    summary: 'All reverse zones that match, as CSV or JSON of the same columns.',
    access: view,
    query: z.object({ ...filters, format: z.enum(['csv', 'json']) }),
    answer: 'download',
  }),
  planZones: endpoint({
    method: 'GET',
    path: '/api/:account/reverse-dns/plan',
    publicApi: { path: '/reverse-dns/plan', scope: 'reverse-dns:read' },
    summary: 'The exact zones of a prefix, and what of each is delegated already.',
    access: view,
    query: z.object({ prefix: oneLine(100, 1, 'Enter a prefix, such as 192.0.2.0/24') }),
    answer: z.object({
      prefix: z.nullable(z.string()),
      /** Why there are no zones, and what to do; null when there are. */
      problem: z.nullable(z.string()),
      /** An example of a usable prefix. */
      suggestion: z.nullable(z.string()),
      rows: z.array(ReverseZone),
    }),
  }),
  previewZones: endpoint({
    method: 'POST',
    path: '/api/:account/reverse-dns/preview',
    publicApi: { path: '/reverse-dns/preview', scope: 'reverse-dns:write' },
    summary: 'The domain objects that a request would write, and everything that stands against them.',
    access: update,
    effect: 'reading',
    largestBody: largeBody,
    body: ZoneSubmission,
    answer: z.object({
      problems: z.array(Problem),
      zones: z.array(ZoneOutcome),
      /** Minutes for which a check counts that the request needs; null where it needs none. */
      checkMinutes: z.nullable(z.int()),
    }),
    errors: writeErrors,
    activity: 'Previewed reverse delegations',
  }),
  submitZones: endpoint({
    method: 'POST',
    path: '/api/:account/reverse-dns/zones',
    publicApi: { path: '/reverse-dns/zones', scope: 'reverse-dns:write' },
    summary: 'Delegate reverse zones, or remove delegations, each on its own: what is right is done though another is refused.',
    access: update,
    effect: 'zones',
    largestBody: largeBody,
    body: ZoneSubmission,
    answer: z.object({ zones: z.array(ZoneOutcome) }),
    errors: [...writeErrors, 'STALE', 'DNS_CHECK_MISSING', 'DNS_CHECK_FAILED'],
    activity: 'Changed reverse delegations',
  }),
});
