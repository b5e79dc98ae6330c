import { rowId } from '../row-ids.ts';
import * as z from 'zod/mini';
import { endpoint, group, member, largeBody } from '../endpoint.ts';
import { oneLine } from '../one-line.ts';
import { listOffset, listedId, prefixLength, wholeCount } from '../whole-numbers.ts';

/** Routes that one change may add, change or delete. */
export const maxRoutesAtOnce = 5_000;
/** New routes in the list of one change. */
export const maxNewRoutes = 2_000;
/** Lines that the text of one change may have. */
export const maxRouteLines = 10_000;
/** Route objects that one change may write. */
export const maxObjectsAtOnce = 500;
/** Routes of a change in one answer. */
export const listedItems = 200;
/** From this many deletions on, the number has to be typed. */
export const massDeletion = 10;
/** Hours in which a change can be undone with one click. */
export const undoHours = 24;
/** Sub-routes of one route that may have route objects. */
export const maxSubRoutes = 512;

/**
 * State of the ROA of a route. `pending`: the next publication has it. `not-held`: the prefix is not certified for the account any more. `stopped`: nothing of
 * the account is published at the moment. `missing`: it is wanted, and was removed elsewhere. `differs`: it has another maximum length. `unmanaged`:
 * there is one that no route wants.
 */
export const routeRoaStates = ['off', 'pending', 'published', 'not-held', 'stopped', 'missing', 'differs', 'unmanaged'] as const;
/**
 * State of a route object. `waiting`: for the consent of the holder of the AS. `refused`: consent was refused or not given in time. `missing`: it is
 * wanted, and was deleted
 * elsewhere. `drifted`: its attributes were changed elsewhere. `foreign`: it is maintained by others. `unmanaged`: there is one that no route wants.
 */
export const routeWhoisStates = ['off', 'present', 'waiting', 'refused', 'missing', 'drifted', 'foreign', 'unmanaged'] as const;
export type RouteRoaState = (typeof routeRoaStates)[number];
export type RouteWhoisState = (typeof routeWhoisStates)[number];

/** State of an announcement among the ROAs that validators find (RFC 6811), the invalid ones by what is wrong. */
export const Validity = z.enum(['valid', 'invalid-asn', 'invalid-length', 'not-found']);
export type Validity = z.infer<typeof Validity>;

/** The intended contents of a route. */
const facts = {
  prefix: z.string(),
  /** 0: no AS may announce the prefix. */
  asn: z.int(),
  maxLength: z.int(),
  /** A ROA is wanted. */
  roa: z.boolean(),
  /** A route object is wanted, for the prefix and each sub-route. */
  whois: z.boolean(),
  subRoutes: z.array(z.string()),
  /** Of its route objects. */
  descr: z.string(),
  maintainer: z.string(),
  /** Further lines of them, such as `remarks: customer 12`. */
  attributes: z.string(),
  comment: z.string(),
  /** Who is responsible for it: a person or team. */
  owner: z.string(),
};
export const RouteFacts = z.object(facts);
export type RouteFacts = z.infer<typeof RouteFacts>;

const RouteObject = z.object({
  prefix: z.string(),
  /** `198.18.0.0/19AS64500` */
  shown: z.string(),
  class: z.enum(['route', 'route6']),
  state: z.enum(routeWhoisStates),
  maintainers: z.array(z.string()),
  /** The current object; null if there is none. */
  text: z.nullable(z.string()),
});
export type RouteObject = z.infer<typeof RouteObject>;

