import type { Read } from '../../../platform/database/index.ts';
import type { Registry } from '../../../platform/registry.ts';
import { feeInvoiceOf } from '../issuing/transfer-fees.ts';
import { waitingTransfers } from './waiting-transfers.ts';

/**
 * Returns whether the fee of a case is paid, or money for it may be on its way: a transfer on the bank's account that a person has not matched yet, for as long as it holds
 * memberships (`waitingTransfers`). Such a case doesn't end unpaid.
 */
export async function isFeeComing(
  read: Pick<Read, 'rows'>,
  reference: string,
  registry: { today: string; profile: Pick<Registry['profile'], 'timeZone' | 'waitingTransferDays'> },
): Promise<boolean> {
  const fee = await feeInvoiceOf(read, reference);
  return fee !== null && (fee.paidOn !== null || (await waitingTransfers(read, [fee.number], registry)).size > 0);
}
