import { api } from '@portal/contract/api';
import { emptyForm } from '@portal/contract/requests/request-form';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { approveByTwo, completePaid, payFee } from '../../../test/deciding-requests.ts';
import { type TestPortal, testPortal } from '../../../test/portal.ts';
import { sampleDocx, samplePdf, sampleProgram, sentFile } from '../../../test/sample-files.ts';
import { runRequestDeadlines } from './request-deadlines.ts';

const account = 'EXAMPLE-AU';
const answers = { plan: [{ purpose: 'Hosting', amounts: [256, 512, 768, 1024, 1600] }], network: 'A data centre in Singapore.' };

async function offered(portal: TestPortal): Promise<{ requestId: string; version: number }> {
  const corin = await portal.as('corin');
  const { requestId, version } = (await corin(api.requests.startRequest, { account, body: { kind: 'transfer' } })).data!;
  const form = { ...emptyForm, resources: ['198.18.8.0/22'], recipient: 'OTHER-SG', reason: 'Sold' };
  const saved = await corin(api.requests.saveRequest, { account, requestId, body: { version, form, documentIds: [] } });
  const sent = await corin(api.requests.submitRequest, { account, requestId, body: { version: saved.data!.version, truthful: true } });
  return { requestId, version: sent.data!.version };
}
const acknowledge = async (portal: TestPortal, { requestId, version }: { requestId: string; version: number }) =>
  (await portal.as('olive'))(api.requests.acknowledgeTransfer, {
    account: 'OTHER-SG',
    requestId,
    body: { version, form: { ...emptyForm, ...answers }, documentIds: [], truthful: true },
  });

test('the recipient’s account is closed after it paid: the space stays with the sender, unlocked, and the invoice is cancelled', async () => {
  await using portal = await testPortal();
  const offer = await offered(portal);
  await acknowledge(portal, offer);
  await approveByTwo(portal, offer.requestId);
  await payFee(portal, offer.requestId);
  await portal.db.change({ action: 'test', summary: 'Closed an account', traceId: '0'.repeat(32) }, change =>
    change.rows(sql`update account set account_status = 'closed' where account_name = 'OTHER-SG'`),
  );
  await completePaid(portal);
  const corin = await portal.as('corin');
  const state = async () => (await corin(api.requests.getRequest, { account, requestId: offer.requestId })).data!.state;
  expect(await state()).toBe('on-hold');
  await runRequestDeadlines(portal.db, new Date(), portal.context.profile);
  expect(await state()).toBe('expired');
  const delegations = await portal.db.read.rows(
    sql`select account_name, status from delegation where resource = '198.18.0.0/19' and status <> 'closed'`,
  );
  expect(delegations).toEqual([{ accountName: account, status: 'active' }]);
});

test('an answer from an outdated page is refused with 412 and the present case, and changes nothing', async () => {
  await using portal = await testPortal();
  const offer = await offered(portal);
  const stale = await acknowledge(portal, { ...offer, version: offer.version - 1 });
  expect(stale).toMatchObject({ status: 412, errors: [{ code: 'STALE' }], current: { version: offer.version, state: 'offered' } });
  const olive = await portal.as('olive');
  const declined = await olive(api.requests.declineTransfer, {
    account: 'OTHER-SG',
    requestId: offer.requestId,
    body: { version: offer.version - 1, reason: '' },
  });
  expect(declined).toMatchObject({ status: 412 });
  expect((await olive(api.requests.getRequest, { account: 'OTHER-SG', requestId: offer.requestId })).data).toMatchObject({
    state: 'offered',
  });
});

test.each([
  ['a program that calls itself a contract', 'contract.pdf', sampleProgram(), 'its content is a program'],
  ['a program with two endings', 'contract.pdf.exe', sampleProgram(), 'its content is a program'],
  ['a document with macros', 'contract.docx', sampleDocx({ 'word/vbaProject.bin': 'macro' }), 'it contains macros'],
])('%s is refused as a document of a request', async (_, fileName, bytes, why) => {
  await using portal = await testPortal();
  await expect(sentFile(await portal.as('corin'), { fileName, bytes })).rejects.toThrow(why);
});

test('a document whose name hides its type is stored with the extension of its content', async () => {
  await using portal = await testPortal();
  const corin = await portal.as('corin');
  const { requestId, version } = (await corin(api.requests.startRequest, { account, body: { kind: 'acquisition' } })).data!;
  const documentId = await sentFile(corin, { fileName: '../../contract\u202Efdp.exe', bytes: samplePdf() });
  const saved = await corin(api.requests.saveRequest, {
    account,
    requestId,
    body: { version, form: emptyForm, documentIds: [documentId] },
  });
  const [paper] = saved.data!.papers;
  expect(paper!.fileName).toMatch(/^[^\u202E/]+\.pdf$/);
});
