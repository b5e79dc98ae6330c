import { equalBytes } from './bytes.ts';
import { DerReader } from './der-reader.ts';
import { element, integer, nullValue, octetString, oid, withTag, sequence, setOf, tags, time } from './der-writer.ts';
import { decodeIdentity, decodeIdentityCrl, type IdentityCertificate } from './identity-certificate.ts';
import { oids } from './object-identifiers.ts';
import { ProfileError } from './profile-error.ts';
import { type Cryptography, digestAlgorithm, keyAlgorithm, keyIdOf, readExactly, signatureAlgorithm } from './signed.ts';

/** A signed message of the provisioning or publication protocol (RFC 6492, section 3.1; RFC 8181, section 2): XML with the signer's certificate and CRL. */
export type ProtocolMessage = {
  content: Uint8Array;
  signedAt: Date;
  signer: IdentityCertificate;
  crl: Uint8Array;
  attributes: Uint8Array;
  digest: Uint8Array;
  signature: Uint8Array;
};

/** The attributes that the signer signs. */
export const encodeMessageAttributes = (digest: Uint8Array, signedAt: Date): Uint8Array =>
  setOf(
    sequence(oid(oids.contentType), setOf(oid(oids.protocolMessage))),
    sequence(oid(oids.messageDigest), setOf(octetString(digest))),
    sequence(oid(oids.signingTime), setOf(time(signedAt))),
  );

