import { type ScheduleKind, scheduleKindNames, scheduleKinds } from '@portal/contract/billing/fee-schedules';
import { daysAfter, lastDayOfYear } from '@portal/contract/days';
import { sql } from 'kysely';
import type { Read } from '../../../platform/database/index.ts';
import { refuse } from '../../../platform/failure.ts';
import type { Profile } from '../../../profile.ts';
import { changesOfDelegations } from '../../resources/index.ts';
import { type FeeSchedule, type Holdings, projectedSchedule } from './fees.ts';

export type ScheduleOfDay = FeeSchedule & {
  feeScheduleId: string;
  validFrom: string;
  validUntil: string;
  announcedOn: string;
  countHistorical: boolean;
  firstPi48Free: boolean;
};

/** Types of accounts that pay a yearly fee, and by whose schedule. Registries, historical and system accounts pay none. */
export const billedTypes: Readonly<Record<string, ScheduleKind>> = {
  regular: 'member',
  'confed-isp': 'member',
  'confed-nir': 'member',
  'non member': 'non-member',
};

/** Words for accounts of a kind: `members`. */
export const kindInWords = (kind: ScheduleKind): string => scheduleKinds[kind].toLowerCase();

/** Returns the schedule that counts for a term that begins on a day; undefined where none is announced for it. */
export function announcedFor(read: Pick<Read, 'rows'>, accountType: string, day: string): Promise<ScheduleOfDay | undefined> {
  const kind = billedTypes[accountType];
  if (kind === undefined) throw new Error(`${accountType} accounts pay no fee.`);
  return announcedOn(read, kind, day);
}

/** Like `announcedFor`. @throws Failure FEES_NOT_ANNOUNCED */
export async function scheduleOn(read: Pick<Read, 'rows'>, accountType: string, day: string): Promise<ScheduleOfDay> {
  const row = await announcedFor(read, accountType, day);
  if (!row) throw refuse('FEES_NOT_ANNOUNCED', { kind: kindInWords(billedTypes[accountType]!), day });
  return row;
}

const columns = sql`fee_schedule_id, valid_from, valid_until, announced_on, base_fee::text, bit_factor::text, ipv4_base, ipv6_base, associate_fee::text,
  nir_multiplier::text, ldc_share::text, asn_fee::text, free_asns, sign_up_fee::text, count_historical, first_pi48_free`;

/** Returns the schedule of a kind of account that is announced for a day; undefined without one. */
export async function announcedOn(read: Pick<Read, 'rows'>, kind: ScheduleKind, day: string): Promise<ScheduleOfDay | undefined> {
  const [row] = await read.rows<ScheduleOfDay>(
    sql`select ${columns} from fee_schedule where account_kind = ${kind} and ${day}::date between valid_from and valid_until`,
  );
  return row;
}

/** Returns all announced schedules with their kinds, the latest first. */
export const allSchedules = (read: Pick<Read, 'rows'>): Promise<(ScheduleOfDay & { accountKind: ScheduleKind })[]> =>
  read.rows(sql`select account_kind, ${columns} from fee_schedule order by valid_from desc, account_kind`);

/** The times of announced fees, by kind of account: from and until, the earliest first. */
type AnnouncedTimes = Record<ScheduleKind, { validFrom: string; validUntil: string }[]>;

/** Returns the times for which fees are announced, by kind of account. */
export async function announcedTimes(read: Pick<Read, 'rows'>): Promise<AnnouncedTimes> {
  const rows = await read.rows<{ accountKind: ScheduleKind; validFrom: string; validUntil: string }>(
    sql`select account_kind, valid_from, valid_until from fee_schedule order by valid_from`,
  );
  const of = (kind: ScheduleKind) => rows.filter(({ accountKind }) => accountKind === kind);
  return { member: of('member'), 'non-member': of('non-member') };
}

/** Returns the first day from a day on for which a kind of account has no announced fees. */
export function firstDayWithout(times: AnnouncedTimes[ScheduleKind], from: string): string {
  return times.reduce((day, { validFrom, validUntil }) => (validFrom <= day && day <= validUntil ? daysAfter(validUntil, 1) : day), from);
}

/**
 * Returns the years in which a term can begin for which fees are announced, and the one after the last of them, which is projected. Empty where none are announced.
 */
export function yearsWithFees(times: AnnouncedTimes[ScheduleKind]): number[] {
  const years = times.flatMap(({ validFrom, validUntil }) => {
    const first = Number(validFrom.slice(0, 4));
    return Array.from({ length: Number(validUntil.slice(0, 4)) - first + 1 }, (_, place) => first + place);
  });
  return years.length === 0 ? [] : [...new Set([...years, years.at(-1)! + 1])];
}

/**
 * The schedule of a kind of account for a term that begins on a day, announced or, within a year after the last announced one, projected.
 * Undefined where none is announced for it, and beyond the projection.
 * @param growth as `projectedSchedule` takes it
 */
