import * as z from 'zod/mini';
import { calendarDay } from '../calendar-day.ts';
import { endpoint, group, member } from '../endpoint.ts';
import { KindTotals, Quantity, resourceKinds } from './resource-kinds.ts';
import { listOffset } from '../whole-numbers.ts';

export const delegationTypes = ['allocated', 'assigned'] as const;
export const delegationStatuses = ['active', 'locked', 'closing', 'closed'] as const;
export const delegationSources = ['delegated', 'transferred', 'historical'] as const;

/** Number resources that the registry delegated to a holder. */
export const Delegation = z.object({
  delegationId: z.string(),
  kind: z.enum(resourceKinds),
  /** Usual notation: `192.0.2.0/24`, `192.0.2.0 - 192.0.4.255`, `2001:db8::/32`, `AS64500`, `AS64500 - AS64505`. */
  resource: z.string(),
  first: z.string(),
  last: z.string(),
  /** Smallest list of prefixes that covers it exactly; empty for AS numbers. */
  prefixes: z.array(z.string()),
  size: Quantity,
  type: z.enum(delegationTypes),
  /** `ALLOCATED PORTABLE`, `ASSIGNED PORTABLE`; null for AS numbers. */
  statusText: z.nullable(z.string()),
  status: z.enum(delegationStatuses),
  source: z.enum(delegationSources),
  delegatedOn: z.nullable(z.iso.date()),
  economy: z.nullable(z.string()),
  /** Space of the last /8 that may not be transferred before this date (policy: five years). */
  holdUntil: z.nullable(z.iso.date()),
  /** Addresses registered below it (assignments and sub-allocations), never counted twice. */
  used: Quantity,
  /** Number of registrations below it. */
  registrations: z.int(),
});
export type Delegation = z.infer<typeof Delegation>;

export const delegationSorts = [
  'resource',
  'size',
  'type',
  'delegatedOn',
  'economy',
  'used',
  'holdUntil',
  'registrations',
  'status',
] as const;
const Paging = {
  sort: z._default(z.enum(delegationSorts), 'resource'),
  direction: z._default(z.enum(['asc', 'desc']), 'asc'),
  offset: listOffset,
  limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(500)), 50),
};
const Filters = {
  kind: z.enum(resourceKinds),
  /** Part of the resource as written, a prefix or address it holds, or an economy. */
  q: z._default(z.string().check(z.maxLength(100)), ''),
  type: z.optional(z.enum(delegationTypes)),
  status: z.optional(z.enum(delegationStatuses)),
  economy: z.optional(z.string().check(z.maxLength(2))),
};

export const ResourceSummary = z.object({
  totals: z.array(KindTotals),
  latest: z.array(Delegation),
  /** Delegations per economy, largest number first. */
  economies: z.array(z.object({ economy: z.nullable(z.string()), delegations: z.int() })),
  asOf: z.iso.datetime(),
});
export type ResourceSummary = z.infer<typeof ResourceSummary>;

/** A registration below an allocation, public (whois) or private (registry only). */
export const Registration = z.object({
  registrationId: z.nullable(z.string()),
  /** `registration` or the free space between two of them. */
  row: z.enum(['registration', 'free']),
  resource: z.string(),
  first: z.string(),
  last: z.string(),
  size: Quantity,
  netname: z.nullable(z.string()),
  statusText: z.nullable(z.string()),
  customer: z.nullable(z.string()),
  visibility: z.nullable(z.enum(['public', 'private'])),
  economy: z.nullable(z.string()),
  registeredOn: z.nullable(z.iso.date()),
  updatedAt: z.nullable(z.iso.datetime()),
  /** Addresses in use: all of an assigned network; of a sub-allocation those registered in it, never counted twice. Null for free space. */
  used: z.nullable(Quantity),
  /** Depth below the delegation, 0 for its direct children. */
  level: z.int(),
  /** The surrounding delegation, as written. */
  parent: z.string(),
});
export type Registration = z.infer<typeof Registration>;

