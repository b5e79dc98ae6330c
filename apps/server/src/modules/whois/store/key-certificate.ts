import { createHash } from 'node:crypto';
import { attributeOf, type RpslObject, valueOf, valuesOf } from '@portal/rpsl';
import { problem, type WhoisProblem } from './update.ts';

/**
 * Fills in method, owner and fingerprint of a key-cert from the OpenPGP key in its `certif` lines (RFC 4880 sections 4.2, 5.5.2, 5.11, 6.2, 12.2),
 * and refuses one whose name is not that of its key. X.509 certificates are refused: nothing here is signed with them, and they would be unverified.
 */
export function certificateOf(object: RpslObject): { object: RpslObject; problems: WhoisProblem[] } {
  const name = valueOf(object, 'key-cert') ?? '';
  if (/^x509-/i.test(name))
    return {
      object,
      problems: [
        problem(object, 'certificate-not-taken', 'X.509 certificates aren’t kept here. Enter an OpenPGP key', { attribute: 'key-cert' }),
      ],
    };
  if (!/^pgpkey-/i.test(name)) return { object, problems: [] };
  const key = readKey(valuesOf(object, 'certif').join('\n'));
  if ('code' in key) return { object, problems: [problem(object, key.code, key.message, { attribute: 'certif' })] };
  const problems =
    key.fingerprint.slice(-8) === name.slice(7).toUpperCase()
      ? []
      : [problem(object, 'wrong-key-id', `This key is PGPKEY-${key.fingerprint.slice(-8)}`, { attribute: 'key-cert' })];
  const [first, ...rest] = object.attributes.filter(attribute => !generated.has(attribute.name));
  const made = [
    attributeOf('method', 'PGP'),
    ...key.owners.map(owner => attributeOf('owner', owner)),
    attributeOf('fingerpr', spell(key.fingerprint)),
  ];
  return { object: { ...object, attributes: [first!, ...made, ...rest] }, problems };
}

const generated = new Set(['method', 'owner', 'fingerpr']);

/** Returns the usual spelling: groups of four, and a gap in the middle. */
const spell = (fingerprint: string): string => fingerprint.replaceAll(/.{4}(?!$)/g, '$& ').replace(/^.{25}/, '$& ');

/** Checksum of armoured text (RFC 4880 section 6.1). */
function crc24(bytes: Buffer): number {
  let crc = 0xb704ce;
  for (const byte of bytes) {
    crc ^= byte << 16;
    for (let bit = 0; bit < 8; bit++) crc = (crc << 1) ^ (crc & 0x800000 ? 0x1864cfb : 0);
  }
  return crc & 0xffffff;
}

type Key = { fingerprint: string; owners: string[] };
type KeyProblem = { code: string; message: string };

const noKey: KeyProblem = {
  code: 'not-a-key',
  message: 'certif isn’t an OpenPGP public key. Paste all of it and nothing else, from BEGIN PGP PUBLIC KEY BLOCK to END',
};
const secretKey: KeyProblem = {
  code: 'secret-key',
  message: 'certif has a secret key, which is for you alone. Enter only the public key',
};
const severalKeys = (count: number): KeyProblem => ({
  code: 'several-keys',
  message: `certif has ${count} keys. Create a key-cert for each`,
});

/** Packets of secret keys and secret subkeys (RFC 4880 sections 5.5.1.3 and 5.5.1.4). */
const secretTags: ReadonlySet<number> = new Set([5, 7]);

/** Reads the bytes between BEGIN and END, or finds why the text isn’t one armoured public key: all of it is published. */
function armouredBytes(text: string): Buffer | KeyProblem {
  const lines = text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '');
  if (lines.some(line => /^-+BEGIN PGP (?:PRIVATE|SECRET) KEY BLOCK-+$/.test(line))) return secretKey;
  const blocks = lines.filter(line => /^-+BEGIN PGP PUBLIC KEY BLOCK-+$/.test(line)).length;
  if (blocks > 1) return severalKeys(blocks);
  const [first = '', ...rest] = lines;
  if (blocks === 0 || !first.startsWith('-') || !/^-+END PGP PUBLIC KEY BLOCK-+$/.test(rest.pop() ?? '')) return noKey;
  // Headers such as “Version: GnuPG v2” (RFC 4880 section 6.2), and the checksum at the end.
  const body = rest.slice(rest.findIndex(line => !/^[A-Za-z]+: /.test(line)));
  const sum = /^=[A-Za-z0-9+/]{4}$/.test(body.at(-1) ?? '') ? body.pop()! : null;
  if (!body.every(line => /^[A-Za-z0-9+/]+={0,2}$/.test(line))) return noKey;
  const bytes = Buffer.from(body.join(''), 'base64');
  return sum === null || Buffer.from(sum.slice(1), 'base64').readUIntBE(0, 3) === crc24(bytes) ? bytes : noKey;
}

/** Reads the public key of an armoured text. */
function readKey(text: string): Key | KeyProblem {
  const bytes = armouredBytes(text);
  if ('code' in bytes) return bytes;
  let fingerprint: string | null = null;
  let keys = 0;
  let read = 0;
  const owners: string[] = [];
  for (const { tag, packet, end: at } of packetsOf(bytes)) {
    read = at;
    if (secretTags.has(tag)) return secretKey;
    if (tag === 6) keys += 1;
    if (tag === 6 && fingerprint === null && packet[0] === 4) {
      const head = Buffer.from([0x99, packet.length >> 8, packet.length & 255]);
      // A version 4 fingerprint is SHA-1 by definition; it names the key and secures nothing here.
      fingerprint = createHash('sha1').update(head).update(packet).digest('hex').toUpperCase();
    }
    if (tag === 13) owners.push(packet.toString('utf8').replaceAll(/[\r\n#]/g, ' '));
  }
  if (fingerprint === null || read < bytes.length) return noKey;
  return keys > 1 ? severalKeys(keys) : { fingerprint, owners };
}

/** Packets in their order; ends at the first that cannot be read. */
function* packetsOf(bytes: Buffer): Generator<{ tag: number; packet: Buffer; end: number }> {
  let at = 0;
  while (at + 2 <= bytes.length) {
    const head = bytes[at++]!;
    if ((head & 0x80) === 0) return;
    const isNew = (head & 0x40) !== 0;
    const tag = isNew ? head & 0x3f : (head >> 2) & 0x0f;
    let length: number;
    if (isNew) {
      const first = bytes[at++]!;
      if (first < 192) length = first;
      else if (first < 224) length = ((first - 192) << 8) + (bytes[at++] ?? 0) + 192;
      else if (first === 255 && at + 4 <= bytes.length) {
        length = bytes.readUInt32BE(at);
        at += 4;
      } else return;
    } else {
      const size = [1, 2, 4, 0][head & 3]!;
      if (size === 0 || at + size > bytes.length) return;
      length = bytes.readUIntBE(at, size);
      at += size;
    }
    if (at + length > bytes.length) return;
    yield { tag, packet: bytes.subarray(at, at + length), end: at + length };
    at += length;
  }
}
