import { performance } from 'node:perf_hooks';
import { SECOND_MS } from '@portal/contract/days';
import type pg from 'pg';
import { outageOf } from './outage.ts';
import { IDENTITY, type Identity, isOfPgBouncer, whyNoReplica } from './replica-identity.ts';
import { type WatchConnection, watchConnection } from './watch-connection.ts';

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
  /** Looks at all of them, and from then on every moment. @returns why addresses can't be of replicas, in sentences */
  begin(): Promise<string[]>;
  states(): ReplicaState[];
  close(): Promise<void>;
};

/** `other`: a server that is no replica of this database. */
type Role = 'replica' | 'primary' | 'away' | 'other';

/** A replica for operators, numbered as in the setting. `behindSeconds`: at most so much, null while that isn't known. */
export type ReplicaState = { number: number; address: string; role: Role; behindSeconds: number | null; isUsed: boolean };

/** A running server. After a restart there is another one at the same address, which may have replayed less. */
export type Replica = {
  /** Every connection was found to lead to this server. */
  pool: pg.Pool;
  instance: string;
  /** It has everything that was committed at this instant of `performance.now()`. */
  completeAt: number;
  /** Every activity up to this number is visible there, or never will be. */
  completeTo: number;
};

/** An address of the setting. */
export type ReplicaServer = {
  address: string;
  /** Makes a client that isn't connected yet. */
  watcher: () => pg.Client;
  /** Makes a pool. @param check refuses a new connection by throwing */
  pool: (check: (client: pg.ClientBase) => Promise<void>) => pg.Pool;
};

/** What is at an address now. */
type Place = {
  server: ReplicaServer;
  connection: WatchConnection;
  role: Role;
  replica: Replica | null;
  /** What was last written to the log, so that it isn't repeated every moment. */
  said: string;
};

/** The primary at an instant: what had been written, the newest activity, and which transactions ran. */
type Mark = {
  at: number;
  position: bigint;
  lastActivity: number;
  /** The newest activity, to be recognised: a server that followed another primary meanwhile has another one of that number, or none. */
  lastLine: string;
  oldestRunning: bigint;
  nextTransaction: bigint;
};

/** How long, in ms, a server may take to say where it is, and to be connected to. */
export const PATIENCE_MS = 2 * SECOND_MS;
const MAX_BETWEEN_LOOKS_MS = SECOND_MS;
const MIN_BETWEEN_LOOKS_MS = 100;
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

const lineOf = (activityId: string): string =>
  `(select concat_ws(' ', activity_id, happened_at, trace_id, action) from activity where activity_id = ${activityId})`;

/** Where the primary inserts, and not what it has flushed: with synchronous_commit = off a change is visible before. */
const MARK = `select ${IDENTITY}, left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) as timeline, pg_current_wal_insert_lsn()::text as position,
  coalesce(last, 0)::float8 as "lastActivity", coalesce(${lineOf('last')}, '') as "lastLine",
  pg_snapshot_xmin(pg_current_snapshot())::text as "oldestRunning", pg_snapshot_xmax(pg_current_snapshot())::text as "nextTransaction"
  from (select max(activity_id) as last from activity) newest`;
type MarkRow = Identity &
  Record<'timeline' | 'position' | 'lastLine' | 'oldestRunning' | 'nextTransaction', string> & { lastActivity: number };

const LOOK = `select ${IDENTITY}, pg_last_wal_replay_lsn()::text as position`;

/**
 * Follows replicas. How far behind one is, is measured without clocks of other machines: which of the positions that the primary named, and when, it has reached.
 * A primary without changes is no lag. Each server is asked on a connection of its own, so that one that hangs keeps no other waiting, and neither do readers.
 * @param lagMs bound above which a replica is left out @param first the primary at the start @param say writes to the log
 */
