import type { Endpoint } from '@portal/contract';

/** The part of a zod schema that describes its structure. */
export type Schema = {
  _zod: {
    def: {
      type: string;
      shape?: Record<string, Schema>;
      innerType?: Schema;
      element?: Schema;
      options?: Schema[];
      in?: Schema;
      keyType?: Schema;
      valueType?: Schema;
      entries?: Record<string, string>;
      values?: unknown[];
    };
  };
  safeParse: (value: unknown) => { success: boolean };
};

/** The structure of a schema. */
export const opened = (schema: Endpoint['body'] | Endpoint['query']): Schema => schema as unknown as Schema;

/** Samples, one of which is valid for each text format of the contract. */
const samples = [
  'word',
  'two words',
  '1',
  'AU',
  '2026-11-22',
  '2026-11-22T10:00:00Z',
  'name@example.net',
  '+61 7 5550 1234',
  '192.0.2.0/24',
  '192.0.2.1',
  'AS64496',
  'MAINT-EXAMPLE-AU',
  'UTC',
  '123456',
  '/EXAMPLE-AU',
  '2d0ff4f0-5bd4-4bb6-8a3a-6d7a6a4b1e4c',
  'a'.repeat(64),
];

/** A minimal valid value of a schema. */
export function valueOf(schema: Schema): unknown {
  const { type, shape, innerType, element, options, in: input, entries, values } = schema._zod.def;
  switch (type) {
    case 'string':
      return samples.find(sample => schema.safeParse(sample).success) ?? 'word';
    case 'number':
      return [1, 10, 64_496, 2026].find(sample => schema.safeParse(sample).success) ?? 1;
    case 'boolean':
      return true;
    case 'enum':
      return Object.values(entries!)[0];
    case 'literal':
      return values![0];
    case 'nullable':
      return null;
    case 'array':
      return schema.safeParse([]).success ? [] : [valueOf(element!)];
    case 'object':
      return Object.fromEntries(
        Object.entries(shape!).flatMap(([name, each]) => (each.safeParse(undefined).success ? [] : [[name, valueOf(each)]])),
      );
    case 'record':
      return {};
    default:
      return valueOf(options?.[0] ?? innerType ?? input!);
  }
}

/** A valid value of a schema, except for the word in one place. */
export type WithWord = { place: string; value: unknown };

/** Values of a schema with the number at each place that accepts one. */
export function withNumber(schema: Schema, number: number): WithWord[] {
  const { type, shape, innerType, element, options, in: input } = schema._zod.def;
  if (type === 'number') return [{ place: '', value: number }];
  if (shape) {
    const rest = valueOf(schema) as Record<string, unknown>;
    return Object.entries(shape).flatMap(([name, each]) =>
      withNumber(each, number).map(({ place, value }) => ({
        place: place === '' ? name : `${name}.${place}`,
        value: { ...rest, [name]: value },
      })),
    );
  }
  if (element) return withNumber(element, number).map(({ place, value }) => ({ place: place === '' ? '0' : `0.${place}`, value: [value] }));
  return [innerType, input, ...(options ?? [])].flatMap(each => (each ? withNumber(each, number) : []));
}

/** Values of a schema with the word at each place that accepts text: `orgName`, `decisions.0.reason`. */
export function withWord(schema: Schema, word: string): WithWord[] {
  const { type, shape, innerType, element, options, in: input, valueType } = schema._zod.def;
  const below = (name: string, inner: Schema, wrap: (value: unknown) => unknown): WithWord[] =>
    withWord(inner, word).map(({ place, value }) => ({ place: place === '' ? name : `${name}.${place}`, value: wrap(value) }));
  if (type === 'string') return [{ place: '', value: word }];
  if (shape) {
    const rest = valueOf(schema) as Record<string, unknown>;
    return Object.entries(shape).flatMap(([name, each]) => below(name, each, value => ({ ...rest, [name]: value })));
  }
  if (element) return below('0', element, value => [value]);
  if (valueType) return [{ place: '', value: { [word]: valueOf(valueType) } }, ...below('word', valueType, value => ({ word: value }))];
  return [innerType, input, ...(options ?? [])].flatMap(each => (each ? withWord(each, word) : []));
}

/** Values of a schema with an extra field in each object: `decisions.0.neverAField`. */
export function withStranger(schema: Schema, name: string): WithWord[] {
  const { shape, innerType, element, options, in: input, valueType } = schema._zod.def;
  const below = (at: string, inner: Schema, wrap: (value: unknown) => unknown): WithWord[] =>
    withStranger(inner, name).map(({ place, value }) => ({ place: `${at}.${place}`, value: wrap(value) }));
  if (shape) {
    const rest = valueOf(schema) as Record<string, unknown>;
    return [
      { place: name, value: { ...rest, [name]: 1 } },
      ...Object.entries(shape).flatMap(([at, each]) => below(at, each, value => ({ ...rest, [at]: value }))),
    ];
  }
  if (element) return below('0', element, value => [value]);
  if (valueType) return below('word', valueType, value => ({ word: value }));
  return [innerType, input, ...(options ?? [])].flatMap(each => (each ? withStranger(each, name) : []));
}
