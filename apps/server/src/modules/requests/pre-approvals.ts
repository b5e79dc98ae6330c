import { monthsAfter, utcDay } from '@portal/contract/days';
import { sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';

/** A valid pre-approval, in numbers of /24. */
export type PreApproval = { preApprovalId: number; granted: number; remaining: number; grantedOn: string; expiresOn: string };

/** The valid pre-approval of an account on a day, or null. */
async function preApprovalOf(read: Pick<Read, 'rows'>, accountName: string, today: string): Promise<PreApproval | null> {
  const [row] =
    await read.rows<PreApproval>(sql`select pre_approval_id, granted, remaining, granted_on::text, expires_on::text from pre_approval
    where account_name = ${accountName} and replaced_on is null and expires_on >= ${today}::date`);
  return row ?? null;
}

/** Grants a pre-approval, replacing the previous one. */
export async function grantPreApproval(
  change: Change,
  { accountName, requestId, blocks, months }: { accountName: string; requestId: number; blocks: number; months: number },
): Promise<string> {
  const today = utcDay(change.now);
  await change.rows(sql`update pre_approval set replaced_on = ${today}::date where account_name = ${accountName} and replaced_on is null`);
  const expiresOn = monthsAfter(today, months);
  await change
    .insertInto('preApproval')
    .values({ accountName, resourceRequestId: requestId, granted: blocks, remaining: blocks, grantedOn: today, expiresOn })
    .execute();
  return expiresOn;
}

/** Reserves an amount of the pre-approval for a transfer. @throws Failure PREAPPROVAL_INSUFFICIENT */
export async function reservePreApproval(change: Change, accountName: string, blocks: number, today: string): Promise<void> {
  const taken =
    await change.rows(sql`update pre_approval set remaining = remaining - ${blocks} where account_name = ${accountName} and replaced_on is null
    and expires_on >= ${today}::date and remaining >= ${blocks} returning 1`);
  if (taken.length > 0) return;
  const present = await preApprovalOf(change, accountName, today);
  throw refuse('PREAPPROVAL_INSUFFICIENT', { remaining: String(present?.remaining ?? 0), needed: String(blocks) }).at('usePreApproval');
}

/**
 * Releases the amount that a failed case had reserved, to the pre-approval it came from and not to a later one, which was granted for additional
 * need. @param requestId the case, which reserved the amount when it was sent or acknowledged
 */
export async function restorePreApproval(change: Change, accountName: string, blocks: number, requestId: number): Promise<void> {
  await change.rows(sql`update pre_approval set remaining = least(granted, remaining + ${blocks}) where account_name = ${accountName} and replaced_on is null
    and exists (select from resource_request g, resource_request r
      where g.resource_request_id = pre_approval.resource_request_id and r.resource_request_id = ${requestId}::bigint and g.resolved_at <= ${setAsideAt})`);
}

/** The instant at which a case `r` reserved an amount of a pre-approval. */
export const setAsideAt = sql`coalesce((select max(e.at) from resource_request_event e where e.resource_request_id = r.resource_request_id and e.kind = 'acknowledged'),
  r.submitted_at)`;
