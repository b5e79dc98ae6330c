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
  if (!key)
    return {
      object,
      problems: [
        problem(object, 'not-a-key', 'certif isn’t an OpenPGP public key. Paste all of it, from BEGIN PGP PUBLIC KEY BLOCK to END', {
          attribute: 'certif',
        }),
      ],
    };
  if (key.keys > 1)
    return {
      object,
      problems: [problem(object, 'several-keys', `certif has ${key.keys} keys. Create a key-cert for each`, { attribute: 'certif' })],
    };
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

/** The key in an armoured text; null if it isn't one, or is damaged. */
function readKey(text: string): { fingerprint: string; owners: string[]; keys: number } | null {
  const lines = text.split('\n').map(line => line.trim());
  const begin = lines.findIndex(line => /^-+BEGIN PGP PUBLIC KEY BLOCK-+$/.test(line));
  const end = lines.findIndex(line => /^-+END PGP PUBLIC KEY BLOCK-+$/.test(line));
  if (begin < 0 || end < begin) return null;
  const body = lines.slice(begin + 1, end).filter(line => /^[A-Za-z0-9+/]+={0,2}$/.test(line));
  const bytes = Buffer.from(body.join(''), 'base64');
  const sum = lines.slice(begin + 1, end).find(line => /^=[A-Za-z0-9+/]{4}$/.test(line));
  if (sum !== undefined && Buffer.from(sum.slice(1), 'base64').readUIntBE(0, 3) !== crc24(bytes)) return null;
  let fingerprint: string | null = null;
  let keys = 0;
  let read = 0;
  const owners: string[] = [];
  for (const { tag, packet, end: at } of packetsOf(bytes)) {
    read = at;
    if (tag === 6) keys += 1;
    if (tag === 6 && fingerprint === null && packet[0] === 4) {
      const head = Buffer.from([0x99, packet.length >> 8, packet.length & 255]);
      // A version 4 fingerprint is SHA-1 by definition; it names the key and secures nothing here.
      fingerprint = createHash('sha1').update(head).update(packet).digest('hex').toUpperCase();
    }
    if (tag === 13) owners.push(packet.toString('utf8').replaceAll(/[\r\n#]/g, ' '));
  }
  return fingerprint === null || read < bytes.length ? null : { fingerprint, owners, keys };
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
