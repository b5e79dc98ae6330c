import type { ClassName } from '@portal/rpsl';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';

/** An object of another registry that a search found, with the beginning of its text. */
export type ForeignHit = { source: string; class: ClassName; shown: string; text: string };

/** A word that an object has; `isPrefix`: one that begins so. */
type Word = { word: string; isPrefix: boolean };

/** A lexeme as `tsquery` reads it, whatever its letters. */
const lexeme = (text: string): string => `'${text.toLowerCase().replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;

/**
 * Finds objects of other registries whose name begins with a text, first, and those that have all words in names, descriptions or as their maintainer.
 * @param type of objects; all without it @param most hits of each of the two @param characters of a text
 */
export async function searchForeign(
  read: Pick<Read, 'rows'>,
  {
    sources,
    text,
    words,
    type,
    most,
    characters,
  }: { sources: readonly string[]; text: string; words: readonly Word[]; type?: string | undefined; most: number; characters: number },
): Promise<{ hits: ForeignHit[]; isCut: boolean }> {
  if (sources.length === 0) return { hits: [], isCut: false };
  const start = `${text.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`;
  const must = words.map(({ word, isPrefix }) =>
    isPrefix
      ? sql`to_tsquery('pg_catalog.simple', ${`${lexeme(word)}:*`})`
      : sql`(plainto_tsquery('pg_catalog.simple', ${word}) || ${lexeme(`:m=${word}`)}::tsquery)`,
  );
  const ofType = type === undefined ? sql`true` : sql`o.class = ${type}`;
  const [named, worded] = await Promise.all([
    read.rows<ForeignHit>(sql`select s.name as source, o.class, o.shown, left(o.text, ${characters}::int) as text from foreign_source s join foreign_object o using (copy_id)
      where s.name = any(${[...sources]}::text[]) and o.class not in ('route', 'route6') and ${ofType} and o.key like ${start} order by o.key using ~<~ limit ${most + 1}`),
    must.length === 0
      ? []
      : read.rows<ForeignHit>(sql`select s.name as source, o.class, o.shown, left(o.text, ${characters}::int) as text from foreign_source s join foreign_object o using (copy_id)
      where s.name = any(${[...sources]}::text[]) and ${ofType} and whois_words(o.class, o.key, o.text) @@ (${sql.join(must, sql` && `)}) limit ${most + 1}`),
  ]);
  const all = new Map([...named.slice(0, most), ...worded.slice(0, most)].map(hit => [`${hit.source} ${hit.class} ${hit.shown}`, hit]));
  return { hits: [...all.values()], isCut: named.length > most || worded.length > most };
}
