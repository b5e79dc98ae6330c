import { api } from '@portal/contract/api';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testPortal, type TestPortal } from '../../../../test/portal.ts';

type Client = Awaited<ReturnType<TestPortal['as']>>;
const account = 'EXAMPLE-AU';
const object = { class: 'as-set' as const, key: 'AS64500:AS-ALL' };
let portal: TestPortal;
let corin: Client;
let tess: Client;
let olive: Client;
beforeAll(async () => {
  portal = await testPortal();
  [corin, tess, olive] = (await Promise.all(['corin', 'tess', 'olive'].map(name => portal.as(name)))) as [Client, Client, Client];
});
afterAll(() => portal[Symbol.asyncDispose]());

const beat = async (who: Client, more: { leaves?: 'yes'; key?: string } = {}, of = account) =>
  (await who(api.whoisPresence.reportPresence, { account: of, body: { ...object, ...more } })).data!.others;

test('two people in the editor of one object see each other until one leaves', async () => {
  expect(await beat(tess)).toEqual([]);
  expect(await beat(corin, { key: 'as64500:as-all' })).toEqual(['Tess Lindqvist']);
  expect(await beat(tess)).toEqual(['Corin Achterberg']);
  expect(await beat(corin, { key: 'AS64500:AS-CUSTOMERS' })).toEqual([]);
  expect(await beat(corin, { leaves: 'yes' })).toEqual([]);
  expect(await beat(tess)).toEqual([]);
});

test('a contact who stops reporting is gone', async () => {
  await beat(corin);
  expect(await beat(tess)).toEqual(['Corin Achterberg']);
  await sql`update whois_presence set seen_at = seen_at - interval '51 seconds' where contact_id = (select contact_id from contact
    where account_name = ${account} and full_name = 'Corin Achterberg')`.execute(portal.db.unrecorded);
  expect(await beat(tess)).toEqual([]);
});

test('other accounts see their own colleagues only, and it leaves no line in the activity log', async () => {
  const last = (await portal.lastActivity())!.activityId;
  await beat(tess);
  expect(await beat(olive, {}, 'OTHER-SG')).toEqual([]);
  expect((await olive(api.whoisPresence.reportPresence, { account, body: object })).status).toBe(404);
  expect(await beat(tess)).toEqual([]);
  expect((await portal.lastActivity())!.activityId).toBe(last);
  expect((await tess(api.whoisPresence.reportPresence, { account, body: { ...object, class: 'poem' as 'as-set' } })).status).toBe(400);
});