export async function expectedOn(
  read: Pick<Read, 'rows'>,
  kind: ScheduleKind,
  day: string,
  growth: string,
): Promise<(ScheduleOfDay & { projected: boolean }) | undefined> {
  const announced = await announcedOn(read, kind, day);
  if (announced) return { ...announced, projected: false };
  const [last] = await read.rows<ScheduleOfDay>(
    sql`select ${columns} from fee_schedule where account_kind = ${kind} order by valid_from desc limit 1`,
  );
  if (!last || day <= last.validUntil || day > lastDayOfYear(daysAfter(last.validUntil, 1))) return undefined;
  return { ...projectedSchedule(last, growth), validFrom: daysAfter(last.validUntil, 1), projected: true };
}

/** Days ahead in which fees that are missing are named: a quarter. */
const NOTICE_DAYS = 92;

/** Returns the kinds of accounts of which some can’t be billed for terms that begin within a quarter, with the first of these days. */
export async function missingFees(read: Pick<Read, 'rows'>, today: string): Promise<{ kind: ScheduleKind; from: string }[]> {
  const [times, accounts] = await Promise.all([
    announcedTimes(read),
    read.rows<{ accountType: string }>(
      sql`select distinct account_type from account where account_status <> 'closed' and account_type = any(${Object.keys(billedTypes)}::text[])`,
    ),
  ]);
  const used = new Set(accounts.map(({ accountType }) => billedTypes[accountType]!));
  return scheduleKindNames.flatMap(kind => {
    const from = firstDayWithout(times[kind], today);
    return used.has(kind) && from <= daysAfter(today, NOTICE_DAYS) ? [{ kind, from }] : [];
  });
}

/** Returns how many accounts have a term that began on a day without fees, so that it is never billed, and the first of these days; null for none. */
export async function unbilledTerms(read: Pick<Read, 'rows'>, today: string): Promise<{ accounts: number; from: string } | null> {
  const [found] = await read.rows<{ accounts: number; from: string | null }>(sql`
    select count(*)::int as accounts, min(a.expiry_date + 1)::text as from from account a, billing_start b
    where a.account_status in ('open', 'suspended', 'lost') and a.account_type = any(${Object.keys(billedTypes)}::text[])
      and a.expiry_date >= b.first_end and a.expiry_date < ${today}::date
      and not exists (select from fee_schedule s where s.account_kind = ${JSON.stringify(billedTypes)}::jsonb ->> a.account_type
        and a.expiry_date + 1 between s.valid_from and s.valid_until)`);
  return found?.from ? { accounts: found.accounts, from: found.from } : null;
}

/** Returns whether an economy is on the profile's list of least developed countries on a day. */
export const isLeastDeveloped = (
  { leastDevelopedEconomies }: Pick<Profile, 'leastDevelopedEconomies'>,
  economy: string | null,
  day: string,
): boolean => leastDevelopedEconomies.some(row => row.economy === economy && row.from <= day && (row.until === null || row.until > day));

/**
 * Returns an account's holdings at the start of a day in the registry's time zone, as its fee counts them: the present ledger, minus later changes according to its
 * history. Something recorded later, such as by an import, counts if it was delegated before. The schedule decides whether historical space and the first assigned /48
 * count.
 */
export async function holdingsOn({
  read,
  accountName,
  day,
  schedule: { countHistorical, firstPi48Free },
  timeZone,
}: {
  read: Read;
  accountName: string;
  day: string;
  schedule: Pick<ScheduleOfDay, 'countHistorical' | 'firstPi48Free'>;
  timeZone: string;
}): Promise<Holdings> {
  const [held] = await read.rows<{ ipv4: string; ipv6: string; asns: string; hasFree48: boolean }>(sql`
    with changed as (
      select distinct on (id) id, was from (
        select coalesce(c.before, c.after) ->> 'delegation_id' as id, c.activity_id, c.row_change_id,
          coalesce(c.before, case when coalesce((c.after ->> 'delegated_on')::date < ${day}::date, true) then c.after end) as was
        from ${changesOfDelegations(accountName)} join activity a using (activity_id)
        where a.happened_at >= ${day}::timestamp at time zone ${timeZone}
          and (c.before ->> 'account_name' = ${accountName} or c.after ->> 'account_name' = ${accountName})) each
      order by id, activity_id, row_change_id),
    held as (
      select kind, size, type, source from delegation
      where account_name = ${accountName} and registry = '' and status <> 'closed' and delegation_id::text not in (select id from changed)
      union all
      select was ->> 'kind', (was ->> 'size')::numeric, was ->> 'type', was ->> 'source' from changed
      where was ->> 'account_name' = ${accountName} and was ->> 'registry' = '' and was ->> 'status' <> 'closed')
    select coalesce(sum(size) filter (where kind = 'ipv4'), 0)::text as ipv4,
      coalesce(ceil(sum(size) filter (where kind = 'ipv6') / ${String(2n ** 72n)}::numeric), 0)::text as ipv6,
      coalesce(sum(size) filter (where kind = 'asn'), 0)::text as asns,
      coalesce(bool_or(kind = 'ipv6' and type = 'assigned' and size = ${String(2n ** 80n)}::numeric), false) as has_free48
    from held where source <> 'historical' or kind = 'asn' or ${countHistorical}`);
  const { ipv4, ipv6, asns, hasFree48 } = held!;
  return { ipv4: BigInt(ipv4), ipv6: BigInt(ipv6) - (firstPi48Free && hasFree48 ? 256n : 0n), asns: Number(asns) };
}
