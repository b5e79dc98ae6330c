import type { ResourceSet } from '@portal/number-resources';
import { resourceSetOf, parsePrefix, parseResource } from '@portal/number-resources';
import { bitString, element, integer, octetString, oid, sequence, setOf, tags } from '../src/der-writer.ts';
import { oids } from '../src/object-identifiers.ts';
import { encodeName, encodeUri } from '../src/signed.ts';
import {
  assembleSigned,
  type AuthorityCertificate,
  type Certificate,
  checkMessage,
  type Decoded,
  decodeCertificate,
  decodeIdentity,
  decodeMessage,
  encodeCertificate,
  encodeCertificateToBeSigned,
  encodeCrlToBeSigned,
  encodeIdentityToBeSigned,
  encodeManifest,
  encodeMessage,
  encodeMessageAttributes,
  encodeRoa,
  encodeSignedAttributes,
  encodeSignedObject,
  type ObjectType,
  parseBase64,
  printBase64,
  printBase64Url,
  printHex,
} from '../src/index.ts';
import { cryptography, type Key, keyOf, signed } from './small-authority.ts';

const hour = 3_600_000;
const upDown = 'http://www.apnic.net/specs/rescerts/up-down/';
const publishing = 'http://www.hactrn.net/uris/rpki/publication-spec/';
const setup = 'http://www.hactrn.net/uris/rpki/rpki-setup/';
const valueOf = (xml: string, name: string): string => new RegExp(`${name}="([^"]*)"`).exec(xml)?.[1] ?? '';
const textOf = (xml: string, name: string): string =>
  new RegExp(`<${name}[^>]*>([^<]*)</${name}>`).exec(xml)?.[1]?.replaceAll(/\s/g, '') ?? '';

/** `name`: of its file. */
export type Roa = { prefix: string; asn: number; maxLength: number; name?: string };
type Given = { uri: string; bytes: Uint8Array };
/** A flaw of one message. */
export type Flaw = { signedAt?: Date; crlEnds?: Date; signer?: Key; isRevoked?: boolean; content?: string };

