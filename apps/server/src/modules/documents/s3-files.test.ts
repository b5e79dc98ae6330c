import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { api } from '@portal/contract/api';
import { HOUR_MS } from '@portal/contract/days';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kindsForRules, type TestPortal, testPortal } from '../../../test/portal.ts';
import { startS3Service } from '../../../test/file-bucket.ts';
import { samplePdf, sentFile } from '../../../test/sample-files.ts';
import { s3Bucket, StoreAway } from '../../adapters/s3.ts';
import { readConfig } from '../../config.ts';
import { keptFiles } from '../../kept-files.ts';
import { createLog } from '../../platform/log.ts';
import { fileStorage, fileStoresOf, moveFiles, openFileStore, openFiles, requireFileStorage, verifyFiles } from './index.ts';

const account = 'EXAMPLE-AU';
const silent = createLog('silent');
const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const keyOf = (sha256: string): string => `${sha256.slice(0, 2)}/${sha256}`;
const PIECE = 65_536;
async function* inPieces(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let offset = 0; offset < bytes.length; offset += PIECE) yield bytes.subarray(offset, offset + PIECE);
}
const anyFile = { largest: 50_000_000, firstBytes: () => {} };
async function kept(store: ReturnType<typeof openFileStore>, bytes: Buffer): Promise<string> {
  const incoming = await store.receive(inPieces(bytes), anyFile);
  await incoming.keep();
  return incoming.sha256;
}
const bytesOf = async (chunks: AsyncIterable<Uint8Array> | null): Promise<Buffer | null> => {
  if (!chunks) return null;
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
};
const listed = async (store: ReturnType<typeof openFileStore>): Promise<string[]> => {
  const all: string[] = [];
  for await (const sha256 of store.list()) all.push(sha256);
  return all.toSorted();
};

let service: Awaited<ReturnType<typeof startS3Service>>;
let folder: string;
beforeAll(async () => {
  service = await startS3Service();
  folder = await mkdtemp(path.join(os.tmpdir(), 'portal-s3-files-'));
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});
/** Settings with files in the bucket, and a disk of its own. */
const configOf = (more: Record<string, string> = {}) =>
  readConfig({ DATA_DIR: path.join(folder, crypto.randomUUID()), ...service.settings, ...more });

describe('settings of a bucket', () => {
  test.each([
    [{ FILES_STORE: 's3', FILES_S3_URL: '' }, 'FILES_STORE=s3 needs the address'],
    [{ FILES_S3_URL: '' }, 'need the address of the service in FILES_S3_URL'],
    [{ FILES_S3_BUCKET: '' }, 'FILES_S3_BUCKET ("") must name a bucket'],
    [{ FILES_S3_BUCKET: 'a/b' }, 'must name a bucket'],
    [{ FILES_S3_SECRET: '' }, 'needs a key'],
    [{ FILES_S3_URL: 'https://key:secret@s3.example' }, 'FILES_S3_URL is an address alone'],
    [{ SANDBOX: 'yes' }, 'SANDBOX=yes keeps its files on disk'],
  ])('%j are refused with a sentence', (more, words) => {
    expect(() => configOf(more)).toThrow(words);
  });

  test('a bucket that is not there and a wrong key are refused at the start', async () => {
    await requireFileStorage(configOf(), silent);
    await expect(requireFileStorage(configOf({ FILES_S3_BUCKET: 'other' }), silent)).rejects.toThrow(
      'There is no bucket other at http://127.0.0.1:',
    );
    await expect(requireFileStorage(configOf({ FILES_S3_KEY_ID: 'wrong' }), silent)).rejects.toThrow('refuses the key (403');
  });

  test('a service that does not answer does not stop the start, and is logged', async () => {
    const lines: string[] = [];
    await requireFileStorage(
      configOf({ FILES_S3_URL: 'http://127.0.0.1:9' }),
      createLog('error', line => lines.push(line)),
    );
    expect(lines).toEqual([expect.stringContaining('the store of files does not answer; everything but files works')]);
  });
});

