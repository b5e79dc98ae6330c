import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { longestTurnOf } from '../../../../test/thread-costs.ts';
import type { JournalEntry } from '../invoices/ledger.ts';
import { computedJournal, hashJournal } from './journal.ts';

const entries: JournalEntry[] = Array.from({ length: 20_000 }, (_, n) => ({
  day: '2026-10-01',
  accountName: `M${n}-AU`,
  document: `INV-2026-${n}`,
  description: n % 9 === 0 ? 'Payment, "wire"' : 'Invoice',
  currency: 'AUD',
  cancels: false,
  receivable: '500.00',
  credit: '0.00',
  bank: '0.00',
  revenue: '-454.55',
  tax: '-45.45',
  badDebt: '0.00',
}));

/** Gives entries in portions, as the database does. */
const streamed = (all: readonly JournalEntry[]) => ({
  stream: async function* (_query: unknown, portion = 1_000) {
    for (let at = 0; at < all.length; at += portion) yield all.slice(at, at + portion);
  } as never,
});
const whole = (all: readonly JournalEntry[]) => ({ rows: (async () => all) as never });

test.each([0, 1, 200, 20_000])('a journal of %i entries has the same bytes and hash in portions as whole', async length => {
  const some = entries.slice(0, length);
  const journal = await computedJournal(whole(some), '2026-10');
  expect(await computedJournal(streamed(some), '2026-10')).toEqual(journal);
  expect(journal).toMatchObject({ entries: length, sha256: createHash('sha256').update(journal.text).digest('hex') });
  expect(journal.text.split('\r\n')).toHaveLength(length + 2);
});

test('the journal of a month of renewals leaves others their turn', async () => {
  expect(await longestTurnOf(5, () => hashJournal(streamed(entries), '2026-10'))).toBeLessThan(5);
});
