import { plannedAt, type RequestForm } from '@portal/contract/requests/request-form';
import type { RequestCheck } from '@portal/contract/requests/requests';
import { formatCount } from '@portal/number-resources';
import type { RequestPolicy } from '../../../profile.ts';
import { type AccountFacts, accountChecks } from './account.ts';
import { check, metIf, metOrReview } from './check.ts';

/**
 * Checks need for a pre-approval, or of a recipient without one: space for up to 24 months.
 * @param blocks number of /24 @param abuseMailbox the recipient's requested mailbox; null if the account receives nothing
 */
export function checkNeed(
  form: RequestForm | null,
  facts: AccountFacts,
  blocks: number,
  policy: RequestPolicy,
  abuseMailbox: string | null = form?.abuseMailbox ?? null,
): RequestCheck[] {
  const checks = accountChecks(facts, abuseMailbox);
  if (!form) return checks;
  const need = plannedAt(form.plan, 4);
  const free = facts.ipv4 - facts.ipv4Used;
  checks.push(
    check(
      'blocks',
      metIf(blocks > 0),
      'Size',
      `${formatCount(blocks)} × /${policy.ipv4Smallest}`,
      'Your request',
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
