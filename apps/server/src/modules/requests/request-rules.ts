import { monthsAfter, yearsAfter } from '@portal/contract/days';
import { plannedAt, type RequestForm } from '@portal/contract/requests/request-form';
import type { RequestCheck } from '@portal/contract/requests/requests';
import { formatCount, hdThreshold } from '@portal/number-resources';
import { dayInWords } from '../../platform/attention.ts';
import type { RequestPolicy } from '../../profile.ts';

/** Facts about an account when it asks for something. Sizes are numbers of addresses. */
export type AccountFacts = {
  accountStatus: string;
  accountType: string;
  /** Day (UTC). */
  today: string;
  overdueInvoice: boolean;
  /** The irt whose mailbox has not answered; null where all have. */
  silentIrt: string | null;
  /** Delegated to the account from the last pool. */
  lastPool: bigint;
  ipv4: bigint;
  ipv4Used: bigint;
  /** IPv4 delegated by this registry or an NIR under an agreement: historical space does not count. */
  ipv4Current: bigint;
  ipv6: readonly { resource: string; length: number; used56: bigint }[];
  asns: number;
  /** A request of the same kind that is open. */
  open: string | null;
  twoByteLeft: boolean;
};

const check = (
  checkId: string,
  state: RequestCheck['state'],
  fact: string,
  known: string,
  source: string,
  policy: string,
): RequestCheck => ({
  checkId,
  fact,
  known,
  source,
  state,
  policy,
});
const metIf = (condition: boolean): 'met' | 'unmet' => (condition ? 'met' : 'unmet');
/** A test of need that misses its mark is no refusal: a hostmaster looks at it. */
const metOrReview = (condition: boolean): 'met' | 'review' => (condition ? 'met' : 'review');
const sizeOf4 = (length: number): bigint => 1n << BigInt(32 - length);

/** Facts about the account that every request needs. */
export function standingChecks(facts: AccountFacts): RequestCheck[] {
  const { accountStatus, accountType, overdueInvoice, silentIrt } = facts;
  return [
    check(
      'open',
      metIf(accountStatus === 'open' || accountStatus === 'new'),
      'Account is open',
      `The account is ${accountStatus}`,
      'Accounts',
      'Open account',
    ),
    check(
      'agreement',
      metIf(accountType !== 'historical' && accountType !== 'rir'),
      'Agreement with the registry',
      accountType === 'historical' ? 'Historical resources only, without an agreement' : `Account type ${accountType}`,
      'Accounts',
      'Resources are delegated under an agreement',
    ),
    check(
      'invoices',
      metIf(!overdueInvoice),
      'No overdue invoice',
      overdueInvoice ? 'An invoice is overdue' : 'Every invoice is paid or not yet due',
      'Billing',
      'Invoices are paid',
    ),
    check(
      'abuse-contact',
      metIf(silentIrt === null),
      'Abuse contact is valid',
      silentIrt === null ? 'No mailbox is overdue' : `${silentIrt.toUpperCase()} hasn’t been validated`,
      'Whois',
      'Abuse mailboxes are validated twice a year',
    ),
  ];
}

const openCheck = ({ open }: AccountFacts): RequestCheck =>
  check(
    'single',
    metIf(open === null),
    'No similar request open',
    open === null ? 'None is open' : `${open} is open`,
    'Requests',
    'One request of a kind at a time',
  );

