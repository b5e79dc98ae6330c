import { yearsAfter } from '@portal/contract/days';
import type { RequestForm } from '@portal/contract/requests/request-form';
import type { RequestCheck } from '@portal/contract/requests/requests';
import { formatCount, hdThreshold } from '@portal/number-resources';
import type { RequestPolicy } from '../../../profile.ts';
import { type AccountFacts, openCheck, accountChecks } from './account.ts';
import { check, metIf, metOrReview } from './check.ts';
import { durationCheck } from './duration.ts';

/** Checks a request for IPv6. */
export function checkIpv6(form: RequestForm | null, facts: AccountFacts, policy: RequestPolicy): RequestCheck[] {
  const checks = [...accountChecks(facts), openCheck(facts)];
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
