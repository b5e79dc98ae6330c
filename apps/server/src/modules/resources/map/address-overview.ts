import type { AddressOverview, resources } from '@portal/contract/resources/resources';
import {
  type AddressFamily,
  type AddressRange,
  addressBits,
  enclosingPrefix,
  prefixAt,
  printPrefix,
  printRange,
} from '@portal/number-resources';
import { sql } from 'kysely';
import type { Act } from '../../../platform/http/endpoints.ts';
import { rangeOf } from '../ledger-columns.ts';

type Mark = AddressOverview['strips'][number]['marks'][number];
type Kind = Mark['kind'];
/** A delegation with the number of addresses registered directly below it. */
export type OverviewDelegation = AddressRange & {
  resource: string;
  type: 'allocated' | 'assigned';
  status: string;
  used: bigint;
};

/** Lengths a strip may have: whole octets and their quarters, whole nibbles. */
const stripLengths = { ipv4: [8, 10, 12, 14, 16], ipv6: [12, 16, 20, 24, 28, 32] } as const;
/** Maximum number of strips readable at a glance. */
const MAX_STRIPS = 32;
/** Delegations of the same part of a strip are one mark; the parts are finer while there are few delegations. */
const MANY = 2_000;
const CELLS = { few: 1_024, many: 128 } as const;

/** All holdings of an account of one kind: strips in address order, empty without holdings. One of which a request moves a part is used as before. */
export async function getAddressOverview({
  read,
  account: { accountName },
  query: { kind },
}: Act<typeof resources.getAddressOverview>): Promise<AddressOverview> {
  type Row = { resource: string; first: string | null; last: string | null; type: 'allocated' | 'assigned'; status: string; used: string };
  const rows = await read.rows<Row>(sql`
    with u as materialized (select delegation_id, sum(size) as used from assignment where account_name = ${accountName} and level = 0 group by delegation_id)
    select d.resource, host(d.first) as first, host(d.last) as last, d.type, coalesce(u.used, 0)::text as used,
      case when exists (select from locked_part p where p.account_name = d.account_name and p.kind = d.kind and p.first <= d.last and p.last >= d.first
        and (p.first > d.first or p.last < d.last)) then 'active' else d.status end as status from delegation d
    left join u using (delegation_id)
    where d.account_name = ${accountName} and d.kind = ${kind} and d.status <> 'closed' order by d.first`);
  return overviewOf(
    kind,
    rows.map(({ first, last, used, ...row }) => ({ ...row, ...rangeOf(first, last), used: BigInt(used) })),
  );
}

/** The overview of disjoint delegations in address order. */
export function overviewOf(kind: AddressFamily, delegations: readonly OverviewDelegation[]): AddressOverview {
  const stripLength = stripLengthFor(kind, delegations);
  const sizes = new Map<Kind, bigint>();
  const lengths = new Map<number, number>();
  for (const delegation of delegations) {
    const of = kindOf(delegation);
    sizes.set(of, (sizes.get(of) ?? 0n) + sizeOf(delegation));
    const { length } = enclosingPrefix(delegation);
    lengths.set(length, (lengths.get(length) ?? 0) + 1);
  }
  return {
    kind,
    size: String(delegations.reduce((sum, each) => sum + sizeOf(each), 0n)),
    delegations: delegations.length,
    stripLength,
    strips: stripsOf(kind, delegations, stripLength),
    lengths: [...lengths].map(([length, count]) => ({ length, delegations: count })).sort((a, b) => a.length - b.length),
    counts: [...sizes].map(([of, size]) => ({ kind: of, size: String(size) })),
  };
}

/** The finest strips that are few enough and, if possible, don't cut a delegation. */
function stripLengthFor(kind: AddressFamily, delegations: readonly OverviewDelegation[]): number {
  const [widest, ...finer] = stripLengths[kind];
  const shortest = Math.min(...delegations.map(each => enclosingPrefix(each).length));
  let found: number = widest;
  for (const length of finer) {
    if (length > shortest || stripStarts(kind, delegations, length).size > MAX_STRIPS) break;
    found = length;
  }
  return found;
}

