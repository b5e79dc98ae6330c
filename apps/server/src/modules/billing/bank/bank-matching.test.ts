import fc from 'fast-check';
import { expect, test } from 'vitest';
import { longestTurnOf } from '../../../../test/thread-costs.ts';
import { isNameOf, namesMatch, readName } from '../invoices/payer-names.ts';
import { creditorReference, quotedIn } from '../invoices/payment-references.ts';
import { type Candidate, indexCandidates, suggest as suggestFrom, type Transfer } from './bank-matching.ts';

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
const indexed = new Map<readonly Candidate[], ReturnType<typeof indexCandidates>>();
async function suggest(line: Transfer, candidates: readonly Candidate[], paidBefore: ReadonlySet<string>) {
  const index = indexed.get(candidates) ?? indexCandidates(candidates);
  indexed.set(candidates, index);
  return suggestFrom(line, await index, paidBefore);
}
const exactOf = async (line: Transfer, candidates = members, paidBefore = new Set<string>()): Promise<string[]> =>
  (await suggest(line, candidates, paidBefore)).flatMap(({ invoiceNumber, match }) => (match === 'exact' ? [invoiceNumber] : []));
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

test('whatever a payer mistypes, no other invoice than theirs is exact', async () => {
  let exact = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.nat(members.length - 1),
      fc.constantFrom(...Object.keys(slips)),
      fc.boolean(),
      fc.nat(40),
      fc.integer({ min: 1, max: 9 }),
      fc.constantFrom('own', 'cut', 'parent', 'none'),
      async (member, slip, hasDigits, at, by, payerIs) => {
        const { number, orgName, balance } = members[member]!;
        const payer = { own: orgName.toUpperCase(), cut: orgName.slice(0, 20), parent: 'Global Holdings', none: '' }[payerIs]!;
        const typed = slips[slip]!(hasDigits ? creditorReference(number) : number, at, by);
        const found = await exactOf(transfer({ amount: balance, payer, remittance: `Invoice ${typed}` }));
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
])('a transfer with %s is as sure as that', async (_, given, match) => {
  expect((await suggest(transfer(given), members, new Set())).find(({ invoiceNumber }) => invoiceNumber === first.number)).toMatchObject({
    match,
  });
});

test('a payer who paid for the account before is its payer, unless more than one invoice of theirs has the amount', async () => {
  const line = transfer({ ...ofFirst, payer: 'A parent' });
  expect(await exactOf(line, members, new Set([first.accountName]))).toEqual([first.number]);
  expect(await exactOf(line, members, new Set([first.accountName, members[3]!.accountName]))).toEqual([]);
});

/** The same without an index: each invoice is compared with the transfer, and all that may be paid are sorted. */
function compareWithAll(
  { amount, currency, payer, remittance }: Transfer,
  candidates: readonly Candidate[],
  paidBefore: ReadonlySet<string>,
) {
  const order = ['exact', 'unclear', 'mistyped', 'payer', 'less', 'more', 'account', 'amount', 'paid', 'cancelled'];
  const { checked, plain, mistyped } = quotedIn(remittance, 'INV');
  const numbers = new Set([...checked, ...plain, ...mistyped]);
  const accounts = new Set(remittance.toUpperCase().match(/[A-Z0-9][A-Z0-9-]{1,39}/g) ?? []);
  const isOpen = ({ state }: Candidate): boolean => ['issued', 'partly-paid'].includes(state);
  const isPayer = ({ accountName, orgName }: Candidate): boolean =>
    paidBefore.has(accountName) || isNameOf(readName(payer), readName(orgName));
  const isDue = ({ balance }: Candidate): boolean => balance === amount;
  const possible = candidates.filter(
    each => each.currency === currency && (isDue(each) || numbers.has(each.number) || accounts.has(each.accountName)),
  );
  const isCertain = (each: Candidate): boolean => {
    if (numbers.size > 1) return false;
    if (checked.has(each.number)) return payer === '' || isPayer(each);
    return isPayer(each) && !possible.some(other => other !== each && isOpen(other) && isDue(other) && isPayer(other));
  };
  const matchOf = (each: Candidate): string | null => {
    if (mistyped.has(each.number)) return isOpen(each) ? 'mistyped' : null;
    if (checked.has(each.number) || plain.has(each.number)) {
      if (each.state === 'paid' || each.state === 'cancelled') return each.state;
      if (!isOpen(each)) return null;
      if (!isDue(each)) return Number(amount) < Number(each.balance) ? 'less' : 'more';
      return isCertain(each) ? 'exact' : 'unclear';
    }
    if (!isOpen(each)) return null;
    if (isDue(each) && namesMatch(readName(payer), readName(each.orgName))) return 'payer';
    if (accounts.has(each.accountName)) return 'account';
    return isDue(each) ? 'amount' : null;
  };
  return possible
    .flatMap(each => {
      const match = matchOf(each);
      const { number: invoiceNumber, accountName, orgName, balance } = each;
      return match === null ? [] : [{ invoiceNumber, accountName, orgName, balance, match }];
    })
    .sort((a, b) => order.indexOf(a.match) - order.indexOf(b.match))
    .slice(0, 5);
}

test('what is found by the index is what a comparison with every invoice finds, in its order', async () => {
  const some = members.slice(0, 40).map((each, n) => ({
    ...each,
    currency: n % 11 === 0 ? 'USD' : 'AUD',
    state: ['issued', 'partly-paid', 'paid', 'issued', 'cancelled', 'issued', 'issued'][n % 7]!,
    accountName: `M${n >> 1}-AU`,
  }));
  const member = fc.constantFrom(...some);
  const words = fc.oneof(
    member.map(({ number }) => number),
    member.map(({ accountName }) => accountName),
    member.map(({ number }) => creditorReference(number)),
    member.map(({ number }) => `RF00${number.replaceAll('-', '')}`),
    fc.constant('membership'),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(words, { maxLength: 3 }),
      fc.constantFrom('500.00', '1356.00', '1180.00', '499.00'),
      fc.constantFrom('AUD', 'USD'),
      fc.oneof(
        fc.constant(''),
        member.map(({ orgName }) => orgName),
        member.map(({ orgName }) => orgName.slice(0, 20)),
        fc.constant('Global Holdings'),
      ),
      fc.array(member, { maxLength: 3 }),
      async (remittance, amount, currency, payer, known) => {
        const line = transfer({ remittance: remittance.join(' '), amount, currency, payer });
        const paidBefore = new Set(known.map(({ accountName }) => accountName));
        expect(await suggest(line, some, paidBefore)).toEqual(compareWithAll(line, some, paidBefore));
      },
    ),
    { numRuns: 2000 },
  );
});

test('a page of transfers of the fee that ten thousand members owe leaves others their turn', async () => {
  const open = Array.from({ length: 10_000 }, (_, n) => ({ ...members[n % members.length]!, number: `INV-2026-${n}`, balance: '500.00' }));
  const lines = Array.from({ length: 51 }, (_, n) => transfer({ payer: members[n]!.orgName, remittance: open[n]!.number }));
  const turn = await longestTurnOf(5, async () => {
    const index = await indexCandidates(open);
    for (const line of lines) await suggestFrom(line, index, new Set());
  });
  expect(turn).toBeLessThan(5);
});
