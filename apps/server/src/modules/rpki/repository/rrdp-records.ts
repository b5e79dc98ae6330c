import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Change, Read } from '../../../platform/database/index.ts';
import { type FileChange, printDelta } from './rrdp.ts';

export type { FileChange } from './rrdp.ts';

/** The session that lasts, and its last serial. */
export type RrdpSession = { sessionId: string; serial: number; publishedAt: string; snapshotName: string };
/** A delta that the notification names, without its bytes: together they are as large as the snapshot. */
export type RrdpDelta = { serial: number; name: string; sha256: Buffer };

/** Deltas the notification names at most; clients behind them take the snapshot. */
const MAX_DELTAS = 100;

/** Returns a folder name that can't be guessed: requests for the files of a serial before it is published find nothing, and caches store nothing. */
const newName = (): string => randomBytes(16).toString('hex');

export async function currentSession(read: Pick<Read, 'rows'>): Promise<RrdpSession | null> {
  const [session] = await read.rows<RrdpSession>(
    sql`select session_id, serial, published_at, snapshot_name from rrdp_session where ended_at is null`,
  );
  return session ?? null;
}

/** Gives a publication its serial: one more than the last, or 1 of a new session. Its delta is kept to the byte. */
export async function recordPublication(change: Change, changes: readonly FileChange[]): Promise<{ sessionId: string; serial: number }> {
  const last = await currentSession(change);
  if (!last) return beginSession(change, 'The first publication');
  const { sessionId } = last;
  const serial = last.serial + 1;
  const content = Buffer.from(printDelta({ sessionId, serial }, changes));
  const sha256 = createHash('sha256').update(content).digest();
  await change.rows(sql`update rrdp_session set serial = ${serial}, published_at = ${change.now}::timestamptz, snapshot_name = ${newName()}
    where session_id = ${sessionId}`);
  await change.rows(sql`insert into rrdp_delta (session_id, serial, name, content, sha256, published_at)
    values (${sessionId}, ${serial}, ${newName()}, ${content}, ${sha256}, ${change.now}::timestamptz)`);
  // Deltas that are together larger than the snapshot are useless (RFC 8182, section 3.3.2).
  await change.rows(sql`delete from rrdp_delta where session_id <> ${sessionId} or serial <= (select coalesce(max(serial), 0) from (
      select serial, sum(octet_length(content)) over (order by serial desc) as together, row_number() over (order by serial desc) as place from rrdp_delta
      where session_id = ${sessionId}) d where place > ${MAX_DELTAS}
      or (place > 1 and together > (select coalesce(sum(octet_length(content)), 0) * 1.4 from rpki_object)))`);
  return { sessionId, serial };
}

/** Begins a session with serial 1: relying parties load the snapshot. */
export async function beginSession(change: Change, reason: string): Promise<{ sessionId: string; serial: number }> {
  const sessionId = randomUUID();
  await change.rows(sql`update rrdp_session set ended_at = ${change.now}::timestamptz where ended_at is null`);
  await change.rows(sql`delete from rrdp_delta`);
  await change.rows(sql`insert into rrdp_session (session_id, begun_at, reason, serial, published_at, snapshot_name)
    values (${sessionId}, ${change.now}::timestamptz, ${reason}, 1, ${change.now}::timestamptz, ${newName()})`);
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
