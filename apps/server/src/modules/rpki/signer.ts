/** A key that was made: SubjectPublicKeyInfo, its key identifier in hexadecimal, and what to keep to sign with it, which reveals nothing. */
export type MadeKey = { publicKey: Uint8Array; keyIdentifier: string; sealed: Uint8Array };
/** Bytes to sign, and the key. */
export type ToSign = { keyIdentifier: string; sealed: Uint8Array; toBeSigned: Uint8Array };

/**
 * Whatever holds the keys of authorities: this program, or a hardware module. It makes RSA keys of 2048 bits and signs with SHA-256 (RFC 7935), and says
 * nothing else of keys. One-time keys of signed objects are always this program's own: a hardware module would be too slow for them.
 */
export type CaSigner = {
  createKeys: (count: number) => Promise<MadeKey[]>;
  /** Signatures in the order of what was to be signed. */
  sign: (all: readonly ToSign[]) => Promise<Uint8Array[]>;
  close: () => Promise<void>;
};