describe('a store in a bucket', () => {
  test.each([0, 1, 1_000_000, 1_048_577, 5_000_000])('keeps %d bytes under their SHA-256, and reads them back', async bytes => {
    const content = randomBytes(bytes);
    const store = openFiles(configOf());
    const sha256 = await kept(store, content);
    expect(sha256).toBe(sha256Of(content));
    expect((await bytesOf(await store.read(sha256)))!.equals(content)).toBe(true);
    expect(await store.inspect(sha256)).toEqual({ bytes, sha256 });
    expect(await listed(store)).toContain(sha256);
    const copy = path.join(folder, 'copy');
    expect(await store.copyTo(sha256, copy)).toBe(true);
    expect((await readFile(copy)).equals(content)).toBe(true);
    await store.remove(sha256);
    expect(await store.read(sha256)).toBeNull();
    expect(await store.inspect(sha256)).toBeNull();
    expect(await store.copyTo(sha256, copy)).toBe(false);
  });

  test('lists more than one answer of the service holds', async () => {
    const s3 = s3Bucket({ ...bucketOf(), bucket: 'files' });
    const names = Array.from({ length: 1_003 }, (_, index) => `many/${String(index).padStart(5, '0')}`);
    for (let offset = 0; offset < names.length; offset += 50)
      await Promise.all(names.slice(offset, offset + 50).map(key => s3.put(key, new Blob(['x']), sha256Of(Buffer.from('x')))));
    const found: string[] = [];
    for await (const { key } of s3.list('many/')) found.push(key);
    expect(found).toEqual(names);
    for (const key of names) await s3.remove(key);
  });

  test.each([
    ['a short file', 1000],
    ['a long file', 3_000_000],
  ])('%s whose bytes were changed is never read to its end', async (_, bytes) => {
    const store = openFiles(configOf());
    const content = randomBytes(bytes);
    const sha256 = await kept(store, content);
    content[bytes - 1]! ^= 1;
    await writeFile(service.fileOf(keyOf(sha256)), content);
    const chunks = (await store.read(sha256))!;
    let read = 0;
    await expect(
      (async () => {
        for await (const chunk of chunks) read += chunk.length;
      })(),
    ).rejects.toThrow(`/files/${keyOf(sha256)} was changed: ${bytes} bytes`);
    expect(read).toBeLessThan(bytes < 1_000_000 ? 1 : bytes);
    await expect(store.copyTo(sha256, path.join(folder, 'damaged'))).rejects.toThrow('was changed');
    await store.remove(sha256);
  });

  test('a sweep takes out what no row needs for an hour, and deletes it at a later one; what is named meanwhile comes back', async () => {
    const store = openFiles(configOf());
    const [needed, gone, raced] = [
      await kept(store, randomBytes(100)),
      await kept(store, randomBytes(100)),
      await kept(store, randomBytes(100)),
    ];
    const names = new Set([needed]);
    const isNamed = async (sha256: string): Promise<boolean> => names.has(sha256);
    const long = new Date(Date.now() + 2 * HOUR_MS);
    await store.sweep(isNamed, new Date());
    expect(await listed(store)).toEqual(expect.arrayContaining([needed, gone, raced]));
    await store.sweep(isNamed, long);
    expect(await listed(store)).toEqual([needed]);
    // Stored again while the sweep deleted it: its row comes now, and it is read all the same.
    names.add(raced);
    expect(await store.inspect(raced)).toMatchObject({ sha256: raced });
    await store.sweep(isNamed, long);
    expect(await listed(store)).toEqual([needed, raced].toSorted());
    expect(await store.inspect(gone)).toBeNull();
    for (const sha256 of names) await store.remove(sha256);
  });

  test('the service sends no more than the reader takes', async () => {
    const store = openFiles(configOf(service.linkSettings));
    const sha256 = await kept(store, randomBytes(20_000_000));
    service.link.passed = 0;
    const chunks = (await store.read(sha256))![Symbol.asyncIterator]();
    await chunks.next();
    let before = -1;
    const isStill = (): boolean => {
      const same = before === service.link.passed;
      before = service.link.passed;
      return same;
    };
    await expect.poll(isStill, { interval: 200, timeout: 10_000 }).toBe(true);
    expect(service.link.passed).toBeLessThan(12_000_000);
    await chunks.return!();
    await store.remove(sha256);
  });

  test('a service that says nothing is away after its time, and is left alone for a moment', async () => {
    const s3 = s3Bucket({ ...bucketOf(service.linkSettings), bucket: 'files' }, { patienceMs: 100, pauseMs: 300 });
    service.link.isHeld = true;
    await expect(s3.get('a')).rejects.toThrow(StoreAway);
    service.link.isHeld = false;
    await expect(s3.get('a')).rejects.toThrow(StoreAway);
    await expect.poll(() => s3.get('a').catch((error: unknown) => error)).toBeNull();
  });
});

const bucketOf = (settings: Record<string, string> = service.settings) => ({
  url: settings['FILES_S3_URL']!,
  region: 'us-east-1',
  keyId: 'S3RVER',
  secret: 'S3RVER',
});

