import { groupDigits } from '@portal/number-resources';
import { dayInFull } from '../../../platform/day-words.ts';
import { oneLine, inFont } from '../../../platform/pdf/font-ruler.ts';
import { drawLines, printable, raisedBy } from '../../../platform/pdf/glyphs.ts';
import { accent, hairlineColor, textColor, openTaggedDocument, mutedColor } from '../../../platform/pdf/tagged-document.ts';
import type { Profile } from '../../../profile.ts';

/** The organisation that a document is for, as the invoice names it. */
export type Recipient = { accountName: string; orgName: string; billingAddress: string[]; attention: string; taxNumber: string };

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

export { dayInFull, mutedColor };

/** A column of a table: its width in points, with the gap after it. */
export type Column = { label: string; wide: number; align?: 'left' | 'right' };

const margin = 57;
/** Height and width of a picture, in points. */
const PICTURE = 96;
/** Points between columns. */
const GAP = 10;
const unprintable = 'Uses characters this PDF can’t show. View it in the portal.';

/** Draws text at a height, tagged with its role. Returns the height below it. */
type Put = (words: string, y: number, set?: Set) => number;

/** A document that is being set. */
type Sheet = Pick<ReturnType<typeof openTaggedDocument>, 'document' | 'width' | 'right' | 'rule'> & {
  structure: PDFKit.PDFStructureElement;
  put: Put;
  /** Height of the next part: here if the page has that many points left, else the top of a new page. */
  room: (y: number, height: number) => number;
};

/**
 * Opens a document as finance departments file it: tagged (ISO 32000-1 14.8), in English, with its issuer, recipient and facts. It depends only on
 * its content, so the same content gives the same bytes. Its parts are set one below the other: `items`, `sums` and `put` each start at a height and
 * return the height below them.
 */
export function openDocumentPage({
  title,
  number,
  day,
  recipient,
  facts,
  profile,
  fonts,
}: {
  title: string;
  number: string;
  /** The day it was issued. */
  day: string;
  /** Null for a document that isn't billed to anyone. */
  recipient: Recipient | null;
  facts: readonly [label: string, value: string][];
  profile: Profile;
  fonts: readonly string[];
}) {
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
      Title: `${title} ${number}`,
      Author: profile.invoiceName,
      Subject: recipient === null ? title : `Account ${recipient.accountName}`,
      CreationDate: new Date(`${day}T00:00:00Z`),
    },
  });
  const put: Put = (words, y, set = {}) => {
    const { x = margin, wide = width, size = 10, font = 'Helvetica', colour = textColor, align = 'left', role = 'P' } = set;
    if (words === '') return y;
    const letters = printable(words, { size, width: wide, fonts, unprintable, plain: font });
    let below = y;
    const draw = (): void => {
      const raised = letters.lines ? 0 : raisedBy(letters.font, letters.size, font);
      inFont(document, letters.font).fontSize(letters.size).fillColor(colour);
      if (letters.lines) {
        below = drawLines(document, letters, { x, y, width: wide, align });
        return;
      }
      document.text(letters.words, x, y - raised, letters.whole ? oneLine : { width: wide, align });
      below = letters.whole ? y + document.currentLineHeight(true) : document.y;
    };
    (set.in ?? whole).add(document.struct(role, { ...(letters.meant !== undefined && { actual: letters.meant }) }, draw));
    return below;
  };
  const bottom = document.page.height - margin - 14;

  const room: Sheet['room'] = (y, height) => {
    if (y + height <= bottom) return y;
    document.addPage();
    return margin;
  };
  const sheet: Sheet = { document, structure: whole, width, right, rule, put, room };

  // The recipient, with facts beside it; without a recipient the facts are at the left.
  const top = Math.max(putIssuer(sheet, title, profile), margin + 60) + 24;
  const left = recipient === null ? top : billTo(sheet, recipient, top);
  const beside = putFacts(sheet, facts, { top, x: recipient === null ? margin : margin + width / 2 });
  const table = (at: number, columns: readonly Column[], rows: readonly (readonly string[])[], size = 10): number =>
    putTable(sheet, { at, columns, rows, size });
  /** A heading, kept together with the next few lines. */
  const heading = (words: string, at: number): number => put(words, room(at, 110), { size: 12, font: 'Helvetica-Bold', role: 'H2' });
  return {
    top: Math.max(left, beside) + 26,
    /** Draws text at a height, or at the top of a new page if it doesn't fit. */
    put: (words: string, y: number, set: Set = {}): number => {
      const { wide = width, size = 10, font = 'Helvetica' } = set;
      return put(words, room(y, document.font(font).fontSize(size).heightOfString(words, { width: wide })), set);
    },
    heading,
    width,
    table,
    items: (at: number, currency: string, lines: readonly Charge[]): number => table(at, itemColumns(width, currency), lines.map(cellsOf)),
    sums: (at: number, rows: readonly Sum[]): number => putSums(sheet, at, rows),
    picture: (drawing: Drawing, y: number, alt: string): void => putPicture(sheet, drawing, y, alt),
    finish: (): Promise<Uint8Array> => {
      const { count } = document.bufferedPageRange();
      for (let page = 0; page < count; page++) {
        document.switchToPage(page);
        put(`Page ${page + 1} of ${count}`, bottom, { size: 8, colour: mutedColor, align: 'right' });
      }
      return finish();
    },
  };
}

/** A path of dark modules in a square of `size` of them. */
type Drawing = { size: number; path: string };

