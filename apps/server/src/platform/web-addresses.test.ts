import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { isUnknownVisitor } from './web-addresses.ts';

const visit = (url: string, headers: Record<string, string> = {}, method = 'GET'): boolean =>
  isUnknownVisitor({ url, method, headers: { 'sec-fetch-dest': 'document', ...headers } } as unknown as IncomingMessage, 'registry');

test.each(['/', '/resources/ipv4?within=192.0.2.0/24', '/member-account-settings/account-contacts', '/settings'])(
  'a browser without a session that opens %s is a stranger',
  url => {
    expect(visit(url)).toBe(true);
  },
);

test.each([
  '/?guest',
  '/logout',
  '/auth-callback?code=c&state=s',
  '/silent-renew-oidc.html',
  '/resources/ipv4.html',
  '/nowhere/at-all',
  '/desk/accounts',
  '/account',
  '/sign-in/x',
  '/oidc/auth?prompt=none',
  '/api/me',
  '/assets/x.js',
])('%s is answered as usual', url => {
  expect(visit(url)).toBe(false);
});

test.each([
  ['a browser with a session at the provider', { cookie: 'theme=dark; op_state=abc' }],
  ['the same over https', { cookie: '__Host-op_state=abc' }],
  ['a tab that asks for the portal', { cookie: 'portal-tab=1' }],
  ['a script or a frame', { 'sec-fetch-dest': 'iframe' }],
  ['a program that says nothing', { 'sec-fetch-dest': '' }],
])('%s gets the portal', (_who, headers: Record<string, string>) => {
  expect(visit('/', headers)).toBe(false);
});

test('an ended session counts as none, and only GET opens a page', () => {
  expect(visit('/', { cookie: 'op_state=' })).toBe(true);
  expect(visit('/', {}, 'POST')).toBe(false);
});
