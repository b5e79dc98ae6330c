import type { TransferOutlook } from '@portal/contract/requests/requests';
import type { Read } from '../../platform/database/index.ts';
import type { PolicyNow } from '../../platform/registry.ts';
import { estimateFees, transferFeesOn } from '../billing/index.ts';
import { heldBlocks } from '../resources/index.ts';
import { todayOf } from './account-facts.ts';
import { isWaived, noFeeIf, typicalDaysOf } from './transfers/transfer-plan.ts';

/** Sizes of which the fees are shown. */
const MAX_SIZES = 8;

/** Says what is known of a transfer out before a block is chosen: its fee and the annual fee afterwards by size, from the smallest block to the largest that the account holds, and how long transfers take. */
export async function transferOutlookOf(read: Read, accountName: string, { profile, now }: PolicyNow): Promise<TransferOutlook> {
  const { requestPolicy: policy, currency } = profile;
  const day = todayOf(profile, now);
  const largest = (await heldBlocks(read, accountName)).reduce(
    (most, { kind, size }) => (kind === 'ipv4' && BigInt(size) > most ? BigInt(size) : most),
    0n,
  );
  const lengths = Array.from({ length: MAX_SIZES }, (_, place) => policy.ipv4Smallest - place).filter(
    length => length > 0 && 1n << BigInt(32 - length) <= largest,
  );
  const hasFee = !isWaived(policy.transferFeeShare);
  const addresses = lengths.map(length => 1n << BigInt(32 - length));
  const [annual, fees, typicalDays] = await Promise.all([
    // The first without any change: what it pays now.
    estimateFees(
      read,
      accountName,
      [0n, ...addresses].map(given => ({ ipv4: -given, ipv6: 0n, asns: 0 })),
      { day, profile },
    ),
    hasFee ? transferFeesOn(read, addresses, policy.transferFeeShare, day) : null,
    typicalDaysOf(read, 'transfer', now),
  ]);
  return {
    currency,
    annualNow: annual?.[0]!.now ?? null,
    sizes: lengths.map((length, place) => ({ length, fee: fees?.[place] ?? null, annual: annual?.[place + 1]!.after ?? null })),
    typicalDays,
    unless: hasFee ? noFeeIf : null,
  };
}
