import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { expect, test } from 'vitest';
import { drawnEInvoices } from '../../../../test/drawn-e-invoices.ts';
import { type Cents, cents } from '../money.ts';
import { eInvoice } from './e-invoice.ts';

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
    fc.property(drawnEInvoices, ({ content, profile }) => {
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
