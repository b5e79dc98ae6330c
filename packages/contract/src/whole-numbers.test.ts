import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { allEndpoints } from './api.ts';
import { isUpload } from './endpoint.ts';
import { largestWhole } from './whole-numbers.ts';

type Def = Record<string, unknown> & { type: string };
type Check = { check?: string; format?: string; value?: number; inclusive?: boolean };
const defOf = (schema: unknown): Def => (schema as { _zod: { def: Def } })._zod.def;
const isSchema = (value: unknown): value is z.core.$ZodType => typeof value === 'object' && value !== null && '_zod' in value;

/** Numbers stored in more than four bytes, by the end of their path. */
const larger: readonly { place: RegExp; most: number; why: string }[] = [
  { place: /\.asn$/, most: 4_294_967_295, why: 'an AS number, a column of eight bytes' },
  { place: /\?(?:before|after)$|\.upTo$/, most: Number.MAX_SAFE_INTEGER, why: 'an id, a column of eight bytes' },
  { place: /^requests\.(?:desk\.)?\w+ \.version$/, most: Number.MAX_SAFE_INTEGER, why: 'of a request, which is compared and in no column' },
  { place: /\.form\.(?:plan\.amounts|sites)$/, most: 4_294_967_296, why: 'addresses of a plan, kept as JSON' },
];

/** Yields the numbers in a call's input without a maximum, or with one larger than their column holds. */
function* endlessNumbers(schema: z.core.$ZodType, place: string, above: readonly unknown[] = []): Generator<string> {
  if (above.includes(schema)) return;
  const def = defOf(schema);
  if (def.type === 'number') {
    const checks = [def as Check, ...((def['checks'] as { _zod: { def: Check } }[] | undefined) ?? []).map(({ _zod }) => _zod.def)];
    const ends = (name: string): number[] => checks.flatMap(({ check, value }) => (check === name ? [value!] : []));
    const most = Math.min(Infinity, ...ends('less_than'));
    const least = Math.max(-Infinity, ...ends('greater_than'));
    const allowed = larger.find(each => each.place.test(place))?.most ?? largestWhole;
    if (most > allowed) yield `${place}: at most ${most}, its column holds ${allowed}`;
    if (least < -largestWhole) yield `${place}: has no least value`;
  }
  const inside = [...above, schema];
  if (def.type === 'object')
    for (const [name, field] of Object.entries(def['shape'] as Record<string, z.core.$ZodType>))
      yield* endlessNumbers(field, `${place}${place.endsWith('?') ? '' : '.'}${name}`, inside);
  for (const inner of [def['innerType'], def['element'], def['valueType'], def['in'], def['out'], ...((def['options'] as unknown[]) ?? [])])
    if (isSchema(inner)) yield* endlessNumbers(inner, place, inside);
}

const taken = allEndpoints.flatMap(({ id, query, body }) => [
  ...(query ? [[`${id}?`, query as z.core.$ZodType] as const] : []),
  ...(body && !isUpload(body) ? [[`${id} `, body as z.core.$ZodType] as const] : []),
]);

describe('every number in a call’s input has a minimum and a maximum that the database can hold', () => {
  it.each(taken)('%s', (id, schema) => {
    expect([...endlessNumbers(schema, id)]).toEqual([]);
  });
});

it('a number without a maximum is found at any depth', () => {
  const nested = (inner: z.ZodMiniType) => z.object({ rows: z.optional(z.array(z.union([z.string(), inner]))) });
  for (const [inner, problems] of [
    [z.int(), 2],
    [z.coerce.number().check(z.int(), z.minimum(1)), 1],
    [z.int().check(z.minimum(0), z.maximum(2 ** 31)), 1],
    [z.number().check(z.minimum(0), z.maximum(largestWhole)), 0],
  ] as const)
    expect([...endlessNumbers(nested(inner), 'body ')]).toHaveLength(problems);
});
