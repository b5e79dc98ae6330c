import { expect, it } from 'vitest';
import { createErrorReporting, scrubbedDeep } from './error-reporting.ts';
import { scrubbed } from '@portal/app-kit/auth/scrubbed';

it.each([
  [
    'https://my.example.net/auth-callback?code=abc&state=def&session_state=g.h',
    'https://my.example.net/auth-callback?code=[removed]&state=[removed]&session_state=[removed]',
  ],
  ['/oidc/session/end?id_token_hint=aaa.bbb.ccc&x=1', '/oidc/session/end?id_token_hint=[removed]&x=1'],
  ['/#code=abc', '/#code=[removed]'],
  ['Bearer eyJhbGciOi.eyJzdWIi.c2ln', 'Bearer [token]'],
  ['{"code":"SplxlOBeZQQYbYS6WxSbIA","state":"af0ifjsldkj"}', '{"code":"[removed]","state":"[removed]"}'],
  ['{"code":"ABCDEF","redirect_uri":"/"}', '{"code":"[removed]","redirect_uri":"/"}'],
  ['[{"code":"ACC_DOWN","message":"No accounts","traceId":"f00d"}]', '[{"code":"ACC_DOWN","message":"No accounts","traceId":"f00d"}]'],
  ['/resources/ipv4?q=198.18.0.0/19&postcode=4101', '/resources/ipv4?q=198.18.0.0/19&postcode=4101'],
])('%s is reported as %s', (text, expected) => expect(scrubbed(text)).toBe(expected));

it('every text of an event is scrubbed, however deep, and nothing else is touched', () => {
  const event = { request: { url: '/?code=a' }, breadcrumbs: [{ data: { to: '/?state=b', count: 3 } }], at: null };
  expect(scrubbedDeep(event)).toEqual({
    request: { url: '/?code=[removed]' },
    breadcrumbs: [{ data: { to: '/?state=[removed]', count: 3 } }],
    at: null,
  });
});

it('switched off it takes reports and does nothing', () => {
  const reporting = createErrorReporting({ enabled: false, dsn: '', environment: 'test', release: '0', sendDefaultPii: true });
  expect(() => {
    reporting.start();
    reporting.reportDefect(new Error('x'));
    reporting.reportErrors([{ code: 'A', message: 'a', traceId: 't' }], { endpoint: 'e', method: 'GET', path: '/api/x', status: 500 });
  }).not.toThrow();
});
