import { dayIn } from '@portal/contract/days';
import { sql } from 'kysely';
import type { Module } from '../../../platform/module.ts';
import { columnsOf } from '../../resources/index.ts';
import { estimateFee } from './fee-estimate.ts';

const BLOCK = 1n << 72n;

/** Share of some numbers in the annual fee of their holder, on their page: today's fee, and the fee without them. */
export const feeRecords: NonNullable<Module['records']>[number] = {
  id: 'fee',
  describe: async ({ read, account, byProgram, resource, here, on }, { profile, clock }) => {
    if (!here || on !== null || byProgram) return {};
    const day = dayIn(profile.timeZone, clock());
    const size = BigInt(resource.last) - BigInt(resource.first) + 1n;
    const { kind } = columnsOf(resource);
    const [held] = await read.rows<{ total: string }>(sql`
      select coalesce(sum(size), 0)::text as total from delegation
      where account_name = ${account.accountName} and kind = ${kind} and registry = '' and status <> 'closed'`);
    const total = BigInt(held!.total);
    if (total === 0n) return {};
    const change = {
      ipv4: kind === 'ipv4' ? -size : 0n,
      ipv6: kind === 'ipv6' ? -(size / BLOCK) : 0n,
      asns: kind === 'asn' ? -Number(size) : 0,
    };
    const estimate = await estimateFee(read, account.accountName, change, { day, profile });
    if (!estimate) return {};
    const share = Math.min(1, Number((size * 1_000_000n) / total) / 1_000_000);
    return {
      fee: { currency: profile.currency, now: estimate.now, without: estimate.after, share },
      health: {
        about: 'fee',
        mark: 'valid',
        word: `${shareInWords(share)} of your ${kind === 'asn' ? 'AS numbers' : kind === 'ipv4' ? 'IPv4 addresses' : 'IPv6 space'}`,
        actions: [{ label: 'Calculate fees', link: '/member-account-settings/annual-fee-calculator' }],
      },
    };
  },
};

const shareInWords = (share: number): string => {
  const percent = share * 100;
  return percent >= 99.95
    ? 'All'
    : percent >= 10
      ? `${Math.round(percent)} %`
      : percent >= 0.1
        ? `${percent.toFixed(1)} %`
        : 'Less than 0.1 %';
};
