import type { RawBuilder } from 'kysely';
import type { Read } from './read-change.ts';

/** Rows that the event loop takes over in a turn of its own. */
export const PAGE_ROWS = 1_000;

/**
 * Reads a long list a page at a time, so that others have their turn between two of them. @param page the rows after one, `PAGE_ROWS` at most, in an order that has each
 * once; from the first on if it is null
 */
export async function inPages<Row>(page: (after: Row | null) => Promise<Row[]>): Promise<Row[]> {
  const all: Row[] = [];
  for (let last: Row | null = null; ; ) {
    const rows: Row[] = await page(last);
    for (const row of rows) all.push(row);
    last = rows.at(-1) ?? null;
    if (last === null || rows.length < PAGE_ROWS) return all;
  }
}

/** Reads a long list that is dear to find as one statement, in batches between which others have their turn. */
export async function inStream<Row>(read: Pick<Read, 'stream'>, query: RawBuilder<Row>): Promise<Row[]> {
  const all: Row[] = [];
  for await (const rows of read.stream(query, PAGE_ROWS)) for (const row of rows) all.push(row);
  return all;
}
