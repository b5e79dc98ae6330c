import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { unknownFields } from './unknown-fields.ts';

// Under names that are not those of promises.
const { catch: replacing, pipe: piped } = z;
const found = (schema: z.core.$ZodType | undefined, given: unknown): string[] =>
  unknownFields(schema, given, { most: 100 }).map(({ field, message }) => `${field}: ${message}`);

const Zone = z.object({
  zone: z.string(),
  keys: z._default(z.array(z.string()), []),
  servers: z.optional(z.array(z.object({ name: z.string() }))),
});

describe('a field unknown to a schema', () => {
  test('is reported with its place and the field that was probably meant', () => {
    expect(found(Zone, { zone: 'a', keyz: [] })).toEqual(['keyz: keyz isn’t a field here; did you mean keys?']);
    expect(found(Zone, { zone: 'a', servers: [{ name: 'b' }, { naame: 'c' }] })).toEqual([
      'servers.1.naame: naame isn’t a field here; did you mean name?',
    ]);
    expect(found(z.object({ dryRun: z.boolean() }), { dry_run: true, 'Dry-Run': true })).toEqual([
      'dry_run: dry_run isn’t a field here; did you mean dryRun?',
      'Dry-Run: Dry-Run isn’t a field here; did you mean dryRun?',
    ]);
  });

  test('is reported with the known fields if none is similar', () => {
    expect(found(Zone, { zone: 'a', ds: [] })).toEqual(['ds: ds isn’t a field here; there is zone, keys, servers']);
    expect(found(undefined, { ds: [] })).toEqual(['ds: ds isn’t a field here; there are none']);
    expect(found(z.object({}), { ds: [] })).toEqual(['ds: ds isn’t a field here; there are none']);
  });

  test('is not repeated where it may be a recovery code, even one without a digit', () => {
    const letters = 'qwxzkvpjhgfbdsratymnecqw';
    for (const code of [letters, letters.replaceAll(/.{4}(?=.)/g, '$&-'), letters.toUpperCase(), `${letters.slice(1)}7`])
      expect(found(Zone, { zone: 'a', [code]: 1 }).join()).not.toContain(code);
  });

  test('is found behind every kind of schema wrapper', () => {
    const inner = z.object({ name: z.string() });
    const wrapped = [
      z.optional(inner),
      z.nullable(inner),
      z._default(inner, { name: '' }),
      z.prefault(inner, { name: '' }),
      replacing(inner, { name: '' }),
      z.readonly(inner),
      z.lazy(() => inner),
      piped(
        inner,
        z.transform(({ name }) => name),
      ),
      z.intersection(inner, z.object({ other: z.optional(z.string()) })),
      z.union([z.string(), inner]),
    ];
    for (const each of wrapped) {
      expect(found(z.object({ a: each }), { a: { name: 'b', nme: 'c' } })).toEqual([expect.stringMatching(/^a\.nme: /)]);
      expect(found(z.object({ a: each }), { a: { name: 'b' } })).toEqual([]);
    }
    expect(found(z.tuple([z.string(), inner], inner), ['a', { b: 1 }, { c: 1 }])).toHaveLength(2);
    expect(found(z.record(z.string(), inner), { any: { name: 'a', nme: 'b' } })).toEqual([expect.stringMatching(/^any\.nme: /)]);
  });

  test('is found in a schema that contains itself', () => {
    const Item = z.object({
      name: z.string(),
      get children() {
        return z.optional(z.array(Item));
      },
    });
    expect(found(Item, { name: 'a', children: [{ name: 'b', children: [{ name: 'c', nme: 'd' }] }] })).toEqual([
      expect.stringMatching(/^children\.0\.children\.0\.nme: /),
    ]);
  });

  test('of a union is one unknown to the matching member', () => {
    const Role = z.object({ kind: z.literal('role'), mailbox: z.string() });
    const Person = z.object({ kind: z.literal('person'), phone: z.string() });
    const either = z.discriminatedUnion('kind', [Role, Person]);
    expect(found(either, { kind: 'person', phone: '1', mailbox: 'a' })).toEqual([
      'mailbox: mailbox isn’t a field here; there is kind, phone',
    ]);
    // It is reported although its member doesn't match without the intended field.
    expect(found(either, { kind: 'person', pone: '1' })).toEqual(['pone: pone isn’t a field here; did you mean phone?']);
    const plain = z.union([z.object({ phone: z.string() }), z.object({ mailbox: z.string() })]);
    expect(found(plain, { phone: '1', mailbox: 'a' })).toHaveLength(1);
    expect(found(plain, { phone: '1' })).toEqual([]);
    expect(found(plain, { phone: 1, mailbox: 1, other: 1 })).toEqual([expect.stringMatching(/^other: /)]);
  });

  test('does not exist where every field is accepted: records, catchalls, unknown', () => {
    for (const open of [z.looseObject({ a: z.string() }), z.record(z.string(), z.string()), z.unknown(), z.any()])
      expect(found(open, { a: 'b', c: 'd' })).toEqual([]);
    expect(found(z.strictObject({ a: z.string() }), { a: 'b', c: 'd' })).toHaveLength(1);
  });

  test('may have the name of an inherited property', () => {
    expect(found(Zone, JSON.parse('{"zone":"a","toString":1,"constructor":1}'))).toHaveLength(2);
  });

  test('is not repeated if it may be a secret in the wrong place, and only as many as requested are reported', () => {
    for (const name of ['x'.repeat(1_000_000), 'JBSWY3DPEHPK3PXP', 'correct horse battery', '1234-5678', '<img>'])
      expect(found(Zone, { zone: 'a', [name]: 1 })).toEqual(['…: A field has a name that isn’t known here; there is zone, keys, servers']);
    expect(found(Zone, { zone: 'a', servers: [{ [`na me`]: 1 }] })).toEqual([expect.stringMatching(/^servers\.0\.…: A field has a name/)]);
    const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`x${i}`, i]));
    expect(unknownFields(Zone, many, { most: 100 })).toHaveLength(100);
    const either = z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]);
    expect(unknownFields(either, many, { most: 100 })).toHaveLength(100);
  });
});
