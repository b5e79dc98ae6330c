import fc from 'fast-check';
import type { EInvoiceContent } from '../src/modules/billing/documents/e-invoice.ts';
import { annualFee, type FeeSchedule, sumOf } from '../src/modules/billing/fees/fees.ts';
import { type Cents, printCents, times } from '../src/modules/billing/money.ts';
import { type Profile, readProfile } from '../src/profile.ts';
import { eInvoiceRows } from './e-invoice-profile.ts';

/** A registry of the European Union that taxes its own economy. */
const profileOf = (more: Partial<Profile['eInvoiceSeller']> = {}, currency = 'EUR', iban = 'NL91ABNA0417164300'): Profile => ({
  ...readProfile(''),
  invoiceName: 'Registry & Sons "B.V."',
  invoiceAddress: ['1 Registry Place'],
  currency,
  iban,
  bic: '',
  eInvoiceSeller: {
    ...eInvoiceRows.eInvoiceSeller,
    ...more,
  },
});

const schedule: FeeSchedule = {
  baseFee: '1180.00',
  bitFactor: '1.308',
  ipv4Base: 24,
  ipv6Base: 34,
  associateFee: '675.00',
  nirMultiplier: '1.315',
  ldcShare: '0.5',
  asnFee: '0.35',
  freeAsns: 1,
  signUpFee: '500.00',
};

const words = fc.oneof(
  fc.constantFrom('Example Networks Pty Ltd', 'A & B <Telecom>', '“Ærø” Net ApS', '日本 Networks', 'Tab\there\u0007', 'Lone \ud800 half'),
  fc.string({ minLength: 1, maxLength: 120, unit: 'grapheme' }).filter(text => /\w/.test(text)),
);
const payers = fc.record({
  orgName: words,
  economy: fc.constantFrom('DE', 'SE', 'SG', 'FJ'),
  billingAddress: fc.array(words, { maxLength: 6 }),
  attention: fc.oneof(fc.constant(''), words),
  // A payer without a number has no electronic address, and no e-invoices.
  taxNumber: fc.constantFrom('12345678', 'ABN 51 824 753 556', 'DE123456789'),
  accountName: fc.constantFrom('EXAMPLE-AU', 'A1-NL'),
  electronicAddress: fc.constantFrom('0088:7300010000001', '0151:51824753556', '9930:DE123456789'),
});
const holdings = fc.record({ ipv4: fc.bigInt(0n, 2n ** 24n), ipv6: fc.bigInt(0n, 2n ** 40n), asns: fc.nat(400) });
const rates = fc.constantFrom(null, '0.10', '0.21', '0.077', '0.125', '0.00');
const kinds = fc.constantFrom('renewal', 'renewal with credit', 'one-time fee', 'credit note of all', 'credit note of a part');

type Drawn = { content: EInvoiceContent; profile: Profile };
/** Invoices and credit notes of all kinds, with the registry that issues them. */
export const drawnEInvoices: fc.Arbitrary<Drawn> = fc
  .record({
    payer: payers,
    holdings,
    circumstances: fc.record({ nir: fc.boolean(), ldc: fc.boolean(), signUp: fc.boolean() }),
    rate: rates,
    kind: kinds,
    share: fc.integer({ min: 1, max: 99 }),
    untaxed: fc.constantFrom('O', 'E', 'G', 'Z', 'AE') as fc.Arbitrary<Profile['eInvoiceSeller']['untaxedCategory']>,
    currency: fc.constantFrom('EUR', 'AUD', 'SEK'),
    number: fc.integer({ min: 1, max: 999_999 }),
    poNumber: fc.constantFrom('', 'PO-77', 'A & B'),
  })
  .map(({ payer, holdings: held, circumstances, rate, kind, share, untaxed, currency, number, poNumber }) => {
    const fees = annualFee(schedule, held, circumstances);
    const whole = kind === 'one-time fee' ? fees.slice(0, 1) : fees;
    const subtotal = sumOf(whole);
    const tax = rate === null ? 0n : times(subtotal, rate);
    const profile = profileOf(
      { untaxedCategory: untaxed, untaxedReason: untaxed === 'Z' ? '' : 'Export of services' },
      currency,
      currency === 'EUR' ? 'NL91ABNA0417164300' : '',
    );
    const lines = whole.map(({ kind: of, quantity, unit, amount }) => ({
      description: `Annual fee: ${of}, ${'with a long description '.repeat(of === 'ldc' ? 8 : 1)}`,
      quantity,
      unitPrice: printCents(unit),
      amount: printCents(amount),
    }));
    const sums = (net: Cents, taxed: Cents) => ({
      subtotal: printCents(net),
      taxRate: rate,
      tax: printCents(taxed),
      total: printCents(net + taxed),
    });
    const id = String(number).padStart(6, '0');
    if (kind.startsWith('credit note')) {
      const total = subtotal + tax;
      const credits = kind === 'credit note of all' ? total : (total * BigInt(share)) / 100n || 1n;
      // As `taxIn` shares it.
      const share2 = kind === 'credit note of all' ? tax : (2n * credits * tax + total) / (2n * total);
      const net = credits - share2;
      const content: EInvoiceContent = {
        kind: 'credit-note',
        number: `CN-2026-${id}`,
        issuedOn: '2026-11-22',
        currency,
        payer,
        lines: [{ description: `Credit for INV-2026-${id}`, quantity: 1, unitPrice: printCents(net), amount: printCents(net) }],
        ...sums(net, share2),
        invoiceNumber: `INV-2026-${id}`,
        invoiceIssuedOn: '2026-10-18',
        reason: 'Too much\nwas charged',
      };
      return { content, profile };
    }
    const content: EInvoiceContent = {
      kind: 'invoice',
      number: `INV-2026-${id}`,
      issuedOn: '2026-10-18',
      dueOn: '2026-11-16',
      period: kind === 'one-time fee' ? null : { from: '2026-10-18', to: '2027-10-17' },
      currency,
      payer,
      lines,
      ...sums(subtotal, tax),
      poNumber,
      reference: `RF18INV2026${id}`,
      credit: kind === 'renewal with credit' ? printCents(((subtotal + tax) * BigInt(share)) / 100n) : '0.00',
    };
    return { content, profile };
  });
