import { generateKeyPairSync } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readForeignSources } from './configured.ts';

let folder: string;
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'portal-sources-'));
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const pemOf = (namedCurve: string): string =>
  generateKeyPairSync('ec', { namedCurve }).publicKey.export({ type: 'spki', format: 'pem' }).toString();
const read = (content: unknown) => {
  const file = path.join(folder, 'sources.json');
  fs.writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return readForeignSources(file, 'EXAMPLE');
};
const dump = ['https://ftp.other.example/other.db.gz'];
const serial = 'https://ftp.other.example/OTHER.CURRENTSERIAL';
const nrtm4 = 'https://nrtm.other.example/OTHER/update-notification-file.jose';

test('sources are read in their order, each with its way', () => {
  expect(
    read([
      { name: 'other', dump, default: true },
      { name: 'NEAR', dump, serial, nrtm3: 'whois.near.example:43' },
      { name: 'SIGNED', nrtm4, key: pemOf('P-256') },
    ]),
  ).toMatchObject([
    { name: 'OTHER', isDefault: true, way: { kind: 'dump', dump, serial: null, hours: 24 } },
    { name: 'NEAR', isDefault: false, way: { kind: 'nrtm3', dump, serial, host: 'whois.near.example', port: 43 } },
    { name: 'SIGNED', isDefault: false, way: { kind: 'nrtm4', url: nrtm4 } },
  ]);
  expect(readForeignSources('', 'EXAMPLE')).toEqual([]);
});

test.each<[string, unknown, string]>([
  ['no JSON', '[', 'can’t be read'],
  ['no list', {}, 'must be a list of sources'],
  ['no object', ['RADB'], 'source number 1 must be an object'],
  ['the own source', [{ name: 'example', dump }], 'source "example" is the registry’s own'],
  [
    'a source twice',
    [
      { name: 'OTHER', dump },
      { name: 'other', dump },
    ],
    'source "other" is listed twice',
  ],
  ['an unknown key', [{ name: 'OTHER', dump, url: 'x' }], 'has an unknown entry "url"'],
  ['a name that is none', [{ name: '1ST/SOURCE', dump }], 'must be the name of a source'],
  ['no way', [{ name: 'OTHER' }], 'name its files as dump, or its update notification file as nrtm4'],
  ['NRTM 4 without its key', [{ name: 'OTHER', nrtm4 }], 'nrtm4 needs the public key'],
  ['a key of another curve', [{ name: 'OTHER', nrtm4, key: pemOf('P-384') }], 'must be the public key of the source in PEM'],
  ['NRTM 4 over http', [{ name: 'OTHER', nrtm4: nrtm4.replace('https', 'http'), key: pemOf('P-256') }], 'starting with https://'],
  ['NRTM 4 beside files', [{ name: 'OTHER', nrtm4, key: pemOf('P-256'), dump }], 'leave dump, serial, hours and nrtm3 out'],
  ['a key without NRTM 4', [{ name: 'OTHER', dump, key: pemOf('P-256') }], 'key is for nrtm4'],
  ['NRTM 3 without a serial', [{ name: 'OTHER', dump, nrtm3: 'whois.other.example:43' }], 'nrtm3 goes on from the serial of the files'],
  ['NRTM 3 without a port', [{ name: 'OTHER', dump, serial, nrtm3: 'whois.other.example' }], 'must be a host and a port'],
  ['a port that is none', [{ name: 'OTHER', dump, serial, nrtm3: 'whois.other.example:70000' }], 'must be a host and a port'],
  [
    'a file by ftp',
    [{ name: 'OTHER', dump: ['ftp://ftp.other.example/other.db.gz'] }],
    'must be an address starting with https://, http:// or file:///',
  ],
  ['hours without end', [{ name: 'OTHER', dump, hours: 1000 }], 'must be 1 to 168 hours'],
])('%s is refused with a sentence', (_, content, sentence) => {
  expect(() => read(content)).toThrow(sentence);
});