export const Route = z.object({
  /** Null for a ROA or route object that no route of the account wants: it can be adopted. */
  routeId: z.nullable(z.string()),
  ...facts,
  roaState: z.enum(routeRoaStates),
  /** The maximum length of the ROA that exists; null without one. */
  roaMaxLength: z.nullable(z.int()),
  whoisState: z.enum(routeWhoisStates),
  /** Route objects it has or wants. */
  objects: z.array(RouteObject),
  /** Who holds the AS number: this account, another one, or unknown to this registry. */
  holder: z.enum(['mine', 'other', 'unknown', 'none']),
  /** How many peers of the collectors see exactly this announcement; null when none does, or there is no table. */
  seenBy: z.nullable(z.int()),
  /** Of the announcement as seen; null when it is not seen. */
  validity: z.nullable(Validity),
  changedAt: z.nullable(z.iso.datetime()),
});
export type Route = z.infer<typeof Route>;

const Prefix = oneLine(60).check(z.minLength(1, { error: 'Enter a prefix, such as 192.0.2.0/24' }));
const AsNumber = oneLine(20).check(z.minLength(1, { error: 'Enter an AS number, such as AS64500' }));
const MaxLength = z.nullable(prefixLength);
const details = {
  subRoutes: z.array(oneLine(60)).check(z.maxLength(maxSubRoutes)),
  descr: oneLine(200),
  maintainer: oneLine(80),
  attributes: z.string().check(z.maxLength(4_000)),
  comment: oneLine(200),
  owner: oneLine(80),
};

export const NewRoute = z.object({
  /** `192.0.2.0/24` */
  prefix: Prefix,
  /** `AS64500` or `64500`; `AS0` for a ROA that forbids every announcement. */
  asn: AsNumber,
  /** The length of the prefix unless given. */
  maxLength: z.optional(MaxLength),
  roa: z._default(z.boolean(), true),
  whois: z._default(z.boolean(), false),
  subRoutes: z._default(details.subRoutes, []),
  /** Empty: the name of the organisation. */
  descr: z._default(details.descr, ''),
  /** Empty: the principal maintainer. */
  maintainer: z._default(details.maintainer, ''),
  attributes: z._default(details.attributes, ''),
  comment: z._default(details.comment, ''),
  owner: z._default(details.owner, ''),
});
export type NewRoute = z.infer<typeof NewRoute>;

const Id = rowId();

/** Only what is given changes. Prefix and AS number never do: add the new route and delete the old one in the same change. */
export const ChangedRoute = z.object({
  routeId: Id,
  maxLength: z.optional(prefixLength),
  roa: z.optional(z.boolean()),
  whois: z.optional(z.boolean()),
  subRoutes: z.optional(details.subRoutes),
  descr: z.optional(details.descr),
  maintainer: z.optional(details.maintainer),
  attributes: z.optional(details.attributes),
  comment: z.optional(details.comment),
  owner: z.optional(details.owner),
  /** Handling of route objects that were changed elsewhere: `ours` overwrites them, `theirs` adopts their attributes. */
  objects: z.optional(z.enum(['ours', 'theirs'])),
});
export type ChangedRoute = z.infer<typeof ChangedRoute>;

const parts = {
  /** More are sent as `text`, which a thread reads: all fields of so many are checked in one turn. */
  add: z._default(z.array(NewRoute).check(z.maxLength(maxNewRoutes)), []),
  change: z._default(z.array(ChangedRoute).check(z.maxLength(maxRoutesAtOnce)), []),
  /** Deletes routes with their ROAs and route objects, unless these are kept. */
  remove: z._default(
    z
      .array(z.object({ routeId: Id, keepRoa: z._default(z.boolean(), false), keepObjects: z._default(z.boolean(), false) }))
      .check(z.maxLength(maxRoutesAtOnce)),
    [],
  ),
  /** ROAs and route objects that exist become routes; nothing is written elsewhere. */
  adopt: z._default(z.array(z.object({ prefix: Prefix, asn: AsNumber })).check(z.maxLength(maxRoutesAtOnce)), []),
  /** Lines `prefix, AS number, maximum length, ROA, whois, comment, owner` of a CSV file or a list, `maxRouteLines` at most; known routes are changed, others added. */
  text: z._default(z.string().check(z.maxLength(900_000)), ''),
};
export const RouteChanges = z.object(parts);
export type RouteChanges = z.infer<typeof RouteChanges>;

