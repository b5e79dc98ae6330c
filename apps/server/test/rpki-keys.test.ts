import { createPublicKey, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { signerWithSharedKeys } from './rpki-keys.ts';
import { testSecrets } from './context.ts';

test('a portal gets no key twice, another one the same keys in the same order, and what they sign is valid', async () => {
  const [one, other] = [signerWithSharedKeys(testSecrets), signerWithSharedKeys(testSecrets)];
  // At the same time, and past the end of what is made together.
  const [first, more] = await Promise.all([one.createAuthorityKey('member'), one.createKeys(17)]);
  const keys = [first, ...more];
  expect(new Set(keys.map(({ keyIdentifier }) => keyIdentifier)).size).toBe(18);
  expect(await other.createKeys(18)).toEqual(keys);
  const toBeSigned = new TextEncoder().encode('A manifest');
  const [signature] = await other.sign([{ ...keys[17]!, toBeSigned }]);
  const publicKey = createPublicKey({ key: Buffer.from(keys[17]!.publicKey), format: 'der', type: 'spki' });
  expect(verify('sha256', toBeSigned, publicKey, signature!)).toBe(true);
});
