import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { MINUTE_MS } from '@portal/contract/days';
import { CamelCasePlugin, type IsolationLevel, Kysely, PostgresDialect, sql } from 'kysely';
import type { Client, Pool, QueryConfig, QueryResult } from 'pg';
import { type ActivityInfo, activityRow } from './activity.ts';
import { columnValues } from './column-values.ts';
import type { Connections } from './connection-options.ts';
import { connect } from './connections.ts';
import { type Listening, listenThrough } from './listening.ts';
import { type Outage, outageOf } from './outage.ts';
import { preparedName } from './prepared.ts';
import { asChange, asRead, type Change, type Read } from './read-change.ts';
import { refusalOf } from './refusals.ts';
import type { Replica } from './replica-place.ts';
import type { ReplicaState, Replicas } from './replicas.ts';
import { type Reading, readingSource, type Source, sourceOf } from './replicated-reads.ts';
import { changeLimit, readLimit } from './server-connections.ts';
import type { Tables } from './tables.ts';
import { clientTimeout, type TimedClient } from './timed-client.ts';
import { timedPool } from './timed-pool.ts';

export interface DatabaseOptions {
  /** `postgres://…` for a server (15 or newer), `memory://`, or the folder of an embedded database. */
  url: string;
  /** The server itself, where `url` leads to a pooler in transaction mode such as PgBouncer. */
  directUrl?: string | undefined;
  /** Replicas of the server, for `forQuestion`, and by how many seconds they may be behind. */
  replicas?: { urls: readonly string[]; lagSeconds: number } | undefined;
  /** Initial content of a `memory://` database: the `snapshot()` of another one. */
  snapshot?: Blob | Uint8Array | undefined;
  /** Connections kept open: reader 10 and writer 10 on a server, 4 and 9 embedded. The writer has never fewer than 9. */
  pools?: { reader?: number | undefined; writer?: number | undefined } | undefined;
  /** Longest statement in milliseconds: 10,000 for a read, 30,000 in a change. The embedded database cannot interrupt one. */
  timeouts?: { read?: number | undefined; change?: number | undefined } | undefined;
  /** How long, in milliseconds, the embedded database lets a query wait for another connection's idle transaction: 5,000. */
  waitLimit?: number | undefined;
  /** The clock that gives the instant of a change. */
  clock?: (() => Date) | undefined;
  /** Called when an idle connection breaks. */
  onError?: ((error: Error) => void) | undefined;
}

export interface ChangeOptions {
  isolation?: IsolationLevel;
  /** Longest statement of this change in milliseconds, for long imports; 0 is no limit. */
  timeout?: number;
}

export interface Database extends Omit<Listening, 'close'> {
  readonly kind: 'embedded' | 'postgres';
  readonly read: Read;
  /**
   * The only way to change a row: opens the transaction, records the activity, runs, commits. After a serialisation failure or a deadlock
   * it runs again, up to three times, so `run` must not do anything but change the database.
   */
  readonly change: <T>(activity: ActivityInfo, run: (change: Change) => Promise<T>, options?: ChangeOptions) => Promise<T>;
  /** Returns what a change would answer: runs it and rolls it back, including its activity line. */
  readonly rehearse: <T>(activity: ActivityInfo, run: (change: Change) => Promise<T>, options?: ChangeOptions) => Promise<T>;
  /** Logs a call that was refused with this error code: attempts matter in a registry. Returns its activity id. */
  readonly recordRefusal: (activity: ActivityInfo, code: string) => Promise<number>;
  /**
   * Statements outside any activity. Every table with history refuses them; left are the state of running tasks and the OpenID
   * provider's own short-lived rows. Anything else belongs in `change`.
   */
  readonly unrecorded: Kysely<Tables>;
  /** The writer's connections, for graphile-worker only: each statement has a time limit, and errors have codes it retries. */
  readonly pool: Pool;
  /** Connections lead through a pooler in transaction mode: what is prepared in one is not there in the next. */
  readonly isPooled: boolean;
  /**
   * Returns the same database for one question of a stranger: all of it is read on one replica that is within REPLICA_LAG_SECONDS, and at the primary from the first
   * statement on that the replica can't answer. Never the other way round, so that what one statement found is there for the next. Itself where there is no replica.
   */
  readonly forQuestion: () => Database;
  /** The database whose reads see every commit: itself, but of `forQuestion`. */
  readonly primary: Database;
  /** Returns what reads for a person who changed something: a replica on which all of that is visible, or the primary. */
  readonly readSeeing: (login: { issuer: string; subject: string }) => Promise<Read>;
  /** Roles and lag of the replicas; questions that could go to one by where they went, and statements of them that were repeated at the primary. */
  readonly replicaStates: () => { replicas: ReplicaState[]; onReplicas: number; onPrimary: number; repeated: number };
  /** Returns why changes can't be written now, if known: the server is asked whether it is read-only; a full disk was reported by the last change. */
  readonly writeOutage: () => Promise<Outage | null>;
  /** A snapshot of the embedded database, to start in-memory copies from. */
  readonly snapshot: () => Promise<Blob>;
  readonly close: () => Promise<void>;
}

