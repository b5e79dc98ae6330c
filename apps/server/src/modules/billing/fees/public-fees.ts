import { type ScheduleKind, scheduleKindNames, scheduleKinds } from '@portal/contract/billing/fee-schedules';
import { daysAfter } from '@portal/contract/days';
import type { Read } from '../../../platform/database/index.ts';
import { announcedOn, type ScheduleOfDay } from './fee-schedules.ts';
import { annualFee, sumOf } from './fees.ts';
import { printCents } from '../money.ts';

/** Sizes that people ask about: lengths of a prefix that an account holds, and nothing else. */
const SIZES = { ipv4: [24, 23, 22, 21, 20, 19, 16], ipv6: [48, 36, 32, 29] } as const;

/** The announced fees of a day by size, as an invoice has them: decimal amounts without tax, one of each kind of account. */
export type PublicFees = {
  kinds: { kind: ScheduleKind; name: string; schedule: ScheduleOfDay }[];
  sizes: { family: 'ipv4' | 'ipv6'; length: number; fees: string[] }[];
};

/** Returns what anyone may know of fees: those that are announced for a day, and for the time after them, where they are. */
export async function publicYears(read: Pick<Read, 'rows'>, day: string): Promise<PublicFees[]> {
  const now = await publicFees(read, day);
  const next = now && (await publicFees(read, daysAfter(now.kinds[0]!.schedule.validUntil, 1)));
  return [now, next].filter(each => each !== null);
}

/** Returns the fees that are announced for terms that begin on a day; null where none are. */
async function publicFees(read: Pick<Read, 'rows'>, day: string): Promise<PublicFees | null> {
  const found = await Promise.all(
    scheduleKindNames.map(async kind => ({ kind, name: scheduleKinds[kind], schedule: await announcedOn(read, kind, day) })),
  );
  const kinds = found.flatMap(({ schedule, ...each }) => (schedule ? [{ ...each, schedule }] : []));
  if (kinds.length === 0) return null;
  const feeOf = (schedule: ScheduleOfDay, family: 'ipv4' | 'ipv6', length: number): string => {
    const held = { ipv4: 0n, ipv6: 0n, asns: 0, [family]: 1n << BigInt((family === 'ipv4' ? 32 : 56) - length) };
    return printCents(sumOf(annualFee(schedule, held, { nir: false, ldc: false })));
  };
  return {
    kinds,
    sizes: (['ipv4', 'ipv6'] as const).flatMap(family =>
      SIZES[family].map(length => ({ family, length, fees: kinds.map(({ schedule }) => feeOf(schedule, family, length)) })),
    ),
  };
}
