import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { expect, test } from 'vitest';
import { type Profile, readProfile } from '../../../profile.ts';
import { annualFee, type FeeSchedule, sumOf } from '../fees/fees.ts';
import { type Cents, cents, printCents, times } from '../money.ts';
import { type EInvoiceContent, eInvoice } from './e-invoice.ts';

/** A registry of the European Union that taxes its own economy. */
const profileOf = (more: Partial<Profile['eInvoiceSeller']> = {}, currency = 'EUR', iban = 'NL91ABNA0417164300'): Profile => ({
  ...readProfile(''),
  invoiceName: 'Registry & Sons "B.V."',
  invoiceAddress: ['1 Registry Place'],
  currency,
  iban,
  bic: '',
  eInvoiceSeller: {
    electronicAddress: '0106:40538547',
    economy: 'NL',
    city: 'Amsterdam',
    postcode: '1012 AB',
    vatNumber: 'NL810135555B01',
    registrationNumber: '0106:40538547',
    untaxedCategory: 'O',
    untaxedReason: 'Outside the scope of VAT',
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
  taxNumber: fc.constantFrom('', '12345678', 'ABN 51 824 753 556'),
  accountName: fc.constantFrom('EXAMPLE-AU', 'A1-NL'),
  electronicAddress: fc.constantFrom('0088:7300010000001', '0151:51824753556', '9930:DE123456789'),
});
const holdings = fc.record({ ipv4: fc.bigInt(0n, 2n ** 24n), ipv6: fc.bigInt(0n, 2n ** 40n), asns: fc.nat(400) });
const rates = fc.constantFrom(null, '0.10', '0.21', '0.077', '0.125', '0.00');
const kinds = fc.constantFrom('renewal', 'renewal with credit', 'one-time fee', 'credit note of all', 'credit note of a part');

type Drawn = { content: EInvoiceContent; profile: Profile };
const drawn: fc.Arbitrary<Drawn> = fc
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

type Node = { name: string; attributes: Record<string, string>; text: string; children: Node[] };
/** Reads XML; throws where it is not well-formed. */
function parsed(xml: string): Node {
  const root: Node = { name: '', attributes: {}, text: '', children: [] };
  const path: Node[] = [root];
  const parser = new SaxesParser({ xmlns: false });
  parser.on('error', error => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const node: Node = { name: name.replace(/^.*:/, ''), attributes: attributes as Record<string, string>, text: '', children: [] };
    path.at(-1)!.children.push(node);
    path.push(node);
  });
  parser.on('text', more => {
    path.at(-1)!.text += more;
  });
  parser.on('closetag', () => void path.pop());
  parser.write(xml).close();
  return root.children[0]!;
}
const all = (node: Node, ...names: string[]): Node[] =>
  names.reduce<Node[]>((at, name) => at.flatMap(({ children }) => children.filter(each => each.name === name)), [node]);
const amountAt = (node: Node, ...names: string[]): Cents => {
  const found = all(node, ...names);
  return found.length === 0 ? 0n : found.reduce((sum, { text }) => sum + cents(text), 0n);
};
const textAt = (node: Node, ...names: string[]): string => all(node, ...names)[0]?.text ?? '';
const every = (node: Node): Node[] => [node, ...node.children.flatMap(every)];

