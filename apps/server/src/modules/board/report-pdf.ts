import { oneLine, inFont } from '../../platform/pdf/font-ruler.ts';
import { printable as printableIn } from '../../platform/pdf/glyphs.ts';
import { accent, hairlineColor, mutedColor, openTaggedDocument, textColor } from '../../platform/pdf/tagged-document.ts';

/** Content of the report of a period. `fonts` are files with glyphs beyond those of Western Europe. */
export type BoardPaper = {
  title: string;
  sub: string;
  registryName: string;
  period: string;
  before: string;
  /** The last day of the period: the same report gives the same bytes. */
  to: string;
  parts: { title: string; rows: { name: string; value: string; before: string }[] }[];
  fonts: string[];
};

const margin = 56;
const NUMBER = 110;
const ROW = 19;
const unprintable = 'Uses characters that this PDF can’t show';

/** Returns the report of a period: tagged (ISO 32000-1 14.8), in English. The same content gives the same bytes. */
export async function boardReportPdf({ title, sub, registryName, period, before, to, parts, fonts }: BoardPaper): Promise<Uint8Array> {
  const { document, structure, width, right, rule, finish } = openTaggedDocument({
    margin,
    info: { Title: title, Author: registryName, Subject: sub, CreationDate: new Date(`${to}T00:00:00Z`) },
  });
  const bottom = document.page.height - margin;
  let y = margin;
  const say = (role: string, words: string, { size = 10, font = 'Helvetica', colour = textColor, gap = 8 }: Partial<Look> = {}): void => {
    const drawn = printableIn(words, { size, width, fonts, unprintable, plain: font });
    structure.add(
      document.struct(role, { ...(drawn.meant !== undefined && { actual: drawn.meant }) }, () => {
        inFont(document, drawn.font).fontSize(drawn.size).fillColor(colour);
        document.text(drawn.words, margin, y, drawn.whole ? oneLine : { width });
        y = drawn.whole ? y + document.currentLineHeight(true) : document.y;
      }),
    );
    y += gap;
  };
  rule(y, accent, 3);
  y += 16;
  say('P', registryName, { size: 11, colour: mutedColor, gap: 10 });
  say('H1', title, { size: 22, gap: 6 });
  say('P', sub, { colour: mutedColor, gap: 14 });
  for (const { title: part, rows } of parts) {
    // A heading keeps with its first rows.
    if (y + 40 + 3 * ROW > bottom) {
      document.addPage();
      y = margin;
    }
    say('H2', part, { size: 13, font: 'Helvetica-Bold', gap: 6 });
    if (rows.length === 0) {
      say('P', 'Nothing in this period', { colour: mutedColor, gap: 14 });
      continue;
    }
    const table = document.struct('Table');
    structure.add(table);
    const line = (cells: readonly { role: 'TH' | 'TD'; words: string; bold?: boolean; quiet?: boolean }[]): void => {
      if (y + ROW > bottom) {
        document.addPage();
        y = margin;
      }
      const row = document.struct('TR');
      table.add(row);
      cells.forEach(({ role, words, bold, quiet }, place) => {
        const room = place === 0 ? width - 2 * NUMBER - 12 : NUMBER;
        const drawn = printableIn(words, { size: 10, width: room, fonts, unprintable, plain: bold ? 'Helvetica-Bold' : 'Helvetica' });
        row.add(
          document.struct(role, { ...(drawn.meant !== undefined && { actual: drawn.meant }) }, () => {
            inFont(document, drawn.font)
              .fontSize(drawn.size)
              .fillColor(quiet ? mutedColor : textColor);
            const x = place === 0 ? margin : right - (3 - place) * NUMBER;
            document.text(
              drawn.words,
              x,
              y + 4,
              drawn.whole ? oneLine : { width: room, height: ROW, ellipsis: true, align: place === 0 ? 'left' : 'right' },
            );
          }),
        );
      });
      row.end();
      y += ROW;
      rule(y, hairlineColor, 0.5);
    };
    line([
      { role: 'TH', words: 'Figure', quiet: true },
      { role: 'TH', words: before, quiet: true },
      { role: 'TH', words: period, quiet: true },
    ]);
    for (const row of rows)
      line([
        { role: 'TH', words: row.name },
        { role: 'TD', words: row.before, quiet: true },
        { role: 'TD', words: row.value, bold: true },
      ]);
    table.end();
    y += 16;
  }
  return finish();
}

type Look = { size: number; font: string; colour: string; gap: number };
