import { daysAfter, monthsAfter, yearsAfter } from '@portal/contract/days';
import { plannedAt, type RequestForm } from '@portal/contract/requests/request-form';
import type { NeedRule } from '@portal/contract/requests/request-grounds';
import type { RequestCheck } from '@portal/contract/requests/requests';
import { formatCount, hdThreshold } from '@portal/number-resources';
import { dayInWords } from '../../../platform/attention.ts';
import type { RequestPolicy } from '../../../profile.ts';
import type { AccountFacts } from './account.ts';
import { check, metIf, metOrReview } from './check.ts';
import { namedNetworks, problemsOfNetworks } from './networks.ts';

type Rule = (form: RequestForm, facts: AccountFacts, policy: RequestPolicy) => RequestCheck[];

/** A plan for so many times the block is always reviewed by a person. */
const plausibleTimes = 256;

/** The rules for answers that show need, as named in the table of grounds. */
export const needRules: Record<NeedRule, Rule> = {
  provider: (form, _, policy) => {
    const [now, , year] = planOf(form);
    const smallest = `/${policy.ipv4Smallest}`;
    const used = form.providerSpace.trim() !== '';
    return [
      check(
        'need-now',
        metOrReview(used || now >= policy.lirNow),
        `A ${smallest} is used or needed now`,
        used ? 'Space of a provider is in use' : `${formatCount(now)} addresses needed now`,
        'Your answer',
        `${formatCount(policy.lirNow)} addresses used or needed now`,
      ),
      check(
        'need-year',
        metOrReview(year >= policy.lirYear),
        'Plan for a year',
        `${formatCount(year)} addresses in 12 months`,
        'Your answer',
        `${formatCount(policy.lirYear)} addresses within a year`,
      ),
      plausible(form),
    ];
  },
  multihoming: (form, { sentOn }, policy) => {
    const size = sizeOf4(form.length);
    const [now, , year] = planOf(form);
    const soon = isWithin(form.startsOn, sentOn, monthsAfter(sentOn, policy.multihomingMonths));
    return [
      check(
        'multihomed',
        form.multihomed === '' ? 'open' : metIf(form.multihomed === 'now' || (form.multihomed === 'planned' && soon)),
        'Connected to several networks',
        form.multihomed === 'now'
          ? 'Today'
          : form.multihomed === 'planned'
            ? `From ${form.startsOn === '' ? 'a day not given' : dayInWords(form.startsOn)}`
            : 'Not planned',
        'Your answer',
        `Now or within ${policy.multihomingMonths} months`,
      ),
      check(
        'use-now',
        metOrReview(now * 100 >= size * policy.multihomingNow),
        'Immediate use',
        `${formatCount(now)} of ${formatCount(size)} addresses`,
        'Your answer',
        `${policy.multihomingNow} % immediately`,
      ),
      check(
        'use-year',
        metOrReview(year * 100 >= size * policy.multihomingYear),
        'Use within a year',
        `${formatCount(year)} of ${formatCount(size)} addresses`,
        'Your answer',
        `${policy.multihomingYear} % within a year`,
      ),
      plausible(form),
    ];
  },
  exchange: (form, facts, policy) => [
    check(
      'exchange',
      metOrReview(form.length === policy.ixpUsual),
      'Usual size',
      `/${form.length}`,
      'Your request',
      `More than a /${policy.ixpUsual} needs the return of the old block`,
    ),
    networksCheck(form, facts, {
      checkId: 'participants',
      fact: 'Participants',
      state: metOrReview(namedNetworks(form).length >= policy.ixpParticipants),
      rule: `At least ${policy.ixpParticipants} networks, each with an AS number of its own`,
    }),
  ],
  critical: () => [
    check(
      'critical',
      'review',
      'Critical infrastructure',
      'A hostmaster looks at it',
      'Your answer',
      'Root, gTLD and ccTLD servers, registries',
    ),
  ],
  event: ({ startsOn, endsOn }, { today, sentOn }, { temporaryMonths, temporaryAheadMonths }) => {
    const lacks = startsOn === '' || endsOn === '';
    return [
      check(
        'months',
        lacks ? 'open' : metIf(endsOn >= startsOn && endsOn <= monthsAfter(startsOn, temporaryMonths) && endsOn >= today),
        'Duration',
        lacks
          ? 'First or last day not given'
          : `${dayInWords(startsOn)} to ${dayInWords(endsOn)}${endsOn < today ? ', which is over' : ''}`,
        'Your request',
        `Up to ${temporaryMonths} months`,
      ),
      check(
        'event-begins',
        startsOn === '' ? 'open' : metIf(startsOn <= monthsAfter(sentOn, temporaryAheadMonths)),
        'Begins soon',
        startsOn === '' ? 'First day not given' : dayInWords(startsOn),
        'Your answer',
        `Within ${temporaryAheadMonths} months`,
      ),
    ];
  },
  announcement: ({ startsOn }, { sentOn }, policy) => [
    check(
      'announce',
      startsOn === '' ? 'open' : metIf(isWithin(startsOn, sentOn, yearsAfter(sentOn, policy.ipv6AnnounceYears))),
      'Announced soon',
      startsOn === '' ? 'No day given' : `${dayInWords(startsOn)}${startsOn < daysAfter(sentOn, -1) ? ', which is over' : ''}`,
      'Your answer',
      `From the day of the request, within ${policy.ipv6AnnounceYears} years`,
    ),
  ],
  assignments: (form, facts, policy) => [
    check(
      'assignments',
      metOrReview(form.sites >= policy.ipv6Assignments || facts.ipv4Current > 0n),
      'Customers and sites',
      facts.ipv4Current > 0n ? 'Holds IPv4 from the registry' : `${formatCount(form.sites)} within two years`,
      facts.ipv4Current > 0n ? 'Ledger' : 'Your answer',
      `${formatCount(policy.ipv6Assignments)} assignments in two years, or IPv4 from the registry`,
    ),
    ...(form.length < policy.ipv6Provider ? [largerCheck(form, policy)] : []),
  ],
  growth: (_, facts) => {
    const largest = facts.ipv6.reduce((best, { length }) => Math.min(best, length), 129);
    const [used, threshold] = [facts.ipv6.reduce((sum, { used56 }) => sum + used56, 0n), hdThreshold(Math.min(largest, 56))];
    const [held] = facts.ipv6;
    return [
      check('held', metIf(held !== undefined), 'Space to grow', held ? held.resource : 'None', 'Ledger', 'There is a first block'),
      check(
        'ratio',
        metOrReview(held !== undefined && used >= threshold),
        'Space in use',
        `${formatCount(used)} of ${formatCount(threshold)} assignments of a /56`,
        'Ledger',
        'HD ratio 0.94 of /56 assignments',
      ),
    ];
  },
  'routing-policy': (form, facts, policy) => [
    networksCheck(form, facts, {
      checkId: 'neighbours',
      fact: 'Networks to connect to',
      state: namedNetworks(form).length > 0 ? 'met' : 'open',
      rule: 'Own routing policy and one network to connect to',
    }),
    check(
      'planned',
      form.multihomed === ''
        ? 'open'
        : metOrReview(
            form.multihomed !== 'planned' ||
              form.startsOn === '' ||
              isWithin(form.startsOn, facts.sentOn, monthsAfter(facts.sentOn, policy.multihomingMonths)),
          ),
      'Start',
      form.startsOn === '' ? 'Now' : dayInWords(form.startsOn),
      'Your answer',
      `Within ${policy.multihomingMonths} months`,
    ),
  ],
};

