import type { Download } from '@portal/contract';

/** A decimal number is no formula: sums of a column need it as it is. */
const decimal = /^-?\d+(\.\d+)?$/;
/** Cells that a spreadsheet would execute, with full-width characters or after invisible ones too: they get an apostrophe in front (OWASP, CSV injection). */
const formula = /^[\s\p{Cf}]*[=+\-@|＝＋－＠｜]|^[\t\r\n]/u;

/** One cell in RFC 4180 format. A semicolon is quoted too: spreadsheets in many languages split cells there. */
function csvCell(value: string | number | null): string {
  const text = value === null ? '' : String(value);
  const safe = typeof value === 'string' && formula.test(text) && !decimal.test(text) ? `'${text}` : text;
  return /[",;\r\n]|^\p{Cf}/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * A table as a file, written a batch at a time: CSV with a header line and lines ended by CR LF (RFC 4180), or a JSON array of objects with
 * the same columns. Scripts rely on the columns and their order.
 */
export function tableFile<Row, const Column extends keyof Row & string>(
  name: string,
  format: 'csv' | 'json',
  columns: readonly Column[],
  batches: AsyncIterable<Row[]>,
): Download {
  return {
    fileName: `${name}.${format}`,
    contentType: format === 'csv' ? 'text/csv; charset=utf-8; header=present' : 'application/json; charset=utf-8',
    chunks: format === 'csv' ? csvOf(columns, batches) : jsonOf(columns, batches),
  };
}

async function* csvOf<Row, Column extends keyof Row>(columns: readonly Column[], batches: AsyncIterable<Row[]>): AsyncGenerator<string> {
  // Starts with the first rows, so that a refusal while reading them comes before anything is sent.
  let header = `${columns.join(',')}\r\n`;
  for await (const rows of batches) {
    yield header + rows.map(row => `${columns.map(column => csvCell(row[column] as string | number | null)).join(',')}\r\n`).join('');
    header = '';
  }
  if (header !== '') yield header;
}

async function* jsonOf<Row, Column extends keyof Row>(columns: readonly Column[], batches: AsyncIterable<Row[]>): AsyncGenerator<string> {
  let before = '[\n';
  for await (const rows of batches) {
    if (rows.length === 0) continue;
    const lines = rows.map(row => JSON.stringify(Object.fromEntries(columns.map(column => [column, row[column]]))));
    yield before + lines.join(',\n');
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}