describe('moving files', () => {
  test('files move from disk to the bucket and back while they are read, and a move that broke off goes on', async () => {
    const environment = { DATA_DIR: path.join(folder, 'moving'), ...service.settings };
    const disk = openFileStore(readConfig(environment).filesDir);
    const contents = Array.from({ length: 30 }, () => randomBytes(20_000));
    for (const content of contents) await kept(disk, content);
    const names = contents.map(sha256Of).toSorted();
    const reading = openFiles(readConfig(environment));
    let moved = false;
    const readAll = async (): Promise<number> => {
      let rounds = 0;
      for (; rounds === 0 || !moved; rounds++)
        for (const content of contents) expect((await bytesOf(await reading.read(sha256Of(content))))?.equals(content)).toBe(true);
      return rounds;
    };
    const move = async (config: ReturnType<typeof readConfig>, breakOffAt: number) => {
      const { to, from } = fileStoresOf(config);
      return moveFiles({ to, from: from! }, files => {
        if (files === breakOffAt) throw new Error('killed');
      });
    };
    const toBucket = readConfig(environment);
    const readers = readAll();
    await expect(move(toBucket, 10)).rejects.toThrow('killed');
    expect(await move(toBucket, 0)).toEqual({ files: 20, problems: [] });
    moved = true;
    expect(await readers).toBeGreaterThan(0);
    expect(await listed(disk)).toEqual([]);
    expect(await listed(reading)).toEqual(names);

    const toDisk = readConfig({ ...environment, FILES_STORE: 'disk' });
    expect(await move(toDisk, 0)).toEqual({ files: 30, problems: [] });
    expect(await listed(disk)).toEqual(names);
    expect(await listed(fileStoresOf(toDisk).from!)).toEqual([]);
  });

  test('what is damaged is named and stays where it is', async () => {
    const config = readConfig({ DATA_DIR: path.join(folder, 'damaged-move'), ...service.settings });
    const { to, from } = fileStoresOf(config);
    const [good, bad] = [await kept(from!, randomBytes(50)), await kept(from!, randomBytes(50))];
    await writeFile(from!.where(bad), 'something else');
    expect(await moveFiles({ to, from: from! })).toEqual({
      files: 1,
      problems: [`${from!.where(bad)} was not moved: its content is not what its name says.`],
    });
    expect(await listed(from!)).toEqual([bad]);
    expect(await to.inspect(bad)).toBeNull();
    await to.remove(good);
  });
});

