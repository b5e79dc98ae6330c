import { expect, test } from 'vitest';
import { payCode, payCodeText } from './pay-code.ts';

const payee = { iban: 'DE89370400440532013000', bic: 'COBADEFFXXX', invoiceName: 'Example Registry' };
const paid = { currency: 'EUR', amount: '2137.32', reference: 'RF29INV2026000007' };

test('the code of a payment in euro has the lines of EPC069-12 in their order', () => {
  expect(payCodeText(paid, payee)).toBe(
    ['BCD', '002', '1', 'SCT', 'COBADEFFXXX', 'Example Registry', 'DE89370400440532013000', 'EUR2137.32', '', 'RF29INV2026000007'].join(
      '\n',
    ),
  );
  const long = payCodeText(paid, { ...payee, bic: '', invoiceName: 'Ä'.repeat(200) })!.split('\n');
  expect([long[4], long[5]]).toEqual(['', 'Ä'.repeat(70)]);
  // The guideline takes at most 331 bytes, and a code of version 13 or less: 69 modules, with the quiet zone 77.
  expect(Buffer.byteLength(long.join('\n'))).toBeLessThan(331);
  expect(payCode(paid, { ...payee, invoiceName: 'Ä'.repeat(70) })!.size).toBeLessThanOrEqual(77);
});

test.each([
  ['another currency', { ...paid, currency: 'AUD' }, payee],
  ['nothing to pay', { ...paid, amount: '0.00' }, payee],
  ['no IBAN', paid, { ...payee, iban: '' }],
])('there is none with %s', (_, of, to) => {
  expect(payCode(of, to)).toBe(null);
});
