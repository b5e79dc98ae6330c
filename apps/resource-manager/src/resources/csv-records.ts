/** A record of a CSV text: the line it begins in, its place in the text without the line's end, and its cells. */
type CsvRecord = { line: number; start: number; end: number; cells: { start: number; end: number }[] };

const separators = [',', ';', '\t'] as const;

/** The separator that the first line uses most, as the server chooses it. */
function separatorOf(csv: string): string {
  const head = /\S.*/.exec(csv)?.[0] ?? '';
  const count = (separator: string): number => head.replaceAll(/"[^"]*"/g, '').split(separator).length;
  return separators.reduce((most, each) => (count(each) > count(most) ? each : most));
}

/** Finds the records of a CSV text (RFC 4180); a quoted cell may have line ends and separators. */
function recordsOf(csv: string): CsvRecord[] {
  const separator = separatorOf(csv);
  const records: CsvRecord[] = [];
  let [line, isQuoted] = [1, false];
  let record: CsvRecord = { line, start: 0, end: 0, cells: [] };
  let cell = 0;
  for (let at = 0; at <= csv.length; at++) {
    const sign = csv[at];
    if (sign === '"') isQuoted = !isQuoted;
    const isEnd = sign === undefined || (!isQuoted && (sign === '\n' || sign === '\r'));
    if (isEnd || (!isQuoted && sign === separator)) {
      record.cells.push({ start: cell, end: at });
      cell = at + 1;
    }
    if (sign === '\n' || (sign === '\r' && csv[at + 1] !== '\n')) line++;
    if (!isEnd) continue;
    record.end = at;
    if (csv.slice(record.start, at).trim() !== '') records.push(record);
    if (sign === '\r' && csv[at + 1] === '\n') {
      at++;
      line++;
    }
    record = { line, start: at + 1, end: at + 1, cells: [] };
    cell = at + 1;
  }
  return records;
}

const plain = (text: string): string =>
  text
    .trim()
    .replace(/^"(.*)"$/s, '$1')
    .replaceAll('""', '"');
const quoted = (text: string): string => (/[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Returns the text with another value in one cell; unchanged where there is no such line or column. */
export function withCell(csv: string, line: number, column: string, value: string): string {
  const [head, ...records] = recordsOf(csv);
  const place = head?.cells.findIndex(({ start, end }) => plain(csv.slice(start, end)).toLowerCase() === column) ?? -1;
  const cell = records.find(record => record.line === line)?.cells[place];
  return cell ? `${csv.slice(0, cell.start)}${quoted(value)}${csv.slice(cell.end)}` : csv;
}

/** Returns the text without the records that begin in these lines. */
export function withoutLines(csv: string, lines: ReadonlySet<number>): string {
  return recordsOf(csv)
    .filter(record => !lines.has(record.line))
    .map(({ start, end }) => `${csv.slice(start, end)}\n`)
    .join('');
}

/** Returns the head of the text and the records that begin in these lines, with what is wrong with each in a last column. */
export function withProblems(csv: string, problems: ReadonlyMap<number, string>): string {
  const [head, ...records] = recordsOf(csv);
  if (!head) return '';
  const separator = separatorOf(csv);
  const textOf = ({ start, end }: CsvRecord, last: string): string => `${csv.slice(start, end)}${separator}${quoted(last)}\n`;
  return [
    textOf(head, 'problem'),
    ...records.filter(({ line }) => problems.has(line)).map(record => textOf(record, problems.get(record.line)!)),
  ].join('');
}

/** Returns the rows of the text, each with the line it begins in and its cells by the names of the columns, in lower case. */
export function rowsOf(csv: string): { columns: string[]; rows: { line: number; cells: Readonly<Record<string, string>> }[] } {
  const text = csv.replace(/^\uFEFF/, '');
  const [head, ...records] = recordsOf(text);
  const cellsOf = ({ cells }: CsvRecord): string[] => cells.map(({ start, end }) => plain(text.slice(start, end)).trim());
  const columns = head ? cellsOf(head).map(name => name.toLowerCase()) : [];
  return {
    columns,
    rows: records.map(record => {
      const cells = cellsOf(record);
      return { line: record.line, cells: Object.fromEntries(columns.map((name, place) => [name, cells[place] ?? ''])) };
    }),
  };
}

/** Returns a CSV text (RFC 4180). */
export const csvOf = (columns: readonly string[], rows: readonly (readonly string[])[]): string =>
  [columns, ...rows].map(cells => `${cells.map(quoted).join(',')}\n`).join('');
