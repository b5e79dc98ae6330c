import {
  type AuthorityCertificate,
  type Decoded,
  decodeCertificate,
  decodeCrl,
  validateChecklist,
  validateTrustAnchor,
  type PublishedFile,
} from '@portal/rpki-objects';
import { sql } from 'kysely';
import { nodeCryptography } from '../authorities/cryptography.ts';
import { storeChecklists } from '../checklists/checklist-signing.ts';
import type { Product } from '../drafts.ts';
import { type Desk, uriOf } from './authority-work.ts';
import { type PublishedAuthority, validateAuthorities } from './validation-threads.ts';
import { PublicationRefused } from './set-aside-members.ts';
import type { Made } from './signing.ts';

/** Reads what a relying party would read of a publication: the files of each touched authority, and the bytes of those to validate. */
async function authoritiesToValidate(desk: Desk, products: readonly Product[]): Promise<PublishedAuthority[]> {
  const bytes = new Map(products.map(({ uri, content }) => [uri, content]));
  const authorities: { certificate: Uint8Array; files: Map<string, PublishedFile> }[] = [];
  const missing = new Map<string, Map<string, PublishedFile>>();
  for (const work of desk.works) {
    const own = bytes.get(uriOf(work, desk.places));
    if (work.isGone || (!work.isTouched && own === undefined)) continue;
    if (work.issuer === null && own) validateTrustAnchor(own, work.row.publicKey, { now: desk.now, cryptography: nodeCryptography });
    const files = new Map<string, PublishedFile>(
      [...work.files].map(([uri, { sha256 }]) => [uri, { sha256, bytes: bytes.get(uri) ?? null }]),
    );
    authorities.push({ certificate: own ?? work.row.certificate!, files });
    // A new certificate may not cover all earlier objects; the CRL and manifest are always needed.
    const isReadWhole = work.isRecertified && work.key.authority.kind === 'member';
    for (const [uri, file] of files) if (file.bytes === null && (isReadWhole || /\.(?:crl|mft)$/.test(uri))) missing.set(uri, files);
  }
  if (missing.size > 0)
    for (const { uri, content } of await desk.change.rows<{ uri: string; content: Buffer }>(
      sql`select uri, content from rpki_object where uri = any(${[...missing.keys()]}::text[])`,
    )) {
      const files = missing.get(uri)!;
      files.set(uri, { ...files.get(uri)!, bytes: content });
    }
  return authorities;
}

/**
 * Starts validating a publication as a relying party does. The returned function waits for the result; call it before the publication commits. It
 * throws PublicationRefused with what a relying party would refuse: a defect of ours, which must not be published.
 */
export async function startValidation(desk: Desk, products: readonly Product[]): Promise<() => Promise<void>> {
  const validation = validateAuthorities(await authoritiesToValidate(desk, products), desk.now);
  // Reported when awaited.
  validation.catch(() => {});
  return async () => {
    const problems = await validation;
    if (problems.length > 0) throw new PublicationRefused('The publication would be refused by validators, so it was not made.', problems);
  };
}

/** Stores signed checklists, after validating each as a relying party does. @throws Error with what it would refuse */
export async function storeSignedChecklists(desk: Desk, signed: readonly Made[], products: readonly Product[]): Promise<void> {
  if (signed.length === 0) return;
  const made = new Map(products.map(({ uri, content }) => [uri, content]));
  for (const { work, product } of signed) {
    const crlUri = [...work.files.values()].find(({ kind }) => kind === 'crl')!.uri;
    const [stored] = made.has(crlUri)
      ? []
      : await desk.change.rows<{ content: Buffer }>(sql`select content from rpki_object where uri = ${crlUri}`);
    const issuer = {
      certificate: decodeCertificate(made.get(uriOf(work, desk.places)) ?? work.row.certificate!) as Decoded<AuthorityCertificate>,
      crl: decodeCrl(made.get(crlUri) ?? stored!.content),
      crlUri,
    };
    validateChecklist(product.content, issuer, { now: desk.now, cryptography: nodeCryptography });
  }
  await storeChecklists(
    desk.change,
    signed.map(({ work, product }) => ({ keyId: work.row.keyId, product })),
  );
}
