import { equalBytes, printHex } from './bytes.ts';
import { asciiOf, DerReader } from './der-reader.ts';
import { type Deviation, refuseDeviations } from './deviation.ts';
import { bitString, element, integer, octetString, oid, sequence, tags, text, time, trueValue } from './der-writer.ts';
import { oids } from './object-identifiers.ts';
import { ProfileError } from './profile-error.ts';
import { type CertifiedResources, decodeResources, encodeAddressBlocks, encodeAsIdentifiers } from './resources.ts';
import { assembleSigned, encodeName, encodeUri, readExactly, readName, readPublicKey, readSigned, signatureAlgorithm } from './signed.ts';

/** Fields of all resource certificates (RFC 6487, section 4). */
type Common = {
  /** Positive, at most 20 octets. */
  serial: bigint;
  /** Common names: upper-case hexadecimal key identifiers, which say nothing of the holder (RFC 9255). */
  issuer: string;
  subject: string;
  /** Whole seconds. */
  notBefore: Date;
  notAfter: Date;
  /** SubjectPublicKeyInfo. */
  publicKey: Uint8Array;
  subjectKeyId: Uint8Array;
  resources: CertifiedResources;
};
/** Where a CA publishes: its directory, its manifest in it, and the RRDP notification file. */
type Publishing = { repositoryUri: string; manifestUri: string; notificationUri: string | null };
/** Who issued it: key, CRL and certificate of the issuer. */
type Issued = { authorityKeyId: Uint8Array; crlUri: string; issuerUri: string; policyUri: string | null };

/** The four kinds of certificates there are here, by what they are for. */
export type Certificate = Common &
  (
    | ({ kind: 'trust-anchor' } & Publishing)
    | ({ kind: 'authority' } & Publishing & Issued)
    /** The one-time certificate in a signed object that is published at `objectUri`. */
    | ({ kind: 'object'; objectUri: string } & Issued)
    /** The one-time certificate in a signed checklist, which is not published (RFC 9323, section 2). */
    | ({ kind: 'checklist' } & Issued)
  );
export type CertificateKind = Certificate['kind'];
export type AuthorityCertificate = Extract<Certificate, { kind: 'trust-anchor' | 'authority' }>;
/** A certificate that was read: what it says, what of it was signed, and the signature. */
export type Decoded<Content> = Content & { toBeSigned: Uint8Array; signature: Uint8Array; bytes: Uint8Array };

const extension = (id: string, value: Uint8Array, isCritical = false): Uint8Array =>
  sequence(oid(id), ...(isCritical ? [trueValue] : []), octetString(value));
const access = (method: string, uri: string): Uint8Array => sequence(oid(method), encodeUri(uri));

/** The part of a certificate that its issuer signs. */
export const encodeCertificateToBeSigned = (certificate: Certificate): Uint8Array => toBeSignedWith(certificate, extensionsOf(certificate));

/** @param names issuer and subject as they were given, if not in our form */
const toBeSignedWith = (
  certificate: Certificate,
  extensions: readonly Uint8Array[],
  names: { issuer: Uint8Array; subject: Uint8Array } = { issuer: encodeName(certificate.issuer), subject: encodeName(certificate.subject) },
): Uint8Array =>
  sequence(
    element(tags.context(0), integer(2)),
    integer(certificate.serial),
    signatureAlgorithm,
    names.issuer,
    sequence(time(certificate.notBefore), time(certificate.notAfter)),
    names.subject,
    certificate.publicKey,
    element(tags.context(3), sequence(...extensions)),
  );

