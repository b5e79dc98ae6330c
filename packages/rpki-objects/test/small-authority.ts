import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';
import { type ResourceSet } from '@portal/number-resources';
import {
  allResources,
  assembleSigned,
  type AuthorityCertificate,
  type Certificate,
  type Cryptography,
  type Decoded,
  decodeCertificate,
  encodeCertificate,
  encodeCertificateToBeSigned,
  encodeCrlToBeSigned,
  encodeManifest,
  encodeSignedAttributes,
  encodeSignedObject,
  keyIdOf,
  type ObjectType,
  type PublishedFile,
  printBase64Url,
  printHex,
} from '../src/index.ts';

export const cryptography: Cryptography = {
  sha1: data => new Uint8Array(createHash('sha1').update(data).digest()),
  sha256: data => new Uint8Array(createHash('sha256').update(data).digest()),
  verifies: (publicKey, data, signature) =>
    verify('sha256', data, createPublicKey({ key: Buffer.from(publicKey), format: 'der', type: 'spki' }), signature),
};

export type Key = { privateKey: KeyObject; publicKey: Uint8Array; keyId: Uint8Array; name: string };

export function keyOf(pem?: string): Key {
  const privateKey = pem ? createPrivateKey(pem) : generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const publicKey = new Uint8Array(createPublicKey(privateKey).export({ type: 'spki', format: 'der' }));
  const keyId = new Uint8Array(keyIdOf(publicKey, cryptography));
  return { privateKey, publicKey, keyId, name: printHex(keyId).toUpperCase() };
}

export const signed = (key: Key, data: Uint8Array): Uint8Array => new Uint8Array(sign('sha256', data, key.privateKey));

const same = (bytes: Uint8Array): Uint8Array => bytes;
export const day = 86_400_000;
export const now = new Date('2026-11-22T12:00:00Z');

/** Where it publishes, under which name, and the instant at which it does. */
type Place = { base: string; name: string; now: Date };
const somewhere: Place = { base: 'rsync://rpki.example/repository/', name: 'ta', now };

/** Rewrites what is signed of a CRL, the content of a manifest and its certificate, attributes and whole message. `to`: another end of its certificate. */
export type Shapes = {
  crl?: typeof same;
  manifest?: typeof same;
  certificate?: typeof same;
  attributes?: typeof same;
  message?: typeof same;
  to?: Date;
};

/** A trust anchor with a directory of its own, for tests of what it publishes. */
export function smallAuthority(key: Key, resources: ResourceSet = allResources, { base, name, now }: Place = somewhere) {
  const repositoryUri = `${base}${name}/`;
  const id = printBase64Url(key.keyId);
  const own: Certificate = {
    kind: 'trust-anchor',
    serial: 1n,
    issuer: key.name,
    subject: key.name,
    notBefore: new Date(+now - day),
    notAfter: new Date(+now + 3650 * day),
    publicKey: key.publicKey,
    subjectKeyId: key.keyId,
    resources,
    repositoryUri,
    manifestUri: `${repositoryUri}${id}.mft`,
    notificationUri: 'https://rpki.example/rrdp/notification.xml',
  };
  const bytes = encodeCertificate(own, signed(key, encodeCertificateToBeSigned(own)));
  const certificate = decodeCertificate(bytes) as Decoded<AuthorityCertificate>;
  const issued = {
    authorityKeyId: key.keyId,
    crlUri: `${repositoryUri}${id}.crl`,
    issuerUri: `${base}${name}.cer`,
    policyUri: null,
  };
  const files = new Map<string, PublishedFile>();
  const put = (uri: string, content: Uint8Array): void => void files.set(uri, { sha256: cryptography.sha256(content), bytes: content });
  let serial = 1n;
  const certificateOf = (toBeSigned: Uint8Array): Uint8Array => assembleSigned(toBeSigned, signed(key, toBeSigned));

  /** `shape` rewrites the parts that are signed, as another program would write them. */
  type More = {
    resources: ResourceSet | 'inherit';
    one: Key;
    objectUri?: string;
    from?: Date;
    to?: Date;
    shape?: typeof same;
    attributes?: typeof same;
    message?: typeof same;
  };
  /** A signed object of this authority, with one flaw where a test wants one. */
  const object = (
    type: ObjectType,
    content: Uint8Array,
    { resources: own, one, objectUri, from, to, shape = same, attributes: rewrite = same, message = same }: More,
  ): Uint8Array => {
    const common = {
      serial: ++serial,
      issuer: key.name,
      subject: one.name,
      notBefore: from ?? new Date(+now - 300_000),
      notAfter: to ?? new Date(+now + 365 * day),
      publicKey: one.publicKey,
      subjectKeyId: one.keyId,
      resources: own,
      ...issued,
    };
    const ee: Certificate = objectUri === undefined ? { kind: 'checklist', ...common } : { kind: 'object', ...common, objectUri };
    const attributes = rewrite(encodeSignedAttributes(type, cryptography.sha256(content), now));
    return message(
      encodeSignedObject({
        type,
        content,
        certificate: certificateOf(shape(encodeCertificateToBeSigned(ee))),
        keyId: one.keyId,
        attributes,
        signature: signed(one, attributes),
      }),
    );
  };
  /** CRL and manifest over what is published so far. */
  const finish = (one: Key, revoked: { serial: bigint; revokedAt: Date }[] = [], shapes: Shapes = {}): void => {
    const [thisUpdate, nextUpdate] = [now, new Date(+now + day)];
    const list = { issuer: key.name, authorityKeyId: key.keyId, number: 1n, thisUpdate, nextUpdate, revoked };
    const crl = (shapes.crl ?? same)(encodeCrlToBeSigned(list));
    put(issued.crlUri, assembleSigned(crl, signed(key, crl)));
    const listed = [...files].filter(([uri]) => uri !== certificate.manifestUri);
    const named = listed.map(([uri, { sha256 }]) => ({ name: uri.slice(repositoryUri.length), sha256 }));
    const manifest = (shapes.manifest ?? same)(encodeManifest({ number: 1n, thisUpdate, nextUpdate, files: named }));
    put(
      certificate.manifestUri,
      object('manifest', manifest, {
        resources: 'inherit',
        one,
        objectUri: certificate.manifestUri,
        from: thisUpdate,
        to: shapes.to ?? nextUpdate,
        ...(shapes.certificate && { shape: shapes.certificate }),
        ...(shapes.attributes && { attributes: shapes.attributes }),
        ...(shapes.message && { message: shapes.message }),
      }),
    );
  };
  return { key, certificate, bytes, files, put, object, finish, repositoryUri, issued };
}
