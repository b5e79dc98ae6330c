import { expect, it } from 'vitest';
import { cancelledOn, returnPath } from './return-path.ts';

it.each([
  ['/desk/requests?request=resources-1', '/desk/requests?request=resources-1'],
  ['/auth-callback?code=x', '/'],
  ['/logout', '/'],
  ['/?guest', '/'],
  ['https://evil.example/', '/'],
  [undefined, '/'],
])('a person who signs in from %s returns to %s', (asked, path) => {
  expect(returnPath(asked)).toBe(path);
});

it('a cancelled step-up leads back to its page; any other failure is shown', () => {
  const state = { returnTo: '/resources/routes?page=2', expectedSub: 'corin' };
  expect(cancelledOn({ error: 'access_denied', state })).toBe('/resources/routes?page=2');
  expect(cancelledOn({ error: 'server_error', state })).toBeNull();
  expect(cancelledOn({ error: 'access_denied', state: { returnTo: '/' } }), 'a first sign-in').toBeNull();
  expect(cancelledOn(new Error('No matching state found'))).toBeNull();
});