/** @param methods the order of the places where it publishes, if not ours */
function extensionsOf(certificate: Certificate, methods?: readonly string[]): Uint8Array[] {
  const isAuthority = certificate.kind === 'trust-anchor' || certificate.kind === 'authority';
  const addresses = encodeAddressBlocks(certificate.resources);
  const numbers = encodeAsIdentifiers(certificate.resources);
  return [
    ...(isAuthority ? [extension(oids.basicConstraints, sequence(trueValue), true)] : []),
    extension(oids.subjectKeyId, octetString(certificate.subjectKeyId)),
    ...(certificate.kind === 'trust-anchor'
      ? []
      : [extension(oids.authorityKeyId, sequence(element(tags.contextPrimitive(0), certificate.authorityKeyId)))]),
    // keyCertSign and cRLSign, or digitalSignature.
    extension(oids.keyUsage, isAuthority ? bitString(Uint8Array.of(0x06), 1) : bitString(Uint8Array.of(0x80), 7), true),
    ...(certificate.kind === 'trust-anchor'
      ? []
      : [
          extension(
            oids.crlDistributionPoints,
            sequence(sequence(element(tags.context(0), element(tags.context(0), encodeUri(certificate.crlUri))))),
          ),
          extension(oids.authorityInformationAccess, sequence(access(oids.caIssuers, certificate.issuerUri))),
        ]),
    ...accessOf(certificate, methods),
    extension(oids.certificatePolicies, encodePolicies(certificate.kind === 'trust-anchor' ? null : certificate.policyUri), true),
    ...(addresses === null ? [] : [extension(oids.ipAddressBlocks, addresses, true)]),
    ...(numbers === null ? [] : [extension(oids.autonomousSystemIds, numbers, true)]),
  ];
}

function accessOf(certificate: Certificate, order?: readonly string[]): Uint8Array[] {
  if (certificate.kind === 'checklist') return [];
  const places = new Map<string, string>(
    certificate.kind === 'object'
      ? [[oids.signedObject, certificate.objectUri]]
      : [
          [oids.caRepository, certificate.repositoryUri],
          [oids.rpkiManifest, certificate.manifestUri],
          ...(certificate.notificationUri === null ? [] : [[oids.rpkiNotify, certificate.notificationUri] as const]),
        ],
  );
  const methods = (order ?? [...places.keys()]).map(method => access(method, places.get(method)!));
  return [extension(oids.subjectInformationAccess, sequence(...methods))];
}

const policyQualifier = '1.3.6.1.5.5.7.2.1';
const encodePolicies = (uri: string | null): Uint8Array =>
  sequence(
    uri === null
      ? sequence(oid(oids.resourcePolicy))
      : sequence(oid(oids.resourcePolicy), sequence(sequence(oid(policyQualifier), text(tags.ia5String, uri)))),
  );

/** A whole certificate. */
export const encodeCertificate = (certificate: Certificate, signature: Uint8Array): Uint8Array =>
  assembleSigned(encodeCertificateToBeSigned(certificate), signature);

/** Longest URI that relying parties take. */
const longestUri = 2048;

/**
 * Parses a certificate and refuses everything that the profile of its kind does not allow (RFC 6487, 3779, 7935, and what relying parties require beyond them).
 * Neither signature nor times are checked here.
 * @param deviates called for extensions and places of publication in another order, which no RFC asks for, for names in UTF-8 or with a serial number, for further addresses of the CRL or the object,
 * and for a CA that inherits what its issuer has
 * @throws {ProfileError}
 */
