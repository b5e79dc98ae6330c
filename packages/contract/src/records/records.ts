import * as z from 'zod/mini';
import { calendarDay } from '../calendar-day.ts';
import { endpoint, group, member } from '../endpoint.ts';
import { resourceKinds } from '../resources/resource-kinds.ts';
import { delegationSources, delegationStatuses, delegationTypes } from '../resources/resources.ts';
import { Validity } from '../routes/routes.ts';
import { irtStates, whoisClasses } from '../whois/whois.ts';
import { rowVersion } from '../whole-numbers.ts';

const Quantity = z.string().check(z.regex(/^\d+$/));

/** Position of a record relative to the page's prefix or AS number. */
export const recordRelations = ['around', 'exact', 'inside'] as const;
const Relation = z.enum(recordRelations);

/** Holder of some numbers. Non-public details are filled for the caller's own account only. */
export const RecordHolding = z.object({
  relation: Relation,
  resource: z.string(),
  /** Page of the numbers. */
  link: z.string(),
  size: Quantity,
  type: z.enum(delegationTypes),
  statusText: z.nullable(z.string()),
  delegatedOn: z.nullable(z.iso.date()),
  economy: z.nullable(z.string()),
  /** Empty for a past holder other than the caller's account: earlier holders are other members. */
  holder: z.string(),
  own: z.boolean(),
  /** The registry that delegated it, where it is another one. */
  registry: z.nullable(z.string()),
  /** Only of the caller's own: */
  status: z.nullable(z.enum(delegationStatuses)),
  source: z.nullable(z.enum(delegationSources)),
  holdUntil: z.nullable(z.iso.date()),
  /** The last day of space for an event; null for all other space. */
  endsOn: z.nullable(z.iso.date()),
});
export type RecordHolding = z.infer<typeof RecordHolding>;

/** A customer's network, out of the ledger of the caller's own account. */
export const RecordAssignment = z.object({
  relation: Relation,
  resource: z.string(),
  link: z.string(),
  netname: z.string(),
  customer: z.nullable(z.string()),
  statusText: z.string(),
  visibility: z.enum(['public', 'private']),
  level: z.int(),
});
export type RecordAssignment = z.infer<typeof RecordAssignment>;

export const RecordObject = z.object({
  relation: Relation,
  class: z.enum(whoisClasses),
  key: z.string(),
  shown: z.string(),
  /** Numbers of networks, routes and AS numbers in the ledger's spelling. */
  resource: z.nullable(z.string()),
  /** netname, as-name, first line of descr, or the origin's name. */
  name: z.string(),
  version: rowVersion,
  changedAt: z.iso.datetime(),
  maintainers: z.array(z.string()),
  /** The account holds its numbers, and someone else maintains it. */
  mayReclaim: z.boolean(),
  link: z.string(),
});
export type RecordObject = z.infer<typeof RecordObject>;

/** The subjects that the page of some numbers judges, in its order. */
export const recordSubjects = ['registration', 'routing', 'reverse-dns', 'abuse', 'objects', 'tickets', 'fee'] as const;
export type RecordSubjectName = (typeof recordSubjects)[number];

/** A check of these numbers that passes or fails, with a way to fix it. */
export const RecordMark = z.object({
  /** Its subject. */
  about: z.enum(recordSubjects),
  mark: z.enum(['valid', 'info', 'warning', 'invalid']),
  /** Stable: `no-irt`, `irt-not-validated`, `route-without-aut-num`. */
  code: z.string(),
  /** An instant in it is ISO 8601; the page shows the reader's day. */
  message: z.string(),
  /** Null if only another party can fix it. */
  fix: z.nullable(z.object({ label: z.string(), link: z.string() })),
});
export type RecordMark = z.infer<typeof RecordMark>;

/** States as `StateMark` shows them. */
export const recordStates = ['valid', 'invalid', 'not-found', 'warning', 'info', 'pending', 'closed'] as const;

/** A section of the page that a part of the registry contributes: reverse DNS, ROAs, planned routes. */
export const RecordSection = z.object({
  /** Stable: `roas`. */
  id: z.string(),
  /** The subject whose details it lists; null for one of its own. */
  about: z.nullable(z.enum(recordSubjects)),
  title: z.string(),
  rows: z.array(
    z.object({
      label: z.string(),
      text: z.string(),
      /** Page with details. */
      link: z.nullable(z.string()),
      state: z.nullable(z.object({ mark: z.enum(recordStates), word: z.string() })),
      /** Possible actions, each on a page of its own. */
      actions: z.array(z.object({ label: z.string(), link: z.string() })),
    }),
  ),
  /** There is more than these rows. */
  more: z.boolean(),
  /** The page that has all of it. */
  link: z.nullable(z.object({ label: z.string(), link: z.string() })),
});
export type RecordSection = z.infer<typeof RecordSection>;

const Action = z.object({ label: z.string(), link: z.string() });

