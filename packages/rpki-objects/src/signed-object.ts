import { equalBytes } from './bytes.ts';
import { type Certificate, type Decoded, decodeCertificate } from './certificate.ts';
import { DerReader } from './der-reader.ts';
import { type Deviation, refuseDeviations } from './deviation.ts';
import { element, integer, nullValue, octetString, oid, withTag, sequence, setOf, tags, time } from './der-writer.ts';
import { oids } from './object-identifiers.ts';
import { ProfileError } from './profile-error.ts';
import { type Cryptography, digestAlgorithm, keyAlgorithm, keyIdOf, readExactly, signatureAlgorithm } from './signed.ts';

/** Content types of signed objects. */
export type ObjectType = 'roa' | 'manifest' | 'checklist' | 'aspa';

/**
 * The attributes that the one-time key signs: content type, digest of the content, time of signing (RFC 6488, section 2.1.6.4; RFC 9589). A SET OF in
 * ascending order; the signature covers it under its own tag, the object carries it under another.
 */
export const encodeSignedAttributes = (type: ObjectType, digest: Uint8Array, signedAt: Date): Uint8Array =>
  setOf(
    sequence(oid(oids.contentType), setOf(oid(oids[type]))),
    sequence(oid(oids.messageDigest), setOf(octetString(digest))),
    sequence(oid(oids.signingTime), setOf(time(signedAt))),
  );

/** @param certificate the one-time certificate, whole; `keyId` its subject key identifier */
type Parts = {
  type: ObjectType;
  content: Uint8Array;
  certificate: Uint8Array;
  keyId: Uint8Array;
  attributes: Uint8Array;
  signature: Uint8Array;
};

/** A whole signed object (RFC 6488, section 2). */
export const encodeSignedObject = ({ type, content, certificate, keyId, attributes, signature }: Parts): Uint8Array =>
  sequence(
    oid(oids.signedData),
    element(
      tags.context(0),
      sequence(
        integer(3),
        setOf(digestAlgorithm),
        sequence(oid(oids[type]), element(tags.context(0), octetString(content))),
        element(tags.context(0), certificate),
        setOf(
          sequence(
            integer(3),
            element(tags.contextPrimitive(0), keyId),
            digestAlgorithm,
            withTag(tags.context(0), attributes),
            keyAlgorithm,
            octetString(signature),
          ),
        ),
      ),
    ),
  );

/** A signed object that was read. */
export type SignedObject = {
  type: ObjectType;
  content: Uint8Array;
  certificate: Decoded<Certificate>;
  signedAt: Date;
  /** The attributes that the one-time key signed, and the digest in them. */
  attributes: Uint8Array;
  digest: Uint8Array;
  signature: Uint8Array;
  bytes: Uint8Array;
};

/**
 * Parses a signed object strictly (RFC 6488, section 3): one signer, one certificate, no CRLs, the three attributes and no others.
 * `checkSignedObject` checks signatures.
 * @param deviates called for what certificates, attributes and algorithm identifiers may look like, and ours don't
 * @throws {ProfileError}
 */
export function decodeSignedObject(bytes: Uint8Array, type: ObjectType, deviates: Deviation = refuseDeviations): SignedObject {
  const outer = new DerReader(bytes, 'The object');
  const info = outer.sequence('outer sequence');
  outer.end();
  if (info.oid('kind of message') !== oids.signedData) throw new ProfileError('The object is not a signed message');
  const data = info.inside(tags.context(0), 'signed message').sequence('signed message');
  info.end();
  readExactly(data, integer(3), 'The version of the message');
  readDigestAlgorithm(data.inside(tags.set, 'digest algorithms'), 'The digest algorithm', deviates).end();
  const encapsulated = data.sequence('content');
  if (encapsulated.oid('type of the content') !== oids[type]) throw new ProfileError(`The object is not of the type ${type}`);
  const content = encapsulated.inside(tags.context(0), 'content').octets('content');
  encapsulated.end();
  const certificate = decodeCertificate(data.one(tags.context(0), 'certificate').content, deviates);
  if (certificate.kind !== (type === 'checklist' ? 'checklist' : 'object'))
    throw new ProfileError('The certificate in the object is not one of this kind');
  const signers = data.inside(tags.set, 'signers');
  data.end();
  const signer = signers.sequence('signer');
  signers.end();
  readExactly(signer, integer(3), 'The version of the signer');
  const keyId = signer.one(tags.contextPrimitive(0), 'key of the signer').content;
  if (!equalBytes(keyId, certificate.subjectKeyId)) throw new ProfileError('The signer is not the certificate in the object');
  readDigestAlgorithm(signer, 'The digest algorithm of the signer', deviates);
  const attributes = withTag(tags.set, signer.one(tags.context(0), 'signed attributes').whole);
  readSignatureAlgorithm(signer, deviates);
  const signature = signer.octets('signature');
  signer.end();
  const { digest, signedAt } = readAttributes(attributes, type, deviates);
  return { type, content, certificate, signedAt, attributes, digest, signature, bytes };
}

