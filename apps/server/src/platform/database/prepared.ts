import { type RawBuilder, sql } from 'kysely';

const names = new Map<string, string>();

/**
 * Marks a frequent statement as prepared: each connection parses and plans it once, with the table sizes of that moment. Only for statements whose
 * plan doesn't depend on those. Returns its text.
 */
export function prepared(text: string): string {
  names.set(text, `prepared_${names.size}`);
  return text;
}

export const preparedName = (text: string): string | undefined => names.get(text);

/**
 * Returns a statement of `$1`, `$2` … that is marked as prepared, as a query for `read.rows`. Each value is passed once, however often it occurs. Write arrays
 * as `(select $1::int[])`: without seeing their length the planner finds one plan for one element and a hundred, and keeps it.
 * `const FIND = preparedQuery<Row>('select … where key = $1'); read.rows(FIND(key))`
 */
export function preparedQuery<Row>(text: string): (...values: readonly unknown[]) => RawBuilder<Row> {
  const parts = text.split(/\$\d+/);
  const places = [...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number) - 1);
  prepared(parts.map((part, index) => (index === 0 ? part : `$${index}${part}`)).join(''));
  const pieces = Object.assign(parts, { raw: parts }) as unknown as TemplateStringsArray;
  return (...values) => sql<Row>(pieces, ...places.map(place => values[place]));
}