describe.each(kindsForRules)('a registry with its files in a bucket: %s', kind => {
  let portal: TestPortal;
  let corin: Awaited<ReturnType<TestPortal['as']>>;
  let origin: { port: number; headers: Record<string, string> };
  beforeAll(async () => {
    portal = await testPortal(kind, service.settings);
    corin = await portal.as('corin');
    await portal.http.listen({ port: 0, host: '127.0.0.1' });
    origin = {
      port: (portal.http.server.address() as AddressInfo).port,
      headers: { host: 'portal.test', authorization: `Bearer ${await portal.tokenOf('corin')}` },
    };
  });
  afterAll(() => portal[Symbol.asyncDispose]());

  const aDocument = async (bytes: Buffer): Promise<string> => {
    const documentId = await sentFile(corin, { bytes });
    await corin(api.documents.addDocument, { account, body: { title: 'A paper', type: 'other', visibility: 'corporate', documentId } });
    return documentId;
  };
  const download = async (documentId: string, headers: Record<string, string> = {}) => {
    const opened = (await corin(api.documents.openDocument, { account, documentId })).data!;
    const url = `/api/files/${opened.address}`;
    return new Promise<{ status: number; headers: http.IncomingHttpHeaders; body: Buffer; isWhole: boolean }>((resolve, reject) => {
      http
        .get({ ...origin, host: '127.0.0.1', path: url, agent: false, headers: { ...origin.headers, ...headers } }, answer => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('error', () => {});
          answer.on('close', () =>
            resolve({ status: answer.statusCode!, headers: answer.headers, body: Buffer.concat(chunks), isWhole: answer.complete }),
          );
        })
        .on('error', reject);
    });
  };

  test('a document is stored there, downloaded whole and in parts, and verified', async () => {
    const bytes = samplePdf('x', 300_000);
    const documentId = await aDocument(bytes);
    const sha256 = sha256Of(bytes);
    expect(await listed(openFileStore(portal.config.filesDir))).toEqual([]);
    const whole = await download(documentId);
    expect(whole).toMatchObject({
      status: 200,
      headers: { 'accept-ranges': 'bytes', etag: `"${sha256}"`, 'content-length': String(bytes.length) },
    });
    expect(whole.body.equals(bytes)).toBe(true);
    const last = bytes.length - 1;
    for (const [range, start, end] of [
      ['bytes=0-99', 0, 100],
      ['bytes=250000-', 250_000, bytes.length],
      ['bytes=-10', bytes.length - 10, bytes.length],
      [`bytes=${last}-${last + 50}`, last, bytes.length],
    ] as const) {
      const part = await download(documentId, { range, 'if-range': `"${sha256}"` });
      expect(part).toMatchObject({ status: 206, headers: { 'content-range': `bytes ${start}-${end - 1}/${bytes.length}` } });
      expect(part.body.equals(bytes.subarray(start, end))).toBe(true);
    }
    expect(await download(documentId, { range: `bytes=${bytes.length}-` })).toMatchObject({
      status: 416,
      headers: { 'content-range': `bytes */${bytes.length}` },
    });
    const ignored: Record<string, string>[] = [
      { range: 'bytes=9-5' },
      { range: 'pages=1-2' },
      { range: 'bytes=0-1,5-6' },
      { range: 'bytes=0-9', 'if-range': '"another"' },
    ];
    for (const headers of ignored) expect(await download(documentId, headers)).toMatchObject({ status: 200 });
    expect((await verifyFiles(portal.db.read, portal.context.outside(fileStorage), keptFiles)).problems).toEqual([]);
  });

  test('a document whose bytes were changed there is refused, whole and in part, and named by a check', async () => {
    const [short, long] = [samplePdf('y', 5_000), samplePdf('z', 3_000_000)];
    const documents = [
      { bytes: short, documentId: await aDocument(short) },
      { bytes: long, documentId: await aDocument(long) },
    ];
    for (const { bytes } of documents)
      await writeFile(service.fileOf(keyOf(sha256Of(bytes))), Buffer.concat([bytes.subarray(0, -1), Buffer.from('!')]));
    expect(await download(documents[0]!.documentId)).toMatchObject({ status: 500 });
    expect(await download(documents[0]!.documentId, { range: 'bytes=0-9' })).toMatchObject({ status: 500 });
    expect(await download(documents[1]!.documentId, { range: 'bytes=0-9' })).toMatchObject({ status: 500 });
    // Its beginning is on its way when the end turns out to be wrong: the browser sees that it broke off.
    const broken = await download(documents[1]!.documentId);
    expect(broken.isWhole).toBe(false);
    const { problems } = await verifyFiles(portal.db.read, portal.context.outside(fileStorage), keptFiles);
    expect(problems).toHaveLength(2);
    for (const { documentId } of documents)
      expect(problems).toContainEqual(expect.stringMatching(new RegExp(`document ${documentId} .* was changed`)));
    for (const { bytes } of documents) await writeFile(service.fileOf(keyOf(sha256Of(bytes))), bytes);
  });

  test('while the service is away files alone are refused, in words, and go on afterwards', async () => {
    const bytes = samplePdf('w', 4_000);
    const documentId = await aDocument(bytes);
    const before = (await corin(api.documents.listDocuments, { account })).data!.rows.length;
    await service.stop();
    const words = [{ code: 'FILES_UNAVAILABLE', message: expect.stringContaining('Everything else works') }];
    const refused = await download(documentId);
    expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
    expect(JSON.parse(refused.body.toString())).toMatchObject({ errors: words });
    expect(
      await corin(api.files.uploadFile, { query: { fileName: 'a.pdf' }, body: new Blob([new Uint8Array(samplePdf('v'))]) }),
    ).toMatchObject({
      status: 503,
      errors: words,
    });
    expect((await corin(api.documents.listDocuments, { account })).data!.rows).toHaveLength(before);
    await service.start();
    await expect.poll(async () => (await download(documentId)).status, { timeout: 15_000 }).toBe(200);
    await aDocument(samplePdf('v'));
    expect((await corin(api.documents.listDocuments, { account })).data!.rows).toHaveLength(before + 1);
  });

  test('files that were uploaded and never used are swept', async () => {
    const sha256 = sha256Of(samplePdf('unused'));
    const store = portal.context.outside(fileStorage);
    await kept(store, samplePdf('unused'));
    await utimes(service.fileOf(keyOf(sha256)), 0, 0);
    await store.sweep(async () => false, new Date(0));
    expect(await store.inspect(sha256)).not.toBeNull();
  });
});
