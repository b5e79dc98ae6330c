import type { AnswerOf } from '@portal/contract';
import { dayIn } from '@portal/contract/days';
import type { PoolRange, RangeState, resourcePools } from '@portal/contract/resources/pools';
import { type ResourceKind, resourceKinds } from '@portal/contract/resources/resource-kinds';
import {
  containsResource,
  coverRange,
  enclosingPrefix,
  listGaps,
  type NumberResource,
  parseResource,
  prefixAt,
  prefixOfRange,
  printPrefix,
  printResource,
  ResourceSyntaxError,
  resourceSetOf,
} from '@portal/number-resources';
import { type RawBuilder, sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import { refuse, refuseField } from '../../platform/failure.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import { containsPattern } from '../../platform/search-text.ts';
import { columnsOf, type LedgerColumns, rangeOf, resourceOf } from './ledger-columns.ts';
import { freeSpace, lockLedger, makeAvailable, type OwnPool, ownPoolsMeeting, removePools, takeFromPools } from './pools.ts';

type Changed = AnswerOf<typeof resourcePools.reserveRange>;
type Clock = { now: Date; timeZone: string };

/** Maximum number of prefixes listed for an IPv6 range that isn't a single one. */
const NAMED = 4;

const stateOfPool = sql`case when state = 'available' then 'available' when held_for is not null then 'held' when rests_until is not null then 'quarantine'
  else 'reserved' end`;

const space = (kind: ResourceKind): RawBuilder<unknown> => sql`(
  select 'pool-' || pool_id as range_id, kind, first, last, first_as, last_as, resource, size, ${stateOfPool} as state, held_for as reference,
    coalesce(rests_until, kept_until) as until, reason, null as account_name, null as org_name
  from pool where registry = '' and kind = ${kind}
  union all
  select 'delegation-' || d.delegation_id, d.kind, d.first, d.last, d.first_as, d.last_as, d.resource, d.size, 'delegated', null, null, null, d.account_name, a.org_name
  from delegation d join account a using (account_name) where d.registry = '' and d.kind = ${kind} and d.status <> 'closed') s`;

const readable = (text: string): NumberResource | null => {
  try {
    return parseResource(text);
  } catch (error) {
    if (error instanceof ResourceSyntaxError) return null;
    throw error;
  }
};

/** The ranges of a pool ordered by number, a page at a time. @throws Failure NOT_FOUND for an unknown kind */
export async function listPoolRanges({
  read,
  params: { kind: kindName },
  query: { state, q, offset, limit },
}: Act<typeof resourcePools.listPoolRanges>): Promise<AnswerOf<typeof resourcePools.listPoolRanges>> {
  const kind = resourceKinds.find(each => each === kindName);
  if (!kind) throw refuse('NOT_FOUND', { what: 'The pool' });
  const from = space(kind);
  const conditions = [sql`true`];
  if (state) conditions.push(sql`state = ${state}`);
  if (q !== '') conditions.push(matching(kind, q));
  const where = sql.join(conditions, sql` and `);
  const [rows, [counted], states] = await Promise.all([
    read.rows<
      Omit<PoolRange, 'prefixes' | 'morePrefixes'> & Omit<LedgerColumns, 'kind'>
    >(sql`select range_id, host(first) as first, host(last) as last, first_as,
      last_as, resource, size::text, state, reference, until::text, reason, account_name, org_name from ${from} where ${where}
      order by s.first, s.first_as limit ${limit} offset ${offset}`),
    read.rows<{ total: number }>(sql`select count(*)::int as total from ${from} where ${where}`),
    read.rows<{ state: RangeState; ranges: number }>(sql`select state, count(*)::int as ranges from ${from} group by state`),
  ]);
  const counts = { available: 0, held: 0, quarantine: 0, reserved: 0, delegated: 0 };
  for (const row of states) counts[row.state] = row.ranges;
  return {
    kind,
    total: counted!.total,
    counts,
    rows: rows.map(({ first, last, firstAs, lastAs, ...row }) => {
      const resource = resourceOf({ kind, first, last, firstAs, lastAs });
      const prefixes = resource.family === 'ipv6' && !prefixOfRange(resource) ? coverRange(resource) : [];
      return { ...row, prefixes: prefixes.slice(0, NAMED).map(printResource), morePrefixes: Math.max(0, prefixes.length - NAMED) };
    }),
  };
}

/** Rows of a map at most; the numbers in the rows beyond are not drawn. */
const DRAWN = 2_000;
/** A map shows 2^7 blocks of the size asked about. */
const MAP_BITS = 7;
const bits = { ipv4: 32, ipv6: 128 } as const;
/** No prefix that is drawn is larger. */
const LARGEST = { ipv4: 8, ipv6: 12 } as const;

/** The surroundings of a block of addresses. @throws Failure NOT_FOUND for a pool that has no map, INVALID_REQUEST for a text that is no block of it */
export async function getPoolMap({
  read,
  params: { kind: kindName },
  query: { resource: text },
}: Act<typeof resourcePools.getPoolMap>): Promise<AnswerOf<typeof resourcePools.getPoolMap>> {
  if (kindName !== 'ipv4' && kindName !== 'ipv6') throw refuse('NOT_FOUND', { what: 'A map of the pool' });
  const block = readField(text);
  if (block.family !== kindName)
    throw refuseField(
      'resource',
      `Enter ${kindName === 'ipv4' ? 'IPv4 addresses, such as 192.0.2.0/24' : 'IPv6 addresses, such as 2001:db8::/32'}`,
    );
  const around = enclosingPrefix(block);
  const widest = prefixAt(around.family, around.first, Math.max(Math.min(around.length, LARGEST[kindName]), around.length - MAP_BITS));
  const { first, last } = columnsOf(widest);
  const rows = await read.rows<
    Omit<LedgerColumns, 'kind' | 'size'> & Pick<PoolRange, 'resource' | 'state' | 'accountName' | 'reference' | 'until'> & { found: number }
  >(sql`select host(first) as first, host(last) as last, first_as, last_as, resource, state, account_name, reference, until::text, (count(*) over ())::int as found
    from ${space(kindName)} where s.first <= ${last}::inet and s.last >= ${first}::inet order by s.first limit ${DRAWN}`);
  const ranges = rows.map(row => rangeOf(row.first, row.last));
  // A half without any numbers of the registry isn't drawn.
  let within = widest;
  while (within.length < around.length) {
    const half = prefixAt(around.family, around.first, within.length + 1);
    const { first: from, last: to } = within;
    if (ranges.some(range => range.first <= to && range.last >= from && (range.first < half.first || range.last > half.last))) break;
    within = half;
  }
  return {
    within: printPrefix(within),
    sizeLog2: bits[kindName] - within.length,
    blocks: rows.map(({ resource, state, accountName, reference, until }, place) => {
      const range = ranges[place]!;
      const [start, end] = [range.first > within.first ? range.first : within.first, range.last < within.last ? range.last : within.last];
      return { resource, state, accountName, reference, until, offset: String(start - within.first), size: String(end - start + 1n) };
    }),
    more: (rows[0]?.found ?? 0) - rows.length,
  };
}

/** Numbers that a range overlaps, or a part of a name or reason. */
function matching(kind: ResourceKind, q: string): RawBuilder<unknown> {
  const resource = readable(q);
  if (resource) {
    if (resource.family !== kind) return sql`false`;
    const { first, last, firstAs, lastAs } = columnsOf(resource);
    return kind === 'asn'
      ? sql`s.first_as <= ${lastAs} and s.last_as >= ${firstAs}`
      : sql`s.first <= ${last}::inet and s.last >= ${first}::inet`;
  }
  const pattern = containsPattern(q);
  return sql`(account_name ilike ${pattern} or org_name ilike ${pattern} or reason ilike ${pattern} or reference ilike ${pattern})`;
}

function readField(text: string): NumberResource {
  try {
    return parseResource(text);
  } catch (error) {
    if (error instanceof ResourceSyntaxError) throw refuseField('resource', error.message);
    throw error;
  }
}

const stateOf = ({ state, heldFor, restsUntil }: OwnPool): Exclude<RangeState, 'delegated'> =>
  state === 'available' ? 'available' : heldFor !== null ? 'held' : restsUntil !== null ? 'quarantine' : 'reserved';

const stateWords = (pool: OwnPool): string =>
  ({
    available: `${pool.resource} is free`,
    held: `${pool.resource} is held for ${pool.heldFor}`,
    quarantine: `${pool.resource} is in quarantine until ${pool.restsUntil}`,
    reserved: `${pool.resource} is reserved${pool.keptUntil === null ? '' : ` until ${pool.keptUntil}`}`,
  })[stateOf(pool)];

/** Describes the first part of the numbers that isn't in the required state. */
async function foundWords(read: Pick<Read, 'rows'>, resource: NumberResource, wanted: RangeState): Promise<string> {
  const other = (await ownPoolsMeeting(read, resource)).find(pool => stateOf(pool) !== wanted);
  if (other) return stateWords(other);
  const { kind, first, last, firstAs, lastAs } = columnsOf(resource);
  const [held] = await read.rows<{
    resource: string;
    accountName: string;
  }>(sql`select resource, account_name from delegation where registry = ''
    and kind = ${kind} and status <> 'closed' and ${kind === 'asn' ? sql`first_as <= ${lastAs} and last_as >= ${firstAs}` : sql`first <= ${last}::inet and last >= ${first}::inet`}
    order by delegation.first, first_as limit 1`);
  return held ? `${held.resource} is delegated to ${held.accountName}` : 'some of it is in no pool of this registry';
}

/**
 * The pool block with all of these numbers in the required state. @throws Failure RANGE_STATE with their actual state
 */
async function blockOf(change: Change, resource: NumberResource, wanted: 'quarantine' | 'reserved'): Promise<OwnPool> {
  const block = (await ownPoolsMeeting(change, resource)).find(
    pool => stateOf(pool) === wanted && containsResource(resourceSetOf([resourceOf(pool)]), resource),
  );
  if (block) return block;
  throw refuse('RANGE_STATE', {
    resource: printResource(resource),
    wanted: wanted === 'quarantine' ? 'in quarantine' : 'reserved',
    found: await foundWords(change, resource, wanted),
  }).at('resource');
}

/** Refuses a past day. @throws Failure INVALID_REQUEST */
function refusePast(until: string | null, { now, timeZone }: Clock): void {
  const today = dayIn(timeZone, now);
  if (until !== null && until <= today) throw refuseField('until', `Enter a day after ${today}`);
}

/** Adds unavailable blocks with the state of another block. */
async function addKept(
  change: Change,
  resources: readonly NumberResource[],
  { restsUntil, keptUntil, reason }: Pick<OwnPool, 'restsUntil' | 'keptUntil' | 'reason'>,
): Promise<void> {
  for (const each of resources) {
    const { kind, first, last, firstAs, lastAs, resource, size } = columnsOf(each);
    await change.rows(sql`insert into pool (kind, first, last, first_as, last_as, resource, size, state, registry, rests_until, kept_until, reason)
      values (${kind}, ${first}::inet, ${last}::inet, ${firstAs}, ${lastAs}, ${resource}, ${size}::numeric, 'reserved', '', ${restsUntil}::date,
        ${keptUntil}::date, ${reason})`);
  }
}

/** Takes numbers out of their block; the rest of it stays unchanged. */
async function cutOut(change: Change, block: OwnPool, resource: NumberResource): Promise<void> {
  await removePools(change, [block.poolId]);
  await addKept(change, listGaps(resourceSetOf([resource]), resourceOf(block)), block);
}

/**
 * Reserves free numbers, until a day or until they are released. @throws Failure INVALID_REQUEST for an invalid resource or a past day; RANGE_STATE
 * if some of it isn’t free
 */
export async function reserveRange({
  change,
  body: { resource: text, reason, until },
  registry: {
    now,
    profile: { timeZone },
  },
}: Act<typeof resourcePools.reserveRange>): Promise<Changed> {
  const clock = { now, timeZone };
  const resource = readField(text);
  refusePast(until, clock);
  await lockLedger(change);
  const printed = printResource(resource);
  if (!containsResource(await freeSpace(change, resource.family), resource))
    throw refuse('RANGE_STATE', { resource: printed, wanted: 'free', found: await foundWords(change, resource, 'available') }).at(
      'resource',
    );
  await takeFromPools(change, resource);
  await addKept(change, [resource], { restsUntil: null, keptUntil: until, reason });
  await change.note({ resource: printed, reason, until });
  return { resource: printed, until };
}

/** Releases reserved numbers, or a part of them. @throws Failure INVALID_REQUEST, RANGE_STATE if they aren’t reserved */
export async function releaseRange({ change, body: { resource: text, reason } }: Act<typeof resourcePools.releaseRange>): Promise<Changed> {
  const resource = readField(text);
  await lockLedger(change);
  const block = await blockOf(change, resource, 'reserved');
  await cutOut(change, block, resource);
  await makeAvailable(change, [resource]);
  const printed = printResource(resource);
  await change.note({ resource: printed, reason, was: block.reason, until: block.keptUntil });
  return { resource: printed, until: null };
}

/**
 * Sets the day on which quarantined numbers, or a part of them, can be delegated again; null: now.
 * @throws Failure INVALID_REQUEST for an invalid resource or a past day; RANGE_STATE if they aren’t in quarantine
 */
export async function setQuarantine({
  change,
  body: { resource: text, reason, until },
  registry: {
    now,
    profile: { timeZone },
  },
}: Act<typeof resourcePools.setQuarantine>): Promise<Changed> {
  const clock = { now, timeZone };
  const resource = readField(text);
  refusePast(until, clock);
  await lockLedger(change);
  const block = await blockOf(change, resource, 'quarantine');
  await cutOut(change, block, resource);
  if (until === null) await makeAvailable(change, [resource]);
  else await addKept(change, [resource], { restsUntil: until, keptUntil: null, reason });
  const printed = printResource(resource);
  await change.note({ resource: printed, reason, before: { until: block.restsUntil }, after: { until } });
  return { resource: printed, until };
}
