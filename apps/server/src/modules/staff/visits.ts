import type { AnswerOf } from '@portal/contract';
import { instantAfter, MINUTE_MS } from '@portal/contract/days';
import type { staff, StaffVisit } from '@portal/contract/staff/staff';
import { sql } from 'kysely';
import { lockLogin } from '../identity/index.ts';
import type { Change, Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import type { Registry } from '../../platform/registry.ts';
import { accountForStaff, activeContactOf } from '../accounts/index.ts';

/** Minutes after which a visit ends. */
const MINUTES = 30;

/** The visit of the caller. */
export const getVisit = async ({ read, caller, registry }: Act<typeof staff.getVisit>): Promise<AnswerOf<typeof staff.getVisit>> => ({
  visit: await visitOf(read, caller, registry),
});

/** The account a member of staff is visiting; null without a current visit. */
export async function visitOf(read: Read, caller: Caller, registry: Pick<Registry, 'now' | 'config'>): Promise<StaffVisit | null> {
  const [visit] = await read.rows<{ visitId: string; accountName: string; startedAt: string; until: string }>(sql`
    select staff_visit_id::text as visit_id, account_name, started_at, until from staff_visit
    where login_id = ${caller.loginId} and ended_at is null and until > ${registry.now.toISOString()}::timestamptz`);
  const account = visit && (await accountForStaff(read, visit.accountName, caller, registry));
  return account ? { visitId: visit.visitId, account, startedAt: visit.startedAt, until: visit.until } : null;
}

const end = (change: Change, loginId: string): Promise<{ accountName: string; until: string }[]> =>
  change
    .updateTable('staffVisit')
    .set({ endedAt: change.now })
    .where('loginId', '=', loginId)
    .where('endedAt', 'is', null)
    .returning(['accountName', 'until'])
    .execute();

/**
 * Starts a visit to an account, as its contacts see it, and ends a visit to another one. To members the line in their activity log names
 * only "Registry staff".
 * @throws Failure NOT_FOUND, ALREADY_CONTACT for staff who are contacts of it and need no visit
 */
export async function startVisit({ change, caller, params: { accountName }, registry }: Act<typeof staff.startVisit>): Promise<StaffVisit> {
  const { loginId } = caller;
  const account = await accountForStaff(change, accountName, caller, registry);
  if (!account) throw refuse('NOT_FOUND', { what: `Account ${accountName}` });
  if (await activeContactOf(change, accountName, loginId)) throw refuse('ALREADY_CONTACT', { who: 'Your login', account: accountName });
  // Serialises concurrent starts by one person.
  await lockLogin(change, loginId);
  await end(change, loginId);
  const until = instantAfter(change.now, MINUTES * MINUTE_MS);
  const visit = await change
    .insertInto('staffVisit')
    .values({ loginId, accountName, startedAt: change.now, until })
    .returning('staffVisitId')
    .executeTakeFirstOrThrow();
  await change.concerns(accountName);
  await change.note({ until });
  return { visitId: String(visit.staffVisitId), account, startedAt: change.now, until };
}

/** Ends the visit, if there is one. */
export async function endVisit({ change, caller: { loginId } }: Act<typeof staff.endVisit>): Promise<void> {
  const [ended] = await end(change, loginId);
  // An expired visit ended at its expiry.
  if (ended && ended.until > change.now) await change.concerns(ended.accountName);
}
