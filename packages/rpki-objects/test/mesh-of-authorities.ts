import { resourceSetOf, parseResource } from '@portal/number-resources';
import {
  assembleSigned,
  type AuthorityCertificate,
  type Certificate,
  type Decoded,
  decodeCertificate,
  encodeCertificate,
  encodeCertificateToBeSigned,
  encodeCrlToBeSigned,
  encodeManifest,
  encodeSignedAttributes,
  encodeSignedObject,
  printBase64Url,
} from '../src/index.ts';
import { cryptography, day, type Key, keyOf, now, signed } from './small-authority.ts';

const resources = resourceSetOf([parseResource('192.0.2.0/24')]);

/**
 * CAs each of which certifies all others with everything right in it: what a member can publish that has more paths than anyone could follow.
 * @param base the folder of their files, with a slash at its end
 */
export function meshOfAuthorities(keys: readonly Key[], base: string) {
  const files = new Map<string, Uint8Array>();
  const idOf = ({ keyId }: Key): string => printBase64Url(keyId);
  const manifestUriOf = (key: Key): string => `${base}${idOf(key)}.mft`;
  let serial = 1n;
  const one = keyOf();
  const certify = (issuer: Key, key: Key): Uint8Array => {
    const certificate: Certificate = {
      kind: 'authority',
      serial: ++serial,
      issuer: issuer.name,
      subject: key.name,
      notBefore: new Date(+now - day),
      notAfter: new Date(+now + 365 * day),
      publicKey: key.publicKey,
      subjectKeyId: key.keyId,
      resources,
      repositoryUri: base,
      manifestUri: manifestUriOf(key),
      notificationUri: null,
      authorityKeyId: issuer.keyId,
      crlUri: `${base}${idOf(issuer)}.crl`,
      issuerUri: `${base}${idOf(issuer)}.cer`,
      policyUri: null,
    };
    return encodeCertificate(certificate, signed(issuer, encodeCertificateToBeSigned(certificate)));
  };
  for (const key of keys) {
    const listed = new Map<string, Uint8Array>();
    for (const other of keys) if (other !== key) listed.set(`${idOf(key)}-${idOf(other)}.cer`, certify(key, other));
    const [thisUpdate, nextUpdate] = [now, new Date(+now + day)];
    const crl = encodeCrlToBeSigned({ issuer: key.name, authorityKeyId: key.keyId, number: 1n, thisUpdate, nextUpdate, revoked: [] });
    listed.set(`${idOf(key)}.crl`, assembleSigned(crl, signed(key, crl)));
    const names = [...listed].map(([name, bytes]) => ({ name, sha256: cryptography.sha256(bytes) }));
    const content = encodeManifest({ number: 1n, thisUpdate, nextUpdate, files: names });
    const ee: Certificate = {
      kind: 'object',
      serial: ++serial,
      issuer: key.name,
      subject: one.name,
      notBefore: thisUpdate,
      notAfter: nextUpdate,
      publicKey: one.publicKey,
      subjectKeyId: one.keyId,
      resources: 'inherit',
      objectUri: manifestUriOf(key),
      authorityKeyId: key.keyId,
      crlUri: `${base}${idOf(key)}.crl`,
      issuerUri: `${base}${idOf(key)}.cer`,
      policyUri: null,
    };
    const attributes = encodeSignedAttributes('manifest', cryptography.sha256(content), now);
    for (const [name, bytes] of listed) files.set(`${base}${name}`, bytes);
    files.set(
      manifestUriOf(key),
      encodeSignedObject({
        type: 'manifest',
        content,
        certificate: encodeCertificate(ee, signed(key, encodeCertificateToBeSigned(ee))),
        keyId: one.keyId,
        attributes,
        signature: signed(one, attributes),
      }),
    );
  }
  const first = decodeCertificate(certify(keys.at(-1)!, keys[0]!)) as Decoded<AuthorityCertificate>;
  return { files, first };
}
