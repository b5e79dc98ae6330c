import { containsResource, type NumberResource, parseResource, resourceSetOf } from '@portal/number-resources';
import { sql } from 'kysely';
import { mappedInTurns } from '../../platform/breathing.ts';
import type { Change, Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import { isOverlap } from './delegations.ts';
import { columnsOf, type LedgerColumns, resourceOf } from './ledger-columns.ts';

/** A part of a delegation that a request moves. */
export type LockedPart = {
  resource: string;
  /** The request that moves it, such as `REQ-12`. */
  reference: string;
  /** `transfer` to another holder, or `return` to the registry. */
  act: 'transfer' | 'return';
  /** Objects over it can't change any more, because the other party has confirmed the plan. */
  fixed: boolean;
};

const columns = sql`p.resource, p.reference, p.act, p.fixed_at is not null as fixed`;

/** A locked part that a resource overlaps. */
export type MetPart = LockedPart & {
  /** Returns whether all of a resource lies in the part. */
  holds(resource: NumberResource): boolean;
};

/** Lists the locked parts of an account, ordered by number. */
export const lockedPartsOf = (read: Pick<Read, 'rows'>, accountName: string): Promise<LockedPart[]> =>
  read.rows<LockedPart>(
    sql`select ${columns} from locked_part p where p.account_name = ${accountName} order by p.kind, p.first, p.first_as`,
  );

/** Lists the locked parts of one delegation of an account. */
export async function lockedPartsIn(
  read: Pick<Read, 'rows'>,
  accountName: string,
  delegation: NumberResource,
): Promise<{ resource: string; reference: string }[]> {
  const whole = resourceSetOf([delegation]);
  const parts = await lockedPartsOf(read, accountName);
  return parts
    .filter(({ resource }) => containsResource(whole, parseResource(resource)))
    .map(({ resource, reference }) => ({ resource, reference }));
}

/**
 * Returns the first overlapping locked part for each resource, or null.
 * @param except the request whose own parts don't count
 */
export async function lockedPartsMeeting(
  read: Pick<Read, 'rows'>,
  resources: readonly NumberResource[],
  { except = null, fixed = false }: { except?: string | null; fixed?: boolean } = {},
): Promise<(MetPart | null)[]> {
  if (resources.length === 0) return [];
  const at = await mappedInTurns(resources, columnsOf);
  const rows = await read.rows<
    LockedPart & Omit<LedgerColumns, 'size'> & { no: number }
  >(sql`select w.no, ${columns}, p.kind, host(p.first) as first, host(p.last) as last,
      p.first_as, p.last_as
    from unnest(${at.map((_, no) => no)}::int[], ${at.map(each => each.kind)}::text[], ${at.map(each => each.first)}::inet[], ${at.map(each => each.last)}::inet[],
      ${at.map(each => each.firstAs)}::bigint[], ${at.map(each => each.lastAs)}::bigint[]) as w (no, kind, first, last, first_as, last_as)
    join locked_part p on p.kind = w.kind and case when w.kind = 'asn' then p.first_as <= w.last_as and p.last_as >= w.first_as
      else p.first <= w.last and p.last >= w.first end
    where p.reference is distinct from ${except} and (p.fixed_at is not null or not ${fixed}::boolean) order by p.first desc, p.first_as desc`);
  const met: (MetPart | null)[] = resources.map(() => null);
  for (const { no, resource, reference, act, fixed: isFixed, ...place } of rows) {
    const range = resourceOf(place);
    const holds = (other: NumberResource): boolean =>
      other.family === range.family && range.first <= other.first && range.last >= other.last;
    met[no] = { resource, reference, act, fixed: isFixed, holds };
  }
  return met;
}

/**
 * Locks the parts that a request moves, until `unlockParts`. The caller holds the ledger's lock and has found the holder. @throws Failure
 * RESOURCE_LOCKED naming the locked part and the other request
 */
export async function lockParts(
  change: Change,
  { reference, accountName, act, fixed }: { accountName: string } & Omit<LockedPart, 'resource'>,
  resources: readonly NumberResource[],
): Promise<void> {
  await refuseLocked(change, resources);
  const at = resources.map(columnsOf);
  try {
    await change.rows(sql`insert into locked_part (reference, account_name, kind, first, last, first_as, last_as, resource, act, locked_at, fixed_at)
      select ${reference}, ${accountName}, kind, first, last, first_as, last_as, resource, ${act}, ${change.now}::timestamptz,
        case when ${fixed}::boolean then ${change.now}::timestamptz end
      from unnest(${at.map(each => each.kind)}::text[], ${at.map(each => each.first)}::inet[], ${at.map(each => each.last)}::inet[],
        ${at.map(each => each.firstAs)}::bigint[], ${at.map(each => each.lastAs)}::bigint[], ${at.map(each => each.resource)}::text[])
        as w (kind, first, last, first_as, last_as, resource)`);
  } catch (error) {
    // Impossible under the ledger's lock; the constraint catches callers that forgot it.
    if (isOverlap(error)) throw refuse('RESOURCE_LOCKED', { resource: at[0]!.resource, reference: 'another request' });
    throw error;
  }
}

/** @throws Failure RESOURCE_LOCKED for the first resource that overlaps a locked part */
export async function refuseLocked(
  read: Pick<Read, 'rows'>,
  resources: readonly NumberResource[],
  except: string | null = null,
): Promise<void> {
  const met = (await lockedPartsMeeting(read, resources, { except })).find(part => part !== null);
  if (met) throw refuse('RESOURCE_LOCKED', { resource: met.resource, reference: met.reference });
}

/** Freezes the objects over the parts of a request: the database refuses every change of them until the parts are unlocked. */
export async function fixParts(change: Change, reference: string): Promise<void> {
  await change.rows(sql`update locked_part set fixed_at = ${change.now}::timestamptz where reference = ${reference} and fixed_at is null`);
}

/** Unlocks the parts of a request. */
export async function unlockParts(change: Change, reference: string): Promise<void> {
  await change.rows(sql`delete from locked_part where reference = ${reference}`);
}

/** Changes that write over locked parts, and why each may. Everything else is refused by the database. */
const overLocks = {
  completion: 'carries out what the parties confirmed, and what it leaves of a larger object may lie over the part of another request',
  heldObjects: 'ends what an earlier transfer handed over for a time only',
  delegationSigner: 'follows the keys that a zone publishes itself, lest it stop resolving',
} as const;

/** Lets this change write over locked parts. @param as the row of the table above that says why */
export async function actOverLocks(change: Change, as: keyof typeof overLocks): Promise<void> {
  await change.rows(sql`select set_config('portal.over_locks', ${as}, true)`);
}