/** The rules of EN 16931 about sums (BR-CO-*) and of Peppol about lines, computed anew from what is written. */
function checkSums(xml: string): void {
  const root = parsed(xml);
  const lines = [...all(root, 'InvoiceLine'), ...all(root, 'CreditNoteLine')];
  const total = (name: string): Cents => amountAt(root, 'LegalMonetaryTotal', name);
  expect(lines.length).toBeGreaterThan(0);
  // BR-CO-10, 11, 12, 13: there are neither allowances nor charges.
  expect(total('LineExtensionAmount')).toBe(lines.reduce((sum, line) => sum + amountAt(line, 'LineExtensionAmount'), 0n));
  expect(total('TaxExclusiveAmount')).toBe(total('LineExtensionAmount'));
  // BR-CO-14, 15, 16
  expect(amountAt(root, 'TaxTotal', 'TaxAmount')).toBe(amountAt(root, 'TaxTotal', 'TaxSubtotal', 'TaxAmount'));
  expect(total('TaxInclusiveAmount')).toBe(total('TaxExclusiveAmount') + amountAt(root, 'TaxTotal', 'TaxAmount'));
  expect(total('PayableAmount')).toBe(total('TaxInclusiveAmount') - total('PrepaidAmount'));
  // BR-CO-17: the tax of the category, to a cent.
  const [sub] = all(root, 'TaxTotal', 'TaxSubtotal') as [Node];
  const percent = textAt(sub, 'TaxCategory', 'Percent');
  const exact = percent === '' ? 0 : (Number(amountAt(sub, 'TaxableAmount')) * Number(percent)) / 100;
  expect(Math.abs(Number(amountAt(sub, 'TaxAmount')) - exact)).toBeLessThanOrEqual(1);
  // BR-CO-18 and BR-S-08 and its sisters: one category, which has all lines.
  expect(all(root, 'TaxTotal', 'TaxSubtotal')).toHaveLength(1);
  expect(amountAt(sub, 'TaxableAmount')).toBe(total('LineExtensionAmount'));
  for (const line of lines) {
    expect(textAt(line, 'Item', 'ClassifiedTaxCategory', 'ID')).toBe(textAt(sub, 'TaxCategory', 'ID'));
    // PEPPOL-EN16931-R120, BR-27
    const [quantity] = [...all(line, 'InvoicedQuantity'), ...all(line, 'CreditedQuantity')] as [Node];
    const price = amountAt(line, 'Price', 'PriceAmount');
    expect(price >= 0n).toBe(true);
    expect(BigInt(quantity.text) * price).toBe(amountAt(line, 'LineExtensionAmount'));
  }
  // BR-CO-25, BR-CO-26, BR-O-02, Peppol's R008, R010, R020
  expect(textAt(root, 'DueDate') + textAt(root, 'PaymentTerms', 'Note')).not.toBe('');
  const [seller] = all(root, 'AccountingSupplierParty', 'Party') as [Node];
  const hasVat = textAt(seller, 'PartyTaxScheme', 'CompanyID') !== '';
  expect(hasVat).toBe(textAt(sub, 'TaxCategory', 'ID') !== 'O');
  expect(textAt(seller, 'PartyLegalEntity', 'CompanyID')).not.toBe('');
  for (const node of every(root)) expect([node.name, node.children.length > 0 || node.text.trim() !== '']).toEqual([node.name, true]);
  for (const side of ['AccountingSupplierParty', 'AccountingCustomerParty'])
    expect(all(root, side, 'Party', 'EndpointID')[0]!.attributes['schemeID']).toMatch(/^\d{4}$/);
  for (const { attributes } of every(root))
    if (attributes['currencyID'] !== undefined) expect(attributes['currencyID']).toBe(textAt(root, 'DocumentCurrencyCode'));
}

test('the sums of a thousand invoices and credit notes are those of EN 16931, whatever is billed, taxed, credited or written', () => {
  const cases = new Set<string>();
  fc.assert(
    fc.property(drawn, ({ content, profile }) => {
      const xml = eInvoice(content, profile);
      checkSums(xml);
      expect(eInvoice(content, profile)).toBe(xml);
      cases.add(`${content.kind} ${content.taxRate === null ? profile.eInvoiceSeller.untaxedCategory : 'S'} ${content.currency}`);
    }),
    { numRuns: 1000, seed: 16931 },
  );
  // Both documents, taxed and each untaxed category, in three currencies.
  expect(cases.size).toBe(2 * 6 * 3);
});

/** A folder with the schemas of UBL 2.1 (`xsd/`) and the compiled rules (`*.xslt`) of EN 16931 and Peppol: see dev/independent/e-invoices.md. */
const rules = process.env['E_INVOICE_RULES'] ?? '';
const saxon = '/usr/share/java/Saxon-HE.jar';

test.runIf(rules !== '' && existsSync(saxon))(
  'xmllint with the schema of UBL 2.1, and the Schematron of EN 16931 and of Peppol, find nothing in a thousand of them',
  async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'e-invoices-'));
    try {
      await mkdir(path.join(folder, 'documents'));
      const samples = fc.sample(drawn, { numRuns: 1000, seed: 16931 });
      const names: Record<EInvoiceContent['kind'], string[]> = { invoice: [], 'credit-note': [] };
      for (const [place, { content, profile }] of samples.entries()) {
        const name = path.join(folder, 'documents', `${place}.xml`);
        await writeFile(name, eInvoice(content, profile));
        names[content.kind].push(name);
      }
      for (const [kind, schema] of [
        ['invoice', 'UBL-Invoice-2.1.xsd'],
        ['credit-note', 'UBL-CreditNote-2.1.xsd'],
      ] as const)
        execFileSync('xmllint', ['--noout', '--schema', path.join(rules, 'xsd/maindoc', schema), ...names[kind]], { stdio: 'pipe' });
      for (const sheet of (await readdir(rules)).filter(name => name.endsWith('.xslt'))) {
        const reports = path.join(folder, `reports-${sheet}`);
        await mkdir(reports);
        execFileSync('java', ['-jar', saxon, `-s:${path.join(folder, 'documents')}`, `-xsl:${path.join(rules, sheet)}`, `-o:${reports}`], {
          stdio: 'pipe',
        });
        const found: string[] = [];
        for (const name of await readdir(reports)) {
          const report = await readFile(path.join(reports, name), 'utf8');
          // What was judged has the rules that fired.
          expect(report).toContain('fired-rule');
          for (const [, rule] of report.matchAll(/<svrl:failed-assert[^>]*\sid="([^"]*)"/g)) found.push(`${name} ${rule}`);
        }
        expect([sheet, found.slice(0, 20)]).toEqual([sheet, []]);
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
  600_000,
);
