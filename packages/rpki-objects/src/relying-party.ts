import { containsResource, containsSet, type NumberResource, type ResourceSet, resourceSetOf } from '@portal/number-resources';
import { type Aspa, decodeAspa } from './aspa.ts';
import { equalBytes, printHex } from './bytes.ts';
import { type AuthorityCertificate, type Certificate, type Decoded, decodeCertificate } from './certificate.ts';
import { type Checklist, decodeChecklist } from './checklist.ts';
import { decodeCrl, type PublishedRevocationList, serialKey } from './crl.ts';
import { decodeManifest, type Manifest } from './manifest.ts';
import { type Deviation, refuseDeviations } from './deviation.ts';
import { NotYetValid, ProfileError } from './profile-error.ts';
import { decodeRoa, type RoaPrefix } from './roa.ts';
import { type Cryptography, keyIdOf } from './signed.ts';
import { checkSignedObject, decodeSignedObject, type ObjectType, type SignedObject } from './signed-object.ts';

/** A validated ROA payload, as routers get it, and when it ends unless it is renewed. */
export type Vrp = RoaPrefix & { asNumber: number };

/** A published file. Without bytes it was validated before and has not changed: only its hash is checked, and what the memory knows of it. */
export type PublishedFile = { sha256: Uint8Array; bytes: Uint8Array | null };
/** Files by their address. */
export type PublishedFiles = Pick<ReadonlyMap<string, PublishedFile>, 'get'>;

/** A relying party's result for the files of one CA. */
export type ValidationResult = {
  vrps: Vrp[];
  aspas: Aspa[];
  /** Certificates of CAs below. */
  authorities: Decoded<AuthorityCertificate>[];
  /** One sentence for each file that would be refused. */
  problems: { uri: string; problem: string }[];
  /** One sentence for each form that validators take and this registry does not write; none where only its own form is accepted. */
  hints: { uri: string; hint: string }[];
  /** When the first of what was accepted ends: manifest, CRL, or a certificate of an object; null without any. */
  endsAt: Date | null;
  /** When the first of what was refused because it is not valid yet can be accepted; null without any. Before both the result stays as it is. */
  startsAt: Date | null;
};

/**
 * How strictly forms are judged: `own`, by default, is for what this registry signs: nothing that any validator in use refuses is let through; `rfc` is for what others sign:
 * all that the RFCs allow, with hints.
 */
type Level = 'own' | 'rfc';
type ValidationOptions = {
  now: Date;
  cryptography: Cryptography;
  level?: Level;
  /** Facts that were read before in files of this CA, by their address. */
  facts?: ReadonlyMap<string, FileFacts>;
};

/** Facts of a certificate that are compared with its issuer, its CRL and the clock each time. */
type CertifiedFacts = Pick<Certificate, 'notBefore' | 'notAfter' | 'resources'> & {
  /** As revocation lists have it. */
  serialKey: string;
  crlUri: string;
  signedAt: Date | null;
  /** The issuer's resources in which these were found last: with the same they are not compared again. */
  foundIn: ResourceSet | null;
};
/** Content of a file, or the reason for which it has none, as far as that follows from its bytes, its address and the key that issued it. */
export type FileFacts = { hints: readonly string[] } & (
  | { problem: string }
  | { certificate: CertifiedFacts | null; vrps: readonly Vrp[]; aspas: readonly Aspa[]; authority: Decoded<AuthorityCertificate> | null }
);
/**
 * Validates what a CA publishes as a relying party does (RFC 6487, section 7; RFC 9286, section 6; RFC 6488, section 3). @param files by their address; other CAs' files may be among them
 */
