import { once } from 'node:events';
import net from 'node:net';
import { SignJWT, importJWK } from 'jose';
import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { browserAt, claimsOf, fetchCaller, kinds, testRegistry, type TestRegistry } from '../../../../test/sign-in-registry.ts';
import { openSecretBox } from '../../../platform/secret-box.ts';
import { openCallerAddress } from '../../../platform/http/caller-address.ts';
import { createHttp } from '../../../platform/http/http.ts';
import { noInlineHashes } from '../../../platform/http/security-headers.ts';
import { createLog } from '../../../platform/log.ts';
import { disableLogin } from '../logins/logins.ts';
import { announceLive, type LiveEvent } from './live-events.ts';
import { sessionEventRoutes } from './session-events.ts';
import { signingKeys } from './signing-keys.ts';

const line = { action: 'test', summary: 'Test', traceId: '0'.repeat(32) };
const path = '/api/session-events';

let open: AbortController[] = [];
afterEach(() => {
  for (const controller of open) controller.abort();
  open = [];
});

/** Listens with a bearer. `events` is the whole text once the server has ended the stream, without its comments. */
async function listen(origin: string, token: string) {
  const controller = new AbortController();
  open.push(controller);
  const answer = await fetch(origin + path, { headers: { authorization: `Bearer ${token}` }, signal: controller.signal });
  const text = answer.text();
  text.catch(() => {});
  return {
    status: answer.status,
    headers: answer.headers,
    events: () => text.then(all => all.replace(/^:.*\n\n/gm, '')),
    leave: () => controller.abort(),
  };
}

const signedOut = (token: string): string => `event: signed-out\ndata: {"sid":"${claimsOf(token).sid as string}"}\n\n`;
const tokenAt = async (registry: TestRegistry, username = 'bill'): Promise<string> =>
  (await browserAt(registry.origin).signIn(registry, username)).id_token;

