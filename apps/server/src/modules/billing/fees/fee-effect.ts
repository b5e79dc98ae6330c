import { setImmediate } from 'node:timers/promises';
import type { FeeAnnouncement, FeeEffect, ScheduleKind } from '@portal/contract/billing/fee-schedules';
import { daysAfter } from '@portal/contract/days';
import { sql } from 'kysely';
import type { Read } from '../../../platform/database/index.ts';
import type { Profile } from '../../../profile.ts';
import { type Cents, printCents } from '../money.ts';
import { announcedOn, billedTypes, isLeastDeveloped } from './fee-schedules.ts';
import { annualFee, type FeeSchedule, type Holdings, sumOf } from './fees.ts';

/** Accounts of which the largest differences are named; the table has all. */
const MAX_NAMED = 20;
/** Bills between two pauses, in which others are answered. */
const AT_A_TIME = 250;
/** Addresses of a /56 and of a /48 of IPv6. */
const BLOCK = 1n << 72n;
const FORTY_EIGHT = String(1n << 80n);

type Counting = FeeSchedule & { countHistorical: boolean; firstPi48Free: boolean };

type Held = {
  accountName: string;
  orgName: string;
  accountType: string;
  economy: string | null;
  nir: boolean;
  /** Addresses; historical space is not in the first ones. */
  ipv4: string;
  ipv4Historical: string;
  ipv6: string;
  ipv6Historical: string;
  asns: string;
  has48: boolean;
  has48Historical: boolean;
};

/** The bill of one account before and after, without tax; null where no fees were announced before. */
export type BillChange = { accountName: string; orgName: string; kind: ScheduleKind; before: Cents | null; after: Cents };

/** Returns what the registry's accounts hold now, as their fees count it. */
const heldByAll = (read: Pick<Read, 'rows'>, kinds: readonly ScheduleKind[]): Promise<Held[]> =>
  read.rows<Held>(sql`
    select a.account_name, a.org_name, a.account_type, a.economy, a.nir,
      coalesce(sum(d.size) filter (where d.kind = 'ipv4' and d.source <> 'historical'), 0)::text as ipv4,
      coalesce(sum(d.size) filter (where d.kind = 'ipv4' and d.source = 'historical'), 0)::text as ipv4_historical,
      coalesce(sum(d.size) filter (where d.kind = 'ipv6' and d.source <> 'historical'), 0)::text as ipv6,
      coalesce(sum(d.size) filter (where d.kind = 'ipv6' and d.source = 'historical'), 0)::text as ipv6_historical,
      coalesce(sum(d.size) filter (where d.kind = 'asn'), 0)::text as asns,
      coalesce(bool_or(d.kind = 'ipv6' and d.type = 'assigned' and d.size = ${FORTY_EIGHT}::numeric and d.source <> 'historical'), false) as has48,
      coalesce(bool_or(d.kind = 'ipv6' and d.type = 'assigned' and d.size = ${FORTY_EIGHT}::numeric and d.source = 'historical'), false) as has48_historical
    from account a left join delegation d on d.account_name = a.account_name and d.registry = '' and d.status <> 'closed'
    where a.account_status <> 'closed'
      and a.account_type = any(${Object.keys(billedTypes).filter(type => kinds.includes(billedTypes[type]!))}::text[])
    group by a.account_name order by a.account_name`);

function holdingsOf(held: Held, { countHistorical, firstPi48Free }: Counting): Holdings {
  const all = (family: 'ipv4' | 'ipv6'): bigint => BigInt(held[family]) + (countHistorical ? BigInt(held[`${family}Historical`]) : 0n);
  const blocks = (all('ipv6') + BLOCK - 1n) / BLOCK;
  const isFree = firstPi48Free && (held.has48 || (countHistorical && held.has48Historical));
  return { ipv4: all('ipv4'), ipv6: blocks - (isFree ? FORTY_EIGHT_IN_BLOCKS : 0n), asns: Number(held.asns) };
}
const FORTY_EIGHT_IN_BLOCKS = 256n;

/**
 * Yields the bills of all accounts that fees are for, some at a time: by what each holds now, for a term that begins on their first day, and by the fees of the day before.
 * Others are answered in between.
 */
export async function* billChanges(
  read: Read,
  { validFrom, fees }: Pick<FeeAnnouncement, 'validFrom' | 'fees'>,
  profile: Pick<Profile, 'leastDevelopedEconomies'>,
): AsyncGenerator<BillChange[]> {
  const kinds = (['member', 'non-member'] as const).filter(kind => fees[kind]);
  const before = new Map<ScheduleKind, Counting>();
  for (const kind of kinds) {
    const earlier = await announcedOn(read, kind, daysAfter(validFrom, -1));
    if (earlier) before.set(kind, earlier);
  }
  const held = await heldByAll(read, kinds);
  for (let start = 0; start < held.length; start += AT_A_TIME) {
    yield held.slice(start, start + AT_A_TIME).map(each => {
      const kind = billedTypes[each.accountType]!;
      const circumstances = { nir: each.nir, ldc: isLeastDeveloped(profile, each.economy, validFrom) };
      const bill = (schedule: Counting): Cents => sumOf(annualFee(schedule, holdingsOf(each, schedule), circumstances));
      const earlier = before.get(kind);
      return {
        accountName: each.accountName,
        orgName: each.orgName,
        kind,
        before: earlier ? bill(earlier) : null,
        after: bill(fees[kind]!),
      };
    });
    await setImmediate();
  }
}

const size = (amount: Cents): Cents => (amount < 0n ? -amount : amount);
const weightOf = ({ before, after }: BillChange): Cents => size(after - (before ?? 0n));

/** Returns what fees do to the bills of all accounts: sums, how many pay more or less, and the largest differences. */
export async function effectOf(
  read: Read,
  announcement: FeeAnnouncement,
  { currency, leastDevelopedEconomies }: Pick<Profile, 'currency' | 'leastDevelopedEconomies'>,
): Promise<FeeEffect> {
  let [accounts, first, more, less, same, before, becomes, after] = [0, 0, 0, 0, 0, 0n, 0n, 0n];
  let largest: BillChange[] = [];
  for await (const changes of billChanges(read, announcement, { leastDevelopedEconomies })) {
    for (const change of changes) {
      accounts += 1;
      after += change.after;
      if (change.before === null) {
        first += 1;
        continue;
      }
      before += change.before;
      becomes += change.after;
      if (change.after > change.before) more += 1;
      else if (change.after < change.before) less += 1;
      else same += 1;
    }
    largest = [...largest, ...changes].sort((a, b) => (weightOf(a) < weightOf(b) ? 1 : -1)).slice(0, MAX_NAMED);
  }
  return {
    announcement,
    currency,
    accounts,
    compared: first === accounts ? null : { before: printCents(before), after: printCents(becomes) },
    first,
    after: printCents(after),
    more,
    less,
    same,
    largest: largest.map(({ accountName, orgName, before: was, after: is }) => ({
      accountName,
      orgName,
      before: was === null ? null : printCents(was),
      after: printCents(is),
      difference: was === null ? null : printCents(is - was),
    })),
  };
}