export function validateAuthority(
  authority: Decoded<AuthorityCertificate>,
  files: PublishedFiles,
  options: ValidationOptions,
): ValidationResult {
  const steps = validatingAuthority(authority, files, options);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Validates as `validateAuthority` does, with a step for its manifest and CRL and one for each further file, so that other work can run between them. */
export function* validatingAuthority(
  authority: Decoded<AuthorityCertificate>,
  files: PublishedFiles,
  options: ValidationOptions,
): Generator<undefined, ValidationResult> {
  const result: ValidationResult = { vrps: [], aspas: [], authorities: [], problems: [], hints: [], endsAt: null, startsAt: null };
  const deviatesAt = (uri: string): Deviation => {
    if (options.level !== 'rfc') return refuseDeviations;
    const known = new Set<string>();
    return hint => {
      if (known.has(hint)) return;
      known.add(hint);
      result.hints.push({ uri, hint });
    };
  };
  const attempt = <T>(uri: string, validate: () => T): T | null => {
    try {
      return validate();
    } catch (error) {
      if (!(error instanceof ProfileError)) throw error;
      if (error instanceof NotYetValid) result.startsAt = earliest([error.from, ...(result.startsAt ? [result.startsAt] : [])]);
      result.problems.push({ uri, problem: error.message });
      return null;
    }
  };
  const listed = attempt(authority.manifestUri, () => validateManifest(authority, files, options, deviatesAt));
  if (listed === null) return result;
  const { names, crl, crlUri, endsAt } = listed;
  const issuer: Issuer = { certificate: authority, crl, crlUri };
  result.endsAt = endsAt;
  for (const name of names) {
    yield;
    const uri = authority.repositoryUri + name;
    const file = files.get(uri)!;
    const known = options.facts?.get(uri);
    if (uri !== crlUri && (known || file.bytes !== null))
      attempt(uri, () => validateFile(uri, known ?? readFile(uri, file, authority, options), { issuer, options, result }));
  }
  return result;
}

/** The issuer of a certificate, and its revocations. */
type Issuer = { certificate: Decoded<AuthorityCertificate>; crl: PublishedRevocationList; crlUri: string };

type ReadManifest = { object: SignedObject; manifest: Manifest; hints: readonly string[] };
/** Manifests are read twice: for what they list, and to be validated. */
const readManifests = new WeakMap<Uint8Array, ReadManifest>();

/** Reads a manifest, its signatures unchecked. @throws {ProfileError} */
function readManifest(bytes: Uint8Array): ReadManifest {
  const known = readManifests.get(bytes);
  if (known) return known;
  const hints: string[] = [];
  const deviates: Deviation = hint => void hints.push(hint);
  const object = decodeSignedObject(bytes, 'manifest', deviates);
  const read = { object, manifest: decodeManifest(object.content, deviates), hints };
  readManifests.set(bytes, read);
  return read;
}

/** Files that a manifest lists, and the revocations over them. */
type Listed = { names: string[]; crl: PublishedRevocationList; crlUri: string; endsAt: Date };

function validateManifest(
  authority: Decoded<AuthorityCertificate>,
  files: PublishedFiles,
  options: ValidationOptions,
  deviatesAt: (uri: string) => Deviation,
): Listed {
  const deviates = deviatesAt(authority.manifestUri);
  const bytes = files.get(authority.manifestUri)?.bytes;
  if (!bytes) throw new ProfileError('The manifest is missing');
  const { object, manifest, hints } = readManifest(bytes);
  for (const hint of hints) deviates(hint);
  checkSignedObject(object, options.cryptography);
  const names = manifest.files.map(({ name }) => name);
  for (const { name, sha256 } of manifest.files) {
    const file = files.get(authority.repositoryUri + name);
    if (!file) throw new ProfileError(`The manifest lists ${name}, which is missing`);
    if (!equalBytes(file.sha256, sha256)) throw new ProfileError(`The manifest has another hash of ${name}`);
  }
  const crls = names.filter(name => name.endsWith('.crl'));
  if (crls.length !== 1) throw new ProfileError('The manifest does not list exactly one CRL');
  const crlUri = authority.repositoryUri + crls[0]!;
  const crl = validateCrl(authority, files.get(crlUri)!.bytes, options, deviatesAt(crlUri));
  if (options.now < manifest.thisUpdate) throw new NotYetValid('The manifest', manifest.thisUpdate);
  if (options.now >= manifest.nextUpdate) throw new ProfileError('The manifest is out of date');
  if (crl.nextUpdate.getTime() !== manifest.nextUpdate.getTime()) deviates('CRL and manifest do not end together');
  if (object.certificate.resources !== 'inherit') throw new ProfileError('The manifest does not inherit its resources');
  validateObjectCertificate(object, authority.manifestUri, { certificate: authority, crl, crlUri }, options);
  const { notBefore, notAfter } = object.certificate;
  if (notBefore.getTime() !== manifest.thisUpdate.getTime() || notAfter.getTime() !== manifest.nextUpdate.getTime())
    deviates('The certificate of the manifest is not valid for the time of the manifest alone');
  return { names, crl, crlUri, endsAt: earliest([manifest.nextUpdate, crl.nextUpdate, notAfter, authority.notAfter]) };
}

function validateCrl(
  authority: Decoded<AuthorityCertificate>,
  bytes: Uint8Array | null,
  { now, cryptography }: ValidationOptions,
  deviates: Deviation,
): PublishedRevocationList {
  if (bytes === null) throw new ProfileError('The CRL is missing');
  const crl = decodeCrl(bytes, deviates);
  if (crl.issuer !== authority.subject || !equalBytes(crl.authorityKeyId, authority.subjectKeyId))
    throw new ProfileError('The CRL is not of this CA');
  if (!cryptography.verifies(authority.publicKey, crl.toBeSigned, crl.signature))
    throw new ProfileError('The signature of the CRL is wrong');
  if (now < crl.thisUpdate) throw new NotYetValid('The CRL', crl.thisUpdate);
  if (now >= crl.nextUpdate) throw new ProfileError('The CRL is out of date');
  return crl;
}

const earliest = (times: readonly Date[]): Date => new Date(Math.min(...times.map(Number)));

/** Under which a memory keeps a file: the same bytes at another address, or below another key, are another file. */
export const memoryKey = (uri: string, { sha256 }: PublishedFile, { subjectKeyId, subject }: AuthorityCertificate): string =>
  `${printHex(sha256)} ${printHex(subjectKeyId)} ${subject} ${uri}`;

/** Reads a file of a CA: all that follows from its bytes, its address and the key that issued it, with its signatures. */
export function readFile(
  uri: string,
  file: PublishedFile,
  authority: Decoded<AuthorityCertificate>,
  { cryptography, level }: Pick<ValidationOptions, 'cryptography' | 'level'>,
): FileFacts {
  const hints: string[] = [];
  const deviates: Deviation =
    level === 'rfc'
      ? hint => {
          if (!hints.includes(hint)) hints.push(hint);
        }
      : refuseDeviations;
  let facts: FileFacts;
  try {
    facts = { hints, ...contentOf(uri, file.bytes!, { authority, cryptography, deviates }) };
  } catch (error) {
    if (!(error instanceof ProfileError)) throw error;
    facts = { hints, problem: error.message };
  }
  return facts;
}

type Reading = { authority: Decoded<AuthorityCertificate>; cryptography: Cryptography; deviates: Deviation };
type Content = Omit<Extract<FileFacts, { certificate: unknown }>, 'hints'>;

/** @throws {ProfileError} */
function contentOf(uri: string, bytes: Uint8Array, reading: Reading): Content {
  const { authority: issuer, cryptography, deviates } = reading;
  if (uri.endsWith('.cer')) {
    const certificate = decodeCertificate(bytes, deviates);
    if (certificate.kind !== 'authority') throw new ProfileError('The certificate is not one of a CA');
    checkIssuer(certificate, issuer, cryptography);
    if (!equalBytes(keyIdOf(certificate.publicKey, cryptography), certificate.subjectKeyId))
      throw new ProfileError('The key identifier is not that of the key');
    return { certificate: factsOf(certificate), vrps: [], aspas: [], authority: certificate };
  }
  if (uri.endsWith('.roa')) {
    const object = readObject(uri, bytes, 'roa', reading);
    const { asNumber, prefixes } = decodeRoa(object.content, deviates);
    const resources = object.certificate.resources as ResourceSet;
    if (resources.asn.length > 0) throw new ProfileError('The certificate of the ROA has AS numbers');
    const vrps = prefixes.map(({ prefix, maxLength }) => {
      if (!containsResource(resources, prefix)) throw new ProfileError('The ROA has a prefix that its certificate does not have');
      return { asNumber, prefix, maxLength };
    });
    return { certificate: factsOf(object.certificate, object.signedAt), vrps, aspas: [], authority: null };
  }
  if (uri.endsWith('.asa')) {
    const object = readObject(uri, bytes, 'aspa', reading);
    const aspa = decodeAspa(object.content);
    const customer: NumberResource = { family: 'asn', first: aspa.customer, last: aspa.customer };
    const own = resourceSetOf([customer]);
    const resources = object.certificate.resources as ResourceSet;
    if (!containsSet(resources, own) || !containsSet(own, resources))
      throw new ProfileError('The certificate of the ASPA is not for its customer alone');
    return { certificate: factsOf(object.certificate, object.signedAt), vrps: [], aspas: [aspa], authority: null };
  }
  deviates('Files of this kind are not published here');
  return { certificate: null, vrps: [], aspas: [], authority: null };
}

type ValidationContext = { issuer: Issuer; options: ValidationOptions; result: ValidationResult };

/** Takes what a file says where its certificate holds now. @throws {ProfileError} */
function validateFile(uri: string, facts: FileFacts, { issuer, options, result }: ValidationContext): void {
  for (const hint of facts.hints) result.hints.push({ uri, hint });
  if ('problem' in facts) throw new ProfileError(facts.problem);
  if (facts.certificate === null) return;
  checkNow(facts.certificate, issuer, options.now);
  if (facts.certificate.notAfter < result.endsAt!) result.endsAt = facts.certificate.notAfter;
  for (const vrp of facts.vrps) result.vrps.push(vrp);
  for (const aspa of facts.aspas) result.aspas.push(aspa);
  if (facts.authority)
    result.authorities.push(
      facts.authority.resources === 'inherit' ? { ...facts.authority, resources: issuer.certificate.resources } : facts.authority,
    );
}

function readObject(uri: string, bytes: Uint8Array, type: ObjectType, { authority, cryptography, deviates }: Reading): SignedObject {
  const object = decodeSignedObject(bytes, type, deviates);
  checkSignedObject(object, cryptography);
  if (object.certificate.resources === 'inherit') throw new ProfileError('Only manifests inherit their resources');
  checkIssuer(object.certificate, authority, cryptography);
  checkPlace(object, uri);
  return object;
}

function checkPlace({ certificate }: SignedObject, uri: string): void {
  if (certificate.kind === 'object' && certificate.objectUri !== uri)
    throw new ProfileError('The object says that it is published elsewhere');
}

function validateObjectCertificate(object: SignedObject, uri: string, issuer: Issuer, { now, cryptography }: ValidationOptions): void {
  checkIssuer(object.certificate, issuer.certificate, cryptography);
  checkNow(factsOf(object.certificate, object.signedAt), issuer, now);
  checkPlace(object, uri);
}

/** Checks who issued a certificate. @throws {ProfileError} */
function checkIssuer(certificate: Decoded<Certificate>, issuer: Decoded<AuthorityCertificate>, cryptography: Cryptography): void {
  if (certificate.kind === 'trust-anchor') throw new ProfileError('A trust anchor has no issuer');
  if (certificate.issuer !== issuer.subject || !equalBytes(certificate.authorityKeyId, issuer.subjectKeyId))
    throw new ProfileError('The certificate was not issued by this CA');
  if (!cryptography.verifies(issuer.publicKey, certificate.toBeSigned, certificate.signature))
    throw new ProfileError('The signature of the certificate is wrong');
}

/** Picks what of a certificate is compared each time. */
function factsOf(certificate: Decoded<Certificate>, signedAt: Date | null = null): CertifiedFacts {
  const { serial, notBefore, notAfter, resources } = certificate;
  const crlUri = certificate.kind === 'trust-anchor' ? '' : certificate.crlUri;
  return { serialKey: serialKey(serial), notBefore, notAfter, resources, signedAt, crlUri, foundIn: null };
}

/** Compares a certificate with its CRL, the clock and its issuer. @throws {ProfileError} */
function checkNow(facts: CertifiedFacts, { certificate: issuer, crl, crlUri: listed }: Issuer, now: Date): void {
  const { notBefore, notAfter, resources, crlUri, signedAt } = facts;
  if (crlUri !== listed) throw new ProfileError('The certificate names another CRL than the manifest');
  if (crl.revokedSerials.has(facts.serialKey)) throw new ProfileError('The certificate is revoked');
  if (now < notBefore) throw new NotYetValid('The certificate', notBefore);
  if (now > notAfter) throw new ProfileError('The certificate has ended');
  if (resources !== 'inherit' && facts.foundIn !== issuer.resources) {
    const held = issuer.resources as ResourceSet;
    if (!containsSet(held, resources)) throw new ProfileError('The certificate has resources that its issuer does not have');
    facts.foundIn = held;
  }
  if (signedAt !== null && signedAt > notAfter) throw new ProfileError('The object was signed after its certificate ended');
}

function validateCertificate(certificate: Decoded<Certificate>, issuer: Issuer, { now, cryptography }: ValidationOptions): void {
  checkIssuer(certificate, issuer.certificate, cryptography);
  checkNow(factsOf(certificate), issuer, now);
}

/** Returns the names that a manifest lists, its signatures unchecked; none where it can't be read. What it is worth is said by `validateAuthority`. */
export function namesListedIn(bytes: Uint8Array): string[] {
  try {
    return readManifest(bytes).manifest.files.map(({ name }) => name);
  } catch (error) {
    if (!(error instanceof ProfileError)) throw error;
    return [];
  }
}

/** Validates a trust anchor's own certificate. @param publicKey the one in its locator @throws {ProfileError} */
export function validateTrustAnchor(
  bytes: Uint8Array,
  publicKey: Uint8Array,
  { now, cryptography }: ValidationOptions,
): Decoded<AuthorityCertificate> {
  const certificate = decodeCertificate(bytes);
  if (certificate.kind !== 'trust-anchor') throw new ProfileError('The certificate is not one of a trust anchor');
  if (!equalBytes(certificate.publicKey, publicKey)) throw new ProfileError('The trust anchor has another key than its locator');
  if (!equalBytes(keyIdOf(publicKey, cryptography), certificate.subjectKeyId))
    throw new ProfileError('The key identifier is not that of the key');
  if (!cryptography.verifies(publicKey, certificate.toBeSigned, certificate.signature))
    throw new ProfileError('The signature of the trust anchor is wrong');
  if (now < certificate.notBefore || now > certificate.notAfter) throw new ProfileError('The trust anchor is not valid now');
  return certificate;
}

/** Levels of CAs below the one that validation starts from. No registry has more than a handful. */
const MAX_LEVELS = 32;
/** CAs below the one that validation starts from. A hosted repository has one for each member; strangers' publish less. */
const MAX_AUTHORITIES = 100_000;

/**
 * Returns the CAs to validate, from the given ones down, each key once: keys that certify each other, or each other's successors, would otherwise be
 * validated without end, or once for each of their countless paths (RFC 6487 has no limit; validators have, as of CVE-2021-43172 and CVE-2021-43173).
 * A CA that was validated adds those that it certifies by `below`, which throws ProfileError beyond the limits.
 */
export function authoritiesInTurn(
  first: readonly Decoded<AuthorityCertificate>[],
  { maxAuthorities = MAX_AUTHORITIES, maxLevels = MAX_LEVELS } = {},
): {
  next: () => Decoded<AuthorityCertificate> | undefined;
  below: (issuer: Decoded<AuthorityCertificate>, authorities: readonly Decoded<AuthorityCertificate>[]) => void;
} {
  const due: Decoded<AuthorityCertificate>[] = [];
  const levels = new Map<string, number>();
  const keyOf = ({ subjectKeyId }: AuthorityCertificate): string => printHex(subjectKeyId);
  const add = (authority: Decoded<AuthorityCertificate>, level: number): void => {
    if (levels.has(keyOf(authority))) return;
    if (level > maxLevels) throw new ProfileError(`There are more than ${maxLevels} levels of CAs`);
    if (levels.size >= maxAuthorities) throw new ProfileError(`There are more than ${maxAuthorities} CAs`);
    levels.set(keyOf(authority), level);
    due.push(authority);
  };
  for (const authority of first) add(authority, 0);
  return {
    next: () => due.pop(),
    below: (issuer, authorities) => {
      for (const authority of authorities) add(authority, levels.get(keyOf(issuer))! + 1);
    },
  };
}

/** Validates a whole repository from its trust anchor down. */
export function validateRepository(
  trustAnchor: Uint8Array,
  publicKey: Uint8Array,
  files: PublishedFiles,
  options: ValidationOptions,
): Omit<ValidationResult, 'authorities' | 'endsAt' | 'startsAt'> {
  const whole: Omit<ValidationResult, 'authorities' | 'endsAt' | 'startsAt'> = { vrps: [], aspas: [], problems: [], hints: [] };
  const turns = authoritiesInTurn([validateTrustAnchor(trustAnchor, publicKey, options)]);
  for (let authority = turns.next(); authority !== undefined; authority = turns.next()) {
    const { vrps, aspas, authorities, problems, hints } = validateAuthority(authority, files, options);
    whole.hints.push(...hints);
    whole.vrps.push(...vrps);
    whole.aspas.push(...aspas);
    whole.problems.push(...problems);
    turns.below(authority, authorities);
  }
  return whole;
}

/**
 * Validates a signed checklist against the certificate of the CA it comes from, which the caller has validated, and that CA's CRL (RFC 9323, section 5).
 * @throws {ProfileError}
 */
export function validateChecklist(bytes: Uint8Array, issuer: Issuer, options: ValidationOptions): Checklist {
  const object = decodeSignedObject(bytes, 'checklist');
  checkSignedObject(object, options.cryptography);
  const checklist = decodeChecklist(object.content);
  validateCertificate(object.certificate, issuer, options);
  if (object.certificate.resources === 'inherit' || !containsSet(object.certificate.resources, checklist.resources))
    throw new ProfileError('The checklist has resources that its certificate does not have');
  return checklist;
}
