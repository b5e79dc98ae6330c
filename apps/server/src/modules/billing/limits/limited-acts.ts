import type { Books } from '@portal/contract/billing/books';
import { limitScopes, type LimitScope, type StaffLimit, staffLimitNames, staffLimits } from '@portal/contract/staff-limits';
import { type RawBuilder, sql } from 'kysely';
import { type Change, lockByName, type Read } from '../../../platform/database/index.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { SecondPersonNeeded } from '../../../platform/http/endpoints.ts';
import { noteCounted } from '../../../platform/limited.ts';
import type { LimitsAlone, Profile } from '../../../profile.ts';
import { type Cents, cents, printCents } from '../money.ts';

/** An amount of money in cents; of days and accounts, a hundred for each. */
type Counted = Cents;

/** Whole days or accounts as a limit counts them. */
export const wholeUnits = (count: number): Counted => BigInt(count) * 100n;

/** The limits of a person: `null` where a scope isn't counted. */
type ScopeLimits = Record<LimitScope, Counted | null>;

/** The acts that count together under a limit, by scope. For an account what two people did counts too: then all that follows takes two. */
const together: Record<LimitScope, (whose: Pick<Counting, 'accountName' | 'loginId'>) => RawBuilder<unknown>> = {
  account: ({ accountName }) => sql`account_name = ${accountName}`,
  person: ({ loginId }) => sql`made_by = ${loginId} and second_person is null`,
  everyone: () => sql`second_person is null`,
};

type Counting = { limit: StaffLimit; accountName: string | null; loginId: string };

/** Returns the limits as the profile has them. Days and accounts are whole numbers there. */
export function limitsOfProfile(limit: StaffLimit, { limitsAlone }: { limitsAlone: LimitsAlone }): ScopeLimits {
  const values = limitsAlone[limit] as Record<string, string | number | undefined>;
  const of = (scope: LimitScope): Counted | null => {
    const value = values[scope];
    return value === undefined ? null : typeof value === 'number' ? wholeUnits(value) : cents(value);
  };
  return { account: of('account'), person: of('person'), everyone: of('everyone') };
}

/** How many days count together under a limit: more time and holidays count over a year, as they are given once in a while. */
export const daysOf = (limit: StaffLimit, { limitsAlone }: { limitsAlone: LimitsAlone }): number =>
  staffLimits[limit].unit === 'days' ? limitsAlone.timeDays : limitsAlone.days;

/** Returns what was recorded under a limit in the days that count together, in each scope. */
async function recordedUnder(
  read: Pick<Read, 'rows'>,
  counting: Counting,
  { now, days }: { now: string; days: number },
): Promise<Record<LimitScope, Counted>> {
  const sumOf = (scope: LimitScope): RawBuilder<unknown> =>
    sql`coalesce(sum(amount) filter (where ${together[scope](counting)}), 0)::numeric(14, 2)::text`;
  const [row] = await read.rows<Record<LimitScope, string>>(sql`
    select ${sumOf('account')} as account, ${sumOf('person')} as person, ${sumOf('everyone')} as everyone
    from limited_act where name = ${counting.limit} and made_at >= ${now}::timestamptz - make_interval(days => ${days}::integer)`);
  return { account: cents(row!.account), person: cents(row!.person), everyone: cents(row!.everyone) };
}

/** Records which limits count from now on, where they are others than before: the profile is a file, and the books say what counted when. */
async function recordInForce(change: Change, limit: StaffLimit, { account, person, everyone }: ScopeLimits, days: number): Promise<void> {
  const values = {
    name: limit,
    account: account === null ? null : printCents(account),
    person: printCents(person!),
    everyone: printCents(everyone!),
    days,
  };
  const [known] = await change.rows<{ same: boolean }>(sql`
    select account is not distinct from ${values.account}::numeric and person = ${values.person}::numeric and everyone = ${values.everyone}::numeric
      and days = ${days}::integer as same
    from limit_in_force where name = ${limit} order by limit_in_force_id desc limit 1`);
  if (known?.same) return;
  await change
    .insertInto('limitInForce')
    .values({ ...values, since: change.now })
    .execute();
}

/** Returns what a person, and everyone, has done alone under each limit, and the most that may be. */
export async function limitsUsedBy(
  read: Pick<Read, 'rows'>,
  { loginId }: Pick<Caller, 'loginId'>,
  { now, profile }: { now: string; profile: Pick<Profile, 'limitsAlone'> },
): Promise<Books['limits']> {
  const rows: Books['limits'] = [];
  for (const name of staffLimitNames) {
    const [limits, days] = [limitsOfProfile(name, profile), daysOf(name, profile)];
    const recorded = await recordedUnder(read, { limit: name, accountName: null, loginId }, { now, days });
    const shown = (amount: Counted): string => (staffLimits[name].unit === 'money' ? printCents(amount) : String(amount / 100n));
    for (const scope of ['person', 'everyone'] as const)
      rows.push({ name, scope, days, recorded: shown(recorded[scope]), most: shown(limits[scope]!) });
  }
  return rows;
}

/** An act that is counted: how much, for which account, who does it, and whether a second person approved it. */
export type LimitedAct = {
  limit: StaffLimit;
  /** Null for an act about no account, or about many. */
  accountName: string | null;
  amount: Counted;
  caller: Pick<Caller, 'loginId' | 'approvedBy'>;
  hasSecondPerson: boolean;
  registry: { profile: Pick<Profile, 'limitsAlone'> };
  /** When it was done, of history that is written down afterwards; now without it. No call hands it on. */
  madeAt?: string | undefined;
};

/**
 * Counts an act under its limit and returns its id; null for an amount of zero. Changes under one limit are serialised from here until they end, so that two
 * people at the same moment can't go beyond it together. Counted is what was recorded, at the time of the server. Called after all refusals of the act.
 * @throws SecondPersonNeeded
 */
export async function countAct(
  change: Change,
  { limit, accountName, amount, caller, hasSecondPerson, registry: { profile }, madeAt = change.now }: LimitedAct,
): Promise<number | null> {
  noteCounted(change, limit);
  if (amount <= 0n) return null;
  await lockByName(change, `billing.limit-${limit}`);
  const [limits, days] = [limitsOfProfile(limit, profile), daysOf(limit, profile)];
  await recordInForce(change, limit, limits, days);
  const recorded = await recordedUnder(change, { limit, accountName, loginId: caller.loginId }, { now: madeAt, days });
  const beyond = staffLimits[limit].scopes.filter(
    scope => (scope !== 'account' || accountName !== null) && recorded[scope] + amount > limits[scope]!,
  );
  if (beyond.length > 0) {
    if (!hasSecondPerson) throw new SecondPersonNeeded();
    const whose = beyond.map(scope => limitScopes[scope]).join(', and ');
    await change.note({ secondPersonBecause: `${staffLimits[limit].title}: more than the limit of ${days} days ${whose}` });
  }
  const { limitedActId } = await change
    .insertInto('limitedAct')
    .values({
      name: limit,
      accountName,
      amount: printCents(amount),
      madeBy: caller.loginId,
      secondPerson: caller.approvedBy ?? null,
      madeAt,
      activityId: change.activityId,
    })
    .returning('limitedActId')
    .executeTakeFirstOrThrow();
  return limitedActId;
}

/** Counts an act of a positive amount of money, and returns its id. @throws SecondPersonNeeded */
export async function countMoney(change: Change, act: LimitedAct): Promise<number> {
  const id = await countAct(change, act);
  if (id === null) throw new Error(`An act under the limit "${act.limit}" has no amount.`);
  return id;
}
