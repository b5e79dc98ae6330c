import { printPublicationErrors, printPublished, printSuccess, type PublicationError } from '@portal/rpki-objects';
import { sql } from 'kysely';
import type { Change, Read } from '../../../platform/database/index.ts';
import { TaskRefused } from '../../../platform/bounded-thread.ts';
import { setAsideOf, type WorkUnit } from '../../../platform/work-units.ts';
import type { Places } from '../places.ts';
import { messageQueue } from '../waiting-messages.ts';
import { readProvisioningQuery, readPublicationQuery } from './child-reading.ts';
import { NAMED_ERRORS, type ParsedProvisioning, type ParsedPublication, type Protocol } from './child-queries.ts';
import { childDirectory } from './children.ts';

/** A checked and parsed message that waits for the publisher's answer, and is a unit of its work. */
export type WaitingMessage = WorkUnit & { messageId: number; childId: number } & (
    | { protocol: 'provisioning'; parsed: ParsedProvisioning }
    | { protocol: 'publication'; parsed: ParsedPublication }
  );

/** Messages that one publication answers: the oldest of each authority and protocol, up to this many characters in total. */
const MAX_AT_ONCE = 100;
const MAX_CHARACTERS = 10_000_000;

/** Reads the waiting messages, in a thread and before the transaction that answers them: a waiting message never changes. */
export async function readMessages(read: Pick<Read, 'rows'>, places: Places): Promise<WaitingMessage[]> {
  const aside = await setAsideOf(read, messageQueue);
  const waiting = await read.rows<{
    messageId: number;
    childId: number;
    handle: string;
    accountName: string;
    protocol: Protocol;
    size: number;
  }>(
    sql`select first.*, c.handle, c.account_name from (select distinct on (child_id, protocol) message_id, child_id, protocol, octet_length(content) as size
      from rpki_message where answer is null and message_id <> all(${aside}::bigint[]) order by child_id, protocol, message_id) first join rpki_child c using (child_id)
    order by message_id limit ${MAX_AT_ONCE}`,
  );
  const messages: WaitingMessage[] = [];
  let characters = 0;
  for (const { messageId, childId, handle, accountName, protocol, size } of waiting) {
    characters += size;
    if (messages.length > 0 && characters > MAX_CHARACTERS) break;
    const [row] = await read.rows<{ content: string }>(
      sql`select content from rpki_message where message_id = ${messageId} and answer is null`,
    );
    if (!row) continue;
    const { content } = row;
    const unit = { queue: messageQueue, unit: String(messageId), title: `A message of the ${protocol} protocol`, accountName };
    const message = { ...unit, messageId, childId };
    try {
      if (protocol === 'provisioning') messages.push({ ...message, protocol, parsed: await readProvisioningQuery(handle, content) });
      else messages.push({ ...message, protocol, parsed: await readPublicationQuery(handle, content, childDirectory(places, { handle })) });
    } catch (error) {
      // Too many others are being read: it waits for the next publication.
      if (!(error instanceof TaskRefused)) throw error;
    }
  }
  return messages;
}

/** Which of these are still waiting: another process may have answered them. */
export async function stillWaiting(read: Pick<Read, 'rows'>, messages: readonly WaitingMessage[]): Promise<WaitingMessage[]> {
  if (messages.length === 0) return [];
  const rows = await read.rows<{ messageId: number }>(
    sql`select message_id from rpki_message where answer is null and message_id = any(${messages.map(({ messageId }) => messageId)}::bigint[])`,
  );
  const ids = new Set(rows.map(({ messageId }) => messageId));
  return messages.filter(({ messageId }) => ids.has(messageId));
}

/** A file that an authority publishes here, before and after; null: none. Hashes are SHA-256. */
export type DelegatedFile = {
  childId: number;
  uri: string;
  before: Uint8Array | null;
  after: Uint8Array | null;
  sha256: Uint8Array | null;
};

/** Limits for one authority. */
const MAX_FILES = 20_000;
const MAX_BYTES = 100_000_000;
/** Limit for all of them together: the snapshot has all their files, and stands in the publisher's memory. */
const MAX_BYTES_TOGETHER = 500_000_000;

/**
 * Answers a query of the publication protocol (RFC 8181): the list of files, or all requested changes, or none of them with the reasons. Files stay
 * below the directory of the authority; replacing or withdrawing one requires its present hash.
 */