export function decodeCertificate(bytes: Uint8Array, deviates: Deviation = refuseDeviations): Decoded<Certificate> {
  const { toBeSigned, body, signature } = readSigned(bytes, 'The certificate');
  readExactly(body, element(tags.context(0), integer(2)), 'The version of the certificate');
  const serial = body.integer('serial number');
  if (serial === 0n) throw new ProfileError('The serial number of the certificate is zero');
  readExactly(body, signatureAlgorithm, 'The signature algorithm in the certificate');
  const name = (what: string): { whole: Uint8Array; text: string } => {
    const { whole } = body.any(what);
    return { whole, text: readName(new DerReader(whole, 'The certificate'), what, deviates) };
  };
  const { whole: issuerName, text: issuer } = name('issuer');
  const validity = body.sequence('validity');
  const [notBefore, notAfter] = [validity.time('start of validity'), validity.time('end of validity')];
  validity.end();
  if (notBefore > notAfter) throw new ProfileError('The certificate ends before it starts');
  const { whole: subjectName, text: subject } = name('subject');
  const publicKey = readPublicKey(body);
  const extensions = readExtensions(body);
  body.end();

  const common: Common = {
    serial,
    issuer,
    subject,
    notBefore,
    notAfter,
    publicKey,
    subjectKeyId: readSubjectKeyId(extensions),
    resources: decodeResources(extensions.take(oids.ipAddressBlocks, true), extensions.take(oids.autonomousSystemIds, true), deviates),
  };
  const readWhole = new Set<string>();
  const reading: Reading = { extensions, readWhole, deviates };
  const methods = readAccess(reading);
  const certificate = ofKind(common, reading, methods);
  extensions.end();
  if (certificate.kind === 'trust-anchor' ? issuer !== subject : issuer === subject)
    throw new ProfileError('Issuer and subject of the certificate do not fit its kind');
  // Order and form of everything: what is written anew must be the same, or the same extensions in another order.
  const names = { issuer: issuerName, subject: subjectName };
  if (!equalBytes(toBeSignedWith(certificate, extensionsOf(certificate), names), toBeSigned)) {
    const own = new Set(extensionsOf(certificate, methods === null ? undefined : [...methods.keys()]).map(printHex));
    // What inherits may name fewer kinds of numbers than we do, and others more addresses of a place; those were read whole.
    const isRead = (id: string): boolean =>
      readWhole.has(id) || (common.resources === 'inherit' && (id === oids.ipAddressBlocks || id === oids.autonomousSystemIds));
    const known = extensions.given.filter(({ id, whole }) => isRead(id) || own.has(printHex(whole)));
    const given = extensions.given.map(({ whole }) => whole);
    if (known.length < given.length || !equalBytes(toBeSignedWith(certificate, given, names), toBeSigned))
      throw new ProfileError('The certificate is not in the form of its profile');
    if (readWhole.size === 0) deviates('The certificate has its extensions, or its places of publication, in another order');
  }
  return { ...certificate, toBeSigned, signature, bytes };
}

/** The extensions, and those of them that were read to their end though they are written here with fewer addresses. */
type Reading = { extensions: Extensions; readWhole: Set<string>; deviates: Deviation };

function ofKind(common: Common, reading: Reading, methods: Map<string, string> | null): Certificate {
  const { extensions, deviates } = reading;
  const constraints = extensions.take(oids.basicConstraints, true);
  if (constraints !== null && !equalBytes(constraints, sequence(trueValue)))
    throw new ProfileError('The basic constraints are not those of a CA without a path length');
  const policyUri = readPolicies(extensions);
  extensions.take(oids.keyUsage, true);
  const issued = readIssued(reading, policyUri);
  if (constraints === null) {
    if (issued === null) throw new ProfileError('The certificate does not say who issued it');
    if (methods === null) return { kind: 'checklist', ...common, ...issued };
    const objectUri = methods.get(oids.signedObject);
    if (methods.delete(oids.rpkiNotify)) {
      // RFC 8182 (3.2) has it in certificates of CAs; validators pass over it elsewhere.
      deviates('The certificate of an object names a notification file, which belongs to that of a CA');
      reading.readWhole.add(oids.subjectInformationAccess);
    }
    if (objectUri === undefined || methods.size !== 1)
      throw new ProfileError('The certificate does not say, or not only, where its object is');
    return { kind: 'object', ...common, ...issued, objectUri: rsyncUri(objectUri, 'The address of the object') };
  }
  const repositoryUri = rsyncUri(methods?.get(oids.caRepository), 'The directory of the CA');
  const manifestUri = rsyncUri(methods?.get(oids.rpkiManifest), 'The manifest of the CA');
  const notificationUri = methods?.get(oids.rpkiNotify) ?? null;
  if (notificationUri !== null && !notificationUri.startsWith('https://'))
    throw new ProfileError('The notification file is not at an https address');
  if (!repositoryUri.endsWith('/') || !manifestUri.startsWith(repositoryUri) || manifestUri.slice(repositoryUri.length).includes('/'))
    throw new ProfileError('The manifest is not in the directory of the CA');
  if (methods!.size !== (notificationUri === null ? 2 : 3))
    throw new ProfileError('The certificate of the CA names other places of publication');
  if (common.resources === 'inherit') deviates('The certificate of a CA inherits its resources');
  const publishing = { repositoryUri, manifestUri, notificationUri };
  return issued === null ? { kind: 'trust-anchor', ...common, ...publishing } : { kind: 'authority', ...common, ...publishing, ...issued };
}

