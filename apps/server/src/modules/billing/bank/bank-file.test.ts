import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { amountOf, dayOf } from './bank-csv.ts';
import { fingerprintsOf, readBankFile } from './bank-file.ts';
import { isNameOf, namesMatch, readName } from '../invoices/payer-names.ts';
import { creditorReference, numbersIn, quotedIn } from '../invoices/payment-references.ts';

const entry = (amount: string, inner = '', indicator = 'CRDT') =>
  `<Ntry><Amt Ccy="AUD">${amount}</Amt><CdtDbtInd>${indicator}</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-11-20</Dt></BookgDt>${inner}</Ntry>`;
const camt = (entries: string, before = '') =>
  `<?xml version="1.0" encoding="UTF-8"?>${before}<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr/><Stmt><Id>1</Id><Acct><Id><Othr><Id>000-000 1</Id></Othr></Id></Acct>${entries}</Stmt></BkToCstmrStmt></Document>`;
const transaction = (amount: string, words: string, payer = 'Lagoon & Sons') =>
  `<TxDtls><Refs><AcctSvcrRef>${words.replace(/\W/g, '')}</AcctSvcrRef><EndToEndId>NOTPROVIDED</EndToEndId></Refs><Amt Ccy="AUD">${amount}</Amt><RltdPties><Dbtr><Pty><Nm>${payer.replace('&', '&amp;')}</Nm></Pty></Dbtr></RltdPties><RmtInf><Ustrd>${words}</Ustrd></RmtInf></TxDtls>`;
const largeEntry = entry('1.00', `<NtryDtls>${transaction('1.00', `INV-2026-000001 ${'x'.repeat(300)}`)}</NtryDtls>`);
const refusal = (content: string): string => {
  try {
    readBankFile(content, 'AUD');
    return 'taken';
  } catch (error) {
    return JSON.stringify((error as { fields?: unknown; message: string }).message) + JSON.stringify(error);
  }
};

describe('CAMT.053', () => {
  test('each incoming entry is a line, a batch whose amounts add up is one line per payment, and the rest is skipped', () => {
    const file = readBankFile(
      camt(
        [
          entry('2137.32', `<NtryDtls>${transaction('2137.32', 'INV-2026-000001')}</NtryDtls>`),
          entry('30.5', `<NtryDtls>${transaction('10', 'A')}${transaction('20.50', 'B')}</NtryDtls>`),
          entry('31', `<NtryDtls>${transaction('10', 'C')}${transaction('20.50', 'D')}</NtryDtls>`),
          entry('5.00', '', 'DBIT'),
          entry('6.00', '<RvslInd>true</RvslInd>'),
          entry('7.00').replace('BOOK', 'PDNG'),
        ].join(''),
      ),
      'AUD',
    );
    expect(file).toMatchObject({ format: 'CAMT.053', bankAccount: '000-000 1', leftOut: 3 });
    expect(file.entries.map(({ amount, payer, remittance, reference }) => [amount, payer, remittance, reference])).toEqual([
      ['2137.32', 'Lagoon & Sons', 'INV-2026-000001', 'INV2026000001'],
      ['10.00', 'Lagoon & Sons', 'A', 'A'],
      ['20.50', 'Lagoon & Sons', 'B', 'B'],
      ['31.00', 'Lagoon & Sons', 'C D', ''],
    ]);
  });

  test.each([
    ['a document type', camt(entry('1'), '<!DOCTYPE Document [<!ENTITY a "aaaa">]>'), 'document type'],
    ['an entity of its own', camt(entry('&a;')), 'well-formed'],
    ['a torn end', camt(entry('1')).slice(0, -30), 'well-formed'],
    ['another message', '<Document><BkToCstmrAcctRpt/></Document>', 'BkToCstmrAcctRpt'],
    ['another document', '<html/>', 'begins with html'],
    ['fractions of a cent', camt(entry('1.005')), 'no amount'],
    ['an impossible day', camt(entry('1').replace('2026-11-20', '2026-11-31')), 'no booking date'],
    ['a currency of two letters', camt(entry('1').replace('AUD', 'AU')), 'no amount with two places and a currency'],
    ['a currency that is none', camt(entry('1').replace('AUD', 'aud')), 'no amount with two places and a currency'],
    ['nesting without end', camt(entry('1', '<A>'.repeat(100) + '</A>'.repeat(100))), 'nested deeper'],
  ])('%s is refused', (_, content, words) => {
    expect(refusal(content)).toContain(words);
  });

  test('ten megabytes are accepted, and more is refused', () => {
    const content = camt(largeEntry.repeat(Math.floor(9_900_000 / largeEntry.length)));
    const { entries } = readBankFile(content, 'AUD');
    expect(entries.length).toBeGreaterThan(9000);
    expect(refusal(content + ' '.repeat(200_000))).toContain('larger than 10 MB');
  });
});

