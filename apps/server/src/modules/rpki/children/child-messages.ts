import {
  ProfileError,
  parsePublication,
  printPublicationErrors,
  printPublished,
  printSuccess,
  type PublicationError,
} from '@portal/rpki-objects';
import { sql } from 'kysely';
import type { Change, Read } from '../../../platform/database/index.ts';
import { type Child, childDirectory } from './children.ts';
import { nodeCryptography } from '../authorities/cryptography.ts';
import type { Places } from '../places.ts';

export type Protocol = 'provisioning' | 'publication';
/** A message that was checked and waits for the publisher's answer. */
export type WaitingMessage = { messageId: number; childId: number; protocol: Protocol; content: string };

/** Messages one publication answers: of each authority and protocol one, the oldest. */
const MAX_AT_ONCE = 100;

export const waitingMessages = (read: Pick<Read, 'rows'>): Promise<WaitingMessage[]> =>
  read.rows<WaitingMessage>(sql`select message_id, child_id, protocol, content from (
    select distinct on (child_id, protocol) message_id, child_id, protocol, content from rpki_message where answer is null order by child_id, protocol, message_id) first
    order by message_id limit ${MAX_AT_ONCE}`);

/** A file that an authority publishes here, before and after; null: none. */
export type DelegatedFile = { childId: number; uri: string; before: Uint8Array | null; after: Uint8Array | null };

/** Limits for one authority. */
const MAX_FILES = 20_000;
const MAX_FILE_BYTES = 4_000_000;
const MAX_BYTES = 100_000_000;
/**
 * Folders without a dot, so that no file is where another has a folder; a file with one of the registered endings (RFC 6481, section 7.2). Names are short
 * enough for every file system: they become files of the tree for rsync, here and in the caches of relying parties, some of which add to them.
 */
const placePattern = /^(?:[A-Za-z0-9_-]{1,100}\/){0,5}[A-Za-z0-9_-]{1,200}\.(?:asa|cer|crl|gbr|mft|roa|sig|spl|tak)$/;
const placeWords = 'with at most 5 folders of 100 characters each and names of at most 200';

/**
 * Answers a query of the publication protocol (RFC 8181): what is published, or all of its changes, or none of them with the reasons.
 * Files stay below the directory of the authority; a file is replaced or withdrawn only by who names its present hash.
 */
export async function answerPublication(
  read: Pick<Change, 'rows'>,
  { child, content, places }: { child: Child; content: string; places: Places },
): Promise<{ answer: string; files: DelegatedFile[] }> {
  const published = await read.rows<{ uri: string; hash: string; size: number }>(
    sql`select uri, encode(sha256, 'hex') as hash, octet_length(content) as size from rpki_object where child_id = ${child.childId} order by uri`,
  );
  let query;
  try {
    query = parsePublication(content);
  } catch (error) {
    if (!(error instanceof ProfileError)) throw error;
    return { answer: printPublicationErrors([{ tag: null, code: 'xml_error', text: error.message }]), files: [] };
  }
  if (query.kind === 'list') return { answer: printPublished(published), files: [] };
  const base = childDirectory(places, child);
  const present = new Map(published.map(file => [file.uri, file]));
  const problems: PublicationError[] = [];
  const files = new Map<string, DelegatedFile>();
  let [count, bytes] = [published.length, published.reduce((sum, { size }) => sum + size, 0)];
  for (const change of query.changes) {
    const refused = (code: PublicationError['code'], text: string): void => void problems.push({ tag: change.tag, code, text });
    const before = present.get(change.uri);
    if (!change.uri.startsWith(base) || !placePattern.test(change.uri.slice(base.length)))
      refused('permission_failure', `Only files of the RPKI below ${base}, ${placeWords}, may be published`);
    else if (files.has(change.uri)) refused('consistency_problem', `${change.uri} is in the query twice`);
    else if (change.hash === null && before) refused('object_already_present', `${change.uri} is published. Name its hash to replace it`);
    else if (change.hash !== null && !before) refused('no_object_present', `${change.uri} is not published`);
    else if (change.hash !== null && before!.hash !== change.hash)
      refused('no_object_matching_hash', `${change.uri} is published with the hash ${before!.hash}`);
    else if (change.kind === 'publish' && change.content.length > MAX_FILE_BYTES)
      refused('other_error', `${change.uri} has more than ${MAX_FILE_BYTES} bytes`);
    else {
      const after = change.kind === 'publish' ? change.content : null;
      count += (after ? 1 : 0) - (before ? 1 : 0);
      bytes += (after?.length ?? 0) - (before?.size ?? 0);
      files.set(change.uri, { childId: child.childId, uri: change.uri, before: before ? Buffer.from(before.hash, 'hex') : null, after });
    }
  }
  if (count > MAX_FILES || bytes > MAX_BYTES)
    problems.push({ tag: null, code: 'other_error', text: `At most ${MAX_FILES} files and ${MAX_BYTES} bytes can be published` });
  if (problems.length > 0) return { answer: printPublicationErrors(problems.slice(0, 50)), files: [] };
  // What is as it was is no change.
  const changed = [...files.values()].filter(
    ({ before, after }) => after === null || before === null || !Buffer.from(before).equals(nodeCryptography.sha256(after)),
  );
  return { answer: printSuccess(), files: changed };
}

/** Everything of an authority that leaves the repository. */
export const withdrawnFiles = async (read: Pick<Change, 'rows'>, childIds: readonly number[]): Promise<DelegatedFile[]> =>
  (
    await read.rows<{ childId: number; uri: string; sha256: Buffer }>(
      sql`select child_id, uri, sha256 from rpki_object where child_id = any(${childIds}::bigint[]) order by uri`,
    )
  ).map(({ childId, uri, sha256 }) => ({ childId, uri, before: sha256, after: null }));

/** Keeps what authorities publish. @param serial of the publication that it is part of */
export async function storeDelegatedFiles(
  change: Change,
  files: readonly DelegatedFile[],
  { serial, now }: { serial: number; now: Date },
): Promise<void> {
  const gone = files.filter(({ after }) => after === null).map(({ uri }) => uri);
  await change.rows(sql`delete from rpki_object where uri = any(${gone}::text[])`);
  const stored = files.flatMap(({ childId, uri, after }) => (after === null ? [] : [{ childId, uri, content: Buffer.from(after) }]));
  await change.rows(sql`insert into rpki_object (uri, child_id, kind, content, sha256, modified_at, subject, published_in)
    select uri, child_id, 'delegated', content, sha256, ${now.toISOString()}::timestamptz, '', ${serial} from unnest(
      ${stored.map(({ uri }) => uri)}::text[], ${stored.map(({ childId }) => childId)}::bigint[], ${stored.map(({ content }) => content)}::bytea[],
      ${stored.map(({ content }) => Buffer.from(nodeCryptography.sha256(content)))}::bytea[]) as given (uri, child_id, content, sha256)
    on conflict (uri) do update set content = excluded.content, sha256 = excluded.sha256, modified_at = excluded.modified_at,
      published_in = excluded.published_in`);
}
