import { expect, test } from 'vitest';
import { creditorReference } from '../invoices/payment-references.ts';
import { type Candidate, indexCandidates, suggest, type Transfer } from './bank-matching.ts';

/** Lines that a run of the suite draws; `BANK_LINES=100000` draws as many and says what became of each kind (decision 231). */
const LINES = Number(process.env['BANK_LINES'] ?? '4000');

/** Numbers from 0 to 1 that are the same each time (mulberry32). */
function drawFrom(seed: number) {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (most: number): number => Math.floor(next() * most);
  return { below, one: <T>(of: readonly T[]): T => of[below(of.length)]! };
}
const { below, one } = drawFrom(11_649);

/** Members with invoices as they are: few amounts for many, names that begin alike, some with two accounts, some with the invoice of the year before open too. */
const places = ['Reef', 'Lagoon', 'Atoll', 'Coral', 'Harbour', 'Pacific Islands', 'North', 'Summit'];
const trades = ['Telecom', 'Networks', 'Data Centres', 'Broadband', 'Internet Exchange', 'University'];
const forms = ['Pty Ltd', 'Limited', 'Sdn Bhd', 'Co., Ltd.', 'Inc'];
const amounts = ['500.00', '1356.00', '1180.00', '2138.75'];
const members = Array.from({ length: 120 }, (_, n) => ({
  accountName: `M${n}-AU`,
  orgName: `${places[n % 8]!} ${n % 12 === 11 ? n - 1 : n} ${trades[n % 6]!} ${forms[n % 5]!}`,
}));
const invoiceOf = (n: number, number: string, state = 'issued'): Candidate => ({
  ...members[n]!,
  number,
  currency: 'AUD',
  balance: amounts[n % amounts.length]!,
  state,
});
const numberOf = (year: number, n: number): string => `INV-${year}-${String(1000 + n * 3).padStart(6, '0')}`;
const present = members.map((_, n) => invoiceOf(n, numberOf(2027, n)));
const past = members.map((_, n) => invoiceOf(n, numberOf(2026, n), n % 5 === 0 ? 'issued' : 'paid'));
const candidates = [...present, ...past];

type Line = Pick<Transfer, 'amount' | 'payer' | 'remittance' | 'currency'>;
const digitAt = (text: string): number => one(Array.from(text).flatMap((sign, at) => (/\d/.test(sign) ? [at] : [])));
const withDigit = (text: string): string => {
  const at = digitAt(text);
  return text.slice(0, at) + ((Number(text[at]) + 1 + below(9)) % 10) + text.slice(at + 1);
};
const swapped = (text: string): string => {
  const at = below(text.length - 1);
  return text.slice(0, at) + text[at + 1]! + text[at]! + text.slice(at + 2);
};
const cut = (text: string): string => text.slice(0, text.length - 1 - below(3));

/** Changes that payers make to a line that would be right. */
const mistakes: Record<string, (line: Line, n: number) => Line> = {
  nothing: line => line,
  'a digit of the reference is wrong': line => ({ ...line, remittance: withDigit(line.remittance) }),
  'two digits are wrong': line => ({ ...line, remittance: withDigit(withDigit(line.remittance)) }),
  'two signs changed places': line => ({ ...line, remittance: swapped(line.remittance) }),
  'a sign is missing': line => {
    const at = below(line.remittance.length);
    return { ...line, remittance: line.remittance.slice(0, at) + line.remittance.slice(at + 1) };
  },
  'a sign is there twice': line => {
    const at = below(line.remittance.length);
    return { ...line, remittance: line.remittance.slice(0, at) + line.remittance[at]! + line.remittance.slice(at) };
  },
  'the reference is cut off': line => ({ ...line, remittance: cut(line.remittance) }),
  'a letter O stands for a zero': line => ({ ...line, remittance: line.remittance.replace('0', 'O') }),
  'spaces, dots and small letters': line => ({
    ...line,
    remittance: line.remittance.toLowerCase().replace(/(.{3})/g, `$1${one([' ', '.', '-', ''])}`),
  }),
  'nothing is quoted': line => ({ ...line, remittance: one(['', 'membership', 'annual fee 2027']) }),
  'the account alone is quoted': (line, n) => ({ ...line, remittance: `Fee of ${members[n]!.accountName}` }),
  'the reference of the year before': (line, n) => ({ ...line, remittance: creditorReference(past[n]!.number) }),
  'the reference of another member': line => ({ ...line, remittance: creditorReference(one(present).number) }),
  'the number of another member': line => ({ ...line, remittance: one(present).number }),
  'two references': (line, n) => ({
    ...line,
    remittance: `${line.remittance} ${creditorReference(present[(n + 1) % present.length]!.number)}`,
  }),
  'a bank charge was taken off': line => ({ ...line, amount: (Number(line.amount) - one([0.01, 12, 25])).toFixed(2) }),
  'another currency': line => ({ ...line, currency: 'USD' }),
  'a parent company pays': line => ({ ...line, payer: 'Global Holdings Group plc' }),
  'the name is cut off by the bank': line => ({ ...line, payer: line.payer.slice(0, 18) }),
  'the name of a namesake': line => ({ ...line, payer: one(members).orgName }),
};
const names = Object.keys(mistakes);

