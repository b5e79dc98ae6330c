import type { AnswerOf } from '@portal/contract';
import type { AddressMap, resources } from '@portal/contract/resources/resources';
import {
  type AddressFamily,
  type AddressRange,
  addressBits,
  coverRange,
  enclosingPrefix,
  parsePrefix,
  type Prefix,
  printAddress,
  printPrefix,
  printRange,
  ResourceSyntaxError,
} from '@portal/number-resources';
import { sql } from 'kysely';
import type { Read } from '../../../platform/database/index.ts';
import { refuse, refuseField } from '../../../platform/failure.ts';
import type { Act } from '../../../platform/http/endpoints.ts';
import { columnsOf, rangeOf } from '../ledger-columns.ts';
import { maySeePrivate } from '../registrations.ts';

type Kind = AddressMap['blocks'][number]['kind'];
/** A stretch of the map with one most specific entry. */
export type Stretch = AddressRange & { kind: Kind; name: string | null; level: number };
/** A delegation; `empty` while nothing is registered below it. */
export type HeldRange = AddressRange & { delegationId: number; type: 'allocated' | 'assigned'; status: string; empty: boolean };
export type RegisteredRange = AddressRange & {
  delegationId: number;
  type: 'allocated' | 'assigned';
  level: number;
  name: string | null;
  hidden: boolean;
};

const HOLDINGS = 500;
/** Up to this many holdings are listed with every map; more are in the overview. */
const FEW = 12;
/** More blocks can't be distinguished and aren't worth their bytes; then each of `CELLS` equal parts is one block. */
const MAX_BLOCKS = 2_000;
const CELLS = 1_024n;

/**
 * The map of one block: every address belongs to exactly one entry of `blocks`, the most specific one known. `delegated` is space
 * assigned to the holder; `unassigned` is an allocation without any registration; `assigned` and `customers` are registrations, the latter
 * sub-allocations; `free` is the rest of an allocation with registrations; `held` can't be used now (what a transfer or a return moves, or a
 * registration the caller may not see); `reserved` isn't the account's.
 * @throws Failure NOT_FOUND when the account holds nothing there.
 */
export async function getAddressMap({
  read,
  account,
  query,
}: Act<typeof resources.getAddressMap>): Promise<AnswerOf<typeof resources.getAddressMap>> {
  const { kind } = query;
  const { accountName } = account;
  const within = query.within === undefined ? await largestHolding(read, accountName, kind) : readWithin(kind, query.within);
  if (!within) throw refuse('NOT_FOUND', { what: `${kind === 'ipv4' ? 'An IPv4' : 'An IPv6'} delegation of ${accountName}` });
  const { first, last } = columnsOf(within);
  const inside = sql`account_name = ${accountName} and kind = ${kind} and first <= ${last}::inet and last >= ${first}::inet`;
  type Held = {
    delegationId: number;
    resource: string;
    first: string;
    last: string;
    type: 'allocated' | 'assigned';
    status: string;
    empty: boolean;
  };
  type Registered = Omit<Held, 'status' | 'resource' | 'empty'> & { level: number; name: string | null; hidden: boolean };
  const [held, registered, locked, holdings] = await Promise.all([
    read.rows<Held>(sql`
      select delegation_id, resource, host(first) as first, host(last) as last, type, status,
        not exists (select from assignment a where a.delegation_id = d.delegation_id) as empty from delegation d where ${inside} and status <> 'closed' order by d.first`),
    read.rows<Registered>(sql`
      select delegation_id, host(first) as first, host(last) as last, type, level, netname as name, visibility = 'private' and not ${maySeePrivate(account)} as hidden
      from assignment a where ${inside} order by a.first, level`),
    read.rows<{ first: string; last: string }>(
      sql`select host(first) as first, host(last) as last from locked_part where ${inside} order by locked_part.first`,
    ),
    read.rows<{ delegationId: string; resource: string; first: string | null; last: string | null; total: number }>(sql`
      with own as (select delegation_id, resource, first, last from delegation
        where account_name = ${accountName} and kind = ${kind} and status <> 'closed'),
      counted as (select count(*)::int as total from own)
      select delegation_id::text, resource, host(first) as first, host(last) as last, total from own, counted
      where total <= ${FEW} or (own.first <= ${last}::inet and own.last >= ${first}::inet) order by own.first limit ${HOLDINGS}`),
  ]);
  if (held.length === 0) throw refuse('NOT_FOUND', { what: `A delegation of ${accountName} in ${printPrefix(within)}` });
  const stretches = stretchesOf(
    within,
    held.map(row => ({ ...row, ...rangeOf(row.first, row.last) })),
    registered.map(row => ({ ...row, ...rangeOf(row.first, row.last) })),
    locked.map(row => rangeOf(row.first, row.last)),
  );
  return {
    kind,
    within: printPrefix(within),
    first: printAddress({ family: kind, value: within.first }),
    sizeLog2: addressBits(kind) - within.length,
    blocks: blocksOf(within, stretches),
    holdings: holdings.map(row => ({
      resource: row.resource,
      within: printPrefix(enclosingPrefix(rangeOf(row.first, row.last))),
      delegationId: row.delegationId,
    })),
    holdingsTotal: holdings[0]?.total ?? 0,
    counts: countsOf(stretches),
  };
}