/** A certificate authority that a member runs: the other side of RFC 8183, 6492 and 8181, for tests. It has keys of its own and trusts nothing that is not signed. */
export function selfHostedAuthority(handle: string, { identity, key, one }: { identity: Key; key: Key; one: Key }, now: () => Date) {
  let serial = BigInt(now().getTime()) * 1000n;
  let number = 0n;
  const times = () => ({ notBefore: new Date(now().getTime() - hour), notAfter: new Date(now().getTime() + 24 * hour) });
  const identityBytes = (() => {
    const toBeSigned = encodeIdentityToBeSigned({
      serial: 1n,
      subject: identity.name,
      subjectKeyId: identity.keyId,
      publicKey: identity.publicKey,
      issuer: null,
      ...times(),
      // As programs do, for years and not for a message.
      notAfter: new Date(now().getTime() + 365 * 24 * hour),
    });
    return assembleSigned(toBeSigned, signed(identity, toBeSigned));
  })();
  const message = (content: string, { signedAt = now(), crlEnds, signer = one, isRevoked = false }: Flaw = {}): Buffer => {
    const issuer = { name: identity.name, keyId: identity.keyId };
    const own = ++serial;
    const ee = encodeIdentityToBeSigned({
      serial: own,
      subject: one.name,
      subjectKeyId: one.keyId,
      publicKey: one.publicKey,
      issuer,
      ...times(),
    });
    const { notBefore, notAfter } = times();
    const crl = encodeCrlToBeSigned({
      issuer: identity.name,
      authorityKeyId: identity.keyId,
      number: ++number,
      thisUpdate: notBefore,
      nextUpdate: crlEnds ?? notAfter,
      revoked: isRevoked ? [{ serial: own, revokedAt: notBefore }] : [],
    });
    const bytes = new TextEncoder().encode(content);
    const attributes = encodeMessageAttributes(cryptography.sha256(bytes), signedAt);
    return Buffer.from(
      encodeMessage({
        content: bytes,
        certificate: assembleSigned(ee, signed(identity, ee)),
        crl: assembleSigned(crl, signed(identity, crl)),
        keyId: one.keyId,
        attributes,
        signature: signed(signer, attributes),
      }),
    );
  };
  const upDownMessage = (type: string, content = '', sender = handle): string =>
    `<message xmlns="${upDown}" version="1" sender="${sender}" recipient="registry" type="${type}">${content}</message>`;
  const request = (base: string, of: Key = key, notification = ''): Uint8Array => {
    const access = (method: string, uri: string): Uint8Array => sequence(oid(method), encodeUri(uri));
    const sia = sequence(
      access(oids.caRepository, base),
      access(oids.rpkiManifest, `${base}${printBase64Url(of.keyId)}.mft`),
      ...(notification === '' ? [] : [access(oids.rpkiNotify, notification)]),
    );
    const extension = sequence(oid(oids.subjectInformationAccess), octetString(sia));
    const info = sequence(
      integer(0),
      encodeName(of.name),
      of.publicKey,
      element(tags.context(0), sequence(oid(oids.extensionRequest), setOf(sequence(extension)))),
    );
    return sequence(info, sequence(oid(oids.sha256WithRsa), Uint8Array.of(5, 0)), bitString(signed(of, info)));
  };
  let certificate: Decoded<AuthorityCertificate> | null = null;
  let certificateUri = '';

  /** The files to publish: a ROA each, and those given, the CRL and the manifest over them. */
  const filesWith = (
    roas: readonly Roa[],
    { given = [], revoked = [] }: { given?: readonly Given[]; revoked?: { serial: bigint; revokedAt: Date }[] } = {},
  ): Map<string, Uint8Array> => {
    const own = certificate!;
    const base = own.repositoryUri;
    const id = printBase64Url(key.keyId);
    const made = new Map<string, Uint8Array>();
    const thisUpdate = new Date(Math.floor(now().getTime() / 1000) * 1000 - 300_000 + Number(++number) * 1000);
    const nextUpdate = new Date(thisUpdate.getTime() + 24 * hour);
    const issued = { authorityKeyId: key.keyId, crlUri: `${base}${id}.crl`, issuerUri: certificateUri, policyUri: null };
    const object = (
      type: ObjectType,
      content: Uint8Array,
      { uri, resources, to, by }: { uri: string; resources: ResourceSet | 'inherit'; to: Date; by: Key },
    ) => {
      const ee: Certificate = {
        kind: 'object',
        serial: ++serial,
        issuer: key.name,
        subject: by.name,
        notBefore: thisUpdate,
        notAfter: to,
        publicKey: by.publicKey,
        subjectKeyId: by.keyId,
        resources,
        objectUri: uri,
        ...issued,
      };
      const attributes = encodeSignedAttributes(type, cryptography.sha256(content), thisUpdate);
      made.set(
        uri,
        encodeSignedObject({
          type,
          content,
          certificate: encodeCertificate(ee, signed(key, encodeCertificateToBeSigned(ee))),
          keyId: by.keyId,
          attributes,
          signature: signed(by, attributes),
        }),
      );
    };
    for (const [index, { prefix, asn, maxLength, name = `roa-${index}` }] of roas.entries())
      object('roa', encodeRoa({ asNumber: asn, prefixes: [{ prefix: parsePrefix(prefix), maxLength }] }), {
        uri: `${base}${name}.roa`,
        resources: resourceSetOf([parseResource(prefix)]),
        to: nextUpdate,
        by: one,
      });
    const crl = encodeCrlToBeSigned({ issuer: key.name, authorityKeyId: key.keyId, number, thisUpdate, nextUpdate, revoked });
    made.set(issued.crlUri, assembleSigned(crl, signed(key, crl)));
    const listed = [...made, ...given.map(({ uri, bytes }) => [uri, bytes] as const)].map(([uri, bytes]) => ({
      name: uri.slice(base.length),
      sha256: cryptography.sha256(bytes),
    }));
    object('manifest', encodeManifest({ number, thisUpdate, nextUpdate, files: listed }), {
      uri: own.manifestUri,
      resources: 'inherit',
      to: nextUpdate,
      by: one,
    });
    return made;
  };
  const files = (roas: readonly Roa[]): Map<string, Uint8Array> => filesWith(roas);

  return {
    key,
    /** Only ROAs. */
    roas: (wanted: readonly Roa[]): Map<string, Uint8Array> => new Map([...files(wanted)].filter(([uri]) => uri.endsWith('.roa'))),
    /** Only CRL and manifest, over files that were made before. */
    listing: (given: readonly Given[], revoked: { serial: bigint; revokedAt: Date }[] = []) => filesWith([], { given, revoked }),
    childRequest: `<child_request xmlns="${setup}" version="1" child_handle="${handle}" tag="A1"><child_bpki_ta>${printBase64(identityBytes)}</child_bpki_ta></child_request>`,
    publisherRequest: `<publisher_request xmlns="${setup}" version="1" publisher_handle="${handle}"><publisher_bpki_ta>${printBase64(identityBytes)}</publisher_bpki_ta></publisher_request>`,
    message,
    upDownMessage,
    request,
    list: upDownMessage('list'),
    issue: (base: string, { className = 'registry', of = key, only = '', notification = '' } = {}): string =>
      upDownMessage('issue', `<request class_name="${className}"${only}>${printBase64(request(base, of, notification))}</request>`),
    revoke: (of: Key = key): string => upDownMessage('revoke', `<key class_name="registry" ski="${printBase64Url(of.keyId)}"/>`),
    /** Takes what the parent answers to `issue`. */
    takeCertificate: (answer: string): Decoded<AuthorityCertificate> => {
      certificate = decodeCertificate(parseBase64(textOf(answer, 'certificate'))) as Decoded<AuthorityCertificate>;
      certificateUri = valueOf(answer.slice(answer.indexOf('<certificate')), 'cert_url');
      return certificate;
    },
    files,
    /** A query that publishes these in place of those. */
    publish: (after: ReadonlyMap<string, Uint8Array>, before: ReadonlyMap<string, Uint8Array> = new Map()): string => {
      const hash = (bytes: Uint8Array): string => printHex(cryptography.sha256(bytes));
      const changes = [
        ...[...after].map(([uri, bytes]) => {
          const old = before.get(uri);
          return `<publish tag="${uri.slice(-8)}" uri="${uri}"${old ? ` hash="${hash(old)}"` : ''}>${printBase64(bytes)}</publish>`;
        }),
        ...[...before].flatMap(([uri, bytes]) => (after.has(uri) ? [] : [`<withdraw uri="${uri}" hash="${hash(bytes)}"/>`])),
      ];
      return `<msg xmlns="${publishing}" version="4" type="query">${changes.join('')}</msg>`;
    },
    listPublished: `<msg xmlns="${publishing}" version="4" type="query"><list/></msg>`,
    /** Reads an answer after checking that it is signed by the identity that was exchanged. */
    read: (answer: Uint8Array, response: string): string => {
      const read = decodeMessage(new Uint8Array(answer));
      const anchor = decodeIdentity(parseBase64(textOf(response, 'parent_bpki_ta') || textOf(response, 'repository_bpki_ta')));
      checkMessage(read, { anchor, now: now(), cryptography });
      return new TextDecoder().decode(read.content);
    },
    serviceOf: (response: string): string => new URL(valueOf(response, 'service_uri')).pathname,
    baseOf: (response: string): string => valueOf(response, 'sia_base'),
    notificationOf: (response: string): string => valueOf(response, 'rrdp_notification_uri'),
  };
}

/** Keys for one of them. */
export const newKeys = () => ({ identity: keyOf(), key: keyOf(), one: keyOf() });
