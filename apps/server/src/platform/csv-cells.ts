import { CsvError, parse } from 'csv-parse/sync';

/** A column of files that people download: why a row was wrong. Imports ignore it, so that such a file can be sent again as it is. */
export const problemColumn = 'problem';

/** A row of a CSV text, with the number of the line it begins in. */
export type CsvRow = { cells: string[]; line: number };

/** Possible cell separators: a comma (RFC 4180), or what spreadsheets write where the comma is the decimal separator. */
const separators = [',', ';', '\t'] as const;

/**
 * Reads the rows of a CSV text (RFC 4180); empty lines are left out. The separator is the one that the head line uses most, so that a
 * comma or a semicolon within a cell stays what it is. `problem` says why the file can't be read; there are no rows then.
 */
export function cellsOf(csv: string): { rows: CsvRow[]; problem: string | null } {
  try {
    // The library counts the line a record ends in.
    let ended = 0;
    const rows: CsvRow[] = [];
    parse(csv, {
      bom: true,
      delimiter: separatorOf(csv),
      // Takes each row itself: what the library keeps of one is larger than the row.
      on_record: (cells, { lines }) => {
        if (cells.some(cell => cell.trim() !== '')) rows.push({ cells, line: ended + 1 });
        ended = lines;
        return null;
      },
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
    });
    return { rows, problem: null };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return {
      rows: [],
      problem:
        error.code === 'CSV_QUOTE_NOT_CLOSED' ? 'a cell opens with a quotation mark and never closes' : `this is no CSV: ${error.message}`,
    };
  }
}

function separatorOf(csv: string): string {
  const head = /\S.*/.exec(csv.replace(/^\uFEFF/, ''))?.[0] ?? '';
  const counted = separators.map(separator => ({ separator, count: head.replaceAll(/"[^"]*"/g, '').split(separator).length }));
  return counted.reduce((most, each) => (each.count > most.count ? each : most)).separator;
}
