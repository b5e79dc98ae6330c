import { api } from '@portal/contract/api';
import { emptyForm } from '@portal/contract/requests/request-form';
import { expect, test } from 'vitest';
import { testPortal } from '../../../test/portal.ts';

test('a saved queue is visible to all registry staff, and only its author can replace or delete it', async () => {
  await using portal = await testPortal();
  const [stella, stan, corin] = [await portal.as('stella'), await portal.as('stan'), await portal.as('corin')];
  const save = (who: typeof stella, name: string, filter: string) => who(api.staffQueues.saveQueue, { body: { name, filter } });
  await save(stella, 'Old transfers', 'kind=transfers&age=7');
  expect((await save(stella, 'old transfers', 'kind=transfers&age=30')).data!.queues).toMatchObject([
    { name: 'old transfers', filter: 'kind=transfers&age=30', isMine: true },
  ]);
  expect(await save(stan, 'Old Transfers', '')).toMatchObject({ status: 409, errors: [{ code: 'QUEUE_NAME_TAKEN', field: 'name' }] });
  const { queues } = (await stan(api.staffQueues.listQueues, {})).data!;
  expect(queues).toMatchObject([{ savedBy: 'Stella Kowalski', isMine: false }]);
  const { queueId } = queues[0]!;
  expect(await stan(api.staffQueues.deleteQueue, { queueId })).toMatchObject({ errors: [{ code: 'NOT_FOUND' }] });
  expect((await stella(api.staffQueues.deleteQueue, { queueId })).data!.queues).toEqual([]);
  expect(await corin(api.staffQueues.listQueues, {})).toMatchObject({ status: 404 });
});

test('the workload counts the open cases of each person, and as unassigned what the filter and the desk show as such', async () => {
  await using portal = await testPortal();
  const [stella, corin] = [await portal.as('stella'), await portal.as('corin')];
  const account = 'EXAMPLE-AU';
  const { requestId, version } = (await corin(api.requests.startRequest, { account, body: { kind: 'return' } })).data!;
  const form = { ...emptyForm, resources: ['198.18.64.0/24'], reason: 'Network closed', startsOn: '2026-11-01' };
  const saved = await corin(api.requests.saveRequest, { account, requestId, body: { version, form, documentIds: [] } });
  await corin(api.requests.submitRequest, { account, requestId, body: { version: saved.data!.version, truthful: true } });
  const workload = async () => (await stella(api.staffQueues.listQueues, {})).data!.workload;
  expect(await workload()).toMatchObject([{ reviewer: null, open: 1, waiting: 1 }]);
  const unassigned = async () => [
    (await stella(api.desk.listRequests, { query: { handler: 'none' } })).data!.total,
    (await stella(api.desk.listRequests, {})).data!.counts.handlers.none,
    (await stella(api.deskHome.getDeskHome, {})).data!.cases!.free,
  ];
  expect(await unassigned()).toEqual([1, 1, 1]);
  await stella(api.requestDesk.reviewRequest, { requestId });
  expect(await workload()).toMatchObject([{ reviewer: 'Stella Kowalski', open: 1, waiting: 1 }]);
  await stella(api.requestDesk.askAboutRequest, { requestId, body: { question: 'All of it?' } });
  expect(await workload()).toMatchObject([{ reviewer: 'Stella Kowalski', open: 1, waiting: 0 }]);
});
