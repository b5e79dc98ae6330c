import type { AnswerOf } from '@portal/contract';
import { dayIn } from '@portal/contract/days';
import { isRowId } from '@portal/contract/row-ids';
import {
  type EarlierRiskMark,
  maxEarlierMarks,
  maxRiskMarks,
  type RiskMark,
  riskMarkDays,
  type riskMarks,
} from '@portal/contract/staff/risk-marks';
import { type RawBuilder, sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import { dayInWords } from '../../platform/day-words.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { refuse, refuseField } from '../../platform/failure.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import type { Registry } from '../../platform/registry.ts';
import { isOwnContact, lockAccountIfAny, ownersOf, refuseOwnAccount } from '../accounts/index.ts';

type Today = Pick<Registry, 'now' | 'profile'>;
const todayOf = ({ now, profile }: Today): string => dayIn(profile.timeZone, now);

/** SQL: mark `m` is in force on a day of the registry: it was not removed, and its last day isn’t over. */
export const isInForce = (today: string): RawBuilder<boolean> => sql<boolean>`(m.removed_at is null and m.ends_on >= ${today}::date)`;

/** Returns the marks of an account in force today, those that end first before the others. For registry staff who aren’t of the account. */
export const marksOf = (read: Pick<Read, 'rows'>, accountName: string, registry: Today): Promise<RiskMark[]> =>
  read.rows<RiskMark>(sql`select m.risk_mark_id::text as risk_mark_id, m.title, m.reason, m.ends_on::text as ends_on, l.full_name as set_by, m.set_at
    from risk_mark m join login l on l.login_id = m.set_by where m.account_name = ${accountName} and ${isInForce(todayOf(registry))}
    order by m.ends_on, m.risk_mark_id`);

/** The same for a reader: null for one who is of the account, or was until lately. */
export async function marksFor(
  read: Pick<Read, 'rows'>,
  accountName: string,
  { loginId }: Pick<Caller, 'loginId'>,
  registry: Today,
): Promise<RiskMark[] | null> {
  const owners = await ownersOf(read, [accountName], registry.now.toISOString());
  return owners.includes(loginId) ? null : marksOf(read, accountName, registry);
}

/** Returns the marks of an account that are over, the latest first, for as long as their rows are kept. For registry staff who aren’t of the account. */
export const earlierMarksOf = (read: Pick<Read, 'rows'>, accountName: string, registry: Today): Promise<EarlierRiskMark[]> =>
  read.rows<EarlierRiskMark>(sql`select m.risk_mark_id::text as risk_mark_id, m.title, m.reason, m.ends_on::text as ends_on, l.full_name as set_by, m.set_at,
      r.full_name as removed_by, m.removed_at, m.removal_reason
    from risk_mark m join login l on l.login_id = m.set_by left join login r on r.login_id = m.removed_by
    where m.account_name = ${accountName} and not ${isInForce(todayOf(registry))}
    order by coalesce((m.removed_at at time zone ${registry.profile.timeZone})::date, m.ends_on) desc, m.risk_mark_id desc limit ${maxEarlierMarks}`);

/** SQL: accounts with the number of their marks in force, without those that a person is a contact of, or was until lately. */
export const markedAccounts = (loginId: string, registry: Today): RawBuilder<unknown> =>
  sql`(select m.account_name, count(*)::int as marks from risk_mark m where ${isInForce(todayOf(registry))}
    and not exists (select from contact c where c.account_name = m.account_name and c.login_id = ${loginId} and ${isOwnContact(registry.now.toISOString())})
    group by m.account_name)`;

/**
 * Locks an account whose marks change, so that two people see each other’s. The line in the log says that a mark was set or removed, never what it says: the log stays, and
 * the mark ends.
 * @throws Failure NOT_FOUND, OWN_REQUEST for staff who are of the account or were until lately
 */
async function lockMarkedAccount(change: Change, accountName: string, caller: Caller): Promise<void> {
  const account = await lockAccountIfAny(change, accountName);
  if (!account) throw refuse('NOT_FOUND', { what: `Account ${accountName}` });
  await change.concerns(accountName);
  await refuseOwnAccount(change, accountName, caller);
}

/**
 * Sets a mark that counts up to and including `endsOn`, a day of the registry: tomorrow at the earliest, in a year at the latest.
 * @throws Failure NOT_FOUND, OWN_REQUEST, RISK_MARK_THERE where one of this title is in force, TOO_MANY_RISK_MARKS
 */
export async function addRiskMark({
  change,
  caller,
  params: { accountName },
  body: { title, reason, endsOn },
  registry,
}: Act<typeof riskMarks.addRiskMark>): Promise<AnswerOf<typeof riskMarks.addRiskMark>> {
  await lockMarkedAccount(change, accountName, caller);
  const { earliest, latest } = riskMarkDays(todayOf(registry));
  if (endsOn < earliest || endsOn > latest)
    throw refuseField('endsOn', `Enter a day from ${dayInWords(earliest)} to ${dayInWords(latest)}: a mark counts for a year at most`);
  const marks = await marksOf(change, accountName, registry);
  const same = marks.find(mark => mark.title.toLowerCase() === title.toLowerCase());
  if (same) throw refuse('RISK_MARK_THERE', { by: same.setBy, title: same.title, day: dayInWords(same.endsOn) }).at('title');
  if (marks.length >= maxRiskMarks) throw refuse('TOO_MANY_RISK_MARKS', { account: accountName, most: String(maxRiskMarks) });
  const { riskMarkId } = await change
    .insertInto('riskMark')
    .values({ accountName, title, reason, endsOn, setBy: caller.loginId, setAt: change.now })
    .returning('riskMarkId')
    .executeTakeFirstOrThrow();
  await change.note({ mark: String(riskMarkId), endsOn });
  return { marks: await marksOf(change, accountName, registry) };
}

type Kept = { title: string; endsOn: string; removedBy: string | null };

/**
 * Removes a mark before its last day.
 * @throws Failure NOT_FOUND, OWN_REQUEST, RISK_MARK_ENDED where a colleague removed it or its last day is over
 */
export async function removeRiskMark({
  change,
  caller,
  params: { accountName, riskMarkId },
  body: { reason },
  registry,
}: Act<typeof riskMarks.removeRiskMark>): Promise<AnswerOf<typeof riskMarks.removeRiskMark>> {
  await lockMarkedAccount(change, accountName, caller);
  const [mark] = isRowId(riskMarkId)
    ? await change.rows<Kept>(sql`select m.title, m.ends_on::text as ends_on, l.full_name as removed_by from risk_mark m left join login l on l.login_id = m.removed_by
        where m.risk_mark_id = ${Number(riskMarkId)} and m.account_name = ${accountName} for update of m`)
    : [];
  if (!mark) throw refuse('NOT_FOUND', { what: 'The risk mark' });
  const { title, endsOn, removedBy } = mark;
  if (removedBy !== null) throw refuse('RISK_MARK_ENDED', { title, why: `${removedBy} removed it` });
  if (endsOn < todayOf(registry)) throw refuse('RISK_MARK_ENDED', { title, why: `its last day was ${dayInWords(endsOn)}` });
  await change
    .updateTable('riskMark')
    .set({ removedBy: caller.loginId, removedAt: change.now, removalReason: reason })
    .where('riskMarkId', '=', Number(riskMarkId))
    .execute();
  await change.note({ mark: riskMarkId });
  return { marks: await marksOf(change, accountName, registry) };
}
