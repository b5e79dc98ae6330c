import { createHash } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { backEndAnswerOf, backEndPaths } from '@portal/contract/back-end-paths';
import { findPage, sitePages } from '@portal/contract/pages';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refuse } from '../../src/platform/failure.ts';
import { type Answer, host, pathFor, type ServedPortal, servedPortal } from '../processes/served-portal.ts';

let portal: ServedPortal;
let token: string;
beforeAll(async () => {
  portal = await servedPortal({}, app => {
    app.get('/api/test/defect', () => {
      throw new Error('a defect of the test');
    });
    app.get('/api/test/away', () => {
      throw refuse('UNAVAILABLE');
    });
  });
  token = await portal.tokenOf('corin');
});
afterAll(() => portal[Symbol.asyncDispose]());

/** Returns which of the headers every answer must carry (S15) are missing or wrong. */
function lacks({ headers }: Answer): string[] {
  const must: [string, RegExp][] = [
    ['content-security-policy', /(^|;) ?default-src 'none'(;|$)/],
    ['content-security-policy', /(^|;) ?base-uri 'none'(;|$)/],
    ['content-security-policy', /(^|;) ?frame-ancestors ('none'|'self'|http:\/\/portal\.test)(;|$)/],
    ['content-security-policy', /(^|;) ?form-action /],
    ['x-content-type-options', /^nosniff$/],
    ['referrer-policy', /^no-referrer$/],
    ['cross-origin-opener-policy', /^same-origin$/],
    ['cross-origin-resource-policy', /^same-origin$/],
    ['permissions-policy', /camera=\(\)/],
  ];
  const missing = must.filter(([name, value]) => !value.test(String(headers[name] ?? ''))).map(([name]) => name);
  const policy = String(headers['content-security-policy']);
  if (/'unsafe-(inline|eval|hashes)'|\*|(^|;) ?script-src[^;]*(data:|blob:|https?:)/.test(policy)) missing.push(`strict policy: ${policy}`);
  // Pages run under Trusted Types.
  if (/text\/html/.test(headers['content-type'] ?? '') && !policy.includes("require-trusted-types-for 'script'"))
    missing.push('trusted types');
  for (const name of ['server', 'x-powered-by']) if (headers[name] !== undefined) missing.push(`no ${name}`);
  return missing;
}
const frameAncestors = ({ headers }: Answer): string | undefined =>
  /frame-ancestors ([^;]*)/.exec(String(headers['content-security-policy']))?.[1];

test('every address of the server is on the list of back-end paths, every listed one is in use, and none is a page of the web apps', () => {
  const urls = portal.routes.map(({ url }) => url).filter(url => !/^\/(assets\/|favicon\.ico$|\*$)/.test(url));
  expect(urls.filter(url => backEndAnswerOf(url) === null)).toEqual([]);
  // The OpenID provider answers below its path without a route.
  expect(new Set([...urls.map(url => /^\/[^/]*/.exec(url)![0]), '/oidc'])).toEqual(new Set(Object.keys(backEndPaths)));
  expect(sitePages.filter(({ path }) => backEndAnswerOf(path) !== null).map(({ name }) => name)).toEqual([]);
});

