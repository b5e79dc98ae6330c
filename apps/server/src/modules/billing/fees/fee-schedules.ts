import { sql } from 'kysely';
import type { Read } from '../../../platform/database/index.ts';
import type { Profile } from '../../../profile.ts';
import { type FeeSchedule, type Holdings, projectedSchedule } from './fees.ts';

export type ScheduleOfDay = FeeSchedule & { feeScheduleId: string; countHistorical: boolean; firstPi48Free: boolean };

/** Account types that pay a yearly fee, and which schedule they use. Registries, historical and system accounts pay none. */
export const billedTypes: Readonly<Record<string, 'member' | 'non-member'>> = {
  regular: 'member',
  'confed-isp': 'member',
  'confed-nir': 'member',
  'non member': 'non-member',
};

/** The schedule that counts for a term that begins on a day. @throws Error before the first schedule */
export async function scheduleOn(read: Read, accountType: string, day: string): Promise<ScheduleOfDay> {
  const kind = billedTypes[accountType];
  if (kind === undefined) throw new Error(`${accountType} accounts pay no fee.`);
  const [row] = await announcedOn(read, kind, day);
  if (!row) throw new Error(`No fee is set for a ${kind} on ${day}.`);
  return row;
}

type Announced = ScheduleOfDay & { validFrom: string };

/** Returns the schedule of a kind of account that is valid on a day; empty before the first one. */
const announcedOn = (read: Read, kind: 'member' | 'non-member', day: string): Promise<Announced[]> =>
  read.rows<Announced>(sql`
    select fee_schedule_id, valid_from, base_fee::text, bit_factor::text, associate_fee::text, nir_multiplier::text, ldc_share::text, asn_fee::text, free_asns,
      sign_up_fee::text, count_historical, first_pi48_free from fee_schedule
    where account_kind = ${kind} and valid_from <= ${day}::date order by valid_from desc limit 1`);

/** Returns the years with announced fees for a kind of account, from the first schedule to the year of the last one. */
export async function announcedYears(read: Read, kind: 'member' | 'non-member'): Promise<{ first: number; last: number }> {
  const [row] = await read.rows<{ first: number | null; last: number | null }>(sql`
    select min(extract(year from valid_from))::int as first, max(extract(year from valid_from))::int as last from fee_schedule where account_kind = ${kind}`);
  if (!row || row.first === null || row.last === null) throw new Error(`No fee is set for a ${kind}.`);
  return { first: row.first, last: row.last };
}

/**
 * The schedule of a kind of account for a term that begins on a day, announced or, in the year after the last announced one, projected.
 * Undefined before the first and beyond the projection.
 */
export async function expectedOn(
  read: Read,
  kind: 'member' | 'non-member',
  day: string,
  growth: string,
): Promise<(Announced & { projected: boolean }) | undefined> {
  const [[row], { last }] = await Promise.all([announcedOn(read, kind, day), announcedYears(read, kind)]);
  const beyond = Number(day.slice(0, 4)) - last;
  if (!row || beyond > 1) return undefined;
  return beyond === 1
    ? { ...projectedSchedule(row, growth), validFrom: `${last + 1}-01-01`, projected: true }
    : { ...row, projected: false };
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
        from row_change c join activity a using (activity_id)
        where c.table_name = 'delegation' and a.happened_at >= ${day}::timestamp at time zone ${timeZone}
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
