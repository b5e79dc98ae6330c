import fc from 'fast-check';
import { expect, test } from 'vitest';
import { recorded, recordedVoters } from '../test/recorded.ts';
import { alphabet } from './base58.ts';
import { isCredential, newCredential, publicOf, secretOf } from './credential.ts';
import { isElement } from './group.ts';
import { jsonHash } from './hash.ts';

const uuid = recorded('uuid.txt');
const published = JSON.parse(recorded('public_creds.txt')) as string[];

test('the credentials of belenios-tool have the public credentials that it publishes', async () => {
  const derived = await Promise.all(
    recordedVoters.map(async ({ credential, weight }) => `${publicOf(await secretOf(credential, uuid))},${weight}`),
  );
  expect(derived.toSorted()).toEqual(published.toSorted());
});

test('the list of public credentials has the fingerprint that belenios-tool prints', async () => {
  expect(await jsonHash(recorded('public_creds.txt'))).toBe(recorded('credentials-fingerprint.txt'));
});

test('a credential has another secret in another election, and without its dashes', async () => {
  const [{ credential }] = recordedVoters as [(typeof recordedVoters)[0]];
  const secrets = [
    await secretOf(credential, uuid),
    await secretOf(credential, `${uuid}1`),
    await secretOf(credential.replaceAll('-', ''), uuid),
  ];
  expect(new Set(secrets).size).toBe(3);
});

test('new credentials have the form of those of belenios-tool', async () => {
  for (const { credential } of recordedVoters) expect(isCredential(credential)).toBe(true);
  const credential = newCredential();
  expect(credential).toMatch(/^(?:[1-9A-HJ-NP-Za-km-z]{3}-){4}[1-9A-HJ-NP-Za-km-z]{3}$/);
  expect(isCredential(credential)).toBe(true);
  expect(isCredential(credential.replaceAll('-', ''))).toBe(true);
  expect(isElement(publicOf(await secretOf(credential, uuid)))).toBe(true);
});

test('every credential that is made has its check digit, and any other digit in one place is found', () => {
  const digit = fc.nat({ max: 57 });
  fc.assert(
    fc.property(fc.array(digit, { minLength: 14, maxLength: 14 }), digit, fc.nat({ max: 13 }), (digits, other, place) => {
      const credential = newCredential(length => Uint8Array.from(digits).subarray(0, length));
      expect(isCredential(credential)).toBe(true);
      // Two digits that differ by 53 are the same to the check digit.
      fc.pre((digits[place]! - other) % 53 !== 0);
      const plain = credential.replaceAll('-', '');
      expect(isCredential(plain.slice(0, place) + alphabet[other]! + plain.slice(place + 1))).toBe(false);
    }),
  );
});

test.each([
  '',
  '-',
  'abc',
  '0-0-0',
  '000-000-000-000-000',
  'abcde-fghij-klmno',
  'Ds9-t9M-M6W-PRq-XX',
  'Ds9t9MM6W-PRqXXQ',
  '😀😀😀😀😀😀😀x',
])('%j is no credential', text => expect(isCredential(text)).toBe(false));
