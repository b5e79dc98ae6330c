import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { allEndpoints } from './api.ts';
import { isUpload } from './endpoint.ts';

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