function rsyncUri(uri: string | undefined, what: string): string {
  if (uri === undefined || !uri.startsWith('rsync://')) throw new ProfileError(`${what} is not at an rsync address`);
  if (uri.length > longestUri || uri.includes('/../') || uri.includes('/./'))
    throw new ProfileError(`${what} has an address that is too long or leads elsewhere`);
  return uri;
}

/** Extensions by their object identifier; each is taken once, and none may be left. */
type Extensions = {
  take: (id: string, isCritical: boolean) => Uint8Array | null;
  end: () => void;
  /** All of them as they were given, in their order. */
  given: readonly { id: string; whole: Uint8Array }[];
};

function readExtensions(body: DerReader): Extensions {
  const list = body.inside(tags.context(3), 'extensions').sequence('extensions');
  const found = new Map<string, { value: Uint8Array; isCritical: boolean }>();
  const given: { id: string; whole: Uint8Array }[] = [];
  while (!list.atEnd) {
    const { whole, content } = list.one(tags.sequence, 'extension');
    const one = new DerReader(content, 'extension');
    const id = one.oid('extension');
    given.push({ id, whole });
    const isCritical = one.nextTag === tags.boolean;
    if (isCritical) readExactly(one, trueValue, 'The criticality of an extension');
    if (found.has(id)) throw new ProfileError(`The extension ${id} is there twice`);
    found.set(id, { value: one.octets('extension'), isCritical });
    one.end();
  }
  return {
    given,
    take: (id, isCritical) => {
      const one = found.get(id);
      found.delete(id);
      if (one && one.isCritical !== isCritical)
        throw new ProfileError(`The extension ${id} ${isCritical ? 'must' : 'must not'} be critical`);
      return one?.value ?? null;
    },
    end: () => {
      const [id] = found.keys();
      if (id !== undefined) throw new ProfileError(`The extension ${id} is not part of the profile`);
    },
  };
}

function readSubjectKeyId(extensions: Extensions): Uint8Array {
  const value = extensions.take(oids.subjectKeyId, false);
  const keyId = value && new DerReader(value, 'The subject key identifier').octets('key identifier');
  if (keyId?.length !== 20) throw new ProfileError('The certificate has no subject key identifier of 20 bytes');
  return keyId;
}

function readIssued(reading: Reading, policyUri: string | null): Issued | null {
  const { extensions } = reading;
  const authorityKey = extensions.take(oids.authorityKeyId, false);
  const points = extensions.take(oids.crlDistributionPoints, false);
  const information = extensions.take(oids.authorityInformationAccess, false);
  if (authorityKey === null && points === null && information === null) return null;
  if (authorityKey === null || points === null || information === null)
    throw new ProfileError('The certificate lacks the key, the CRL or the certificate of its issuer');
  return {
    authorityKeyId: readAuthorityKeyId(authorityKey),
    crlUri: rsyncUri(readCrlUri(points, reading), 'The CRL'),
    issuerUri: rsyncUri(readIssuerUri(information), 'The issuer'),
    policyUri,
  };
}