/** A whole message. @param certificate the signer's, whole; `keyId` its subject key identifier */
export const encodeMessage = ({
  content,
  certificate,
  crl,
  keyId,
  attributes,
  signature,
}: {
  content: Uint8Array;
  certificate: Uint8Array;
  crl: Uint8Array;
  keyId: Uint8Array;
  attributes: Uint8Array;
  signature: Uint8Array;
}): Uint8Array =>
  sequence(
    oid(oids.signedData),
    element(
      tags.context(0),
      sequence(
        integer(3),
        setOf(digestAlgorithm),
        sequence(oid(oids.protocolMessage), element(tags.context(0), octetString(content))),
        element(tags.context(0), certificate),
        element(tags.context(1), crl),
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

const digestWithNull = sequence(oid(oids.sha256), nullValue);
function readDigestAlgorithm(bytes: Uint8Array): void {
  if (!equalBytes(bytes, digestAlgorithm) && !equalBytes(bytes, digestWithNull))
    throw new ProfileError('The digest algorithm is not SHA-256');
}

/** Parses a message: one signer, its certificate and one CRL. `checkMessage` checks who signed it. @throws {ProfileError} */
export function decodeMessage(bytes: Uint8Array): ProtocolMessage {
  const outer = new DerReader(bytes, 'The message');
  const info = outer.sequence('outer sequence');
  outer.end();
  if (info.oid('kind of message') !== oids.signedData) throw new ProfileError('The message is not a signed one');
  const data = info.inside(tags.context(0), 'signed message').sequence('signed message');
  info.end();
  readExactly(data, integer(3), 'The version of the message');
  const digests = data.inside(tags.set, 'digest algorithms');
  readDigestAlgorithm(digests.any('digest algorithm').whole);
  digests.end();
  const encapsulated = data.sequence('content');
  if (encapsulated.oid('type of the content') !== oids.protocolMessage) throw new ProfileError('The content of the message is not XML');
  const content = encapsulated.inside(tags.context(0), 'content').octets('content');
  encapsulated.end();
  const certificates = data.inside(tags.context(0), 'certificate');
  const signerCertificate = decodeIdentity(certificates.any('certificate').whole);
  certificates.end();
  const crls = data.inside(tags.context(1), 'CRL');
  const crl = crls.any('CRL').whole;
  crls.end();
  const signers = data.inside(tags.set, 'signers');
  data.end();
  const signer = signers.sequence('signer');
  signers.end();
  readExactly(signer, integer(3), 'The version of the signer');
  const keyId = signer.one(tags.contextPrimitive(0), 'key of the signer').content;
  if (signerCertificate.subjectKeyId === null || !equalBytes(keyId, signerCertificate.subjectKeyId))
    throw new ProfileError('The signer is not the certificate in the message');
  readDigestAlgorithm(signer.any('digest algorithm').whole);
  const attributes = withTag(tags.set, signer.one(tags.context(0), 'signed attributes').whole);
  const algorithm = signer.any('signature algorithm').whole;
  if (!equalBytes(algorithm, keyAlgorithm) && !equalBytes(algorithm, signatureAlgorithm))
    throw new ProfileError('The signature algorithm of the message is not RSA with SHA-256');
  const signature = signer.octets('signature');
  signer.end();
  return { content, signer: signerCertificate, crl, attributes, signature, ...readMessageAttributes(attributes) };
}

function readMessageAttributes(attributes: Uint8Array): { digest: Uint8Array; signedAt: Date } {
  const list = new DerReader(attributes, 'The signed attributes').inside(tags.set, 'signed attributes');
  const found = new Map<string, DerReader>();
  while (!list.atEnd) {
    const one = list.sequence('attribute');
    const id = one.oid('attribute');
    if (found.has(id)) throw new ProfileError(`The signed attribute ${id} is there twice`);
    found.set(id, one.inside(tags.set, 'value of an attribute'));
  }
  const known: string[] = [oids.contentType, oids.messageDigest, oids.signingTime, oids.binarySigningTime];
  for (const id of found.keys()) if (!known.includes(id)) throw new ProfileError(`The signed attribute ${id} is not in the profile`);
  if (found.get(oids.contentType)?.oid('content type') !== oids.protocolMessage)
    throw new ProfileError('The signed attributes name another content type');
  const digest = found.get(oids.messageDigest)?.octets('digest');
  const signedAt = found.get(oids.signingTime)?.time('time of signing');
  if (digest === undefined || signedAt === undefined)
    throw new ProfileError('The signed attributes lack the digest or the time of signing');
  return { digest, signedAt };
}

/** How far, in ms, clocks of two CAs may differ. */
const SLACK_MS = 300_000;

/**
 * Checks that a message was signed by the CA that is known by `anchor`: certificate, CRL, digest and signature, all valid now (RFC 6492, section 3.1.2).
 * Whether it was sent before is up to the caller, who keeps `signedAt` of the last one.
 * @throws {ProfileError}
 */
export function checkMessage(
  message: ProtocolMessage,
  { anchor, now, cryptography }: { anchor: IdentityCertificate; now: Date; cryptography: Cryptography },
): void {
  const { signer, content, digest, attributes, signature, signedAt } = message;
  const at = now.getTime();
  const holds = (from: Date, to: Date): boolean => at + SLACK_MS >= from.getTime() && at <= to.getTime();
  if (!holds(anchor.notBefore, anchor.notAfter)) throw new ProfileError('The identity certificate is not valid now');
  if (!equalBytes(signer.issuer, anchor.subject) || !cryptography.verifies(anchor.publicKey, signer.toBeSigned, signer.signature))
    throw new ProfileError('The certificate in the message was not issued by the identity that was exchanged');
  if (signer.isAuthority) throw new ProfileError('The message is signed with a certificate of an authority');
  if (!holds(signer.notBefore, signer.notAfter)) throw new ProfileError('The certificate in the message is not valid now');
  const crl = decodeIdentityCrl(message.crl);
  if (!equalBytes(crl.issuer, anchor.subject) || !cryptography.verifies(anchor.publicKey, crl.toBeSigned, crl.signature))
    throw new ProfileError('The CRL in the message is not of the identity that was exchanged');
  if (!holds(crl.thisUpdate, crl.nextUpdate)) throw new ProfileError('The CRL in the message is out of date');
  if (crl.revoked.includes(signer.serial)) throw new ProfileError('The certificate in the message is revoked');
  if (!equalBytes(keyIdOf(signer.publicKey, cryptography), signer.subjectKeyId!))
    throw new ProfileError('The key identifier is not that of the key');
  if (!equalBytes(cryptography.sha256(content), digest)) throw new ProfileError('The digest is not that of the message');
  if (!cryptography.verifies(signer.publicKey, attributes, signature)) throw new ProfileError('The signature of the message is wrong');
  if (signedAt.getTime() > at + SLACK_MS) throw new ProfileError('The message was signed in the future');
}
