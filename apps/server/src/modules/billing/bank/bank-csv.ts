import { maxStatementLines } from '@portal/contract/billing/bank-statements';
import { utcDay } from '@portal/contract/days';
import { cellsOf } from '../../../platform/csv-cells.ts';
import { type BankEntry, type BankFile, NoStatement, UnclearAmount } from './bank-entries.ts';

/** Accepted column names in lower case, by what they contain. The first one that is present is used. */
const heads = {
  day: ['booking date', 'transaction date', 'date', 'value date', 'booked on'],
  amount: ['amount', 'credit', 'credit amount', 'paid in', 'money in'],
  currency: ['currency', 'ccy'],
  payer: ['payer', 'name', 'counterparty', 'payer name', 'from'],
  remittance: ['description', 'details', 'narrative', 'remittance', 'remittance information', 'text', 'particulars'],
  /** Words of the payer, which two transfers may have in common. */
  words: ['reference', 'payer reference', 'customer reference', 'transaction reference'],
  /** The bank's own name for a transfer. */
  reference: ['bank reference', 'transaction id', 'id'],
} as const;
type Head = keyof typeof heads;

/** Maximum number of lines in a file, skipped lines included. */
const MAX_LINES = 10 * maxStatementLines;

/**
 * Reads a bank statement as CSV. The first line names the columns, which must include a date, an amount, and a description or reference. Negative
 * amounts are outgoing.
 * @param decimal the sign before the cents, where the amounts of the file don't say which it is @throws NoStatement
 */
export function readBankCsv(text: string, currency: string, decimal?: DecimalSign): BankFile {
  // Before parsing: outgoing lines count too.
  const count = text.split(/\r\n|\n|\r/, MAX_LINES + 1).length;
  if (count > MAX_LINES) throw new NoStatement(`It has more than ${MAX_LINES} lines. Export a shorter period`);
  const { rows, problem } = cellsOf(text);
  if (problem !== null) throw new NoStatement(`It can’t be read: ${problem}`);
  const [head, ...lines] = rows;
  const names = head?.cells.map(cell => cell.trim().toLowerCase()) ?? [];
  const column = (of: Head): number => heads[of].map(name => names.indexOf(name)).find(place => place >= 0) ?? -1;
  const places = Object.fromEntries((Object.keys(heads) as Head[]).map(of => [of, column(of)])) as Record<Head, number>;
  const missing = (
    [
      ['day', 'a date (Date or Booking date)'],
      ['amount', 'an amount (Amount or Credit)'],
    ] as const
  ).filter(([of]) => places[of] < 0);
  if (missing.length > 0)
    throw new NoStatement(
      `The first line must name the columns. It has no column with ${missing.map(([, words]) => words).join(' and none with ')}. Its columns are: ${names.join(', ').slice(0, 200) || 'none'}`,
    );
  if (places.remittance < 0 && places.words < 0 && places.reference < 0)
    throw new NoStatement('It has no column with a description or reference, such as Description');
  const file: BankFile = { format: 'CSV', bankAccount: '', entries: [], leftOut: 0 };
  const sign = decimal ?? decimalSignOf(lines.map(({ cells }) => cells[places.amount] ?? ''));
  for (const { cells, line } of lines) {
    const cell = (of: Head): string => (places[of] < 0 ? '' : (cells[places[of]] ?? '').trim());
    const isOutgoing = negative.test(cell('amount'));
    const amount = amountOf(cell('amount'), sign);
    // Banks with a separate column for outgoing money leave the incoming one empty.
    if (cell('amount') === '' || amount?.replace('-', '') === '0.00' || (isOutgoing && (amount !== null || isAmbiguous(cell('amount'))))) {
      file.leftOut++;
      continue;
    }
    if (amount === null && sign === undefined && isAmbiguous(cell('amount'))) throw new UnclearAmount(line, cell('amount'));
    if (amount === null) throw new NoStatement(`Line ${line}: ${cell('amount')} is no amount, such as 1234.50`);
    const bookedOn = dayOf(cell('day'));
    if (bookedOn === null)
      throw new NoStatement(`Line ${line}: ${cell('day') || 'an empty cell'} is no date, such as 2026-11-23 or 23/11/2026`);
    const code = cell('currency').toUpperCase();
    if (code !== '' && !/^[A-Z]{3}$/.test(code)) throw new NoStatement(`Line ${line}: ${code} is no currency, such as AUD`);
    const entry: BankEntry = {
      bookedOn,
      currency: code || currency,
      amount,
      payer: cell('payer'),
      remittance: [...new Set([cell('remittance'), cell('words')])].filter(Boolean).join(' ') || cell('reference'),
      reference: cell('reference'),
    };
    file.entries.push(entry);
  }
  return file;
}

