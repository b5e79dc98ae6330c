import {
  type CertificateRequest,
  checkMessage,
  decodeCertificateRequest,
  decodeIdentity,
  decodeIdentityAnchor,
  decodeMessage,
  type Introduction,
  parseChildRequest,
  parseProvisioning,
  parsePublication,
  parsePublisherRequest,
  ProfileError,
  ProvisioningError,
  type ProvisioningQuery,
  type PublicationError,
} from '@portal/rpki-objects';
import { nodeCryptography } from '../authorities/cryptography.ts';
import { parentHandle } from './children.ts';

export type Protocol = 'provisioning' | 'publication';

/** A received message, and the identity that has to sign it. `now` in ms. */
export type ArrivedMessage = { protocol: Protocol; bytes: Uint8Array; identity: Uint8Array; childHandle: string; now: number };
/** Its content (ASCII once parsed), its signing time in ms and its SHA-256 in hexadecimal; or why it is refused. */
export type CheckedMessage = { content: string; signedAt: number; digest: string } | { problem: string };

/** Checks who signed a message, and which authority it is for. */
export function checkArrived({ protocol, bytes, identity, childHandle, now }: ArrivedMessage): CheckedMessage {
  try {
    const message = decodeMessage(bytes);
    checkMessage(message, { anchor: decodeIdentity(identity), now: new Date(now), cryptography: nodeCryptography });
    const content = new TextDecoder().decode(message.content);
    // The only character that the database can't store.
    if (content.includes('\0')) throw new ProfileError('The message has a NUL character, which XML may not have');
    if (protocol === 'provisioning') refuseOtherParties(content, childHandle);
    return { content, signedAt: message.signedAt.getTime(), digest: Buffer.from(nodeCryptography.sha256(bytes)).toString('hex') };
  } catch (error) {
    if (!(error instanceof ProfileError)) throw error;
    return { problem: error.message };
  }
}

/** @throws {ProfileError} for a message that isn't between this authority and the registry */
function refuseOtherParties(content: string, childHandle: string): void {
  try {
    const { sender, recipient } = parseProvisioning(content);
    if (sender !== childHandle || recipient !== parentHandle)
      throw new ProfileError(
        `The message is from ${sender.slice(0, 60)} to ${recipient.slice(0, 60)}, not from ${childHandle} to ${parentHandle}`,
      );
  } catch (error) {
    // The protocol answers it with a status.
    if (!(error instanceof ProvisioningError)) throw error;
  }
}

/** The file with which an authority introduces itself (RFC 8183) as a child or as a publisher. `now` in ms. */
export type GivenIntroduction = { of: 'child' | 'publisher'; text: string; now: number };
export type ReadIntroduction = Introduction | { problem: string };

/** Parses an introduction and validates the certificate in it. */
export function readGivenIntroduction({ of, text, now }: GivenIntroduction): ReadIntroduction {
  try {
    const introduction = of === 'child' ? parseChildRequest(text) : parsePublisherRequest(text);
    decodeIdentityAnchor(introduction.certificate, { now: new Date(now), cryptography: nodeCryptography });
    return introduction;
  } catch (error) {
    if (!(error instanceof ProfileError)) throw error;
    return { problem: error.message };
  }
}

/** A query of the provisioning protocol with its parsed certificate request, or the error to answer. */
export type ParsedProvisioning =
  | { query: ProvisioningQuery; request: CertificateRequest | { problem: string } | null }
  | { status: number; message: string };

export function readProvisioning(content: string): ParsedProvisioning {
  try {
    const query = parseProvisioning(content);
    return { query, request: query.type === 'issue' ? requestIn(query.request) : null };
  } catch (error) {
    if (error instanceof ProvisioningError) return { status: error.status, message: error.message };
    throw error;
  }
}

function requestIn(bytes: Uint8Array): CertificateRequest | { problem: string } {
  try {
    return decodeCertificateRequest(bytes, nodeCryptography);
  } catch (error) {
    if (!(error instanceof ProfileError)) throw error;
    return { problem: error.message };
  }
}

/** A change of one file: `after` is null if it is withdrawn. Hashes in hexadecimal. */
export type AskedFile = { tag: string; uri: string; hash: string | null; after: { length: number; sha256: string } | null };
/** A query of the publication protocol. `contents`: the concatenated bytes of all published files. */
export type ParsedPublication =
  | { kind: 'list' }
  | { kind: 'refused'; errors: PublicationError[] }
  | { kind: 'changes'; changes: AskedFile[]; contents: Uint8Array };

const MAX_FILE_BYTES = 4_000_000;
/** Maximum number of changes in one query. Programs with more send several. */
const MAX_CHANGES = 10_000;
/** Maximum number of reasons in an answer. */
export const NAMED_ERRORS = 50;
/**
 * Folder names without a dot, so that no file has the name of a folder; a file with one of the registered endings (RFC 6481, section 7.2). Names are short
 * enough for every file system: they become files of the tree for rsync, here and in the caches of relying parties, some of which add to them.
 */
const placePattern = /^(?:[A-Za-z0-9_-]{1,100}\/){0,5}[A-Za-z0-9_-]{1,200}\.(?:asa|cer|crl|gbr|mft|roa|sig|spl|tak)$/;
const placeWords = 'with at most 5 folders of 100 characters each and names of at most 200';

/** Parses a query and checks everything that doesn't depend on the published files. @param base directory of the authority */
export function readPublication(content: string, base: string): ParsedPublication {
  let query;
  try {
    query = parsePublication(content);
  } catch (error) {
    if (!(error instanceof ProfileError)) throw error;
    return { kind: 'refused', errors: [{ tag: null, code: 'xml_error', text: error.message }] };
  }
  if (query.kind === 'list') return query;
  if (query.changes.length > MAX_CHANGES)
    return {
      kind: 'refused',
      errors: [{ tag: null, code: 'other_error', text: `A query changes at most ${MAX_CHANGES} files. Send several` }],
    };
  const errors: PublicationError[] = [];
  const named = new Set<string>();
  const contents: Uint8Array[] = [];
  const changes: AskedFile[] = [];
  for (const change of query.changes) {
    const { tag, uri, hash } = change;
    const refused = (code: PublicationError['code'], text: string): void => void errors.push({ tag, code, text });
    if (!uri.startsWith(base) || !placePattern.test(uri.slice(base.length)))
      refused('permission_failure', `Only files of the RPKI below ${base}, ${placeWords}, may be published`);
    else if (named.has(uri)) refused('consistency_problem', `${uri} is in the query twice`);
    else if (change.kind === 'publish' && change.content.length > MAX_FILE_BYTES)
      refused('other_error', `${uri} has more than ${MAX_FILE_BYTES} bytes`);
    if (errors.length >= NAMED_ERRORS) break;
    named.add(uri);
    if (change.kind === 'publish') contents.push(change.content);
    changes.push({
      tag,
      uri,
      hash,
      after:
        change.kind === 'publish'
          ? { length: change.content.length, sha256: Buffer.from(nodeCryptography.sha256(change.content)).toString('hex') }
          : null,
    });
  }
  return errors.length > 0 ? { kind: 'refused', errors } : { kind: 'changes', changes, contents: new Uint8Array(Buffer.concat(contents)) };
}
