import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isPublicAddress } from './public-address.ts';
import { openWebhookSender } from './webhook-sender.ts';

let server: http.Server;
let port: number;
const asked: { path: string; host: string; body: string; headers: http.IncomingHttpHeaders }[] = [];
beforeAll(async () => {
  server = http.createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const path = request.url!;
      asked.push({ path, host: request.headers.host!, body, headers: request.headers });
      if (path === '/slow') return;
      if (path === '/redirect') response.writeHead(302, { location: '/' }).end();
      else if (path === '/endless') response.writeHead(200).write('x'.repeat(2_000));
      else response.writeHead(path === '/broken' ? 500 : 200).end('noted');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const post = { headers: { 'webhook-id': 'evt_1' }, content: '{"a":"ä"}' };
const local = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);

test('content is posted to the address that was judged, whatever its name resolves to later, and the name stays in the request', async () => {
  let asks = 0;
  const resolve = () => {
    asks++;
    return local();
  };
  const sent = await openWebhookSender({ stayPublic: false, resolve }).send(`http://hooks.example.net:${port}/registry`, post);
  expect(sent).toEqual({ status: 200, problem: null, answer: 'noted' });
  expect(asks).toBe(1);
  expect(asked.at(-1)).toMatchObject({
    path: '/registry',
    host: `hooks.example.net:${port}`,
    body: post.content,
    headers: { 'webhook-id': 'evt_1' },
  });
});

test('a redirect is not followed, an error is one, and only the beginning of an endless answer is read', async () => {
  const { send } = openWebhookSender({ stayPublic: false, resolve: local });
  const before = asked.length;
  expect(await send(`http://hooks.example.net:${port}/redirect`, post)).toMatchObject({
    status: 302,
    problem: expect.stringContaining('redirects') as string,
  });
  expect(asked.length).toBe(before + 1);
  expect(await send(`http://hooks.example.net:${port}/broken`, post)).toMatchObject({ status: 500, problem: 'it answered 500' });
  expect((await send(`http://hooks.example.net:${port}/endless`, post)).answer.length).toBe(500);
});

test('a receiver that never answers, is not there, or has no name is a problem in words', async () => {
  const { send } = openWebhookSender({ stayPublic: false, resolve: local, limitMs: 50 });
  expect(await send(`http://hooks.example.net:${port}/slow`, post)).toEqual({
    status: null,
    problem: 'no answer within 0.05 seconds',
    answer: '',
  });
  expect((await send('http://hooks.example.net:1/', post)).problem).toBe('ECONNREFUSED');
  const nameless = openWebhookSender({
    stayPublic: false,
    resolve: () => Promise.reject(Object.assign(new Error('x'), { code: 'ENOTFOUND' })),
  });
  expect((await nameless.send('http://hooks.example.net/', post)).problem).toBe('hooks.example.net can’t be resolved (ENOTFOUND)');
});

test('a name with one private address among public ones is not called, neither is a private address, nor plain http', async () => {
  const before = asked.length;
  const mixed = openWebhookSender({
    stayPublic: true,
    resolve: () =>
      Promise.resolve([
        { address: '8.8.8.8', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ]),
  });
  expect((await mixed.send(`https://hooks.example.net:${port}/`, post)).problem).toMatch(/not public/);
  const strict = openWebhookSender({ stayPublic: true });
  for (const host of ['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '169.254.169.254', '[fe80::1]', '[2002:7f00:1::]', '[64:ff9b::7f00:1]'])
    expect((await strict.send(`https://${host}:${port}/`, post)).problem, host).toMatch(/not public/);
  expect((await strict.send(`http://hooks.example.net:${port}/`, post)).problem).toMatch(/only https/);
  expect(asked.length).toBe(before);
});

test.each(['8.8.8.8', '1.1.1.1', '2606:4700:4700::1111', '2001:4860:4860::8888'])('%s is public', address => {
  expect(isPublicAddress(address)).toBe(true);
});
test.each([
  '0.0.0.0',
  '100.64.0.1',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  'fc00::1',
  'ff02::1',
  '2001:db8::1',
  'x',
])('%s is not', address => {
  expect(isPublicAddress(address)).toBe(false);
});

test('a name whose servers are silent is a problem in words, and the lookup ends with the delivery', async () => {
  let ended = false;
  const resolve = (_host: string, signal: AbortSignal) =>
    new Promise<never>(() => signal.addEventListener('abort', () => (ended = true), { once: true }));
  const { problem } = await openWebhookSender({ stayPublic: true, limitMs: 50, resolve }).send('https://hooks.example.net/', post);
  expect([problem, ended]).toEqual(['hooks.example.net can’t be resolved (no answer)', true]);
});

test('a sandbox calls no one', async () => {
  const before = asked.length;
  const sent = await openWebhookSender({ stayPublic: false, isSandbox: true, resolve: local }).send(
    `http://hooks.example.net:${port}/`,
    post,
  );
  expect(sent).toEqual({ status: null, problem: 'this is a sandbox, which calls no one', answer: '' });
  expect(asked).toHaveLength(before);
});
