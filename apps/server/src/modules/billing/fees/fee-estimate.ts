import { daysAfter } from '@portal/contract/days';
import type { Read } from '../../../platform/database/index.ts';
import type { Profile } from '../../../profile.ts';
import { findAccount } from '../../accounts/index.ts';
import { billedTypes, holdingsOn, isLeastDeveloped, scheduleOn } from './fee-schedules.ts';
import { annualFee, sumOf, transferFee } from './fees.ts';
import { printCents } from '../money.ts';

/** Difference between the estimated and the current holdings: IPv4 addresses, /56 blocks of IPv6, AS numbers. Negative when the account gives some away. */
type HoldingChange = { ipv4: bigint; ipv6: bigint; asns: number };

const atLeastZero = (value: bigint): bigint => (value < 0n ? 0n : value);

/** The annual fee of an account by today's schedule: now, and after a change of what it holds. Decimal amounts; null if the account pays no fee. */
export async function estimateFee(
  read: Read,
  accountName: string,
  change: HoldingChange,
  { day, profile }: { day: string; profile: Pick<Profile, 'timeZone' | 'leastDevelopedEconomies'> },
): Promise<{ now: string; after: string } | null> {
  const account = await findAccount(read, accountName);
  if (!account || billedTypes[account.accountType] === undefined) return null;
  const schedule = await scheduleOn(read, account.accountType, day);
  // Tomorrow's holdings, so that today's delegations count.
  const tomorrow = daysAfter(day, 1);
  const held = await holdingsOn({ read, accountName, day: tomorrow, schedule, timeZone: profile.timeZone });
  const circumstances = { nir: account.accountType === 'confed-nir', ldc: isLeastDeveloped(profile, account.economy, day) };
  const after = {
    ipv4: atLeastZero(held.ipv4 + change.ipv4),
    ipv6: atLeastZero(held.ipv6 + change.ipv6),
    asns: Math.max(0, held.asns + change.asns),
  };
  return {
    now: printCents(sumOf(annualFee(schedule, held, circumstances))),
    after: printCents(sumOf(annualFee(schedule, after, circumstances))),
  };
}

/** The fee for a transfer of so many IPv4 addresses by the schedule of a day. A decimal amount. @param share as `transferFee` takes it */
export const transferFeeOn = async (read: Read, addresses: bigint, share: string, day: string): Promise<string> =>
  printCents(transferFee(await scheduleOn(read, 'regular', day), addresses, share));

/** Returns how many AS numbers cost nothing by the schedule of a day. Accounts that pay no fee are treated as members. */
export const freeAsnsOn = async (read: Read, accountType: string, day: string): Promise<number> =>
  (await scheduleOn(read, billedTypes[accountType] === undefined ? 'regular' : accountType, day)).freeAsns;
