import { gunzipSync } from 'node:zlib';
import type { QueryOf } from '@portal/contract';
import { api } from '@portal/contract/api';
import type { whoisDownload } from '@portal/contract/whois/download';
import { objectsOfText } from '@portal/rpsl';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '../../../../test/portal.ts';

const account = 'EXAMPLE-AU';
let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal();
});
afterAll(() => portal[Symbol.asyncDispose]());

type Query = Partial<QueryOf<typeof whoisDownload.downloadObjects>>;
async function download(query: Query, who = 'corin') {
  const answer = await (await portal.as(who))(api.whoisDownload.downloadObjects, { account, query });
  const { fileName, blob } = answer.data as unknown as { fileName: string; blob: Blob };
  return { fileName, bytes: Buffer.from(await blob.arrayBuffer()) };
}
const textOf = async (query: Query, who = 'corin') => (await download(query, who)).bytes.toString();
const count = async (query: Query, who = 'corin') => (await portal.as(who))(api.whoisDownload.countDownload, { account, query });

test('a download has the announced number of objects, compressed or not, and no credentials', async () => {
  const { data } = await count({});
  const plain = await textOf({});
  expect(objectsOfText(plain)).toHaveLength(data!.objects);
  expect(Math.abs(data!.bytes - plain.length) / plain.length).toBeLessThan(0.1);
  expect(plain).not.toMatch(/auth:\s+(MD5|CRYPT|BCRYPT)/);
  const { fileName, bytes } = await download({ gzip: 'yes' });
  expect(fileName).toBe('EXAMPLE-AU-whois.txt.gz');
  expect(gunzipSync(bytes).toString()).toBe(plain);
  expect(bytes.length).toBeLessThan(plain.length / 2);
});

test('ranges narrow it to their objects, with or without those inside', async () => {
  const inside = await textOf({ ranges: '198.18.0.0/21, AS65536' });
  expect(inside).toMatch(/^aut-num: +AS65536$/m);
  expect(inside).toMatch(/^route: +198\.18\.\S+\norigin|^origin: +AS65536$/m);
  expect(inside).not.toMatch(/^inetnum: +203\.0\.113/m);
  const alone = await count({ ranges: '198.18.0.0/19', children: 'no', classes: 'inetnum' });
  expect(alone.data).toMatchObject({ objects: 1, classes: [{ class: 'inetnum', objects: 1, bytes: alone.data!.bytes }] });
  const wrong = await count({ ranges: '198.18.0.0/19, 198.18.0.9/19' });
  expect(wrong.errors![0]).toMatchObject({ code: 'INVALID_REQUEST', message: expect.stringContaining('host bits') });
});

test('private assignments are included for people who may see them, as comments, so that resubmitting the text doesn’t publish them', async () => {
  const { data } = await count({ privateOnes: 'yes' });
  expect(data!.privateOnes).toBeGreaterThan(0);
  const text = await textOf({ privateOnes: 'yes' });
  expect(text.match(/^# private /gm)).toHaveLength(data!.privateOnes);
  expect(objectsOfText(text)).toHaveLength(data!.objects);
  const table = (await textOf({ privateOnes: 'yes', format: 'csv' })).trim().split('\r\n');
  expect(table).toHaveLength(1 + data!.objects + data!.privateOnes);
  expect(table[0]).toBe('class,key,name,maintainers,version,changedAt,kept,private');
  const list = JSON.parse(await textOf({ privateOnes: 'yes', format: 'json' })) as { private?: boolean }[];
  expect(list.filter(each => each.private)).toHaveLength(data!.privateOnes);
  expect(await textOf({})).not.toContain('# private');
  expect((await count({ privateOnes: 'yes' }, 'bill')).errors![0]!.code).toBe('NO_PERMISSION');
});

test('a CSV file takes several classes', async () => {
  const lines = (await textOf({ format: 'csv', classes: 'route,aut-num' })).trim().split('\r\n').slice(1);
  expect(new Set(lines.map(line => line.split(',')[0]))).toEqual(new Set(['route', 'aut-num']));
});