export async function answerPublication(
  read: Pick<Change, 'rows'>,
  childId: number,
  query: ParsedPublication,
): Promise<{ answer: string; files: DelegatedFile[] }> {
  if (query.kind === 'refused') return { answer: printPublicationErrors(query.errors), files: [] };
  if (query.kind === 'list') return { answer: printPublished(await listedElements(read, childId)), files: [] };
  const published = await read.rows<{ uri: string; hash: string; size: number }>(
    sql`select uri, encode(sha256, 'hex') as hash, octet_length(content) as size from rpki_object
      where child_id = ${childId} and uri = any(${query.changes.map(({ uri }) => uri)}::text[])`,
  );
  const [all] = await read.rows<{ files: number; bytes: number; ofOthers: number }>(
    sql`select count(*) filter (where child_id = ${childId})::int as files,
      coalesce(sum(octet_length(content)) filter (where child_id = ${childId}), 0)::float8 as bytes,
      coalesce(sum(octet_length(content)) filter (where child_id <> ${childId}), 0)::float8 as of_others from rpki_object where child_id is not null`,
  );
  const present = new Map(published.map(file => [file.uri, file]));
  const problems: PublicationError[] = [];
  const files: DelegatedFile[] = [];
  let [count, bytes, at] = [all!.files, all!.bytes, 0];
  for (const { tag, uri, hash, after } of query.changes) {
    const refused = (code: PublicationError['code'], text: string): void => void problems.push({ tag, code, text });
    const before = present.get(uri);
    const content = after && query.contents.subarray(at, (at += after.length));
    if (hash === null && before) refused('object_already_present', `${uri} is published. Name its hash to replace it`);
    else if (hash !== null && !before) refused('no_object_present', `${uri} is not published`);
    else if (hash !== null && before!.hash !== hash)
      refused('no_object_matching_hash', `${uri} is published with the hash ${before!.hash}`);
    else {
      count += (after ? 1 : 0) - (before ? 1 : 0);
      bytes += (after?.length ?? 0) - (before?.size ?? 0);
      // An unchanged file isn't a change.
      if (after?.sha256 !== before?.hash)
        files.push({
          childId,
          uri,
          before: before ? Buffer.from(before.hash, 'hex') : null,
          after: content,
          sha256: after && Buffer.from(after.sha256, 'hex'),
        });
    }
    if (problems.length >= NAMED_ERRORS) break;
  }
  if (count > MAX_FILES || bytes > MAX_BYTES)
    problems.push({ tag: null, code: 'other_error', text: `At most ${MAX_FILES} files and ${MAX_BYTES} bytes can be published` });
  else if (bytes > all!.bytes && bytes + all!.ofOthers > MAX_BYTES_TOGETHER)
    problems.push({
      tag: null,
      code: 'other_error',
      text: `All authorities together can publish ${MAX_BYTES_TOGETHER} bytes here, and there are ${all!.ofOthers + all!.bytes}. Ask the registry`,
    });
  if (problems.length > 0) return { answer: printPublicationErrors(problems.slice(0, NAMED_ERRORS)), files: [] };
  return { answer: printSuccess(), files };
}

/**
 * One element for each published file, printed by the database: there may be many thousands. Addresses are ours and contain nothing that XML would
 * have to escape.
 */
async function listedElements(read: Pick<Change, 'rows'>, childId: number): Promise<string> {
  const [row] = await read.rows<{ elements: string | null }>(
    sql`select string_agg('<list uri="' || uri || '" hash="' || encode(sha256, 'hex') || '"/>', '' order by uri) as elements from rpki_object where child_id = ${childId}`,
  );
  return row?.elements ?? '';
}

/** Withdraws everything of an authority from the repository. */
export const withdrawnFiles = async (read: Pick<Change, 'rows'>, childIds: readonly number[]): Promise<DelegatedFile[]> =>
  (
    await read.rows<{ childId: number; uri: string; sha256: Buffer }>(
      sql`select child_id, uri, sha256 from rpki_object where child_id = any(${childIds}::bigint[]) order by uri`,
    )
  ).map(({ childId, uri, sha256 }) => ({ childId, uri, before: sha256, after: null, sha256: null }));

/** Stores the files of authorities. @param serial of the publication they belong to */
export async function storeDelegatedFiles(
  change: Change,
  files: readonly DelegatedFile[],
  { serial, now }: { serial: number; now: Date },
): Promise<void> {
  const gone = files.filter(({ after }) => after === null).map(({ uri }) => uri);
  await change.rows(sql`delete from rpki_object where uri = any(${gone}::text[])`);
  const stored = files.flatMap(({ childId, uri, after, sha256 }) => (after === null ? [] : [{ childId, uri, after, sha256: sha256! }]));
  for (const some of batchesOf(stored))
    await change.rows(sql`insert into rpki_object (uri, child_id, kind, content, sha256, modified_at, subject, published_in)
      select uri, child_id, 'delegated', substring(${Buffer.concat(some.map(({ after }) => after))}::bytea from at + 1 for length),
        substring(${Buffer.concat(some.map(({ sha256 }) => sha256))}::bytea from 32 * (place::int - 1) + 1 for 32), ${now.toISOString()}::timestamptz, '', ${serial}
      from (select *, (sum(length) over (order by place) - length)::int as at from unnest(${some.map(({ uri }) => uri)}::text[],
        ${some.map(({ childId }) => childId)}::bigint[], ${some.map(({ after }) => after.length)}::int[]) with ordinality as given (uri, child_id, length, place)) given
      on conflict (uri) do update set content = excluded.content, sha256 = excluded.sha256, modified_at = excluded.modified_at,
        published_in = excluded.published_in`);
}

/** Bytes written at a time, as one value: an array of byte strings would be sent as text, several times as long, and block others. */
const WRITTEN_AT_ONCE = 1_000_000;

function batchesOf<File extends { after: Uint8Array }>(files: readonly File[]): File[][] {
  const batches: File[][] = [];
  let size = 0;
  for (const file of files) {
    const last = batches.at(-1);
    size += file.after.length;
    if (last && size <= WRITTEN_AT_ONCE) last.push(file);
    else {
      batches.push([file]);
      size = file.after.length;
    }
  }
  return batches;
}
