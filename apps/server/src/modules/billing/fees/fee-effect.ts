import { setImmediate } from 'node:timers/promises';
import {
  type FeeAnnouncement,
  type FeeChange,
  type FeeEffect,
  type ScheduleKind,
  STEEP_PERCENT,
} from '@portal/contract/billing/fee-schedules';
import { daysAfter } from '@portal/contract/days';
import { sql } from 'kysely';
import type { Read } from '../../../platform/database/index.ts';
import type { Profile } from '../../../profile.ts';
import { type Cents, printCents } from '../money.ts';
import { announcedOn, billedTypes, isLeastDeveloped } from './fee-schedules.ts';
import { addressBits, annualFee, type FeeSchedule, type Holdings, sumOf } from './fees.ts';

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

/** The bill of one account before and after, without tax; null where no fees were announced before. `holds` is counted by the rules after. */
export type BillChange = Pick<Held, 'accountName' | 'orgName' | 'economy'> & {
  kind: ScheduleKind;
  holds: Holdings;
  /** The size that it is billed by, as the length of an IPv4 prefix; null without addresses. */
  length: number | null;
  before: Cents | null;
  after: Cents;
};

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
      const holds = holdingsOf(each, fees[kind]!);
      return {
        accountName: each.accountName,
        orgName: each.orgName,
        economy: each.economy,
        kind,
        holds,
        length: lengthOf(holds, fees[kind]!),
        before: earlier ? bill(earlier) : null,
        after: bill(fees[kind]!),
      };
    });
    await setImmediate();
  }
}

/** Returns the size that holdings are billed by, as the length of an IPv4 prefix that they fill; null without addresses. */
function lengthOf({ ipv4, ipv6 }: Holdings, schedule: Counting): number | null {
  if (ipv4 === 0n && ipv6 <= 0n) return null;
  const bits = Math.max(
    ...(['ipv4', 'ipv6'] as const).map(family => {
      const count = family === 'ipv4' ? ipv4 : ipv6;
      return count > 0n ? addressBits(schedule, family, count) : 0;
    }),
  );
  return schedule.ipv4Base - Math.floor(bits);
}

const size = (amount: Cents): Cents => (amount < 0n ? -amount : amount);
const differenceOf = ({ before, after }: BillChange): Cents => after - (before ?? 0n);
/** In percent of the bill before; a bill of nothing rises without end. */
const percentOf = (change: BillChange): number =>
  change.before ? (Number(differenceOf(change)) / Number(change.before)) * 100 : change.after > 0n ? Infinity : 0;
const isSteep = (change: BillChange): boolean => change.before !== null && percentOf(change) > STEEP_PERCENT;

function medianOf(changes: readonly BillChange[]): FeeEffect['more'] {
  const middle = changes.toSorted((a, b) => (differenceOf(a) < differenceOf(b) ? -1 : 1))[Math.floor(changes.length / 2)];
  if (!middle) return { accounts: 0, median: null };
  const percents = changes
    .map(percentOf)
    .filter(Number.isFinite)
    .toSorted((a, b) => a - b);
  return {
    accounts: changes.length,
    median: { difference: printCents(differenceOf(middle)), percent: percents[Math.floor(percents.length / 2)] ?? 0 },
  };
}

function sizesOf(changes: readonly BillChange[]): FeeEffect['sizes'] {
  const sizes = new Map<number | null, { accounts: number; before: Cents; after: Cents }>();
  for (const { length, before, after } of changes) {
    const entry = sizes.get(length) ?? { accounts: 0, before: 0n, after: 0n };
    entry.accounts += 1;
    if (before !== null) {
      entry.before += before;
      entry.after += after;
    }
    sizes.set(length, entry);
  }
  return [...sizes]
    .sort(([one], [other]) => (other ?? 99) - (one ?? 99))
    .map(([length, { accounts, before, after }]) => ({ length, accounts, before: printCents(before), after: printCents(after) }));
}

const shown = (change: BillChange): FeeChange => ({
  accountName: change.accountName,
  orgName: change.orgName,
  economy: change.economy,
  ipv4: String(change.holds.ipv4),
  ipv6: String(change.holds.ipv6),
  asns: change.holds.asns,
  before: change.before === null ? null : printCents(change.before),
  after: printCents(change.after),
  difference: change.before === null ? null : printCents(differenceOf(change)),
});

const sum = (changes: readonly BillChange[], amount: (change: BillChange) => Cents): Cents =>
  changes.reduce((all, change) => all + amount(change), 0n);

type Asked = { only?: 'steep' | undefined; account?: string | undefined };

/**
 * Returns what fees do to the bills of all accounts: sums, sizes, how many pay more or less, and the largest differences.
 * @param asked the largest of the steep rises alone, and one account to look at
 */
export async function effectOf(
  read: Read,
  announcement: FeeAnnouncement,
  { currency, leastDevelopedEconomies }: Pick<Profile, 'currency' | 'leastDevelopedEconomies'>,
  { only, account }: Asked = {},
): Promise<FeeEffect> {
  const all: BillChange[] = [];
  for await (const changes of billChanges(read, announcement, { leastDevelopedEconomies })) all.push(...changes);
  const compared = all.filter(({ before }) => before !== null);
  const listed = all.filter(only === 'steep' ? isSteep : change => change.before === null || differenceOf(change) !== 0n);
  const found = account === undefined ? undefined : all.find(({ accountName }) => accountName === account.toUpperCase());
  return {
    announcement,
    currency,
    accounts: all.length,
    compared:
      compared.length === 0
        ? null
        : { before: printCents(sum(compared, ({ before }) => before!)), after: printCents(sum(compared, ({ after }) => after)) },
    first: all.length - compared.length,
    after: printCents(sum(all, ({ after }) => after)),
    more: medianOf(compared.filter(change => differenceOf(change) > 0n)),
    less: medianOf(compared.filter(change => differenceOf(change) < 0n)),
    same: compared.filter(change => differenceOf(change) === 0n).length,
    steep: all.filter(isSteep).length,
    sizes: sizesOf(all),
    largest: listed
      .toSorted((a, b) => (size(differenceOf(a)) < size(differenceOf(b)) ? 1 : -1))
      .slice(0, MAX_NAMED)
      .map(shown),
    found: found ? shown(found) : null,
  };
}
