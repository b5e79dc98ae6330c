import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { derivedKeys, type Secrets } from '../../../platform/secret-box.ts';

/* Detached OpenPGP signatures (RFC 9580, version 4 packets) with an Ed25519 key, as GnuPG 2.1 and later verify them. */

/** OID of Ed25519 in OpenPGP keys of version 4, and the number of its algorithm. */
const CURVE = Buffer.from('092b06010401da470f01', 'hex');
const EDDSA = 22;
const SHA512 = 10;
/** A key contains its creation time, and another time would be another key. */
const MADE_AT = Date.UTC(2026, 0, 1) / 1000;

const uint = (value: number, bytes: 2 | 4): Buffer => {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return buffer;
};
/** A number preceded by its length in bits. */
function mpi(given: Buffer): Buffer {
  let start = 0;
  while (start < given.length - 1 && given[start] === 0) start++;
  const bytes = given.subarray(start);
  return Buffer.concat([uint((bytes.length - 1) * 8 + (32 - Math.clz32(bytes[0]!)), 2), bytes]);
}
const packet = (tag: number, body: Buffer): Buffer => Buffer.concat([Buffer.of(0xc0 | tag, 0xff), uint(body.length, 4), body]);
const subpacket = (type: number, body: Buffer): Buffer => Buffer.concat([Buffer.of(body.length + 1, type), body]);

/** The checksum of ASCII armour. */
function crc24(bytes: Buffer): Buffer {
  let crc = 0xb704ce;
  for (const byte of bytes) {
    crc ^= byte << 16;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x800000 ? (crc << 1) ^ 0x1864cfb : crc << 1;
  }
  return Buffer.of((crc >> 16) & 255, (crc >> 8) & 255, crc & 255);
}
const armour = (what: string, bytes: Buffer): string =>
  `-----BEGIN PGP ${what}-----\n\n${bytes.toString('base64').replaceAll(/(.{64})(?=.)/g, '$1\n')}\n=${crc24(bytes).toString('base64')}\n-----END PGP ${what}-----\n`;

/** A key that signs published files. */
type FileSigner = {
  /** 40 hexadecimal digits. */
  fingerprint: string;
  /** The public key, to be imported. */
  publicKey: string;
  /** Returns the detached signature of some bytes, in ASCII armour. @param at its creation time, in whole seconds */
  sign: (bytes: Buffer, at: Date) => string;
};

/** The key of a registry, derived from its secret: every process has the same, and it isn't stored. @param userId as `Name <mail>` */
export function fileSigner(secrets: Secrets, userId: string): FileSigner {
  const [seed] = derivedKeys(secrets, 'signature of published files');
  const key: KeyObject = createPrivateKey({
    key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]),
    format: 'der',
    type: 'pkcs8',
  });
  const point = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32);
  const keyBody = Buffer.concat([Buffer.of(4), uint(MADE_AT, 4), Buffer.of(EDDSA), CURVE, mpi(Buffer.concat([Buffer.of(0x40), point]))]);
  const framedKey = Buffer.concat([Buffer.of(0x99), uint(keyBody.length, 2), keyBody]);
  const fingerprint = createHash('sha1').update(framedKey).digest();
  const signed = (type: number, content: readonly Buffer[], { at, more = [] }: { at: number; more?: readonly Buffer[] }): Buffer => {
    const hashed = Buffer.concat([subpacket(33, Buffer.concat([Buffer.of(4), fingerprint])), subpacket(2, uint(at, 4)), ...more]);
    const head = Buffer.concat([Buffer.of(4, type, EDDSA, SHA512), uint(hashed.length, 2), hashed]);
    const digest = createHash('sha512');
    for (const part of [...content, head, Buffer.of(4, 0xff), uint(head.length, 4)]) digest.update(part);
    const hash = digest.digest();
    const value = sign(null, hash, key);
    const issuer = subpacket(16, fingerprint.subarray(-8));
    return packet(
      2,
      Buffer.concat([head, uint(issuer.length, 2), issuer, hash.subarray(0, 2), mpi(value.subarray(0, 32)), mpi(value.subarray(32))]),
    );
  };
  const name = Buffer.from(userId);
  // It certifies its own name, and may certify and sign.
  const certification = signed(0x13, [framedKey, Buffer.of(0xb4), uint(name.length, 4), name], {
    at: MADE_AT,
    more: [subpacket(27, Buffer.of(3))],
  });
  return {
    fingerprint: fingerprint.toString('hex').toUpperCase(),
    publicKey: armour('PUBLIC KEY BLOCK', Buffer.concat([packet(6, keyBody), packet(13, name), certification])),
    sign: (bytes, at) => armour('SIGNATURE', signed(0x00, [bytes], { at: Math.floor(at.getTime() / 1000) })),
  };
}
