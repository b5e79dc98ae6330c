import { type RawBuilder, sql } from 'kysely';

const names = new Map<string, string>();

/**
 * Marks a frequent statement as prepared: each connection parses and plans it once, with the table sizes of that moment, and anew when a table is analysed. Only for statements whose
 * plan doesn't depend on those. Returns its text.
 */
export function prepared(text: string): string {
  if (!names.has(text)) names.set(text, `prepared_${names.size}`);
  return text;
}

/** Texts that are kept at most: each connection has a plan of each. */
const MAX_TEXTS = 400;
const frequents = new WeakSet<object>();

/**
 * Marks a statement that pages ask all the time and that finds its rows by an index, such as by the name of an account: its plan is kept as soon as PostgreSQL believes that none for the
 * values at hand would be cheaper. It is one text, or a few. `read.rows(frequent(sql`select … where account_name = ${accountName}`))`
 */
export function frequent<Row>(query: RawBuilder<Row>): RawBuilder<Row> {
  frequents.add(query);
  return query;
}

/** Marks the text of a statement, if it is a frequent one. */
export function keepPlanOf(query: object, text: string): void {
  if (frequents.has(query) && names.size < MAX_TEXTS) prepared(text);
}

export const preparedName = (text: string): string | undefined => names.get(text);

/** A value in the text of a statement, with the type that it is cast to; not one that is wrapped already. */
const VALUE = /(?<!\(select )\$\d+(?:::\w+(\[\])?)?/g;

/**
 * Returns a statement of `$1`, `$2` … that is marked as prepared, as a query for `read.rows`. Each value is passed once, however often it occurs, and as a query of its own,
 * `(select $1::inet)`: PostgreSQL keeps a plan only if it believes that none for the values at hand would be cheaper, and then it must not see them. With them it plans every
 * time, which takes longer than running the statement.
 * `const FIND = preparedQuery<Row>('select … where key = $1'); read.rows(FIND(key))`
 */
export function preparedQuery<Row>(given: string): (...values: readonly unknown[]) => RawBuilder<Row> {
  // An array is cast once more: a query in `any(…)` would be a list of rows.
  const text = given.replaceAll(
    VALUE,
    (value, array: string | undefined) => `(select ${value})${array ? value.slice(value.indexOf('::')) : ''}`,
  );
  const parts = text.split(/\$\d+/);
  const places = [...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number) - 1);
  prepared(parts.map((part, index) => (index === 0 ? part : `$${index}${part}`)).join(''));
  const pieces = Object.assign(parts, { raw: parts }) as unknown as TemplateStringsArray;
  return (...values) => sql<Row>(pieces, ...places.map(place => values[place]));
}
