import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { allEndpoints } from './api.ts';
import { isUpload, largeBody, smallBody } from './endpoint.ts';
import { longFieldOf } from './long-text.ts';

type Def = Record<string, unknown> & { type: string };
const defOf = (schema: unknown): Def => (schema as { _zod: { def: Def } })._zod.def;
const isSchema = (value: unknown): value is z.core.$ZodType => typeof value === 'object' && value !== null && '_zod' in value;

/** Yields the places in a schema that let undeclared fields through: objects with a catchall, `any` and `unknown`. */
function* openPlaces(schema: z.core.$ZodType, place: string, seen = new Set<unknown>()): Generator<string> {
  if (seen.has(schema)) return;
  seen.add(schema);
  const def = defOf(schema);
  if (def.type === 'any' || def.type === 'unknown') yield `${place}: ${def.type}`;
  if (def.type === 'object') {
    const catchall = def['catchall'];
    if (catchall !== undefined && defOf(catchall).type !== 'never') yield `${place}: takes further fields`;
    for (const [name, field] of Object.entries(def['shape'] as Record<string, z.core.$ZodType>))
      yield* openPlaces(field, `${place}.${name}`, seen);
  }
  for (const inner of [def['innerType'], def['element'], def['valueType'], def['in'], def['out'], ...((def['options'] as unknown[]) ?? [])])
    if (isSchema(inner)) yield* openPlaces(inner, place, seen);
}

const bodies = allEndpoints.flatMap(({ id, body }) => (body && !isUpload(body) ? [[id, body as z.core.$ZodType] as const] : []));

describe('S20 a call accepts only the fields that it declares', () => {
  it.each(bodies)('%s', (id, body) => {
    expect([...openPlaces(body, id)]).toEqual([]);
  });
});

it('a schema that accepts more than it declares is found at any depth', () => {
  const nested = (inner: z.core.$ZodType) => z.object({ rows: z.optional(z.array(z.union([z.string(), inner as z.ZodMiniType]))) });
  for (const open of [z.looseObject({ a: z.string() }), z.unknown(), z.any(), z.record(z.string(), z.unknown())])
    expect([...openPlaces(nested(open), 'body')]).toHaveLength(1);
  expect([...openPlaces(nested(z.strictObject({ a: z.string() })), 'body')]).toEqual([]);
});

/** The parts of a JSON Schema by which its values have a size. */
type Json = {
  type?: string;
  enum?: unknown[];
  maxLength?: number;
  maxItems?: number;
  items?: Json;
  properties?: Record<string, Json>;
  anyOf?: Json[];
  oneOf?: Json[];
  allOf?: Json[];
};
/** Bytes of the largest value: three a character, and where a text or a list has no limit, what is common. */
function bytesOf(schema: Json): number {
  const one = schema.anyOf ?? schema.oneOf;
  if (one) return Math.max(...one.map(bytesOf));
  if (schema.allOf) return schema.allOf.map(bytesOf).reduce((sum, each) => sum + each, 0);
  if (schema.enum) return Math.max(...schema.enum.map(each => String(each).length));
  if (schema.type === 'string') return 3 * (schema.maxLength ?? 300);
  if (schema.type === 'array') return (schema.maxItems ?? 100) * bytesOf(schema.items ?? {});
  return Object.entries(schema.properties ?? {}).reduce((sum, [name, each]) => sum + name.length + 4 + bytesOf(each), 20);
}

it('a call whose body may be larger than most says so, and only long texts make it larger than a list', () => {
  const larger = allEndpoints.filter(
    ({ body, largestBody }) =>
      body &&
      !isUpload(body) &&
      bytesOf(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as Json) > smallBody &&
      largestBody === undefined,
  );
  expect(larger.map(({ id }) => id)).toEqual([]);
  const largest = allEndpoints.filter(({ body, largestBody = 0 }) => largestBody > largeBody && longFieldOf(body) === null);
  expect(largest.map(({ id }) => id)).toEqual([]);
});
