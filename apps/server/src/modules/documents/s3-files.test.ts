import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, open, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { api } from '@portal/contract/api';
import { HOUR_MS } from '@portal/contract/days';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { kindsForRules, type TestPortal, testPortal } from '../../../test/portal.ts';
import { startS3Service } from '../../../test/file-bucket.ts';
import { samplePdf, sentFile } from '../../../test/sample-files.ts';
import { s3Bucket, StoreAway } from '../../adapters/s3.ts';
import { readConfig } from '../../config.ts';
import { keptFiles } from '../../kept-files.ts';
import { isOutage } from '../../platform/each-alone.ts';
import { refuse } from '../../platform/failure.ts';
import { createLog } from '../../platform/log.ts';
import { OtherRegistry } from './bucket-owner.ts';
import { openS3FileStore } from './s3-file-store.ts';
import {
  bucketOwnerOf,
  backUpFiles,
  fileStorage,
  fileStoresOf,
  moveFiles,
  openFileStore,
  openFiles,
  requireFileStorage,
  sweepFiles,
  verifyFiles,
} from './index.ts';

const account = 'EXAMPLE-AU';
const silent = createLog('silent');
const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const keyOf = (sha256: string): string => `${sha256.slice(0, 2)}/${sha256}`;
/** The registry of the tests without a database, which knows all files. */
const owner = { identity: async () => 'ours', knowsAny: async () => true };
const namesIn = (names: ReadonlySet<string>) => async (sha256s: readonly string[]) => new Set(sha256s.filter(sha256 => names.has(sha256)));
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
    await requireFileStorage(configOf(), silent, owner);
    await expect(requireFileStorage(configOf({ FILES_S3_BUCKET: 'other' }), silent, owner)).rejects.toThrow(
      'There is no bucket other at http://127.0.0.1:',
    );
    await expect(requireFileStorage(configOf({ FILES_S3_KEY_ID: 'wrong' }), silent, owner)).rejects.toThrow('refuses the key (403');
  });

  test('a service that does not answer does not stop the start, and is logged', async () => {
    const lines: string[] = [];
    await requireFileStorage(
      configOf({ FILES_S3_URL: 'http://127.0.0.1:9' }),
      createLog('error', line => lines.push(line)),
      owner,
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
    let read = 0;
    await expect(
      (async () => {
        for await (const chunk of (await store.read(sha256))!) read += chunk.length;
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
    const sweep = (now: Date) => store.sweep({ owner, named: namesIn(names), now });
    const long = new Date(Date.now() + 2 * HOUR_MS);
    await sweep(new Date());
    expect(await listed(store)).toEqual(expect.arrayContaining([needed, gone, raced]));
    await sweep(long);
    expect(await listed(store)).toEqual([needed]);
    // Stored again while the sweep deleted it: its row comes now, and it is read all the same.
    names.add(raced);
    expect(await store.inspect(raced)).toMatchObject({ sha256: raced });
    await sweep(long);
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
      const { to, from, incoming } = fileStoresOf(config);
      return moveFiles({ to, from: from!, incoming }, files => {
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
    const { to, from, incoming } = fileStoresOf(config);
    const [good, bad] = [await kept(from!, randomBytes(50)), await kept(from!, randomBytes(50))];
    await writeFile(from!.where(bad), 'something else');
    expect(await moveFiles({ to, from: from!, incoming })).toEqual({
      files: 1,
      problems: [`${from!.where(bad)} was not moved: its content is not what its name says.`],
    });
    expect(await listed(from!)).toEqual([bad]);
    expect(await to.inspect(bad)).toBeNull();
    await to.remove(good);
  });
});

describe('what fails while files move', () => {
  test('a move back takes what a sweep has taken out, and does not take it for what is in the bucket', async () => {
    const environment = { DATA_DIR: path.join(folder, 'taken-out'), ...service.settings };
    const toBucket = fileStoresOf(readConfig(environment));
    const bytes = randomBytes(100);
    const sha256 = await kept(toBucket.to, bytes);
    await toBucket.to.sweep({ owner, named: namesIn(new Set()), now: new Date(Date.now() + 2 * HOUR_MS) });
    expect(await listed(toBucket.to)).toEqual([]);
    // It is on disk too: the copy that the sweep took out is not the one that stays.
    await kept(toBucket.from!, bytes);
    expect(await moveFiles({ ...toBucket, from: toBucket.from! })).toEqual({ files: 1, problems: [] });
    expect(await listed(toBucket.to)).toEqual([sha256]);
    await toBucket.to.sweep({ owner, named: namesIn(new Set()), now: new Date(Date.now() + 2 * HOUR_MS) });
    const toDisk = fileStoresOf(readConfig({ ...environment, FILES_STORE: 'disk' }));
    expect(await moveFiles({ ...toDisk, from: toDisk.from! })).toEqual({ files: 1, problems: [] });
    expect(await listed(toDisk.to)).toEqual([sha256]);
    expect(await toDisk.from!.inspect(sha256)).toBeNull();
  });

  test('content is on the disk, with its folder, before the move deletes it in the bucket', async () => {
    const { to, from, incoming } = fileStoresOf(configOf({ FILES_STORE: 'disk' }));
    await kept(from!, randomBytes(100));
    const handle = await open(folder);
    const sync = vi.spyOn(Object.getPrototypeOf(handle) as typeof handle, 'sync');
    await handle.close();
    const synced: number[] = [];
    const remove = async (sha256: string): Promise<void> => {
      synced.push(sync.mock.calls.length);
      await from!.remove(sha256);
    };
    try {
      await moveFiles({ to, from: { ...from!, remove }, incoming });
    } finally {
      sync.mockRestore();
    }
    // The file, its folder, and the folder of that.
    expect(synced).toEqual([3]);
  });

  test('a draft of a move is in the folder whose old drafts are swept', async () => {
    const { to, from, incoming } = fileStoresOf(configOf());
    await kept(from!, randomBytes(100));
    const drafts: string[] = [];
    const copyFrom = async (source: string, sha256: string): Promise<void> => {
      drafts.push(path.dirname(source));
      await to.copyFrom(source, sha256);
    };
    const moved = await listed(from!);
    await moveFiles({ from: from!, to: { ...to, copyFrom }, incoming });
    expect(drafts).toEqual([incoming]);
    expect(await sweptOf(incoming)).toBe(1);
    for (const sha256 of moved) await to.remove(sha256);
  });

  test('where one store fails the other is asked, and its failure is told only if the other has it not', async () => {
    const config = configOf({ FILES_S3_URL: 'http://127.0.0.1:9' });
    const disk = openFileStore(config.filesDir);
    const bytes = randomBytes(100);
    const sha256 = await kept(disk, bytes);
    const store = openFiles(config);
    expect((await bytesOf(await store.read(sha256)))!.equals(bytes)).toBe(true);
    expect(await store.inspect(sha256)).toEqual({ bytes: 100, sha256 });
    await expect(store.read('0'.repeat(64))).rejects.toMatchObject({ code: 'FILES_UNAVAILABLE' });
  });

  test('a file that is opened on disk is read to its end although it is moved meanwhile', async () => {
    const disk = openFileStore(configOf().filesDir);
    const bytes = randomBytes(100);
    const sha256 = await kept(disk, bytes);
    const opened = await disk.read(sha256);
    await disk.remove(sha256);
    expect((await bytesOf(opened))!.equals(bytes)).toBe(true);
  });

  test('a store of files that is away ends a run as an outage', () => {
    expect(isOutage(refuse('FILES_UNAVAILABLE'))).toBe(true);
    expect(isOutage(refuse('NOT_FOUND', { what: 'file' } as never))).toBe(false);
  });
});

/** How many drafts a sweep of a folder deletes that are older than an hour. */
async function sweptOf(incoming: string): Promise<number> {
  await writeFile(path.join(incoming, 'draft'), 'x');
  await utimes(path.join(incoming, 'draft'), 0, 0);
  return openFileStore(path.dirname(incoming)).sweep({ owner, named: namesIn(new Set()), now: new Date() });
}

describe('a service that answers oddly', () => {
  /** A service of these answers, in their order; the last one goes on. */
  async function answering(...answers: ((response: http.ServerResponse) => void)[]) {
    const asked: string[] = [];
    const server = http.createServer((request, response) => {
      request.resume();
      asked.push(`${request.method} ${request.url!.split('?')[0]}`);
      (answers.length > 1 ? answers.shift()! : answers[0]!)(response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return {
      url,
      asked,
      s3: s3Bucket({ url, bucket: 'files', region: 'any', keyId: 'a', secret: 'b' }, { patienceMs: 100, pauseMs: 1 }),
      async [Symbol.asyncDispose]() {
        server.closeAllConnections();
        server.close();
      },
    };
  }
  const saying = (status: number, text: string) => (response: http.ServerResponse) => void response.writeHead(status).end(text);
  const failed = '<?xml version="1.0"?><Error><Code>InternalError</Code></Error>';
  const list = (key: string, changedAt: string): string =>
    `<ListBucketResult><Contents><Key>${key}</Key>${changedAt && `<LastModified>${changedAt}</LastModified>`}</Contents></ListBucketResult>`;

  test('a copy that is answered 200 with an error is none', async () => {
    await using odd = await answering(saying(200, failed));
    await expect(odd.s3.copy('a', 'b')).rejects.toThrow('answered 200 to a copy, and then InternalError');
    await using well = await answering(saying(200, '  <CopyObjectResult></CopyObjectResult>'));
    expect(await well.s3.copy('a', 'b')).toBe(true);
  });

  test('a file that a row names again is deleted where it was taken out only once it is seen in its place', async () => {
    const sha256 = 'a'.repeat(64);
    await using odd = await answering(
      saying(200, 'ours'),
      saying(200, list(`removed/${sha256}`, '2020-01-01T00:00:00Z')),
      saying(404, ''),
      saying(200, '<CopyObjectResult></CopyObjectResult>'),
      saying(404, ''),
      saying(200, '<ListBucketResult></ListBucketResult>'),
    );
    const store = openS3FileStore(odd.s3, path.join(folder, 'odd'));
    expect(await store.sweep({ owner, named: namesIn(new Set([sha256])), now: new Date() })).toBe(0);
    expect(odd.asked).toContain(`PUT /files/aa/${sha256}`);
    expect(odd.asked.filter(each => each.startsWith('DELETE'))).toEqual([]);
  });

  test.each([
    [failed, 'answered 200 to a list, and then InternalError'],
    ['', 'answered 200 to a list'],
    [list('a', ''), 'without saying when it was stored'],
    [list('a', 'yesterday'), 'without saying when it was stored'],
  ])('a list that is %j is none', async (text, words) => {
    await using odd = await answering(saying(200, text));
    await expect(odd.s3.list('')[Symbol.asyncIterator]().next()).rejects.toThrow(words);
  });

  test.each([
    ['stalls', () => {}],
    [
      'drips',
      (response: http.ServerResponse) => {
        const drip = setInterval(() => response.write(' '), 30);
        response.on('close', () => clearInterval(drip));
      },
    ],
  ])('an answer about an error that %s ends in time', async (_, goOn) => {
    await using odd = await answering(response => {
      response.writeHead(403).write('<Error><Code>AccessDenied</Code>');
      goOn(response);
    });
    await expect(odd.s3.get('a')).rejects.toMatchObject({ status: 403, code: 'AccessDenied' });
  });

  test.each([
    [408, ''],
    [409, '<Error><Code>OperationAborted</Code></Error>'],
    [400, '<Error><Code>RequestTimeout</Code></Error>'],
  ])('%d %s is passing', async (status, text) => {
    await using odd = await answering(saying(status, text));
    await expect(odd.s3.get('a')).rejects.toThrow(StoreAway);
  });

  test('clocks that differ are told at the start', async () => {
    await using odd = await answering(saying(403, '<Error><Code>RequestTimeTooSkewed</Code></Error>'));
    await expect(requireFileStorage(configOf({ FILES_S3_URL: odd.url }), silent, owner)).rejects.toThrow('The clock of this machine');
  });
});

describe.each(kindsForRules)('a registry with its files in a bucket: %s', kind => {
  let portal: TestPortal;
  let corin: Awaited<ReturnType<TestPortal['as']>>;
  let origin: { port: number; headers: Record<string, string> };
  beforeAll(async () => {
    // Another database each time: the bucket is not its own yet.
    for (const store of [openFiles(configOf())]) for (const sha256 of await listed(store)) await store.remove(sha256);
    await s3Bucket({ ...bucketOf(), bucket: 'files' }).remove('registry');
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

  test('a registry of another database does not start with the bucket, and a sweep of its own deletes nothing there', async () => {
    const s3 = s3Bucket({ ...bucketOf(), bucket: 'files' });
    const store = portal.context.outside(fileStorage);
    const documentId = await aDocument(samplePdf('mine'));
    const other = { identity: async () => 'other', knowsAny: async () => false };
    // Nothing says yet whose the bucket is: a database that knows none of its files does not take it.
    await s3.remove('registry');
    await expect(requireFileStorage(portal.config, silent, other)).rejects.toThrow(OtherRegistry);
    await requireFileStorage(portal.config, silent, bucketOwnerOf(portal.db));
    // A start leaves nothing but the name of the owner, which stays.
    await requireFileStorage(portal.config, silent, bucketOwnerOf(portal.db));
    for await (const { key } of s3.list('probe/')) expect.fail(key);
    await expect(requireFileStorage(portal.config, silent, { ...other, knowsAny: async () => true })).rejects.toThrow(
      'has the files of another registry',
    );
    const long = new Date(Date.now() + 3 * HOUR_MS);
    const before = await listed(store);
    await expect(store.sweep({ owner: other, named: namesIn(new Set()), now: long })).rejects.toThrow(OtherRegistry);
    expect(await listed(store)).toEqual(before);
    for await (const { key } of s3.list('removed/')) expect.fail(key);
    await sweepFiles(portal.db, { store, kinds: keptFiles, now: long, log: silent });
    expect(await download(documentId)).toMatchObject({ status: 200 });
  });

  test('a part outside of a file costs the store nothing', async () => {
    const bytes = samplePdf('outside', 50_000);
    const documentId = await aDocument(bytes);
    const read = vi.spyOn(portal.context.outside(fileStorage), 'read');
    expect(await download(documentId, { range: `bytes=${bytes.length}-` })).toMatchObject({ status: 416 });
    expect(read).not.toHaveBeenCalled();
    read.mockRestore();
  });

  test('a damaged object is named in a backup, which has all others', async () => {
    const bytes = samplePdf('damaged in the bucket', 3_000_000);
    await aDocument(bytes);
    const sha256 = sha256Of(bytes);
    const store = portal.context.outside(fileStorage);
    const backup = path.join(folder, `${kind}.backup`);
    const { files } = await verifyFiles(portal.db.read, store, keptFiles);
    await writeFile(service.fileOf(keyOf(sha256)), Buffer.concat([bytes.subarray(0, -1), Buffer.from('!')]));
    expect(await backUpFiles(portal.db.read, { store, kinds: keptFiles, backup })).toEqual({
      files: files - 1,
      missing: [expect.stringContaining(sha256)],
    });
    expect(await readdir(`${backup}.files`)).toHaveLength(files - 1);
    await writeFile(service.fileOf(keyOf(sha256)), bytes);
  });

  test('files that were uploaded and never used are swept', async () => {
    const sha256 = sha256Of(samplePdf('unused'));
    const store = portal.context.outside(fileStorage);
    await kept(store, samplePdf('unused'));
    await utimes(service.fileOf(keyOf(sha256)), 0, 0);
    await store.sweep({ owner: bucketOwnerOf(portal.db), named: namesIn(new Set()), now: new Date(0) });
    expect(await store.inspect(sha256)).not.toBeNull();
  });
});