/** The state of one subject: routing, reverse DNS, the abuse contact. */
export const RecordHealth = z.object({
  about: z.enum(recordSubjects),
  /** The worst of its checks. */
  mark: z.enum(['valid', 'info', 'warning', 'invalid']),
  /** The state in a few words: `In the ledger and in whois`. */
  word: z.string(),
  facts: z.array(
    z.object({
      label: z.string(),
      /** Empty where the fact is a time. */
      text: z.string(),
      at: z.nullable(z.iso.datetime()),
      link: z.nullable(z.string()),
      /** It is a name that machines read. */
      mono: z.boolean(),
    }),
  ),
  actions: z.array(Action),
});
export type RecordHealth = z.infer<typeof RecordHealth>;

/** The view of the world of some addresses: announcements of them, of blocks around them and in them, and the published ROAs that decide those. */
export const RecordRouting = z.object({
  /** When collectors saw it; null without a table. */
  collectedAt: z.nullable(z.iso.datetime()),
  /** The most peers that see any announcement. */
  peers: z.int(),
  announcements: z.array(z.object({ prefix: z.string(), asn: z.int(), peers: z.int(), validity: Validity })),
  roas: z.array(z.object({ prefix: z.string(), asn: z.int(), maxLength: z.int() })),
  /** There is more than the answer lists. */
  more: z.boolean(),
});
export type RecordRouting = z.infer<typeof RecordRouting>;

/** A row of the time line: the states of one subject, the oldest first. */
export const RecordLane = z.object({
  /** Stable: `registration`. */
  id: z.string(),
  title: z.string(),
  spans: z.array(
    z.object({
      from: z.iso.datetime(),
      /** Null where it is so still. */
      until: z.nullable(z.iso.datetime()),
      text: z.string(),
      look: z.enum(['held', 'registered', 'object', 'valid', 'warning', 'invalid', 'reverse']),
    }),
  ),
});
export type RecordLane = z.infer<typeof RecordLane>;

export const ResourceRecord = z.object({
  kind: z.enum(resourceKinds),
  resource: z.string(),
  /** Ends of it, as people write addresses and AS numbers. */
  first: z.string(),
  last: z.string(),
  size: Quantity,
  /** First day on which it is shown; null for now. */
  on: z.nullable(z.iso.date()),
  /** All or the first hundred. */
  holdings: z.array(RecordHolding),
  moreHoldings: z.boolean(),
  /** Pools of the registry that include it. */
  pools: z.array(z.object({ relation: Relation, resource: z.string(), state: z.enum(['available', 'reserved']) })),
  assignments: z.array(RecordAssignment),
  moreAssignments: z.boolean(),
  /** An allocation of the account covers all of it, so that parts can be assigned. */
  mayAssign: z.boolean(),
  objects: z.array(RecordObject),
  /** More objects lie inside than are listed. */
  moreObjects: z.boolean(),
  contacts: z.array(
    z.object({ attribute: z.string(), handle: z.string(), class: z.nullable(z.string()), name: z.string(), link: z.nullable(z.string()) }),
  ),
  /** Mailboxes of the irts it names. */
  irtMailboxes: z.array(z.object({ irt: z.string(), mailbox: z.string(), state: z.enum(irtStates) })),
  /** The subjects that something is known of, in order; of today only. */
  health: z.array(RecordHealth),
  /** Null for AS numbers and for past days: tables of earlier days are not stored. */
  routing: z.nullable(RecordRouting),
  /** The part of the numbers in the annual fee of their holder, without tax; null for others, and where none is charged. */
  fee: z.nullable(
    z.object({
      currency: z.string(),
      /** By today's schedule and holdings, and without these numbers. */
      now: z.string(),
      without: z.string(),
      /** Of the addresses, or AS numbers, that the account holds. */
      share: z.number(),
    }),
  ),
  /** Who can change what, of the caller's own. */
  editors: z.array(z.object({ what: z.string(), names: z.array(z.string()) })),
  /** Registered in the numbers, of the caller's own: addresses. Null where parts can't be registered. */
  used: z.nullable(Quantity),
  /** Sections of other parts of the registry, in order. */
  sections: z.array(RecordSection),
  /** Marks of today only. */
  marks: z.array(RecordMark),
  /** Newest first: the delegation in the ledger, and the versions of the objects of exactly these numbers. */
  history: z.array(z.object({ at: z.iso.datetime(), what: z.string(), by: z.string(), link: z.nullable(z.string()) })),
  /** The same as states over time. */
  lanes: z.array(RecordLane),
});
export type ResourceRecord = z.infer<typeof ResourceRecord>;

export const whoisRecords = group('records', {
  getRecord: endpoint({
    method: 'GET',
    path: '/api/:account/resources/record',
    publicApi: { path: '/resources/record', scope: 'resources:read' },
    summary:
      'All that is known of a prefix, range or AS number, of whomever: holder, hierarchy, assignments, whois objects, contacts, history; now or as of a day.',
    access: member('resources-view', { staff: true }),
    query: z.object({ resource: z.string().check(z.trim(), z.minLength(1), z.maxLength(100)), on: z.optional(calendarDay()) }),
    answer: ResourceRecord,
    errors: ['INVALID_REQUEST'],
  }),
});
