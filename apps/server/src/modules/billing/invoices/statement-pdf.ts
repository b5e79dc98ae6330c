import { groupDigits } from '@portal/number-resources';
import type { Profile } from '../../../profile.ts';
import { cents, inCurrency, printCents } from '../money.ts';
import { dayInFull, openDocumentPage, mutedColor, type Recipient } from '../documents/document-page.ts';
import type { StatementLine } from './statement.ts';

/** The contents of a statement. */
export type StatementPrint = {
  statement: Recipient & {
    /** The day it was made. */
    day: string;
    /** First and last day, both included; null for everything. */
    from: string | null;
    to: string | null;
    currency: string;
    lines: StatementLine[];
  };
  profile: Profile;
  fonts: string[];
};

/** Months in three letters, because the column is narrow. */
const short = (words: string): string => words.replaceAll(/(?<=\d )(\p{L}{3})\p{L}*(?= \d{4})/gu, '$1');

/** Everything charged and received, with the balance after each line. The same content gives the same bytes. */
export function statementPdf({ statement, profile, fonts }: StatementPrint): Promise<Uint8Array> {
  const { accountName, currency, from, to, lines } = statement;
  const balance = cents(lines.at(-1)?.balance ?? '0.00');
  const { top, put, heading, table, sums, width, finish } = openDocumentPage({
    title: 'Statement',
    number: accountName,
    day: statement.day,
    recipient: statement,
    facts: [
      ['Account', accountName],
      ['From', from === null ? 'The first invoice' : dayInFull(from)],
      ['Until', dayInFull(to ?? statement.day)],
      ['Issued', dayInFull(statement.day)],
      ['Currency', currency],
    ],
    profile,
    fonts,
  });
  let y = top;
  if (lines.length === 0) y = put('Nothing was charged or received in this time.', y);
  else
    y = table(
      y,
      [
        { label: 'Date', wide: 62 },
        { label: 'Document', wide: 100 },
        { label: 'Description', wide: width + 10 - 62 - 100 - 3 * 66 },
        { label: 'Charged', wide: 66, align: 'right' },
        { label: 'Received', wide: 66, align: 'right' },
        { label: 'Balance', wide: 66, align: 'right' },
      ],
      lines.map(each => [
        short(dayInFull(each.day)),
        each.document,
        short(each.description),
        ...[each.charged, each.received, each.balance].map(amount => (amount === '' ? '' : groupDigits(amount))),
      ]),
      9,
    );
  y = sums(y, [[balance < 0n ? `Credit, ${currency}` : `To pay, ${currency}`, printCents(balance < 0n ? -balance : balance), true]]);
  if (balance <= 0n) return finish();
  y = heading('How to pay', y + 22) + 4;
  for (const words of profile.paymentInstructions) y = put(words, y) + 2;
  put(
    `Please pay ${inCurrency(currency, balance)} in full, with the number of each invoice and ${accountName} as the reference. Payments that arrived after ${dayInFull(to ?? statement.day)} aren’t in this statement.`,
    y + 6,
    { size: 9, colour: mutedColor },
  );
  return finish();
}