/** An authority key identifier that names the key and nothing else; of CRLs too. */
export function readAuthorityKeyId(value: Uint8Array): Uint8Array {
  const parts = new DerReader(value, 'The authority key identifier').sequence('authority key identifier');
  const keyId = parts.one(tags.contextPrimitive(0), 'key identifier').content;
  parts.end();
  if (keyId.length !== 20) throw new ProfileError('The authority key identifier does not have 20 bytes');
  return keyId;
}

function readCrlUri(value: Uint8Array, reading: Reading): string | undefined {
  const points = new DerReader(value, 'The CRL distribution points').sequence('CRL distribution points');
  const point = points.sequence('CRL distribution point');
  points.end();
  const names = point.inside(tags.context(0), 'name of the CRL').inside(tags.context(0), 'name of the CRL');
  point.end();
  const addresses: string[] = [];
  while (!names.atEnd) addresses.push(asciiOf(names.one(tags.contextPrimitive(6), 'address of the CRL').content, 'The address of the CRL'));
  return oneOf(addresses, { id: oids.crlDistributionPoints, what: 'its CRL' }, reading);
}

/** One address of the issuer: rpki-client refuses several, though RFC 6487 (4.8.7) lets the rsync one have others beside it. */
function readIssuerUri(value: Uint8Array): string | undefined {
  const [first, ...others] = accessDescriptions(value, 'issuer access');
  if (first?.method !== oids.caIssuers || others.length > 0)
    throw new ProfileError('The certificate does not name one address of its issuer, and nothing else');
  return first.address;
}

/**
 * Returns the address that counts of those of one place: the first at rsync, the protocol that every validator has, or else the first. RFC 6487 (4.8.6,
 * 4.8.8) lets a place have several; one is written here.
 */
function oneOf(
  addresses: readonly string[],
  { id, what }: { id: string; what: string },
  { readWhole, deviates }: Reading,
): string | undefined {
  if (addresses.length > 1) {
    deviates(`The certificate names more than one address of ${what}`);
    readWhole.add(id);
  }
  return addresses.find(address => address.startsWith('rsync://')) ?? addresses[0];
}

function accessDescriptions(value: Uint8Array, what: string): { method: string; address: string }[] {
  const list = new DerReader(value, `The ${what}`).sequence(what);
  const found: { method: string; address: string }[] = [];
  while (!list.atEnd) {
    const one = list.sequence('access description');
    const method = one.oid('access method');
    found.push({ method, address: asciiOf(one.one(tags.contextPrimitive(6), 'address').content, 'The address') });
    one.end();
  }
  return found;
}

/** The places of publication by their access method, in the order in which they are named first; null: none are. */
function readAccess(reading: Reading): Map<string, string> | null {
  const value = reading.extensions.take(oids.subjectInformationAccess, false);
  if (value === null) return null;
  const named = Map.groupBy(accessDescriptions(value, 'subject access'), ({ method }) => method);
  const place = { id: oids.subjectInformationAccess, what: 'a place of publication' };
  return new Map(
    [...named].map(([method, several]) => [
      method,
      oneOf(
        several.map(({ address }) => address),
        place,
        reading,
      )!,
    ]),
  );
}

function readPolicies(extensions: Extensions): string | null {
  const value = extensions.take(oids.certificatePolicies, true);
  if (value === null) throw new ProfileError('The certificate names no policy');
  const policy = new DerReader(value, 'The policies').sequence('policies').sequence('policy');
  if (policy.oid('policy') !== oids.resourcePolicy) throw new ProfileError('The policy is not that of the resource PKI');
  if (policy.atEnd) return null;
  const qualifier = policy.sequence('policy qualifiers').sequence('policy qualifier');
  if (qualifier.oid('policy qualifier') !== policyQualifier)
    throw new ProfileError('The policy has a qualifier that is not in the profile');
  return qualifier.text(tags.ia5String, 'address of the policy');
}
