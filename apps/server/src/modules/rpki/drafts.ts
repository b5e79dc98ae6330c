import { randomBytes } from 'node:crypto';
import { DAY_MS, MINUTE_MS } from '@portal/contract/days';
import { parsePrefix, parseResource, printAsNumber, type ResourceSet, resourceSetOf } from '@portal/number-resources';
import {
  allResources,
  assembleSigned,
  type Certificate,
  type CertifiedResources,
  encodeAspa,
  encodeCertificateToBeSigned,
  encodeChecklist,
  encodeCrlToBeSigned,
  encodeManifest,
  encodeRoa,
  encodeSignedAttributes,
  encodeSignedObject,
  decodeSignedObject,
  equalBytes,
  type ObjectType,
  parseHex,
  printHex,
  ProfileError,
} from '@portal/rpki-objects';
import { isInFuture } from '../../platform/clock-watch.ts';
import { type KeptAspa, printAspa } from './aspas.ts';
import type { Authority } from './authorities/authorities.ts';
import { nodeCryptography } from './authorities/cryptography.ts';
import type { CaSigner, MadeKey, ToSign } from './authorities/signer.ts';
import { directoryOf, fileNameOf, type Places, trustAnchorUri } from './places.ts';
import type { KeptRoa } from './roa-changes.ts';

/** A key with its owner. */
export type OwnedKey = MadeKey & { authority: Authority };
/** A checklist is signed but never published: its number replaces an address. */
export type ObjectKind = 'trust-anchor' | 'certificate' | 'crl' | 'manifest' | 'roa' | 'aspa' | 'checklist';

/** A file to publish: what has to be signed for it, and how to assemble it. */
export type Draft = {
  uri: string;
  kind: ObjectKind;
  /** Hexadecimal; null for CRLs, which have no certificate. */
  serial: string | null;
  /** When its certificate begins, or the CRL that it is. */
  notBefore: Date;
  notAfter: Date;
  modifiedAt: Date;
  /** The object's subject. */
  subject: string;
  roaIds: string[];
  /** Computed on signing, so that preparing some overlaps with signing others. */
  toSign: () => ToSign[];
  assemble: (signatures: readonly Uint8Array[]) => Uint8Array;
};
/** A file with its bytes. */
export type Product = Omit<Draft, 'toSign' | 'assemble'> & { content: Uint8Array; sha256: Uint8Array };

/** How far in the past certificates begin, because relying parties with slow clocks have no tolerance. */
export const backdatedMs = 5 * MINUTE_MS;
const YEAR_DAYS = 365;
/** Validity of a certificate in days, by its kind; those of objects at most a year. */
const validDays = { 'trust-anchor': 10 * YEAR_DAYS, as0: 10 * YEAR_DAYS, registry: 5 * YEAR_DAYS, member: 550, identity: 0 };
const roaDays = 364;

const newSerial = (): string => {
  const bytes = randomBytes(19);
  bytes[0] = (bytes[0]! & 0x7f) | 0x01;
  return bytes.toString('hex');
};
const numberOf = (serial: string): bigint => BigInt(`0x${serial}`);
const wholeSeconds = (time: number): Date => new Date(Math.floor(time / 1000) * 1000);
const nameOf = (keyIdentifier: string): string => keyIdentifier.toUpperCase();
const signedBy = ({ keyIdentifier, sealed }: MadeKey, toBeSigned: Uint8Array): ToSign => ({ keyIdentifier, sealed, toBeSigned });
const bytesOf = (keyIdentifier: string): Uint8Array => new Uint8Array(Buffer.from(keyIdentifier, 'hex'));

/** Returns the part of a certificate to sign, and how to assemble the certificate. */
function signedCertificate(signer: OwnedKey, certificate: Certificate): Pick<Draft, 'toSign' | 'assemble'> {
  let encoded: Uint8Array | undefined;
  const toBeSigned = (): Uint8Array => (encoded ??= encodeCertificateToBeSigned(certificate));
  return {
    toSign: () => [signedBy(signer, toBeSigned())],
    assemble: ([signature]) => assembleSigned(toBeSigned(), signature!),
  };
}

