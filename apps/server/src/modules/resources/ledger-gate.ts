import {
  coverRange,
  type NumberResource,
  parseResource,
  prefixOfRange,
  printResource,
  type ResourceSet,
  resourceSetOf,
  specialUsesIn,
} from '@portal/number-resources';
import { refuse } from '../../platform/failure.ts';
import type { Profile } from '../../profile.ts';
import type { DelegationPurpose } from './ledger-columns.ts';

/** How numbers enter this registry's ledger, leave it, or change holders. */
export type LedgerMove = 'delegated' | 'received' | 'transferred' | 'merged' | 'returned';

/** Moving numbers, and their type of delegation. */
export type MovingNumbers = {
  resource: NumberResource;
  type: 'allocated' | 'assigned';
  purpose: DelegationPurpose | null;
  /** Whether all of the delegation moves. */
  whole: boolean;
  /** Kept by its holder. */
  rest: readonly NumberResource[];
  /** Historical: may have any size. */
  historical: boolean;
};

/** Values of the registry's profile that the gate reads, and its time zone for dates. */
export type GatePolicy = Pick<Profile, 'labNumbers' | 'requestPolicy' | 'timeZone'>;

/** Why numbers can't move: the rule, and the end of a sentence that begins with the numbers. */
export type GateObstacle = { rule: 'special' | 'size' | 'rest'; resource: string; words: string };

/** Special-purpose numbers that this registry may delegate anyway, as a demonstration or laboratory. */
export const labNumbersOf = ({ labNumbers }: Pick<Profile, 'labNumbers'>): ResourceSet =>
  resourceSetOf(labNumbers.map(text => parseResource(text)));

/**
 * The only gate of the ledger: returns why numbers can't move this way, or null. Everything that moves numbers asks it: requests of members and
 * national registries, one click, transfers in and
 * out, mergers, returns, staff. Nothing that IANA set aside for a special purpose (RFC 6890, RFC 7249; AS 0 of RFC 7607, AS 23456 of RFC 6793) is
 * delegated or handed over, and no moved or kept part is smaller than the smallest delegation of its kind. Special-purpose numbers can be returned.
 */
export function gateObstacle(move: LedgerMove, numbers: MovingNumbers, policy: GatePolicy): GateObstacle | null {
  const { resource, rest } = numbers;
  const text = printResource(resource);
  const [special] = move === 'returned' ? [] : specialUsesIn(resource, labNumbersOf(policy));
  if (special) return { rule: 'special', resource: text, words: `is set aside: ${special.name} (${special.source})` };
  if (resource.family === 'asn') return null;
  const smallest = smallestLength(move, numbers, policy.requestPolicy);
  const isSmall = (part: NumberResource): boolean => lengthsOf(part).some(length => length > smallest);
  const exempt = numbers.whole && (move === 'returned' || move === 'merged' || (move === 'delegated' && numbers.historical));
  if (!exempt && isSmall(resource)) return { rule: 'size', resource: text, words: `is smaller than a /${smallest}` };
  const crumb = rest.find(isSmall);
  return crumb ? { rule: 'rest', resource: text, words: `leaves ${printResource(crumb)}, which is smaller than a /${smallest}` } : null;
}

/** The longest prefix of a delegation: a /24 of IPv4, except for exchanges; for IPv6 a provider's block if allocated, an end site's if assigned. */
function smallestLength(
  move: LedgerMove,
  { resource: { family }, type, purpose }: MovingNumbers,
  { ipv4Smallest, ixpUsual, ipv6Provider, ipv6EndSite }: Profile['requestPolicy'],
): number {
  if (family === 'ipv4') return purpose === 'exchange' && move !== 'transferred' ? ixpUsual : ipv4Smallest;
  return type === 'allocated' ? ipv6Provider : ipv6EndSite;
}

function lengthsOf(resource: NumberResource): number[] {
  if (resource.family === 'asn') return [];
  const prefix = prefixOfRange(resource);
  return (prefix ? [prefix] : coverRange(resource)).map(({ length }) => length);
}

/** Checks numbers at the gate. @throws Failure INVALID_REQUEST with the numbers and the rule */
export function passGate(move: LedgerMove, numbers: MovingNumbers, policy: GatePolicy): void {
  const obstacle = gateObstacle(move, numbers, policy);
  if (obstacle) throw refuse('INVALID_REQUEST', { detail: `${obstacle.resource} ${obstacle.words}` });
}
