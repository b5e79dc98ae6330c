import pg from 'pg';

const { builtins } = pg.types;
const asText = (value: string): string => value;

/** `2026-11-21 07:45:00.123456+00`, as a connection with DateStyle ISO sends it, to an ISO instant in UTC; infinities stay words. */
const asInstant = (value: string): string => {
  const time = new Date(value);
  return Number.isNaN(time.getTime()) ? value : time.toISOString();
};

const elements =
  <Value>(parse: (text: string) => Value) =>
  (value: string): (Value | null)[] =>
    parseTextArray(value).map(element => (element === null ? null : parse(element)));

const parserOf = pg.types.getTypeParser as (oid: number, format?: string) => (value: string) => unknown;
const parseTextArray = parserOf(1009) as (value: string) => (string | null)[];

/** How column values reach our code; keyed by the OID of the type. All others are pg's own. */
const parsers = new Map<number, (value: string) => unknown>([
  [builtins.INT8, Number],
  [builtins.DATE, asText],
  [builtins.TIMESTAMP, asText],
  [builtins.TIMESTAMPTZ, asInstant],
  [builtins.INTERVAL, asText],
  [1016, elements(Number)],
  [1182, elements(asText)],
  [1115, elements(asText)],
  [1185, elements(asInstant)],
  [1187, elements(asText)],
]);

/**
 * The value parsers of every query made through Kysely: int8 is a number, date `YYYY-MM-DD`, timestamptz an ISO instant.
 * Given per query and not set on `pg.types`, because libraries that share our connections (graphile-worker) expect pg's own.
 */
export const columnValues: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: string) =>
    (format !== 'binary' && parsers.get(oid)) || parserOf(oid, format)) as pg.CustomTypesConfig['getTypeParser'],
};
