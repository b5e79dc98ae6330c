import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { api } from '@portal/contract/api';
import { HOUR_MS, SECOND_MS } from '@portal/contract/days';
import type { AccountDocument } from '@portal/contract/documents/documents';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kinds, type TestPortal, testPortal } from '../../../test/portal.ts';
import { sampleDocx, sampleJpeg, samplePdf, samplePng, sampleProgram, sentFile } from '../../../test/sample-files.ts';
import { keptFiles } from '../../kept-files.ts';
import { createLog } from '../../platform/log.ts';
import { addContact } from '../accounts/index.ts';
import { backUpFiles, type KeptFiles, openFileStore, restoreFiles, sweepFiles, verifyFiles } from './index.ts';

const account = 'EXAMPLE-AU';
type Person = Awaited<ReturnType<TestPortal['as']>>;
const activity = { action: 'test', summary: 'test', traceId: '0'.repeat(32) };
const aDocument = { title: 'A paper', type: 'other', visibility: 'corporate' } as const;

const upload = (person: Person, bytes: Buffer, fileName: string) =>
  person(api.files.uploadFile, { query: { fileName }, body: new Blob([new Uint8Array(bytes)]) });
const titlesOf = async (person: Person): Promise<string[]> =>
  (await person(api.documents.listDocuments, { account })).data!.rows.map(({ title }) => title).toSorted();
/** Adds a document of Corin's. */
async function added(person: Person, more: Partial<Parameters<typeof body>[0]> = {}): Promise<AccountDocument> {
  const documentId = await sentFile(person, { bytes: samplePdf(crypto.randomUUID()) });
  return (await person(api.documents.addDocument, { account, body: { ...body({}), ...more, documentId } })).data!;
}
const body = (more: { title?: string; type?: 'tax'; visibility?: AccountDocument['visibility'] }) => ({ ...aDocument, ...more });
const storeOf = (portal: TestPortal) => openFileStore(portal.config.filesDir);
/** Runs the sweep like the worker; returns what it logged. */
async function sweep(portal: TestPortal, now: Date, kinds: readonly KeptFiles[] = keptFiles): Promise<string[]> {
  const lines: string[] = [];
  await sweepFiles(portal.db, { store: storeOf(portal), kinds, now, log: createLog('info', line => lines.push(line)) });
  return lines;
}
const keptIn = async (portal: TestPortal): Promise<string[]> => {
  const kept: string[] = [];
  for await (const sha256 of storeOf(portal).list()) kept.push(sha256);
  return kept;
};

