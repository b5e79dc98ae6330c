import type { Authority } from './authorities.ts';

/** A key that was made: SubjectPublicKeyInfo, its key identifier in hexadecimal, and what to keep to sign with it, which reveals nothing. */
export type MadeKey = { publicKey: Uint8Array; keyIdentifier: string; sealed: Uint8Array };
/** Bytes to sign, and the key. `isOnce`: it signs nothing else, so it isn't kept open. */
export type ToSign = { keyIdentifier: string; sealed: Uint8Array; toBeSigned: Uint8Array; isOnce?: boolean };

/** Begins what is kept of a key whose private part never leaves a hardware module; its identifier there follows. */
export const moduleMark = 'pkcs11:';
/** Returns whether what is kept of a key is only its place in a hardware module. */
export const isInModule = (sealed: Uint8Array): boolean => Buffer.from(sealed).toString('latin1', 0, moduleMark.length) === moduleMark;

/**
 * Whatever holds the keys of authorities: this program, or a hardware module. It makes RSA keys of 2048 bits and signs with SHA-256 (RFC 7935), and says
 * nothing else of keys. One-time keys of signed objects are always this program's own: a hardware module would be too slow for them.
 */
export type CaSigner = {
  /** One-time keys. */
  createKeys: (count: number) => Promise<MadeKey[]>;
  /** A key of an authority, which signs again and again. */
  createAuthorityKey: (kind: Authority['kind']) => Promise<MadeKey>;
  /** Signatures in the order of what was to be signed. */
  sign: (all: readonly ToSign[]) => Promise<Uint8Array[]>;
  close: () => Promise<void>;
};
