/**
 * The rows of a CSV text with the number of the line each begins in (RFC 4180; cells may also be parted by semicolons, as spreadsheets do): cells in quotes
 * may hold separators, quotes (doubled) and ends of lines. Empty lines are left out.
 */
export function cellsOf(csv: string): { cells: string[]; line: number }[] {
  const rows: { cells: string[]; line: number }[] = [];
  let cells: string[] = [];
  let cell = '';
  let quoted = false;
  let line = 1;
  let began = 1;
  const endRow = (): void => {
    cells.push(cell);
    if (cells.some(each => each.trim() !== '')) rows.push({ cells, line: began });
    cells = [];
    cell = '';
  };
  const text = csv.replace(/^\uFEFF/, '');
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if (char === '\n') line++;
    if (quoted) {
      if (char !== '"') cell += char;
      else if (text[at + 1] === '"') {
        cell += '"';
        at++;
      } else quoted = false;
    } else if (char === '"' && cell === '') quoted = true;
    else if (char === ',' || char === ';') {
      cells.push(cell);
      cell = '';
    } else if (char === '\n') {
      endRow();
      began = line;
    } else if (char !== '\r') cell += char;
  }
  endRow();
  return rows;
}
