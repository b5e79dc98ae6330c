import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { type Cryptography, keyIdOf, printHex } from '@portal/rpki-objects';

/** Parsed CA keys, cached as long as their bytes are referenced: one key verifies many signatures. */
const keys = new WeakMap<Uint8Array, KeyObject>();

function keyOf(publicKey: Uint8Array): KeyObject {
  const known = keys.get(publicKey) ?? createPublicKey({ key: Buffer.from(publicKey), format: 'der', type: 'spki' });
  keys.set(publicKey, known);
  return known;
}

/** Hashes and signature checks by OpenSSL. */
export const nodeCryptography: Cryptography = {
  sha1: data => createHash('sha1').update(data).digest(),
  sha256: data => createHash('sha256').update(data).digest(),
  verifies: (publicKey, data, signature) => verify('sha256', data, keyOf(publicKey), signature),
};

/** The key identifier of a public key, in hexadecimal. */
export const keyIdentifierOf = (publicKey: Uint8Array): string => printHex(keyIdOf(publicKey, nodeCryptography));

/** The name under which a private key is sealed. */
export const sealedKeyName = (keyIdentifier: string): string => `rpki key ${keyIdentifier}`;
