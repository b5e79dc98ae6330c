import { api } from '@portal/contract/api';
import { emptyForm } from '@portal/contract/requests/request-form';
import { parseResource } from '@portal/number-resources';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { approveAlone } from '../../../../test/deciding-requests.ts';
import { type TestPortal, testPortal } from '../../../../test/portal.ts';
import { addPools, columnsOf } from '../../resources/index.ts';
import { serveWaitingList } from './served-waiting-list.ts';

const line = { action: 'test', summary: 'Set the scene', traceId: '0'.repeat(32) };
const form = {
  ...emptyForm,
  path: 'lir' as const,
  length: 24,
  providerSpace: '100.64.0.0/24',
  plan: [{ purpose: 'Access', amounts: [256, 380, 512] }],
  network: 'Two cities, one border router each.',
};
async function approved(portal: TestPortal, account: string): Promise<string> {
  const max = await portal.as('max');
  const { requestId, version } = (await max(api.requests.startRequest, { account, body: { kind: 'ipv4' } })).data!;
  const saved = await max(api.requests.saveRequest, { account, requestId, body: { version, form, documentIds: [] } });
  await max(api.requests.submitRequest, { account, requestId, body: { version: saved.data!.version, truthful: true } });
  await approveAlone(portal, requestId);
  return requestId;
}
const seen = async (portal: TestPortal, account: string, requestId: string) =>
  (await (await portal.as('max'))(api.requests.getRequest, { account, requestId })).data!;
const free = (portal: TestPortal, text: string) =>
  portal.db.change(line, change =>
    addPools(change, [
      { ...columnsOf(parseResource(text)), state: 'available', registry: '', economyText: '', dateText: '', extensions: null },
    ]),
  );

test('approved requests wait in order for returned space, and no later one overtakes them', async () => {
  await using portal = await testPortal();
  const policy = portal.context.profile.requestPolicy;
  policy.ipv4WaitingList = true;
  try {
    await portal.db.change(line, change => change.rows(sql`delete from pool where kind = 'ipv4'`));
    const first = await approved(portal, 'CORAL-KI');
    const second = await approved(portal, 'DELTA-VN');
    expect(await seen(portal, 'CORAL-KI', first)).toMatchObject({ state: 'on-hold', place: 1, nextMove: 'registry' });
    expect(await seen(portal, 'DELTA-VN', second)).toMatchObject({ state: 'on-hold', place: 2 });
    expect((await portal.mailsTo('max@many.example')).at(-1)!.subject).toContain('waiting list');
    const serve = () => serveWaitingList(portal.db, new Date(), portal.context.profile);
    await serve();
    expect(await seen(portal, 'CORAL-KI', first)).toMatchObject({ state: 'on-hold' });
    await free(portal, '198.19.169.0/24');
    const third = await approved(portal, 'ESTUARY-TH');
    expect(await seen(portal, 'ESTUARY-TH', third)).toMatchObject({ state: 'on-hold', place: 3 });
    await Promise.all([serve(), serve()]);
    expect(await seen(portal, 'CORAL-KI', first)).toMatchObject({ state: 'completed', resources: ['198.19.169.0/24'] });
    expect(await seen(portal, 'DELTA-VN', second)).toMatchObject({ state: 'on-hold', place: 1 });
    const max = await portal.as('max');
    expect(await max(api.requests.withdrawRequest, { account: 'DELTA-VN', requestId: second })).toMatchObject({
      data: { state: 'withdrawn' },
    });
    await free(portal, '198.19.171.0/24');
    await serve();
    expect(await seen(portal, 'ESTUARY-TH', third)).toMatchObject({ state: 'completed', resources: ['198.19.171.0/24'] });
  } finally {
    policy.ipv4WaitingList = false;
  }
});

test('without a waiting list a request can’t be approved while nothing is free', async () => {
  await using portal = await testPortal();
  await portal.db.change(line, change => change.rows(sql`delete from pool where kind = 'ipv4'`));
  const requestId = await approved(portal, 'CORAL-KI');
  expect(await seen(portal, 'CORAL-KI', requestId)).toMatchObject({ state: 'submitted' });
});
