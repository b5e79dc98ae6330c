import { createHash, createPublicKey, verify } from 'node:crypto';
import type { Cryptography } from '@portal/rpki-objects';

/** Hashes and signature checks by OpenSSL. */
export const nodeCryptography: Cryptography = {
  sha1: data => createHash('sha1').update(data).digest(),
  sha256: data => createHash('sha256').update(data).digest(),
  verifies: (publicKey, data, signature) =>
    verify('sha256', data, createPublicKey({ key: Buffer.from(publicKey), format: 'der', type: 'spki' }), signature),
};

/** The name under which a private key is sealed. */
export const sealedKeyName = (keyIdentifier: string): string => `rpki key ${keyIdentifier}`;
