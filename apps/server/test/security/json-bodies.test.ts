import { largeBody } from '@portal/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deepestBody, maxListedValues, maxObjectFields, maxParsedValues } from '../../src/platform/http/json-body.ts';
import { type TestPortal, testPortal } from '../portal.ts';
import { sendInPieces } from '../pieces.ts';
import { longestTurnOf } from '../thread-costs.ts';

/** The longest, in ms of processor time, for which a body holds up everything else. */
const MAX_MS = 5;

let portal: TestPortal;
let token: string;
beforeAll(async () => {
  portal = await testPortal();
  token = await portal.tokenOf('corin');
});
afterAll(() => portal[Symbol.asyncDispose]());

const repeated = (count: number, item: (n: number) => string): string => Array.from({ length: count }, (_, n) => item(n)).join();
/** As many items as a body may have values, if each has that many, and as fit into it. */
const list = (most: number, values: number, item: (n: number) => string): string => {
  const room = Math.floor((largeBody - 1_000) / (item(Math.floor(most / values)).length + 1));
  return `[${repeated(Math.min(Math.floor((most - 10) / values), room), item)}]`;
};
/** Fields of an object of many: nearly as many as one may have, in a body of so many values. */
const fieldsOf = (most: number): number => Math.min(maxObjectFields - 100, most - 20);
/** Names in another order each time, as no program writes them. */
const jumbled = (n: number, count: number): string => repeated(count, place => `"f${(place * 7 + n * 13) % maxObjectFields}":${place}`);

const shapes: [string, (most: number) => string][] = [
  ['numbers', most => list(most, 1, n => String(n))],
  ['texts that all differ', most => list(most, 1, n => `"${n.toString(36)}"`)],
  ['texts with escaped characters', most => list(most, 1, n => `"\\n${n.toString(36)}"`)],
  ['empty objects', most => list(most, 2, () => '{}')],
  ['objects in objects', most => list(most, deepestBody * 2, () => '{"a":'.repeat(deepestBody - 2) + '1' + '}'.repeat(deepestBody - 2))],
  ['field names that all differ', most => list(most, 2, n => `{"${n.toString(36)}xxxxxxxx":1}`)],
  [
    'objects with many fields, whose names all differ',
    most => {
      const fields = fieldsOf(most);
      return list(most, fields + 1, n => `{${repeated(fields, place => `"${(n * fields + place).toString(36)}x":1`)}}`);
    },
  ],
  ['objects with few fields in another order each time', most => list(most, 4, n => `{${jumbled(n, 3)}}`)],
  ['routes without anything right', most => list(most, 5, n => `{"prefix":"x${n}","asn":"y","roa":1,"whois":1}`)],
];

test.each(shapes.flatMap(([name, made]) => [maxParsedValues, maxListedValues].map(most => [name, most, made(most)] as const)))(
  'a body of %s, within %i values, holds up nothing',
  async (_, _most, items) => {
    const body = Buffer.from(`{"add":${items}}`);
    const to = { url: '/api/EXAMPLE-AU/routes/check', token };
    const longest = await longestTurnOf(MAX_MS, async () => expect((await sendInPieces(portal, to, body)).status).toBe(400));

    expect(longest).toBeLessThan(MAX_MS);
  },
);