describe('CSV', () => {
  test.each([
    [
      'Date,Amount,Description\n2026-11-20,"2,137.32",INV 2026 000001\n2026-11-20,-5.00,fee\n',
      ['2026-11-20', '2137.32', 'INV 2026 000001', 'AUD'],
    ],
    [
      'Booking date;Credit;Currency;Details;Name\n20.11.2026;2.137,32;NZD;inv2026-000001;Lagoon\n',
      ['2026-11-20', '2137.32', 'inv2026-000001', 'NZD'],
    ],
  ])('%s', (content, line) => {
    const { entries } = readBankFile(content, 'AUD');
    expect(entries.map(({ bookedOn, amount, remittance, currency }) => [bookedOn, amount, remittance, currency])).toEqual([line]);
  });

  test.each([
    ['Day,Sum\n1,2\n', 'no column with a date'],
    ['Date,Amount\n2026-11-20,5\n', 'description or reference'],
    ['Date,Amount,Description\n2026-02-30,5,x\n', 'Line 2: 2026-02-30 is no date'],
    ['Date,Amount,Description\n2026-02-03,5,x\n11/13/2026,5,x\n', 'Line 3: 11/13/2026 is no date'],
    ['Date,Amount,Description\n2026-02-03,five,x\n', 'Line 2: five is no amount'],
    ['Date,Amount,Description\n"2026', 'never closes'],
  ])('%s is refused by name', (content, words) => {
    expect(refusal(content)).toContain(words);
  });

  test('a file with too many lines is refused before it is parsed', () => {
    const head = 'Date,Amount,Description\n';
    expect(readBankFile(head + '2026-11-20,-5,x\n'.repeat(199_000), 'AUD')).toMatchObject({ entries: [], leftOut: 199_000 });
    expect(refusal(head + '\n'.repeat(9_000_000))).toContain('more than 200000 lines');
  });

  test.each([
    ['1,234.5', '1234.50'],
    ['1.234,50', '1234.50'],
    ["1'234.50", '1234.50'],
    ['1 234,50', '1234.50'],
    ['1,234', null],
    ['8.005', null],
    ['1,234,567', '1234567.00'],
    ['(5.00)', '-5.00'],
    ['5.00-', '-5.00'],
    ['A$7', null],
    ['12,34,5', null],
    ['1e3', null],
    ['', null],
  ])('the amount %s is %s', (text, amount) => {
    expect(amountOf(text)).toBe(amount);
  });

  test.each([
    ['8.005', '.', null],
    ['8.005', ',', '8005.00'],
    ['8.500', '.', '8.50'],
    ['1,234', '.', '1234.00'],
    ['1,234.5', '.', '1234.50'],
    ['1.234,5', '.', null],
  ] as const)('the amount %s in a file with cents after %s is %s', (text, decimal, amount) => {
    expect(amountOf(text, decimal)).toBe(amount);
  });

  test('an amount with three digits after its only sign is read as the other amounts say, and asked about where they don’t', () => {
    const file = (...amounts: string[]) => `Date,Amount,Description\n${amounts.map(amount => `2026-11-20,"${amount}",x\n`).join('')}`;
    const amountsOf = (content: string, decimal?: '.' | ',') => readBankFile(content, 'AUD', decimal).entries.map(({ amount }) => amount);
    expect(amountsOf(file('8.005', '12,50'))).toEqual(['8005.00', '12.50']);
    expect(amountsOf(file('1,234', '-3.50'))).toEqual(['1234.00']);
    expect(amountsOf(file('8.005', '1.234.567'))).toEqual(['8005.00', '1234567.00']);
    for (const unclear of [file('8.005'), file('8.005', '12,50', '12.50'), file('1,234', '5')]) {
      expect(refusal(unclear)).toContain('has three digits after its');
      expect(refusal(unclear)).toContain('decimal');
    }
    expect(refusal(file('8.005', '12.50'))).toContain('8.005 is no amount');
    expect(amountsOf(file('8.005'), ',')).toEqual(['8005.00']);
    expect(refusal(file('1,234'))).toContain('Line 2: 1,234 has');
    // Money that goes out is left out either way.
    expect(amountsOf(file('-8.005', '5'))).toEqual(['5.00']);
  });

  test('what payers write as reference is no name of the transfer; what the bank writes is', () => {
    const read = (head: string) =>
      readBankFile(`Date,Amount,Description,${head}\n2026-11-20,5.50,rent,INV-2026-000001\n`, 'AUD').entries[0]!;
    expect(read('Reference')).toMatchObject({ reference: '', remittance: 'rent INV-2026-000001' });
    expect(read('Bank reference')).toMatchObject({ reference: 'INV-2026-000001', remittance: 'rent' });
  });

  test('only days that exist are accepted, leap days included', () => {
    expect(['2028-02-29', '29/02/2028', '20280229'].map(dayOf)).toEqual(['2028-02-29', '2028-02-29', '2028-02-29']);
    expect(['2027-02-29', '31/04/2027', '2027-1-1', ''].map(dayOf)).toEqual([null, null, null, null]);
  });
});

