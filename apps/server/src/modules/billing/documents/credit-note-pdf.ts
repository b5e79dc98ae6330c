import type { Profile } from '../../../profile.ts';
import { cents, printCents } from '../money.ts';
import { dayInFull, openDocumentPage, mutedColor, type Recipient } from './document-page.ts';

/** The contents of a credit note. */
export type CreditNotePrint = {
  creditNote: Recipient & {
    number: string;
    issuedOn: string;
    invoiceNumber: string;
    invoiceIssuedOn: string;
    currency: string;
    /** As on the invoice: `0.10`, or null where none applies. */
    taxRate: string | null;
    subtotal: string;
    tax: string;
    total: string;
    reason: string;
  };
  profile: Profile;
  fonts: string[];
};

/** A credit note: how much of which invoice it takes back, and why. The same content gives the same bytes. */
export function creditNotePdf({ creditNote: note, profile, fonts }: CreditNotePrint): Promise<Uint8Array> {
  const { top, put, heading, items, sums, finish } = openDocumentPage({
    title: 'Credit note',
    number: note.number,
    day: note.issuedOn,
    recipient: note,
    facts: [
      ['Credit note', note.number],
      ['Issued', dayInFull(note.issuedOn)],
      ['Account', note.accountName],
      ['For invoice', note.invoiceNumber],
      ['Invoice date', dayInFull(note.invoiceIssuedOn)],
    ],
    profile,
    fonts,
  });
  const amount = printCents(-cents(note.subtotal));
  let y = items(top, note.currency, [{ description: `Credit for ${note.invoiceNumber}`, quantity: 1, unitPrice: amount, amount }]);
  y = sums(y, [
    ['Subtotal', amount],
    [
      note.taxRate === null ? `${profile.taxName} not applicable` : `${profile.taxName} ${Number(note.taxRate) * 100} %`,
      printCents(-cents(note.tax)),
    ],
    [`Total ${note.currency}`, printCents(-cents(note.total)), true],
  ]);
  y = heading('Reason', y + 22) + 4;
  for (const words of note.reason.split('\n')) y = put(words, y) + 2;
  y += 6;
  put(
    `${note.taxRate === null ? '' : `This is an adjustment note for ${profile.taxName}. `}This note takes the total off invoice ${note.invoiceNumber}. What was paid beyond the rest is credit of the account for its next invoice.`,
    y,
    {
      size: 9,
      colour: mutedColor,
    },
  );
  return finish();
}