function readWithin(kind: AddressFamily, text: string): Prefix {
  try {
    const prefix = parsePrefix(text.trim());
    if (prefix.family === kind) return prefix;
  } catch (error) {
    if (!(error instanceof ResourceSyntaxError)) throw error;
    throw refuseField('within', error.message);
  }
  throw refuseField('within', `${text} is not an ${kind === 'ipv4' ? 'IPv4' : 'IPv6'} prefix`);
}

/** The initial block: the smallest around the account's largest holding; null without holdings. */
async function largestHolding(read: Read, accountName: string, kind: AddressFamily): Promise<Prefix | null> {
  const [piece] = await read.rows<{ first: string | null; last: string | null }>(sql`
    select host(min(first)) as first, host(max(last)) as last from (
      select first, last, size, count(*) filter (where first is distinct from before) over (order by first) as piece from (
        select d.first, d.last, d.size, lag(case when d.last < ${kind === 'ipv4' ? '255.255.255.255' : 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'}::inet then d.last + 1 end)
          over (order by d.first) as before
        from delegation d where account_name = ${accountName} and kind = ${kind} and status <> 'closed') d) p
    group by piece order by sum(size) desc, min(first) limit 1`);
  return piece ? blockAround(rangeOf(piece.first, piece.last)) : null;
}

/** Returns the smallest prefix around a range, or its largest part if the range crosses a large boundary and would be too small in it. */
export function blockAround(range: AddressRange): Prefix {
  const around = enclosingPrefix(range);
  if (sizeOf(around) <= 8n * sizeOf(range)) return around;
  return coverRange(range).reduce((largest, prefix) => (prefix.length < largest.length ? prefix : largest));
}

const sizeOf = ({ first, last }: AddressRange): bigint => last - first + 1n;

/**
 * Cuts the block into stretches, in order and without gaps. `held` and `registered` are by first address, outer before inner; `locked` are the parts that
 * requests move, by first address: the rest of their delegation is used as before.
 */