describe('a tab that listens for the end of its session', () => {
  test('gets a stream that no proxy buffers, with the usual headers', async () => {
    await using registry = await testRegistry();
    const { status, headers } = await listen(registry.origin, await tokenAt(registry));
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store, no-transform');
    expect(headers.get('x-accel-buffering')).toBe('no');
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });

  test('needs a bearer that is still valid', async () => {
    await using registry = await testRegistry();
    const none = await fetch(registry.origin + path);
    expect([none.status, none.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    const token = await tokenAt(registry);
    await registry.db.change(line, change => disableLogin(change, 'login-bill'));
    expect((await listen(registry.origin, token)).status).toBe(401);
  });

  test('is notified when the login is disabled, and no other stream is', async () => {
    await using registry = await testRegistry();
    const [bill, corin] = await Promise.all([tokenAt(registry), tokenAt(registry, 'corin')]);
    const [notified, others] = await Promise.all([listen(registry.origin, bill), listen(registry.origin, corin)]);
    let unnotified = true;
    void others.events().then(
      () => (unnotified = false),
      () => {},
    );
    await registry.db.change(line, change => disableLogin(change, 'login-bill'));
    expect(await notified.events()).toBe(signedOut(bill));
    expect((await fetchCaller(registry.origin, corin)).status).toBe(200);
    expect(unnotified).toBe(true);
  });

  test('is notified of changes on its own screens only', async () => {
    await using registry = await testRegistry();
    const [bill, corin] = await Promise.all([tokenAt(registry), tokenAt(registry, 'corin')]);
    const [bills, corins] = await Promise.all([listen(registry.origin, bill), listen(registry.origin, corin)]);
    await registry.db.change(line, change => announceLive(change, { what: 'ticket', id: '20001', logins: ['login-bill'] }));
    await registry.db.change(line, change => announceLive(change, { what: 'ticket', id: '20002', logins: [] }));
    await registry.db.change(line, change => disableLogin(change, 'login-bill'));
    await registry.db.change(line, change => disableLogin(change, 'login-corin'));
    expect(await bills.events()).toBe(`event: live\ndata: {"what":"ticket","id":"20001"}\n\n${signedOut(bill)}`);
    expect(await corins.events()).toBe(signedOut(corin));
  });

  test('is notified when its bearer expires, even if the person renews it meanwhile', async () => {
    await using registry = await testRegistry();
    const key = (await signingKeys(registry.db.read, openSecretBox(registry.config))).find(({ alg }) => alg === 'RS256')!;
    const claims = claimsOf(await tokenAt(registry));
    const token = await new SignJWT({ ...claims, exp: Math.floor(Date.now() / 1000) + 1 })
      .setProtectedHeader({ alg: 'RS256', kid: key.kid })
      .sign(await importJWK(key.privateJwk, 'RS256'));
    const stream = await listen(registry.origin, token);
    expect(await stream.events()).toBe(`event: expired\ndata: {"sid":"${claims.sid as string}"}\n\n`);
  });

  test('shares its session with four others; a sixth waits until one leaves', async () => {
    await using registry = await testRegistry();
    const token = await tokenAt(registry);
    const tabs = await Promise.all(Array.from({ length: 5 }, () => listen(registry.origin, token)));
    expect(tabs.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const sixth = await listen(registry.origin, token);
    expect([sixth.status, sixth.headers.get('retry-after')]).toEqual([429, '60']);
    tabs[0]!.leave();
    await expect.poll(async () => (await listen(registry.origin, token)).status, { timeout: 2000, interval: 20 }).toBe(200);
    expect((await listen(registry.origin, await tokenAt(registry))).status).toBe(200);
  });

  test('gets a request to reconnect in a second when the server closes, which waits for no stream', async () => {
    const registry = await testRegistry();
    const stream = await listen(registry.origin, await tokenAt(registry));
    await registry[Symbol.asyncDispose]();
    expect(await stream.events()).toBe('retry: 1000\n\n');
  });
});

describe.each(kinds)('on the %s database', kind => {
  test('a sign-out reaches the tab immediately, after the API refuses its bearer', async () => {
    await using registry = await testRegistry(kind);
    const browser = browserAt(registry.origin);
    const { id_token } = await browser.signIn(registry, 'bill');
    const stream = await listen(registry.origin, id_token);
    const query = new URLSearchParams({ id_token_hint: id_token, post_logout_redirect_uri: `${registry.origin}/` });
    await browser.send(await browser.open(`/oidc/session/end?${query.toString()}`), { logout: 'yes' });
    expect(await stream.events()).toBe(signedOut(id_token));
    expect((await fetchCaller(registry.origin, id_token)).status).toBe(401);
  });
});

describe.runIf(kinds.includes('postgres'))('two web processes on one PostgreSQL', () => {
  test('a sign-out at one reaches a tab at the other within a second, whose bearer both refuse', async () => {
    await using one = await testRegistry('postgres');
    await using two = await one.another();
    const browser = browserAt(one.origin);
    const { id_token } = await browser.signIn(one, 'bill');
    const stream = await listen(two.origin, id_token);
    expect((await fetchCaller(two.origin, id_token)).status).toBe(200);
    const query = new URLSearchParams({ id_token_hint: id_token, post_logout_redirect_uri: `${one.origin}/` });
    const confirmation = await browser.open(`/oidc/session/end?${query.toString()}`);
    const from = performance.now();
    await browser.send(confirmation, { logout: 'yes' });
    expect(await stream.events()).toBe(signedOut(id_token));
    expect(performance.now() - from).toBeLessThan(1000);
    expect((await fetchCaller(two.origin, id_token)).status).toBe(401);
    expect((await fetchCaller(one.origin, id_token)).status).toBe(401);
  });

  test('a process that lost its connection for a while tells its tabs what they missed', async () => {
    await using one = await testRegistry('postgres');
    await using two = await one.another();
    const token = await tokenAt(one);
    const stream = await listen(two.origin, token);
    const listeners = await one.db.read.rows<{ pid: number }>(
      // Both processes listen: they reconnect automatically, after the change was made.
      sql`select pid from pg_stat_activity where datname = current_database() and query ilike 'listen %'`,
    );
    expect(listeners.length).toBeGreaterThan(0);
    await one.db.change(line, async change => {
      await change
        .updateTable('session')
        .set({ endedAt: change.now, endedWhy: 'test' })
        .where('sid', '=', claimsOf(token).sid as string)
        .execute();
    });
    for (const { pid } of listeners) await sql`select pg_terminate_backend(${pid})`.execute(one.db.unrecorded);
    expect(await stream.events()).toBe(signedOut(token));
  });
});

describe('a process under load', () => {
  const bareHttp = (): Parameters<typeof createHttp>[0] => ({
    closesWithinMs: 1000,
    appUrl: 'http://portal.test',
    hosts: ['portal.test'],
    redirectHosts: [],
    addressOf: openCallerAddress({ hops: 0 }),
    headers: { connect: [], frames: [], chat: [], framedBy: [], inline: noInlineHashes, formTargets: [], https: false },
    kindOf: () => 'data',
    log: createLog('silent'),
  });
  /** Listens over a socket, which names the host that the server knows. `text` is everything until the server ends it. */
  const listenBare = async (port: number, token: string) => {
    const socket = net.connect(port, '127.0.0.1').setEncoding('utf8');
    socket.write(`GET ${path} HTTP/1.1\r\nHost: portal.test\r\nAuthorization: Bearer ${token}\r\n\r\n`);
    let all = '';
    socket.on('data', (text: string) => (all += text));
    await once(socket, 'data');
    return { soFar: () => all, text: once(socket, 'close').then(() => all) };
  };
  const bare = async (maxStreams: number) => {
    const app = createHttp(bareHttp());
    let people = 0;
    const caller = () => ({ issuer: 'i', subject: 's', sid: `sid-${++people}`, expiresAt: 2e9, loginId: 'l' }) as never;
    sessionEventRoutes(app, {
      verifyBearer: async () => caller(),
      validity: { of: () => ({}) as never, watch: () => () => {} },
      clock: () => new Date(),
      maxStreams,
    });
    await app.listen({ port: 0, host: '127.0.0.1' });
    return { app, port: (app.server.address() as net.AddressInfo).port };
  };

  test('an event of the desk reaches registry staff whose roles open it when it happens, and no other staff', async () => {
    const app = createHttp(bareHttp());
    let announce: (event: LiveEvent) => void = () => {};
    const roles = new Map([
      ['support', ['support']],
      ['auditor', ['audit']],
      ['finance', ['payments']],
      ['former', ['support']],
      ['none', []],
    ]);
    sessionEventRoutes(app, {
      verifyBearer: async bearer => {
        const loginId = bearer!.slice('Bearer '.length);
        return {
          issuer: 'i',
          subject: loginId,
          sid: loginId,
          expiresAt: 2e9,
          loginId,
          staff: loginId !== 'member',
          mfa: loginId !== 'weak',
        } as never;
      },
      validity: { of: () => ({}) as never, watch: () => () => {} },
      clock: () => new Date(),
      live: async heard => {
        announce = heard;
        return async () => {};
      },
      staffPermissionsOf: async loginId => {
        const held = roles.get(loginId);
        if (!held) throw new Error('The database does not answer');
        return new Set(held);
      },
    });
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as net.AddressInfo;
    const names = ['support', 'auditor', 'finance', 'former', 'none', 'weak', 'unknown', 'member'];
    const streams = await Promise.all(names.map(name => listenBare(port, name)));
    // A role that ended while the stream was open counts no more.
    roles.set('former', []);
    announce({ what: 'ticket', id: '20001', logins: ['member'] });
    // Who hasn't read the last event is not sent the next.
    await expect.poll(() => streams.map(stream => stream.soFar()).join('')).toMatch(/20001[^]*20001[^]*20001/);
    announce({ what: 'ticket', id: '20002', logins: [] });
    await expect.poll(() => streams.map(stream => stream.soFar()).join('')).toMatch(/20002[^]*20002/);
    await app.close();
    const heard = await Promise.all(streams.map(stream => stream.text));
    expect(
      Object.fromEntries(names.map((name, place) => [name, [...heard[place]!.matchAll(/"id":"(\d+)"/g)].map(([, id]) => id)])),
    ).toEqual({
      support: ['20001', '20002'],
      auditor: ['20001', '20002'],
      finance: [],
      former: [],
      none: [],
      weak: [],
      unknown: [],
      member: ['20001'],
    });
  });

  test('holds no more streams than it may, and takes a new one when one is gone', async () => {
    const { app, port } = await bare(2);
    const connect = async () => {
      const socket = net.connect(port, '127.0.0.1').setEncoding('utf8');
      socket.write(`GET ${path} HTTP/1.1\r\nHost: portal.test\r\n\r\n`);
      const [head] = (await once(socket, 'data')) as [string];
      return { socket, status: Number(head.split(' ')[1]), head };
    };
    try {
      const first = await connect();
      expect([first.status, (await connect()).status]).toEqual([200, 200]);
      const refused = await connect();
      expect(refused.status).toBe(503);
      expect(refused.head).toMatch(/retry-after: 60/i);
      first.socket.destroy();
      await expect.poll(async () => (await connect()).status, { timeout: 2000, interval: 20 }).toBe(200);
    } finally {
      await app.close();
    }
  });
});
