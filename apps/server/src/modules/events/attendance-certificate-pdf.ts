import { utcDay } from '@portal/contract/days';
import { dayInFull } from '../../platform/day-words.ts';
import { oneLine, inFont } from '../../platform/pdf/font-ruler.ts';
import { printable as printableIn } from '../../platform/pdf/glyphs.ts';
import { accent, hairlineColor, textColor, openTaggedDocument, mutedColor } from '../../platform/pdf/tagged-document.ts';

/** Content of a certificate of attendance. `fonts` are files with glyphs beyond those of Western Europe. */
export type AttendanceText = {
  fullName: string;
  title: string;
  startsOn: string;
  endsOn: string;
  place: string;
  hours: number | null;
  orgName: string | null;
  issuedAt: string;
  spelledCode: string;
  registryName: string;
  checkAt: string;
  fonts: string[];
};

const margin = 71;
const unprintable = 'Uses characters this PDF can’t show. View it at the address below.';

/** The days of an event: `22 February 2027 to 26 February 2027`. */
export const daysInWords = (startsOn: string, endsOn: string): string =>
  startsOn === endsOn ? dayInFull(startsOn) : `${dayInFull(startsOn)} to ${dayInFull(endsOn)}`;

/** Returns a certificate of attendance: one page, tagged (ISO 32000-1 14.8), in English. The same content gives the same bytes. */
export async function attendanceCertificatePdf(text: AttendanceText): Promise<Uint8Array> {
  const { fullName, title, startsOn, endsOn, place, hours, orgName, issuedAt, spelledCode, registryName, checkAt, fonts } = text;
  const { document, structure, width, rule, finish } = openTaggedDocument({
    margin,
    info: {
      Title: `Certificate of attendance of ${fullName}`,
      Author: registryName,
      Subject: `${title}, code ${spelledCode}`,
      CreationDate: new Date(issuedAt),
    },
  });
  let y = margin;
  /** Writes a paragraph at the current height and moves below it. */
  const say = (words: string, { role = 'P', size = 11, font = 'Helvetica', colour = textColor, gap = 10 }: Partial<Look> = {}): void => {
    const drawn = printableIn(words, { size, width, fonts, unprintable, plain: font });
    structure.add(
      document.struct(role, { ...(drawn.meant !== undefined && { actual: drawn.meant }) }, () => {
        inFont(document, drawn.font).fontSize(drawn.size).fillColor(colour);
        document.text(drawn.words, margin, y, drawn.whole ? oneLine : { width, lineGap: 3 });
        y = drawn.whole ? y + document.currentLineHeight(true) : document.y;
      }),
    );
    y += gap;
  };
  rule(y, accent, 3);
  y += 20;
  say(registryName, { size: 12, gap: 36 });
  say('Certificate of attendance', { role: 'H1', size: 30, gap: 24 });
  say('The registry certifies that', { colour: mutedColor });
  say(fullName, { size: fullName.length <= 60 ? 24 : 14, gap: orgName === null ? 14 : 4 });
  if (orgName !== null) say(`of ${orgName}`, { size: 13, gap: 14 });
  say('attended', { colour: mutedColor });
  say(title, { size: title.length <= 70 ? 18 : 13, font: 'Helvetica-Bold', gap: 24 });
  const facts: [string, string][] = [
    ['Held', daysInWords(startsOn, endsOn)],
    ...(place === '' ? [] : [['Place', place] as [string, string]]),
    ...(hours === null ? [] : [['Hours', String(hours)] as [string, string]]),
    ['Issued', `${dayInFull(utcDay(issuedAt))}, ${issuedAt.slice(11, 16)} UTC`],
    ['Code', spelledCode],
  ];
  const table = document.struct('Table');
  structure.add(table);
  for (const [label, value] of facts) {
    rule(y, hairlineColor, 0.5);
    const row = document.struct('TR');
    table.add(row);
    const at = y + 9;
    const drawn = printableIn(value, { size: 11, width: width - 120, fonts, unprintable, plain: 'Helvetica-Bold' });
    row.add(
      document.struct('TH', {}, () =>
        document.font('Helvetica').fontSize(10).fillColor(mutedColor).text(label, margin, at, { width: 110 }),
      ),
    );
    row.add(
      document.struct('TD', { ...(drawn.meant !== undefined && { actual: drawn.meant }) }, () =>
        document
          .font(label === 'Code' ? 'Courier-Bold' : drawn.font)
          .fontSize(drawn.size)
          .fillColor(textColor)
          .text(drawn.words, margin + 120, at - 1, { width: width - 120 }),
      ),
    );
    row.end();
    y = Math.max(y + 30, document.y + 9);
  }
  table.end();
  rule(y, hairlineColor, 0.5);
  y += 28;
  say('Anyone can check this certificate at:', { size: 10, colour: mutedColor, gap: 4 });
  say(checkAt, { size: 10, font: 'Helvetica-Bold', colour: accent });
  return finish();
}

type Look = { role: string; size: number; font: string; colour: string; gap: number };
