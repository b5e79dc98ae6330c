import type { Profile } from '../../../profile.ts';
import { cents, printCents } from '../money.ts';

/** The payer as an e-invoice names it. `electronicAddress`: a scheme of the list of the European Commission and the address in it, such as `0088:7300010000001`. */
export type EInvoicePayer = {
  orgName: string;
  economy: string;
  billingAddress: string[];
  attention: string;
  taxNumber: string;
  accountName: string;
  electronicAddress: string;
};

type Line = { description: string; quantity: number; unitPrice: string; amount: string };
type Sums = { subtotal: string; taxRate: string | null; tax: string; total: string };
type Common = Sums & { number: string; issuedOn: string; currency: string; payer: EInvoicePayer; lines: readonly Line[] };

/** An invoice, or a credit note that takes back part of one. Amounts are decimal text in `currency`; those of a credit note are positive. */
export type EInvoiceContent =
  | (Common & {
      kind: 'invoice';
      dueOn: string;
      /** The term it pays for; null where it pays for none. */
      period: { from: string; to: string } | null;
      poNumber: string;
      reference: string;
      /** Account credit that it used. */
      credit: string;
    })
  | (Common & { kind: 'credit-note'; invoiceNumber: string; invoiceIssuedOn: string; reason: string });

/** Characters that XML 1.0 has no place for, or that no text has: control characters but tabs and ends of lines, and halves of pairs. */
const unwritable = /[^\P{Cc}\t\n\r]|[\ufffe\uffff]|\p{Cs}/gu;
const marks: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (words: string): string => words.replaceAll(unwritable, '').replaceAll(/[&<>"]/g, mark => marks[mark]!);

/** An element with a text; nothing without one, as Peppol takes no empty elements. */
const text = (name: string, words: string, attributes = ''): string => {
  const content = escaped(words).trim();
  return content === '' ? '' : `<cbc:${name}${attributes}>${content}</cbc:${name}>`;
};
/** An element with others in it; nothing without any. */
const group = (name: string, ...parts: readonly string[]): string => {
  const content = parts.join('');
  return content === '' ? '' : `<cac:${name}>${content}</cac:${name}>`;
};

const taxScheme = '<cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme>';

/** An identifier that may begin with its scheme, such as `0106:40538547`. */
function identifier(name: string, value: string): string {
  const [, scheme, id] = /^(\d{4}):(.*)$/.exec(value) ?? [null, null, value];
  return text(name, id!, scheme === null ? '' : ` schemeID="${scheme}"`);
}

type Place = { economy: string; city?: string; postcode?: string };
/** Up to two lines of the street, and the others in one. */
const addressOf = ([street = '', additional = '', ...more]: readonly string[], { economy, city = '', postcode = '' }: Place): string =>
  group(
    'PostalAddress',
    text('StreetName', street),
    text('AdditionalStreetName', additional),
    text('CityName', city),
    text('PostalZone', postcode),
    group('AddressLine', text('Line', more.join(', '))),
    group('Country', text('IdentificationCode', economy)),
  );

type Category = { id: string; percent: string | null; reason: string };

/** Returns the category of tax: the rate of the invoice, or what the profile says of what isn't taxed. A rate of zero is a category of its own (BR-S-05). */
function categoryOf({ taxRate }: Sums, { eInvoiceSeller: { untaxedCategory, untaxedReason } }: Profile): Category {
  if (taxRate === null) return { id: untaxedCategory, percent: untaxedCategory === 'O' ? null : '0', reason: untaxedReason };
  return Number(taxRate) === 0 ? { id: 'Z', percent: '0', reason: '' } : { id: 'S', percent: percentOf(taxRate), reason: '' };
}

/** `0.125` as `12.5`. */
function percentOf(rate: string): string {
  const [whole = '0', places = ''] = rate.split('.');
  const digits = `${whole}${places.padEnd(2, '0')}`;
  const point = whole.length + 2;
  const percent = `${digits.slice(0, point).replace(/^0+(?=\d)/, '')}.${digits.slice(point)}`;
  return percent.replace(/\.?0*$/, '') || '0';
}

const sellerOf = (profile: Profile, category: Category): string => {
  const { electronicAddress, vatNumber, registrationNumber, ...place } = profile.eInvoiceSeller;
  // What is outside the scope of the tax has no tax number on it (BR-O-02).
  const isTaxed = category.id !== 'O';
  return group(
    'AccountingSupplierParty',
    group(
      'Party',
      identifier('EndpointID', electronicAddress),
      group('PartyName', text('Name', profile.invoiceName)),
      addressOf(profile.invoiceAddress, place),
      isTaxed && vatNumber !== '' ? `<cac:PartyTaxScheme>${text('CompanyID', vatNumber)}${taxScheme}</cac:PartyTaxScheme>` : '',
      group('PartyLegalEntity', text('RegistrationName', profile.invoiceName), identifier('CompanyID', registrationNumber)),
      group('Contact', text('Name', profile.registryName), text('ElectronicMail', profile.billingEmail)),
    ),
  );
};

const buyerOf = ({ electronicAddress, accountName, orgName, billingAddress, economy, taxNumber, attention }: EInvoicePayer): string =>
  group(
    'AccountingCustomerParty',
    group(
      'Party',
      identifier('EndpointID', electronicAddress),
      group('PartyIdentification', text('ID', accountName)),
      group('PartyName', text('Name', orgName)),
      addressOf(billingAddress, { economy }),
      group('PartyLegalEntity', text('RegistrationName', orgName), text('CompanyID', taxNumber)),
      group('Contact', text('Name', attention)),
    ),
  );

/** A line; one that lowers the sum has a negative quantity, because no price is below zero (BR-27). */
function lineOf(
  { description, quantity, unitPrice, amount }: Line,
  place: number,
  is: { note: boolean; currency: string; category: Category },
): string {
  const { note, currency, category } = is;
  const unit = cents(unitPrice);
  const counted = unit < 0n ? -quantity : quantity;
  const money = ` currencyID="${currency}"`;
  return group(
    note ? 'CreditNoteLine' : 'InvoiceLine',
    text('ID', String(place + 1)),
    text(note ? 'CreditedQuantity' : 'InvoicedQuantity', String(counted), ' unitCode="C62"'),
    text('LineExtensionAmount', amount, money),
    group(
      'Item',
      // A name has 100 characters in many programs; the whole text is the description.
      text('Description', description),
      text('Name', description.length > 100 ? `${description.slice(0, 99)}…` : description),
      `<cac:ClassifiedTaxCategory>${text('ID', category.id)}${text('Percent', category.percent ?? '')}${taxScheme}</cac:ClassifiedTaxCategory>`,
    ),
    group('Price', text('PriceAmount', printCents(unit < 0n ? -unit : unit), money)),
  );
}

function taxTotalOf({ subtotal, tax, currency }: Pick<Common, 'subtotal' | 'tax' | 'currency'>, category: Category): string {
  const money = ` currencyID="${currency}"`;
  return group(
    'TaxTotal',
    text('TaxAmount', tax, money),
    group(
      'TaxSubtotal',
      text('TaxableAmount', subtotal, money),
      text('TaxAmount', tax, money),
      `<cac:TaxCategory>${text('ID', category.id)}${text('Percent', category.percent ?? '')}${text('TaxExemptionReason', category.reason)}${taxScheme}</cac:TaxCategory>`,
    ),
  );
}

function totalsOf(content: EInvoiceContent): string {
  const { subtotal, total, currency } = content;
  const money = ` currencyID="${currency}"`;
  const credit = content.kind === 'invoice' ? cents(content.credit) : 0n;
  return group(
    'LegalMonetaryTotal',
    text('LineExtensionAmount', subtotal, money),
    text('TaxExclusiveAmount', subtotal, money),
    text('TaxInclusiveAmount', total, money),
    credit === 0n ? '' : text('PrepaidAmount', printCents(credit), money),
    text('PayableAmount', printCents(cents(total) - credit), money),
  );
}

/** Returns how it is paid: by transfer to the account of the profile where it has an IBAN, otherwise as its words say. */
function paymentOf(reference: string, currency: string, { iban, bic, invoiceName, paymentInstructions }: Profile): string {
  const account = group(
    'PayeeFinancialAccount',
    text('ID', iban),
    iban === '' ? '' : text('Name', invoiceName),
    iban === '' ? '' : group('FinancialInstitutionBranch', text('ID', bic)),
  );
  // SEPA is for euro; a program would draw such a payment up in the wrong currency.
  const [code, name] =
    iban === '' ? ['1', 'Instrument not defined'] : currency === 'EUR' ? ['58', 'SEPA credit transfer'] : ['30', 'Credit transfer'];
  return (
    group('PaymentMeans', `<cbc:PaymentMeansCode name="${name}">${code}</cbc:PaymentMeansCode>`, text('PaymentID', reference), account) +
    group('PaymentTerms', text('Note', `${paymentInstructions.join('. ')}. Reference: ${reference}`))
  );
}

/**
 * Returns an invoice or a credit note as UBL 2.1 by Peppol BIS Billing 3, the European standard's (EN 16931) form that accounting programs read. The same content gives the
 * same bytes. Its sums are those of the PDF: nothing is computed but signs and what account credit paid.
 */
export function eInvoice(content: EInvoiceContent, profile: Profile): string {
  const note = content.kind === 'credit-note';
  const root = note ? 'CreditNote' : 'Invoice';
  const { currency, payer, lines } = content;
  const category = categoryOf(content, profile);
  const invoiced = note ? null : content;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n',
    `<${root} xmlns="urn:oasis:names:specification:ubl:schema:xsd:${root}-2" xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2" xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">`,
    text('CustomizationID', 'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0'),
    text('ProfileID', 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0'),
    text('ID', content.number),
    text('IssueDate', content.issuedOn),
    invoiced ? text('DueDate', invoiced.dueOn) : '',
    text(`${root}TypeCode`, note ? '381' : '380'),
    note ? text('Note', content.reason) : '',
    text('DocumentCurrencyCode', currency),
    text('BuyerReference', payer.accountName),
    invoiced?.period ? group('InvoicePeriod', text('StartDate', invoiced.period.from), text('EndDate', invoiced.period.to)) : '',
    invoiced ? group('OrderReference', text('ID', invoiced.poNumber)) : '',
    note
      ? group(
          'BillingReference',
          group('InvoiceDocumentReference', text('ID', content.invoiceNumber), text('IssueDate', content.invoiceIssuedOn)),
        )
      : '',
    sellerOf(profile, category),
    buyerOf(payer),
    invoiced
      ? paymentOf(invoiced.reference, currency, profile)
      : group('PaymentTerms', text('Note', 'It takes this sum off the invoice. What was paid beyond the rest is credit of the account')),
    taxTotalOf(content, category),
    totalsOf(content),
    ...lines.map((line, place) => lineOf(line, place, { note, currency, category })),
    `</${root}>\n`,
  ].join('');
}
