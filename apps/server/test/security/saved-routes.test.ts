import { api } from '@portal/contract/api';
import { listedItems, maxRoutesAtOnce } from '@portal/contract/routes/routes';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendInPieces } from '../pieces.ts';
import { type TestPortal, testPortal } from '../portal.ts';
import { longestTurnOf } from '../thread-costs.ts';

/** The longest, in ms of processor time, for which a change holds up everything else, from its first byte to its answer. */
const MAX_MS = 5;
/** Times that a small change is made before one is measured, and routes of it: what does the work is compiled by then. */
const WARM_UPS = 6;
const FEW = 400;
const account = '/api/EXAMPLE-AU';

let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal();
  await (await portal.as('corin'))(api.rpki.enable, { account: 'EXAMPLE-AU' });
});
afterAll(() => portal[Symbol.asyncDispose]());

test('as many routes as one change may have are saved, and a page of them is read, which holds up nothing', async () => {
  const corin = await portal.as('corin');
  const token = await portal.tokenOf('corin');
  const version = async () => (await corin(api.routes.listRoutes, { account: 'EXAMPLE-AU', query: { limit: 1 } })).data!.version;
  const save = async (count: number, present: string) => {
    const text = Array.from({ length: count }, (_, n) => `2001:db8:${n.toString(16)}::/48,AS64500`).join('\n');
    const body = Buffer.from(JSON.stringify({ text, version: present }));
    const { status, answer } = await sendInPieces(portal, { url: `${account}/routes`, token }, body);
    expect([status, answer]).toMatchObject([200, { total: count, next: listedItems }]);
    const last = `${account}/routes/changes/${(answer as { changeId: string }).changeId}?offset=${count - listedItems}`;
    const read = await portal.request(last, { headers: { authorization: `Bearer ${token}` } });
    expect(await read.json()).toMatchObject({ total: count, next: null });
  };
  const withoutRoutes = (): Promise<unknown> =>
    portal.db.change({ action: 'test', summary: 'Deleted routes', traceId: '0'.repeat(32) }, async change => {
      for (const table of ['route', 'roa'])
        await change.rows(sql`delete from ${sql.table(table)} where account_name = 'EXAMPLE-AU' and masklen(prefix) = 48`);
    });
  for (let round = 0; round < WARM_UPS; round++) {
    await withoutRoutes();
    await save(FEW, await version());
  }
  let present = '';
  const longest = await longestTurnOf(MAX_MS, {
    before: async () => {
      await withoutRoutes();
      present = await version();
    },
    work: () => save(maxRoutesAtOnce, present),
  });
  expect(longest).toBeLessThan(MAX_MS);
});