export const SavedRouteChanges = z.object({
  ...parts,
  /** The version of the list that the change was made on. */
  version: z.string().check(z.maxLength(30)),
  /** The effect’s `toConfirm`, typed by the person: needed as soon as it isn’t 0. */
  invalidating: z.optional(wholeCount),
  /** How many routes are deleted, typed by the person: needed from ten on. */
  removing: z.optional(wholeCount),
});
export type SavedRouteChanges = z.infer<typeof SavedRouteChanges>;

const RouteProblem = z.object({
  list: z.enum(['add', 'change', 'remove', 'adopt', 'text']),
  /** Place in the list; of a text, the line, from 1. */
  index: z.int(),
  field: z.nullable(z.string()),
  /** The route it is about, as it was given. */
  route: z.string(),
  problem: z.string(),
});
export type RouteProblem = z.infer<typeof RouteProblem>;

/** The effect of a change on one route. */
const PlannedRoute = z.object({
  action: z.enum(['add', 'change', 'remove', 'adopt']),
  prefix: z.string(),
  asn: z.int(),
  maxLength: z.int(),
  roa: z.nullable(z.enum(['add', 'replace', 'remove', 'keep'])),
  objects: z.array(z.object({ shown: z.string(), done: z.enum(['create', 'modify', 'delete', 'keep', 'wait']) })),
  /** Maintainers of which one has to agree first; its route objects wait for that. */
  waitsFor: z.array(z.string()),
  warnings: z.array(z.string()),
});
export type PlannedRoute = z.infer<typeof PlannedRoute>;

/** One announcement of the account's space before and after a change. */
const AnnouncementEffect = z.object({
  prefix: z.string(),
  asn: z.int(),
  peers: z.int(),
  before: Validity,
  after: Validity,
});
export type AnnouncementEffect = z.infer<typeof AnnouncementEffect>;

const Tally = z.object({ valid: z.int(), invalid: z.int(), notFound: z.int() });
export type Tally = z.infer<typeof Tally>;

export const RouteEffect = z.object({
  /** When collectors saw what this was checked by; null without a table. */
  collectedAt: z.nullable(z.iso.datetime()),
  /** Announcements that the change can affect, those that differ first; at most 500. */
  announcements: z.array(AnnouncementEffect),
  total: z.int(),
  changed: z.int(),
  becomeInvalid: z.int(),
  /** Announcements that many networks see, and that are left without any ROA: valid before, not found after. */
  loseRoa: z.int(),
  /** The number to type before this is done: those that become invalid and those that lose their ROA together. */
  toConfirm: z.int(),
  becomeValid: z.int(),
  /** All announcements of the account's space, before and after. */
  before: Tally,
  after: Tally,
});
export type RouteEffect = z.infer<typeof RouteEffect>;

export const RouteCheck = z.object({
  version: z.string(),
  problems: z.array(RouteProblem),
  /** The planned effect on each route; at most 500 of them. */
  planned: z.array(PlannedRoute),
  counts: z.object({
    routes: z.int(),
    added: z.int(),
    changed: z.int(),
    removed: z.int(),
    unchanged: z.int(),
    roasAdded: z.int(),
    roasRemoved: z.int(),
    objectsWritten: z.int(),
    objectsWaiting: z.int(),
  }),
  effect: RouteEffect,
});
export type RouteCheck = z.infer<typeof RouteCheck>;

/** One object that a change wrote, and what happened to it. */
const ObjectResult = z.object({
  /** `ROA AS64500 198.18.0.0/19-24`, `route 198.18.0.0/19AS64500` */
  object: z.string(),
  done: z.enum(['added', 'changed', 'removed', 'waits', 'adopted']),
  /** The request that its consent waits in. */
  consentId: z.nullable(z.int()),
});
export const RouteChangeItem = z.object({
  action: z.enum(['add', 'change', 'remove', 'adopt']),
  before: z.nullable(RouteFacts),
  after: z.nullable(RouteFacts),
  results: z.array(ObjectResult),
});
export type RouteChangeItem = z.infer<typeof RouteChangeItem>;