export function stretchesOf(
  within: AddressRange,
  held: readonly HeldRange[],
  registered: readonly RegisteredRange[],
  locked: readonly AddressRange[] = [],
): Stretch[] {
  const stretches: Stretch[] = [];
  const byDelegation = Map.groupBy(registered, ({ delegationId }) => delegationId);
  let at = within.first;
  const fill = (last: bigint, kind: Kind, name: string | null, level: number): void => {
    const to = last > within.last ? within.last : last;
    if (to < at) return;
    stretches.push({ family: within.family, first: at, last: to, kind, name, level });
    at = to + 1n;
  };
  for (const delegation of held) {
    fill(delegation.first - 1n, 'reserved', null, 0);
    const parts = locked.filter(({ first, last }) => first <= delegation.last && last >= delegation.first);
    const usable = delegation.status === 'active' || parts.length > 0;
    const rest: Kind = !usable ? 'held' : delegation.type === 'assigned' ? 'delegated' : delegation.empty ? 'unassigned' : 'free';
    const fillRest = (last: bigint): void => {
      for (const part of parts) {
        fill(part.first - 1n < last ? part.first - 1n : last, rest, null, 0);
        fill(part.last < last ? part.last : last, 'held', null, 0);
      }
      fill(last, rest, null, 0);
    };
    const open: RegisteredRange[] = [];
    const close = (before: bigint): void => {
      for (let inner = open.at(-1); inner && inner.last < before; inner = open.at(-1)) {
        fill(inner.last, kindOf(inner), nameOf(inner), inner.level + 1);
        open.pop();
      }
    };
    for (const registration of byDelegation.get(delegation.delegationId) ?? []) {
      close(registration.first);
      const outer = open.at(-1);
      if (outer) fill(registration.first - 1n, kindOf(outer), nameOf(outer), outer.level + 1);
      else fillRest(registration.first - 1n);
      open.push(registration);
    }
    close(delegation.last + 1n);
    fillRest(delegation.last);
  }
  fill(within.last, 'reserved', null, 0);
  return stretches;
}

const kindOf = ({ hidden, type }: RegisteredRange): Kind => (hidden ? 'held' : type === 'allocated' ? 'customers' : 'assigned');
const nameOf = ({ hidden, name }: RegisteredRange): string | null => (hidden ? null : name);

/** The stretches as blocks; if there are too many, neighbours within one cell are merged under their predominant kind. */
export function blocksOf(within: Prefix, stretches: readonly Stretch[]): AddressMap['blocks'] {
  if (stretches.length <= MAX_BLOCKS) return stretches.map(stretch => blockOf(within, [stretch]));
  const cell = sizeOf(within) / CELLS || 1n;
  const cellOf = (address: bigint): bigint => (address - within.first) / cell;
  const blocks: AddressMap['blocks'] = [];
  let together: Stretch[] = [];
  const flush = (): void => {
    if (together.length > 0) blocks.push(blockOf(within, together));
    together = [];
  };
  for (const stretch of stretches) {
    const [of, to] = [cellOf(stretch.first), cellOf(stretch.last)];
    const [before] = together;
    if (of !== to || (before && cellOf(before.first) !== of)) flush();
    if (of === to) together.push(stretch);
    else blocks.push(blockOf(within, [stretch]));
  }
  flush();
  return blocks;
}

function blockOf(within: Prefix, stretches: readonly Stretch[]): AddressMap['blocks'][number] {
  const [first] = stretches;
  const last = stretches.at(-1);
  if (!first || !last) throw new Error('a block has at least one stretch');
  const range = { family: within.family, first: first.first, last: last.last };
  const label = printRange(range);
  const [most] = countsOf(stretches).toSorted((a, b) => (BigInt(a.size) > BigInt(b.size) ? -1 : 1));
  return {
    id: label,
    label,
    name: stretches.length === 1 ? first.name : null,
    kind: (most?.kind ?? first.kind) as Kind,
    offset: String(range.first - within.first),
    size: String(sizeOf(range)),
    level: Math.min(...stretches.map(({ level }) => level)),
    count: stretches.length,
  };
}

function countsOf(stretches: readonly Stretch[]): AddressMap['counts'] {
  const sizes = new Map<Kind, bigint>();
  for (const stretch of stretches) sizes.set(stretch.kind, (sizes.get(stretch.kind) ?? 0n) + sizeOf(stretch));
  return [...sizes].map(([kind, size]) => ({ kind, size: String(size) }));
}
