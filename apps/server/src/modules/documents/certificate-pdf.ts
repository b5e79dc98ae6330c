import { utcDay } from '@portal/contract/days';
import { dayInFull } from '../../platform/day-words.ts';
import { oneLine, inFont } from '../../platform/pdf/font-ruler.ts';
import { drawLines, type Printable, printable as printableIn } from '../../platform/pdf/glyphs.ts';
import { accent, hairlineColor, textColor, openTaggedDocument, mutedColor } from '../../platform/pdf/tagged-document.ts';

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
  const { orgName, accountName, economy, memberSince, validUntil, issuedAt, spelledCode, registryName, checkAt, fonts } = certificate;
  const {
    document,
    structure: whole,
    width,
    rule,
    finish,
  } = openTaggedDocument({
    margin,
    info: {
      Title: `Certificate of membership of ${orgName}`,
      Author: registryName,
      Subject: `Account ${accountName}, code ${spelledCode}`,
      CreationDate: new Date(issuedAt),
    },
  });
  /** Adds text with its role in the structure. `meant` is the actual text if it differs from what is drawn. */
  const say = (role: string, words: string, set: () => void, meant?: string): void => {
    whole.add(document.struct(role, { ...(meant !== undefined && { actual: meant }) }, set));
  };
  const printable = (text: string, size: number) => printableIn(text, { size, width, fonts, unprintable });

  /** Draws a name at a height; returns the height under it. */
  const draw = (name: Printable, y: number, options: PDFKit.Mixins.TextOptions): number => {
    inFont(document, name.font).fontSize(name.size).fillColor(textColor);
    if (name.lines) return drawLines(document, name, { x: margin, y, width, align: 'left' });
    document.text(name.words, margin, y, name.whole ? oneLine : options);
    // An unbroken line leaves the cursor where it began.
    return name.whole ? y + document.currentLineHeight(true) : document.y;
  };

  rule(margin, accent, 3);
  const registry = printable(registryName, 12);
  say('P', registry.words, () => void draw(registry, margin + 20, {}), registry.meant);
  say('H1', 'Certificate of membership', () =>
    document
      .font('Helvetica')
      .fontSize(30)
      .fillColor(textColor)
      .text('Certificate of membership', margin, margin + 70, { width }),
  );
  const opening = 'The registry certifies that, on the date of issue, this organisation is a member:';
  say('P', opening, () =>
    document
      .font('Helvetica')
      .fontSize(11)
      .fillColor(mutedColor)
      .text(opening, margin, margin + 120, { width }),
  );
  const name = printable(orgName, nameSize(orgName));
  let below = margin + 155;
  say(
    'P',
    name.words,
    () => {
      below = draw(name, margin + 155, { width, lineGap: 4 });
    },
    name.meant,
  );

  let y = below + 28;
  const facts: [string, string][] = [
    ['Account', accountName],
    ...(economy === null ? [] : [['Economy', economy] as [string, string]]),
    ...(memberSince === null ? [] : [['Member since', dayInFull(memberSince)] as [string, string]]),
    ['Valid to', validUntil === null ? 'No term is recorded' : dayInFull(validUntil)],
    ['Issued', `${dayInFull(utcDay(issuedAt))}, ${issuedAt.slice(11, 16)} UTC`],
    ['Code', spelledCode],
  ];
  const table = document.struct('Table');
  whole.add(table);
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

  const check = 'Anyone can check this certificate and whether the membership is still valid at:';
  say('P', check, () =>
    document
      .font('Helvetica')
      .fontSize(10)
      .fillColor(mutedColor)
      .text(check, margin, y + 28, { width }),
  );
  say('P', checkAt, () =>
    document
      .font('Helvetica-Bold')
      .fontSize(10)
      .fillColor(accent)
      .text(checkAt, margin, document.y + 4, { width }),
  );
  return finish();
}

/** Returns the size of a name: a long one is smaller, so that it fits on one page. */
const nameSize = (name: string): number => (name.length <= 60 ? 24 : name.length <= 140 ? 17 : 12);
