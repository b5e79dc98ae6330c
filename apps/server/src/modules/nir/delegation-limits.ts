import { coverRange, formatCount, type NumberResource, printResource } from '@portal/number-resources';
import { sql } from 'kysely';
import type { Change } from '../../platform/database/index.ts';
import { refuse, refuseField } from '../../platform/failure.ts';
import type { Profile } from '../../profile.ts';
import { columnsOf, gateObstacle } from '../resources/index.ts';
import { heldByEntityOf } from './held-by-entity.ts';

/** Numbers that a national registry delegates from its own pool. */
type Delegated = { resource: NumberResource; type: 'allocated' | 'assigned'; subaccountId: string };

/**
 * Refuses delegations against policy: what the ledger's gate refuses (a /32 of IPv4 or a /64 of IPv6 isn't a portable block), and more IPv4 than one
 * organisation may have in all its sub-accounts together.
 * @throws Failure INVALID_REQUEST at `resource`
 */
export async function refuseBeyondLimits(change: Change, { resource, type, subaccountId }: Delegated, profile: Profile): Promise<void> {
  const obstacle = gateObstacle('delegated', { resource, type, purpose: null, whole: true, rest: [], historical: false }, profile);
  if (obstacle) throw refuseField('resource', `${obstacle.resource} ${obstacle.words}`);
  if (resource.family === 'ipv6' && coverRange(resource).length > 1)
    throw refuseField('resource', `${printResource(resource)} is not a prefix, and IPv6 is delegated by prefix`);
  if (resource.family !== 'ipv4') return;
  const over = await overLimit(change, subaccountId, { added: BigInt(columnsOf(resource).size) }, profile);
  if (over !== null) throw refuseField('resource', over);
}

/**
 * Refuses a move that gives the organisation of a sub-account more IPv4 than it may have. Mergers and market transfers have no such limit.
 * @throws Failure INVALID_REQUEST
 */
export async function refuseBeyondLimitAfterMove(change: Change, subaccountId: string, profile: Profile): Promise<void> {
  const over = await overLimit(change, subaccountId, { added: 0n }, profile);
  if (over !== null) throw refuse('INVALID_REQUEST', { detail: over });
}

async function overLimit(
  change: Change,
  subaccountId: string,
  { added }: { added: bigint },
  { requestPolicy: { nirIpv4Limit } }: Profile,
): Promise<string | null> {
  // Serialises delegations to one organisation, so that the second counts the first.
  await change.rows(
    sql`select 1 from nir_entity where entity_id = (select entity_id from subaccount where subaccount_id = ${subaccountId}::bigint) for no key update`,
  );
  const { addresses, limit } = await ipv4With(change, subaccountId, added, nirIpv4Limit);
  return addresses <= limit
    ? null
    : `The organisation would have ${formatCount(addresses)} addresses in all its sub-accounts. The limit is ${formatCount(limit)}, a /${nirIpv4Limit}`;
}

/** Returns the IPv4 addresses that the organisation of a sub-account has with some more, and the most it may have. @param length of the largest block that it may have */
export async function ipv4With(
  read: Pick<Change, 'rows'>,
  subaccountId: string,
  added: bigint,
  length: number,
): Promise<{ addresses: bigint; limit: bigint }> {
  const held = (await heldByEntityOf(read, Number(subaccountId)))
    .filter(({ kind }) => kind === 'ipv4')
    .reduce((sum, { size }) => sum + BigInt(size), 0n);
  return { addresses: held + added, limit: 1n << BigInt(32 - length) };
}