/** Context of builders: where files are published, and the instant of the publication, in whole seconds. */
export type Drafting = { places: Places; now: Date };

const publishingOf = ({ authority, keyIdentifier }: OwnedKey, places: Places) => {
  const repositoryUri = directoryOf(places, authority);
  return { repositoryUri, manifestUri: `${repositoryUri}${fileNameOf(keyIdentifier)}.mft`, notificationUri: places.notification };
};
/** Where the certificate of a key is published: in the directory of its issuer, under the same name for as long as the key lives. */
export const certificateUri = (key: OwnedKey, issuer: OwnedKey | null, places: Places): string =>
  issuer === null
    ? trustAnchorUri(places, key.authority.kind)
    : `${directoryOf(places, issuer.authority)}${fileNameOf(key.keyIdentifier)}.cer`;

const issuedBy = (issuer: OwnedKey, issuerUri: string, places: Places) => ({
  issuer: nameOf(issuer.keyIdentifier),
  authorityKeyId: bytesOf(issuer.keyIdentifier),
  crlUri: `${directoryOf(places, issuer.authority)}${fileNameOf(issuer.keyIdentifier)}.crl`,
  issuerUri,
  policyUri: null,
});

/** Signs a certificate with the CA's key; a trust anchor signs its own. `issuerUri`: where the issuer's own certificate is. */
export function draftCertificate(
  key: OwnedKey,
  { issuer, issuerUri, resources }: { issuer: OwnedKey | null; issuerUri: string; resources: ResourceSet },
  { places, now }: Drafting,
): Draft {
  const serial = newSerial();
  const notBefore = new Date(now.getTime() - backdatedMs);
  const notAfter = new Date(now.getTime() + validDays[key.authority.kind] * DAY_MS);
  const common = {
    serial: numberOf(serial),
    subject: nameOf(key.keyIdentifier),
    notBefore,
    notAfter,
    publicKey: key.publicKey,
    subjectKeyId: bytesOf(key.keyIdentifier),
    resources,
    ...publishingOf(key, places),
  };
  const certificate: Certificate =
    issuer === null
      ? { kind: 'trust-anchor', issuer: common.subject, ...common }
      : { kind: 'authority', ...common, ...issuedBy(issuer, issuerUri, places) };
  return {
    uri: certificateUri(key, issuer, places),
    kind: issuer === null ? 'trust-anchor' : 'certificate',
    serial,
    notBefore,
    notAfter,
    modifiedAt: notBefore,
    subject: key.keyIdentifier,
    roaIds: [],
    ...signedCertificate(issuer ?? key, certificate),
  };
}

/** Signs the certificate of a self-hosted authority, with its own key and the places it names. */
export function draftChildCertificate(
  key: { publicKey: Uint8Array; keyIdentifier: string; repositoryUri: string; manifestUri: string; notificationUri: string | null },
  { issuer, issuerUri, resources }: { issuer: OwnedKey; issuerUri: string; resources: ResourceSet },
  { places, now }: Drafting,
): Draft {
  const serial = newSerial();
  const { repositoryUri, manifestUri, notificationUri } = key;
  const notBefore = new Date(now.getTime() - backdatedMs);
  const notAfter = new Date(now.getTime() + validDays.member * DAY_MS);
  const certificate: Certificate = {
    kind: 'authority',
    serial: numberOf(serial),
    subject: nameOf(key.keyIdentifier),
    notBefore,
    notAfter,
    publicKey: new Uint8Array(key.publicKey),
    subjectKeyId: bytesOf(key.keyIdentifier),
    resources,
    repositoryUri,
    manifestUri,
    notificationUri,
    ...issuedBy(issuer, issuerUri, places),
  };
  return {
    uri: childCertificateUri(key, issuer, places),
    kind: 'certificate',
    serial,
    notBefore,
    notAfter,
    modifiedAt: notBefore,
    subject: key.keyIdentifier,
    roaIds: [],
    ...signedCertificate(issuer, certificate),
  };
}
/** Where the certificate of a self-hosted authority's key is published. */
export const childCertificateUri = ({ keyIdentifier }: { keyIdentifier: string }, issuer: OwnedKey, places: Places): string =>
  `${directoryOf(places, issuer.authority)}${fileNameOf(keyIdentifier)}.cer`;

