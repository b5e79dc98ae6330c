import { createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { DerReader } from '@portal/rpki-objects';

// OpenSSL 3 takes longer to find out which of its decoders reads a key (0.4 ms for a private one, 0.1 ms for a public one) than to use it. Given as numbers,
// a key is open in 0.02 ms. Each signed object has a key of its own, so that is what a publication of many objects would wait for.

/** The next INTEGER, which is not negative, in base64url without its sign byte. */
function numberOf(reader: DerReader, what: string): string {
  const { content } = reader.one(0x02, what);
  const bytes = content[0] === 0 ? content.subarray(1) : content;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64url');
}

/** Opens an RSA private key (RFC 8017, A.1.2) in PKCS#8. @throws ProfileError for anything else */
export function openPrivateKey(pkcs8: Uint8Array): KeyObject {
  const info = new DerReader(pkcs8, 'The key').sequence('the key');
  info.integer('the version');
  info.sequence('the algorithm');
  const key = new DerReader(info.octets('the private key'), 'The private key').sequence('the private key');
  key.integer('the version');
  const parts: JsonWebKey = { kty: 'RSA' };
  for (const name of ['n', 'e', 'd', 'p', 'q', 'dp', 'dq', 'qi'] as const) parts[name] = numberOf(key, name);
  return createPrivateKey({ key: parts, format: 'jwk' });
}

/** Opens an RSA public key in a SubjectPublicKeyInfo. @throws ProfileError for anything else */
export function openPublicKey(spki: Uint8Array): KeyObject {
  const info = new DerReader(spki, 'The key').sequence('the key');
  info.sequence('the algorithm');
  const key = new DerReader(info.wholeBits('the public key'), 'The public key').sequence('the public key');
  return createPublicKey({ key: { kty: 'RSA', n: numberOf(key, 'n'), e: numberOf(key, 'e') }, format: 'jwk' });
}
