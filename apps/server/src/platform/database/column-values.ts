import pg from 'pg';

const { builtins } = pg.types;
const asText = (value: string): string => value;

/** `2026-11-21 07:45:00.123456+00`: the format of nearly every instant. */
const usualInstant = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?\+00$/;

/** An instant as a connection with DateStyle ISO sends it, to an ISO instant in UTC with milliseconds; infinities stay words. */
export function asInstant(value: string): string {
  const usual = usualInstant.exec(value);
  if (usual) return `${usual[1]}T${usual[2]}.${(usual[3] ?? '').padEnd(3, '0').slice(0, 3)}Z`;
  const time = new Date(value);
  return Number.isNaN(time.getTime()) ? value : time.toISOString();
}

const parserOf = pg.types.getTypeParser as (oid: number, format?: string) => (value: string) => unknown;
const parseAnyTextArray = parserOf(1009) as (value: string) => (string | null)[];
/** One dimension, and nothing in quotation marks: an element with a comma, a blank or a brace in it would have some. */
const plainArray = /^\{[^"\\{]*\}$/;

/** Parses `{a,b}` to `['a', 'b']`. Most arrays are plain, and pg parses those character by character too. */
export function parseTextArray(value: string): (string | null)[] {
  if (!plainArray.test(value)) return parseAnyTextArray(value);
  if (value === '{}') return [];
  const words = value.slice(1, -1).split(',');
  return value.includes('NULL') ? words.map(word => (word === 'NULL' ? null : word)) : words;
}

const elements =
  <Value>(parse: (text: string) => Value) =>
  (value: string): (Value | null)[] =>
    parseTextArray(value).map(element => (element === null ? null : parse(element)));

/** Parsers of column values by the OID of the type; all other types use pg's own. */
const parsers = new Map<number, (value: string) => unknown>([
  [builtins.INT8, Number],
  [builtins.DATE, asText],
  [builtins.TIMESTAMP, asText],
  [builtins.TIMESTAMPTZ, asInstant],
  [builtins.INTERVAL, asText],
  [1009, parseTextArray],
  [1015, parseTextArray],
  [1016, elements(Number)],
  [1182, elements(asText)],
  [1115, elements(asText)],
  [1185, elements(asInstant)],
  [1187, elements(asText)],
]);

/**
 * The value parsers of every query made through Kysely: int8 is a number, date `YYYY-MM-DD`, timestamptz an ISO instant.
 * Passed with each query instead of set on `pg.types`, because libraries that share our connections (graphile-worker) expect pg's own.
 */
export const columnValues: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: string) =>
    (format !== 'binary' && parsers.get(oid)) || parserOf(oid, format)) as pg.CustomTypesConfig['getTypeParser'],
};