/** Judges a request for IPv4. Without answers (`form` null) only what the registry knows is judged. */
export function judgeIpv4(form: RequestForm | null, facts: AccountFacts, policy: RequestPolicy): RequestCheck[] {
  const limit = sizeOf4(policy.ipv4Limit);
  const outside = form?.path === 'temporary' || form?.path === 'ixp';
  const wanted = form && form.length > 0 && form.length <= 32 ? sizeOf4(form.length) : sizeOf4(policy.ipv4Smallest);
  const checks = [
    ...standingChecks(facts),
    openCheck(facts),
    check(
      'limit',
      outside ? 'met' : metIf(facts.lastPool + wanted <= limit),
      'Room under the policy limit',
      `${formatCount(facts.lastPool)} of ${formatCount(limit)} addresses from the last pool`,
      'Ledger',
      `Up to a /${policy.ipv4Limit} in total from the last pool`,
    ),
  ];
  if (!form || form.path === '') return checks;
  const [now, , year] = [0, 1, 2].map(index => plannedAt(form.plan, index)) as [number, number, number];
  const smallest = `/${policy.ipv4Smallest}`;
  if (!outside)
    checks.push(
      check(
        'size',
        metIf(form.length > 0 && form.length <= policy.ipv4Smallest),
        'Size',
        `/${form.length}`,
        'Your answer',
        `At least a ${smallest}`,
      ),
    );
  if (form.path === 'lir')
    checks.push(
      check(
        'need-now',
        metOrReview(form.providerSpace.trim() !== '' || now >= policy.lirNow),
        `A ${smallest} is used or needed now`,
        form.providerSpace.trim() !== '' ? 'Space of a provider is in use' : `${formatCount(now)} addresses needed now`,
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
    );
  if (form.path === 'multihoming') {
    const size = Number(wanted);
    const soon = form.startsOn !== '' && form.startsOn <= monthsAfter(facts.today, policy.multihomingMonths);
    checks.push(
      check(
        'multihomed',
        form.multihomed === '' ? 'open' : metIf(form.multihomed === 'now' || (form.multihomed === 'planned' && soon)),
        'Connected to several networks',
        form.multihomed === 'now' ? 'Today' : form.multihomed === 'planned' ? `From ${form.startsOn || 'a day not given'}` : 'Not planned',
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
    );
  }
  if (form.path === 'ixp') {
    const members = form.neighbours.filter(({ asn }) => asn.trim() !== '').length;
    checks.push(
      check(
        'size',
        metIf(form.length >= policy.ixpLargest && form.length <= policy.ixpUsual),
        'Size',
        `/${form.length}`,
        'Your answer',
        `/${policy.ixpUsual}, up to a /${policy.ixpLargest} in exchange for the old block`,
      ),
      check(
        'exchange',
        metOrReview(form.length === policy.ixpUsual),
        'Usual size',
        `/${form.length}`,
        'Your answer',
        `More than a /${policy.ixpUsual} needs the return of the old block`,
      ),
      check(
        'participants',
        metOrReview(members >= policy.ixpParticipants),
        'Participants',
        `${members} networks named`,
        'Your answer',
        `At least ${policy.ixpParticipants} networks`,
      ),
    );
  }
  if (form.path === 'critical')
    checks.push(
      check(
        'critical',
        'review',
        'Critical infrastructure',
        'A hostmaster looks at it',
        'Your answer',
        'Root, gTLD and ccTLD servers, registries',
      ),
    );
  if (form.path === 'temporary')
    checks.push(
      check(
        'size',
        metIf(form.length >= policy.temporaryLargest && form.length <= policy.ipv4Smallest),
        'Size',
        `/${form.length}`,
        'Your answer',
        `/${policy.ipv4Smallest} to /${policy.temporaryLargest}`,
      ),
      durationCheck(form, facts, policy),
    );
  return checks;
}

/** Judges how long an event lasts. What has ended can't be asked for any more. */
const durationCheck = ({ startsOn, endsOn }: RequestForm, { today }: AccountFacts, { temporaryMonths }: RequestPolicy): RequestCheck =>
  check(
    'months',
    startsOn === '' || endsOn === '' ? 'open' : metIf(endsOn <= monthsAfter(startsOn, temporaryMonths) && endsOn >= today),
    'Duration',
    startsOn === '' || endsOn === ''
      ? 'First or last day not given'
      : `${dayInWords(startsOn)} to ${dayInWords(endsOn)}${endsOn < today ? ', which is over' : ''}`,
    'Your answer',
    `Up to ${temporaryMonths} months`,
  );

/** Judges a request for IPv6. */
export function judgeIpv6(form: RequestForm | null, facts: AccountFacts, policy: RequestPolicy): RequestCheck[] {
  const checks = [...standingChecks(facts), openCheck(facts)];
  const [held] = facts.ipv6;
  const largest = facts.ipv6.reduce((best, { length }) => Math.min(best, length), 129);
  checks.push(
    check(
      'ipv6-held',
      form?.path && form.path !== 'subsequent' && form.path !== 'temporary' ? metOrReview(!held) : 'met',
      'IPv6 held today',
      held ? facts.ipv6.map(({ resource }) => resource).join(', ') : 'None',
      'Ledger',
      'A holder asks for more space instead of a second first block',
    ),
  );
  if (!form || form.path === '') return checks;
  if (form.path === 'temporary')
    return [
      ...checks,
      check(
        'size',
        metIf(form.length >= policy.temporaryIpv6Largest && form.length <= policy.ipv6EndSite),
        'Size',
        `/${form.length}`,
        'Your answer',
        `/${policy.ipv6EndSite} to /${policy.temporaryIpv6Largest}`,
      ),
      check(
        'usual',
        metOrReview(form.length === policy.ipv6EndSite),
        'Usual size',
        `/${form.length}`,
        'Your answer',
        `A hostmaster looks at more than a /${policy.ipv6EndSite}`,
      ),
      durationCheck(form, facts, policy),
    ];
  const announced = form.startsOn !== '' && form.startsOn <= yearsAfter(facts.today, policy.ipv6AnnounceYears);
  checks.push(
    check(
      'announce',
      form.startsOn === '' ? 'open' : metIf(announced),
      'Announced soon',
      form.startsOn || 'No day given',
      'Your answer',
      `Within ${policy.ipv6AnnounceYears} years`,
    ),
  );
  if (form.path === 'lir') {
    checks.push(
      check(
        'size',
        metIf(form.length > 0 && form.length <= policy.ipv6Provider),
        'Size',
        `/${form.length}`,
        'Your answer',
        `A /${policy.ipv6Provider} or larger`,
      ),
      check(
        'assignments',
        metOrReview(form.sites >= policy.ipv6Assignments || facts.ipv4Current > 0n),
        'Customers and sites',
        facts.ipv4Current > 0n ? 'Holds IPv4 from the registry' : `${formatCount(form.sites)} within two years`,
        facts.ipv4Current > 0n ? 'Ledger' : 'Your answer',
        `${formatCount(policy.ipv6Assignments)} assignments in two years, or IPv4 from the registry`,
      ),
    );
    if (form.length < policy.ipv6Provider)
      checks.push(
        check(
          'larger',
          metOrReview(BigInt(form.sites) >= hdThreshold(form.length)),
          `Larger than a /${policy.ipv6Provider}`,
          `${formatCount(form.sites)} of ${formatCount(hdThreshold(form.length))} assignments of a /56`,
          'Your answer',
          form.length >= policy.ipv6Explained ? `Up to a /${policy.ipv6Explained} on an explanation` : 'HD ratio 0.94 of /56 assignments',
        ),
      );
  }
  if (form.path === 'end-site')
    checks.push(
      check('size', metIf(form.length === policy.ipv6EndSite), 'Size', `/${form.length}`, 'Your answer', `A /${policy.ipv6EndSite}`),
    );
  if (form.path === 'subsequent')
    checks.push(
      check('held', metIf(held !== undefined), 'Space to grow', held ? held.resource : 'None', 'Ledger', 'There is a first block'),
      check(
        'size',
        metIf(held !== undefined && form.length > 0 && form.length < largest),
        'Size',
        `/${form.length}`,
        'Your answer',
        'At least one bit shorter than what is held',
      ),
      check(
        'ratio',
        metOrReview(held !== undefined && facts.ipv6.reduce((sum, { used56 }) => sum + used56, 0n) >= hdThreshold(Math.min(largest, 56))),
        'Space in use',
        `${formatCount(facts.ipv6.reduce((sum, { used56 }) => sum + used56, 0n))} of ${formatCount(hdThreshold(Math.min(largest, 56)))} assignments of a /56`,
        'Ledger',
        'HD ratio 0.94 of /56 assignments',
      ),
    );
  return checks;
}

/** Judges a request for an AS number. Being multihomed is no longer needed: an own routing policy is. */
export function judgeAsn(form: RequestForm | null, facts: AccountFacts, policy: RequestPolicy): RequestCheck[] {
  const checks = [
    ...standingChecks(facts),
    openCheck(facts),
    check(
      'asns',
      'met',
      'AS numbers held',
      facts.asns < policy.freeAsns ? `${facts.asns}: this one has no fee` : `${facts.asns}: each further one has a yearly fee`,
      'Ledger',
      `${policy.freeAsns} without a fee`,
    ),
  ];
  if (!form) return checks;
  const neighbours = form.neighbours.filter(({ asn }) => asn.trim() !== '').length;
  const soon = form.startsOn === '' || form.startsOn <= monthsAfter(facts.today, policy.multihomingMonths);
  checks.push(
    check(
      'neighbours',
      neighbours > 0 ? 'met' : 'open',
      'Networks to connect to',
      `${neighbours} named`,
      'Your answer',
      'Own routing policy and one network to connect to',
    ),
    check(
      'planned',
      form.multihomed === '' ? 'open' : metOrReview(form.multihomed !== 'planned' || soon),
      'Start',
      form.startsOn || 'Now',
      'Your answer',
      `Within ${policy.multihomingMonths} months`,
    ),
  );
  if (form.path === 'temporary') checks.push(durationCheck(form, facts, policy));
  if (form.twoByte)
    checks.push(
      check(
        'two-byte',
        facts.twoByteLeft ? 'review' : 'unmet',
        'A number of two bytes',
        facts.twoByteLeft ? 'Some are left' : 'None is left',
        'Pool',
        'Only where four bytes can’t be used',
      ),
    );
  return checks;
}

/** Judges need for a pre-approval, or of a recipient without one: space for up to 24 months. @param blocks numbers of /24 */
export function judgeNeed(form: RequestForm | null, facts: AccountFacts, blocks: number, policy: RequestPolicy): RequestCheck[] {
  const checks = standingChecks(facts);
  if (!form) return checks;
  const need = plannedAt(form.plan, 4);
  const free = facts.ipv4 - facts.ipv4Used;
  checks.push(
    check(
      'blocks',
      metIf(blocks > 0),
      'Size',
      `${formatCount(blocks)} × /${policy.ipv4Smallest}`,
      'Your answer',
      `At least a /${policy.ipv4Smallest}`,
    ),
    check(
      'need',
      metOrReview(BigInt(need) - free >= BigInt(blocks) * 256n),
      'Need for 24 months',
      `${formatCount(need)} addresses planned, ${formatCount(free)} free today`,
      'Your answer and ledger',
      `${formatCount(blocks * 256)} addresses that are not free today`,
    ),
  );
  return checks;
}

/** One part of a transfer or return, as the rules see it. */
export type PartFacts = {
  resource: string;
  kind: 'ipv4' | 'ipv6' | 'asn';
  /** Prefix lengths of what moves, and of what its holder keeps of the delegation. */
  lengths: readonly number[];
  restLengths: readonly number[];
  holdUntil: string | null;
  /** Delegated for an exchange or an event only. */
  purpose: 'exchange' | 'temporary' | null;
  status: 'active' | 'locked' | 'closing';
  historical: boolean;
  /** The holder locked it against transfer and return. */
  ownLock: boolean;
};

/** Uses that space is delegated for alone. */
export const purposeWords = { exchange: 'is for an internet exchange', temporary: 'is for an event' } as const;

/** Judges what a transfer, merger or return would move. @param recipient null for a return */
export function judgeParts(
  kind: 'transfer' | 'acquisition' | 'return',
  parts: readonly PartFacts[],
  { today, locked }: { today: string; locked: boolean },
  policy: RequestPolicy,
): RequestCheck[] {
  const named = (found: readonly PartFacts[]): string => found.map(({ resource }) => resource).join(', ');
  const small = parts.filter(part => part.kind === 'ipv4' && part.lengths.some(length => length > policy.ipv4Smallest));
  const crumbs = parts.filter(part => part.kind === 'ipv4' && part.restLengths.some(length => length > policy.ipv4Smallest));
  const onHold = parts.filter(({ holdUntil }) => holdUntil !== null && holdUntil > today);
  const busy = locked ? [] : parts.filter(({ status }) => status !== 'active');
  const ipv6 = parts.filter(part => part.kind === 'ipv6');
  const ownLocks = parts.filter(({ ownLock }) => ownLock);
  const historical = parts.filter(part => part.historical);
  const checks = [
    check(
      'smallest',
      metIf(small.length === 0),
      'Smallest block',
      small.length === 0 ? 'Every part is large enough' : `Too small: ${named(small)}`,
      'Ledger',
      `At least a /${policy.ipv4Smallest}`,
    ),
    check(
      'rest',
      metIf(crumbs.length === 0),
      'What you keep',
      crumbs.length === 0 ? 'Every remaining part is large enough' : `Leaves less than a /${policy.ipv4Smallest} of ${named(crumbs)}`,
      'Ledger',
      `Remaining parts are at least a /${policy.ipv4Smallest}`,
    ),
    check(
      'unlocked',
      metIf(busy.length === 0),
      'No lock',
      busy.length === 0 ? 'No other transfer or return is under way' : `Locked: ${named(busy)}`,
      'Ledger',
      'One transfer or return at a time',
    ),
  ];
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
        onHold.length === 0
          ? 'No resource is on hold'
          : onHold.map(({ resource, holdUntil }) => `${resource} until ${dayInWords(holdUntil!)}`).join(', '),
        'Ledger',
        'Five years from delegation, for space of the last pool',
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

/** Returns whether something stands against sending: unmet, or not answered yet. */
export const blocks = (checks: readonly RequestCheck[]): RequestCheck | undefined =>
  checks.find(({ state }) => state === 'unmet' || state === 'open');
/** Returns whether policy allows it outright, so that no person has to judge. */
export const allMet = (checks: readonly RequestCheck[]): boolean => checks.every(({ state }) => state === 'met');
