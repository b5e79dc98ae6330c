import { dayInWords, oneLine, printable } from '../../platform/pdf/glyphs.ts';
import { accent, hair, ink, openTaggedDocument, quiet } from '../../platform/pdf/tagged-document.ts';
import type { Profile } from '../../profile.ts';
import type { InvoiceContent } from './invoice-content.ts';
import { cents, inCurrency, printCents } from './money.ts';

/** The contents of an invoice. `fonts` are files with glyphs beyond those of Western Europe. */
export type InvoicePrint = {
  invoice: InvoiceContent;
  profile: Profile;
  fonts: string[];
  /** A quote: nothing on it is payable, and it is valid until this day. */
  quoteUntil?: string;
};

const margin = 57;
const unprintable = 'Uses characters this PDF can’t show. View it in the portal.';

const grouped = (amount: string): string => amount.replace(/\B(?=(\d{3})+\.)/g, ',');

/**
 * An invoice as a finance department files it: one page, tagged (ISO 32000-1 14.8), in English. Made of its content alone, so
 * that the same content gives the same bytes.
 */
export async function invoicePdf({ invoice, profile, fonts, quoteUntil }: InvoicePrint): Promise<Uint8Array> {
  const title = quoteUntil !== undefined ? 'Renewal quote' : invoice.taxRate === null ? 'Invoice' : 'Tax invoice';
  const {
    document,
    structure: whole,
    width,
    right,
    rule,
    finish,
  } = openTaggedDocument({
    margin,
    info: {
      Title: `${title} ${invoice.number}`,
      Author: profile.invoiceName,
      Subject: `Account ${invoice.accountName}`,
      CreationDate: new Date(`${invoice.issuedOn}T00:00:00Z`),
    },
  });
  type Set = {
    x?: number;
    wide?: number;
    size?: number;
    font?: string;
    colour?: string;
    align?: 'left' | 'right';
    role?: string;
    in?: PDFKit.PDFStructureElement;
  };
  /** Words at a height, with the role they have in the text. Answers the height under them. */
  const put = (words: string, y: number, set: Set = {}): number => {
    const { x = margin, wide = width, size = 10, font = 'Helvetica', colour = ink, align = 'left', role = 'P' } = set;
    if (words === '') return y;
    const letters = printable(document, words, { size, width: wide, fonts, unprintable, plain: font });
    let below = y;
    const draw = (): void => {
      document.font(letters.font).fontSize(letters.size).fillColor(colour);
      document.text(letters.words, x, y, letters.whole ? oneLine : { width: wide, align });
      below = letters.whole ? y + document.currentLineHeight(true) : document.y;
    };
    (set.in ?? whole).add(document.struct(role, { ...(letters.meant !== undefined && { actual: letters.meant }) }, draw));
    return below;
  };

  // The issuer.
  rule(margin, accent, 3);
  put(title, margin + 18, { size: 26, role: 'H1', wide: 240 });
  let y = margin + 20;
  const half = width / 2;
  const own = [profile.invoiceName, profile.invoiceTaxNumber, ...profile.invoiceAddress, profile.billingEmail].filter(each => each !== '');
  for (const [place, words] of own.entries())
    y =
      put(words, y, {
        x: margin + half,
        wide: half,
        align: 'right',
        size: 9,
        font: place === 0 ? 'Helvetica-Bold' : 'Helvetica',
        colour: place === 0 ? ink : quiet,
      }) + 2;

  // The recipient, with facts beside it.
  const top = Math.max(y, margin + 60) + 24;
  let left = put('Bill to', top, { size: 9, colour: quiet });
  left = put(invoice.orgName, left + 3, { size: 12, font: 'Helvetica-Bold', wide: half - 20 }) + 2;
  const address = invoice.billingAddress[0] === invoice.orgName ? invoice.billingAddress.slice(1) : invoice.billingAddress;
  for (const words of address) left = put(words, left + 1, { wide: half - 20 });
  if (invoice.attention !== '') left = put(`Attention: ${invoice.attention}`, left + 3, { wide: half - 20, colour: quiet, size: 9 });
  if (invoice.taxNumber !== '')
    left = put(`Registration or tax number: ${invoice.taxNumber}`, left + 1, { wide: half - 20, colour: quiet, size: 9 });
  const facts: [string, string][] = [
    [quoteUntil === undefined ? 'Invoice number' : 'Quote number', invoice.number],
    ['Issued', dayInWords(invoice.issuedOn)],
    quoteUntil === undefined ? ['Due', dayInWords(invoice.dueOn)] : ['Valid until', dayInWords(quoteUntil)],
    ['Account', invoice.accountName],
    ...(invoice.poNumber === '' ? [] : [['Purchase order', invoice.poNumber] as [string, string]]),
    ['Membership', `${dayInWords(invoice.periodFrom)} to ${dayInWords(invoice.periodTo)}`],
  ];
  const factTable = document.struct('Table');
  whole.add(factTable);
  let beside = top;
  for (const [label, value] of facts) {
    const row = document.struct('TR');
    factTable.add(row);
    const under = put(label, beside, { x: margin + half, wide: 90, size: 9, colour: quiet, role: 'TH', in: row });
    const valueUnder = put(value, beside - 1, { x: margin + half + 92, wide: half - 92, font: 'Helvetica-Bold', role: 'TD', in: row });
    row.end();
    beside = Math.max(under, valueUnder) + 4;
  }
  factTable.end();

  // The items.
  y = Math.max(left, beside) + 26;
  const columns = [
    { x: margin, wide: width - 250, align: 'left' as const },
    { x: right - 240, wide: 60, align: 'right' as const },
    { x: right - 170, wide: 80, align: 'right' as const },
    { x: right - 80, wide: 80, align: 'right' as const },
  ];
  const lineTable = document.struct('Table');
  whole.add(lineTable);
  const row = (cells: readonly string[], at: number, set: Set): number => {
    const element = document.struct('TR');
    lineTable.add(element);
    const under = cells.map((cell, place) => put(cell, at, { ...columns[place]!, ...set, in: element }));
    element.end();
    return Math.max(...under);
  };
  y = row(['Description', 'Quantity', 'Unit price', `Amount, ${invoice.currency}`], y, { size: 9, colour: quiet, role: 'TH' }) + 5;
  rule(y, ink, 0.8);
  for (const { description, quantity, unitPrice, amount } of invoice.lines) {
    y = row([description, String(quantity), grouped(unitPrice), grouped(amount)], y + 7, { role: 'TD' }) + 7;
    rule(y, hair, 0.5);
  }
  lineTable.end();

  // The totals.
  const balance = printCents(cents(invoice.total) - cents(invoice.credit));
  const sums: [label: string, amount: string, loud?: true][] = [
    ['Subtotal', invoice.subtotal],
    [invoice.taxRate === null ? `${profile.taxName} not applicable` : `${profile.taxName} ${Number(invoice.taxRate) * 100} %`, invoice.tax],
    [`Total ${invoice.currency}`, invoice.total, true],
    ...(cents(invoice.credit) > 0n ? [['Account credit', printCents(-cents(invoice.credit))] as [string, string]] : []),
    ...(quoteUntil === undefined ? [[`Due by ${dayInWords(invoice.dueOn)}`, balance, true] as [string, string, true]] : []),
  ];
  const sumTable = document.struct('Table');
  whole.add(sumTable);
  y += 12;
  for (const [label, amount, loud] of sums) {
    const element = document.struct('TR');
    sumTable.add(element);
    const font = loud ? 'Helvetica-Bold' : 'Helvetica';
    put(label, y, { x: right - 300, wide: 210, align: 'right', font, colour: loud ? ink : quiet, role: 'TH', in: element });
    y = put(grouped(amount), y, { x: right - 80, wide: 80, align: 'right', font, role: 'TD', in: element }) + 5;
    element.end();
  }
  sumTable.end();

  const counted = `${grouped(`${invoice.ipv4}.`).slice(0, -1)} IPv4 addresses, ${grouped(`${invoice.ipv6}.`).slice(0, -1)} IPv6 /56 networks, ${invoice.asns} AS numbers`;
  if (quoteUntil !== undefined) {
    put('This is a quote. Don’t pay it.', y + 22, { size: 12, font: 'Helvetica-Bold', role: 'H2' });
    put(
      `It follows fee schedule ${invoice.feeScheduleId} and the number resources held on ${dayInWords(invoice.issuedOn)}: ${counted}. The invoice may differ if these change before the term ends.`,
      y + 42,
      { size: 9, colour: quiet },
    );
    put('Page 1 of 1', document.page.height - margin - 14, { size: 8, colour: quiet, align: 'right' });
    return finish();
  }

  // Payment instructions.
  y = put('How to pay', y + 22, { size: 12, font: 'Helvetica-Bold', role: 'H2' }) + 4;
  for (const words of profile.paymentInstructions) y = put(words, y) + 2;
  y = put(`Reference: ${invoice.number} ${invoice.accountName}`, y, { font: 'Helvetica-Bold' }) + 8;
  put(
    `Please pay ${inCurrency(invoice.currency, cents(balance))} in full. The payer covers bank charges and withheld taxes. The fee follows schedule ${invoice.feeScheduleId} and the number resources counted for it: ${counted}.`,
    y,
    { size: 9, colour: quiet },
  );
  put('Page 1 of 1', document.page.height - margin - 14, { size: 8, colour: quiet, align: 'right' });
  return finish();
}
