import type { DelegatingKind, RequestForm } from '@portal/contract/requests/request-form';
import { type GroundLimit, type GroundRules, groundRules, problemOfGrounds } from '@portal/contract/requests/request-grounds';
import type { RequestCheck } from '@portal/contract/requests/requests';
import { formatCount } from '@portal/number-resources';
import type { RequestPolicy } from '../../../profile.ts';
import { accountChecks, type AccountFacts, openCheck } from './account.ts';
import { check, metIf, metOrReview } from './check.ts';
import { needRules } from './need-rules.ts';

type Given = { kind: DelegatingKind; form: RequestForm; facts: AccountFacts; policy: RequestPolicy };

/** Limits shown before the grounds are chosen. */
const standingLimits = { ipv4: ['last-pool'], ipv6: ['first-block'], asn: ['as-numbers'] } as const satisfies Record<
  DelegatingKind,
  GroundLimit[]
>;

/**
 * Checks a request for addresses or an AS number by the rules of its grounds, which the table in the contract lists: limits of the account, size, and
 * need. Grounds that the kind doesn't have are never met. Without answers (`form` null) only the registry's own facts are checked.
 */
export function checkGrounds(kind: DelegatingKind, form: RequestForm | null, facts: AccountFacts, policy: RequestPolicy): RequestCheck[] {
  const standing = [...accountChecks(facts, form?.abuseMailbox ?? ''), openCheck(facts)];
  const rules = form && groundRules(kind, form.path);
  if (!form || (!rules && form.path === ''))
    return [...standing, ...standingLimits[kind].flatMap(limit => limitChecks[limit](null, facts, policy, kind))];
  if (!rules) {
    const problem = problemOfGrounds(kind, form.path)!;
    return [
      ...standing,
      check('grounds', 'unmet', 'Grounds', problem.message, 'Your answer', 'Each kind of request has grounds of its own'),
    ];
  }
  const given = { kind, form, facts, policy };
  return [
    ...standing,
    ...sizeChecks(rules, given),
    ...rules.limits.flatMap(limit => limitChecks[limit](form, facts, policy, kind)),
    ...rules.need.flatMap(rule => needRules[rule](form, facts, policy)),
  ];
}

/** Checks the requested size against the limits of its grounds. */
function sizeChecks({ sizes }: GroundRules, { form: { length, twoByte }, facts, policy }: Given): RequestCheck[] {
  const size = (isMet: boolean, rule: string): RequestCheck =>
    check('size', metIf(isMet && length > 0), 'Size', `/${length}`, 'Your request', rule);
  if (sizes === 'number')
    return twoByte
      ? [
          check(
            'two-byte',
            facts.twoByteLeft ? 'review' : 'unmet',
            'A number of two bytes',
            facts.twoByteLeft ? 'Some are left' : 'None is left',
            'Pool',
            'Only where four bytes can’t be used',
          ),
        ]
      : [];
  if (sizes === 'growth') {
    const held = facts.ipv6.reduce((best, one) => Math.min(best, one.length), 129);
    return [
      size(length < held && length >= policy.ipv6Largest, `At least one bit shorter than what is held, up to a /${policy.ipv6Largest}`),
    ];
  }
  // Hand-overs and pre-approvals have no size here.
  if (sizes === 'blocks' || sizes === 'held') return [];
  const [usual, largest] = [policy[sizes.usual], policy[sizes.largest]];
  const range = usual === largest ? `A /${usual}` : `/${usual} to /${largest}`;
  const inRange = size(length <= usual && length >= largest, range);
  if (!sizes.looksAtLarger) return [inRange];
  const isUsual = metOrReview(length === usual);
  return [inRange, check('usual', isUsual, 'Usual size', `/${length}`, 'Your request', `A hostmaster looks at more than a /${usual}`)];
}

type Limit = (form: RequestForm | null, facts: AccountFacts, policy: RequestPolicy, kind: DelegatingKind) => RequestCheck[];

