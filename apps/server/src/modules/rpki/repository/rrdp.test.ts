import { chmod, mkdir, readFile, rename, rm, rmdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { api } from '@portal/contract/api';
import { HOUR_MS, SECOND_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testPortal, type TestPortal } from '../../../../test/portal.ts';
import { rrdpClient } from '../../../../test/processes/rrdp-client.ts';
import { publishRepository } from './publisher.ts';
import { snapshotBytes } from './rrdp-records.ts';

const account = 'EXAMPLE-AU';
let portal: TestPortal;
let corin: Awaited<ReturnType<TestPortal['as']>>;
let now = Math.floor(Date.now() / 1000) * 1000;
beforeAll(async () => {
  portal = await testPortal(undefined, {}, () => new Date(now));
  corin = await portal.as('corin');
  await corin(api.rpki.enable, { account });
  await publishRepository(portal.context);
});
afterAll(() => portal[Symbol.asyncDispose]());

const line = { action: 'test', summary: 'Set the scene', traceId: '0'.repeat(32), accountName: account };
const folder = () => path.join(portal.config.rpkiDir, 'rrdp');
const notification = () => readFile(path.join(folder(), 'notification.xml'), 'latin1');
const session = async () =>
  (
    await portal.db.read.rows<{ sessionId: string; serial: number }>(
      sql`select session_id, serial from rrdp_session where ended_at is null`,
    )
  )[0]!;
const manifests = () =>
  portal.db.read.rows<{ keyId: number; number: number; thisUpdate: string }>(
    sql`select key_id, number, this_update from rpki_manifest order by key_id`,
  );
let added = 0;
/** Publishes one more ROA. */
const publish = async (): Promise<void> => {
  const prefix = `198.18.${added++}.0/24`;
  await portal.db.change(line, change =>
    change.rows(
      sql`insert into roa (account_name, prefix, max_length, asn, created_at) values (${account}, ${prefix}::cidr, 24, 64500, now())`,
    ),
  );
  await publishRepository(portal.context);
};
const poll = (headers: Record<string, string> = {}) =>
  portal.request('/rrdp/notification.xml', { headers: { host: 'portal.test', ...headers } });

test('each of several publications within a second has a Last-Modified of its own, so that no client stays behind', async () => {
  await publish();
  now += SECOND_MS;
  const seen = await poll();
  const since = seen.headers.get('last-modified')!;
  expect((await poll({ 'if-modified-since': since })).status).toBe(304);
  const before = await seen.text();
  await publish();
  await publish();
  // The clock stops or goes back, and a client that has seen the previous one still gets the new one.
  for (const back of [0, HOUR_MS]) {
    now -= back;
    const next = await poll({ 'if-modified-since': since });
    expect(next.status).toBe(200);
    expect(await next.text()).not.toBe(before);
    // A server must not send a future time (RFC 9110, section 8.8.2.1).
    expect(next.headers.get('last-modified')).toBeNull();
    now += back;
  }
  now += 5 * SECOND_MS;
  const later = await poll({ 'if-modified-since': since });
  expect(Date.parse(later.headers.get('last-modified')!)).toBe(Date.parse(since) + 2 * SECOND_MS);
});

test.each([
  [
    'in whose place is a folder',
    async (file: string) => {
      await rename(file, `${file}.aside`);
      await mkdir(file);
    },
    async (file: string) => {
      await rmdir(file);
      await rename(`${file}.aside`, file);
    },
  ],
  // The system's administrator reads every file.
  ...(process.getuid?.() === 0
    ? []
    : [['that can’t be read', (file: string) => chmod(file, 0), (file: string) => chmod(file, 0o644)] as const]),
] as const)('a file %s fails its own requests only, compressed or not', async (_what, damage, restore) => {
  while ((await stat(path.join(folder(), 'notification.xml'))).size < 1024) await publish();
  const file = path.join(folder(), 'notification.xml');
  await damage(file);
  try {
    for (const encoding of ['gzip', 'identity']) expect((await poll({ 'accept-encoding': encoding })).status).toBe(500);
    expect((await portal.request('/healthz')).status).toBe(200);
  } finally {
    await restore(file);
  }
  for (const encoding of ['gzip', 'identity']) expect((await poll({ 'accept-encoding': encoding })).status).toBe(200);
});

test('a compressed file has another entity tag, and either is answered 304', async () => {
  while ((await stat(path.join(folder(), 'notification.xml'))).size < 1024) await publish();
  const plain = await poll({ 'accept-encoding': 'identity' });
  const packed = await poll({ 'accept-encoding': 'gzip' });
  const bytes = Buffer.from(await packed.arrayBuffer());
  expect((packed.headers.get('content-encoding') === 'gzip' && bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString()).toBe(
    await plain.text(),
  );
  const tags = [plain, packed].map(answer => answer.headers.get('etag')!);
  expect(new Set(tags).size).toBe(2);
  expect((await poll({ 'accept-encoding': 'identity', 'if-none-match': `"x", ${tags[0]}` })).status).toBe(304);
  expect((await poll({ 'accept-encoding': 'gzip', 'if-none-match': `W/${tags[1]}` })).status).toBe(304);
  expect((await poll({ 'accept-encoding': 'gzip', 'if-none-match': tags[0]! })).status).toBe(200);
});

test('all deltas together are no larger than the snapshot, measured to the byte, even when most of it is removed', async () => {
  for (let number = 0; number < 8; number++) await publish();
  const sizes = async () => {
    const text = await notification();
    const file = (uri: string) => path.join(folder(), uri.slice(portal.config.rpkiRrdpBase.length));
    const [snapshot] = [...text.matchAll(/<snapshot uri="([^"]*)"/g)].map(([, uri]) => file(uri!));
    const deltas = [...text.matchAll(/<delta serial="\d+" uri="([^"]*)"/g)].map(([, uri]) => file(uri!));
    const lengths = await Promise.all(deltas.map(async delta => (await stat(delta)).size));
    return {
      snapshot: await readFile(snapshot!, 'latin1'),
      deltas: lengths.reduce((sum, length) => sum + length, 0),
      count: deltas.length,
    };
  };
  const full = await sizes();
  expect(full.count).toBeGreaterThan(1);
  expect(full.deltas).toBeLessThanOrEqual(full.snapshot.length);
  const [row] = await portal.db.read.rows<{ bytes: string }>(sql`select ${snapshotBytes}::text as bytes`);
  const lines = full.snapshot.split('\n').filter(each => each.startsWith('<publish'));
  expect(Number(row!.bytes)).toBe(lines.join('\n').length + 1);
  await portal.db.change(line, change => change.rows(sql`delete from roa where account_name = ${account}`));
  await publishRepository(portal.context);
  const little = await sizes();
  expect(little.deltas).toBeLessThanOrEqual(little.snapshot.length);
});

test('a database restored on a machine without the published files starts a session, with higher numbers', async () => {
  await publish();
  const client = rrdpClient(folder(), portal.config.rpkiRrdpBase);
  await client.update();
  const [old, numbers] = [await session(), await manifests()];
  // A copy from an hour ago lacks the serials and numbers since, and the files are missing.
  now += HOUR_MS;
  await rm(portal.config.rpkiDir, { recursive: true });
  await publish();
  const anew = await session();
  expect(anew.sessionId).not.toBe(old.sessionId);
  for (const [place, { number, thisUpdate }] of (await manifests()).entries()) {
    // One number may have been used in each second since.
    expect(number).toBeGreaterThan(numbers[place]!.number + HOUR_MS / SECOND_MS);
    expect(Date.parse(thisUpdate)).toBeGreaterThan(Date.parse(numbers[place]!.thisUpdate));
  }
  await client.update();
  expect(client.version()).toEqual({ session: anew.sessionId, serial: anew.serial });
  await publish();
  expect((await session()).sessionId).toBe(anew.sessionId);
});
