import { utcDay } from '@portal/contract/days';
import {
  type AddressRange,
  containsRange,
  equalResources,
  parseRange,
  prefixOfRange,
  printRange,
  ResourceSyntaxError,
} from '@portal/number-resources';
import { sql } from 'kysely';
import type { Change } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import { isOverlap } from './delegations.ts';
import { columnsOf, rangeOf } from './ledger-columns.ts';

/** A new assignment below the member's own allocation. */
export type NewAssignment = {
  accountName: string;
  /** A prefix or, for IPv4, a range, as text. */
  resource: string;
  /** `allocated`: the customer may assign parts of it. */
  type: 'allocated' | 'assigned';
  netname: string;
  description?: string | null;
  customer?: string | null;
  /** `public` is in whois, `private` known to the registry only. */
  visibility: 'public' | 'private';
  economy?: string | null;
  /** YYYY-MM-DD; today by default. */
  registeredOn?: string;
  /** A delegation of a national registry to one of its members. */
  portable?: boolean;
};

type Relative = {
  assignmentId: number;
  first: string;
  last: string;
  resource: string;
  type: 'allocated' | 'assigned';
  portable: boolean;
  level: number;
};

/** The smallest IPv6 assignment: one network (RFC 4291 section 2.5.1, RFC 6177). */
const longestAssignment = 64;

/**
 * Registers an assignment or sub-allocation below an allocation of the account, at any depth. It must be disjoint from its neighbours, entirely
 * inside a sub-allocation, or, if it is one itself, entirely around others, never overlapping partly. Returns its id.
 * @throws Failure ASSIGNMENT_OUTSIDE if no open allocation of the account contains all of it; ASSIGNMENT_OVERLAPS naming the conflict;
 * INVALID_REQUEST for a range that can't be parsed, an IPv6 range that isn't a prefix or is smaller than a network, or a sub-allocation inside a
 * customer's, who may only assign to its own networks.
 */
export async function assign(change: Change, given: NewAssignment): Promise<string> {
  const range = readRange(given.resource);
  const { kind, first, last, resource, size } = columnsOf(range);
  // Serialises concurrent assignments below the same allocation.
  const [allocation] = await change.rows<{ delegationId: number }>(sql`
    select delegation_id from delegation where account_name = ${given.accountName} and kind = ${kind} and type = 'allocated' and status <> 'closed'
      and first <= ${first}::inet and last >= ${last}::inet for update`);
  if (!allocation) throw refuse('ASSIGNMENT_OUTSIDE', { resource });
  const { delegationId } = allocation;
  const relatives = await change.rows<Relative>(sql`
    select assignment_id, host(first) as first, host(last) as last, resource, type, portable, level from assignment
    where delegation_id = ${delegationId} and first <= ${last}::inet and last >= ${first}::inet order by level`);
  const level = placeOf(range, resource, given, relatives);
  const inside = relatives.filter(relative => relative.level >= level).map(({ assignmentId }) => assignmentId);
  if (inside.length > 0) await change.rows(sql`update assignment set level = level + 1 where assignment_id = any(${inside}::bigint[])`);
  const { accountName, type, netname, description = null, customer = null, visibility, economy = null, portable = false } = given;
  try {
    const [row] = await change.rows<{ assignmentId: number }>(sql`
      insert into assignment (delegation_id, account_name, kind, first, last, resource, size, type, level, netname, descr, customer, visibility, economy,
        registered_on, updated_at, portable)
      values (${delegationId}, ${accountName}, ${kind}, ${first}::inet, ${last}::inet, ${resource}, ${size}::numeric, ${type}, ${level}, ${netname},
        ${description}, ${customer}, ${visibility}, ${economy}, ${given.registeredOn ?? utcDay(change.now)}::date, ${change.now}::timestamptz, ${portable})
      returning assignment_id`);
    return String(row?.assignmentId);
  } catch (error) {
    if (isOverlap(error)) throw refuse('ASSIGNMENT_OVERLAPS', { resource, other: 'beside it' });
    throw error;
  }
}

function readRange(text: string): AddressRange {
  let range: AddressRange;
  try {
    const { family, first, last } = parseRange(text.trim());
    range = { family, first, last };
  } catch (error) {
    if (error instanceof ResourceSyntaxError) throw refuse('INVALID_REQUEST', { detail: error.message });
    throw error;
  }
  if (range.family === 'ipv6') {
    const length = prefixOfRange(range)?.length;
    if (length === undefined)
      throw refuse('INVALID_REQUEST', { detail: `${printRange(range)} is not a prefix, and IPv6 is assigned by prefix` });
    if (length > longestAssignment)
      throw refuse('INVALID_REQUEST', {
        detail: `${printRange(range)} is smaller than a /${longestAssignment}, the smallest IPv6 network`,
      });
  }
  return range;
}

/** Returns how many existing assignments the range would lie in. */
function placeOf(
  range: AddressRange,
  resource: string,
  { type, portable = false }: Pick<NewAssignment, 'type' | 'portable'>,
  relatives: readonly Relative[],
): number {
  let level = 0;
  for (const relative of relatives) {
    const other = rangeOf(relative.first, relative.last);
    const isAround = containsRange(other, range) && !equalResources(other, range);
    const isInside = containsRange(range, other) && !equalResources(other, range);
    const outer = isAround ? relative : isInside ? { resource, portable } : null;
    if (outer && !outer.portable && type === 'allocated' && relative.type === 'allocated')
      throw refuse('INVALID_REQUEST', {
        detail: `${isAround ? resource : relative.resource} lies in ${outer.resource}, the sub-allocation of a customer, which takes assignments only`,
      });
    if ((isAround && relative.type === 'allocated') || (isInside && type === 'allocated')) {
      if (isAround) level = relative.level + 1;
    } else throw refuse('ASSIGNMENT_OVERLAPS', { resource, other: relative.resource });
  }
  return level;
}
