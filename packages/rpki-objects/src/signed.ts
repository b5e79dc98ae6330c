import { DerReader } from './der-reader.ts';
import { bitString, element, nullValue, oid, sequence, tags, text, withTag } from './der-writer.ts';
import { equalBytes } from './bytes.ts';
import { type Deviation, refuseDeviations } from './deviation.ts';
import { oids } from './object-identifiers.ts';
import { ProfileError } from './profile-error.ts';

/** The hashes and the signature check that objects need; Node and browsers have them under different names. */
export type Cryptography = {
  sha1: (data: Uint8Array) => Uint8Array;
  sha256: (data: Uint8Array) => Uint8Array;
  /** Whether `signature` is that of `data` by the RSA key with SHA-256 (PKCS #1 v1.5). @param publicKey SubjectPublicKeyInfo */
  verifies: (publicKey: Uint8Array, data: Uint8Array, signature: Uint8Array) => boolean;
};

/** sha256WithRSAEncryption, as certificates and CRLs name it (RFC 7935, section 2). */
export const signatureAlgorithm: Uint8Array = sequence(oid(oids.sha256WithRsa), nullValue);
/** rsaEncryption, as public keys and signer infos name it. */
export const keyAlgorithm: Uint8Array = sequence(oid(oids.rsaEncryption), nullValue);
/** SHA-256, its parameters absent (RFC 5754, section 2). */
export const digestAlgorithm: Uint8Array = sequence(oid(oids.sha256));

/** A certificate or CRL: what was signed, and the signature. */
export const assembleSigned = (toBeSigned: Uint8Array, signature: Uint8Array): Uint8Array =>
  sequence(toBeSigned, signatureAlgorithm, bitString(signature));

/** Takes a certificate or CRL apart. */
export function readSigned(bytes: Uint8Array, what: string): { toBeSigned: Uint8Array; body: DerReader; signature: Uint8Array } {
  const outer = new DerReader(bytes, what);
  const parts = outer.sequence('outer sequence');
  outer.end();
  const { whole: toBeSigned, content } = parts.one(tags.sequence, 'signed part');
  readExactly(parts, signatureAlgorithm, `The signature algorithm of ${what}`);
  const signature = parts.wholeBits('signature');
  parts.end();
  return { toBeSigned, body: new DerReader(content, what), signature };
}

/** The next element, which must be these very bytes. */
export function readExactly(reader: DerReader, expected: Uint8Array, what: string): void {
  if (!equalBytes(reader.any(what).whole, expected)) throw new ProfileError(`${what} is not the one its profile asks for`);
}

/** A name of one common name (RFC 6487, section 4.4). */
export const encodeName = (commonName: string): Uint8Array =>
  sequence(element(tags.set, sequence(oid(oids.commonName), text(tags.printableString, commonName))));

/**
 * Reads the common name of a name that has nothing else.
 * @param deviates called for a common name in UTF-8, which relying parties take, and for a serial number beside it (RFC 6487, section 4.4)
 */
export function readName(reader: DerReader, what: string, deviates: Deviation = refuseDeviations): string {
  const names = reader.sequence(what);
  const found = new Map<string, string>();
  while (!names.atEnd) {
    const set = names.inside(tags.set, what);
    const one = set.sequence(what);
    set.end();
    const id = one.oid(what);
    if (found.has(id)) throw new ProfileError(`${what} has a part twice`);
    const isUtf8 = one.nextTag === tags.utf8String;
    const value = one.text(isUtf8 ? tags.utf8String : tags.printableString, what);
    one.end();
    if (!/^[A-Za-z0-9 '()+,\-./:=?]+$/.test(value)) throw new ProfileError(`${what} has characters that a PrintableString cannot have`);
    if (isUtf8) deviates(`The ${what} is in UTF-8, where a PrintableString is usual`);
    if (id === oids.serialNumber) deviates(`The ${what} has a serial number beside its common name`);
    else if (id !== oids.commonName) throw new ProfileError(`${what} is not a common name`);
    found.set(id, value);
  }
  const commonName = found.get(oids.commonName);
  if (commonName === undefined) throw new ProfileError(`${what} is not a common name`);
  return commonName;
}

/** SubjectPublicKeyInfo of an RSA key: the algorithm of the profile, 2048 bits, exponent 65537 (RFC 7935, section 3). */
export function readPublicKey(reader: DerReader): Uint8Array {
  const { whole, content } = reader.one(tags.sequence, 'public key');
  const parts = new DerReader(content, 'The public key');
  readExactly(parts, keyAlgorithm, 'The algorithm of the public key');
  const numbers = new DerReader(parts.wholeBits('RSA key'), 'The RSA key').sequence('modulus and exponent');
  parts.end();
  const modulus = numbers.one(tags.integer, 'modulus').content;
  // 256 bytes with the highest bit set take a zero in front.
  if (modulus.length !== 257 || modulus[0] !== 0 || modulus[1]! < 128) throw new ProfileError('The public key does not have 2048 bits');
  if (numbers.integer('exponent') !== 65537n) throw new ProfileError('The exponent of the public key is not 65537');
  numbers.end();
  return whole;
}

/** Parses a SubjectPublicKeyInfo. */
export function decodePublicKey(bytes: Uint8Array): Uint8Array {
  const reader = new DerReader(bytes, 'The public key');
  const whole = readPublicKey(reader);
  reader.end();
  return whole;
}

/** The key identifier: SHA-1 of the bits of the key, not of the whole SubjectPublicKeyInfo (RFC 6487, section 4.8.2). */
export function keyIdOf(publicKey: Uint8Array, { sha1 }: Pick<Cryptography, 'sha1'>): Uint8Array {
  const parts = new DerReader(publicKey, 'The public key').sequence('public key');
  parts.any('algorithm');
  return sha1(parts.wholeBits('RSA key'));
}

/** Encodes a uniformResourceIdentifier as in a GeneralName. */
export const encodeUri = (uri: string): Uint8Array => withTag(tags.contextPrimitive(6), text(tags.ia5String, uri));
