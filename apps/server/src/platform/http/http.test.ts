import { expect, test } from 'vitest';
import { openCallerAddress } from './caller-address.ts';
import { createHttp } from './http.ts';
import { noInlineHashes } from './security-headers.ts';
import { createLog } from '../log.ts';

const host = 'portal.test';

/** An HTTP layer with one address that fails as the given error. */
async function failingWith(error: Error) {
  const lines: string[] = [];
  const app = createHttp({
    closesWithinMs: 1000,
    appUrl: `http://${host}`,
    hosts: [host],
    redirectHosts: ['127.0.0.1:8080'],
    addressOf: openCallerAddress({ hops: 0 }),
    headers: { connect: [], frames: [], chat: [], framedBy: [], inline: noInlineHashes, formTargets: [], https: false },
    kindOf: () => 'data',
    log: createLog('error', line => lines.push(line)),
  });
  app.get('/fails', () => {
    throw error;
  });
  const answer = await app.inject({ url: '/fails', headers: { host } });
  return { answer, lines, app };
}

test.each([403, 404])('a file outside the served folder, or none (%d), is not found, and no defect', async statusCode => {
  const { answer, lines } = await failingWith(Object.assign(new Error('Forbidden'), { statusCode }));
  expect(answer.statusCode).toBe(404);
  expect(answer.json()).toMatchObject({ errors: [{ code: 'NOT_FOUND' }] });
  expect(lines).toEqual([]);
});

test('a defect is answered with the specified words, logged with its stack, and reveals nothing', async () => {
  const { answer, lines } = await failingWith(new Error('relation "secret" does not exist'));
  expect(answer.statusCode).toBe(500);
  expect(answer.body).toContain('An unexpected error has occurred, please try again later.');
  expect(answer.body).not.toContain('secret');
  expect(lines.join('')).toContain('relation');
});

test('a browser on 127.0.0.1 is led to the address the portal is known by; anything else there is refused', async () => {
  const { app } = await failingWith(new Error('unused'));
  const local = { host: '127.0.0.1:8080' };
  const page = await app.inject({ url: '/settings?a=b', headers: local });
  expect([page.statusCode, page.headers.location]).toEqual([307, `http://${host}/settings?a=b`]);
  expect((await app.inject({ method: 'POST', url: '/settings', headers: local })).statusCode).toBe(421);
});
