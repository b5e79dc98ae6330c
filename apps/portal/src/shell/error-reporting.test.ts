import { afterEach, expect, it, vi } from 'vitest';
import { createErrorReporting } from './error-reporting.ts';
import { scrubbedDeep } from './sentry.ts';
import { scrubbed } from '@portal/app-kit/auth/scrubbed';

it.each([
  [
    'https://my.example.net/auth-callback?code=abc&state=def&session_state=g.h',
    'https://my.example.net/auth-callback?code=[removed]&state=[removed]&session_state=[removed]',
  ],
  ['/oidc/session/end?id_token_hint=aaa.bbb.ccc&x=1', '/oidc/session/end?id_token_hint=[removed]&x=1'],
  ['/#code=abc', '/#code=[removed]'],
  [
    '/logout?next=%2Fauth-callback%3Fcode%3Dabc%26state%3Dd.e%26page%3D2',
    '/logout?next=%2Fauth-callback%3Fcode%3D[removed]%26state%3D[removed]%26page%3D2',
  ],
  ['{"url":"/x","session_state":"g.h"}', '{"url":"/x","session_state":"[removed]"}'],
  ['/accept-invitation/0a1b2c3d4e5f6071-8', '/accept-invitation/[removed]'],
  ['/api/referrals/0a1b2c3d4e5f6071_8/accept', '/api/referrals/[removed]/accept'],
  ['Bearer eyJhbGciOi.eyJzdWIi.c2ln', 'Bearer [token]'],
  ['{"code":"SplxlOBeZQQYbYS6WxSbIA","state":"af0ifjsldkj"}', '{"code":"[removed]","state":"[removed]"}'],
  ['{"code":"ABCDEF","redirect_uri":"/"}', '{"code":"[removed]","redirect_uri":"/"}'],
  ['[{"code":"ACC_DOWN","message":"No accounts","traceId":"f00d"}]', '[{"code":"ACC_DOWN","message":"No accounts","traceId":"f00d"}]'],
  ['/resources/ipv4?q=198.18.0.0/19&postcode=4101', '/resources/ipv4?q=[removed]&postcode=4101'],
])('%s is reported as %s', (text, expected) => expect(scrubbed(text)).toBe(expected));

it('every text of an event is scrubbed, however deep, and nothing else is touched', () => {
  const event = { request: { url: '/?code=a' }, breadcrumbs: [{ data: { to: '/?state=b', count: 3 } }], at: null };
  expect(scrubbedDeep(event)).toEqual({
    request: { url: '/?code=[removed]' },
    breadcrumbs: [{ data: { to: '/?state=[removed]', count: 3 } }],
    at: null,
  });
});

it('switched off it accepts reports and does nothing', () => {
  const reporting = createErrorReporting({ enabled: false, dsn: '', environment: 'test', release: '0', sendDefaultPii: true });
  expect(() => {
    reporting.start();
    reporting.reportDefect(new Error('x'));
    reporting.reportErrors([{ code: 'A', message: 'a', traceId: 't' }], { endpoint: 'e', method: 'GET', path: '/api/x', status: 500 });
  }).not.toThrow();
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  window.history.replaceState(null, '', '/');
});

it('no byte of a planted secret is sent, in any part of the report', async () => {
  const secrets = { code: 'PLANTED-code', state: 'PLANTED-state', session_state: 'PLANTED-session.salt', id_token_hint: 'PLANTED-hint' };
  const link = 'PLANTED0link0token0of0sixteen';
  const token = 'eyJhbGciOiJSUzI1NiJ9.PLANTED-claims.PLANTED-signature';
  const query = new URLSearchParams(secrets).toString();
  const sent: string[] = [];
  const warnings = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  // Everything is in the sample.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  vi.stubGlobal('fetch', (url: string, { body = '' }: { body?: string | Uint8Array } = {}) => {
    if (url.startsWith('https://reports.example.net/')) sent.push(typeof body === 'string' ? body : new TextDecoder().decode(body));
    return Promise.resolve(new Response('{}'));
  });
  window.history.replaceState(null, '', `/auth-callback?${query}`);

  const reporting = createErrorReporting({
    enabled: true,
    dsn: 'https://key@reports.example.net/1',
    environment: 'test',
    release: '0',
    sendDefaultPii: true,
  });
  reporting.start();
  const sentry = await import('@sentry/browser');
  await vi.waitFor(() => expect(sentry.getClient()).toBeDefined());
  sentry.addBreadcrumb({
    category: 'navigation',
    data: { from: `/auth-callback?${query}`, to: `/accept-invitation/${link}`, [`/?${query}`]: 1 },
  });
  await fetch(`/oidc/token?${query}`, { method: 'POST', headers: { authorization: `Bearer ${token}` }, body: query });
  sentry.startSpan({ name: `GET /auth-callback?${query}`, op: 'pageload', forceTransaction: true }, span => {
    span.setAttributes({
      'url.full': `https://my.example.net/auth-callback?${query}`,
      'url.query': query,
      'http.query': `?${query}`,
      token,
    });
    sentry.startSpan(
      { name: `POST /api/referrals/${link}/accept`, op: 'http.client', attributes: { 'url.query': `?${query}` } },
      () => undefined,
    );
  });
  sentry.captureException(new Error(`failed at /auth-callback?${query} with ${token}`));
  sentry.captureMessage('asked', {
    extra: { url: `/?next=${encodeURIComponent(`/auth-callback?${query}`)}`, answer: JSON.stringify({ id_token: token, ...secrets }) },
  });
  await sentry.flush(2000);
  // The recording of a session is sent the same way, as text or bytes.
  const recording = new TextEncoder().encode(`{"segment_id":0}\n[{"href":"/auth-callback?${query}"}]`);
  const header = { type: 'replay_recording', length: recording.length };
  await sentry.getClient()!.sendEnvelope([{ event_id: '0'.repeat(32) }, [[header, recording]]] as never);
  // Spans that are sent one by one have their attributes with types.
  const attributes = { 'url.query': { value: 'v4=PLANTED*PLANTED', type: 'string' }, 'server.port': { value: 443, type: 'integer' } };
  await sentry.getClient()!.sendEnvelope([{}, [[{ type: 'span', item_count: 1 }, { items: [{ attributes }] }]]] as never);
  await sentry.close(2000);

  const whole = sent.join('\n');
  for (const kind of ['"type":"event"', '"type":"replay_recording"']) expect(whole).toContain(kind);
  expect(whole).toMatch(/"type":"(transaction|span)"/);
  expect(whole).toContain('[removed]');
  expect(whole.match(/.{0,60}PLANTED.{0,40}/g) ?? []).toEqual([]);
  expect(whole).toContain('"url.query":{"value":"[removed]","type":"string"},"server.port":{"value":443');
  const [, about, first, second] = sent.find(body => body.includes('replay_recording'))!.split('\n');
  expect((JSON.parse(about!) as { length: number }).length).toBe(new TextEncoder().encode(`${first}\n${second}`).length);
  // Lists options that this version of the library does not read.
  expect(warnings.mock.calls.flat().filter(text => /beforeSend|[Ii]gnor/.test(String(text)))).toEqual([]);
});
