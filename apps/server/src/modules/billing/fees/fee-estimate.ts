import { daysAfter } from '@portal/contract/days';
import type { Read } from '../../../platform/database/index.ts';
import type { Profile } from '../../../profile.ts';
import { findAccount } from '../../accounts/index.ts';
import { announcedFor, announcedOn, billedTypes, holdingsOn, isLeastDeveloped } from './fee-schedules.ts';
import { annualFee, type Holdings, sumOf, transferFee } from './fees.ts';
import { printCents } from '../money.ts';

/** Difference between the estimated and the current holdings: IPv4 addresses, /56 blocks of IPv6, AS numbers. Negative when the account gives some away. */
type HoldingChange = { ipv4: bigint; ipv6: bigint; asns: number };

const atLeastZero = (value: bigint): bigint => (value < 0n ? 0n : value);

/** A fee with the parts that it is made of: each is null where the account would hold none of it. */
type EstimatedFee = { now: string; after: string; ipv4: string | null; ipv6: string | null; asns: string | null };

type On = { day: string; profile: Pick<Profile, 'timeZone' | 'leastDevelopedEconomies'> };

/**
 * The annual fee of an account by today's schedule: now, and after a change of what it holds. `ipv4` and `ipv6` are what it would be for either alone, of which the larger counts. Decimal amounts
 * without tax; null where the account pays none, or none is announced.
 */
export const estimateFee = async (read: Read, accountName: string, change: HoldingChange, on: On): Promise<EstimatedFee | null> =>
  (await estimateFees(read, accountName, [change], on))?.[0] ?? null;

/** The same after each of several changes, none of which follows another: what the account holds is read once. */
export async function estimateFees(
  read: Read,
  accountName: string,
  changes: readonly HoldingChange[],
  { day, profile }: On,
): Promise<EstimatedFee[] | null> {
  const account = await findAccount(read, accountName);
  if (!account || billedTypes[account.accountType] === undefined) return null;
  const schedule = await announcedFor(read, account.accountType, day);
  if (!schedule) return null;
  // Of tomorrow, so that what was delegated today counts.
  const tomorrow = daysAfter(day, 1);
  const held = await holdingsOn({ read, accountName, day: tomorrow, schedule, timeZone: profile.timeZone });
  const circumstances = { nir: account.accountType === 'confed-nir', ldc: isLeastDeveloped(profile, account.economy, day) };
  const feeOf = (holdings: Holdings): string => printCents(sumOf(annualFee(schedule, holdings, circumstances)));
  const now = feeOf(held);
  return changes.map(change => {
    const after = {
      ipv4: atLeastZero(held.ipv4 + change.ipv4),
      ipv6: atLeastZero(held.ipv6 + change.ipv6),
      asns: Math.max(0, held.asns + change.asns),
    };
    const charged = annualFee(schedule, after, circumstances).filter(({ kind }) => kind === 'asns');
    return {
      now,
      after: feeOf(after),
      ipv4: after.ipv4 === 0n ? null : feeOf({ ipv4: after.ipv4, ipv6: 0n, asns: 0 }),
      ipv6: after.ipv6 === 0n ? null : feeOf({ ipv4: 0n, ipv6: after.ipv6, asns: 0 }),
      asns: after.asns === 0 ? null : printCents(sumOf(charged)),
    };
  });
}

/** The fee for a transfer of so many IPv4 addresses by the schedule of a day. A decimal amount; null where none is announced. @param share as `transferFee` takes it */
export const transferFeeOn = async (read: Read, addresses: bigint, share: string, day: string): Promise<string | null> =>
  (await transferFeesOn(read, [addresses], share, day))?.[0] ?? null;

/** The same for each of several sizes. */
export async function transferFeesOn(read: Read, sizes: readonly bigint[], share: string, day: string): Promise<string[] | null> {
  const schedule = await announcedOn(read, 'member', day);
  return schedule ? sizes.map(addresses => printCents(transferFee(schedule, addresses, share))) : null;
}

/** Returns how many AS numbers cost nothing by the schedule of a day; null where none is announced. An account of a kind that pays no fee has them as a member. */
export const freeAsnsOn = async (read: Read, accountType: string, day: string): Promise<number | null> =>
  (await announcedOn(read, billedTypes[accountType] ?? 'member', day))?.freeAsns ?? null;
