import { listResources, printResource, type ResourceSet } from '@portal/number-resources';
import { type AuthorityCertificate, type Decoded, decodeCertificate } from '@portal/rpki-objects';
import { sql } from 'kysely';
import { isInFuture } from '../../../platform/clock-watch.ts';
import type { Change } from '../../../platform/database/index.ts';
import type { Authority } from '../authorities/authorities.ts';
import { refreshMs, renewCertificateMs } from '../authorities/due-authorities.ts';
import { addKey, type KeyRow } from '../authorities/keys.ts';
import type { OneTimeKeys } from '../authorities/one-time-keys.ts';
import type { CaSigner } from '../authorities/signer.ts';
import { certificateUri, type Draft, type Drafting, draftCertificate, type Issue, type OwnedKey } from '../drafts.ts';
import type { Places } from '../places.ts';
import type { KeptRoa } from '../roa-changes.ts';
import type { SuspensionRule } from '../suspensions.ts';
import type { FileChange } from './rrdp-records.ts';

/** A published file, without its bytes. */
export type StoredFile = {
  uri: string;
  keyId: number;
  kind: string;
  sha256: Uint8Array;
  serial: string | null;
  notBefore: string | null;
  notAfter: string | null;
  roaIds: string[];
  subject: string;
};

/** An object to renew from the bytes of the present one. */
export type Renewal = { uri: string; draft: (before: Uint8Array) => Draft };

/** A key during the assembly of a publication. */
export type Work = {
  row: KeyRow;
  key: OwnedKey;
  /** Null for the trust anchor. */
  issuer: Work | null;
  /** Signed files to publish, including its manifest and CRL. */
  files: Map<string, StoredFile>;
  /** Serial numbers it revokes. */
  revoked: string[];
  drafts: Draft[];
  /** Objects already published by another key or with an expiring certificate. */
  renewals: Renewal[];
  issue: Issue | null;
  /** It needs a new CRL and manifest. */
  isTouched: boolean;
  /** Its own certificate is renewed, so everything it signed is checked again. */
  isRecertified: boolean;
  /** Nothing of it is published any more. */
  isGone: boolean;
};

/** Result of a publication. */
export type Publication = {
  sessionId: string;
  serial: number;
  files: FileChange[];
  /** ROAs no longer published because their prefix isn't certified, by account. */
  lost: Map<string, KeptRoa[]>;
};

/** The signer, keys and places of a publication. */
export type Tools = {
  signer: CaSigner;
  oneTimeKeys: OneTimeKeys;
  places: Places;
  /** Whether the registry's unallocated space is published with AS0. */
  as0: boolean;
  suspension: SuspensionRule;
};
/** A publication during its assembly. */
export type Desk = Tools & {
  change: Change;
  drafting: Drafting;
  now: Date;
  works: Work[];
  removed: Map<string, StoredFile>;
  lost: Publication['lost'];
};

type Stored = { files: StoredFile[]; manifest: StoredManifest | undefined };

export function openWork(desk: Desk, row: KeyRow, authority: Authority, issuer: Work | null, { files, manifest }: Stored): Work {
  const key: OwnedKey = { authority, publicKey: row.publicKey, keyIdentifier: row.keyIdentifier, sealed: row.sealedPrivate };
  const work: Work = {
    row,
    key,
    issuer,
    files: new Map(files.map(file => [file.uri, file])),
    revoked: [],
    drafts: [],
    renewals: [],
    issue: manifest
      ? { number: manifest.number, thisUpdate: new Date(manifest.thisUpdate), nextUpdate: new Date(manifest.nextUpdate) }
      : null,
    // A withdrawn key keeps its last manifest number, but has no manifest.
    isTouched:
      !manifest ||
      !files.some(({ kind }) => kind === 'manifest') ||
      Date.parse(manifest.nextUpdate) < desk.now.getTime() + refreshMs ||
      isInFuture(manifest.thisUpdate, desk.now),
    isRecertified: false,
    isGone: false,
  };
  desk.works.push(work);
  return work;
}

type StoredManifest = { keyId: number; number: number; thisUpdate: string; nextUpdate: string };

/** Reads the files and manifest numbers of these keys. Returns a function that gives the part of one key. */
export async function storedBy(change: Change, keyIds: readonly number[]): Promise<(keyId: number) => Stored> {
  const files = Map.groupBy(
    await change.rows<StoredFile>(sql`select uri, key_id, kind, sha256, serial, not_before, not_after, roa_ids::text[] as roa_ids, subject from rpki_object
      where key_id = any(${keyIds}::bigint[])`),
    ({ keyId }) => keyId,
  );
  const manifests = await change.rows<StoredManifest>(
    sql`select key_id, number, this_update, next_update from rpki_manifest where key_id = any(${keyIds}::bigint[])`,
  );
  const byKey = new Map(manifests.map(manifest => [manifest.keyId, manifest]));
  return keyId => ({ files: files.get(keyId) ?? [], manifest: byKey.get(keyId) });
}

export const uriOf = (work: Work, places: Places): string => certificateUri(work.key, work.issuer?.key ?? null, places);
const issuerUriOf = (work: Work, places: Places): string => (work.issuer ? uriOf(work.issuer, places) : uriOf(work, places));
const textOf = (resources: ResourceSet): string[] => listResources(resources).map(printResource);

export const newKey = async ({ change, signer }: Desk, { caId, kind }: Authority, state: KeyRow['state']): Promise<KeyRow> =>
  addKey(change, { caId, state, made: await signer.createAuthorityKey(kind) });

/** Renews the certificate of a key if its resources or places differ, it ends soon, or a wrong clock let it begin in the future. */
export function certify(desk: Desk, work: Work, resources: ResourceSet): void {
  const { row, issuer } = work;
  const wanted = textOf(resources);
  const isRight =
    row.certificate !== null &&
    row.resources.join() === wanted.join() &&
    Date.parse(row.notAfter!) > desk.now.getTime() + renewCertificateMs &&
    !isInFuture(row.notBefore!, desk.now) &&
    (decodeCertificate(row.certificate) as Decoded<AuthorityCertificate>).notificationUri === desk.places.notification;
  if (isRight) return;
  const signer = issuer ?? work;
  const given = { issuer: issuer?.key ?? null, issuerUri: issuerUriOf(work, desk.places), resources };
  signer.drafts.push(draftCertificate(work.key, given, desk.drafting));
  revokeFile(signer, signer.files.get(uriOf(work, desk.places)));
  signer.isTouched = true;
  work.isRecertified = true;
  row.resources = wanted;
}

/** Revokes a file's certificate; the file itself is removed or replaced. */
export function revokeFile(signer: Work, file: StoredFile | undefined): void {
  if (file?.serial) signer.revoked.push(file.serial);
  if (file) signer.isTouched = true;
}

export function removeFile(desk: Desk, work: Work, file: StoredFile | undefined): void {
  if (!file) return;
  work.files.delete(file.uri);
  desk.removed.set(file.uri, file);
}

/** Returns the options with which a key signs one object. A certificate being issued lasts longer than any object. */
export const issuingOf = (desk: Desk, work: Work) => ({
  takeKey: desk.oneTimeKeys.take,
  issuerUri: uriOf(work, desk.places),
  issuerEnds: work.isRecertified ? null : new Date(work.row.notAfter!),
});
