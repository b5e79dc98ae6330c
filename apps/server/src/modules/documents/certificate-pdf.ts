import { utcDay } from '@portal/contract/days';
import { dayInFull } from '../../platform/day-words.ts';
import { oneLine, inFont } from '../../platform/pdf/font-ruler.ts';
import { drawLines, type Printable, printable as printableIn } from '../../platform/pdf/glyphs.ts';
import {
  accent,
  hairlineColor,
  textColor,
  openTaggedDocument,
  mutedColor,
  type TaggedDocument,
} from '../../platform/pdf/tagged-document.ts';

/** The contents of a certificate on the day of issue. */
export type MembershipCertificate = {
  code: string;
  accountName: string;
  orgName: string;
  economy: string | null;
  memberSince: string | null;
  validUntil: string | null;
  issuedAt: string;
};

/** The text of a certificate, and where it can be checked. `fonts` are files with glyphs beyond those of Western Europe. */
export type CertificateText = MembershipCertificate & { spelledCode: string; registryName: string; checkAt: string; fonts: string[] };

const margin = 71;

const unprintable = 'Uses characters this PDF can’t show. View it at the address below.';

/**
 * Returns a certificate of membership: one page, tagged (ISO 32000-1 14.8), in English. A name in a script without a font isn't transliterated; the
 * page refers to the registered name, which screen readers and search find in the text.
 */
export async function certificatePdf(certificate: CertificateText): Promise<Uint8Array> {
  const { orgName, accountName, issuedAt, spelledCode, registryName } = certificate;
  const paper = openTaggedDocument({
    margin,
    info: {
      Title: `Certificate of membership of ${orgName}`,
      Author: registryName,
      Subject: `Account ${accountName}, code ${spelledCode}`,
      CreationDate: new Date(issuedAt),
    },
  });
  const below = writeMember(paper, certificate);
  const end = writeFacts(paper, factsOf(certificate), below + 28);
  const check = 'Anyone can check this certificate and whether the membership is still valid at:';
  write(paper, 'P', check, { size: 10, color: mutedColor, y: end + 28 });
  write(paper, 'P', certificate.checkAt, { font: 'Helvetica-Bold', size: 10, color: accent, y: paper.document.y + 4 });
  return paper.finish();
}

/** Adds text with its role in the structure. `meant` is the actual text if it differs from what is drawn. */
function say({ document, structure }: TaggedDocument, role: string, set: () => void, meant?: string): void {
  structure.add(document.struct(role, { ...(meant !== undefined && { actual: meant }) }, set));
}

/** Writes text over the width of the page. */
function write(
  paper: TaggedDocument,
  role: string,
  text: string,
  { font = 'Helvetica', size, color, y }: { font?: string; size: number; color: string; y: number },
): void {
  const { document, width } = paper;
  say(paper, role, () => document.font(font).fontSize(size).fillColor(color).text(text, margin, y, { width }));
}

/** Draws a name at a height; returns the height under it. */
function draw({ document, width }: TaggedDocument, name: Printable, y: number, options: PDFKit.Mixins.TextOptions): number {
  inFont(document, name.font).fontSize(name.size).fillColor(textColor);
  if (name.lines) return drawLines(document, name, { x: margin, y, width, align: 'left' });
  document.text(name.words, margin, y, name.whole ? oneLine : options);
  // An unbroken line leaves the cursor where it began.
  return name.whole ? y + document.currentLineHeight(true) : document.y;
}

/** Writes the names of the registry and of the member; returns the height under them. */
function writeMember(paper: TaggedDocument, { registryName, orgName, fonts }: CertificateText): number {
  const { rule, width } = paper;
  const printable = (text: string, size: number) => printableIn(text, { size, width, fonts, unprintable });
  rule(margin, accent, 3);
  const registry = printable(registryName, 12);
  say(paper, 'P', () => void draw(paper, registry, margin + 20, {}), registry.meant);
  write(paper, 'H1', 'Certificate of membership', { size: 30, color: textColor, y: margin + 70 });
  const opening = 'The registry certifies that, on the date of issue, this organisation is a member:';
  write(paper, 'P', opening, { size: 11, color: mutedColor, y: margin + 120 });
  const name = printable(orgName, nameSize(orgName));
  let below = margin + 155;
  say(
    paper,
    'P',
    () => {
      below = draw(paper, name, margin + 155, { width, lineGap: 4 });
    },
    name.meant,
  );
  return below;
}

type Fact = readonly [label: string, value: string];

const factsOf = ({ accountName, economy, memberSince, validUntil, issuedAt, spelledCode }: CertificateText): Fact[] => [
  ['Account', accountName],
  ...(economy === null ? [] : [['Economy', economy] as const]),
  ...(memberSince === null ? [] : [['Member since', dayInFull(memberSince)] as const]),
  ['Valid to', validUntil === null ? 'No term is recorded' : dayInFull(validUntil)],
  ['Issued', `${dayInFull(utcDay(issuedAt))}, ${issuedAt.slice(11, 16)} UTC`],
  ['Code', spelledCode],
];

/** Writes the table of facts from a height; returns the height of its last line. */
function writeFacts({ document, structure, width, rule }: TaggedDocument, facts: readonly Fact[], top: number): number {
  let y = top;
  const table = document.struct('Table');
  structure.add(table);
  for (const [label, value] of facts) {
    rule(y, hairlineColor, 0.5);
    const row = document.struct('TR');
    table.add(row);
    const at = y + 9;
    row.add(
      document.struct('TH', {}, () =>
        document.font('Helvetica').fontSize(10).fillColor(mutedColor).text(label, margin, at, { width: 110 }),
      ),
    );
    row.add(
      document.struct('TD', {}, () =>
        document
          .font(label === 'Code' ? 'Courier-Bold' : 'Helvetica-Bold')
          .fontSize(11)
          .fillColor(textColor)
          .text(value, margin + 120, at - 1, { width: width - 120 }),
      ),
    );
    row.end();
    y += 30;
  }
  table.end();
  rule(y, hairlineColor, 0.5);
  return y;
}

/** Returns the size of a name: a long one is smaller, so that it fits on one page. */
const nameSize = (name: string): number => (name.length <= 60 ? 24 : name.length <= 140 ? 17 : 12);
