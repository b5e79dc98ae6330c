import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { expect, test } from 'vitest';
import { hashesOf, readNotification } from './notification.ts';

const pair = (): { pem: string; privateKey: KeyObject } => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { pem: publicKey.export({ type: 'spki', format: 'pem' }).toString(), privateKey };
};
const [current, next, other] = [pair(), pair(), pair()];
const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const signed = (payload: object, { privateKey }: { privateKey: KeyObject } = current, header: object = { alg: 'ES256' }): string => {
  const text = `${part(header)}.${part(payload)}`;
  return `${text}.${sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
};
const file = (version: number, letter = 'a') => ({ version, url: `nrtm-${version}.json.gz`, hash: letter.repeat(64) });
const session = 'ca128382-78d9-41d1-8927-1ecef15275be';
const payload = {
  nrtm_version: 4,
  timestamp: '2026-03-01T12:00:00Z',
  type: 'notification',
  source: 'OTHER',
  session_id: session,
  version: 4,
  snapshot: file(2),
  deltas: [file(2, 'b'), file(3), file(4)],
};
const known = { session: null, serial: 0, firstKey: current.pem, signingKey: null, nextKey: null, files: {} };
const read = (given: object, state = {}) => readNotification(signed(given), 'OTHER', { ...known, ...state });

test('a notification is read under the key of its source', () => {
  expect(read(payload)).toMatchObject({ version: 4, signingKey: current.pem, nextKey: null });
  expect(read({ ...payload, metadata: { anything: 1 } })).toMatchObject({ version: 4 });
});

test('a key that was announced replaces the one before, for ever', () => {
  const announced = read({ ...payload, next_signing_key: next.pem });
  expect(announced).toMatchObject({ signingKey: current.pem, nextKey: next.pem });
  const replaced = readNotification(signed(payload, next), 'OTHER', { ...known, signingKey: current.pem, nextKey: next.pem });
  expect(replaced).toMatchObject({ signingKey: next.pem, nextKey: null });
  expect(() => readNotification(signed(payload, current), 'OTHER', { ...known, signingKey: next.pem })).toThrow('isn’t signed by the key');
});

test.each<[string, string]>([
  ['a signature of another key', signed(payload, other)],
  ['no signature', `${part({ alg: 'none' })}.${part(payload)}.`],
  ['an algorithm of its own choice', signed(payload, current, { alg: 'ES512' })],
  [
    'a secret made of the public key',
    (() => {
      const text = `${part({ alg: 'HS256' })}.${part(payload)}`;
      return `${text}.${createHmac('sha256', current.pem).update(text).digest('base64url')}`;
    })(),
  ],
  ['critical headers that are not known', signed(payload, current, { alg: 'ES256', crit: ['b64'], b64: false })],
  ['a payload that was changed', signed(payload).replace(part(payload), part({ ...payload, version: 5 }))],
  ['no JWS', 'nothing'],
])('%s is refused', (_, jws) => {
  expect(() => readNotification(jws, 'OTHER', known)).toThrow('isn’t signed by the key of this source');
});

test.each<[string, object, object, string]>([
  ['another source', { source: 'ELSE' }, {}, 'is of the source ELSE'],
  ['another version of the protocol', { nrtm_version: 3 }, {}, 'nrtm_version'],
  ['a session that is none', { session_id: 'x' }, {}, 'session_id'],
  ['a gap between deltas', { deltas: [file(2), file(4)] }, {}, 'a gap between its deltas'],
  ['a version that its files don’t have', { version: 5 }, {}, 'says version 5'],
  ['a lower version than before', {}, { session, serial: 6 }, 'version 4, 2 below the 6'],
  [
    'history that was rewritten',
    {},
    { session, serial: 3, files: hashesOf({ ...payload, deltas: [file(3, 'c')] }) },
    'rewrote its history',
  ],
  ['a key that is none', { next_signing_key: 'x' }, {}, 'announces a key that is none'],
])('%s is refused', (_, change, state, sentence) => {
  expect(() => read({ ...payload, ...change }, state)).toThrow(sentence);
});