/** Returns what a line quotes without what stands between its signs. */
const wordsOf = ({ remittance }: Line): string => remittance.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');

test(`of ${LINES} bank lines with payers' mistakes none is exact for an invoice that it doesn't pay`, async () => {
  const indexed = await indexCandidates(candidates);
  const counts = new Map(names.map(name => [name, { lines: 0, exact: 0, offered: 0 }]));
  const wrong: string[] = [];
  for (let drawn = 0; drawn < LINES; drawn++) {
    const n = below(members.length);
    const { number, balance, orgName } = present[n]!;
    const right: Line = {
      amount: balance,
      currency: 'AUD',
      payer: one([orgName, orgName.toUpperCase(), orgName]),
      remittance: one([creditorReference(number), creditorReference(number), number, `Invoice ${number}`]),
    };
    const name = one(names);
    const line = mistakes[name]!(right, n);
    // One in three makes a second mistake.
    const second = below(3) === 0 ? one(names) : 'nothing';
    const sent = mistakes[second]!(line, n);
    const found = await suggest({ bankLineId: '1', ...sent }, indexed, new Set());
    const exact = found.filter(({ match }) => match === 'exact').map(({ invoiceNumber }) => invoiceNumber);
    const count = counts.get(name)!;
    count.lines++;
    count.exact += exact.length;
    if (found.some(({ invoiceNumber }) => invoiceNumber === number)) count.offered++;
    // Right is what the payer's own words say: an invoice of the organisation that pays, and of this amount.
    const isOwn = (each: string): boolean => {
      const invoice = candidates.find(candidate => candidate.number === each)!;
      return each === number || (invoice.orgName === members[n]!.orgName && wordsOf(sent).includes(creditorReference(each)));
    };
    const isNamesake = sent.payer !== right.payer && members.some(({ orgName: of }) => of === sent.payer);
    if (exact.length > 1 || !exact.every(each => isOwn(each) || (isNamesake && payerOwes(sent, each))))
      wrong.push(`${name}, ${second}: ${JSON.stringify(sent)} is exact for ${exact.join()}`);
  }
  expect(wrong).toEqual([]);
  if (LINES >= 100_000)
    for (const [name, { lines, exact, offered }] of counts)
      console.log(`${name}: ${lines} lines, ${exact} exact, ${lines - exact} asked, their invoice offered for ${offered}`);
  // What is right is recorded with others without a look; of what isn't, its invoice is still found for most.
  const { lines, exact } = counts.get('nothing')!;
  expect(exact / lines).toBeGreaterThan(0.6);
  expect(counts.get('another currency')!.exact).toBe(0);
});

/** Returns whether the line names another member in every way: its name, its reference and its amount. No one can know that someone else sent it. */
const payerOwes = (line: Line, number: string): boolean => {
  const invoice = candidates.find(candidate => candidate.number === number)!;
  return (
    invoice.orgName === line.payer &&
    (wordsOf(line).includes(creditorReference(number)) || wordsOf(line).includes(number.replaceAll('-', '')))
  );
};
