import http from 'node:http';
import zlib from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { host, servedPortal, type ServedPortal } from '../processes/served-portal.ts';

let portal: ServedPortal;
let bearer: Record<string, string>;
beforeAll(async () => {
  portal = await servedPortal();
  bearer = { authorization: `Bearer ${await portal.tokenOf('corin')}` };
});
afterAll(() => portal[Symbol.asyncDispose]());

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['', undefined],
])('answers of the API are compressed for a browser that takes "%s"', async (accepted, encoding) => {
  const { headers } = await portal.ask('/api/contextual-nav-data', { headers: { ...bearer, 'accept-encoding': accepted } });
  expect(headers['content-encoding']).toBe(encoding);
  expect(headers['vary']).toContain('accept-encoding');
});

/** The raw bytes of an answer. */
const bytesOf = (encoding: string): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const headers = { host, 'accept-encoding': encoding };
    const request = http.get({ port: portal.port, host: '127.0.0.1', path: '/api/openapi.json', agent: false, headers }, response => {
      response.toArray().then(parts => resolve(Buffer.concat(parts)), reject);
    });
    request.on('error', reject);
  });

test('a compressed answer has the same content in a fraction of the bytes', async () => {
  const [plain, packed] = await Promise.all([bytesOf('identity'), bytesOf('br')]);
  expect(zlib.brotliDecompressSync(packed).equals(plain)).toBe(true);
  expect(packed.length).toBeLessThan(plain.length / 4);
});

test('answers of RDAP and of the registry API are compressed too', async () => {
  const headers = { 'accept-encoding': 'br' };
  expect((await portal.ask('/rdap/ips?name=EXAMPLE*', { headers })).headers).toMatchObject({
    'content-encoding': 'br',
    vary: 'accept-encoding',
  });
  const description = await portal.ask('/registry-api/v1/openapi.json', { headers });
  expect(description.headers['content-encoding']).toBe('br');
});

test('short answers, and pages that depend on cookies, are not compressed', async () => {
  const headers = { ...bearer, 'accept-encoding': 'br' };
  expect((await portal.ask('/api/me/notifications/unread', { headers })).headers['content-encoding']).toBeUndefined();
  expect((await portal.ask('/account/reset', { headers })).headers['content-encoding']).toBeUndefined();
});
