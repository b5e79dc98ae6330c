import { once } from 'node:events';
import net from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectionLimit } from '../../src/platform/http/connection-limit.ts';
import { type ServedPortal, servedPortal } from '../processes/served-portal.ts';

let portal: ServedPortal;
beforeAll(async () => {
  portal = await servedPortal({ HTTP_CONNECTIONS: '3' });
});
afterAll(() => portal[Symbol.asyncDispose]());

test.each([
  [0, 20_000, 19_744],
  [0, 300, 64],
  [0, null, null],
  [500, 20_000, 500],
])('with HTTP_CONNECTIONS=%s and %s open files there are at most %s', (wanted, openFiles, most) => {
  expect(connectionLimit(wanted, openFiles)).toBe(most);
});

test('connections beyond the limit are closed, and those that are open are answered', async () => {
  const open = Array.from({ length: 3 }, () => net.connect(portal.port, '127.0.0.1'));
  await Promise.all(open.map(socket => once(socket, 'connect')));
  await expect
    .poll(
      () =>
        portal.ask('/healthz').then(
          ({ status }) => status,
          () => 'closed',
        ),
      { interval: 20 },
    )
    .toBe('closed');
  const third = open.at(-1)!;
  third.write('GET /healthz HTTP/1.1\r\nhost: portal.test\r\n\r\n');
  expect(String((await once(third, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /);
  for (const socket of open) socket.destroy();
  await expect.poll(async () => (await portal.ask('/healthz')).status, { interval: 20 }).toBe(200);
});
