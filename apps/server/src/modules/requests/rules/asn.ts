import { monthsAfter } from '@portal/contract/days';
import type { RequestForm } from '@portal/contract/requests/request-form';
import type { RequestCheck } from '@portal/contract/requests/requests';
import type { RequestPolicy } from '../../../profile.ts';
import { type AccountFacts, openCheck, accountChecks } from './account.ts';
import { check, metOrReview } from './check.ts';
import { durationCheck } from './duration.ts';

/** Checks a request for an AS number. Being multihomed is no longer needed: an own routing policy is. */
export function checkAsn(form: RequestForm | null, facts: AccountFacts, policy: RequestPolicy): RequestCheck[] {
  const checks = [
    ...accountChecks(facts),
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
