import PDFDocument from 'pdfkit';

/** What a certificate says, and said on the day it was issued. */
export type MembershipCertificate = {
  code: string;
  accountName: string;
  orgName: string;
  economy: string | null;
  memberSince: string | null;
  validUntil: string | null;
  issuedAt: string;
};

/** What stands on a certificate, and where it can be checked. `fonts` are files of more letters than those of Western Europe. */
export type CertificateText = MembershipCertificate & { spelledCode: string; registryName: string; checkAt: string; fonts: string[] };

const ink = '#131b2e';
const quiet = '#5b647c';
const accent = '#ac1263';
const margin = 71;

/** Pdfkit sets words from left to right, whatever their letters: such a name would stand there in the wrong order. */
const fromRightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;
/** Letters the fonts have that every PDF reader brings along (Windows-1252). */
const western = /^[\x20-\x7e\xa0-\xff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]*$/;
const unprintable = 'Written in letters this paper cannot show: see it at the address below';

/**
 * A certificate of membership: one page, tagged (ISO 32000-1 14.8), in English. A name in letters no font here has is not spelled with others; the paper
 * says where it stands, and readers of the text (screen readers, search) find it as it is registered.
 */
export async function certificatePdf(certificate: CertificateText): Promise<Uint8Array> {
  const { orgName, accountName, economy, memberSince, validUntil, issuedAt, spelledCode, registryName, checkAt, fonts } = certificate;
  const document = new PDFDocument({
    size: 'A4',
    margin,
    pdfVersion: '1.7',
    tagged: true,
    lang: 'en',
    displayTitle: true,
    info: {
      Title: `Certificate of membership of ${orgName}`,
      Author: registryName,
      Subject: `Account ${accountName}, code ${spelledCode}`,
      CreationDate: new Date(issuedAt),
    },
  });
  const chunks: Uint8Array[] = [];
  document.on('data', (chunk: Uint8Array) => chunks.push(chunk));
  const done = new Promise<void>((resolve, reject) => {
    document.on('end', resolve);
    document.on('error', reject);
  });
  const width = document.page.width - 2 * margin;
  const right = document.page.width - margin;

  const whole = document.struct('Document');
  document.addStructure(whole);
  /** Words with the role they have in the text. `meant` is what they stand for, where they do not say it. */
  const say = (role: string, words: string, set: () => void, meant?: string): void => {
    whole.add(document.struct(role, { ...(meant !== undefined && { actual: meant }) }, set));
  };
  const line = (y: number, colour: string, thickness: number): void => {
    document.markContent('Artifact', { type: 'Layout' });
    document.moveTo(margin, y).lineTo(right, y).lineWidth(thickness).strokeColor(colour).stroke();
    document.endMarkedContent();
  };
  const printable = (text: string): { font: string; words: string; meant?: string } => {
    if (western.test(text)) return { font: 'Helvetica-Bold', words: text };
    const font = fromRightToLeft.test(text) ? undefined : fonts.find(file => hasLetters(document, file, text));
    return font ? { font, words: text } : { font: 'Helvetica-Oblique', words: unprintable, meant: text };
  };

  line(margin, accent, 3);
  const registry = printable(registryName);
  say(
    'P',
    registry.words,
    () =>
      document
        .font(registry.font)
        .fontSize(12)
        .fillColor(ink)
        .text(registry.words, margin, margin + 20),
    registry.meant,
  );
  say('H1', 'Certificate of membership', () =>
    document
      .font('Helvetica')
      .fontSize(30)
      .fillColor(ink)
      .text('Certificate of membership', margin, margin + 70, { width }),
  );
  const opening = 'The registry certifies that this organisation is a member, as recorded on the day of issue:';
  say('P', opening, () =>
    document
      .font('Helvetica')
      .fontSize(11)
      .fillColor(quiet)
      .text(opening, margin, margin + 120, { width }),
  );
  const name = printable(orgName);
  say(
    'P',
    name.words,
    () =>
      document
        .font(name.font)
        .fontSize(name.meant === undefined ? nameSize(name.words) : 13)
        .fillColor(ink)
        .text(name.words, margin, margin + 155, { width, lineGap: 4 }),
    name.meant,
  );

  let y = document.y + 28;
  const facts: [string, string][] = [
    ['Account', accountName],
    ...(economy === null ? [] : [['Economy', economy] as [string, string]]),
    ...(memberSince === null ? [] : [['Member since', dayInWords(memberSince)] as [string, string]]),
    ['Valid to', validUntil === null ? 'No term is recorded' : dayInWords(validUntil)],
    ['Issued', `${dayInWords(issuedAt.slice(0, 10))}, ${issuedAt.slice(11, 16)} UTC`],
    ['Code', spelledCode],
  ];
  const table = document.struct('Table');
  whole.add(table);
  for (const [label, value] of facts) {
    line(y, '#dfe3ea', 0.5);
    const row = document.struct('TR');
    table.add(row);
    const at = y + 9;
    row.add(
      document.struct('TH', {}, () => document.font('Helvetica').fontSize(10).fillColor(quiet).text(label, margin, at, { width: 110 })),
    );
    row.add(
      document.struct('TD', {}, () =>
        document
          .font(label === 'Code' ? 'Courier-Bold' : 'Helvetica-Bold')
          .fontSize(11)
          .fillColor(ink)
          .text(value, margin + 120, at - 1, { width: width - 120 }),
      ),
    );
    row.end();
    y += 30;
  }
  table.end();
  line(y, '#dfe3ea', 0.5);

  const check = 'Whoever is shown this paper can check that it was issued, and whether the membership still stands:';
  say('P', check, () =>
    document
      .font('Helvetica')
      .fontSize(10)
      .fillColor(quiet)
      .text(check, margin, y + 28, { width }),
  );
  say('P', checkAt, () =>
    document
      .font('Helvetica-Bold')
      .fontSize(10)
      .fillColor(accent)
      .text(checkAt, margin, document.y + 4, { width }),
  );
  whole.end();
  document.end();
  await done;
  return new Uint8Array(Buffer.concat(chunks));
}

/** A long name in smaller letters, so that the page stays one. */
const nameSize = (name: string): number => (name.length <= 60 ? 24 : name.length <= 140 ? 17 : 12);

const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];
function dayInWords(day: string): string {
  const [year, month, date] = day.split('-').map(Number);
  return `${date} ${months[month! - 1]} ${year}`;
}

/** The font pdfkit has at hand; its types leave it out. */
type WithFont = { _font?: { font?: { hasGlyphForCodePoint?(codePoint: number): boolean } } };

/** Whether a font file has every letter of a text; a file that cannot be read has none. */
function hasLetters(document: PDFKit.PDFDocument, file: string, text: string): boolean {
  try {
    document.font(file);
  } catch {
    return false;
  }
  const font = (document as unknown as WithFont)._font?.font;
  return Array.from(text).every(letter => /\s/.test(letter) || font?.hasGlyphForCodePoint?.(letter.codePointAt(0)!) === true);
}
