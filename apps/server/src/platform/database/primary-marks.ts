import { performance } from 'node:perf_hooks';
import type pg from 'pg';
import { IDENTITY, type Identity } from './replica-identity.ts';
import { PATIENCE_MS, watchConnection } from './watch-connection.ts';

/** The primary at an instant: what had been written, the newest activity, and which transactions ran. */
export type Mark = {
  /** The instant, of `performance.now()`. */
  at: number;
  position: bigint;
  lastActivity: number;
  /** The newest activity, to be recognised: a server that followed another primary meanwhile has another one of that number, or none. */
  lastLine: string;
  oldestRunning: bigint;
  nextTransaction: bigint;
};

/** Positions that the primary named, and when. */
export type PrimaryMarks = {
  /** Asks the primary where it is. */
  take(): Promise<void>;
  /** Returns the newest one that a server has replayed. */
  reachedAt(position: string | null): Mark | undefined;
  /** Returns the newest activity for which all up to it had ended at a mark. */
  endedAt(reached: Mark): number;
  /** Cluster and database of the primary. */
  primary(): Pick<Identity, 'system' | 'database'>;
  close(): void;
};

const MAX_MARKS = 1000;

const PAGE_BYTES = 8192n;
/** Bytes of the header of a page of the write-ahead log, at the beginning of a segment. */
const LONGEST_HEADER = 40n;

/**
 * Reads a position in the write-ahead log: 16/B374D848. After a record that fills its page, the primary is behind the header of the next page and a replica before it; no
 * record ends in between, so the beginning of the page stands for both.
 */
export function positionOf(text: string | null): bigint {
  const [high, low] = (text ?? '0/0').split('/');
  const position = (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
  const inPage = position % PAGE_BYTES;
  return inPage <= LONGEST_HEADER ? position - inPage : position;
}

/** SQL: what doesn't change of an activity, by which it is recognised. */
export const lineOf = (activityId: string): string =>
  `(select concat_ws(' ', activity_id, happened_at, trace_id, action) from activity where activity_id = ${activityId})`;

/** Where the primary inserts, and not what it has flushed: with synchronous_commit = off a change is visible before. */
const MARK = `select ${IDENTITY}, left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) as timeline, pg_current_wal_insert_lsn()::text as position,
  coalesce(last, 0)::float8 as "lastActivity", coalesce(${lineOf('last')}, '') as "lastLine",
  pg_snapshot_xmin(pg_current_snapshot())::text as "oldestRunning", pg_snapshot_xmax(pg_current_snapshot())::text as "nextTransaction"
  from (select max(activity_id) as last from activity) newest`;
type MarkRow = Identity &
  Record<'timeline' | 'position' | 'lastLine' | 'oldestRunning' | 'nextTransaction', string> & { lastActivity: number };

/** Follows the primary. @param watcher makes a client that isn't connected yet @param first the primary at the start */
export function primaryMarks(watcher: () => pg.Client, first: Pick<Identity, 'system' | 'database'>): PrimaryMarks {
  const connection = watchConnection(watcher, PATIENCE_MS);
  const marks: Mark[] = [];
  let known = { ...first, timeline: '' };
  return {
    take: async () => {
      const at = performance.now();
      const row = await connection.ask<MarkRow>(MARK);
      // Positions of another history mean nothing in this one: after a failover replicas are compared anew.
      if (row.timeline !== known.timeline || row.system !== known.system) marks.length = 0;
      known = row;
      const { lastActivity, lastLine } = row;
      const [oldestRunning, nextTransaction] = [BigInt(row.oldestRunning), BigInt(row.nextTransaction)];
      marks.push({ at, position: positionOf(row.position), lastActivity, lastLine, oldestRunning, nextTransaction });
      if (marks.length > MAX_MARKS) marks.splice(0, marks.length - MAX_MARKS);
    },
    reachedAt: position => {
      const replayed = positionOf(position);
      return marks.findLast(each => each.position <= replayed);
    },
    endedAt: reached => {
      // Those that a mark before saw, once no transaction is left that ran then. One mark earlier, because a number is taken a moment before its transaction has one.
      const index = marks.findLastIndex(each => each.at < reached.at && each.nextTransaction <= reached.oldestRunning);
      return marks[index - 1]?.lastActivity ?? 0;
    },
    primary: () => known,
    close: () => connection.close(),
  };
}
