import type { AnswerOf, BodyOf } from '@portal/contract';
import type { rpkiChecklists } from '@portal/contract/rpki/checklists';
import { listResources, printResource } from '@portal/number-resources';
import {
  type AuthorityCertificate,
  type Checklist,
  type Decoded,
  decodeCertificate,
  decodeChecklist,
  decodeCrl,
  decodeSignedObject,
  validateChecklist,
  printHex,
  ProfileError,
  type SignedObject,
} from '@portal/rpki-objects';
import { sql } from 'kysely';
import type { Read } from '../../../platform/database/index.ts';
import { nodeCryptography } from '../authorities/cryptography.ts';

type Verified = AnswerOf<typeof rpkiChecklists.verifyChecklist>;

/**
 * Verifies a signed checklist as a relying party does, against what this registry publishes now. What it says is answered also where it is not valid, with
 * the reason; a checklist of another registry is not valid here.
 */
export async function verifyChecklist(
  read: Pick<Read, 'rows'>,
  { object }: BodyOf<typeof rpkiChecklists.verifyChecklist>,
  now: Date,
): Promise<Verified> {
  const bytes = new Uint8Array(Buffer.from(object, 'base64'));
  const unreadable = (problem: string): Verified => ({ problem, resources: [], files: [], validFrom: null, validUntil: null });
  let signed: SignedObject;
  let checklist: Checklist;
  try {
    signed = decodeSignedObject(bytes, 'checklist');
    checklist = decodeChecklist(signed.content);
  } catch (error) {
    if (!(error instanceof ProfileError)) throw error;
    return unreadable(reasonOf(bytes, error));
  }
  return {
    problem: await problemOf(read, bytes, { signed, now }),
    resources: listResources(checklist.resources).map(printResource),
    files: checklist.files.map(({ name, sha256 }) => ({ name, sha256: printHex(sha256) })),
    validFrom: signed.certificate.notBefore.toISOString(),
    validUntil: signed.certificate.notAfter.toISOString(),
  };
}

/** Every signed object begins with this byte: a SEQUENCE. */
const SEQUENCE = 0x30;

/** Says why a file can't be read as a checklist: most are simply another file, the others are worth the exact reason. */
function reasonOf(bytes: Uint8Array, { message }: ProfileError): string {
  if (bytes.length === 0) return 'The file is empty';
  if (bytes[0] !== SEQUENCE)
    return 'This isn’t a signed checklist, or it was changed on its way. Choose the .sig file as you got it; if it came as text, ask for it as an attachment';
  return `This isn’t a signed checklist, or part of it is missing (${message.charAt(0).toLowerCase()}${message.slice(1)})`;
}

async function problemOf(
  read: Pick<Read, 'rows'>,
  bytes: Uint8Array,
  { signed, now }: { signed: SignedObject; now: Date },
): Promise<string | null> {
  const { certificate } = signed;
  const signer = certificate.kind === 'trust-anchor' ? '' : printHex(certificate.authorityKeyId);
  const [key] = await read.rows<{ certificate: Buffer | null; crl: Buffer | null; crlUri: string | null }>(sql`
    select k.certificate, o.content as crl, o.uri as crl_uri from rpki_key k left join rpki_object o on o.key_id = k.key_id and o.kind = 'crl'
    where k.key_identifier = ${signer} and k.state <> 'destroyed'`);
  if (!key) return 'The checklist was not signed by a key that this registry certifies now';
  if (!key.certificate || !key.crl) return 'The key that signed the checklist is not certified at the moment';
  const issuer = {
    certificate: decodeCertificate(key.certificate) as Decoded<AuthorityCertificate>,
    crl: decodeCrl(key.crl),
    crlUri: key.crlUri!,
  };
  try {
    validateChecklist(bytes, issuer, { now, cryptography: nodeCryptography });
    return null;
  } catch (error) {
    if (!(error instanceof ProfileError)) throw error;
    return error.message === 'The certificate is revoked' ? 'The holder revoked this checklist' : error.message;
  }
}