export function followReplicas(
  primary: { watcher: () => pg.Client; first: Pick<Identity, 'system' | 'database'> },
  servers: readonly ReplicaServer[],
  { lagMs, say }: { lagMs: number; say: (sentence: string) => void },
): Replicas {
  const primaryConnection = watchConnection(primary.watcher, PATIENCE_MS);
  const places = servers.map(
    (server): Place => ({ server, connection: watchConnection(server.watcher, PATIENCE_MS), role: 'away', replica: null, said: '' }),
  );
  const marks: Mark[] = [];
  let isClosed = false;
  let known = { ...primary.first, timeline: '' };

  const mark = async (): Promise<void> => {
    const at = performance.now();
    const row = await primaryConnection.ask<MarkRow>(MARK);
    // Positions of another history mean nothing in this one: after a failover replicas are asked anew.
    if (row.timeline !== known.timeline || row.system !== known.system) marks.length = 0;
    known = row;
    marks.push({
      at,
      position: positionOf(row.position),
      lastActivity: row.lastActivity,
      lastLine: row.lastLine,
      oldestRunning: BigInt(row.oldestRunning),
      nextTransaction: BigInt(row.nextTransaction),
    });
    if (marks.length > MAX_MARKS) marks.splice(0, marks.length - MAX_MARKS);
  };

  const replicaOf = ({ server }: Place, { instance }: Identity): Replica => {
    let isSaid = false;
    const pool = server.pool(async client => {
      const answer = await client.query<Identity>({ text: `select ${IDENTITY}`, query_timeout: PATIENCE_MS } as pg.QueryConfig);
      const found = answer.rows[0]!;
      if (found.instance === instance && found.inRecovery && whyNoReplica(server.address, found, known) === null) return;
      const sentence = `A new connection to ${server.address} led to another server than a moment ago. DATABASE_READ_URL has to name each replica itself.`;
      if (!isSaid) say(sentence);
      isSaid = true;
      throw new Error(sentence);
    });
    return { instance, pool, completeAt: Number.NEGATIVE_INFINITY, completeTo: 0 };
  };
  const retire = (place: Place): void => {
    void place.replica?.pool.end().catch(() => {});
    place.replica = null;
  };
  const become = (place: Place, role: Role, sentence: string): void => {
    place.role = role;
    if (sentence !== '' && place.said !== sentence && !isClosed) say(sentence);
    place.said = sentence;
  };

  /** Looks at one. @returns why it can't be a replica */
  const lookAt = async (place: Place): Promise<string | null> => {
    const { address } = place.server;
    try {
      const found = await place.connection.ask<Identity & { position: string | null }>(LOOK);
      const problem = whyNoReplica(address, found, known);
      if (problem !== null) {
        retire(place);
        become(place, 'other', problem);
        return problem;
      }
      if (!found.inRecovery) {
        retire(place);
        become(place, 'primary', `DATABASE_READ_URL names ${address}, which is a primary now: it is left out until it is a replica again.`);
        return null;
      }
      if (place.replica?.instance !== found.instance) {
        retire(place);
        place.replica = replicaOf(place, found);
      }
      const replica = place.replica!;
      const replayed = positionOf(found.position);
      const reached = marks.findLast(each => each.position <= replayed);
      if (reached && !(await hasLine(place, reached))) {
        become(
          place,
          'other',
          `DATABASE_READ_URL names ${address}, which followed another primary than the one of DATABASE_URL: make it anew with pg_basebackup.`,
        );
        return null;
      }
      replica.completeAt = reached?.at ?? Number.NEGATIVE_INFINITY;
      replica.completeTo = reached ? endedBefore(marks, reached) : 0;
      become(place, 'replica', '');
      return null;
    } catch (error) {
      const problem = isOfPgBouncer(error)
        ? `DATABASE_READ_URL leads to PgBouncer at ${address}; it has to name the replica itself.`
        : null;
      become(place, problem ? 'other' : 'away', problem ?? `The replica ${address} does not answer, and is left out until it does.`);
      return problem;
    }
  };
  const hasLine = async ({ connection }: Place, { lastActivity, lastLine }: Mark): Promise<boolean> => {
    if (lastActivity === 0) return true;
    return (await connection.ask<{ line: string | null }>(`select ${lineOf(String(lastActivity))} as line`)).line === lastLine;
  };

  const behind = ({ completeAt }: Replica): number => performance.now() - completeAt;
  const isUsed = (replica: Replica): boolean =>
    behind(replica) <= lagMs && places.some(place => place.replica === replica && place.role === 'replica');

  const loops: { timer?: NodeJS.Timeout; turn: Promise<unknown> }[] = [];
  const pauseMs = Math.min(MAX_BETWEEN_LOOKS_MS, Math.max(MIN_BETWEEN_LOOKS_MS, lagMs / 4));
  const repeat = (turn: () => Promise<unknown>): void => {
    const loop: (typeof loops)[number] = { turn: Promise.resolve() };
    loops.push(loop);
    const again = (): void => {
      if (isClosed) return;
      loop.timer = setTimeout(() => {
        loop.turn = turn()
          .catch(() => {})
          .finally(again);
      }, pauseMs).unref();
    };
    again();
  };

  let turn = 0;
  const pick = (): Replica | null => {
    const used = places.flatMap(({ replica }) => (replica && isUsed(replica) ? [replica] : []));
    return used.length === 0 ? null : used[turn++ % used.length]!;
  };
  const leaveOut = (replica: Replica): void => {
    for (const place of places) if (place.replica === replica) place.role = 'away';
  };
  return {
    pick,
    pickSeeing: async own => {
      const replica = pick();
      if (!replica) return null;
      const changes = await own(replica.completeTo);
      if (changes === null) return null;
      if (changes.length === 0) return replica;
      const seen = await countSeen(replica, changes).catch((error: unknown) => {
        if (outageOf(error) === 'lost') leaveOut(replica);
        return 0;
      });
      return seen === changes.length ? replica : null;
    },
    isUsed,
    leaveOut,
    begin: async () => {
      // Without the primary no mark is set: replicas age, and are left out.
      await mark().catch(() => {});
      const problems = await Promise.all(places.map(lookAt));
      repeat(mark);
      for (const place of places) repeat(() => lookAt(place));
      return problems.filter(problem => problem !== null);
    },
    states: () =>
      places.map(({ server, role, replica }, index) => ({
        number: index + 1,
        address: server.address,
        role,
        behindSeconds: replica && Number.isFinite(replica.completeAt) ? behind(replica) / SECOND_MS : null,
        isUsed: replica !== null && isUsed(replica),
      })),
    close: async () => {
      isClosed = true;
      for (const { timer } of loops) clearTimeout(timer);
      for (const { connection } of [{ connection: primaryConnection }, ...places]) connection.close();
      await Promise.all(loops.map(loop => loop.turn));
      await Promise.all(places.map(({ replica }) => replica?.pool.end()));
    },
  };
}

/** Counts which of some activities a replica has. */
async function countSeen({ pool }: Replica, activities: readonly number[]): Promise<number> {
  const answer = await pool.query<{ seen: number }>({
    text: `select count(*)::int as seen from activity where activity_id = any('{${activities.map(Number).join(',')}}')`,
    query_timeout: PATIENCE_MS,
  } as pg.QueryConfig);
  return answer.rows[0]!.seen;
}

/**
 * Returns the newest activity for which all up to it had ended at a mark: those that a mark before saw, once no transaction is left that ran then. One mark earlier, because
 * a number is taken a moment before its transaction has one.
 */
function endedBefore(marks: readonly Mark[], reached: Mark): number {
  const index = marks.findLastIndex(each => each.at < reached.at && each.nextTransaction <= reached.oldestRunning);
  return marks[index - 1]?.lastActivity ?? 0;
}