const RETRIES = 3;
/** How long, in ms, the disk counts as full after a change failed because of it. */
const NO_ROOM_MS = MINUTE_MS;
const WORTH_A_RETRY = new Set(['40001', '40P01']);

class Rehearsed extends Error {
  answer: unknown;
  constructor(answer: unknown) {
    super('rehearsed');
    this.answer = answer;
  }
}

/** The most activities that are looked through for those of a person. */
const MAX_LOOKED_THROUGH = 5000;

/** Returns what a person did after an activity, by number; null if that is too much to look through. */
async function changesOf(read: Read, { issuer, subject }: { issuer: string; subject: string }, after: number): Promise<number[] | null> {
  const [row] = await read.rows<{ looked: number; own: number[] }>(sql`
    select count(*)::int as looked, coalesce(array_agg(activity_id) filter (where is_own), '{}')::float8[] as own
    from (select activity_id, login_issuer = ${issuer} and login_subject = ${subject} as is_own from activity
      where activity_id > ${after} order by activity_id limit ${MAX_LOOKED_THROUGH}) later`);
  return row!.looked < MAX_LOOKED_THROUGH ? row!.own : null;
}

const connectionsByDatabase = new WeakMap<Database, Connections>();

/** The connections behind a database: for the files of this folder, not for the application. */
export function connectionsOf(database: Database): Connections {
  const connections = connectionsByDatabase.get(database);
  if (!connections) throw new Error('This database was not opened by openDatabase.');
  return connections;
}

/** How long, in ms, a change waits for the answer to a statement, if not the default; 0 for no limit. */
const ownTimeout = new AsyncLocalStorage<number>();
/** A statement on a connection, with how long its answer is waited for. */
type Send = (statement: QueryConfig, waitLimit: number) => Promise<QueryResult>;
/** Runs a statement in the session that a pooler lends: a read within a transaction of its own, the beginning of a change with its time limits. */
type ThroughPooler = (send: Send, statement: QueryConfig, limit: number) => Promise<QueryResult>;

const inTransaction = (limit: number): string =>
  `set local statement_timeout = ${limit}; set local idle_in_transaction_session_timeout = ${MINUTE_MS}`;

const readThroughPooler: ThroughPooler = async (send, statement, limit) => {
  const waitLimit = clientTimeout(limit);
  await send({ text: `begin read only; ${inTransaction(limit)}` }, waitLimit);
  try {
    const answer = await send(statement, waitLimit);
    await send({ text: 'commit' }, waitLimit);
    return answer;
  } catch (error) {
    await send({ text: 'rollback' }, waitLimit).catch(() => {});
    throw error;
  }
};

const changeThroughPooler: ThroughPooler = (send, statement, limit) =>
  send(
    /^(begin|start transaction)\b/.test(statement.text) ? { text: `${statement.text}; ${inTransaction(limit)}` } : statement,
    clientTimeout(ownTimeout.getStore() ?? limit),
  );

/**
 * Kysely over a pool it does not own, with our value parsers, each query sent as exactly one statement. A connection that doesn't answer one within
 * `limit` ms is abandoned; 0: never.
 */
