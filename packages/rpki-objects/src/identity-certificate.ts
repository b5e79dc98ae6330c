import { equalBytes } from './bytes.ts';
import { DerReader } from './der-reader.ts';
import { bitString, element, integer, octetString, oid, sequence, tags, time, trueValue } from './der-writer.ts';
import { oids } from './object-identifiers.ts';
import { ProfileError } from './profile-error.ts';
import { type Cryptography, encodeName, readPublicKey, readSigned, signatureAlgorithm } from './signed.ts';

/** A certificate by which a CA is known to its parent and its repository (RFC 8183, section 5): it certifies no number resources. */
export type IdentityCertificate = {
  serial: bigint;
  /** Encoded names, to be compared byte by byte. */
  issuer: Uint8Array;
  subject: Uint8Array;
  notBefore: Date;
  notAfter: Date;
  publicKey: Uint8Array;
  isAuthority: boolean;
  subjectKeyId: Uint8Array | null;
  toBeSigned: Uint8Array;
  signature: Uint8Array;
  bytes: Uint8Array;
};

/** Parses a certificate of any X.509 profile that is signed with RSA and SHA-256 and has an RSA key of 2048 bits. @throws {ProfileError} */
export function decodeIdentity(bytes: Uint8Array): IdentityCertificate {
  const { toBeSigned, body, signature } = readSigned(bytes, 'The identity certificate');
  const version = body.maybe(tags.context(0), 'version');
  if (!version || !equalBytes(version.content, integer(2))) throw new ProfileError('The identity certificate is not of version 3');
  const serial = body.integer('serial number');
  body.any('signature algorithm');
  const issuer = body.one(tags.sequence, 'issuer').whole;
  const validity = body.sequence('validity');
  const [notBefore, notAfter] = [validity.time('start of validity'), validity.time('end of validity')];
  const subject = body.one(tags.sequence, 'subject').whole;
  const publicKey = readPublicKey(body);
  const extensions = body.maybe(tags.context(3), 'extensions');
  body.end();
  let isAuthority = false;
  let subjectKeyId: Uint8Array | null = null;
  const list = extensions && new DerReader(extensions.content, 'The extensions').sequence('extensions');
  while (list && !list.atEnd) {
    const one = list.sequence('extension');
    const id = one.oid('extension');
    one.maybe(tags.boolean, 'criticality');
    const value = new DerReader(one.octets('extension'), 'The extension');
    one.end();
    if (id === oids.basicConstraints) {
      const constraints = value.sequence('basic constraints');
      isAuthority = (constraints.maybe(tags.boolean, 'CA')?.content[0] ?? 0) !== 0;
    } else if (id === oids.subjectKeyId) subjectKeyId = value.octets('key identifier');
  }
  return { serial, issuer, subject, notBefore, notAfter, publicKey, isAuthority, subjectKeyId, toBeSigned, signature, bytes };
}

/** Parses the certificate that a CA is introduced with: its own authority, signed with its own key and valid now. @throws {ProfileError} */
export function decodeIdentityAnchor(
  bytes: Uint8Array,
  { now, cryptography }: { now: Date; cryptography: Cryptography },
): IdentityCertificate {
  const certificate = decodeIdentity(bytes);
  if (!certificate.isAuthority) throw new ProfileError('The identity certificate is not one of a certificate authority');
  if (
    !equalBytes(certificate.issuer, certificate.subject) ||
    !cryptography.verifies(certificate.publicKey, certificate.toBeSigned, certificate.signature)
  )
    throw new ProfileError('The identity certificate is not signed with its own key');
  if (now < certificate.notBefore || now > certificate.notAfter) throw new ProfileError('The identity certificate is not valid now');
  return certificate;
}

/** Content of an identity certificate to be signed; `issuer` null: its own authority. */
export type NewIdentity = {
  serial: bigint;
  subject: string;
  subjectKeyId: Uint8Array;
  publicKey: Uint8Array;
  issuer: { name: string; keyId: Uint8Array } | null;
  notBefore: Date;
  notAfter: Date;
};

/** The part of an identity certificate that its issuer signs. */
export function encodeIdentityToBeSigned({
  serial,
  subject,
  subjectKeyId,
  publicKey,
  issuer,
  notBefore,
  notAfter,
}: NewIdentity): Uint8Array {
  const extension = (id: string, value: Uint8Array, isCritical = false): Uint8Array =>
    sequence(oid(id), ...(isCritical ? [trueValue] : []), octetString(value));
  return sequence(
    element(tags.context(0), integer(2)),
    integer(serial),
    signatureAlgorithm,
    encodeName(issuer?.name ?? subject),
    sequence(time(notBefore), time(notAfter)),
    encodeName(subject),
    publicKey,
    element(
      tags.context(3),
      sequence(
        ...(issuer === null ? [extension(oids.basicConstraints, sequence(trueValue), true)] : []),
        extension(oids.subjectKeyId, octetString(subjectKeyId)),
        extension(oids.authorityKeyId, sequence(element(tags.contextPrimitive(0), issuer?.keyId ?? subjectKeyId))),
        extension(oids.keyUsage, issuer === null ? bitString(Uint8Array.of(0x06), 1) : bitString(Uint8Array.of(0x80), 7), true),
      ),
    ),
  );
}

/** Parses a CRL of an identity: its issuer, its times, and the serial numbers on it. @throws {ProfileError} */
export function decodeIdentityCrl(bytes: Uint8Array) {
  const { toBeSigned, body, signature } = readSigned(bytes, 'The CRL');
  body.maybe(tags.integer, 'version');
  body.any('signature algorithm');
  const issuer = body.one(tags.sequence, 'issuer').whole;
  const thisUpdate = body.time('time of the CRL');
  const nextUpdate = body.time('time of the next CRL');
  const revoked: bigint[] = [];
  const entries = body.nextTag === tags.sequence ? body.sequence('revoked certificates') : null;
  while (entries && !entries.atEnd) revoked.push(entries.sequence('revoked certificate').integer('serial number'));
  body.maybe(tags.context(0), 'extensions');
  body.end();
  return { issuer, thisUpdate, nextUpdate, revoked, toBeSigned, signature };
}