test('equal lines of one day have different fingerprints, and the same ones in another file', () => {
  const content = `Date,Amount,Description\n${'2026-11-20,5,same\n'.repeat(3)}`;
  const [one, other] = [readBankFile(content, 'AUD'), readBankFile(`${content}2026-11-21,5,more\n`, 'AUD')];
  expect(new Set(fingerprintsOf(one)).size).toBe(3);
  expect(fingerprintsOf(other).slice(0, 3)).toEqual(fingerprintsOf(one));
});

test('invoice numbers are found with any spacing, and names match by their uncommon words', () => {
  expect(numbersIn('pay inv 2026-000001 and INV2026000002/ INV-2026-0000031 INV-2026-1', 'INV')).toEqual([
    'INV-2026-000001',
    'INV-2026-000002',
  ]);
  expect(namesMatch(readName('LAGOON NETWORKS PTY LTD'), readName('Lagoon Internet Pty Ltd'))).toBe(true);
  expect(namesMatch(readName('Reef Networks Pty Ltd'), readName('Lagoon Networks Pty Ltd'))).toBe(false);
});

test.each([
  ['REEF NETWORKS LTD', 'Reef Networks Pty Ltd', true],
  ['Société Générale', 'SOCIETE GENERALE S.A.', true],
  ['PACIFIC ISLANDS TEL', 'Pacific Islands Telecom Ltd', true],
  ['Pacific', 'Pacific Islands Telecom Ltd', false],
  ['Reef Bank of Fiji', 'Reef Networks Pty Ltd', false],
  ['Reef Networks Holdings', 'Reef Networks Pty Ltd', false],
  ['', 'Reef Networks Pty Ltd', false],
  ['Ltd', 'Pty Ltd', false],
])('the payer %s is the organisation %s: %s', (payer, orgName, is) => {
  expect(isNameOf(readName(payer), readName(orgName))).toBe(is);
});

describe('creditor references', () => {
  // ISO 11649 gives RF18539007547034 as an example.
  test('have the check digits of the standard', () => {
    expect(creditorReference('539007547034')).toBe('RF18539007547034');
    expect(creditorReference('INV-2026-000001')).toMatch(/^RF\d{2}INV2026000001$/);
  });

  test('are found in any spacing, and a wrong digit or two that changed places are seen', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 999_999 }),
        fc.constantFrom('', ' ', '-'),
        fc.nat(14),
        fc.nat(8),
        (sequence, gap, place, by) => {
          const number = `INV-2026-${String(sequence).padStart(6, '0')}`;
          const reference = creditorReference(number);
          const typed = Array.from(reference).join(gap).toLowerCase();
          expect([...quotedIn(`Rent ${typed} thanks`, 'INV').checked]).toEqual([number]);
          // Digits only: a letter with a mistake is no reference of ours any more.
          const digits = Array.from(reference).flatMap((sign, at) => (/\d/.test(sign) ? [at] : []));
          const at = digits[place % digits.length]!;
          const wrong = Array.from(reference);
          wrong[at] = String((Number(wrong[at]) + 1 + (by % 9)) % 10);
          expect(quotedIn(wrong.join(gap), 'INV').checked.size).toBe(0);
          const next = digits[(place + 1) % digits.length]!;
          const swapped = Array.from(reference);
          [swapped[at], swapped[next]] = [swapped[next]!, swapped[at]!];
          if (next === at + 1 && swapped[at] !== swapped[next]) expect(quotedIn(swapped.join(gap), 'INV').checked.size).toBe(0);
        },
      ),
    );
  });

  test('with a mistake name no invoice for certain', () => {
    expect(quotedIn('RF00INV2026000001', 'INV')).toEqual({ checked: new Set(), plain: new Set(), mistyped: new Set(['INV-2026-000001']) });
    expect(quotedIn('INV-2026-000001', 'INV').plain).toEqual(new Set(['INV-2026-000001']));
    expect(numbersIn(`${creditorReference('PAY-2026-000007')} for both`, 'PAY')).toEqual(['PAY-2026-000007']);
  });
});
