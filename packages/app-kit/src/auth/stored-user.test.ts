import { beforeEach, expect, it, vi } from 'vitest';
import { signedInUser, storedUser, userIdOf, clearToken } from './stored-user.ts';

const provider = { issuerUri: 'https://id.example.net', clientId: 'portal', claimNames: {} };
const kept = { id_token: 'aa.bb.cc', expires_at: 2000, profile: { sub: 's1', userid: 'corin', amr: ['pwd', 'otp', 'mfa'] } };
const store = (value: unknown) =>
  sessionStorage.setItem('oidc.user:https://id.example.net:portal', typeof value === 'string' ? value : JSON.stringify(value));
const found = (now = 1000) => storedUser(provider, now);
beforeEach(() => sessionStorage.clear());

it('the stored user is read where the library keeps it, without the library', () => {
  store(kept);
  expect(found()).toEqual({ idToken: 'aa.bb.cc', expiresAt: 2000, claims: kept.profile });
});

it.each([
  ['nobody signed in', null],
  ['the entry is damaged', '{'],
  ['the user of another client', undefined],
])('there is none when %s', (_, value) => {
  if (value !== undefined) store(value ?? 'null');
  expect(found()).toBeNull();
});

it('an expired user does not count', () => {
  store(kept);
  expect(found(2000)).toBeNull();
});

it('without an expiry of the access token that of the identity token counts', () => {
  expect(signedInUser({ ...kept, expires_at: undefined, profile: { sub: 's1', exp: 1500 } })?.expiresAt).toBe(1500);
  expect(signedInUser({ ...kept, expires_at: undefined })).toBeNull();
});

it('the session ends with whichever of the two tokens ends first', () => {
  const ending = (accessToken: number, identityToken: number) =>
    signedInUser({ ...kept, expires_at: accessToken, profile: { sub: 's1', exp: identityToken } })?.expiresAt;
  expect(ending(2000, 1500)).toBe(1500);
  expect(ending(1500, 2000)).toBe(1500);
});

it('a provider’s own names for claims are read as those of the specification', () => {
  const profile = { sub: 's1', preferred_username: 'corin', userid: 'not-this-one', mail: 'corin@example.net' };
  const user = signedInUser({ ...kept, profile }, { userid: 'preferred_username', email: 'mail' });
  expect(user?.claims).toMatchObject({ sub: 's1', userid: 'corin', email: 'corin@example.net' });
});

it('without access to browser storage there is no user', () => {
  store(kept);
  const blocked = vi.spyOn(window, 'sessionStorage', 'get').mockImplementation(() => {
    throw new DOMException('Access is denied for this document.', 'SecurityError');
  });
  expect(found()).toBeNull();
  expect(() => clearToken()).not.toThrow();
  blocked.mockRestore();
  expect(found()).not.toBeNull();
});

it.each([
  ['no identity token', { ...kept, id_token: undefined }],
  ['a token of two parts', { ...kept, id_token: 'aa.bb' }],
  ['a token of four parts', { ...kept, id_token: 'aa.bb.cc.dd' }],
  ['no subject', { ...kept, profile: {} }],
  ['an empty subject', { ...kept, profile: { sub: '' } }],
  ['no profile', { ...kept, profile: null }],
])('%s is no signed-in user', (_, value) => {
  expect(signedInUser(value)).toBeNull();
});

it('memory of this device is kept under the userid claim, or the subject without one', () => {
  expect(userIdOf({ sub: 's1', userid: 'corin' })).toBe('corin');
  expect(userIdOf({ sub: 's1' })).toBe('s1');
});