type ObjectFacts = {
  type: ObjectType;
  content: Uint8Array;
  resources: CertifiedResources;
  notBefore: Date;
  notAfter: Date;
  /** Set if the name is fixed; otherwise it is the identifier of the one-time key. */
  uri?: string;
  extension: string;
};

/** The part of an object that a one-time key signed: the content and the time of signing, not the certificate. It never changes. */
type SignedOnce = { publicKey: Uint8Array; keyIdentifier: string; attributes: Uint8Array; signature: Uint8Array; signedAt: Date };

/** Returns the signed part of an object if its content is the wanted one; otherwise null. */
function signedOnceIn(before: Uint8Array, type: ObjectType, content: Uint8Array): SignedOnce | null {
  try {
    const { content: said, certificate, attributes, signature, signedAt } = decodeSignedObject(before, type);
    if (!equalBytes(said, content)) return null;
    return { publicKey: certificate.publicKey, keyIdentifier: printHex(certificate.subjectKeyId), attributes, signature, signedAt };
  } catch (error) {
    // From an earlier version of this program, for example: it is signed again.
    if (error instanceof ProfileError) return null;
    throw error;
  }
}

/**
 * An object with a certificate by `issuer`. A one-time key signs it, unless it is one from before that goes on (`before`): then it keeps that key and what it signed,
 * and only its certificate is new (RFC 6484, section 4.6), also where another key of the authority issues it.
 *
 * It is named after its one-time key. One that goes on has a new name, so that no copy is taken for it: rsync goes by size and time, and both would be the same.
 */
function draftObject(
  issuer: OwnedKey,
  { takeKey, issuerUri, before }: Pick<Issuing, 'takeKey' | 'issuerUri'> & { before: Uint8Array | null },
  { type, content, resources, notBefore, notAfter, ...facts }: ObjectFacts,
  { places, now }: Drafting,
): Pick<Draft, 'uri' | 'serial' | 'notBefore' | 'notAfter' | 'modifiedAt' | 'toSign' | 'assemble'> {
  const serial = newSerial();
  const signedBefore = before && signedOnceIn(before, type, content);
  // What was signed with a wrong clock is signed again: its signing time would be in the future.
  const signed = signedBefore && !isInFuture(signedBefore.signedAt, now) ? signedBefore : null;
  const oneTimeKey = signed ? null : takeKey();
  const { keyIdentifier, publicKey } = signed ?? oneTimeKey!;
  const uri = facts.uri ?? `${directoryOf(places, issuer.authority)}${fileNameOf(signed ? serial : keyIdentifier)}.${facts.extension}`;
  const keyId = bytesOf(keyIdentifier);
  const common = {
    serial: numberOf(serial),
    subject: nameOf(keyIdentifier),
    notBefore,
    notAfter,
    publicKey,
    subjectKeyId: keyId,
    resources,
    ...issuedBy(issuer, issuerUri, places),
  };
  const certificate: Certificate = type === 'checklist' ? { kind: 'checklist', ...common } : { kind: 'object', objectUri: uri, ...common };
  const attributes = signed?.attributes ?? encodeSignedAttributes(type, nodeCryptography.sha256(content), now);
  const own = signedCertificate(issuer, certificate);
  return {
    uri,
    serial,
    notBefore,
    notAfter,
    // The object's own signing time (RFC 9589, section 2.1).
    modifiedAt: signed?.signedAt ?? now,
    toSign: () => [...own.toSign(), ...(oneTimeKey ? [{ ...signedBy(oneTimeKey, attributes), isOnce: true }] : [])],
    assemble: ([byIssuer, byKey]) =>
      encodeSignedObject({
        type,
        content,
        certificate: own.assemble([byIssuer!]),
        keyId,
        attributes,
        signature: signed?.signature ?? byKey!,
      }),
  };
}