describe('a file that is sent', () => {
  let portal: TestPortal;
  let nadia: Person;
  beforeAll(async () => {
    portal = await testPortal();
    nadia = await portal.as('nadia');
  });
  afterAll(() => portal[Symbol.asyncDispose]());

  test.each([
    ['C:\\fakepath\\Agreement.pdf', samplePdf(), { fileName: 'Agreement.pdf', kind: 'pdf' }],
    ['scan', samplePng({ width: 100, height: 100 }), { fileName: 'scan.png', kind: 'png' }],
    ['photo.jpeg', sampleJpeg(), { fileName: 'photo.jpeg', kind: 'jpg' }],
    ['letter.docx', sampleDocx(), { fileName: 'letter.docx', kind: 'docx' }],
  ])('%s is stored with its type', async (fileName, bytes, kept) => {
    expect(await upload(nadia, bytes, fileName)).toMatchObject({
      status: 200,
      data: { ...kept, bytes: bytes.length, check: 'not-checked' },
    });
  });

  test.each([
    [
      'a program that was renamed',
      sampleProgram(),
      'invoice.pdf',
      'The file “invoice.pdf” can’t be uploaded: its content is a program. Send a PDF',
    ],
    ['a page of a web site', Buffer.from('<html><script>alert(1)</script>'), '<b>.pdf', 'type isn’t accepted'],
    ['a Word document with macros', sampleDocx({ 'word/vbaProject.bin': 'x' }), 'a.docx', 'it contains macros'],
    ['half a PDF', samplePdf('x', 9000).subarray(0, 5000), 'a.pdf', 'it looks incomplete'],
  ])('%s is refused with a sentence, and nothing is stored', async (_, bytes, fileName, words) => {
    const before = await keptIn(portal);
    expect(await upload(nadia, bytes, fileName)).toMatchObject({
      status: 422,
      errors: [{ code: 'FILE_REFUSED', message: expect.stringContaining(words) }],
    });
    expect(await keptIn(portal)).toEqual(before);
    expect(await readdir(path.join(portal.config.filesDir, 'incoming'))).toEqual([]);
    expect(await portal.lastActivity()).toMatchObject({ action: 'documents.files.uploadFile', refusal: 'FILE_REFUSED' });
  });

  test('an empty upload is refused', async () => {
    const answer = await portal.request('/api/files?fileName=a.pdf', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await portal.tokenOf('nadia')}`,
        'content-type': 'application/octet-stream',
        'content-length': '0',
      },
    });
    expect([400, 422]).toContain(answer.status);
  });

  test('a file sent as JSON or multipart is answered with the right way to send it', async () => {
    for (const contentType of ['application/json', 'multipart/form-data; boundary=x']) {
      const answer = await portal.request('/api/files?fileName=a.pdf', {
        method: 'POST',
        headers: { authorization: `Bearer ${await portal.tokenOf('nadia')}`, 'content-type': contentType },
        body: '{}',
      });
      expect([400, 415]).toContain(answer.status);
    }
  });

  test('a file is refused as the body of a call that takes none', async () => {
    const answer = await portal.request('/api/link-account', {
      method: 'POST',
      headers: { authorization: `Bearer ${await portal.tokenOf('nadia')}`, 'content-type': 'application/octet-stream' },
      body: '{"accountName":"EXAMPLE-AU"}',
    });
    expect(answer.status).toBe(415);
  });

  describe('a file over the wire', () => {
    let origin: { port: number; headers: Record<string, string> };
    beforeAll(async () => {
      await portal.http.listen({ port: 0, host: '127.0.0.1' });
      const { port } = portal.http.server.address() as AddressInfo;
      origin = {
        port,
        headers: {
          host: 'portal.test',
          authorization: `Bearer ${await portal.tokenOf('nadia')}`,
          'content-type': 'application/octet-stream',
        },
      };
    });

    async function send(chunks: AsyncIterable<Buffer>, length?: number): Promise<{ status: number; body: string }> {
      const request = http.request({
        host: '127.0.0.1',
        port: origin.port,
        path: '/api/files?fileName=large.pdf',
        method: 'POST',
        headers: { ...origin.headers, ...(length !== undefined && { 'content-length': length }) },
      });
      const answered = once(request, 'response') as Promise<[http.IncomingMessage]>;
      // The server may close the connection on what is too large.
      request.on('error', () => {});
      void (async () => {
        for await (const chunk of chunks) {
          if (request.destroyed || request.writableEnded) return;
          if (!request.write(chunk)) await Promise.race([once(request, 'drain'), once(request, 'close')]);
        }
        request.end();
      })();
      const [response] = await answered;
      let text = '';
      for await (const chunk of response) text += String(chunk);
      request.destroy();
      return { status: response.statusCode!, body: text };
    }
    const megabytes = async function* (count: number): AsyncGenerator<Buffer> {
      yield samplePdf().subarray(0, 100);
      for (let i = 0; i < count; i++) yield Buffer.alloc(1_000_000, 0x20);
    };

    test('a declared 60 MB is refused before the upload, an undeclared one as soon as it is too large; nothing is stored', async () => {
      const before = await keptIn(portal);
      const announced = await send(megabytes(60), 60_000_100);
      const silent = await send(megabytes(60));
      for (const { status, body: words } of [announced, silent]) {
        expect(status).toBe(413);
        expect(JSON.parse(words)).toMatchObject({
          errors: [{ code: 'FILE_TOO_LARGE', message: 'The file is larger than 10 MB. Upload a smaller one' }],
        });
      }
      expect(await keptIn(portal)).toEqual(before);
      expect(
        existsSync(path.join(portal.config.filesDir, 'incoming')) ? await readdir(path.join(portal.config.filesDir, 'incoming')) : [],
      ).toEqual([]);
    });

    test('an interrupted upload leaves nothing', async () => {
      const request = http.request({
        host: '127.0.0.1',
        port: origin.port,
        path: '/api/files?fileName=a.pdf',
        method: 'POST',
        headers: { ...origin.headers, 'content-length': 5000 },
      });
      const before = await keptIn(portal);
      request.on('error', () => {});
      request.write(samplePdf());
      const incoming = path.join(portal.config.filesDir, 'incoming');
      await expect.poll(async () => (existsSync(incoming) ? (await readdir(incoming)).length : 0), { interval: 5 }).toBe(1);
      request.destroy();
      await expect.poll(async () => (await readdir(incoming)).length, { interval: 5 }).toBe(0);
      expect(await keptIn(portal)).toEqual(before);
    });

    test('ten megabytes arrive unchanged', async () => {
      const bytes = samplePdf('x', 9_900_000);
      const sent = await send(
        (async function* () {
          yield bytes;
        })(),
        bytes.length,
      );
      expect(sent.status).toBe(200);
      expect((JSON.parse(sent.body) as { bytes: number }).bytes).toBe(bytes.length);
    });
  });

  test('a person who sends sixty files in an hour has to wait', async () => {
    const documentId = await sentFile(nadia);
    await portal.db.change(activity, async change => {
      const { sha256, uploadedBy, uploadedAt } = await change
        .selectFrom('document')
        .selectAll()
        .where('documentId', '=', Number(documentId))
        .executeTakeFirstOrThrow();
      const rows = Array.from({ length: 59 }, () => ({ sha256, uploadedBy, uploadedAt, fileName: 'a.pdf', title: 'a.pdf' }));
      await change.insertInto('document').values(rows).execute();
    });
    expect(await upload(nadia, samplePdf(), 'a.pdf')).toMatchObject({ status: 429, errors: [{ code: 'TOO_MANY_REQUESTS' }] });
  });
});

describe('documents of an account', () => {
  let portal: TestPortal;
  let corin: Person;
  let stella: Person;
  beforeAll(async () => {
    portal = await testPortal();
    [corin, stella] = await Promise.all([portal.as('corin'), portal.as('stella')]);
  });
  afterAll(() => portal[Symbol.asyncDispose]());
  const mailTo = async (name: string, words: string) =>
    (await portal.mailsTo(`${name}@example-au.example`)).find(({ subject }) => subject.includes(words));

  test('each contact sees what is meant for them: corporate contacts all, billing contacts what is for billing', async () => {
    await added(corin, { title: 'For all', visibility: 'all-contacts' });
    await added(corin, { title: 'Of corporate contacts', visibility: 'corporate' });
    const tax = await added(corin, { title: 'Of billing', type: 'tax', visibility: 'billing' });
    const [bill, tess, tilda] = await Promise.all([portal.as('bill', { mfa: false }), portal.as('tess'), portal.as('tilda')]);
    expect(await titlesOf(corin)).toEqual(['For all', 'Of billing', 'Of corporate contacts']);
    expect(await titlesOf(bill)).toEqual(['For all', 'Of billing']);
    expect(await titlesOf(tilda)).toEqual(['For all', 'Of billing']);
    expect(await titlesOf(tess)).toEqual(['For all']);
    await stella(api.staff.startVisit, { accountName: account });
    expect(await titlesOf(stella)).toEqual(['For all', 'Of billing', 'Of corporate contacts']);
    await stella(api.staff.endVisit, {});
    expect((await bill(api.documents.openDocument, { account, documentId: tax.documentId })).status).toBe(200);
    expect(await tess(api.documents.openDocument, { account, documentId: tax.documentId })).toMatchObject({
      status: 404,
      errors: [{ message: 'The document wasn’t found' }],
    });
    expect((await (await portal.as('olive'))(api.documents.openDocument, { account, documentId: tax.documentId })).status).toBe(404);
    // Not through another account of the same person either.
    expect((await corin(api.documents.openDocument, { account: 'SOUTHSITE-NZ', documentId: tax.documentId })).status).toBe(404);
  });

  test('a file uploaded by one person can’t be used by another, and no file is used twice', async () => {
    const documentId = await sentFile(await portal.as('tess'));
    const add = () => corin(api.documents.addDocument, { account, body: { ...aDocument, documentId } });
    expect(await add()).toMatchObject({ status: 404, errors: [{ message: 'The file wasn’t found' }] });
    const own = await added(corin);
    expect((await corin(api.documents.addDocument, { account, body: { ...aDocument, documentId: own.documentId } })).status).toBe(404);
  });

  test('a document sent twice with one key is stored once', async () => {
    const documentId = await sentFile(corin);
    const add = () =>
      corin(
        api.documents.addDocument,
        { account, body: { ...aDocument, documentId, title: 'Once' } },
        { idempotencyKey: 'form-documents' },
      );
    const answers = await Promise.all([add(), add()]);
    expect(answers.map(({ status, data }) => [status, data?.documentId])).toEqual([
      [200, documentId],
      [200, documentId],
    ]);
    expect((await titlesOf(corin)).filter(title => title === 'Once')).toHaveLength(1);
  });

  test('a contact who may not change the organisation can’t add documents; invalid values are reported', async () => {
    const tess = await portal.as('tess');
    const documentId = await sentFile(tess);
    expect((await tess(api.documents.addDocument, { account, body: { ...aDocument, documentId } })).status).toBe(403);
    const mine = await sentFile(corin);
    for (const [wrong, field, words] of [
      [{ title: '' }, 'title', ''],
      [{ title: 'two\nlines' }, 'title', 'Enter one line'],
      [{ type: 'SECRET' }, 'type', 'Choose one of'],
      [{ visibility: 'EVERYBODY' }, 'visibility', 'Choose one of'],
      [{ validUntil: '2026-02-31' }, 'validUntil', 'Enter a date'],
    ] as const)
      expect(
        await corin(api.documents.addDocument, { account, body: { ...aDocument, documentId: mine, ...wrong } as never }),
      ).toMatchObject({
        status: 400,
        errors: [{ field, message: expect.stringContaining(words) }],
      });
  });

  test('a title in any script, or one that looks like markup or a formula, stays unchanged', async () => {
    for (const title of ['<img src=x onerror=alert(1)>', '=HYPERLINK("http://x")', '定款（写し）', 'شهادة التسجيل'])
      expect((await added(corin, { title })).title).toBe(title);
  });

  test('an address can be reused within its minute by its recipient, and every opening is logged', async () => {
    const { documentId, sha256 } = await added(corin, { title: 'Opened' });
    const opened = (await corin(api.documents.openDocument, { account, documentId })).data!;
    expect(await portal.lastActivity()).toMatchObject({
      action: 'documents.openDocument',
      accountName: account,
      details: { document: 'Opened', file: 'paper.pdf', sha256 },
    });
    const asked = (name: string) =>
      portal.tokenOf(name).then(token => portal.request(`/api/files/${opened.address}`, { headers: { authorization: `Bearer ${token}` } }));
    const answer = await asked('corin');
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': 'attachment; filename="paper.pdf"',
      'x-content-type-options': 'nosniff',
    });
    expect(await answer.text()).toContain('%PDF');
    expect((await asked('tess')).status).toBe(404);
    expect((await asked('stella')).status).toBe(404);
    expect((await portal.request(`/api/files/${opened.address}`)).status).toBe(401);
    const token = await portal.tokenOf('corin');
    for (const forged of [
      opened.address.replace(`document-${documentId}-`, `document-${Number(documentId) - 1}-`),
      `${opened.address.slice(0, -1)}${opened.address.endsWith('A') ? 'B' : 'A'}`.replace(
        /-(\d{10})-/,
        (_, until: string) => `-${Number(until) + 600}-`,
      ),
      '../../etc/passwd',
      'document-1-1-x',
    ]) {
      const refused = await portal.request(`/api/files/${encodeURIComponent(forged)}`, { headers: { authorization: `Bearer ${token}` } });
      expect(refused.status).toBe(404);
    }
  });

  test('a name in another script is sent in UTF-8, with an ASCII name for clients that cannot read it', async () => {
    const documentId = await sentFile(corin, { fileName: '定款 "写し".pdf' });
    const { address } = (await corin(api.files.openOwnFile, { documentId })).data!;
    const answer = await portal.request(`/api/files/${address}`, { headers: { authorization: `Bearer ${await portal.tokenOf('corin')}` } });
    expect(answer.headers.get('content-disposition')).toBe(
      `attachment; filename="__ __.pdf"; filename*=UTF-8''%E5%AE%9A%E6%AC%BE%20%E5%86%99%E3%81%97.pdf`,
    );
    // A file outside of any account is open to its sender only.
    expect((await (await portal.as('tess'))(api.files.openOwnFile, { documentId })).status).toBe(404);
  });

  test('a former contact gets nothing more, whatever address they hold', async () => {
    const { documentId } = await added(corin, { visibility: 'all-contacts' });
    const bill = await portal.as('bill', { mfa: false });
    const { address } = (await bill(api.documents.openDocument, { account, documentId })).data!;
    const set = (status: 'active' | 'removed') =>
      portal.db.change(activity, change =>
        change.updateTable('contact').set({ status }).where('email', '=', 'bill@example-au.example').execute(),
      );
    await set('removed');
    expect((await bill(api.files.downloadFile, { address })).status).toBe(404);
    await set('active');
    expect((await bill(api.files.downloadFile, { address })).status).toBe(200);
  });

  test('registry staff sends an agreement; a corporate contact reads it, signs it with a second factor, and it is kept', async () => {
    const documentId = await sentFile(stella, { fileName: 'membership agreement.pdf' });
    const sent = await stella(api.documents.addStaffDocument, {
      accountName: account,
      body: { documentId, title: 'Membership agreement 2027', type: 'agreement', visibility: 'corporate', toSign: true },
    });
    expect(sent).toMatchObject({ status: 200, data: { signature: 'to-sign', uploadedBy: 'Stella Kowalski' } });
    expect(await mailTo('corin', 'needs your signature')).toMatchObject({
      subject: 'EXAMPLE-AU: “Membership agreement 2027” needs your signature',
    });
    const [first] = (await corin(api.documents.listDocuments, { account })).data!.rows;
    expect(first).toMatchObject({ documentId, signature: 'to-sign', uploadedBy: 'Registry staff', opened: false });

    const sign = (person: Person, sha256 = first!.sha256) => person(api.documents.signDocument, { account, documentId, body: { sha256 } });
    expect(await sign(corin)).toMatchObject({ status: 409, errors: [{ code: 'NOT_READ' }] });
    await corin(api.documents.openDocument, { account, documentId });
    expect(await sign(await portal.as('tess'))).toMatchObject({ status: 403, errors: [{ code: 'CORPORATE_ONLY' }] });
    expect(await sign(await portal.as('corin', { mfa: false }))).toMatchObject({ status: 401, errors: [{ code: 'MFA_REQUIRED' }] });
    expect(await sign(corin, '0'.repeat(64))).toMatchObject({ status: 412 });
    const answers = await Promise.all([sign(corin), sign(corin)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 200)!.data).toMatchObject({ signature: 'signed', signedBy: 'Corin Achterberg' });
    expect(await mailTo('corin', 'was signed')).toMatchObject({
      subject: 'EXAMPLE-AU: “Membership agreement 2027” was signed',
      body: expect.stringContaining(first!.sha256),
    });
    // The signed document stays.
    expect((await stella(api.documents.deleteDocument, { documentId, body: { reason: 'x' } })).status).toBe(409);
    expect(await sign(corin)).toMatchObject({ status: 409, errors: [{ code: 'NOTHING_TO_SIGN' }] });
  });

  test('only registry staff deletes, with a reason the contacts read', async () => {
    const { documentId } = await added(corin, { title: 'Wrong paper' });
    const remove = (person: Person, reason: string) => person(api.documents.deleteDocument, { documentId, body: { reason } });
    expect((await remove(corin, 'x')).status).toBe(404);
    expect((await remove(stella, '')).status).toBe(400);
    expect((await remove(stella, 'It is of another member')).status).toBe(204);
    expect(await titlesOf(corin)).not.toContain('Wrong paper');
    expect((await corin(api.documents.openDocument, { account, documentId })).status).toBe(404);
    expect((await mailTo('corin', 'deleted “Wrong paper”'))!.body).toContain('It is of another member');
    expect((await remove(stella, 'again')).status).toBe(404);
  });

  test('registry staff see any account’s documents at the desk, without a visit', async () => {
    const { documentId } = await added(corin, { title: 'Seen from the desk' });
    const listed = (await stella(api.documents.listStaffDocuments, { accountName: account })).data!.rows;
    expect(listed.find(row => row.documentId === documentId)).toMatchObject({
      title: 'Seen from the desk',
      uploadedBy: 'Corin Achterberg',
      opened: false,
    });
    expect((await stella(api.documents.listStaffDocuments, { accountName: 'GONE-VU' })).status).toBe(200);
    expect(await stella(api.documents.listStaffDocuments, { accountName: 'NEVER-WAS' })).toMatchObject({
      status: 404,
      errors: [{ message: 'Account NEVER-WAS wasn’t found' }],
    });
  });

  test('staff who are contacts of a member can’t send it documents as the registry', async () => {
    const login = await portal.db.read.selectFrom('login').selectAll().where('username', '=', 'stella').executeTakeFirstOrThrow();
    await portal.db.change(activity, change =>
      addContact(change, {
        accountName: 'KELP-WS',
        loginId: login.loginId,
        fullName: 'S',
        email: login.email,
        contactTypes: ['technical'],
      }),
    );
    const documentId = await sentFile(stella);
    expect(
      await stella(api.documents.addStaffDocument, { accountName: 'KELP-WS', body: { ...aDocument, documentId, toSign: false } }),
    ).toMatchObject({ status: 403, errors: [{ code: 'OWN_REQUEST' }] });
    expect(
      (await stella(api.documents.addStaffDocument, { accountName: 'NEVER-WAS', body: { ...aDocument, documentId, toSign: false } }))
        .status,
    ).toBe(404);
  });

  test('a contact gets a certificate of membership as a PDF with a code; anyone can check it, and sees changes of the membership since', async () => {
    const bill = await portal.as('bill', { mfa: false });
    const issued = (await bill(api.documents.issueCertificate, { account })).data!;
    expect(issued.code).toMatch(/^[0-9A-Z]{4}(-[0-9A-Z]{4}){3}$/);
    const { fileName, blob } = (await bill(api.files.downloadFile, { address: issued.address })).data!;
    const pdf = Buffer.from(await blob.arrayBuffer()).toString('latin1');
    expect(fileName).toMatch(/^certificate-EXAMPLE-AU-\d{4}-\d\d-\d\d\.pdf$/);
    expect(pdf).toMatch(/^%PDF-1\.7/);
    for (const mark of ['/Marked true', '/Lang (en)', '/DisplayDocTitle true', '/StructTreeRoot', `code ${issued.code}`])
      expect(pdf).toContain(mark);

    const page = async (typed: string) => {
      const answer = await portal.request(`/certificates/${encodeURIComponent(typed)}`);
      return { status: answer.status, text: await answer.text() };
    };
    const found = await page(issued.code.toLowerCase().replaceAll('-', ' '));
    expect(found.status).toBe(200);
    expect(found.text).toContain('Example Networks Pty Ltd');
    expect(found.text).toContain('membership is valid today');
    for (const wrong of ['0000-0000-0000-0000', '<script>alert(1)</script>', 'x']) {
      const none = await page(wrong);
      expect(none.status).toBe(404);
      expect(none.text).not.toContain('<script>');
    }
    await portal.db.change(activity, change =>
      change.updateTable('account').set({ accountStatus: 'suspended', orgName: 'Renamed' }).where('accountName', '=', account).execute(),
    );
    expect((await page(issued.code)).text).toContain('The membership isn’t valid today');
    expect((await page(issued.code)).text).toContain('Renamed');
    expect(await bill(api.documents.issueCertificate, { account })).toMatchObject({ status: 403, errors: [{ code: 'ACCOUNT_SUSPENDED' }] });
  });
});

test('an address expires after a minute', async () => {
  const { fileAddress, readFileAddress } = await import('./file-address.ts');
  const secrets = { secretKey: 'a'.repeat(32), secretKeyOld: '' };
  const now = new Date('2026-11-21T10:00:00Z');
  const { address, expiresAt } = fileAddress(secrets, { what: 'document', id: '7' }, 'login-1', now);
  const after = (seconds: number) => new Date(now.getTime() + seconds * SECOND_MS);
  expect(expiresAt).toBe('2026-11-21T10:01:00.000Z');
  expect(readFileAddress(secrets, address, 'login-1', after(60))).toEqual({ what: 'document', id: '7' });
  expect(readFileAddress(secrets, address, 'login-1', after(61))).toBe('expired');
  expect(readFileAddress(secrets, address, 'login-2', now)).toBeNull();
  expect(readFileAddress({ ...secrets, secretKey: 'b'.repeat(32) }, address, 'login-1', now)).toBeNull();
  expect(readFileAddress({ secretKey: 'b'.repeat(32), secretKeyOld: secrets.secretKey }, address, 'login-1', now)).toMatchObject({
    id: '7',
  });
});

describe.each(kinds)('the store of files on %s', kind => {
  let portal: TestPortal;
  let corin: Person;
  beforeAll(async () => {
    portal = await testPortal(kind);
    corin = await portal.as('corin');
  });
  afterAll(() => portal[Symbol.asyncDispose]());

  test('two concurrent uploads of the same content share one stored file', async () => {
    const nadia = await portal.as('nadia');
    const bytes = samplePdf('the same');
    const answers = await Promise.all([upload(corin, bytes, 'a.pdf'), upload(nadia, bytes, 'b.pdf'), upload(corin, bytes, 'c.pdf')]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(answers.map(({ data }) => data!.documentId)).size).toBe(3);
    expect(await keptIn(portal)).toEqual([answers[0]!.data!.sha256]);
  });

  test('an unused file is deleted after a day, content without a row after an hour; used files stay', async () => {
    const used = await added(corin);
    const unused = (await upload(corin, samplePdf('unused'), 'u.pdf')).data!;
    const deleted = await added(corin, { title: 'Deleted' });
    await (await portal.as('stella'))(api.documents.deleteDocument, { documentId: deleted.documentId, body: { reason: 'x' } });
    const store = storeOf(portal);
    const lost = await store.receive([randomBytes(100)] as never, { largest: 1000, firstBytes: () => {} });
    await lost.keep();
    const now = new Date();
    const later = (hours: number) => new Date(now.getTime() + hours * HOUR_MS);
    await sweep(portal, now);
    expect((await keptIn(portal)).length).toBeGreaterThanOrEqual(4);
    await sweep(portal, later(2));
    const kept = await keptIn(portal);
    expect(kept).toContain(used.sha256);
    expect(kept).toContain(unused.sha256);
    for (const gone of [deleted.sha256, lost.sha256]) expect(kept).not.toContain(gone);
    await sweep(portal, later(25));
    expect(await keptIn(portal)).toEqual([used.sha256]);
    expect((await corin(api.files.openOwnFile, { documentId: unused.documentId })).status).toBe(404);
    expect((await corin(api.documents.openDocument, { account, documentId: used.documentId })).status).toBe(200);
    expect(await verifyFiles(portal.db.read, store, keptFiles)).toEqual({ files: 1, problems: [] });
  });

  test('a kind of file declared by a module is kept while its row needs it, verified and backed up', async () => {
    await using own = await testPortal(kind);
    const store = storeOf(own);
    const keep = async (text: string): Promise<string> => {
      const file = await store.receive([Buffer.from(text)] as never, { largest: 1000, firstBytes: () => {} });
      await file.keep();
      return file.sha256;
    };
    const [needed, withdrawn, orphan] = [await keep('A signed ROA archive'), await keep('A withdrawn archive'), await keep('Of no module')];
    const later = new Date(Date.now() + 48 * HOUR_MS);
    await own.db.change(activity, async tx => {
      await sql`create table roa_archive (name text primary key, sha256 text not null references stored_file, withdrawn boolean not null)`.execute(
        tx,
      );
      for (const sha256 of [needed, withdrawn, orphan])
        await sql`insert into stored_file (sha256, bytes, kind, stored_at, checked) values (${sha256}, 20, 'pdf', now(), 'not-checked')`.execute(
          tx,
        );
      await sql`insert into roa_archive values ('november', ${needed}, false), ('october', ${withdrawn}, true)`.execute(tx);
    });
    // No kind declares it: nothing is deleted, and the log names the table.
    expect(await sweep(own, later)).toEqual([expect.stringContaining('roa_archive')]);
    expect((await keptIn(own)).toSorted()).toEqual([needed, withdrawn, orphan].toSorted());

    const archives: KeptFiles = {
      table: 'roa_archive',
      rows: sql`select sha256, 'ROA archive ' || name as whose, not withdrawn as needed from roa_archive`,
    };
    const kinds = [...keptFiles, archives];
    const lines = await sweep(own, later, kinds);
    expect((await keptIn(own)).toSorted()).toEqual([needed, orphan].toSorted());
    // Stored content of no known kind is kept, and logged.
    expect(lines).toEqual([expect.stringContaining(orphan)]);
    expect(await verifyFiles(own.db.read, store, kinds)).toEqual({ files: 1, problems: [] });
    await store.remove(needed);
    expect((await verifyFiles(own.db.read, store, kinds)).problems).toEqual([
      expect.stringContaining('The content of ROA archive november is missing'),
    ]);
  });

  test('every table that refers to stored files is declared', async () => {
    const rows = await portal.db.read.rows<{ name: string }>(sql`select distinct c.relname::text as name
      from pg_constraint k join pg_class c on c.oid = k.conrelid where k.confrelid = 'stored_file'::regclass order by 1`);
    expect(rows.map(({ name }) => name)).toEqual(keptFiles.map(({ table }) => table).toSorted());
  });

  test('a check of the registry names what is missing or was changed; a backup has the files, and a restore puts them back', async () => {
    const [first, second] = [await added(corin), await added(corin)];
    const store = storeOf(portal);
    const before = (await verifyFiles(portal.db.read, store, keptFiles)).files;
    expect(before).toBeGreaterThanOrEqual(2);
    const backup = path.join(portal.config.filesDir, 'test.backup');
    expect(await backUpFiles(portal.db.read, { store, kinds: keptFiles, backup })).toEqual({ files: before, missing: [] });
    await store.remove(first.sha256);
    const place = path.join(portal.config.filesDir, second.sha256.slice(0, 2), second.sha256);
    await writeFile(place, 'something else');
    await utimes(place, 0, 0);
    const { files, problems } = await verifyFiles(portal.db.read, store, keptFiles);
    expect(files).toBe(before);
    expect(problems).toHaveLength(2);
    expect(problems).toContainEqual(expect.stringMatching(new RegExp(`document ${first.documentId} .* is missing`)));
    expect(problems).toContainEqual(expect.stringMatching(new RegExp(`document ${second.documentId} .* was changed: 14 bytes`)));
    expect(await restoreFiles(store, backup)).toEqual({ files: before, problems: [] });
    expect(await verifyFiles(portal.db.read, store, keptFiles)).toEqual({ files: before, problems: [] });
  });

  test('a damaged file is not copied into a backup, which has all others, and one damaged in the backup replaces nothing', async () => {
    const corin = await portal.as('corin');
    const [first, second] = [await added(corin), await added(corin)];
    const store = storeOf(portal);
    const before = (await verifyFiles(portal.db.read, store, keptFiles)).files;
    const backup = path.join(portal.config.filesDir, 'damaged.backup');
    const bytes = await readFile(store.where(first.sha256));
    await writeFile(store.where(first.sha256), 'something else');
    expect(await backUpFiles(portal.db.read, { store, kinds: keptFiles, backup })).toEqual({
      files: before - 1,
      missing: [expect.stringMatching(new RegExp(`^${first.sha256} \\(.* was changed: 14 bytes`))],
    });
    expect(await readdir(`${backup}.files`)).toHaveLength(before - 1);
    await writeFile(store.where(first.sha256), bytes);
    const copy = path.join(`${backup}.files`, second.sha256);
    await writeFile(copy, 'half');
    // What is intact here needs no copy; what isn't can't be had from a damaged one.
    expect(await restoreFiles(store, backup)).toEqual({ files: before - 1, problems: [] });
    await store.remove(second.sha256);
    expect(await restoreFiles(store, backup)).toEqual({
      files: before - 2,
      problems: [expect.stringContaining(`${copy} was not put back: its content was changed`)],
    });
    expect(await store.inspect(second.sha256)).toBeNull();
  });
});
