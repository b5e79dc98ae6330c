import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Change, Read } from '../../../platform/database/index.ts';
import { type FileChange, printDelta, snapshotLine } from './rrdp.ts';

export type { FileChange } from './rrdp.ts';

/** The present session and its last serial. */
export type RrdpSession = {
  sessionId: string;
  serial: number;
  publishedAt: string;
  /** The Last-Modified of its notification: whole seconds, later than those of all serials before. */
  modifiedAt: string;
  snapshotName: string;
};
/** A delta named by the notification, without its bytes: together they are as large as the snapshot. */
export type RrdpDelta = { serial: number; name: string; sha256: Buffer };

/** Maximum number of deltas in the notification; older clients load the snapshot. */
const MAX_DELTAS = 100;

/** Returns a folder name that can't be guessed: so that no one can request the files of a serial before it is published, and no cache stores their absence. */
const newName = (): string => randomBytes(16).toString('hex');

const modified = sql`greatest(modified_at, date_trunc('second', published_at))`;

export async function currentSession(read: Pick<Read, 'rows'>): Promise<RrdpSession | null> {
  const [session] = await read.rows<RrdpSession>(
    sql`select session_id, serial, published_at, ${modified} as modified_at, snapshot_name from rrdp_session where ended_at is null`,
  );
  return session ?? null;
}

/**
 * The second of a publication, or the one after the last serial's. Otherwise a client that polled between two publications would get 304 (RFC 9110,
 * section 13.1.3).
 */
const nextModified = (now: string): RawBuilder<string> =>
  sql`greatest(date_trunc('second', ${now}::timestamptz), (select max(${modified}) from rrdp_session) + interval '1 second')`;

/** The session, serial and names of a publication in RRDP. */
type Numbered = { sessionId: string; serial: number };

/**
 * Gives a publication its serial: one more than the last, or 1 of a new session. Stores its exact delta. @param store stores the files of the
 * publication; deltas are compared with the snapshot after it
 */
export async function recordPublication(
  change: Change,
  changes: readonly FileChange[],
  store: (as: Numbered) => Promise<void>,
): Promise<Numbered> {
  const last = await currentSession(change);
  const as = last
    ? await addDelta(change, { sessionId: last.sessionId, serial: last.serial + 1 }, changes)
    : await beginSession(change, 'The first publication');
  await store(as);
  await discardDeltas(change);
  return as;
}

async function addDelta(change: Change, { sessionId, serial }: Numbered, changes: readonly FileChange[]): Promise<Numbered> {
  const content = Buffer.from(printDelta({ sessionId, serial }, changes));
  const sha256 = createHash('sha256').update(content).digest();
  await change.rows(sql`update rrdp_session set serial = ${serial}, published_at = ${change.now}::timestamptz,
      modified_at = ${nextModified(change.now)}, snapshot_name = ${newName()}
    where session_id = ${sessionId}`);
  await change.rows(sql`insert into rrdp_delta (session_id, serial, name, content, sha256, published_at)
    values (${sessionId}, ${serial}, ${newName()}, ${content}, ${sha256}, ${change.now}::timestamptz)`);
  return { sessionId, serial };
}

/** Bytes of the snapshot without its first and last line. */
export const snapshotBytes: RawBuilder<number> = sql`(select coalesce(sum((octet_length(content) + 2) / 3 * 4 + octet_length(uri)
    + ${snapshotLine('', Buffer.alloc(0)).length}::int), 0) from rpki_object where kind <> 'trust-anchor')`;

/** Discards deltas that are together larger than the snapshot, which no client would be better off with (RFC 8182, section 3.4.1), and the oldest of very many. */
const discardDeltas = (change: Change): Promise<unknown> =>
  change.rows(sql`delete from rrdp_delta where serial <= (select max(serial) from (
      select serial, sum(octet_length(content)) over (order by serial desc) as together, row_number() over (order by serial desc) as place
      from rrdp_delta) d where place > ${MAX_DELTAS} or together > ${snapshotBytes})`);

/** Starts a session with serial 1: relying parties load the snapshot. */
export async function beginSession(change: Change, reason: string): Promise<Numbered> {
  const sessionId = randomUUID();
  await change.rows(sql`update rrdp_session set ended_at = ${change.now}::timestamptz where ended_at is null`);
  await change.rows(sql`delete from rrdp_delta`);
  await change.rows(sql`insert into rrdp_session (session_id, begun_at, reason, serial, published_at, modified_at, snapshot_name)
    values (${sessionId}, ${change.now}::timestamptz, ${reason}, 1, ${change.now}::timestamptz, ${nextModified(change.now)}, ${newName()})`);
  return { sessionId, serial: 1 };
}

/** The deltas of the present session, the last first. */
export const listDeltas = (read: Pick<Read, 'rows'>, sessionId: string): Promise<RrdpDelta[]> =>
  read.rows<RrdpDelta>(sql`select serial, name, sha256 from rrdp_delta where session_id = ${sessionId} order by serial desc`);

/** The bytes of a delta; null when it is no longer kept. */
export async function deltaContent(
  read: Pick<Read, 'rows'>,
  { sessionId, serial }: { sessionId: string; serial: number },
): Promise<Buffer | null> {
  const [row] = await read.rows<{ content: Buffer }>(
    sql`select content from rrdp_delta where session_id = ${sessionId} and serial = ${serial}`,
  );
  return row?.content ?? null;
}
