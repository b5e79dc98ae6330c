import { isOfTerm } from '@portal/contract/billing/billing';
import { groupDigits } from '@portal/number-resources';
import type { Profile } from '../../../profile.ts';
import type { InvoiceContent } from './invoice-content.ts';
import { payCode } from './pay-code.ts';
import { creditorReference } from './payment-references.ts';
import { cents, inCurrency, printCents } from '../money.ts';
import { dayInFull, openDocumentPage, mutedColor } from '../documents/document-page.ts';

/** The contents of an invoice. `fonts` are files with glyphs beyond those of Western Europe. */
export type InvoicePrint = {
  invoice: InvoiceContent;
  profile: Profile;
  fonts: string[];
  /** For a quote: it isn't payable, and is valid until this day. */
  quoteUntil?: string;
};

/** An invoice or a quote; the same content gives the same bytes. */
export async function invoicePdf({ invoice, profile, fonts, quoteUntil }: InvoicePrint): Promise<Uint8Array> {
  // Old quotes have no kind.
  const isFee = invoice.kind !== undefined && !isOfTerm(invoice);
  const facts: [string, string][] = [
    [quoteUntil === undefined ? 'Invoice number' : 'Quote number', invoice.number],
    ['Issued', dayInFull(invoice.issuedOn)],
    quoteUntil === undefined ? ['Due', dayInFull(invoice.dueOn)] : ['Valid until', dayInFull(quoteUntil)],
    ['Account', invoice.accountName],
    ...(invoice.poNumber === '' ? [] : [['Purchase order', invoice.poNumber] as [string, string]]),
    ...(isFee ? [] : [['Membership', `${dayInFull(invoice.periodFrom)} to ${dayInFull(invoice.periodTo)}`] as [string, string]]),
  ];
  const { top, put, heading, items, sums, picture, finish } = openDocumentPage({
    title: quoteUntil !== undefined ? 'Renewal quote' : invoice.taxRate === null ? 'Invoice' : 'Tax invoice',
    number: invoice.number,
    day: invoice.issuedOn,
    recipient: invoice,
    facts,
    profile,
    fonts,
  });
  let y = items(top, invoice.currency, invoice.lines);
  const balance = printCents(cents(invoice.total) - cents(invoice.credit));
  y = sums(y, [
    ['Subtotal', invoice.subtotal],
    [invoice.taxRate === null ? `${profile.taxName} not applicable` : `${profile.taxName} ${Number(invoice.taxRate) * 100} %`, invoice.tax],
    [`Total ${invoice.currency}`, invoice.total, true],
    ...(cents(invoice.credit) > 0n ? [['Account credit', printCents(-cents(invoice.credit))] as [string, string]] : []),
    ...(quoteUntil === undefined ? [[`Due by ${dayInFull(invoice.dueOn)}`, balance, true] as [string, string, true]] : []),
  ]);

  const counted = `${groupDigits(String(invoice.ipv4))} IPv4 addresses, ${groupDigits(String(invoice.ipv6))} IPv6 /56 networks, ${invoice.asns} AS numbers`;
  if (quoteUntil !== undefined) {
    y = heading('This is a quote. Don’t pay it.', y + 22) + 6;
    put(
      `It follows fee schedule ${invoice.feeScheduleId} and the number resources held on ${dayInFull(invoice.issuedOn)}: ${counted}. The invoice may differ if these change before the term ends.`,
      y,
      { size: 9, colour: mutedColor },
    );
    return finish();
  }

  // Payment instructions.
  y = heading('How to pay', y + 22) + 4;
  for (const words of profile.paymentInstructions) y = put(words, y) + 2;
  const reference = creditorReference(invoice.number);
  y = put(`Reference: ${reference}`, y, { font: 'Helvetica-Bold' }) + 8;
  y = put(
    `Please pay ${inCurrency(invoice.currency, cents(balance))} in full. The payer covers bank charges and withheld taxes. ${isFee ? `The ${invoice.kind === 'transfer' ? 'transfer completes' : 'account opens again'} when the full amount has arrived.` : `The fee follows schedule ${invoice.feeScheduleId} and the number resources counted for it: ${counted}.`}`,
    y,
    { size: 9, colour: mutedColor },
  );
  const code = payCode({ currency: invoice.currency, amount: balance, reference }, profile);
  if (code) picture(code, y + 10, `QR code for banking apps: ${inCurrency(invoice.currency, cents(balance))}, reference ${reference}`);
  return finish();
}
