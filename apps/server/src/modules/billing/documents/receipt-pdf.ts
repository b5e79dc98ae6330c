import type { Profile } from '../../../profile.ts';
import { cents, inCurrency } from '../money.ts';
import { dayInFull, openDocumentPage, mutedColor, type Recipient } from './document-page.ts';

/** The contents of a receipt. */
export type ReceiptPrint = {
  receipt: Recipient & {
    number: string;
    invoiceNumber: string;
    currency: string;
    invoiceTotal: string;
    method: 'bank transfer' | 'credit' | 'card';
    amount: string;
    receivedOn: string;
    reference: string;
  };
  profile: Profile;
  fonts: string[];
};

/** The receipt of one payment. The same content gives the same bytes. */
export function receiptPdf({ receipt, profile, fonts }: ReceiptPrint): Promise<Uint8Array> {
  const { top, put, heading, items, sums, finish } = openDocumentPage({
    title: 'Receipt',
    number: receipt.number,
    day: receipt.receivedOn,
    recipient: receipt,
    facts: [
      ['Receipt', receipt.number],
      ['Received', dayInFull(receipt.receivedOn)],
      ['Account', receipt.accountName],
      ['For invoice', receipt.invoiceNumber],
      ['Invoice total', inCurrency(receipt.currency, cents(receipt.invoiceTotal))],
    ],
    profile,
    fonts,
  });
  const { amount } = receipt;
  const description =
    receipt.method === 'credit'
      ? 'Account credit'
      : `${receipt.method === 'card' ? 'Online payment' : 'Bank transfer'}, ${receipt.reference}`;
  let y = sums(items(top, receipt.currency, [{ description, quantity: 1, unitPrice: amount, amount }]), [
    [`Received ${receipt.currency}`, amount, true],
  ]);
  y = heading('Thank you', y + 22) + 6;
  put('This receipt says what was received. The invoice and the statement in the portal say what is left to pay.', y, {
    size: 9,
    colour: mutedColor,
  });
  return finish();
}
