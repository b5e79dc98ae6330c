import type { Authority } from './authorities.ts';

/** A key that was made: SubjectPublicKeyInfo, its key identifier in hexadecimal, and the stored form to sign with, which reveals nothing. */
export type MadeKey = { publicKey: Uint8Array; keyIdentifier: string; sealed: Uint8Array };
/** Bytes to sign, and the key. `isOnce`: it signs nothing else, so it isn't kept open. */
export type ToSign = { keyIdentifier: string; sealed: Uint8Array; toBeSigned: Uint8Array; isOnce?: boolean };

/** Prefix of the stored form of a key in a hardware module, before its identifier there. */
export const moduleMark = 'pkcs11:';
/** Returns whether a stored key is a reference to a hardware module. */
export const isInModule = (sealed: Uint8Array): boolean => Buffer.from(sealed).toString('latin1', 0, moduleMark.length) === moduleMark;

/**
 * The holder of authorities' keys: this program, or a hardware module. It makes RSA keys of 2048 bits, signs with SHA-256 (RFC 7935), and reveals
 * nothing else. One-time keys of signed objects are always this program's own: a hardware module would be too slow for them.
 */
export type CaSigner = {
  /** One-time keys. */
  createKeys: (count: number) => Promise<MadeKey[]>;
  /** A key of an authority, which signs repeatedly. */
  createAuthorityKey: (kind: Authority['kind']) => Promise<MadeKey>;
  /** Signatures in the order of the inputs. */
  sign: (all: readonly ToSign[]) => Promise<Uint8Array[]>;
  close: () => Promise<void>;
};