export const routeChangeKinds = ['save', 'import', 'adopt', 'undo'] as const;
const changeFacts = {
  changeId: z.string(),
  kind: z.enum(routeChangeKinds),
  madeBy: z.string(),
  madeAt: z.iso.datetime(),
  /** `Added 2 routes, deleted 1` */
  summary: z.string(),
  waiting: z.int(),
  /** Until when it can be undone; null when it can't be any more. */
  undoUntil: z.nullable(z.iso.datetime()),
  /** The change that undid it. */
  undoneBy: z.nullable(z.string()),
  undoes: z.nullable(z.string()),
};
export const RouteChangeRow = z.object(changeFacts);
export type RouteChangeRow = z.infer<typeof RouteChangeRow>;
export const RouteChangeDetails = z.object({
  ...changeFacts,
  activityId: z.int(),
  /** Its routes: the first `listedItems`, or those of a page. */
  items: z.array(RouteChangeItem),
  total: z.int(),
  /** Offset of the page after these; null after the last. */
  next: z.nullable(z.int()),
});
export type RouteChangeDetails = z.infer<typeof RouteChangeDetails>;

export const routeSorts = ['prefix', 'asn', 'changedAt'] as const;
const filters = {
  /** Prefix, AS number, comment or owner; a prefix finds what is inside it and around it. */
  q: z._default(z.string().check(z.trim(), z.maxLength(100)), ''),
  /** One route by its id. */
  id: z.optional(rowId()),
  family: z.optional(z.enum(['ipv4', 'ipv6'])),
  /** `managed`: routes. `unmanaged`: ROAs and route objects without one. `attention`: its actual state differs from the intended one. */
  show: z.optional(z.enum(['managed', 'unmanaged', 'attention', 'not-seen', 'invalid'])),
  sort: z._default(z.enum(routeSorts), 'prefix'),
  direction: z._default(z.enum(['asc', 'desc']), 'asc'),
};

const RouteTotals = z.object({
  routes: z.int(),
  unmanaged: z.int(),
  attention: z.int(),
  /** Addresses that the routes shown cover, each counted once; IPv6 in /64 networks. Decimal text. */
  ipv4Addresses: z.string(),
  ipv6Networks: z.string(),
});

const view = member('rescert-view', { staff: true });
const changing = [
  'INVALID_REQUEST',
  'STALE',
  'ROUTES_INVALIDATE',
  'ROUTE_COUNT_WRONG',
  'NOTHING_TO_DO',
  'ACCOUNT_SUSPENDED',
  'ACCOUNT_RESTRICTED_IRT',
  'TOO_MANY_OBJECTS',
  'RPKI_NOT_ENABLED',
  'ROA_COUNT_WRONG',
  'NO_PERMISSION',
] as const;

