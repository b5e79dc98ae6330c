import type { BillingStep } from '@portal/contract/billing/billing';
import { planDays } from '@portal/contract/billing/memberships';
import { dayIn, daysAfter, daysBetween } from '@portal/contract/days';
import type { PolicyValueName } from '@portal/contract/policy/policy-values';
import { bookPermissions } from '@portal/contract';
import { type LimitScope, type StaffLimit, staffLimitNames, staffLimits } from '@portal/contract/staff-limits';
import { type RawBuilder, sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import { dayInFull } from '../../platform/day-words.ts';
import type { BillingCalendar, Profile } from '../../profile.ts';
import { accountRows } from '../accounts/index.ts';
import type { EffectOf, AffectedRow } from '../policy/index.ts';
import { daysOf, limitsOfProfile } from './limits/limited-acts.ts';
import { stepsAheadOf, type Term, termsWhere } from './membership/term.ts';
import { printCents } from './money.ts';

const plural = (count: number, one: string, more: string): string => `${count} ${count === 1 ? one : more}`;
const accountLink = (accountName: string): string => `/desk/accounts/${encodeURIComponent(accountName)}`;

/** Days of acts that are looked at: a year, whatever counts together. */
const LOOK_BACK_DAYS = 365;

/** An act that a change of limits would be different for. */
type Act = { accountName: string | null; who: string; madeAt: string; amount: string; was: boolean };

/** The acts of the last year under a limit: how many there are, how many took two people by the limits of then, how many would by the new ones, and those that are different. */
async function actsUnder(
  read: Pick<Read, 'rows'>,
  limit: StaffLimit,
  { before, after, now }: { before: Profile; after: Profile; now: Date },
): Promise<{ all: number; was: number; would: number; changed: Act[] }> {
  const [daysBefore, daysAfter] = [daysOf(limit, before), daysOf(limit, after)];
  // An act with its second person counts for the account, and for the person only itself.
  const alone = sql`case when second_person is null then amount else 0 end`;
  const itself = sql`case when second_person is null then 0 else amount end`;
  const takesTwo = (profile: Profile, sums: Record<LimitScope, RawBuilder<unknown>>): RawBuilder<unknown> => {
    const limits = limitsOfProfile(limit, profile);
    const most = (scope: LimitScope): string | null => {
      const value = staffLimits[limit].scopes.some(each => each === scope) ? limits[scope] : null;
      return value === null ? null : printCents(value);
    };
    return sql`coalesce((account_name is not null and ${sums.account} > ${most('account')}::numeric) or ${sums.person} + ${itself} > ${most('person')}::numeric
      or ${sums.everyone} + ${itself} > ${most('everyone')}::numeric, false)`;
  };
  const rows = await read.rows<
    { all: number; was: number; would: number } & { [Name in keyof Act as `act${Capitalize<Name>}`]: Act[Name] | null }
  >(sql`
    with act as (select a.*, extract(epoch from made_at) / 86400 as day from limited_act a
      where name = ${limit} and made_at >= ${now.toISOString()}::timestamptz - make_interval(days => ${LOOK_BACK_DAYS + Math.max(daysBefore, daysAfter)}::integer)),
    summed as (select act.*,
      sum(amount) over (partition by account_name order by day range between ${daysBefore}::integer preceding and current row) as account_before,
      sum(amount) over (partition by account_name order by day range between ${daysAfter}::integer preceding and current row) as account_after,
      sum(${alone}) over (partition by made_by order by day range between ${daysBefore}::integer preceding and current row) as person_before,
      sum(${alone}) over (partition by made_by order by day range between ${daysAfter}::integer preceding and current row) as person_after,
      sum(${alone}) over (order by day range between ${daysBefore}::integer preceding and current row) as everyone_before,
      sum(${alone}) over (order by day range between ${daysAfter}::integer preceding and current row) as everyone_after from act),
    judged as materialized (select limited_act_id, account_name, made_by, made_at, amount,
        ${takesTwo(before, { account: sql`account_before`, person: sql`person_before`, everyone: sql`everyone_before` })} as was,
        ${takesTwo(after, { account: sql`account_after`, person: sql`person_after`, everyone: sql`everyone_after` })} as would
      from summed where made_at >= ${now.toISOString()}::timestamptz - make_interval(days => ${LOOK_BACK_DAYS}::integer))
    select t.*, j.account_name as act_account_name, l.full_name as act_who, j.made_at as act_made_at, j.amount::text as act_amount, j.was as act_was
    from (select count(*)::int as all, (count(*) filter (where was))::int as was, (count(*) filter (where would))::int as would from judged) t
      left join judged j on j.was <> j.would left join login l on l.login_id = j.made_by order by j.made_at desc, j.limited_act_id desc`);
  const { all, was, would } = rows[0]!;
  const changed = rows.flatMap(({ actAccountName, actWho, actMadeAt, actAmount, actWas }): Act[] =>
    actWho === null || actMadeAt === null || actAmount === null || actWas === null
      ? []
      : [{ accountName: actAccountName, who: actWho, madeAt: actMadeAt, amount: actAmount, was: actWas }],
  );
  return { all, was, would, changed };
}

const unitOf = (limit: StaffLimit, amount: string, { currency }: Profile): string =>
  staffLimits[limit].unit === 'money'
    ? `${currency} ${amount}`
    : plural(Math.round(Number(amount)), staffLimits[limit].unit === 'days' ? 'day' : 'account', staffLimits[limit].unit);

/** Acts of the last year under some limits, and which of them would take a second person. */
const limitsEffect =
  (limits: readonly StaffLimit[]): EffectOf =>
  async (read, { before, after, now }) => {
    const rows: AffectedRow[] = [];
    let [all, was, would] = [0, 0, 0];
    for (const limit of limits) {
      const acts = await actsUnder(read, limit, { before, after, now });
      all += acts.all;
      was += acts.was;
      would += acts.would;
      for (const act of acts.changed)
        rows.push({
          what: `${act.who}, ${dayInFull(dayIn(before.timeZone, new Date(act.madeAt)))}`,
          detail: `${unitOf(limit, act.amount, before)}${act.accountName === null ? '' : ` for ${act.accountName}`}`,
          link: act.accountName === null ? null : accountLink(act.accountName),
          before: act.was ? 'Two people' : 'One person',
          after: act.was ? 'One person' : 'Two people',
          numbers: null,
          needs: bookPermissions,
        });
    }
    return {
      sentence: `Of ${plural(all, 'act', 'acts')} in the last year, ${was} took two people by these limits. With the new ones ${would} would. What was done stays, and counts.`,
      of: 'act',
      all,
      met: rows.length,
      rows,
    };
  };

/** Terms whose steps come in the next 90 days, by a calendar. */
async function stepsBy(
  read: Read,
  until: string,
  calendar: BillingCalendar,
  step: BillingStep,
): Promise<Map<string, { term: Term; day: string }>> {
  const terms = await termsWhere(read, calendar, sql`a.expiry_date <= ${daysAfter(until, calendar.reminderDays)}::date`);
  const found = new Map<string, { term: Term; day: string }>();
  for (const next of stepsAheadOf(terms, until, calendar))
    if (next.step === step && !found.has(next.term.accountName)) found.set(next.term.accountName, { term: next.term, day: next.day });
  return found;
}

/** Terms whose reminder comes on another day. */
const reminderDays: EffectOf = async (read, { before, after, today, validFrom }) => {
  const step = 'reminder';
  const until = daysAfter(validFrom > today ? validFrom : today, planDays);
  const [was, is] = await Promise.all([
    stepsBy(read, until, before.billingCalendar, step),
    stepsBy(read, until, after.billingCalendar, step),
  ]);
  const names = [...new Set([...was.keys(), ...is.keys()])];
  const accounts = await accountRows(read, names);
  const moved = names
    .map(accountName => ({ accountName, one: was.get(accountName)?.day, other: is.get(accountName)?.day }))
    // A step that the old calendar takes before the change is taken.
    .filter(({ one, other }) => one !== other && (one === undefined || one >= validFrom))
    .map(({ accountName, one, other }) => ({ accountName, one, other: other !== undefined && other < validFrom ? validFrom : other }))
    .sort((a, b) => ((a.other ?? a.one!) < (b.other ?? b.one!) ? -1 : 1));
  const later = `After ${dayInFull(until)}`;
  const words = (day: string | undefined): string => (day === undefined ? later : dayInFull(day));
  return {
    sentence: `${plural(moved.length, 'account has its', 'accounts have their')} reminder on another day until ${dayInFull(until)}, if nothing more is paid.`,
    of: 'account',
    all: names.length,
    met: moved.length,
    rows: moved.map(({ accountName, one, other }) => ({
      what: accountName,
      detail: accounts.get(accountName)!.orgName,
      link: accountLink(accountName),
      before: words(one),
      after: words(other),
      numbers: one === undefined || other === undefined ? null : [dayNumber(one, validFrom), dayNumber(other, validFrom)],
      needs: ['memberships'],
    })),
  };
};

/** Days of a day after another, as a number to draw. */
const dayNumber = (day: string, from: string): number => daysBetween(from, day);

/** Days of the plan with more suspensions and closures than go through without staff. */
const endingsOfDay: EffectOf = async (read, { before, after, today, validFrom }) => {
  const until = daysAfter(validFrom > today ? validFrom : today, planDays);
  const days = new Map<string, number>();
  for (const step of ['suspension', 'closing'] as const)
    for (const { day } of (await stepsBy(read, until, after.billingCalendar, step)).values())
      if (day >= validFrom) days.set(day, (days.get(day) ?? 0) + 1);
  const wait = (count: number, { mostEndingsPerDay }: Profile): string => (count > mostEndingsPerDay ? 'Wait for staff' : 'Go through');
  const rows = [...days]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([day, count]) => ({ day, count, was: wait(count, before), is: wait(count, after) }))
    .filter(({ was, is }) => was !== is);
  return {
    sentence: `${plural(days.size, 'day has', 'days have')} suspensions or closures until ${dayInFull(until)}, if nothing more is paid. On ${rows.length} of them the new limit decides otherwise.`,
    of: 'day',
    all: days.size,
    met: rows.length,
    rows: rows.map(({ day, count, was, is }) => ({
      what: dayInFull(day),
      detail: plural(count, 'account', 'accounts'),
      link: '/desk/memberships',
      before: was,
      after: is,
      numbers: null,
      needs: ['memberships'],
    })),
  };
};

