import { api } from '@portal/contract/api';
import { DAY_MS, dayIn, daysAfter, instantAfter, monthsAfter, utcDay, yearsAfter } from '@portal/contract/days';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { approveAlone, sendRequest } from '../../../test/deciding-requests.ts';
import { testPortal } from '../../../test/portal.ts';
import { addDemoPools } from '../resources/demo-pools.ts';
import { reservePreApproval } from './pre-approvals.ts';
import { runRequestDeadlines } from './request-deadlines.ts';

const line = { action: 'test', summary: 'Set the scene', traceId: '0'.repeat(32) };
const plan = [{ purpose: 'Access', amounts: [256, 380, 512, 700, 900] }];
const network = 'Two cities, one border router each.';

test('an offer, a question and a draft expire with the last minute of their thirty days, and no earlier', async () => {
  await using portal = await testPortal();
  await portal.db.change(line, change => addDemoPools(change));
  const [corin, stella] = [await portal.as('corin'), await portal.as('stella')];
  const offered = await sendRequest(corin, 'EXAMPLE-AU', 'transfer', {
    resources: ['198.18.8.0/22'],
    recipient: 'OTHER-SG',
    reason: 'Sold',
  });
  const asked = await sendRequest(corin, 'LABNET-AU', 'ipv4', { path: 'lir', length: 24, providerSpace: '100.64.0.0/24', plan, network });
  await stella(api.requestDesk.askAboutRequest, { requestId: asked.requestId, body: { question: 'Which router is that?' } });
  const draft = (await corin(api.requests.startRequest, { account: 'SOUTHSITE-NZ', body: { kind: 'asn' } })).data!;
  const cases = [offered, asked, draft].map(({ requestId }) => requestId);
  const states = async (): Promise<Record<string, string>> =>
    Object.fromEntries(
      (
        await portal.db.read.rows<{ id: string; state: string }>(
          sql`select resource_request_id::text as id, state from resource_request where resource_request_id = any(${cases}::bigint[])`,
        )
      ).map(({ id, state }) => [id, state]),
    );
  const ends = await portal.db.read.rows<{ id: string; expiresAt: string; days: number }>(
    sql`select resource_request_id::text as id, expires_at, round(extract(epoch from expires_at - since) / 86400)::int as days from resource_request
    where resource_request_id = any(${cases}::bigint[]) order by expires_at`,
  );
  expect(ends.map(({ days }) => days)).toEqual([30, 30, 30]);
  for (const { id, expiresAt } of ends) {
    const run = (ms: number): Promise<void> =>
      runRequestDeadlines(portal.db, new Date(instantAfter(new Date(expiresAt), ms)), portal.context.profile);
    await run(-1);
    expect((await states())[id]).not.toBe('expired');
    await run(0);
    expect((await states())[id]).toBe('expired');
  }
  await runRequestDeadlines(portal.db, new Date(instantAfter(new Date(ends.at(-1)!.expiresAt), DAY_MS)), portal.context.profile);
  expect(Object.values(await states())).toEqual(['expired', 'expired', 'expired']);
});

test('a pre-approval can be used until its last day after 24 months and to its last block, and space of the last pool is on hold for five years', async () => {
  await using portal = await testPortal();
  await portal.db.change(line, change => addDemoPools(change));
  const corin = await portal.as('corin');
  const account = 'LABNET-AU';
  const { requestId } = await sendRequest(corin, account, 'pre-approval', { blocks: 3, plan, network });
  expect((await approveAlone(portal, requestId)).errors).toBeUndefined();
  const last = monthsAfter(utcDay(Date.now()), 24);
  const use = (blocks: number, day: string): Promise<string> =>
    portal.db
      .change(line, async change => {
        await reservePreApproval(change, account, blocks, day);
        throw new Error('used');
      })
      .catch((error: Error) => error.message);
  expect(await use(3, daysAfter(last, -1))).toBe('used');
  expect(await use(2, last)).toBe('used');
  expect(await use(3, last)).toBe('used');
  expect(await use(4, last)).not.toBe('used');
  expect(await use(1, daysAfter(last, 1))).not.toBe('used');

  const given = await sendRequest(corin, account, 'ipv4', { path: 'lir', length: 24, providerSpace: '100.64.0.0/24', plan, network });
  const { data } = await approveAlone(portal, given.requestId);
  const [held] = await portal.db.read.rows<{ holdUntil: string }>(
    sql`select hold_until::text from delegation where resource = ${data!.resources[0]!} and status <> 'closed'`,
  );
  expect(held!.holdUntil).toBe(yearsAfter(dayIn(portal.context.profile.timeZone, new Date()), 5));
});
