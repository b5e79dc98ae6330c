import { type Breathe, breathing } from '../../../platform/breathing.ts';

/** Characters of objects in one mail, and of one text among them: a mail may go to a hundred addresses. */
const MAX_MAIL = 100_000;
const MAX_TEXT = 20_000;

/** The beginning of a text that is too long for a mail, up to the end of a line, with a remark. */
export function forMail(text: string): string {
  if (text.length <= MAX_TEXT) return text;
  const end = text.lastIndexOf('\n', MAX_TEXT);
  return `${text.slice(0, end < 0 ? MAX_TEXT : end)}\n[Cut here: the text has ${text.length} characters]`;
}

/** Writes rows one after another, while there is room in a mail and no more than `most`. Returns what was written, and the rows that were not. */
export async function writtenOut<Row>(
  rows: readonly Row[],
  write: (row: Row) => string,
  most: number,
  breathe: Breathe = breathing(),
): Promise<{ written: string[]; others: Row[] }> {
  const written: string[] = [];
  let characters = 0;
  for (const row of rows.slice(0, most)) {
    if (characters > MAX_MAIL) break;
    const text = write(row);
    written.push(text);
    characters += text.length;
    await breathe();
  }
  return { written, others: rows.slice(written.length) };
}