type Issuing = {
  /** Returns a one-time key, called once per signed object. */
  takeKey: () => MadeKey;
  issuerUri: string;
  /** Null: later than everything it issues. */
  issuerEnds: Date | null;
};
/** A published object that may be renewed with another certificate, or null. */
type Before = { before: Uint8Array | null };

/** The content of a ROA, and its row if there is one. */
export type RoaSubject = Pick<KeptRoa, 'prefix' | 'asn' | 'maxLength'> & { roaId?: string };

/** One ROA for prefixes with the same AS. Its certificate has exactly these prefixes. */
export function draftRoa(
  issuer: OwnedKey,
  roas: readonly RoaSubject[],
  { takeKey, issuerUri, issuerEnds, before }: Issuing & Before,
  drafting: Drafting,
): Draft {
  const prefixes = roas.map(({ prefix, maxLength }) => ({ prefix: parsePrefix(prefix), maxLength }));
  const ends = drafting.now.getTime() + roaDays * DAY_MS;
  const object = draftObject(
    issuer,
    { takeKey, issuerUri, before },
    {
      type: 'roa',
      content: encodeRoa({ asNumber: roas[0]!.asn, prefixes }),
      resources: resourceSetOf(prefixes.map(({ prefix }) => prefix)),
      notBefore: new Date(drafting.now.getTime() - backdatedMs),
      notAfter: new Date(Math.min(ends, issuerEnds?.getTime() ?? ends)),
      extension: 'roa',
    },
    drafting,
  );
  const subject = roas.length === 1 ? `${printAsNumber(roas[0]!.asn)} ${roas[0]!.prefix}` : printAsNumber(roas[0]!.asn);
  return { ...object, kind: 'roa', subject, roaIds: roas.flatMap(({ roaId }) => roaId ?? []).sort() };
}

/** The providers of one AS. Its certificate has exactly that AS number. */
export function draftAspa(
  issuer: OwnedKey,
  aspa: Pick<KeptAspa, 'customer' | 'providers'>,
  { takeKey, issuerUri, issuerEnds, before }: Issuing & Before,
  drafting: Drafting,
): Draft {
  const ends = drafting.now.getTime() + roaDays * DAY_MS;
  const { customer } = aspa;
  const object = draftObject(
    issuer,
    { takeKey, issuerUri, before },
    {
      type: 'aspa',
      content: encodeAspa(aspa),
      resources: resourceSetOf([{ family: 'asn', first: customer, last: customer }]),
      notBefore: new Date(drafting.now.getTime() - backdatedMs),
      notAfter: new Date(Math.min(ends, issuerEnds?.getTime() ?? ends)),
      extension: 'asa',
    },
    drafting,
  );
  return { ...object, kind: 'aspa', subject: printAspa(aspa), roaIds: [] };
}

/** A checklist waiting for its signature. */
export type DueChecklist = {
  accountName: string;
  checklistId: string;
  resources: string[];
  fileNames: string[];
  fileHashes: string[];
  endsAt: string;
};

/** A checklist. Its certificate has its resources and no publication point: it is passed on, not published (RFC 9323, section 2). */
export function draftChecklist(
  issuer: OwnedKey,
  { checklistId, resources, fileNames, fileHashes, endsAt }: DueChecklist,
  { takeKey, issuerUri, issuerEnds }: Issuing,
  drafting: Drafting,
): Draft {
  const set = resourceSetOf(resources.map(parseResource));
  const ends = Date.parse(endsAt);
  const object = draftObject(
    issuer,
    { takeKey, issuerUri, before: null },
    {
      type: 'checklist',
      content: encodeChecklist({
        resources: set,
        files: fileHashes.map((sha256, index) => ({ name: fileNames[index] || null, sha256: parseHex(sha256) })),
      }),
      resources: set,
      notBefore: new Date(drafting.now.getTime() - backdatedMs),
      notAfter: wholeSeconds(Math.min(ends, issuerEnds?.getTime() ?? ends)),
      uri: `checklist:${checklistId}`,
      extension: 'sig',
    },
    drafting,
  );
  return { ...object, kind: 'checklist', subject: checklistId, roaIds: [] };
}

