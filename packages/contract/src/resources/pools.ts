import * as z from 'zod/mini';
import { endpoint, group, staff } from '../endpoint.ts';
import { severalLines } from '../several-lines.ts';
import { resourceKinds } from './resource-kinds.ts';

/** States of a range of the registry's pools; `held`: for a request, `quarantine`: it was given back, `reserved`: registry staff keep it back. */
export const rangeStates = ['available', 'held', 'quarantine', 'reserved', 'delegated'] as const;
export type RangeState = (typeof rangeStates)[number];

/** A range of the numbers that the registry delegates from: without a holder, or delegated. */
export const PoolRange = z.object({
  rangeId: z.string(),
  resource: z.string(),
  /** The prefixes of an IPv6 range that is no single one, four at most; empty otherwise. */
  prefixes: z.array(z.string()),
  morePrefixes: z.int(),
  size: z.string(),
  state: z.enum(rangeStates),
  /** The request that it is held for. */
  reference: z.nullable(z.string()),
  /** The first day on which it can be delegated again; null if there is no end date. */
  until: z.nullable(z.iso.date()),
  /** Why staff keep it back, or changed the end of its quarantine. */
  reason: z.nullable(z.string()),
  accountName: z.nullable(z.string()),
  orgName: z.nullable(z.string()),
});
export type PoolRange = z.infer<typeof PoolRange>;

/** The part of a pool around a block, to scale: what is in it, and to which accounts it is delegated. */
export const PoolMap = z.object({
  /** The drawn prefix: 128 blocks of the size asked about, or the part of them that has numbers of the registry. */
  within: z.string(),
  sizeLog2: z.int(),
  /** In order of their numbers, cut at the ends of the drawn prefix. Numbers in none of them are in no pool of this registry. */
  blocks: z.array(
    z.object({
      /** The whole range, which may reach beyond the drawn prefix. */
      resource: z.string(),
      /** Addresses after the first one of the drawn prefix. */
      offset: z.string(),
      size: z.string(),
      state: z.enum(rangeStates),
      accountName: z.nullable(z.string()),
      reference: z.nullable(z.string()),
      until: z.nullable(z.iso.date()),
    }),
  ),
  /** Left out, because there are more than can be drawn. */
  more: z.int(),
});
export type PoolMap = z.infer<typeof PoolMap>;

const resource = z
  .string()
  .check(z.trim(), z.minLength(1, { error: 'Enter a prefix, a range or AS numbers, such as 192.0.2.0/24' }), z.maxLength(100));
const reason = severalLines(500, 1);
const Changed = z.object({ resource: z.string(), until: z.nullable(z.iso.date()) });

export const resourcePools = group('resources.pools', {
  listPoolRanges: endpoint({
    method: 'GET',
    path: '/api/staff/pools/:kind/ranges',
    summary: 'The ranges of one pool in order of their numbers, a page at a time: free, held, in quarantine, reserved and delegated.',
    access: staff(['resources', 'transfers', 'ledger']),
    query: z.object({
      state: z.optional(z.enum(rangeStates)),
      /** Numbers that a range has some of, a part of an account’s name, or of the reason. */
      q: z._default(z.string().check(z.trim(), z.maxLength(100)), ''),
      offset: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(1_000_000)), 0),
      limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100)), 20),
    }),
    answer: z.object({
      kind: z.enum(resourceKinds),
      total: z.int(),
      rows: z.array(PoolRange),
      /** Ranges of each state in the whole pool. */
      counts: z.object({ available: z.int(), held: z.int(), quarantine: z.int(), reserved: z.int(), delegated: z.int() }),
    }),
    errors: ['NOT_FOUND'],
  }),
  getPoolMap: endpoint({
    method: 'GET',
    path: '/api/staff/pools/:kind/map',
    summary: 'The surroundings of a block in the pool of addresses: what is free, held, in quarantine, reserved and delegated around it.',
    access: staff(['resources', 'transfers', 'ledger']),
    query: z.object({ resource }),
    answer: PoolMap,
    errors: ['NOT_FOUND', 'INVALID_REQUEST'],
  }),
  reserveRange: endpoint({
    method: 'POST',
    path: '/api/staff/pools/reserve',
    summary: 'Reserve free numbers of the pools, with the reason. They are delegated to no one until the day, or until they are released.',
    access: staff('ledger'),
    effect: 'holding',
    body: z.object({
      resource,
      reason,
      /** The first day on which they can be delegated again; left out: until they are released. */
      until: z._default(z.nullable(z.iso.date({ error: 'Enter a day, such as 2027-01-31' })), null),
    }),
    answer: Changed,
    errors: ['RANGE_STATE'],
    activity: 'Reserved numbers of a pool',
  }),
  releaseRange: endpoint({
    method: 'POST',
    path: '/api/staff/pools/release',
    summary: 'Release reserved numbers, or a part of them, with the reason: they can be delegated again.',
    access: staff('ledger'),
    effect: 'holding',
    body: z.object({ resource, reason }),
    answer: Changed,
    errors: ['RANGE_STATE'],
    activity: 'Released reserved numbers of a pool',
  }),
  setQuarantine: endpoint({
    method: 'POST',
    path: '/api/staff/pools/quarantine',
    summary: 'Lengthen or shorten the quarantine of numbers that were given back, or of a part of them, or end it, with the reason.',
    access: staff('ledger'),
    effect: 'holding',
    body: z.object({
      resource,
      reason,
      /** The first day on which they can be delegated again; null ends the quarantine now. */
      until: z.nullable(z.iso.date({ error: 'Enter a day, such as 2027-01-31' })),
    }),
    answer: Changed,
    errors: ['RANGE_STATE'],
    activity: 'Changed the end of a quarantine',
  }),
});
