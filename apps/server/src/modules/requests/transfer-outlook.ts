import type { TransferOutlook } from '@portal/contract/requests/requests';
import type { Read } from '../../platform/database/index.ts';
import type { PolicyNow } from '../../platform/registry.ts';
import { estimateFee, transferFeeOn } from '../billing/index.ts';
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
  const present = await estimateFee(read, accountName, { ipv4: 0n, ipv6: 0n, asns: 0 }, { day, profile });
  const sizes: TransferOutlook['sizes'] = [];
  for (const length of lengths) {
    const addresses = 1n << BigInt(32 - length);
    const estimate = present && (await estimateFee(read, accountName, { ipv4: -addresses, ipv6: 0n, asns: 0 }, { day, profile }));
    sizes.push({
      length,
      fee: hasFee ? await transferFeeOn(read, addresses, policy.transferFeeShare, day) : null,
      annual: estimate?.after ?? null,
    });
  }
  return {
    currency,
    annualNow: present?.now ?? null,
    sizes,
    typicalDays: await typicalDaysOf(read, 'transfer', now),
    unless: hasFee ? noFeeIf : null,
  };
}
