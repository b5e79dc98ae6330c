import { performance } from 'node:perf_hooks';
import { SECOND_MS } from '@portal/contract/days';
import type pg from 'pg';

/** Servers that follow the primary, and answer reads that may be a little behind. */
export type Replicas = {
  /** Returns a replica within the bound on lag, each in its turn; null if there is none now. */
  pick(): Replica | null;
  /** Returns one on which everything is visible that a person changed; null if that isn't known of any. @param own returns the person's changes after an activity, at the primary */
  pickSeeing(own: (afterActivity: number) => Promise<readonly number[] | null>): Promise<Replica | null>;
  /** Whether one is within the bound on lag. */
  isUsed(replica: Replica): boolean;
  /** Leaves one out until it is looked at again. */
  leaveOut(replica: Replica): void;
  /** Looks at all of them now, and then every moment. */
  look(): Promise<void>;
  states(): ReplicaState[];
  close(): Promise<void>;
};

/** A replica for operators. `behindSeconds`: at most so much, null while that isn't known. */
export type ReplicaState = { address: string; role: 'replica' | 'primary' | 'away'; behindSeconds: number | null; isUsed: boolean };

export type Replica = {
  address: string;
  pool: pg.Pool;
  role: ReplicaState['role'];
  /** It has everything that was committed at this instant of `performance.now()`. */
  completeAt: number;
  /** Every activity up to this number is visible there, or never will be. */
  completeTo: number;
};

/** The primary at an instant: what had been written, the newest activity, and which transactions ran. */
type Mark = { at: number; position: bigint; lastActivity: number; oldestRunning: bigint; nextTransaction: bigint };

/** How long, in ms, a server may take to say where it is. */
const PATIENCE_MS = 2 * SECOND_MS;
const MAX_BETWEEN_LOOKS_MS = SECOND_MS;
const MIN_BETWEEN_LOOKS_MS = 100;
const MAX_MARKS = 1000;

/** Reads a position in the write-ahead log: 16/B374D848. */
function positionOf(text: string | null): bigint {
  const [high, low] = (text ?? '0/0').split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

const MARK = `select pg_current_wal_insert_lsn()::text as position, coalesce((select max(activity_id) from activity), 0)::float8 as "lastActivity",
  pg_snapshot_xmin(pg_current_snapshot())::text as "oldestRunning", pg_snapshot_xmax(pg_current_snapshot())::text as "nextTransaction"`;

/**
 * Follows replicas. How far behind one is, is measured without clocks of other machines: which of the positions that the primary named, and when, it has reached.
 * A primary without changes is no lag.
 * @param lagMs bound above which a replica is left out
 */
export function followReplicas(primary: pg.Pool, servers: readonly { address: string; pool: pg.Pool }[], lagMs: number): Replicas {
  const replicas = servers.map((server): Replica => ({ ...server, role: 'away', completeAt: Number.NEGATIVE_INFINITY, completeTo: 0 }));
  const marks: Mark[] = [];
  const ask = async <Row extends pg.QueryResultRow>(pool: pg.Pool, text: string): Promise<Row> => {
    const client = await pool.connect();
    try {
      const answer = await client.query<Row>({ text, query_timeout: PATIENCE_MS } as pg.QueryConfig);
      client.release();
      return answer.rows[0]!;
    } catch (error) {
      client.release(error as Error);
      throw error;
    }
  };
  const mark = async (): Promise<void> => {
    const at = performance.now();
    const row = await ask<{ position: string; lastActivity: number; oldestRunning: string; nextTransaction: string }>(primary, MARK);
    marks.push({
      at,
      position: positionOf(row.position),
      lastActivity: row.lastActivity,
      oldestRunning: BigInt(row.oldestRunning),
      nextTransaction: BigInt(row.nextTransaction),
    });
    if (marks.length > MAX_MARKS) marks.splice(0, marks.length - MAX_MARKS);
  };
  const lookAt = async (replica: Replica): Promise<void> => {
    try {
      const { inRecovery, position } = await ask<{ inRecovery: boolean; position: string | null }>(
        replica.pool,
        'select pg_is_in_recovery() as "inRecovery", pg_last_wal_replay_lsn()::text as position',
      );
      replica.role = inRecovery ? 'replica' : 'primary';
      const replayed = positionOf(position);
      const reached = inRecovery ? marks.findLast(each => each.position <= replayed) : undefined;
      replica.completeAt = reached?.at ?? Number.NEGATIVE_INFINITY;
      replica.completeTo = reached ? endedBefore(marks, reached) : 0;
    } catch {
      replica.role = 'away';
      replica.completeAt = Number.NEGATIVE_INFINITY;
    }
  };
  const look = async (): Promise<void> => {
    // Without the primary no new mark is set: the replicas age, and are left out.
    await mark().catch(() => {});
    await Promise.all(replicas.map(lookAt));
  };
  const behind = ({ completeAt }: Replica): number => performance.now() - completeAt;
  const isUsed = (replica: Replica): boolean => replica.role === 'replica' && behind(replica) <= lagMs;

  let isClosed = false;
  const pauseMs = Math.min(MAX_BETWEEN_LOOKS_MS, Math.max(MIN_BETWEEN_LOOKS_MS, lagMs / 4));
  let looking: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const again = (): void => {
    if (isClosed) return;
    timer = setTimeout(() => {
      looking = look().finally(again);
    }, pauseMs).unref();
  };
  again();
  let turn = 0;
  const inTurns = (): Replica[] => {
    const used = replicas.filter(isUsed);
    return used.length < 2 ? used : [used[turn++ % used.length]!];
  };
  return {
    pick: () => inTurns()[0] ?? null,
    pickSeeing: async own => {
      const replica = inTurns()[0];
      if (!replica) return null;
      const changes = await own(replica.completeTo);
      if (changes === null) return null;
      if (changes.length === 0) return replica;
      const { seen } = await ask<{ seen: number }>(
        replica.pool,
        `select count(*)::int as seen from activity where activity_id = any('{${changes.map(Number).join(',')}}')`,
      ).catch(() => ({ seen: 0 }));
      return seen === changes.length ? replica : null;
    },
    isUsed,
    leaveOut: replica => {
      replica.role = 'away';
    },
    look,
    states: () =>
      replicas.map(replica => ({
        address: replica.address,
        role: replica.role,
        behindSeconds: Number.isFinite(replica.completeAt) ? behind(replica) / SECOND_MS : null,
        isUsed: isUsed(replica),
      })),
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      await looking.catch(() => {});
      await Promise.all(replicas.map(({ pool }) => pool.end()));
    },
  };
}

/**
 * Returns the newest activity for which all up to it had ended at a mark: those that a mark before saw, once no transaction is left that ran then. One mark earlier, because
 * a number is taken a moment before its transaction has one.
 */
function endedBefore(marks: readonly Mark[], reached: Mark): number {
  const index = marks.findLastIndex(each => each.at < reached.at && each.nextTransaction <= reached.oldestRunning);
  return marks[index - 1]?.lastActivity ?? 0;
}