describe('every answer carries the security headers', () => {
  test('of every route in the router, called without a sign-in and as a member', async () => {
    expect(portal.routes.length).toBeGreaterThan(60);
    const wrong: string[] = [];
    const statuses = new Set<number>();
    for (const { method, url } of portal.routes) {
      // HEAD is answered by the route of its GET: its own headers show without a sign-in, and those of a member on the GET.
      for (const authorization of method === 'HEAD' ? [undefined] : [undefined, `Bearer ${token}`]) {
        const body = method === 'GET' || method === 'HEAD' ? undefined : '{}';
        const answer = await portal.ask(pathFor(url), {
          method,
          headers: { ...(authorization && { authorization }), ...(body && { 'content-type': 'application/json' }) },
          ...(body && { body }),
        });
        statuses.add(answer.status);
        const missing = lacks(answer);
        if (url.startsWith('/api/') && !answer.headers['cache-control']?.startsWith('no-store')) missing.push('no-store');
        // Open tabs of the portal learn from it that a newer release serves; nothing else names it.
        if (answer.headers['registry-release'] !== (url.startsWith('/api/') ? 'test' : undefined)) missing.push('registry-release');
        if (missing.length > 0) wrong.push(`${method} ${url} ${answer.status}: ${missing.join(', ')}`);
        if (answer.status >= 500) wrong.push(`${method} ${url} answers ${answer.status}: ${answer.body}`);
      }
    }
    expect(wrong).toEqual([]);
    expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 401, 404]));
  });

  test('of everything the OpenID provider describes, right and wrong', async () => {
    const description = JSON.parse((await portal.ask('/oidc/.well-known/openid-configuration')).body) as Record<string, unknown>;
    const described = Object.values(description).filter(
      (value): value is string => typeof value === 'string' && value.startsWith(`http://${host}/oidc/`),
    );
    expect(described.length).toBeGreaterThan(7);
    const paths = [
      ...described.map(address => new URL(address).pathname),
      '/oidc',
      '/oidc/',
      '/oidc/nowhere',
      '/oidc/auth/nowhere',
      '/oidc/.well-known/nowhere',
      '/oidc/session/end/success',
      '/oidc/auth?client_id=nobody',
      '/oidc/auth?client_id=portal&response_type=code&redirect_uri=https%3A%2F%2Fevil.example%2F',
      `/oidc/auth?client_id=portal&response_type=code&scope=openid&redirect_uri=http%3A%2F%2F${host}%2Fauth-callback&code_challenge=${'a'.repeat(43)}&code_challenge_method=S256`,
      `/oidc/auth?client_id=portal&response_type=code&scope=openid&redirect_uri=http%3A%2F%2F${host}%2Fauth-callback&code_challenge=${'a'.repeat(43)}&code_challenge_method=S256&prompt=none`,
      `/oidc/auth?state=${'x'.repeat(9000)}`,
      '/oidc/%E0%A4%A',
    ];
    const wrong: string[] = [];
    const statuses = new Set<number>();
    for (const path of paths)
      for (const method of ['GET', 'POST', 'HEAD', 'OPTIONS', 'DELETE']) {
        const answer = await portal.ask(path, {
          method,
          headers: {
            origin: 'https://evil.example',
            ...(method === 'POST' && { 'content-type': 'application/x-www-form-urlencoded' }),
          },
          ...(method === 'POST' && { body: 'client_id=portal&grant_type=authorization_code&code=x' }),
        });
        statuses.add(answer.status);
        const missing = lacks(answer);
        // Public are the keys, the metadata, and the error of a call without a token.
        const isPublic = /jwks|well-known/.test(path) || answer.status === 401;
        if (answer.headers['access-control-allow-origin'] === 'https://evil.example' && !isPublic)
          missing.push('no access for foreign origins');
        if (missing.length > 0) wrong.push(`${method} ${path.slice(0, 80)} ${answer.status}: ${missing.join(', ')}`);
      }
    expect(wrong).toEqual([]);
    expect([...statuses]).toEqual(expect.arrayContaining([200, 303, 400, 401, 404]));
  });

  test('is counted by route and kind of answer', async () => {
    const counted = async (route: string, status: string): Promise<number> => {
      const { body } = await portal.ask('/metrics');
      return Number(
        new RegExp(`^http_requests_total\\{method="GET",route="${route}",status="${status}"\\} (\\d+)$`, 'm').exec(body)?.[1] ?? 0,
      );
    };
    const before = [await counted('/oidc', '2xx'), await counted('/api/me', '4xx'), await counted('other', '4xx')];
    for (const path of ['/oidc/jwks', '/api/me', '/api/nowhere']) await portal.ask(path);
    const after = [await counted('/oidc', '2xx'), await counted('/api/me', '4xx'), await counted('other', '4xx')];
    expect(after.map((count, i) => count - before[i]!)).toEqual([1, 1, 1]);
  });

  const call = (status: number, path: string, more: Parameters<ServedPortal['ask']>[1] = {}) => ({ status, path, more });
  test.each<[string, () => ReturnType<typeof call>]>([
    ['304', () => call(304, '/')],
    ['307', () => call(307, '/settings', { headers: { host: '127.0.0.1:8080' } })],
    ['400', () => call(400, '/api/me/preferences', { method: 'PATCH', headers: { 'content-type': 'application/json' }, body: '{' })],
    ['401', () => call(401, '/api/me', { headers: { authorization: 'Bearer x' } })],
    ['404', () => call(404, '/api/nowhere')],
    ['404 of an address that is none', () => call(404, '/%E0%A4%A')],
    ['404 of a page', () => call(404, '/no/such/page')],
    ['404 of an asset', () => call(404, '/assets/nothing.js')],
    ['404 of an asset outside its folder', () => call(404, '/assets/..%2f..%2fpackage.json')],
    ['405 of a method that no call has', () => call(405, '/api/me', { method: 'TRACE' })],
    ['404 of a page posted to', () => call(404, '/', { method: 'POST', body: 'x', headers: { 'content-type': 'text/plain' } })],
    ['413', () => call(413, '/api/me/preferences', json('x'.repeat(1_100_000)))],
    ['414', () => call(414, `/api/${'x'.repeat(301)}/resources/summary`)],
    [
      '415',
      () =>
        call(415, '/api/me/preferences', { ...json('a=b'), headers: { ...bearer(), 'content-type': 'application/x-www-form-urlencoded' } }),
    ],
    ['416', () => call(416, '/assets/sign-in.css', { headers: { range: 'bytes=900-' } })],
    ['206', () => call(206, '/assets/sign-in.css', { headers: { range: 'bytes=0-1' } })],
    ['417', () => call(417, '/api/me', { headers: { expect: 'miracles' } })],
    ['421', () => call(421, '/', { headers: { host: 'evil.example' } })],
    ['500', () => call(500, '/api/test/defect')],
    ['503', () => call(503, '/api/test/away')],
  ])('of status %s', async (_name, make) => {
    const { status, path, more } = make();
    const etag: Record<string, string> = status === 304 ? { 'if-none-match': (await portal.ask('/')).headers.etag! } : {};
    const answer = await portal.ask(path, { ...more, headers: { ...etag, ...more.headers } });
    expect(answer.status).toBe(status);
    expect(lacks(answer)).toEqual([]);
  });
  const bearer = () => ({ authorization: `Bearer ${token}` });
  const json = (body: string) => ({ method: 'PATCH', headers: { ...bearer(), 'content-type': 'application/json' }, body });

  test('of status 429', async () => {
    const own = await portal.tokenOf('bill');
    const sockets: net.Socket[] = [];
    for (let tab = 0; tab < 5; tab++) {
      const socket = net.connect(portal.port, '127.0.0.1');
      sockets.push(socket);
      socket.write(`GET /api/session-events HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${own}\r\n\r\n`);
      await once(socket, 'data');
    }
    const answer = await portal.ask('/api/session-events', { headers: { authorization: `Bearer ${own}` } });
    for (const socket of sockets) socket.destroy();
    expect(answer.status).toBe(429);
    expect(lacks(answer)).toEqual([]);
  });

  test.each<[string, string, number, string]>([
    ['what is no HTTP', 'hello\r\n\r\n', 400, 'INVALID_REQUEST'],
    ['a method that is none', 'GE T / HTTP/1.1\r\nHost: portal.test\r\n\r\n', 400, 'INVALID_REQUEST'],
    ['no host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'INVALID_REQUEST'],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: portal.test\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400, 'INVALID_REQUEST'],
    [
      'length and chunks',
      'POST / HTTP/1.1\r\nHost: portal.test\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
      'INVALID_REQUEST',
    ],
    ['too long an address', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: portal.test\r\n\r\n`, 431, 'HEADERS_TOO_LARGE'],
    ['too large headers', `GET / HTTP/1.1\r\nHost: portal.test\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'HEADERS_TOO_LARGE'],
  ])('of what the parser refuses: %s', async (_what, text, status, code) => {
    const answer = await portal.say(text);
    expect(answer.status).toBe(status);
    expect(lacks(answer)).toEqual([]);
    expect(JSON.parse(answer.body)).toEqual({
      errors: [{ code, message: expect.any(String), traceId: expect.stringMatching(/^[0-9a-f]{32}$/) }],
    });
  });

  test('of status 408, to a peer that is too slow', async () => {
    const accepted = once(portal.app.http.server, 'connection') as Promise<[net.Socket]>;
    const answer = portal.say('GET / HTTP/1.1\r\nHost: por');
    const [socket] = await accepted;
    // Node checks for slow peers every half minute; here it reports one immediately.
    portal.app.http.server.emit('clientError', Object.assign(new Error('timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket);
    expect((await answer).status).toBe(408);
    expect(lacks(await answer)).toEqual([]);
  });

  test('of the 503 of a server about to close', async () => {
    let answered = (): void => {};
    const wait = new Promise<void>(resolve => (answered = resolve));
    // Between the signal to end and closing its connections.
    await using closing = await servedPortal({}, app => {
      app.addHook('preClose', () => wait);
    });
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const ask = () =>
      new Promise<Answer>((resolve, reject) => {
        http
          .get({ port: closing.port, host: '127.0.0.1', path: '/healthz', agent, headers: { host } }, response => {
            response.resume().on('end', () => resolve({ status: response.statusCode!, headers: response.headers, body: '' }));
          })
          .on('error', reject);
      });
    expect((await ask()).status).toBe(200);
    const closed = closing.app.http.close();
    const answer = await ask();
    answered();
    await closed;
    expect([answer.status, answer.headers.connection]).toEqual([503, 'close']);
    expect(lacks(answer)).toEqual([]);
  });

  test('over https, where HSTS makes browsers return over https only', async () => {
    await using secure = await servedPortal({ APP_URL: `https://${host}`, TRUSTED_HOSTS: host });
    for (const path of ['/', '/api/me', '/assets/sign-in.css', '/oidc/jwks', '/healthz', '/nowhere'])
      expect((await secure.ask(path)).headers['strict-transport-security'], path).toBe('max-age=31536000; includeSubDomains');
    expect((await secure.say('nonsense\r\n\r\n')).headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
    expect((await portal.ask('/')).headers['strict-transport-security']).toBeUndefined();
  });
});

describe('no page needs what the policy forbids', () => {
  /** Returns what a browser would refuse in a document: inline scripts and styles, event handlers, script addresses. */
  const forbidden = (html: string): string[] => [
    ...[...html.matchAll(/<script\b(?![^>]*\b(?:src=|type="application\/json"))[^>]*>/gi)].map(([found]) => found),
    ...[...html.matchAll(/<[^>]*\son\w+=[^>]*>/gi)].map(([found]) => found),
    ...[...html.matchAll(/<[^>]*\sstyle=[^>]*>/gi)].map(([found]) => found),
    ...[...html.matchAll(/(?:href|src|action)="\s*javascript:[^"]*"/gi)].map(([found]) => found),
    ...[...html.matchAll(/(?:src|href)="(?:https?:)?\/\/[^"]*\.(?:js|mjs|css|woff2?)[^"]*"/gi)].map(([found]) => found),
  ];

  test('of the pages that the server renders', async () => {
    const pages = portal.routes.filter(({ method, url }) => method === 'GET' && !url.startsWith('/api/'));
    let seen = 0;
    for (const { url } of pages) {
      const answer = await portal.ask(pathFor(url));
      if (!answer.headers['content-type']?.startsWith('text/html')) continue;
      seen++;
      expect([url, forbidden(answer.body)]).toEqual([url, []]);
    }
    expect(seen).toBeGreaterThan(5);
  });

  test.each(['apps/portal/index.html', 'apps/portal/silent-renew-oidc.html', 'apps/resource-manager/resource-manager.html'])(
    'of %s, which is built: its inline style sheet is allowed by its hash',
    file => {
      const html = fs.readFileSync(path.join(import.meta.dirname, '../../../..', file), 'utf8');
      expect(forbidden(html)).toEqual([]);
    },
  );
});

test('the one inline script of a page is the first script, which the policy of that page names by its hash', async () => {
  for (const path of ['/', '/resources/ipv4.html', '/nowhere', '/ballots', '/account/nowhere']) {
    const { body, headers } = await portal.ask(path);
    const inline = [...body.matchAll(/<script\b(?![^>]*\b(?:src=|type="application\/json"))[^>]*>([\s\S]*?)<\/script>/g)].map(
      ([, code]) => code!,
    );
    expect(inline, path).toHaveLength(1);
    const hash = createHash('sha256').update(inline[0]!).digest('base64');
    expect(/script-src ([^;]*)/.exec(String(headers['content-security-policy']))![1], path).toContain(`'sha256-${hash}'`);
  }
});

test('the sign-in form brings its style sheet with it, which the policy names by its hash', async () => {
  const { body, headers } = await portal.ask('/', { headers: { 'sec-fetch-dest': 'document' } });
  expect(body).not.toContain('rel="stylesheet"');
  const hash = createHash('sha256')
    .update(/<style>([\s\S]*?)<\/style>/.exec(body)![1]!)
    .digest('base64');
  expect(String(headers['content-security-policy']).split('; ')).toContain(`style-src 'self' 'sha256-${hash}'`);
});

test('the sign-in form says at the link of an invitation what it is for', async () => {
  const formAt = async (path: string) => (await portal.ask(path, { headers: { 'sec-fetch-dest': 'document' } })).body;
  expect(await formAt('/accept-invitation/some-token')).toContain('register with the address that got the invitation');
  expect(await formAt('/billing')).not.toContain('invit');
});

test('a page of the portal is cached privately for an hour; the sign-in callback for ten minutes, the same for everyone', async () => {
  const kept = async (path: string): Promise<unknown[]> => {
    const { headers } = await portal.ask(path);
    return [headers['cache-control'], headers.vary];
  };
  const vary = 'cookie, accept-encoding, save-data';
  for (const path of ['/', '/resources/ipv4', '/voting']) expect(await kept(path), path).toEqual(['private, max-age=3600', vary]);
  expect(await kept('/auth-callback')).toEqual(['private, max-age=600', 'accept-encoding, save-data']);
  for (const path of ['/nowhere', '/resources/ipv4.html', '/desk', '/silent-renew-oidc.html'])
    expect(await kept(path), path).toEqual(['no-cache', vary]);
});

describe('pages that may be framed', () => {
  test('are the framed pages and the silent renewal, only by ourselves', async () => {
    const { product } = { product: 'Registry' };
    for (const { path, app } of sitePages) {
      const at = path.replace(/:\w+/g, 'x');
      if (findPage(at, product).page.path !== path) continue;
      expect([at, frameAncestors(await portal.ask(at))]).toEqual([at, "'none'"]);
      expect([at, frameAncestors(await portal.ask(`${at}.html`))]).toEqual([at, app === 'resource-manager' ? "'self'" : "'none'"]);
    }
    expect(frameAncestors(await portal.ask('/silent-renew-oidc.html'))).toBe("'self'");
    expect(frameAncestors(await portal.ask('/oidc/session/check'))).toBe(`http://${host}`);
  });

  test('include no sign-in or login page, error, asset or stored mail', async () => {
    const others = portal.routes.filter(({ method, url }) => method === 'GET' && !url.startsWith('/api/'));
    expect(others.length).toBeGreaterThan(8);
    for (const { url } of others) expect([url, frameAncestors(await portal.ask(pathFor(url)))]).toEqual([url, "'none'"]);
  });
});

describe('foreign hosts', () => {
  const hosts = ({ headers }: Answer): string[] => String(headers['content-security-policy']).match(/https?:\/\/[\w.-]+/g) ?? [];

  test('are in no policy unless their feature is configured', async () => {
    for (const path of ['/', '/resources/ipv4.html', '/silent-renew-oidc.html', '/account', '/sign-in/x', '/api/me', '/dev/mail'])
      expect(
        hosts(await portal.ask(path)).filter(found => found !== `http://${host}`),
        path,
      ).toEqual([]);
  });

  test('enter the policy of the portal’s own pages only, each where its feature needs it', async () => {
    await using configured = await servedPortal({
      ERROR_REPORTING_DSN: 'https://key@errors.example/1',
      THEME_URL: 'https://theme.example/theme.json',
      RESOURCE_MANAGER_URL: 'https://manager.example',
    });
    const shell = String((await configured.ask('/')).headers['content-security-policy']);
    expect(shell).toMatch(/connect-src [^;]*https:\/\/errors\.example https:\/\/theme\.example/);
    expect(shell).toMatch(/frame-src [^;]*https:\/\/manager\.example/);
    expect(shell).toMatch(/script-src 'self' 'sha256-[^' ]+'(;|$)/);
    // Our own framed pages may be on that host, framed by the portal.
    expect(frameAncestors(await configured.ask('/resources/ipv4.html'))).toBe(`'self' http://${host}`);
    for (const path of ['/resources/ipv4.html', '/silent-renew-oidc.html', '/account', '/sign-in/x', '/api/me'])
      expect(
        hosts(await configured.ask(path)).filter(found => !found.includes(host)),
        path,
      ).toEqual([]);
  });

  test('of the live chat are its hosts, in the directives a widget needs, with one Trusted Types policy for its scripts', async () => {
    const chat = {
      baseCoreURL: 'https://core.chat.example',
      communityEndpointURL: 'https://community.chat.example/portal',
      orgId: '00D',
      eswConfigDevName: 'Portal',
      mergeSettings: {},
      gslbBaseURL: 'https://gslb.chat.example',
    };
    await using configured = await servedPortal({ CHAT_CONFIG: JSON.stringify(chat) });
    const policy = String((await configured.ask('/')).headers['content-security-policy']);
    const chatHosts = 'https://core.chat.example https://community.chat.example https://gslb.chat.example';
    for (const part of ['script-src', 'style-src', 'img-src', 'font-src', 'connect-src', 'frame-src'])
      expect(policy.split('; ').find(found => found.startsWith(`${part} `))).toContain(chatHosts);
    expect(policy).toMatch(/trusted-types worker default$/);
    expect(String((await portal.ask('/')).headers['content-security-policy'])).toMatch(/trusted-types worker$/);
    expect(String((await portal.ask('/resources/ipv4.html')).headers['content-security-policy'])).toMatch(/trusted-types 'none'$/);
    for (const path of ['/resources/ipv4.html', '/silent-renew-oidc.html', '/account', '/sign-in/x', '/api/me'])
      expect(
        hosts(await configured.ask(path)).filter(found => found.includes('chat')),
        path,
      ).toEqual([]);
  });

  test('get no cameras or payments; sign-in pages make passkeys, the portal and the desk use them, and framed pages and data do neither', async () => {
    const asks = async (path: string) => String((await portal.ask(path)).headers['permissions-policy']);
    const uses = async (path: string) =>
      /publickey-credentials-create=(.*?), publickey-credentials-get=(.*?)(,|$)/.exec(await asks(path))!.slice(1, 3);
    for (const path of ['/resources/ipv4.html', '/api/me']) expect(await uses(path), path).toEqual(['()', '()']);
    for (const path of ['/', '/desk']) expect(await uses(path), path).toEqual(['()', '(self)']);
    for (const path of ['/sign-in/x', '/account']) expect(await uses(path), path).toEqual(['(self)', '(self)']);
    for (const path of ['/', '/sign-in/x']) expect(await asks(path)).toMatch(/camera=\(\).*payment=\(\)/);
  });
});
