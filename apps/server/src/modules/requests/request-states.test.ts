import { api } from '@portal/contract/api';
import { emptyForm } from '@portal/contract/requests/request-form';
import { expect, test } from 'vitest';
import { approveByTwo, completePaid, payFee, sendRequest } from '../../../test/deciding-requests.ts';
import { testPortal } from '../../../test/portal.ts';
import { sentFile } from '../../../test/sample-files.ts';

const account = 'EXAMPLE-AU';
const offer = { resources: ['198.18.8.0/22'], recipient: 'OTHER-SG', reason: 'Sold' };
const need = { plan: [{ purpose: 'Hosting', amounts: [256, 512, 768, 1024, 1600] }], network: 'A data centre in Singapore.' };

test('what a case can’t do in its state is refused with the state and who acts next, not as a change by someone else', async () => {
  await using portal = await testPortal();
  const [corin, olive, stella] = [await portal.as('corin'), await portal.as('olive'), await portal.as('stella')];
  const { requestId, reference } = await sendRequest(corin, account, 'transfer', offer);
  const refused = async (): Promise<string[]> => {
    const { version } = (await stella(api.requestDesk.getStaffRequest, { requestId })).data!;
    const answers = [
      await stella(api.requestDesk.reviewRequest, { requestId }),
      await stella(api.requestDesk.askAboutRequest, { requestId, body: { question: 'Which?' } }),
      await stella(api.requestDesk.approveRequest, { requestId, body: { version, note: '', resource: '' } }),
    ];
    return answers.flatMap(({ status, errors }) => (status === 409 ? [`${errors![0]!.code} ${errors![0]!.message}`] : []));
  };
  const waits = (state: string): string => `REQUEST_STATE This isn’t possible now: ${reference} is ${state}`;
  expect(await refused()).toEqual(Array.from({ length: 3 }, () => waits('offered: OTHER-SG acknowledges or declines it')));
  const { version } = (await olive(api.requests.getRequest, { account: 'OTHER-SG', requestId })).data!;
  await olive(api.requests.acknowledgeTransfer, {
    account: 'OTHER-SG',
    requestId,
    body: { version, form: { ...emptyForm, ...need }, truthful: true },
  });
  await stella(api.requestDesk.askAboutRequest, { requestId, body: { question: 'Which contract?', to: 'sender' } });
  const asked = (await stella(api.requestDesk.getStaffRequest, { requestId })).data!;
  const early = await stella(api.requestDesk.approveRequest, { requestId, body: { version: asked.version, note: '', resource: '' } });
  expect(`${early.errors![0]!.code} ${early.errors![0]!.message}`).toBe(waits('waiting for an answer from EXAMPLE-AU'));
  expect(early).toMatchObject({ current: { state: 'needs-info' } });
});

test('the recipient of a merger adds the document that its page lists as required', async () => {
  await using portal = await testPortal();
  const [corin, olive] = [await portal.as('corin'), await portal.as('olive')];
  const merger = {
    ...offer,
    resources: ['198.18.64.0 - 198.18.66.255'],
    occasion: 'merger' as const,
    legalName: 'Other Pte. Ltd.',
    startsOn: '2026-10-01',
  };
  const { requestId } = await sendRequest(corin, account, 'acquisition', merger, [await sentFile(corin)]);
  const offered = (await olive(api.requests.getRequest, { account: 'OTHER-SG', requestId })).data!;
  expect(offered.documents.filter(({ required }) => required)).toHaveLength(1);
  const acknowledge = (documentIds: string[]) =>
    olive(api.requests.acknowledgeTransfer, {
      account: 'OTHER-SG',
      requestId,
      body: { version: offered.version, form: emptyForm, documentIds, truthful: true },
    });
  expect(await acknowledge([])).toMatchObject({ status: 400, errors: [{ field: 'documents' }] });
  expect(await acknowledge([await sentFile(olive)])).toMatchObject({ status: 200, data: { state: 'submitted' } });
});

test('a holder of historical resources transfers and lists them, and without an agreement nothing else opens', async () => {
  await using portal = await testPortal();
  const [hana, olive] = [await portal.as('hana'), await portal.as('olive')];
  const historical = 'OLDNET-JP';
  const listed = await hana(api.listings.addListing, {
    account: historical,
    body: { kind: 'offer', resource: '198.18.160.0/20', notes: 'Not announced', consent: true },
  });
  expect(listed).toMatchObject({ status: 200 });
  const { requestId, checks } = await sendRequest(hana, historical, 'transfer', { ...offer, resources: ['198.18.128.0/20'] });
  expect(checks.find(({ checkId }) => checkId === 'historical')).toMatchObject({ state: 'review' });
  expect(checks.map(({ checkId }) => checkId)).not.toContain('agreement');
  const { version } = (await olive(api.requests.getRequest, { account: 'OTHER-SG', requestId })).data!;
  const form = { ...emptyForm, ...need, plan: [{ purpose: 'Hosting', amounts: [4096, 5000, 6000, 7000, 8000] }] };
  const body = { version, form, truthful: true as const };
  expect(await olive(api.requests.acknowledgeTransfer, { account: 'OTHER-SG', requestId, body })).toMatchObject({ status: 200 });
  await approveByTwo(portal, requestId);
  await payFee(portal, requestId);
  await completePaid(portal);
  expect((await hana(api.requests.getRequest, { account: historical, requestId })).data).toMatchObject({ state: 'completed' });
  for (const [kind, given] of [
    ['ipv6', { path: 'end-site', length: 48, startsOn: '2026-12-24', network: 'A campus with two upstream providers.' }],
    ['asn', { multihomed: 'now', neighbours: [{ asn: 'AS64496', name: 'Transit' }], network: 'A campus with two upstream providers.' }],
    ['transfer', { incoming: true, otherRegistry: 'ARIN', legalName: 'Prairie Inc.', resources: ['100.66.0.0/22'], ...need }],
  ] as const)
    await expect(sendRequest(hana, historical, kind, given as object)).rejects.toThrow(/REQUEST_NOT_ALLOWED.*agreement/);
});

test('a colleague takes a case over, who had it reads that, and the parties read nothing of it', async () => {
  await using portal = await testPortal();
  const [corin, stella, stan] = [await portal.as('corin'), await portal.as('stella'), await portal.as('stan')];
  const { requestId, reference } = await sendRequest(corin, account, 'return', {
    resources: ['198.18.64.0/24'],
    reason: 'Closed',
    startsOn: '2026-12-01',
  });
  await stella(api.requestDesk.reviewRequest, { requestId });
  expect(await stella(api.requestDesk.reviewRequest, { requestId })).toMatchObject({ errors: [{ code: 'REQUEST_STATE' }] });
  const before = (await corin(api.requests.getRequest, { account, requestId })).data!.events.length;
  const taken = (await stan(api.requestDesk.reviewRequest, { requestId })).data!;
  expect(taken).toMatchObject({ state: 'in-review', reviewer: 'Stan Petrov' });
  expect(taken.events.at(-1)).toMatchObject({ kind: 'in-review', internal: true, words: 'Taken over from Stella Kowalski' });
  expect((await corin(api.requests.getRequest, { account, requestId })).data!.events).toHaveLength(before);
  const { email } = await portal.db.read.selectFrom('login').select('email').where('username', '=', 'stella').executeTakeFirstOrThrow();
  expect((await portal.mailsTo(email)).at(-1)!.subject).toBe(`${reference}: Stan Petrov took over Return 198.18.64.0/24`);
});
