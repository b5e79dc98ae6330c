import { monthsAfter } from '@portal/contract/days';
import { plannedAt, type RequestForm } from '@portal/contract/requests/request-form';
import type { RequestCheck } from '@portal/contract/requests/requests';
import { formatCount } from '@portal/number-resources';
import type { RequestPolicy } from '../../../profile.ts';
import { type AccountFacts, openCheck, accountChecks } from './account.ts';
import { check, metIf, metOrReview } from './check.ts';
import { durationCheck } from './duration.ts';

const sizeOf4 = (length: number): bigint => 1n << BigInt(32 - length);

/** Checks a request for IPv4. Without answers (`form` null) only what the registry knows is checked. */
export function checkIpv4(form: RequestForm | null, facts: AccountFacts, policy: RequestPolicy): RequestCheck[] {
  const limit = sizeOf4(policy.ipv4Limit);
  const outside = form?.path === 'temporary' || form?.path === 'ixp';
  const wanted = form && form.length > 0 && form.length <= 32 ? sizeOf4(form.length) : sizeOf4(policy.ipv4Smallest);
  const checks = [
    ...accountChecks(facts),
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
