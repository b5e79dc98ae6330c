import fc from 'fast-check';
import { expect, test } from 'vitest';
import { taxOfNote } from './note-tax.ts';

type Sums = { tax: bigint; total: bigint };
const sumOf = (notes: readonly Sums[]): Sums =>
  notes.reduce((sum, note) => ({ tax: sum.tax + note.tax, total: sum.total + note.total }), { tax: 0n, total: 0n });
const invoices = fc
  .record({ net: fc.bigInt(1n, 5_000_000n), rate: fc.bigInt(0n, 3000n) })
  .map(({ net, rate }): Sums => ({ tax: (net * rate + 5000n) / 10_000n, total: net + (net * rate + 5000n) / 10_000n }));

test('notes of an invoice come to what it charged, with its tax, and none takes back less than nothing of either', () => {
  fc.assert(
    fc.property(invoices, fc.array(fc.bigInt(1n, 1_000_000n), { maxLength: 60 }), (invoice, amounts) => {
      const notes: Sums[] = [];
      for (const amount of [...amounts, invoice.total]) {
        const left = invoice.total - sumOf(notes).total;
        const credits = amount < left ? amount : left;
        if (credits === 0n) break;
        const tax = taxOfNote(invoice, notes, credits);
        expect(tax >= 0n && tax <= credits).toBe(true);
        notes.push({ tax, total: credits });
        expect(sumOf(notes).tax <= invoice.tax).toBe(true);
      }
      expect(sumOf(notes)).toEqual(invoice);
    }),
    { numRuns: 2000 },
  );
});

test('notes that were issued by another rule leave the next ones a rest that fits', () => {
  fc.assert(
    fc.property(
      invoices,
      fc.array(fc.record({ total: fc.bigInt(1n, 300_000n), share: fc.bigInt(0n, 100n) }), { maxLength: 20 }),
      (invoice, drawn) => {
        const notes: Sums[] = [];
        for (const { total, share } of drawn) {
          const sum = sumOf(notes);
          const [left, tax] = [invoice.total - sum.total, (total * share) / 100n];
          const net = invoice.total - invoice.tax - (sum.total - sum.tax);
          if (total < left && tax <= invoice.tax - sum.tax && total - tax <= net) notes.push({ tax, total });
        }
        while (sumOf(notes).total < invoice.total) {
          const left = invoice.total - sumOf(notes).total;
          const credits = left > 10n ? left / 2n : left;
          const tax = taxOfNote(invoice, notes, credits);
          expect(tax >= 0n && tax <= credits).toBe(true);
          notes.push({ tax, total: credits });
        }
        expect(sumOf(notes)).toEqual(invoice);
      },
    ),
    { numRuns: 1000 },
  );
});

test('twenty-two notes of five cents take back an invoice of 1.10, the last one not less than nothing', () => {
  const invoice = { tax: 10n, total: 110n };
  const notes: Sums[] = [];
  for (let place = 0; place < 22; place++) notes.push({ tax: taxOfNote(invoice, notes, 5n), total: 5n });
  expect(sumOf(notes)).toEqual(invoice);
  expect(notes.every(({ tax }) => tax <= 5n)).toBe(true);
});
