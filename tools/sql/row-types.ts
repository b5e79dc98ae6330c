import { columnValues } from '../../apps/server/src/platform/database/column-values.ts';
import type { Catalog } from './catalog.ts';
import type { Column } from './columns.ts';

const camelCase = (name: string): string => name.replace(/_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
const quoted = (word: string): string => `'${word.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** Text that a type of the database can send, to see what its parser makes of it. */
const samples = new Map([
  ['N', '1'],
  ['B', 't'],
  ['D', '2026-01-01 00:00:00+00'],
]);

/** The type that the driver makes of the values of a type: `number`, `string[]`, `any` for JSON, whose shape the database doesn't know. */
function valueType(oid: number, { types }: Catalog): string {
  const type = types.get(oid);
  if (!type) return 'any';
  if (type.base !== 0) return valueType(type.base, { types } as Catalog);
  if (type.name === 'json' || type.name === 'jsonb') return 'any';
  if (type.name === 'bytea') return 'Buffer';
  const isArray = type.category === 'A' && type.element !== 0;
  const element = isArray ? types.get(type.element) : type;
  if (isArray && (element?.name === 'json' || element?.name === 'jsonb')) return 'any[]';
  if (isArray && element?.name === 'bytea') return 'Buffer[]';
  const sample = samples.get(element?.category ?? '') ?? 'x';
  const parser = columnValues.getTypeParser(oid) as (text: string) => unknown;
  const value = parser(isArray ? `{${sample}}` : sample);
  return Array.isArray(value) ? `${typeof value[0]}[]` : typeof value === 'object' ? 'any' : typeof value;
}

/** Stands for text of which the database doesn't list the words: any union of words is right for it, as far as the database knows. */
export const anyText = 'AnyText';

/** Returns the type of a column's values as the driver hands them out, in TypeScript. Where it isn't known whether it can be null it says no. */
export function columnType({ type, words, nullness, isValue }: Column, catalog: Catalog): string {
  const plain = valueType(type, catalog);
  const isText = plain === 'string' || plain === 'string[]';
  if (isText && isValue) return 'any';
  const listed = isText ? (words === null ? anyText : words.map(quoted).join(' | ') || 'never') : plain.replace('[]', '');
  const value = plain.endsWith('[]') ? `(${listed})[]` : listed;
  return nullness === 'possible' ? `${value} | null` : value;
}

/** Returns the type of the rows of a statement, names in camelCase; of two columns of one name the driver keeps the last. */
export function rowType(columns: readonly { name: string; type: string }[]): string {
  const types = new Map(columns.map(({ name, type }) => [camelCase(name), type]));
  return `{ ${[...types].map(([name, type]) => `${/^[a-zA-Z_$][\w$]*$/.test(name) ? name : quoted(name)}: ${type}`).join('; ')} }`;
}
