import { isDropped } from '@portal/contract/billing/life';
import type { bankStatements } from '@portal/contract/billing/bank-statements';
import { refuse, refuseField } from '../../../platform/failure.ts';
import type { Act } from '../../../platform/http/endpoints.ts';
import { attach } from '../../documents/index.ts';
import { notifyRegistryBilling } from '../billing-notices.ts';
import { balanceOf } from '../invoices/invoice-content.ts';
import { invoiceByNumber } from '../invoices/invoices.ts';
import { cents, inCurrency } from '../money.ts';
import { billingTexts } from '../mail-texts.ts';

/**
 * Keeps the remittance advice of a transfer among the documents of the account, with the invoice's number, and notifies the registry.
 * @throws Failure NOT_FOUND, FILE_UNUSABLE, INVOICE_SETTLED, INVALID_REQUEST without a file
 */
export async function sendRemittance({
  change,
  account: { accountName },
  caller,
  params: { invoiceNumber: number },
  body: { documentIds },
  registry: { profile },
}: Act<typeof bankStatements.sendRemittance>): Promise<{ files: number }> {
  const invoice = await invoiceByNumber(change, number);
  if (invoice.accountName !== accountName) throw refuse('NOT_FOUND', { what: `Invoice ${number}` });
  if (isDropped(invoice.state)) throw refuse('INVOICE_SETTLED', { number, why: 'no payment is due for it' });
  if (documentIds.length === 0) throw refuseField('documentIds', 'Choose a file');
  const files = await attach(change, caller.loginId, documentIds, {
    reference: number,
    accountName,
    type: 'other',
    visibility: 'billing',
  });
  await change.note({ invoice: number });
  await notifyRegistryBilling(change, profile, {
    text: billingTexts.written('sentRemittanceAdvice', {
      accountName,
      invoice: number,
      howMany: files.length === 1 ? 'A file is' : `${files.length} files are`,
      amountDue: inCurrency(invoice.currency, cents(balanceOf(invoice))),
    }),
    path: `/desk/accounts/${accountName}`,
    act: 'Open the account',
  });
  return { files: files.length };
}