/** SHA-256, with its parameters absent as we write it, or NULL (RFC 5754, section 2). */
function readDigestAlgorithm(reader: DerReader, what: string, deviates: Deviation): DerReader {
  const { whole } = reader.any(what);
  if (equalBytes(whole, sequence(oid(oids.sha256), nullValue))) deviates(`${what} has parameters`);
  else if (!equalBytes(whole, digestAlgorithm)) throw new ProfileError(`${what} is not SHA-256`);
  return reader;
}

/** The key's algorithm as we write it, or the one with its digest (RFC 7935, section 2). */
function readSignatureAlgorithm(reader: DerReader, deviates: Deviation): void {
  const { whole } = reader.any('signature algorithm of the signer');
  if (equalBytes(whole, signatureAlgorithm)) deviates('The signature algorithm of the signer names its digest');
  else if (!equalBytes(whole, keyAlgorithm))
    throw new ProfileError('The signature algorithm of the signer is not the one its profile asks for');
}

/** The three attributes, each once; in another order, or with another form of their time, they are a deviation. */
function readAttributes(attributes: Uint8Array, type: ObjectType, deviates: Deviation): { digest: Uint8Array; signedAt: Date } {
  const list = new DerReader(attributes, 'The signed attributes').inside(tags.set, 'signed attributes');
  let contentType: string | undefined;
  let digest: Uint8Array | undefined;
  let signedAt: Date | undefined;
  const given: Uint8Array[] = [];
  while (!list.atEnd) {
    const { whole, content } = list.one(tags.sequence, 'attribute');
    const one = new DerReader(content, 'attribute');
    const id = one.oid('attribute');
    const value = one.inside(tags.set, 'value of an attribute');
    one.end();
    if (id === oids.messageDigest) digest = value.octets('digest');
    else if (id === oids.signingTime) signedAt = value.timeInAnyForm('time of signing');
    else if (id === oids.contentType) contentType = value.oid('type of the content');
    else throw new ProfileError(`The signed attribute ${id} is not in the profile`);
    value.end();
    given.push(whole);
  }
  if (digest === undefined || signedAt === undefined)
    throw new ProfileError('The signed attributes lack the digest or the time of signing');
  if (contentType !== oids[type] || given.length !== 3)
    throw new ProfileError('The signed attributes are not those of the profile, each once');
  const own = encodeSignedAttributes(type, digest, signedAt);
  if (!equalBytes(setOf(...given), own)) deviates('The time of signing is a GeneralizedTime, where UTCTime is usual');
  if (!equalBytes(attributes, setOf(...given))) deviates('The signed attributes are in another order');
  return { digest, signedAt };
}

/** Checks a signed object against itself: digest, key identifier, and the signature of the one-time key. @throws {ProfileError} */
export function checkSignedObject({ content, digest, certificate, attributes, signature }: SignedObject, cryptography: Cryptography): void {
  if (!equalBytes(cryptography.sha256(content), digest)) throw new ProfileError('The digest is not that of the content');
  if (!equalBytes(keyIdOf(certificate.publicKey, cryptography), certificate.subjectKeyId))
    throw new ProfileError('The key identifier is not that of the key');
  if (!cryptography.verifies(certificate.publicKey, attributes, signature)) throw new ProfileError('The signature of the object is wrong');
}
