import type { Cents } from '../money.ts';

type Sums = { tax: Cents; total: Cents };

/**
 * Returns the tax in the next credit note of an invoice. What is credited in all has its share of the tax, rounded half-up to a cent, so that many small notes don't leave
 * the last one more tax than it credits: neither tax nor what is taxed is ever below zero, and the last note takes the rest of both.
 * @param credits at most what is left of the invoice
 */
export function taxOfNote(invoice: Sums, notes: readonly Sums[], credits: Cents): Cents {
  const noted = notes.reduce((sum, note) => ({ tax: sum.tax + note.tax, total: sum.total + note.total }), { tax: 0n, total: 0n });
  const left = { tax: invoice.tax - noted.tax, net: invoice.total - invoice.tax - (noted.total - noted.tax) };
  const share = (2n * (noted.total + credits) * invoice.tax + invoice.total) / (2n * invoice.total) - noted.tax;
  const least = credits > left.net ? credits - left.net : 0n;
  const most = credits < left.tax ? credits : left.tax;
  return share < least ? least : share > most ? most : share;
}
