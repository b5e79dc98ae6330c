import fc from 'fast-check';
import { expect, test } from 'vitest';
import { creditorReference } from '../invoices/payment-references.ts';
import { type Candidate, suggest, type Transfer } from './bank-matching.ts';

/** Hundreds of members owe the same amounts, and some have names that begin alike. */
const names = ['Reef', 'Reef Bank', 'Lagoon', 'Pacific Islands Telecom', 'Pacific Islands Data', 'Atoll', 'Coral', 'Harbour'];
const members: Candidate[] = Array.from({ length: 300 }, (_, n) => ({
  number: `INV-2026-${String(100_000 + n * 7).padStart(6, '0')}`,
  accountName: `M${n}-AU`,
  // A few organisations have two accounts.
  orgName: `${names[n % names.length]} ${n % 10 === 9 ? n - 1 : n} Networks Pty Ltd`,
  currency: 'AUD',
  balance: ['500.00', '1356.00', '1180.00'][n % 3]!,
  state: 'issued',
}));
const transfer = (given: Partial<Transfer>): Transfer => ({
  bankLineId: '1',
  amount: '500.00',
  currency: 'AUD',
  payer: '',
  remittance: '',
  ...given,
});
const exactOf = (line: Transfer, candidates = members, paidBefore = new Set<string>()): string[] =>
  suggest(line, candidates, paidBefore).flatMap(({ invoiceNumber, match }) => (match === 'exact' ? [invoiceNumber] : []));
const [first] = members as [Candidate, ...Candidate[]];
const ofFirst = { amount: first.balance, payer: first.orgName.toUpperCase(), remittance: first.number };

/** Mistakes of people who type a reference. */
const slips: Record<string, (text: string, at: number, by: number) => string> = {
  none: text => text,
  digit: (text, at, by) => replaceDigit(text, at, by),
  swapped: (text, at) => {
    const place = at % (text.length - 1);
    return text.slice(0, place) + text[place + 1]! + text[place]! + text.slice(place + 2);
  },
  lost: (text, at) => text.slice(0, at % text.length) + text.slice((at % text.length) + 1),
  doubled: (text, at) => text.slice(0, at % text.length) + text[at % text.length]! + text.slice(at % text.length),
  spaced: text => text.replace(/(.{4})/g, '$1 ').toLowerCase(),
};
function replaceDigit(text: string, at: number, by: number): string {
  const digits = Array.from(text).flatMap((sign, place) => (/\d/.test(sign) ? [place] : []));
  const place = digits[at % digits.length]!;
  return text.slice(0, place) + ((Number(text[place]) + by) % 10) + text.slice(place + 1);
}

test('whatever a payer mistypes, no other invoice than theirs is exact', () => {
  let exact = 0;
  fc.assert(
    fc.property(
      fc.nat(members.length - 1),
      fc.constantFrom(...Object.keys(slips)),
      fc.boolean(),
      fc.nat(40),
      fc.integer({ min: 1, max: 9 }),
      fc.constantFrom('own', 'cut', 'parent', 'none'),
      (member, slip, hasDigits, at, by, payerIs) => {
        const { number, orgName, balance } = members[member]!;
        const payer = { own: orgName.toUpperCase(), cut: orgName.slice(0, 20), parent: 'Global Holdings', none: '' }[payerIs]!;
        const typed = slips[slip]!(hasDigits ? creditorReference(number) : number, at, by);
        const found = exactOf(transfer({ amount: balance, payer, remittance: `Invoice ${typed}` }));
        for (const each of found) expect(each).toBe(number);
        if (payerIs === 'parent' || (payerIs === 'none' && !hasDigits)) expect(found).toEqual([]);
        exact += found.length;
      },
    ),
    { numRuns: 4000 },
  );
  expect(exact).toBeGreaterThan(500);
});

test.each([
  ['its number and its payer', ofFirst, 'exact'],
  ['its number and another payer', { ...ofFirst, payer: members[1]!.orgName }, 'unclear'],
  ['its number and no payer', { ...ofFirst, payer: '' }, 'unclear'],
  ['its creditor reference and no payer', { ...ofFirst, payer: '', remittance: creditorReference(first.number) }, 'exact'],
  ['its creditor reference and another payer', { ...ofFirst, payer: 'A parent', remittance: creditorReference(first.number) }, 'unclear'],
  ['its number in a wrong creditor reference', { ...ofFirst, remittance: `RF00${first.number.replaceAll('-', '')}` }, 'mistyped'],
  ['two numbers', { ...ofFirst, remittance: `${first.number} ${members[3]!.number}` }, 'unclear'],
  ['another amount', { ...ofFirst, amount: '499.99' }, 'less'],
])('a transfer with %s is as sure as that', (_, given, match) => {
  expect(suggest(transfer(given), members, new Set()).find(({ invoiceNumber }) => invoiceNumber === first.number)).toMatchObject({ match });
});

test('a payer who paid for the account before is its payer, unless more than one invoice of theirs has the amount', () => {
  const line = transfer({ ...ofFirst, payer: 'A parent' });
  expect(exactOf(line, members, new Set([first.accountName]))).toEqual([first.number]);
  expect(exactOf(line, members, new Set([first.accountName, members[3]!.accountName]))).toEqual([]);
});
