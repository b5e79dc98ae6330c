import { randomBytes } from 'node:crypto';
import http from 'node:http';
import { allEndpoints } from '@portal/contract/api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { host, servedPortal, type ServedPortal } from '../../apps/server/test/processes/served-portal.ts';
import { proxyIsInstalled, proxyNames, startProxy } from './proxies.ts';

/** Tests callers behind third-party proxies: each appends its caller's address to X-Forwarded-For. */
describe.each(proxyNames.filter(proxyIsInstalled))('behind %s', name => {
  let portal: ServedPortal;
  let proxy: Awaited<ReturnType<typeof startProxy>>;
  beforeAll(async () => {
    portal = await servedPortal({ BEHIND_PROXY: 'yes' });
    proxy = await startProxy(name, portal.port);
  });
  afterAll(async () => {
    await proxy?.stop();
    await portal?.[Symbol.asyncDispose]();
  });

  /** A request from this machine through the proxy. */
  const send = (
    path: string,
    headers: Record<string, string>,
    body: string | Buffer,
    method = 'POST',
  ): Promise<{ status: number; text: string }> =>
    new Promise((resolve, reject) => {
      const request = http.request(
        { port: proxy.port, host: '127.0.0.1', path, method, agent: false, headers: { host, ...headers } },
        response => {
          let text = '';
          response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
          response.on('end', () => resolve({ status: response.statusCode!, text }));
        },
      );
      request.on('error', reject).end(body);
    });
  const lineOf = (traceId: string) =>
    portal.db.read.selectFrom('activity').select(['action', 'address', 'refusal']).where('traceId', '=', traceId).execute();

  test.each(['198.51.100.66', '198.51.100.66, 203.0.113.5', 'not an address', '', "127.0.0.1', 1); --"])(
    'the log names the true caller, whatever X-Forwarded-For it wrote itself (%s)',
    async forged => {
      const traceId = randomBytes(16).toString('hex');
      const headers = {
        authorization: `Bearer ${await portal.tokenOf('nadia')}`,
        traceparent: `00-${traceId}-${traceId.slice(16)}-01`,
        'content-type': 'application/octet-stream',
        'x-forwarded-for': forged,
      };
      const answer = await send('/api/files?fileName=notes.exe', headers, 'These are no notes in a kind we take.');
      expect(answer.status, answer.text).toBeLessThan(500);
      expect(await lineOf(traceId)).toMatchObject([{ address: '127.0.0.1' }]);
    },
  );

  test.each([1024, 100_000])('a refused upload of %d bytes gets the reason, and leaves its line', async size => {
    const traceId = randomBytes(16).toString('hex');
    const headers = {
      authorization: `Bearer ${await portal.tokenOf('nadia')}`,
      traceparent: `00-${traceId}-${traceId.slice(16)}-01`,
      'content-type': 'application/octet-stream',
    };
    const answer = await send('/api/files?fileName=notes.exe', headers, '\0'.repeat(size));
    expect(answer.text).toContain('FILE_REFUSED');
    expect(await lineOf(traceId)).toEqual([{ action: 'documents.files.uploadFile', address: '127.0.0.1', refusal: 'FILE_REFUSED' }]);
    expect(portal.lines.join('')).not.toContain('request failed');
  });

  test('every change with 4 kB that is no input for it is refused with its reason, and leaves its line', async () => {
    const authorization = `Bearer ${await portal.tokenOf('nadia')}`;
    const wrong = JSON.stringify({ notInput: 'x'.repeat(4096) });
    const unexplained: string[] = [];
    for (const { id, method, path, unrecorded, access } of allEndpoints.filter(endpoint => endpoint.method !== 'GET')) {
      const traceId = randomBytes(16).toString('hex');
      const headers = { authorization, traceparent: `00-${traceId}-${traceId.slice(16)}-01`, 'content-type': 'application/json' };
      const address = path.replaceAll(/:account\b/g, 'EXAMPLE-AU').replaceAll(/:\w+/g, '1');
      const { status, text } = await send(address, headers, wrong, method);
      const explained = status < 400 || (status < 500 && text.includes('"code"'));
      const recorded = status < 400 || unrecorded || access.who === 'anyone' || (await lineOf(traceId)).some(({ refusal }) => refusal);
      if (!explained || !recorded) unexplained.push(`${id} ${status} ${text.slice(0, 100)}`);
    }
    expect(unexplained).toEqual([]);
    expect(portal.lines.join('')).not.toContain('request failed');
  });

  test('guessing from one place is slowed down although each guess claims another', async () => {
    const seen = new Set<number>();
    for (let i = 0; i < 40 && !seen.has(429); i++) {
      const headers = {
        'content-type': 'application/x-www-form-urlencoded',
        'x-forwarded-for': `198.51.100.${i}`,
        origin: `http://${host}`,
      };
      seen.add((await send('/account/reset', headers, new URLSearchParams({ name: `nobody${i}` }).toString())).status);
    }
    expect([...seen].join()).toContain('429');
  });
});
