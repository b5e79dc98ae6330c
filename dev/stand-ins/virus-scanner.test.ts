import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { api } from '@portal/contract/api';
import { daysAfter } from '@portal/contract/days';
import { describe, expect, test } from 'vitest';
import { clamdScanner } from '../../apps/server/src/adapters/virus-scanner.ts';
import { keptFiles } from '../../apps/server/src/kept-files.ts';
import { openFileStore, verifyFiles } from '../../apps/server/src/modules/documents/index.ts';
import { billingPortal, today } from '../../apps/server/test/billing-portal.ts';
import { kindsForRules, testPortal } from '../../apps/server/test/portal.ts';
import { samplePdf, sentFile } from '../../apps/server/test/sample-files.ts';
import { virusScannerStandIn } from './virus-scanner.ts';

const account = 'EXAMPLE-AU';
const aDocument = { title: 'Clean', type: 'other', visibility: 'corporate' } as const;

describe('a virus scanner', () => {
  const eicar = 'X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*';

  test('a file can be opened only after its scan; an infected one is deleted and its sender notified', async () => {
    await using scanner = await virusScannerStandIn();
    await using portal = await testPortal(undefined, { VIRUS_SCANNER_URL: scanner.url });
    const corin = await portal.as('corin');
    const keptIn = async (): Promise<string[]> => {
      const kept: string[] = [];
      for await (const sha256 of openFileStore(portal.config.filesDir).list()) kept.push(sha256);
      return kept;
    };
    const documentId = await sentFile(corin);
    const clean = (await corin(api.documents.addDocument, { account, body: { ...aDocument, documentId } })).data!;
    expect(clean.check).toBe('being-checked');
    expect(await corin(api.documents.openDocument, { account, documentId: clean.documentId })).toMatchObject({
      status: 409,
      errors: [{ code: 'BEING_CHECKED' }],
    });
    const infected = await sentFile(corin, { bytes: samplePdf(eicar.replaceAll(/[()\\]/g, '')), fileName: 'letter.pdf' });
    const kept = await keptIn();
    await portal.runTasks();
    expect((await corin(api.documents.listDocuments, { account })).data!.rows).toMatchObject([{ title: 'Clean', check: 'clean' }]);
    expect((await corin(api.documents.openDocument, { account, documentId: clean.documentId })).status).toBe(200);
    expect(await corin(api.documents.addDocument, { account, body: { ...aDocument, documentId: infected } })).toMatchObject({
      status: 409,
      errors: [{ code: 'FILE_UNUSABLE', message: expect.stringContaining('a virus was found in it (Eicar-Signature)') }],
    });
    const subjects = (await portal.mailsTo('corin@example-au.example')).map(({ subject }) => subject);
    expect(subjects).toContainEqual(expect.stringContaining('a virus was found in “letter.pdf”'));
    expect(await keptIn()).toHaveLength(kept.length - 1);
    // The same content again is known.
    await expect(sentFile(corin, { bytes: samplePdf(eicar.replaceAll(/[()\\]/g, '')) })).rejects.toThrow('a virus was found in it');
  });
});

test.each(kindsForRules)('an invoice stays when a scanner finds something in the copy that a contact sent back (%s)', async kind => {
  let invoice: Buffer | null = null;
  await using scanner = await virusScannerStandIn({ finds: content => invoice !== null && content.equals(invoice) });
  await using portal = await billingPortal(kind, { [account]: daysAfter(today, -1) }, { VIRUS_SCANNER_URL: scanner.url });
  await portal.on(today);
  const corin = await portal.as('corin');
  const { number } = (await corin(api.billing.getBilling, { account })).data!.invoices[0]!;
  const opened = async (): Promise<Buffer> => {
    const { address } = (await corin(api.billing.openInvoice, { account, invoiceNumber: number })).data!;
    return Buffer.from(await (await corin(api.files.downloadFile, { address })).data!.blob.arrayBuffer());
  };
  invoice = await opened();
  const documentId = await sentFile(corin, { bytes: invoice, fileName: 'our-invoice.pdf' });
  await portal.runTasks();
  // The document stays closed, and the invoice opens as before.
  expect(await corin(api.documents.addDocument, { account, body: { ...aDocument, documentId } })).toMatchObject({
    status: 409,
    errors: [{ code: 'FILE_UNUSABLE' }],
  });
  expect((await opened()).equals(invoice)).toBe(true);
  expect((await verifyFiles(portal.db.read, portal.store, keptFiles)).problems).toEqual([]);
});

test('a scanner that is away, breaks off or speaks nonsense says nothing about a file', async () => {
  const chunks = async function* () {
    yield Buffer.from('content');
  };
  await expect(clamdScanner('tcp://127.0.0.1:9').scan(chunks())).rejects.toThrow();
  for (const answer of ['', 'INSTREAM size limit exceeded. ERROR\0', 'HTTP/1.1 400 Bad Request\0']) {
    const server = net.createServer(socket => socket.once('data', () => socket.end(answer))).listen(0, '127.0.0.1');
    await once(server, 'listening');
    await expect(clamdScanner(`tcp://127.0.0.1:${(server.address() as AddressInfo).port}`).scan(chunks())).rejects.toThrow();
    server.close();
  }
});
