import type { Download, QueryOf, WhoisClass, whoisDownload } from '@portal/contract';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import { objectOfRow } from './object-facts.ts';
import { matches, order } from './object-list.ts';
import { shownText } from './shown-text.ts';
import type { StoredObject } from './update.ts';

/** All objects of an account that match, whole, in one file. What opens a maintainer is left out. */
export function downloadObjects(
  read: Read,
  accountName: string,
  { classes, format, ...query }: QueryOf<typeof whoisDownload.downloadObjects>,
): Download {
  const only = classes === '' ? null : (classes.split(',') as WhoisClass[]);
  const batches = read.stream<StoredObject>(sql<StoredObject>`select o.* from whois_object o
    where ${matches(accountName, { ...query, q: '' })} ${only === null ? sql`` : sql`and o.class = any(${only}::text[])`}
    order by ${order}, o.first nulls first, o.last desc, o.first_as nulls first, o.key`);
  const name = `${accountName}-whois`;
  return format === 'rpsl'
    ? { fileName: `${name}.txt`, contentType: 'text/plain; charset=utf-8', chunks: texts(batches) }
    : { fileName: `${name}.json`, contentType: 'application/json; charset=utf-8', chunks: json(batches) };
}

async function* texts(batches: AsyncIterable<StoredObject[]>): AsyncGenerator<string> {
  for await (const rows of batches) yield rows.map(({ text }) => `${shownText(text).trimEnd()}\n\n`).join('');
}

async function* json(batches: AsyncIterable<StoredObject[]>): AsyncGenerator<string> {
  let before = '[\n';
  for await (const rows of batches) {
    if (rows.length === 0) continue;
    yield before + rows.map(jsonOf).join(',\n');
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}

function jsonOf(row: StoredObject): string {
  const shown = { ...row, text: shownText(row.text) };
  const attributes = objectOfRow(shown).attributes.map(({ name, value, comment }) => ({
    name,
    value,
    ...(comment !== null && { comment }),
  }));
  return JSON.stringify({ class: row.class, key: row.shown, version: row.version, attributes });
}