export const routes = group('routes', {
  listRoutes: endpoint({
    method: 'GET',
    path: '/api/:account/routes',
    publicApi: { path: '/routes', scope: 'routes:read' },
    summary:
      'Intended announcements with the state of their ROAs and route objects, and ROAs and route objects without one. A page at a time.',
    access: view,
    query: z.object({
      ...filters,
      offset: listOffset,
      limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(500)), 50),
    }),
    answer: z.object({
      version: z.string(),
      rows: z.array(Route),
      /** Of those that match. */
      total: z.int(),
      totals: RouteTotals,
      /** Whether RPKI is enabled for the account; without it there are no ROAs. */
      rpki: z.enum(['off', 'on']),
      collectedAt: z.nullable(z.iso.datetime()),
      tally: Tally,
      maintainers: z.array(z.string()),
    }),
  }),
  exportRoutes: endpoint({
    method: 'GET',
    path: '/api/:account/routes/export',
    publicApi: { path: '/routes-export', scope: 'routes:read' },
    summary: 'All routes that match, as CSV or JSON of the same columns. What is exported can be imported again.',
    access: view,
    query: z.object({ ...filters, format: z.enum(['csv', 'json']) }),
    answer: 'download',
  }),
  checkRoutes: endpoint({
    method: 'POST',
    path: '/api/:account/routes/check',
    publicApi: { path: '/routes/check', scope: 'routes:write' },
    summary: 'Say what is wrong with a change, what it would write, and what it does to each announcement that is seen. Changes nothing.',
    access: member('roas-update'),
    effect: 'reading',
    largestBody: largeBody,
    body: RouteChanges,
    answer: RouteCheck,
    errors: ['NO_PERMISSION', 'ACCOUNT_SUSPENDED', 'ACCOUNT_RESTRICTED_IRT', 'TOO_MANY_OBJECTS', 'RPKI_NOT_ENABLED'],
    activity: 'Checked a change of routes',
  }),
  saveRoutes: endpoint({
    method: 'POST',
    path: '/api/:account/routes',
    publicApi: { path: '/routes', scope: 'routes:write' },
    summary: 'Add, change, delete and adopt routes with their ROAs and route objects, all together or not at all.',
    access: member('roas-update'),
    effect: 'routing',
    largestBody: largeBody,
    body: SavedRouteChanges,
    answer: RouteChangeDetails,
    errors: changing,
    activity: 'Changed routes',
  }),
  listChanges: endpoint({
    method: 'GET',
    path: '/api/:account/routes/changes',
    publicApi: {
      path: '/routes/changes',
      scope: 'routes:read',
      continues: { parameter: 'before', entries: 'rows', id: 'changeId', more: 'more' },
    },
    summary: 'Changes of routes, the last first.',
    access: view,
    query: z.object({
      before: z.optional(listedId),
      limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(200)), 50),
    }),
    answer: z.object({ rows: z.array(RouteChangeRow), more: z.boolean() }),
  }),
  getChange: endpoint({
    method: 'GET',
    path: '/api/:account/routes/changes/:changeId',
    publicApi: { path: '/routes/changes/:changeId', scope: 'routes:read', continues: { parameter: 'offset', next: 'next' } },
    summary: 'One change of routes with the result for each object, a page of them at a time, and whether validators find their ROAs.',
    access: view,
    query: z.object({ offset: listOffset }),
    answer: z.extend(RouteChangeDetails, {
      /** Of the ROAs that it changed with the listed routes; null where it changed none. */
      roas: z.nullable(
        z.object({
          /** `elsewhere`: another process serves the repository, which was not asked. */
          state: z.enum(['done', 'waiting', 'elsewhere']),
          /** Of the publication that has them; null until there is one, and where ROAs were only removed. */
          serial: z.nullable(z.int()),
        }),
      ),
    }),
    errors: ['NOT_FOUND'],
  }),
  undoChange: endpoint({
    method: 'POST',
    path: '/api/:account/routes/changes/:changeId/undo',
    publicApi: { path: '/routes/changes/:changeId/undo', scope: 'routes:write' },
    summary: `Undo a change of routes within ${undoHours} hours: routes, ROAs and route objects are again as they were before it.`,
    access: member('roas-update'),
    effect: 'routing',
    body: z.object({
      /** The effect’s `toConfirm`, typed by the person: needed as soon as it isn’t 0. */
      invalidating: z.optional(wholeCount),
    }),
    answer: RouteChangeDetails,
    errors: [...changing, 'NOT_FOUND', 'ALREADY_RESOLVED', 'ROUTES_CHANGED_SINCE', 'UNDO_TOO_LATE'],
    activity: 'Undid a change of routes',
  }),
});