/** The sign before the cents. */
export type DecimalSign = '.' | ',';

/** An amount without its sign, blanks, currency and apostrophes. */
const digitsOf = (text: string): string => text.replace(/[\s\u00a0'’()+\-\u2212]/g, '').replace(/^[A-Z]{3}|[A-Z]{3}$|^\p{Sc}/u, '');

const negative = /^[-\u2212]|^\(.*\)$|-$/;

/** Whether an amount has one sign before three digits, which may be thousands or a fraction: `8.005`. */
const isAmbiguous = (text: string): boolean => /^\d{1,3}[.,]\d{3}$/.test(digitsOf(text));

/** Returns the sign before the cents that the amounts of a column have in common; undefined where none of them says, or they disagree. */
function decimalSignOf(column: readonly string[]): DecimalSign | undefined {
  const signs = new Set<DecimalSign>();
  for (const text of column) {
    const digits = digitsOf(text);
    const [, sign] = /([.,])\d{1,2}$/.exec(digits) ?? [];
    if (sign !== undefined) signs.add(sign as DecimalSign);
    // Two of the same sign are thousands: the other one is before cents.
    const [, thousands] = /([.,])\d{3}\1\d{3}/.exec(digits) ?? [];
    if (thousands !== undefined) signs.add(thousands === '.' ? ',' : '.');
  }
  return signs.size === 1 ? [...signs][0]! : undefined;
}

/**
 * `1,234.5`, `1.234,50`, `1 234.50` or `(5.00)` as decimal text with two places; null if it isn't an amount, or may be two.
 * @param decimal the sign before the cents, where it is known
 */
export function amountOf(text: string, decimal?: DecimalSign): string | null {
  const digits = digitsOf(text);
  if (decimal === undefined && isAmbiguous(text)) return null;
  const last = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','));
  const isDecimal = last >= 0 && (decimal === undefined ? digits.length - last - 1 <= 2 : digits[last] === decimal);
  const [whole, cents] = isDecimal ? [digits.slice(0, last), digits.slice(last + 1)] : [digits, ''];
  const thousands = decimal === undefined ? '[.,]' : decimal === '.' ? ',' : '\\.';
  if (!new RegExp(`^(\\d+|\\d{1,3}(${thousands}\\d{3})+)$`).test(whole) || !/^\d{0,2}0*$/.test(cents)) return null;
  const value = `${whole.replace(/[.,]/g, '')}.${cents.slice(0, 2).padEnd(2, '0')}`;
  return /^\d{1,12}\.\d{2}$/.test(value) ? `${negative.test(text) ? '-' : ''}${value}` : null;
}

/** ISO 8601, or day before month; null if there is no such day. */
export function dayOf(text: string): string | null {
  const iso = /^(\d{4})-?(\d{2})-?(\d{2})(?:[T ].*)?$/.exec(text);
  const local = /^(\d{1,2})[/.](\d{1,2})[/.](\d{4})$/.exec(text);
  const parts = iso ? [iso[1]!, iso[2]!, iso[3]!] : local ? [local[3]!, local[2]!.padStart(2, '0'), local[1]!.padStart(2, '0')] : null;
  if (!parts) return null;
  const day = parts.join('-');
  const date = new Date(`${day}T00:00:00Z`);
  return Number.isNaN(date.getTime()) || utcDay(date) !== day ? null : day;
}