function kyselyOver(source: Source, limit: number, throughPooler: ThroughPooler | null): Kysely<Tables> {
  const dialect = new PostgresDialect({
    pool: {
      options: source.options,
      connect: async () => {
        const taken = await source.take();
        const { client, isPrimary } = taken;
        const send = (to: TimedClient, statement: QueryConfig, isOfPrimary: boolean): Promise<QueryResult> => {
          // A session of a pooler has prepared nothing.
          if (throughPooler && isOfPrimary) return throughPooler((given, waitLimit) => to.query(given, waitLimit), statement, limit);
          return to.query({ name: preparedName(statement.text), ...statement }, clientTimeout(ownTimeout.getStore() ?? limit));
        };
        const query = (text: string, values: readonly unknown[]): Promise<QueryResult> => {
          const statement = { text, values: [...values], types: columnValues, queryMode: 'extended' } as QueryConfig;
          if (!taken.instead) return send(client, statement, isPrimary);
          return send(client, statement, isPrimary).catch(async (error: unknown) => {
            const other = await taken.instead!(error);
            try {
              const answer = await send(other.client, statement, true);
              other.answered?.();
              return answer;
            } finally {
              other.client.release();
            }
          });
        };
        return { query: query as never, release: destroy => client.release(destroy) };
      },
      end: async () => {},
    },
  });
  return new Kysely<Tables>({ dialect, plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })] });
}

/** Makes a change, and rolls it back with its answer. */
const rehearsing =
  (change: Database['change']): Database['rehearse'] =>
  async <T>(activity: ActivityInfo, run: (change: Change) => Promise<T>, changeOptions?: ChangeOptions) => {
    try {
      return await change<T>(
        activity,
        async rehearsal => {
          throw new Rehearsed(await run(rehearsal));
        },
        changeOptions,
      );
    } catch (error) {
      if (error instanceof Rehearsed) return error.answer as T;
      throw error;
    }
  };

/** Returns the same database with other reads: its connections, changes and listeners are shared. */
const withReads = (database: Database, read: Read): Database =>
  Object.defineProperties({} as Database, { ...Object.getOwnPropertyDescriptors(database), read: { value: read, enumerable: true } });

/** Chooses where questions are read. @param readsOn makes the reads of questions on a replica */
function questionsOn(replicas: Replicas, database: Database, readsOn: (reading: Reading) => Read) {
  const counts = { onReplicas: 0, onPrimary: 0, repeated: 0 };
  const current = new WeakMap<Replica, { reading: Reading; database: Database }>();
  /** Questions on a replica share a database, so that their statements are sent together. */
  const databaseOn = (replica: Replica | null): Database => {
    if (!replica) {
      counts.onPrimary++;
      return database;
    }
    counts.onReplicas++;
    const known = current.get(replica);
    if (known && !known.reading.isOver) return known.database;
    const reading: Reading = { replica, isOver: false, repeated: () => void counts.repeated++ };
    const made = { reading, database: withReads(database, readsOn(reading)) };
    current.set(replica, made);
    return made.database;
  };
  return {
    forQuestion: () => databaseOn(replicas.pick()),
    readSeeing: async (login: { issuer: string; subject: string }): Promise<Read> =>
      databaseOn(await replicas.pickSeeing(after => changesOf(database.read, login, after))).read,
    replicaStates: () => ({ replicas: replicas.states(), ...counts }),
  };
}