export const MapBlock = z.object({
  id: z.string(),
  label: z.string(),
  name: z.nullable(z.string()),
  kind: z.enum(['delegated', 'unassigned', 'assigned', 'customers', 'free', 'held', 'reserved']),
  /** Offset from the first address of the map and size, both in addresses. */
  offset: Quantity,
  size: Quantity,
  level: z.int(),
  /** Number of blocks that this one represents, where they are too small to draw separately. */
  count: z.int(),
});
/** The address map: the contents of one covering block, to scale. */
export const AddressMap = z.object({
  kind: z.enum(['ipv4', 'ipv6']),
  /** The block that is drawn: a prefix. */
  within: z.string(),
  first: z.string(),
  /** The block holds 2^sizeLog2 addresses. */
  sizeLog2: z.int(),
  blocks: z.array(MapBlock),
  /** The account's delegations of this kind while they are few, of many those that meet `within` (at most 500); the rest is in the table. */
  holdings: z.array(z.object({ resource: z.string(), within: z.string(), delegationId: z.string() })),
  holdingsTotal: z.int(),
  /** Addresses by kind of block inside `within`. */
  counts: z.array(z.object({ kind: z.string(), size: Quantity })),
});
export type AddressMap = z.infer<typeof AddressMap>;

/** How much of a delegation is registered as given on. `own` is used by the holder alone, `held` is under transfer or return. */
export const overviewKinds = ['unassigned', 'partly', 'full', 'own', 'held'] as const;
export const OverviewMark = z.object({
  /** A delegation as written, or of several drawn as one the range from the first to the last. */
  resource: z.string(),
  delegations: z.int(),
  kind: z.enum(overviewKinds),
  /** Where it begins in its strip, and how much of the strip it is: 0 to 1. */
  start: z.number(),
  share: z.number(),
});
/** All that an account holds of one kind, to scale: equal strips of the address space, only those that it holds something in. */
export const AddressOverview = z.object({
  kind: z.enum(['ipv4', 'ipv6']),
  size: Quantity,
  delegations: z.int(),
  /** Prefix length of a strip. */
  stripLength: z.int(),
  strips: z.array(z.object({ within: z.string(), size: Quantity, delegations: z.int(), marks: z.array(OverviewMark) })),
  /** How many delegations have which prefix length (that of the smallest prefix around a range), longest blocks first. */
  lengths: z.array(z.object({ length: z.int(), delegations: z.int() })),
  /** Addresses by kind of mark. */
  counts: z.array(z.object({ kind: z.enum(overviewKinds), size: Quantity })),
});
export type AddressOverview = z.infer<typeof AddressOverview>;

export const DelegationDetail = z.object({
  delegation: Delegation,
  /** Newest first: the change, its time and who made it. */
  history: z.array(z.object({ at: z.iso.datetime(), summary: z.string(), by: z.string() })),
  /** The parts of it that open requests move, each with its request. */
  lockedParts: z.array(z.object({ resource: z.string(), reference: z.string() })),
});
export type DelegationDetail = z.infer<typeof DelegationDetail>;

/** A time in which one holder had some numbers. */
export const HolderPeriod = z.object({
  /** The delegation: the numbers that were asked for, around them, or a part of them. */
  resource: z.string(),
  /** First day; null where it is not known. */
  from: z.nullable(z.iso.date()),
  /** Day on which it ended; null while it goes on. */
  until: z.nullable(z.iso.date()),
  type: z.enum(delegationTypes),
  economy: z.nullable(z.string()),
  /** The registry that delegated it, where it is another one. */
  registry: z.nullable(z.string()),
  /** The holder in the extended statistics file, which is public. */
  holderId: z.string(),
  /** The organisation, for the caller's own account; null for others. */
  holder: z.nullable(z.string()),
  own: z.boolean(),
});
export type HolderPeriod = z.infer<typeof HolderPeriod>;

const seeResources = member('resources-view', { staff: true });