/** Draws a picture with words for those who can't see it, or at the top of a new page if it doesn't fit. */
function putPicture({ document, structure, room }: Sheet, { size, path }: Drawing, y: number, alt: string): void {
  const at = room(y, PICTURE);
  structure.add(
    document.struct('Figure', { alt }, () => {
      document
        .save()
        .translate(margin, at)
        .scale(PICTURE / size);
      document.path(path).fill('#000');
      document.restore();
    }),
  );
}

/** Draws the title and the issuer at the head. Returns the height below the issuer. */
function putIssuer({ rule, put, width }: Sheet, title: string, profile: Profile): number {
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
        colour: place === 0 ? textColor : mutedColor,
      }) + 2;
  return y;
}

function billTo({ document, put, width }: Sheet, { orgName, billingAddress, attention, taxNumber }: Recipient, top: number): number {
  const half = width / 2;
  let y = put('Bill to', top, { size: 9, colour: mutedColor });
  y = put(orgName, y + 3, { size: 12, font: 'Helvetica-Bold', wide: half - 20 }) + 2;
  const address = billingAddress[0] === orgName ? billingAddress.slice(1) : billingAddress;
  for (const words of address) y = put(words, y + 1, { wide: half - 20 });
  // A name in another script uses another font, so its label is set separately.
  const labelled = (label: string, words: string, at: number): number => {
    const wide = document.font('Helvetica').fontSize(9).widthOfString(label) + 5;
    const set = { size: 9, colour: mutedColor };
    return Math.max(put(label, at, set), put(words, at, { ...set, x: margin + wide, wide: half - 20 - wide }));
  };
  if (attention !== '') y = labelled('Attention:', attention, y + 3);
  if (taxNumber !== '') y = labelled('Registration or tax number:', taxNumber, y + 1);
  return y;
}

/** Draws facts by name, one below the other. Returns the height below them. */
function putFacts(
  { document, structure, put, width }: Sheet,
  facts: readonly [label: string, value: string][],
  { top, x }: { top: number; x: number },
): number {
  const half = width / 2;
  const factTable = document.struct('Table');
  structure.add(factTable);
  let beside = top;
  for (const [label, value] of facts) {
    const row = document.struct('TR');
    factTable.add(row);
    const under = put(label, beside, { x, wide: 90, size: 9, colour: mutedColor, role: 'TH', in: row });
    const valueUnder = put(value, beside - 1, { x: x + 92, wide: half - 92, font: 'Helvetica-Bold', role: 'TD', in: row });
    row.end();
    beside = Math.max(under, valueUnder) + 4;
  }
  factTable.end();
  return beside;
}

type Table = { at: number; columns: readonly Column[]; rows: readonly (readonly string[])[]; size: number };

/** Draws a table across the page. Its header is repeated on each further page. */
function putTable({ document, structure: whole, rule, put, room }: Sheet, { at, columns, rows, size }: Table): number {
  const structure = document.struct('Table');
  whole.add(structure);
  const places: { x: number; wide: number; align: 'left' | 'right' }[] = [];
  let x = margin;
  for (const { wide, align = 'left' } of columns) {
    places.push({ x, wide: wide - GAP, align });
    x += wide;
  }
  const row = (cells: readonly string[], top: number, set: Set): number => {
    const element = document.struct('TR');
    structure.add(element);
    const under = cells.map((cell, place) => put(cell, top, { ...places[place]!, ...set, in: element }));
    element.end();
    return Math.max(top + size, ...under);
  };
  const head = (top: number): number => {
    const y = row(
      columns.map(({ label }) => label),
      top,
      { size: 9, colour: mutedColor, role: 'TH' },
    );
    rule(y + 5, textColor, 0.8);
    return y + 5;
  };
  const heightOf = (cells: readonly string[]): number => {
    document.font('Helvetica').fontSize(size);
    return Math.max(...cells.map((cell, place) => document.heightOfString(cell, { width: places[place]!.wide }))) + 14;
  };
  let y = head(at);
  for (const cells of rows) {
    const top = room(y, heightOf(cells));
    if (top !== y) y = head(top);
    y = row(cells, y + 7, { role: 'TD', size }) + 7;
    rule(y, hairlineColor, 0.5);
  }
  structure.end();
  return y;
}

type Sum = readonly [label: string, amount: string, loud?: true];

/** Draws totals at the right; loud ones are bold. */
function putSums({ document, structure: whole, right, put, room }: Sheet, at: number, rows: readonly Sum[]): number {
  const table = document.struct('Table');
  whole.add(table);
  let y = room(at + 12, rows.length * 18);
  for (const [label, amount, loud] of rows) {
    const element = document.struct('TR');
    table.add(element);
    const font = loud ? 'Helvetica-Bold' : 'Helvetica';
    put(label, y, { x: right - 300, wide: 210, align: 'right', font, colour: loud ? textColor : mutedColor, role: 'TH', in: element });
    y = put(groupDigits(amount), y, { x: right - 80, wide: 80, align: 'right', font, role: 'TD', in: element }) + 5;
    element.end();
  }
  table.end();
  return y;
}

type Charge = { description: string; quantity: number; unitPrice: string; amount: string };

/** Columns of a table of charges. */
const itemColumns = (width: number, currency: string): Column[] => [
  { label: 'Description', wide: width - 240 },
  { label: 'Quantity', wide: 70, align: 'right' },
  { label: 'Unit price', wide: 90, align: 'right' },
  { label: `Amount, ${currency}`, wide: 80 + GAP, align: 'right' },
];

const cellsOf = ({ description, quantity, unitPrice, amount }: Charge): string[] => [
  description,
  String(quantity),
  groupDigits(unitPrice),
  groupDigits(amount),
];
