import { utcDay } from '@portal/contract/days';
import type { RequestCheck } from '@portal/contract/requests/requests';
import { formatCount, printAsNumber } from '@portal/number-resources';
import { dayInWords } from '../../../platform/attention.ts';
import type { Profile, RequestPolicy } from '../../../profile.ts';
import type { LiveAnnouncements } from '../../bgp-tables/index.ts';
import type { GateObstacle } from '../../resources/index.ts';
import { check, metIf, metOrReview } from './check.ts';

/** One part of a transfer or return, for the rules. */
export type PartFacts = {
  resource: string;
  kind: 'ipv4' | 'ipv6' | 'asn';
  /** Why the ledger's gate refuses it, or the rest of its delegation, or null. */
  obstacle: GateObstacle | null;
  holdUntil: string | null;
  /** Delegated for an exchange or an event only. */
  purpose: 'exchange' | 'temporary' | null;
  /** Another request that moves some of it, such as `REQ-12`. */
  lockedBy: string | null;
  historical: boolean;
  /** Whether the holder locked it against transfer and return. */
  ownLock: boolean;
};

/** Uses that restrict a delegation. */
export const purposeWords = { exchange: 'is for an internet exchange', temporary: 'is for an event' } as const;

/** Checks the parts that a transfer, merger or return would move. @param recipient null for a return */
export function checkParts(
  kind: 'transfer' | 'acquisition' | 'return',
  parts: readonly PartFacts[],
  today: string,
  { requestPolicy: policy }: Pick<Profile, 'requestPolicy'>,
): RequestCheck[] {
  const named = (found: readonly PartFacts[]): string => found.map(({ resource }) => resource).join(', ');
  const onHold = parts.filter(({ holdUntil }) => holdUntil !== null && holdUntil > today);
  const over = parts.filter(({ holdUntil }) => holdUntil !== null && holdUntil <= today);
  const until = (found: readonly PartFacts[], word: string): string =>
    found.map(({ resource, holdUntil }) => `${resource} ${word} ${dayInWords(holdUntil!)}`).join(', ');
  const ipv6 = parts.filter(part => part.kind === 'ipv6');
  const ownLocks = parts.filter(({ ownLock }) => ownLock);
  const historical = parts.filter(part => part.historical);
  const checks = ledgerChecks(parts, policy);
  if (ownLocks.length > 0)
    checks.push(
      check(
        'own-lock',
        'unmet',
        'Not locked by its holder',
        `Locked: ${named(ownLocks)}`,
        'Ledger',
        'A lock is released by two people first, under Transfer out',
      ),
    );
  if (kind !== 'return')
    checks.push(
      check(
        'hold',
        metIf(onHold.length === 0),
        'Hold period is over',
        onHold.length > 0 ? until(onHold, 'until') : over.length > 0 ? `It ended: ${until(over, 'on')}` : 'None applies to these resources',
        'Ledger',
        'Space of the last pool isn’t transferred before the day that was set when it was delegated',
      ),
    );
  const bound = parts.filter(({ purpose }) => purpose !== null);
  if (kind !== 'return' && bound.length > 0)
    checks.push(
      check(
        'purpose',
        'unmet',
        'Not delegated for one use',
        bound.map(({ resource, purpose }) => `${resource} ${purposeWords[purpose!]}`).join(', '),
        'Ledger',
        'Space for an exchange or an event isn’t transferred; return it when it’s no longer used',
      ),
    );
  if (kind === 'transfer')
    checks.push(
      check(
        'no-ipv6',
        metIf(ipv6.length === 0),
        'IPv4 and AS numbers',
        ipv6.length === 0 ? 'No IPv6' : named(ipv6),
        'Ledger',
        'IPv6 moves with mergers and acquisitions only',
      ),
    );
  if (historical.length > 0)
    checks.push(
      check(
        'historical',
        'review',
        'Historical resources',
        named(historical),
        'Ledger',
        'The right to them is shown with documents; the recipient holds them under current policy',
      ),
    );
  return checks;
}

/** Checks of sizes, special purposes and locks, which every kind of move has. */
function ledgerChecks(parts: readonly PartFacts[], policy: RequestPolicy): RequestCheck[] {
  const against = (rule: GateObstacle['rule']): string[] =>
    parts.flatMap(({ obstacle }) => (obstacle?.rule === rule ? [`${obstacle.resource} ${obstacle.words}`] : []));
  const [special, small, crumbs] = [against('special'), against('size'), against('rest')];
  const busy = parts.filter(({ lockedBy }) => lockedBy !== null);
  return [
    check(
      'smallest',
      metIf(small.length === 0),
      'Smallest block',
      small.length === 0 ? 'Every part is large enough' : small.join('; '),
      'Ledger',
      smallestWords(policy),
    ),
    check(
      'rest',
      metIf(crumbs.length === 0),
      'What you keep',
      crumbs.length === 0 ? 'Every remaining part is large enough' : crumbs.join('; '),
      'Ledger',
      `Remaining parts too: ${smallestWords(policy)}`,
    ),
    check(
      'special',
      metIf(special.length === 0),
      'Ordinary numbers',
      special.length === 0 ? 'None is set aside for a special purpose' : special.join('; '),
      'IANA special-purpose registries',
      'Special-purpose numbers aren’t transferred',
    ),
    check(
      'unlocked',
      metIf(busy.length === 0),
      'No lock',
      busy.length === 0
        ? 'No other transfer or return is under way'
        : busy.map(({ resource, lockedBy }) => `${resource} is locked by ${lockedBy}`).join(', '),
      'Ledger',
      'A number is in one transfer or return at a time',
    ),
  ];
}

/** The minimum sizes for moving space, in words. */
const smallestWords = ({ ipv4Smallest, ipv6Provider, ipv6EndSite }: RequestPolicy): string =>
  `At least a /${ipv4Smallest} of IPv4, a /${ipv6Provider} of an IPv6 allocation, a /${ipv6EndSite} of an IPv6 assignment`;

/** Announcements that are named; of others the number says enough. */
const NAMED = 3;

/** Checks that space which is returned carries no traffic any more: it would go to the next holder. Empty without a table to look at. */
export function announcedCheck({ collectedAt, peers, announcements }: LiveAnnouncements): RequestCheck[] {
  if (collectedAt === null) return [];
  const seen = announcements.toSorted((one, other) => other.peers - one.peers);
  const named = seen
    .slice(0, NAMED)
    .map(each => `${printAsNumber(each.asn)} announces ${each.prefix}, seen by ${formatCount(each.peers)} of ${formatCount(peers)} peers`);
  const more = seen.length > NAMED ? [`${formatCount(seen.length - NAMED)} more`] : [];
  return [
    check(
      'announced',
      metOrReview(seen.length === 0),
      'No longer announced',
      seen.length === 0 ? `Not seen by any of ${formatCount(peers)} peers` : [...named, ...more].join('; '),
      `Routing tables of ${dayInWords(utcDay(collectedAt))}`,
      'A block is withdrawn from routing before it is returned',
    ),
  ];
}