/**
 * Opens a database; `migrate` brings its tables up to date. Throws a readable sentence for a server that is too old, a folder that another
 * process has, and an address that is neither.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { clock = () => new Date(), onError = () => {} } = options;
  const connections = await connect(options);
  const isServer = connections.kind === 'postgres';
  const limits = isServer
    ? { read: options.timeouts?.read ?? readLimit, change: options.timeouts?.change ?? changeLimit }
    : { read: 0, change: 0 };
  const { isPooled, sessions } = connections;
  const reader = kyselyOver(sourceOf(connections.reader), limits.read, isPooled ? readThroughPooler : null);
  const writer = kyselyOver(sourceOf(connections.writer), limits.change, isPooled ? changeThroughPooler : null);
  const listening = listenThrough(() => connections.dedicated(), onError);

  const once = <T>(activity: ActivityInfo, run: (change: Change) => Promise<T>, { isolation, timeout }: ChangeOptions): Promise<T> => {
    const transaction = isolation ? writer.transaction().setIsolationLevel(isolation) : writer.transaction();
    return transaction.execute(async tx => {
      if (timeout !== undefined) await sql`select set_config('statement_timeout', ${String(timeout)}, true)`.execute(tx);
      const now = clock().toISOString();
      const row = activityRow(activity, now);
      const { activityId } = await tx
        .with('line', db => db.insertInto('activity').values(row).returning('activityId'))
        .selectFrom('line')
        .select(['line.activityId', sql`set_config('portal.activity_id', line.activity_id::text, true)`.as('setting')])
        .executeTakeFirstOrThrow();
      return run(asChange(tx, { activityId, accountName: row.accountName, now }));
    });
  };

  // Only a failed change reveals a full disk; the next success, or a minute, clears it.
  let noRoomUntil = 0;
  const change: Database['change'] = async (activity, run, changeOptions = {}) => {
    for (let retries = 0; ; retries++) {
      try {
        const doOnce = () => once(activity, run, changeOptions);
        const answer = await (changeOptions.timeout === undefined || !isServer ? doOnce() : ownTimeout.run(changeOptions.timeout, doOnce));
        noRoomUntil = 0;
        return answer;
      } catch (error) {
        if (outageOf(error) === 'full') noRoomUntil = performance.now() + NO_ROOM_MS;
        if (retries >= RETRIES || !WORTH_A_RETRY.has((error as { code?: string }).code ?? '')) throw refusalOf(error);
        await pause(10 + Math.random() * 40 * (retries + 1));
      }
    }
  };

  const read = asRead(reader, sourceOf(sessions.reader), limits.read);
  const { replicas } = connections;

  let closing: Promise<void> | undefined;
  const database: Database = {
    kind: connections.kind,
    read,
    forQuestion: () => (questions ? questions.forQuestion() : database),
    get primary() {
      return database;
    },
    readSeeing: async login => (questions ? questions.readSeeing(login) : read),
    replicaStates: () => questions?.replicaStates() ?? { replicas: [], onReplicas: 0, onPrimary: 0, repeated: 0 },
    change,
    rehearse: rehearsing(change),
    recordRefusal: async (activity, code) => {
      const row = { ...activityRow(activity, clock().toISOString()), refusal: code };
      const { activityId } = await writer.insertInto('activity').values(row).returning('activityId').executeTakeFirstOrThrow();
      return activityId;
    },
    unrecorded: writer,
    isPooled,
    pool: timedPool(connections.writer, sessions.listener, limits.change),
    get listening() {
      return listening.listening;
    },
    listen: (channel, handler) => listening.listen(channel, handler),
    onListening: callback => listening.onListening(callback),
    writeOutage: async () => {
      const { rows } = await sql<{ readOnly: boolean }>`select current_setting('transaction_read_only')::bool as read_only`.execute(writer);
      if (rows[0]!.readOnly) return 'read-only';
      return performance.now() < noRoomUntil ? 'full' : null;
    },
    snapshot: () => connections.snapshot(),
    close: () =>
      (closing ??= (async () => {
        await listening.close();
        await connections.close();
      })()),
  };
  const questions =
    replicas &&
    questionsOn(replicas, database, reading =>
      asRead(
        kyselyOver(readingSource(connections.reader, reading, replicas), limits.read, isPooled ? readThroughPooler : null),
        readingSource(sessions.reader, reading, replicas),
        limits.read,
      ),
    );
  connectionsByDatabase.set(database, connections);
  return database;
}

/**
 * Runs a function inside the caller's transaction without recording an activity: the restored rows bring their own. The guard sees the activity name `restore`.
 */
export async function asRestored(client: Client, run: () => Promise<void>): Promise<void> {
  await client.query(`select set_config('portal.activity_id', 'restore', true)`);
  await run();
  await client.query(`select set_config('portal.activity_id', '', true)`);
}
