import { type ClassName, classNames } from '@portal/rpsl';
import { sql } from 'kysely';
import type { Read } from '../../../platform/database/index.ts';
import { hitOf, type NameHit, TEXT_OF_HIT } from './name-search.ts';

/** Types of objects whose words are searched: all but those of people. The index `whois_object_words` has these. */
const unsearched: readonly ClassName[] = ['person', 'role', 'key-cert'];
export const wordClasses: readonly ClassName[] = classNames.filter(name => !unsearched.includes(name));

/** Hits of a search for words that are read; facets count these. */
export const HITS_OF_WORDS = 500;
/** Words of one search: each is a list of objects that is read. */
const MAX_WORDS = 8;
/** Letters before a star: fewer begin too many words. */
const LEAST_OF_PREFIX = 3;

/** Facts that hits must have beside the words. */
type WordFacets = {
  type?: string | undefined;
  economy?: string | undefined;
  status?: string | undefined;
  maintainer?: string | undefined;
};

/** A lexeme as `tsquery` reads it, whatever its letters. */
const lexeme = (text: string): string => `'${text.toLowerCase().replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;

/** The words of a text: what lies between spaces. A star at the end is for what begins so. */
export function wordsOf(text: string): { word: string; isPrefix: boolean }[] {
  const words = new Map<string, boolean>();
  for (const each of text.toLowerCase().split(/[\s,;"]+/)) {
    const isPrefix = each.endsWith('*') && each.length > LEAST_OF_PREFIX;
    const word = each.replaceAll('*', '');
    if (word !== '') words.set(word, isPrefix);
  }
  return [...words].slice(0, MAX_WORDS).map(([word, isPrefix]) => ({ word, isPrefix }));
}

/** Finds public objects that have all words, in names, descriptions, remarks or as their maintainer, and these facets; people and their data are never found. */
export async function searchWords(
  read: Pick<Read, 'rows'>,
  text: string,
  facets: WordFacets,
): Promise<{ hits: NameHit[]; isCut: boolean }> {
  const words = wordsOf(text);
  if (words.length === 0) return { hits: [], isCut: false };
  const must = [
    ...words.map(({ word, isPrefix }) =>
      isPrefix
        ? sql`to_tsquery('pg_catalog.simple', ${`${lexeme(word)}:*`})`
        : sql`(plainto_tsquery('pg_catalog.simple', ${word}) || ${lexeme(`:m=${word}`)}::tsquery)`,
    ),
    ...Object.entries({ t: facets.type, c: facets.economy, s: facets.status, m: facets.maintainer }).flatMap(([kind, value]) =>
      value === undefined ? [] : [sql`${lexeme(`:${kind}=${value}`)}::tsquery`],
    ),
  ];
  const rows = await read.rows<{ class: ClassName; shown: string; text: string }>(
    sql`select o.class, o.shown, left(o.text, ${sql.lit(TEXT_OF_HIT)}) as text from whois_object o
      where class not in ('person', 'role', 'key-cert') and whois_words(class, key, text) @@ (${sql.join(must, sql` && `)}) limit ${sql.lit(HITS_OF_WORDS + 1)}`,
  );
  return { hits: rows.slice(0, HITS_OF_WORDS).map(hitOf), isCut: rows.length > HITS_OF_WORDS };
}
