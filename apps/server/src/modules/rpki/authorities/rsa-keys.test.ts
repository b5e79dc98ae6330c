import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { ProfileError } from '@portal/rpki-objects';
import { expect, test } from 'vitest';
import { openPrivateKey, openPublicKey } from './rsa-keys.ts';

const pairOf = (modulusLength: number) =>
  generateKeyPairSync('rsa', {
    modulusLength,
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
    publicKeyEncoding: { type: 'spki', format: 'der' },
  });

test('keys opened by their numbers are those that OpenSSL reads', () => {
  for (const modulusLength of [2048, 1024, 1030]) {
    const { privateKey, publicKey } = pairOf(modulusLength);
    const own = openPrivateKey(privateKey);
    expect(own.equals(createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' }))).toBe(true);
    expect(openPublicKey(publicKey).equals(createPublicKey({ key: publicKey, format: 'der', type: 'spki' }))).toBe(true);
    expect(verify('sha256', Buffer.from('a'), openPublicKey(publicKey), sign('sha256', Buffer.from('a'), own))).toBe(true);
  }
});

test('anything else is refused as what it is', () => {
  const { privateKey, publicKey } = pairOf(1024);
  expect(() => openPrivateKey(publicKey)).toThrow(ProfileError);
  expect(() => openPublicKey(privateKey)).toThrow(ProfileError);
  expect(() => openPrivateKey(privateKey.subarray(0, 100))).toThrow(ProfileError);
  expect(() => openPublicKey(new Uint8Array())).toThrow(ProfileError);
});
