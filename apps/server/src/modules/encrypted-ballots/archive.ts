import { type RawBuilder, sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import { appendEvent, type EventType, printArchiveHeader, type Tip } from './protocol.ts';

/** The last event of an archive, and where the archive ends. */
export type ArchiveEnd = Tip & { kind: EventType; bytes: number };

/** Seconds since 1970 of an instant: the one time that an archive has, that of its setup. */
export const archiveTime = (setUpAt: string): number => Math.floor(Date.parse(setUpAt) / 1000);

/** The end of an archive; null before its setup. */
export async function archiveEnd(read: Pick<Read, 'rows'>, electionId: string): Promise<ArchiveEnd | null> {
  const [end] = await read.rows<ArchiveEnd>(sql`select hash, height, kind, (starts_at + length(bytes))::float8 as bytes from ballot_event
    where election_id = ${Number(electionId)} order by height desc limit 1`);
  return end ?? null;
}

/**
 * Appends an event to the archive of an election, whose row of `encrypted_ballot` the change has locked.
 * @param messages of the event, the last of which is its payload @param ballot of a ballot, what finds it
 * @param setUpAt when the ballot was set up
 */
export async function appendToArchive(
  change: Change,
  { electionId, setUpAt }: { electionId: string; setUpAt: string },
  kind: EventType,
  messages: readonly string[],
  ballot: { tracker: string; credentialHash: string; votes: number } | null = null,
): Promise<Tip> {
  const end = await archiveEnd(change, electionId);
  const time = archiveTime(setUpAt);
  const { bytes, tip } = await appendEvent(end, kind, messages, time);
  const whole = end === null ? Buffer.concat([printArchiveHeader(time), bytes]) : Buffer.from(bytes);
  await change.rows(sql`insert into ballot_event (election_id, height, kind, hash, parent, starts_at, bytes, tracker, credential_hash, votes)
    values (${Number(electionId)}, ${tip.height}, ${kind}, ${tip.hash}, ${end?.hash ?? null}, ${end?.bytes ?? 0}, ${whole},
      ${ballot?.tracker ?? null}, ${ballot?.credentialHash ?? null}, ${ballot?.votes ?? null})`);
  return tip;
}

/** Bytes of an archive that are read together, about. */
const PORTION = 1_000_000;

/** Events of an archive that begin at or after a place, as many as make a portion; at least one. */
const eventsFrom = (electionId: string, from: number): RawBuilder<{ startsAt: number; bytes: Buffer }> => sql<{
  startsAt: number;
  bytes: Buffer;
}>`
  select starts_at::float8 as starts_at, bytes from ballot_event where election_id = ${Number(electionId)} and starts_at >= ${from}
    and starts_at <= greatest(${from + PORTION}, (select min(starts_at) from ballot_event where election_id = ${Number(electionId)} and starts_at >= ${from}))
  order by starts_at limit 200`;

/** The bytes of an archive from the beginning of an event on; null at its end. */
export async function archivePortion(read: Pick<Read, 'rows'>, electionId: string, from: number): Promise<Buffer | null> {
  const rows = await read.rows(eventsFrom(electionId, from));
  return rows.length === 0 ? null : Buffer.concat(rows.map(({ bytes }) => bytes));
}

/** The bytes of an archive from one place to before another one, in portions. Events that are appended meanwhile are left out. */
export async function* archiveBytes(read: Pick<Read, 'rows'>, electionId: string, { from, to }: { from: number; to: number }) {
  const [event] = await read.rows<{ startsAt: number }>(sql`select starts_at::float8 as starts_at from ballot_event
    where election_id = ${Number(electionId)} and starts_at <= ${from} order by starts_at desc limit 1`);
  for (let at = event?.startsAt ?? 0; at < to; ) {
    const portion = await archivePortion(read, electionId, at);
    if (portion === null) return;
    yield portion.subarray(Math.max(0, from - at), Math.min(portion.length, to - at));
    at += portion.length;
  }
}
