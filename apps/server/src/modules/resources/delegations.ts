import { isRowId } from '@portal/contract/row-ids';
import { dayIn } from '@portal/contract/days';
import type { ResourceKind } from '@portal/contract/resources/resource-kinds';
import { type NumberResource, parseResource, printResource, ResourceSyntaxError } from '@portal/number-resources';
import { sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import { columnsOf, type DelegationPurpose, type LedgerColumns } from './ledger-columns.ts';
import { type GatePolicy, type MovingNumbers, passGate } from './ledger-gate.ts';
import { takeFromPools } from './pools.ts';

/** A delegation in the ledger. */
export type LedgerDelegation = LedgerColumns & {
  type: 'allocated' | 'assigned';
  source: 'delegated' | 'transferred' | 'historical';
  portable: boolean;
  /** YYYY-MM-DD; null if unknown. */
  delegatedOn: string | null;
  holdUntil: string | null;
  /** Restricted to an exchange or event; null without a restriction, and for other registries' delegations. */
  purpose?: DelegationPurpose | null;
  /** The last day of space for an event. */
  endsOn?: string | null;
  economy: string | null;
  accountName: string;
  /** Another registry, as named in its statistics file; empty for this one. */
  registry: string;
  dateText: string | null;
  extensions: string | null;
};

export type NewDelegation = {
  /** As text, or parsed. */
  resource: string | NumberResource;
  accountName: string;
  type: 'allocated' | 'assigned';
  source?: 'delegated' | 'transferred' | 'historical';
  portable?: boolean;
  /** YYYY-MM-DD; the registry's day by default, null if unknown. */
  delegatedOn?: string | null;
  holdUntil?: string | null;
  purpose?: DelegationPurpose | null;
  endsOn?: string | null;
  economy?: string | null;
};

/**
 * Delegates a resource to an account and takes it out of this registry's available pool. Returns the delegation's id.
 * @throws Failure DELEGATION_OVERLAPS if any of it is delegated already, concurrently too; INVALID_REQUEST for a resource
 * that can't be parsed, an IPv6 range that isn't a prefix, reserved space, or a refusal of the ledger's gate.
 */
export async function delegate(change: Change, given: NewDelegation, policy: GatePolicy): Promise<string> {
  const resource = readDelegable(given.resource);
  passGate(given.source === 'transferred' ? 'received' : 'delegated', newNumbers(resource, given), policy);
  const columns = columnsOf(resource);
  await takeFromPools(change, resource);
  const {
    accountName,
    type,
    source = 'delegated',
    portable = true,
    holdUntil = null,
    purpose = null,
    endsOn = null,
    economy = null,
  } = given;
  const delegatedOn = given.delegatedOn === undefined ? dayIn(policy.timeZone, new Date(change.now)) : given.delegatedOn;
  const row = {
    ...columns,
    accountName,
    type,
    source,
    portable,
    delegatedOn,
    holdUntil,
    purpose,
    endsOn,
    economy,
    registry: '',
    dateText: null,
    extensions: null,
  };
  try {
    const [inserted] = await change.attempt(() => insertDelegations(change, [row]));
    return String(inserted?.delegationId);
  } catch (error) {
    if (isOverlap(error)) throw refuse('DELEGATION_OVERLAPS', { resource: columns.resource });
    throw error;
  }
}

const newNumbers = (resource: NumberResource, { type, purpose = null, source }: NewDelegation): MovingNumbers => ({
  resource,
  type,
  purpose,
  whole: true,
  rest: [],
  historical: source === 'historical',
});

function readDelegable(given: string | NumberResource): NumberResource {
  let resource: NumberResource;
  try {
    resource = typeof given === 'string' ? parseResource(given) : given;
  } catch (error) {
    if (error instanceof ResourceSyntaxError) throw refuse('INVALID_REQUEST', { detail: error.message });
    throw error;
  }
  if (resource.family === 'ipv6' && !printResource(resource).includes('/'))
    throw refuse('INVALID_REQUEST', { detail: `${printResource(resource)} is not a prefix, and IPv6 is delegated by prefix` });
  return resource;
}

/** SQLSTATE exclusion_violation: the database found a conflicting delegation that this transaction may not see yet. */
export const isOverlap = (error: unknown): boolean => (error as { code?: string }).code === '23P01';

/** Adds delegations, a few thousand in one statement. The database refuses overlaps (SQLSTATE 23P01). */
export function insertDelegations(change: Change, rows: readonly LedgerDelegation[]): Promise<{ delegationId: number }[]> {
  return change.rows<{ delegationId: number }>(sql`
    insert into delegation (kind, first, last, first_as, last_as, resource, size, type, source, portable, delegated_on, hold_until, economy,
      account_name, registry, date_text, extensions, purpose, ends_on)
    select * from unnest(${rows.map(r => r.kind)}::text[], ${rows.map(r => r.first)}::inet[], ${rows.map(r => r.last)}::inet[],
      ${rows.map(r => r.firstAs)}::bigint[], ${rows.map(r => r.lastAs)}::bigint[], ${rows.map(r => r.resource)}::text[],
      ${rows.map(r => r.size)}::numeric[], ${rows.map(r => r.type)}::text[], ${rows.map(r => r.source)}::text[],
      ${rows.map(r => r.portable)}::boolean[], ${rows.map(r => r.delegatedOn)}::date[], ${rows.map(r => r.holdUntil)}::date[],
      ${rows.map(r => r.economy)}::text[], ${rows.map(r => r.accountName)}::text[], ${rows.map(r => r.registry)}::text[],
      ${rows.map(r => r.dateText)}::text[], ${rows.map(r => r.extensions)}::text[],
      ${rows.map(r => r.purpose ?? null)}::text[], ${rows.map(r => r.endsOn ?? null)}::date[])
    returning delegation_id`);
}

/**
 * Closes a delegation: returned, transferred out or revoked. Assignments below it are closed too; history keeps both.
 * @throws Failure NOT_FOUND if there is none, or it is closed already.
 */
export async function closeDelegation(change: Change, delegationId: string): Promise<void> {
  const closed = isRowId(delegationId) ? await closeDelegations(change, [Number(delegationId)]) : 0;
  if (closed === 0) throw refuse('NOT_FOUND', { what: 'The delegation' });
}

/** Closes delegations and the assignments below them. Returns how many were open. */
export async function closeDelegations(change: Change, delegationIds: readonly number[]): Promise<number> {
  if (delegationIds.length === 0) return 0;
  await change.rows(sql`delete from assignment where delegation_id = any(${delegationIds}::bigint[])`);
  const closed = await change.rows(sql`
    update delegation set status = 'closed' where delegation_id = any(${delegationIds}::bigint[]) and status <> 'closed' returning delegation_id`);
  return closed.length;
}

/** Lists the open delegations of this registry, of any holder, that overlap the resources, as text; at most 20 of each. */
export async function findDelegationsMeeting(read: Pick<Read, 'rows'>, resources: readonly NumberResource[]): Promise<string[]> {
  const found: string[] = [];
  for (const each of resources) {
    const { kind, first, last, firstAs, lastAs } = columnsOf(each);
    const rows = await read.rows<{ resource: string }>(
      kind === 'asn'
        ? sql`select resource from delegation where kind = 'asn' and registry = '' and status <> 'closed'
            and int8range(first_as, last_as, '[]') && int8range(${firstAs}, ${lastAs}, '[]') limit 20`
        : sql`select resource from delegation where kind <> 'asn' and registry = '' and status <> 'closed'
            and inetrange(first, last, '[]') && inetrange(${first}::inet, ${last}::inet, '[]') limit 20`,
    );
    found.push(...rows.map(({ resource }) => resource));
  }
  return found;
}

/** The delegation that contains all of a resource, of any holder. */
export type HoldingDelegation = {
  delegationId: string;
  accountName: string;
  kind: ResourceKind;
  resource: string;
  type: 'allocated' | 'assigned';
  status: 'active' | 'locked' | 'closing';
};

/** The delegation that contains all of a resource, or null. */
export async function findDelegationHolding(read: Pick<Read, 'rows'>, resource: NumberResource): Promise<HoldingDelegation | null> {
  const { kind, first, last, firstAs, lastAs } = columnsOf(resource);
  const columns = sql`delegation_id::text, account_name, kind, resource, type, status`;
  // Active delegations are disjoint, so only the last to begin at or before the resource can hold it.
  const [row] = await (kind === 'asn'
    ? read.rows<HoldingDelegation>(sql`select * from (select ${columns}, last_as from delegation
        where kind = 'asn' and status <> 'closed' and first_as <= ${firstAs} order by first_as desc limit 1) d where last_as >= ${lastAs}`)
    : read.rows<HoldingDelegation>(sql`select * from (select ${columns}, last from delegation
        where kind <> 'asn' and status <> 'closed' and first <= ${first}::inet order by first desc limit 1) d where last >= ${last}::inet`));
  if (!row) return null;
  const { delegationId, accountName, type, status } = row;
  return { delegationId, accountName, kind: row.kind, resource: row.resource, type, status };
}
