import { whoisPublication } from '@portal/contract/publication/publication';
import { whois } from '@portal/contract/whois/whois';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testContext } from '../../../test/context.ts';
import { type TestPortal, testPortal } from '../../../test/portal.ts';
import type { Module } from '../../platform/module.ts';
import { getPublication } from './whois-receipt.ts';

let portal: TestPortal;
const account = 'EXAMPLE-AU';
const text = (descr: string) => `route:          198.18.16.0/24
descr:          ${descr}
origin:         AS64500
mnt-by:         MAINT-AU-EXAMPLE
source:         EXAMPLE
`;
const key = '198.18.16.0/24AS64500';

beforeAll(async () => {
  portal = await testPortal();
});
afterAll(() => portal[Symbol.asyncDispose]());

async function change(operation: 'create' | 'modify' | 'delete', words: string): Promise<number> {
  const corin = await portal.as('corin');
  const answer = await corin(whois.submitUpdates, { account, body: { updates: [{ operation, text: text(words) }] } });
  const { outcomes } = answer.data!;
  expect(outcomes[0]?.problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  return outcomes[0]?.afterVersion as number;
}

async function receipt(version: number) {
  const corin = await portal.as('corin');
  const { data } = await corin(whoisPublication.getPublication, { account, query: { class: 'route', key, version } });
  return Object.fromEntries(data!.places.map(({ place, state, answer }) => [place, `${state}: ${answer}`]));
}

test('a change is done when port 43 and the IRR protocol answer with it, and an older one counts as seen', async () => {
  const first = await change('create', 'First words');
  expect(await receipt(first)).toMatchObject({ whois: `done: Version ${first}`, irr: `done: Version ${first}` });
  const second = await change('modify', 'Other words');
  expect(await receipt(first)).toMatchObject({ whois: `done: Version ${second}` });
  const gone = await change('delete', 'Other words');
  expect(await receipt(gone)).toMatchObject({ whois: 'done: Removed', irr: 'done: Removed' });
  expect(await receipt(second)).not.toHaveProperty('rdap');
});

test('networks and contacts are asked for in RDAP too', async () => {
  const corin = await portal.as('corin');
  const { data } = await corin(whois.listObjects, { account, query: { limit: 500 } });
  const wrong: string[] = [];
  for (const { class: name, key: each, version } of data!.rows) {
    const answer = await corin(whoisPublication.getPublication, { account, query: { class: name, key: each, version } });
    // Mirrors, name servers and relying parties read what a publisher writes, which does not run here.
    for (const { place, state, query } of answer.data!.places)
      if (!['mirrors', 'dns', 'rpki'].includes(place) && state !== 'done') wrong.push(`${place} ${query} of ${name} ${each} is ${state}`);
  }
  expect(wrong).toEqual([]);
});

test('a version that never existed has no receipt', async () => {
  const corin = await portal.as('corin');
  const answer = await corin(whoisPublication.getPublication, { account, query: { class: 'route', key, version: 99 } });
  expect(answer.errors?.[0]?.code).toBe('NOT_FOUND');
});

test('a place of another module is a line of the receipt, if it publishes the class', async () => {
  const version = await change('create', 'Once more');
  const place = (name: string, answer: 'none' | 'older' | 'first'): NonNullable<Module['publishing']>[number] => ({
    place: name.toLowerCase(),
    name,
    ask: async ([first]) => (answer === 'none' ? null : { query: null, seen: answer === 'first' ? first : undefined, isThere: true }),
  });
  const madeUp: Module = { name: 'made-up', publishing: [place('Zones', 'older'), place('Caches', 'first'), place('Elsewhere', 'none')] };
  const context = { ...testContext(portal), modules: [madeUp] };
  const { places } = await getPublication({ read: portal.db.read, query: { class: 'route', key, version }, registry: context });
  expect(places.map(({ name, state, answer }) => [name, state, answer])).toEqual([
    ['Journal', 'done', expect.stringMatching(/^Serial \d+$/)],
    ['Zones', 'waiting', 'Older version'],
    ['Caches', 'done', `Version ${version}`],
  ]);
});