/** Closed accounts, which are reactivated by the fee and the days of the day on which they ask. */
const reactivation =
  (words: (profile: Profile) => string, number: (profile: Profile) => number): EffectOf =>
  async (read, { before, after }) => {
    const closed = await read.rows<{ accountName: string; orgName: string; open: boolean }>(sql`
      select a.account_name, a.org_name, exists (select from reactivation r where r.account_name = a.account_name and r.ended_at is null) as open
      from account a where a.account_status = 'closed' order by a.account_name`);
    const met = closed.filter(({ open }) => !open);
    return {
      sentence: `${plural(closed.length, 'account is', 'accounts are')} closed. Those that ask for a reactivation from that day on have the new value; ${closed.length - met.length} that asked keep theirs.`,
      of: 'account',
      all: closed.length,
      met: met.length,
      rows: met.map(({ accountName, orgName }) => ({
        what: accountName,
        detail: orgName,
        link: accountLink(accountName),
        before: words(before),
        after: words(after),
        numbers: [number(before), number(after)],
        needs: ['accounts', 'memberships'],
      })),
    };
  };

const ofLimit = Object.fromEntries(
  staffLimitNames.flatMap(limit =>
    staffLimits[limit].scopes.map((scope): [string, EffectOf] => [`limitsAlone.${limit}.${scope}`, limitsEffect([limit])]),
  ),
);

/** Effects of changes of the policy on bills, memberships and what staff do to money. */
export const billingPolicyEffects: Partial<Record<PolicyValueName, EffectOf>> = {
  ...ofLimit,
  'limitsAlone.days': limitsEffect(staffLimitNames.filter(name => staffLimits[name].unit !== 'days')),
  'limitsAlone.timeDays': limitsEffect(staffLimitNames.filter(name => staffLimits[name].unit === 'days')),
  'billingCalendar.reminderDays': reminderDays,
  mostEndingsPerDay: endingsOfDay,
  reactivationFee: reactivation(
    ({ currency, reactivationFee }) => `${currency} ${reactivationFee}`,
    ({ reactivationFee }) => Number(reactivationFee),
  ),
  reactivationDays: reactivation(
    ({ reactivationDays }) => plural(reactivationDays, 'day', 'days'),
    ({ reactivationDays }) => reactivationDays,
  ),
};