export const resources = group('resources', {
  getSummary: endpoint({
    method: 'GET',
    path: '/api/:account/resources/summary',
    publicApi: { path: '/resources/summary', scope: 'resources:read' },
    summary: 'What the account holds, by kind.',
    access: seeResources,
    answer: ResourceSummary,
  }),
  listDelegations: endpoint({
    method: 'GET',
    path: '/api/:account/resources/delegations',
    publicApi: { path: '/resources/delegations', scope: 'resources:read' },
    summary: 'The delegations of one kind, a page at a time.',
    access: seeResources,
    query: z.object({ ...Filters, ...Paging }),
    answer: z.object({ rows: z.array(Delegation), total: z.int(), size: Quantity }),
  }),
  getDelegation: endpoint({
    method: 'GET',
    path: '/api/:account/resources/delegations/:delegationId',
    publicApi: { path: '/resources/delegations/:delegationId', scope: 'resources:read' },
    summary: 'One delegation with its history.',
    access: seeResources,
    answer: DelegationDetail,
    errors: ['NOT_FOUND'],
  }),
  exportDelegations: endpoint({
    method: 'GET',
    path: '/api/:account/resources/delegations-export',
    publicApi: { path: '/resources/delegations-export', scope: 'resources:read' },
    summary: 'All delegations that match, as CSV or JSON lines of the same columns.',
    access: seeResources,
    query: z.object({ ...Filters, sort: Paging.sort, direction: Paging.direction, format: z.enum(['csv', 'json']) }),
    answer: 'download',
  }),
  listRegistrations: endpoint({
    method: 'GET',
    path: '/api/:account/resources/registrations',
    publicApi: { path: '/resources/registrations', scope: 'resources:read' },
    summary: 'What is registered below the allocations of one kind, with the free space between, a page at a time.',
    access: seeResources,
    query: z.object({
      kind: z.enum(['ipv4', 'ipv6']),
      /** Only below this delegation or range. */
      parent: z.optional(z.string().check(z.maxLength(100))),
      q: z._default(z.string().check(z.maxLength(100)), ''),
      visibility: z.optional(z.enum(['public', 'private'])),
      /** With the free space between, without it, or nothing else. */
      free: z._default(z.enum(['yes', 'no', 'only']), 'yes'),
      offset: Paging.offset,
      limit: Paging.limit,
    }),
    answer: z.object({ rows: z.array(Registration), total: z.int() }),
    errors: ['INVALID_REQUEST'],
  }),
  exportRegistrations: endpoint({
    method: 'GET',
    path: '/api/:account/resources/registrations-export',
    publicApi: { path: '/resources/registrations-export', scope: 'resources:read' },
    summary: 'All registrations that match, as CSV or JSON.',
    access: seeResources,
    query: z.object({
      kind: z.enum(['ipv4', 'ipv6']),
      parent: z.optional(z.string().check(z.maxLength(100))),
      q: z._default(z.string().check(z.maxLength(100)), ''),
      visibility: z.optional(z.enum(['public', 'private'])),
      format: z.enum(['csv', 'json']),
    }),
    answer: 'download',
  }),
  listHolders: endpoint({
    method: 'GET',
    path: '/api/:account/resources/holders',
    publicApi: { path: '/resources/holders', scope: 'resources:read' },
    summary:
      'Who held a prefix, address, range or AS number on a day, or over all time, newest first. Other holders are named by their id in the extended statistics file.',
    access: seeResources,
    query: z.object({ resource: z.string().check(z.trim(), z.minLength(1), z.maxLength(100)), on: z.optional(calendarDay()) }),
    answer: z.object({ periods: z.array(HolderPeriod), more: z.boolean() }),
    errors: ['INVALID_REQUEST'],
  }),
  getAddressMap: endpoint({
    method: 'GET',
    path: '/api/:account/resources/address-map',
    summary: 'The address map of one block: delegations, registrations and free space to scale.',
    access: seeResources,
    query: z.object({ kind: z.enum(['ipv4', 'ipv6']), within: z.optional(z.string().check(z.maxLength(60))) }),
    answer: AddressMap,
    errors: ['NOT_FOUND'],
  }),
  getAddressOverview: endpoint({
    method: 'GET',
    path: '/api/:account/resources/address-overview',
    summary: 'All that the account holds of one kind, to scale: strips of the address space with the delegations in them.',
    access: seeResources,
    query: z.object({ kind: z.enum(['ipv4', 'ipv6']) }),
    answer: AddressOverview,
  }),
});
