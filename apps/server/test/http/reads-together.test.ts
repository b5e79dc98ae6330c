import { readsTogetherAddress, type ReadsTogether } from '@portal/contract/shell/reads-together';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { servedPortal, type ServedPortal } from '../processes/served-portal.ts';

let portal: ServedPortal;
let bearer: { authorization: string };
beforeAll(async () => {
  portal = await servedPortal();
  bearer = { authorization: `Bearer ${await portal.tokenOf('corin')}` };
});
afterAll(() => portal[Symbol.asyncDispose]());

async function together(paths: readonly string[], headers: Record<string, string> = bearer): Promise<[number, string][]> {
  const { status, body } = await portal.ask(readsTogetherAddress(paths), { headers });
  expect(status, body).toBe(200);
  return (JSON.parse(body) as ReadsTogether).answers.map(answer => [answer.status, answer.body]);
}

test('combined reads are answered like separate ones, including refusals', async () => {
  const paths = ['/api/me', '/api/accounts', '/api/NOBODY-XX/home', '/api/accounts?read=1'];
  const alone = await Promise.all(paths.map(path => portal.ask(path, { headers: bearer })));
  const words = (text: string): string => text.replace(/"traceId":"\w+"/g, '');
  const got = await together(paths);
  expect(got.map(([status, body]) => [status, words(body)])).toEqual(alone.map(({ status, body }) => [status, words(body)]));
  expect(got.map(([status]) => status).slice(0, 3)).toEqual([200, 200, 404]);
});

test('each read is admitted by its own endpoint', async () => {
  expect((await together(['/api/me', '/api/accounts'], {})).map(([status]) => status)).toEqual([401, 401]);
  expect((await together(['/api/me'], { authorization: 'Bearer a.b.c' })).map(([status]) => status)).toEqual([401]);
});

test('only API reads that answer JSON are allowed: no stream, file, page, change or nested list', async () => {
  const others = ['/api/session-events', '/api/openapi.json', '/api/reads?read=/api/me', '/api/nothing', '/api/../oidc/jwks'];
  expect((await together(others)).map(([status]) => status)).toEqual(others.map(() => 404));
  for (const address of [
    '/api/reads',
    readsTogetherAddress(['/oidc/jwks']),
    readsTogetherAddress(['/api/me', '//api/me']),
    readsTogetherAddress(Array.from({ length: 17 }, (_, index) => `/api/accounts?read=${index}`)),
    readsTogetherAddress(['/api/accounts', '/api/\0']),
    '/api/reads?read[]=/api/me',
  ])
    expect((await portal.ask(address, { headers: bearer })).status, address).toBe(400);
});

test('a repeated path is read once', async () => {
  expect((await together(['/api/me', '/api/accounts', '/api/me'])).map(([status]) => status)).toEqual([200, 200]);
});

test('an invalid path is not found, and the others are answered', async () => {
  const odd: [string, number][] = [
    ['/api/\ud800', 404],
    ['/api/%zz', 404],
    ['/api/a b', 404],
    ['/api//me', 404],
    ['/api/me\r\nx: y', 404],
    [`/api/${'x'.repeat(3000)}`, 414],
    ['/api/me#top', 200],
    ['/api/accounts', 200],
  ];
  const got = await together(odd.map(([path]) => path));
  expect(got.map(([status]) => status)).toEqual(odd.map(([, status]) => status));
  for (const [, body] of got) expect(() => JSON.parse(body) as unknown).not.toThrow();
});

test('the mark of a part can’t be sent from outside', async () => {
  expect((await portal.ask('/api/openapi.json', { headers: { ...bearer, 'x-read-together': 'true' } })).status).toBe(200);
});