const sizeOf4 = (length: number): number => 2 ** Math.max(0, 32 - length);
const planOf = (form: RequestForm): [number, number, number] =>
  [0, 1, 2].map(index => plannedAt(form.plan, index)) as [number, number, number];
/** Returns whether a day lies between two others, allowing for the earliest time zone: the first day may still be the day before elsewhere. */
const isWithin = (day: string, from: string, to: string): boolean => day !== '' && day >= daysAfter(from, -1) && day <= to;

/** A plan for many times the block doesn't show the need for it. */
function plausible(form: RequestForm): RequestCheck {
  const most = Math.max(...planOf(form));
  return check(
    'plausible',
    metOrReview(most > 0 && most <= plausibleTimes * sizeOf4(form.length)),
    'Plan fits the block',
    most === 0 ? 'No plan yet' : `${formatCount(most)} addresses planned for a /${form.length}`,
    'Your request',
    `A hostmaster looks at a plan of more than ${plausibleTimes} times the block`,
  );
}

/** More than a provider's usual block: by the HD ratio within explained sizes; beyond that a person decides. */
function largerCheck({ length, sites }: RequestForm, { ipv6Provider, ipv6Explained }: RequestPolicy): RequestCheck {
  const threshold = hdThreshold(Math.min(length, 56));
  return check(
    'larger',
    metOrReview(BigInt(sites) >= threshold && length >= ipv6Explained),
    `Larger than a /${ipv6Provider}`,
    `${formatCount(sites)} of ${formatCount(threshold)} assignments of a /56`,
    'Your answer',
    length >= ipv6Explained
      ? `Up to a /${ipv6Explained} on an explanation`
      : `HD ratio 0.94 of /56 assignments; a hostmaster looks at more than a /${ipv6Explained}`,
  );
}

/** Networks named in a form: valid numbers, and enough of them. */
function networksCheck(
  form: RequestForm,
  facts: AccountFacts,
  { checkId, fact, state, rule }: { checkId: string; fact: string; state: RequestCheck['state']; rule: string },
): RequestCheck {
  const [wrong] = problemsOfNetworks(form, facts);
  return check(checkId, wrong ? 'unmet' : state, fact, wrong ?? `${namedNetworks(form).length} named`, 'Your answer', rule);
}