/** Validity of a CRL and its manifest, and their number. */
export type Issue = { number: number; thisUpdate: Date; nextUpdate: Date };

export function draftCrl(
  issuer: OwnedKey,
  revoked: readonly { serial: string; revokedAt: Date }[],
  { number, thisUpdate, nextUpdate }: Issue,
  places: Places,
): Draft {
  const toBeSigned = encodeCrlToBeSigned({
    issuer: nameOf(issuer.keyIdentifier),
    authorityKeyId: bytesOf(issuer.keyIdentifier),
    number: BigInt(number),
    thisUpdate,
    nextUpdate,
    revoked: revoked.map(({ serial, revokedAt }) => ({ serial: numberOf(serial), revokedAt })),
  });
  return {
    uri: `${directoryOf(places, issuer.authority)}${fileNameOf(issuer.keyIdentifier)}.crl`,
    kind: 'crl',
    serial: null,
    notBefore: thisUpdate,
    notAfter: nextUpdate,
    modifiedAt: thisUpdate,
    subject: issuer.keyIdentifier,
    roaIds: [],
    toSign: () => [signedBy(issuer, toBeSigned)],
    assemble: ([signature]) => assembleSigned(toBeSigned, signature!),
  };
}

/** The manifest of all files the key has signed; its one-time certificate has the same validity. */
export function draftManifest(
  issuer: OwnedKey,
  files: readonly { uri: string; sha256: Uint8Array }[],
  { number, thisUpdate, nextUpdate }: Issue,
  { takeKey, issuerUri }: Omit<Issuing, 'issuerEnds'>,
  drafting: Drafting,
): Draft {
  const { repositoryUri, manifestUri } = publishingOf(issuer, drafting.places);
  const content = encodeManifest({
    number: BigInt(number),
    thisUpdate,
    nextUpdate,
    files: files.map(({ uri, sha256 }) => ({ name: uri.slice(repositoryUri.length), sha256 })),
  });
  const object = draftObject(
    issuer,
    { takeKey, issuerUri, before: null },
    { type: 'manifest', content, resources: 'inherit', notBefore: thisUpdate, notAfter: nextUpdate, uri: manifestUri, extension: 'mft' },
    drafting,
  );
  return { ...object, kind: 'manifest', subject: issuer.keyIdentifier, roaIds: [] };
}

/** Drafts signed together: enough for every signing thread. */
const AT_ONCE = 250;

/** Has drafts signed, and assembles the files. While some are being signed, the next are prepared. */
export async function signDrafts(signer: CaSigner, drafts: readonly Draft[]): Promise<Product[]> {
  const products: Product[] = [];
  const finish = async (some: readonly Draft[], counts: readonly number[], signing: Promise<Uint8Array[]>): Promise<void> => {
    const signatures = await signing;
    let at = 0;
    for (const [index, { toSign: _, assemble, ...draft }] of some.entries()) {
      const content = assemble(signatures.slice(at, (at += counts[index]!)));
      products.push({ ...draft, content, sha256: nodeCryptography.sha256(content) });
    }
  };
  let before = Promise.resolve();
  for (let at = 0; at < drafts.length; at += AT_ONCE) {
    const some = drafts.slice(at, at + AT_ONCE);
    const wanted = some.map(({ toSign }) => toSign());
    const signing = signer.sign(wanted.flat());
    // Two parts are in progress at any time; a failure is reported in turn.
    signing.catch(() => {});
    await before;
    before = finish(
      some,
      wanted.map(({ length }) => length),
      signing,
    );
    before.catch(() => {});
  }
  await before;
  return products;
}

/** Resources of the trust anchor and the registry's authority. */
export const rootResources = allResources;