function stripStarts(kind: AddressFamily, delegations: readonly OverviewDelegation[], length: number): Set<bigint> {
  const bits = BigInt(addressBits(kind) - length);
  const starts = new Set<bigint>();
  for (const { first, last } of delegations) for (let at = first >> bits; at <= last >> bits; at += 1n) starts.add(at << bits);
  return starts;
}

function stripsOf(kind: AddressFamily, delegations: readonly OverviewDelegation[], length: number): AddressOverview['strips'] {
  const bits = BigInt(addressBits(kind) - length);
  const cells = delegations.length > MANY ? CELLS.many : CELLS.few;
  const strips = [];
  let next = 0;
  for (const start of [...stripStarts(kind, delegations, length)].sort((a, b) => (a < b ? -1 : 1))) {
    const end = start + (1n << bits) - 1n;
    const parts: OverviewDelegation[] = [];
    let size = 0n;
    for (let at = next; at < delegations.length; at += 1) {
      const delegation = delegations[at] as OverviewDelegation;
      if (delegation.first > end) break;
      parts.push(delegation);
      size += (delegation.last < end ? delegation.last : end) - (delegation.first > start ? delegation.first : start) + 1n;
      // A part that continues in the next strip is processed again there.
      if (delegation.last <= end) next = at + 1;
    }
    strips.push({
      within: printPrefix(prefixAt(kind, start, length)),
      size: String(size),
      delegations: parts.length,
      marks: marksOf(parts, start, bits, cells),
    });
  }
  return strips;
}

/** Delegations of one strip as marks; neighbours that begin and end in the same cell are one. */
function marksOf(parts: readonly OverviewDelegation[], start: bigint, bits: bigint, cells: number): Mark[] {
  const stripSize = 1n << bits;
  const cellOf = (address: bigint): number => Number(((address - start) * BigInt(cells)) / stripSize);
  /** Exact to 2^40th of a strip: finer than any screen. */
  const shareOf = (addresses: bigint): number => Number((addresses << 40n) / stripSize) / 2 ** 40;
  const marks: Mark[] = [];
  let together: OverviewDelegation[] = [];
  const flush = (): void => {
    const [first] = together;
    const last = together.at(-1);
    if (!first || !last) return;
    const from = first.first > start ? first.first : start;
    const to = last.last < start + stripSize - 1n ? last.last : start + stripSize - 1n;
    marks.push({
      resource: together.length === 1 ? first.resource : printRange({ family: first.family, first: first.first, last: last.last }),
      delegations: together.length,
      kind: together.length === 1 ? kindOf(first) : kindOfMany(together),
      start: shareOf(from - start),
      share: shareOf(to - from + 1n),
    });
    together = [];
  };
  for (const delegation of parts) {
    const cell = cellOf(delegation.first < start ? start : delegation.first);
    const small = cell === cellOf(delegation.last > start + stripSize - 1n ? start + stripSize - 1n : delegation.last);
    const [before] = together;
    if (!small || (before && cellOf(before.first < start ? start : before.first) !== cell)) flush();
    together.push(delegation);
    if (!small) flush();
  }
  flush();
  return marks;
}

const sizeOf = ({ first, last }: AddressRange): bigint => last - first + 1n;

function kindOf(delegation: OverviewDelegation): Kind {
  const { status, type, used } = delegation;
  if (status !== 'active') return 'held';
  if (type === 'assigned') return 'own';
  if (used === 0n) return 'unassigned';
  return used >= sizeOf(delegation) ? 'full' : 'partly';
}

/** Several have their common state, otherwise partly assigned. */
function kindOfMany(delegations: readonly OverviewDelegation[]): Kind {
  const kinds = new Set(delegations.map(kindOf));
  const [only] = kinds;
  return kinds.size === 1 && only ? only : 'partly';
}
