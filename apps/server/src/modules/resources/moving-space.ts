import { dayIn } from '@portal/contract/days';
import { containsResource, coverRange, listResources, type NumberResource, resourceSetOf, subtractSets } from '@portal/number-resources';
import { sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import { insertDelegations, type LedgerDelegation } from './delegations.ts';
import { columnsOf, type DelegationPurpose, type LedgerColumns, resourceOf } from './ledger-columns.ts';
import { type GatePolicy, type LedgerMove, passGate } from './ledger-gate.ts';
import { type LockedPart, lockedPartsMeeting } from './locked-parts.ts';
import { takeFromPools } from './pools.ts';

/** A delegation, or a part of one, that leaves its holder. */
export type MovingSpace = {
  delegationId: number;
  /** The part that leaves. */
  resource: NumberResource;
  /** The delegation it leaves. */
  from: string;
  /** Whether all of the delegation leaves. */
  whole: boolean;
  /** The part of the delegation that its holder keeps. */
  rest: NumberResource[];
  /** The part of it that another request moves, or null. */
  lockedPart: LockedPart | null;
  type: LedgerDelegation['type'];
  source: 'delegated' | 'transferred' | 'historical';
  holdUntil: string | null;
  purpose: DelegationPurpose | null;
  delegatedOn: string | null;
  /** Its holder locked it. */
  ownLock: boolean;
};

type Row = LedgerColumns & {
  delegationId: number;
  type: LedgerDelegation['type'];
  source: LedgerDelegation['source'];
  portable: boolean;
  delegatedOn: string | null;
  holdUntil: string | null;
  purpose: DelegationPurpose | null;
  endsOn: string | null;
  economy: string | null;
  ownLock: boolean;
};

const rowsOf = (read: Pick<Read, 'rows'>, accountName: string): Promise<Row[]> =>
  read.rows<Row>(sql`select delegation_id, kind, host(first) as first, host(last) as last, first_as, last_as, resource, size::text, type, source,
    portable, delegated_on::text, hold_until::text, purpose, ends_on::text, economy,
    exists (select from resource_lock k where k.delegation_id = delegation.delegation_id and k.released_at is null) as own_lock from delegation
    where account_name = ${accountName} and registry = '' and status <> 'closed' order by kind, first, first_as`);

const printable = (resources: readonly NumberResource[]): NumberResource[] =>
  resources.flatMap(resource => (resource.family === 'ipv6' ? coverRange(resource) : [resource]));

/**
 * Returns the account's delegation around each resource, and the kept part; null for a resource without a single delegation. @param except the
 * request that moves it, whose own locks don't count
 */
export async function spaceToMove(
  read: Pick<Read, 'rows'>,
  accountName: string,
  resources: readonly NumberResource[],
  except: string | null = null,
): Promise<(MovingSpace | null)[]> {
  const rows = await rowsOf(read, accountName);
  const parts = await lockedPartsMeeting(read, resources, { except });
  return resources.map((resource, index) => {
    const row = rows.find(each => each.kind === resource.family && containsResource(resourceSetOf([resourceOf(each)]), resource));
    if (!row) return null;
    const rest = printable(listResources(subtractSets(resourceSetOf([resourceOf(row)]), resourceSetOf([resource]))));
    const { delegationId, type, source, holdUntil, purpose, delegatedOn, ownLock } = row;
    return {
      delegationId,
      resource,
      from: row.resource,
      whole: rest.length === 0,
      rest,
      lockedPart: parts[index] ?? null,
      type,
      source,
      holdUntil,
      purpose,
      delegatedOn,
      ownLock,
    };
  });
}

/**
 * Takes resources from their holder in the ledger: each delegation is closed, the kept part is delegated again with its old date, and the moved part
 * is delegated to the recipient in the same change. Registrations below the kept part stay; those below the moved part move along if
 * `withRegistrations`, otherwise they end, and the reverse for those in `otherwise`. The caller holds the ledger's lock.
 * @param to the recipient; null when the space goes back to the registry, or to another one
 * @param gate how it moves, and the profile of the registry
 * @returns how many registrations ended @throws Failure INVALID_REQUEST if the ledger's gate refuses
 */
export async function movedSpace(
  change: Change,
  accountName: string,
  resources: readonly NumberResource[],
  to: {
    accountName: string;
    economy: string | null;
    withRegistrations: boolean;
    /** Registrations that are treated the opposite way. */
    otherwise?: readonly string[];
    source?: LedgerDelegation['source'];
  } | null,
  gate: { move: LedgerMove; policy: GatePolicy },
): Promise<{ ended: number }> {
  const rows = await rowsOf(change, accountName);
  for (const space of await spaceToMove(change, accountName, resources))
    if (space) passGate(gate.move, { ...space, historical: space.source === 'historical' }, gate.policy);
  const moving = resourceSetOf(resources);
  let ended = 0;
  for (const row of rows) {
    const own = resourceSetOf([resourceOf(row)]);
    const rest = subtractSets(own, moving);
    const leaving = subtractSets(own, rest);
    if (listResources(leaving).length === 0) continue;
    const common = { type: row.type, portable: row.portable, holdUntil: row.holdUntil, registry: '', dateText: null, extensions: null };
    const staying = printable(listResources(rest)).map(resource => ({
      ...columnsOf(resource),
      ...common,
      source: row.source,
      purpose: row.purpose,
      endsOn: row.endsOn,
      delegatedOn: row.delegatedOn,
      economy: row.economy,
      accountName,
    }));
    const moved = to
      ? // Each of the resources becomes one delegation of its new holder, as requested.
        printable(resources.filter(resource => containsResource(own, resource))).map(resource => ({
          ...columnsOf(resource),
          ...common,
          holdUntil: null,
          source: to.source ?? ('transferred' as const),
          delegatedOn: dayIn(gate.policy.timeZone, new Date(change.now)),
          economy: to.economy ?? row.economy,
          accountName: to.accountName,
        }))
      : [];
    // Closed first, because delegations must not overlap; its registrations are attached to the new ones before closing would remove them.
    await change.rows(sql`update delegation set status = 'closed' where delegation_id = ${row.delegationId}`);
    for (const next of [...staying, ...moved]) {
      const [inserted] = await insertDelegations(change, [next]);
      const stays = next.accountName === accountName;
      if (stays) await keepOwnLock(change, row.delegationId, inserted!.delegationId);
      if (next.kind === 'asn') continue;
      const otherwise = to?.otherwise ?? [];
      if (!stays && !to?.withRegistrations && otherwise.length === 0) continue;
      const goes = stays ? sql`true` : sql`(resource = any(${[...otherwise]}::text[])) <> ${to?.withRegistrations ?? false}::boolean`;
      await change.rows(sql`update assignment set delegation_id = ${inserted!.delegationId}, account_name = ${next.accountName}
        where delegation_id = ${row.delegationId} and first >= ${next.first}::inet and last <= ${next.last}::inet and ${goes}`);
    }
    const left = await change.rows(sql`select 1 from assignment where delegation_id = ${row.delegationId}`);
    ended += left.length;
    await change.rows(sql`delete from assignment where delegation_id = ${row.delegationId}`);
  }
  return { ended };
}

/** Keeps the holder's lock, and any requested release, on the kept parts of a split delegation. */
const keepOwnLock = (change: Change, from: number, to: number): Promise<unknown> =>
  change.rows(sql`insert into resource_lock (account_name, delegation_id, locked_at, locked_by, requested_at, requested_by, confirmed_by, by_staff, releases_at)
    select account_name, ${to}, locked_at, locked_by, requested_at, requested_by, confirmed_by, by_staff, releases_at from resource_lock
    where delegation_id = ${from} and released_at is null`);

/**
 * Extends an IPv6 delegation into the free space around it; registrations below it stay. The caller holds the ledger's lock. @throws Failure
 * INVALID_REQUEST if the ledger's gate refuses
 */
export async function growDelegation(change: Change, delegationId: number, resource: NumberResource, policy: GatePolicy): Promise<void> {
  const own = await change.rows<Omit<LedgerColumns, 'resource' | 'size'> & Pick<Row, 'type' | 'purpose' | 'source'>>(
    sql`select kind, host(first) as first, host(last) as last, first_as, last_as, type, purpose, source from delegation where delegation_id = ${delegationId}`,
  );
  for (const { type, purpose, source } of own)
    passGate('delegated', { resource, type, purpose, whole: true, rest: [], historical: source === 'historical' }, policy);
  const added = listResources(subtractSets(resourceSetOf([resource]), resourceSetOf(own.map(resourceOf))));
  for (const part of added) await takeFromPools(change, part);
  const { first, last, resource: text, size } = columnsOf(resource);
  await change.rows(sql`update delegation set first = ${first}::inet, last = ${last}::inet, resource = ${text}, size = ${size}::numeric
    where delegation_id = ${delegationId}`);
}

/** Lists an account's registrations below a range, widest first; at most `limit`. */
export function registrationsIn(
  read: Pick<Read, 'rows'>,
  accountName: string,
  resource: NumberResource,
  limit: number,
): Promise<{ resource: string; netname: string; visibility: 'public' | 'private' }[]> {
  const { first, last } = columnsOf(resource);
  return read.rows(sql`select resource, netname, visibility from assignment where account_name = ${accountName} and first >= ${first}::inet and last <= ${last}::inet
    order by first, last desc limit ${limit}`);
}

/** Lists the ids of an account's registrations with exactly these ranges. */
export const registrationIds = (
  read: Pick<Read, 'rows'>,
  accountName: string,
  resources: readonly string[],
): Promise<{ resource: string; id: number }[]> =>
  read.rows(
    sql`select resource, assignment_id as id from assignment where account_name = ${accountName} and resource = any(${[...resources]}::text[])`,
  );

/** Ends a temporarily held registration, but not another one of its range made since. Returns whether it still existed. */
export async function endRegistration(change: Change, accountName: string, resource: string, assignmentId?: number): Promise<boolean> {
  const ended = await change.rows(sql`delete from assignment where account_name = ${accountName} and resource = ${resource}
    and (${assignmentId ?? null}::bigint is null or assignment_id = ${assignmentId ?? null}::bigint) returning 1`);
  return ended.length > 0;
}

/** Lists an account's registrations that lie partly inside and partly outside a range. */
export function registrationsAcross(
  read: Pick<Read, 'rows'>,
  accountName: string,
  resource: NumberResource,
): Promise<{ resource: string; netname: string; visibility: 'public' | 'private' }[]> {
  const { first, last } = columnsOf(resource);
  return read.rows(sql`select resource, netname, visibility from assignment where account_name = ${accountName} and first <= ${last}::inet and last >= ${first}::inet
    and not (first >= ${first}::inet and last <= ${last}::inet) order by first, last desc`);
}