const sizeOf4 = (length: number): bigint => 1n << BigInt(32 - length);

/** Checks limits of an account, or of all events together, on some grounds. */
const limitChecks: Record<GroundLimit, Limit> = {
  'last-pool': (form, { lastPool }, policy) => {
    const limit = sizeOf4(policy.ipv4Limit);
    const wanted = sizeOf4(form && form.length > 0 && form.length <= 32 ? form.length : policy.ipv4Smallest);
    return [
      check(
        'limit',
        metIf(lastPool + wanted <= limit),
        'Room under the policy limit',
        lastPool === 0n
          ? `None of the ${formatCount(limit)} addresses are used yet`
          : `${formatCount(lastPool)} of ${formatCount(limit)} addresses are used`,
        'Ledger',
        `Up to a /${policy.ipv4Limit} in total from the last pool`,
      ),
    ];
  },
  event: (form, { events, eventsInUse }, policy, kind) => {
    const most =
      kind === 'asn'
        ? BigInt(policy.temporaryPoolAsns)
        : kind === 'ipv4'
          ? sizeOf4(policy.temporaryPoolIpv4)
          : 1n << BigInt(128 - policy.temporaryPoolIpv6);
    const bits = kind === 'ipv4' ? 32 : 128;
    const wanted = kind === 'asn' ? 1n : 1n << BigInt(Math.max(0, bits - (form?.length || bits)));
    const pool =
      kind === 'asn'
        ? `${policy.temporaryPoolAsns} AS numbers`
        : `a /${kind === 'ipv4' ? policy.temporaryPoolIpv4 : policy.temporaryPoolIpv6}`;
    return [
      check(
        'one-event',
        metIf(events.length === 0),
        'One event at a time',
        events.length === 0 ? 'No other event has numbers of the account' : `Held for another event: ${events.join(', ')}`,
        'Ledger',
        'What an event got is returned before the next one',
      ),
      check(
        'event-pool',
        metIf(eventsInUse + wanted <= most),
        'Room for events',
        eventsInUse + wanted <= most ? 'There is room beside other events' : 'Other events have it now',
        'Ledger',
        `All events together have ${pool}`,
      ),
    ];
  },
  exchange: (_, { exchanges }) => [
    check(
      'exchanges',
      metOrReview(exchanges.length === 0),
      'Exchanges',
      exchanges.length === 0 ? 'No exchange of the account has addresses yet' : `Held for an exchange: ${exchanges.join(', ')}`,
      'Ledger',
      'A hostmaster looks at a second exchange of an account',
    ),
  ],
  'first-block': (form, { ipv6 }) => [
    check(
      'ipv6-held',
      form ? metOrReview(ipv6.length === 0) : 'met',
      'IPv6 held today',
      ipv6.length > 0 ? ipv6.map(({ resource }) => resource).join(', ') : 'None',
      'Ledger',
      'A holder asks for more space instead of a second first block',
    ),
  ],
  'as-numbers': (form, { asns, freeAsns }) => [
    check(
      'asns',
      form ? metOrReview(asns < (freeAsns ?? 0)) : 'met',
      'AS numbers held',
      `${asns}: ${freeAsns === null ? 'no fees are announced for this year' : asns < freeAsns ? 'this one has no fee' : 'each further one has a yearly fee'}`,
      'Ledger',
      `${freeAsns ?? 0} without a fee; a hostmaster looks at the need for more`,
    ),
    ...(form && asns >= (freeAsns ?? 0)
      ? [
          check(
            'asn-need',
            form.reason.trim() === '' ? 'open' : 'review',
            'Need for another number',
            form.reason.trim() === '' ? 'Enter why the numbers held are not enough' : 'A hostmaster looks at it',
            'Your answer',
            'A routing policy that none of the numbers held has',
          ),
        ]
      : []),
  ],
  none: () => [],
};
