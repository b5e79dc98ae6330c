/** Makes values from JSON Schemas of an OpenAPI document: some that pass, some that don't. A seed makes each run the same. */

export type Schema = {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  format?: string;
  pattern?: string;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  minLength?: number;
  maxLength?: number;
};

/** Returns numbers from 0 to 1 that look random and are the same in each run (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

type Making = { schemas: Record<string, Schema>; random: () => number; known: ReadonlyMap<string, unknown> };

/** Words that fields of the registry are likely to take, by a part of their name. */
const likely: readonly [RegExp, unknown][] = [
  [/prefix|resource|range/i, '198.51.100.0/24'],
  [/asn|customer|provider|origin/i, 'AS64500'],
  [/email|mailbox/i, 'noc@example.net'],
  [/economy|country/i, 'AU'],
  [/server/i, 'ns1.example.net'],
  [/zone/i, '100.51.198.in-addr.arpa'],
];

/** Returns a value that a schema allows, under the name of a field. */
export function valueFor(given: Schema, name: string, making: Making, depth = 0): unknown {
  const schema = given.$ref ? making.schemas[given.$ref.split('/').at(-1)!]! : given;
  const { random } = making;
  const one = <Of>(list: readonly Of[]): Of => list[Math.floor(random() * list.length)]!;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return one(schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return valueFor(one(choices), name, making, depth);
  if (schema.default !== undefined && random() < 0.3) return schema.default;
  switch ([schema.type].flat()[0]) {
    case 'object': {
      const required = new Set(schema.required);
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).flatMap(([key, part]) =>
          required.has(key) || (depth < 4 && random() < 0.6) ? [[key, valueFor(part, key, making, depth + 1)]] : [],
        ),
      );
    }
    case 'array': {
      const length = (schema.minItems ?? 0) + (depth < 4 ? Math.floor(random() * 3) : 0);
      return Array.from({ length }, () => valueFor(schema.items ?? {}, name, making, depth + 1));
    }
    case 'boolean':
      return random() < 0.5;
    case 'integer':
    case 'number':
      return Math.min(schema.maximum ?? 40, Math.max(schema.minimum ?? 0, Math.floor(random() * 40)));
    case 'null':
      return null;
    default:
      return textFor(schema, name, making);
  }
}

function textFor(schema: Schema, name: string, { random, known }: Making): string {
  const found = known.get(name);
  if (typeof found === 'string' && random() < 0.7) return found;
  if (schema.format === 'date') return '2026-11-22';
  if (schema.format === 'date-time') return '2026-11-22T09:30:00.000Z';
  if (schema.pattern !== undefined && new RegExp(schema.pattern).test('1')) return '1';
  const word = likely.find(([pattern]) => pattern.test(name))?.[1] as string | undefined;
  const text = word ?? ['text', 'Zażółć', '"; --', 'a b c'][Math.floor(random() * 4)]!;
  return text.padEnd(schema.minLength ?? 0, 'x').slice(0, schema.maxLength ?? 200);
}

/** Returns values that a schema of an object forbids: a required field left out, a field of another type, another type altogether. */
export function wrongValuesFor(given: Schema, valid: unknown, making: Making): unknown[] {
  const schema = given.$ref ? making.schemas[given.$ref.split('/').at(-1)!]! : given;
  const object = valid as Record<string, unknown>;
  const without = (schema.required ?? []).map(key => Object.fromEntries(Object.entries(object).filter(([name]) => name !== key)));
  const others = Object.entries(schema.properties ?? {}).flatMap(([key, part]) => {
    const types = new Set([part.type].flat());
    if (part.$ref || part.anyOf || part.oneOf || types.has(undefined)) return [];
    return [{ ...object, [key]: types.has('object') || types.has('array') ? 'text' : { of: 'another type' } }];
  });
  return ['text', ['list'], ...without, ...others];
}
