import {
  CamelCasePlugin,
  type Compilable,
  CompiledQuery,
  type Kysely,
  type QueryResult,
  type RawBuilder,
  sql,
  type Transaction,
} from 'kysely';
import type { z } from 'zod';
import { columnValues } from './column-values.ts';
import { keepPlanOf } from './prepared.ts';
import { refusalOf } from './refusals.ts';
import type { Source } from './replicated-reads.ts';
import type { Tables } from './tables.ts';
import { clientTimeout } from './timed-client.ts';

/** A query of Kysely, or an `sql` template. */
export type Query<Row> = Compilable<Row> | RawBuilder<Row>;

/** Reading beyond building queries, for a read-only connection or a change. */
interface Reading {
  /** The rows of an `sql` template; column names arrive in camelCase. */
  rows<Row>(query: RawBuilder<Row>): Promise<Row[]>;
  /**
   * Streams the rows of a big result in batches (1,000 rows by default), all as of one instant. Other connections can run between batches, also on
   * the embedded database. `for await (const rows of read.stream(query))`
   */
  stream<Row>(query: Query<Row>, batch?: number): AsyncGenerator<Row[], void, void>;
}

/** The queries a read may make. The connection is read-only, so the database refuses all others. */
export type Read = Pick<Kysely<Tables>, 'selectFrom' | 'selectNoFrom' | 'with' | 'withRecursive' | 'fn'> & Reading;

/** A kind of background work: its name, its line in the task list, and its input. */
export interface TaskType<Input> {
  name: string;
  summary?: string;
  input: z.ZodType<Input>;
}

export interface EnqueueOptions {
  /** Not before this instant (ISO). */
  runAt?: string;
  /** Tasks of one queue run one after the other. */
  queue?: string;
  /** Attempts before the task fails permanently; 25 by default. */
  attempts?: number;
}

/** A change in progress: one transaction and one line in the activity log. It is a `Read` too, so domain functions compose inside it. */
export type Change = Transaction<Tables> &
  Reading & {
    /** The instant of the change: one ISO value for every row it writes. */
    readonly now: string;
    readonly activityId: number;
    /** Adds what the activity log should show beyond the action's own name. Later notes add to earlier ones. */
    note(details: Record<string, unknown>): Promise<void>;
    /** Sets the account whose log the line belongs to, where only the change itself finds out: an invitation names its account. May be called once. */
    concerns(accountName: string, contactId?: string | null): Promise<void>;
    /** Hands work to the task runner: the task exists if and only if this change commits. Returns its id. Throws a ZodError on wrong input. */
    enqueue<Input>(task: TaskType<Input>, input: Input, options?: EnqueueOptions): Promise<number>;
    /** Records background work that this change has done itself, so that it is found among the tasks like the work of a worker. Returns its number. */
    recordTask<Input>(
      task: TaskType<Input>,
      input: Input,
      done: { outcome: 'success' | 'partial' | 'failed'; items: number },
    ): Promise<number>;
    /** Notifies every process that listens on the channel when this change commits. At most 8,000 bytes. */
    notify(channel: string, payload?: string): Promise<void>;
    /** Runs a part that may fail independently: if it throws, its writes are undone, the change continues, and the error is thrown here. */
    attempt<T>(run: () => Promise<T>): Promise<T>;
  };

const camelCase = new CamelCasePlugin({ maintainNestedObjectKeys: true });
let lastCursor = 0;
/**
 * Accounts take turns: a task is queued behind as many tasks of others as its own account has waiting, up to this many. Without an account it is queued behind as many as its own
 * change has queued before it: one that writes to thousands of people keeps no one waiting who asked for a new password.
 */
const MAX_PLACE = 200;

const compile = <Row>(query: Query<Row>, db: Kysely<Tables>): CompiledQuery<Row> => (query as RawBuilder<Row>).compile(db);

/** Runs a statement; a frequent one by the plan that its connection keeps. */
function executed<Row>(query: RawBuilder<Row>, db: Kysely<Tables>): Promise<QueryResult<Row>> {
  const compiled = query.compile(db);
  keepPlanOf(query, compiled.sql);
  return db.executeQuery(compiled);
}

/**
 * Returns the reader: queries through Kysely, streams through a cursor that outlives its transaction and so blocks nothing. A stream on a replica that fails before its first rows is
 * read at the primary; after them it fails, because it would go on as of another instant.
 * @param streams a session for each
 * @param limit longest statement of a stream in ms; 0 for no limit
 */
export function asRead(db: Kysely<Tables>, streams: Source, limit: number): Read {
  return {
    selectFrom: db.selectFrom.bind(db),
    selectNoFrom: db.selectNoFrom.bind(db),
    with: db.with.bind(db),
    withRecursive: db.withRecursive.bind(db),
    fn: db.fn,
    rows: async query => (await executed(query, db)).rows,
    stream: async function* <Row>(query: Query<Row>, batch = 1_000) {
      const { sql: text, parameters, queryId } = compile(query, db);
      const cursor = `stream_${++lastCursor}`;
      const waitLimit = clientTimeout(limit);
      const declaration = { text: `declare ${cursor} cursor with hold for ${text}`, values: [...parameters] };
      const { client: taken, instead } = await streams.take();
      let client = taken;
      let broken: Error | undefined;
      try {
        try {
          await client.query(declaration, waitLimit);
        } catch (error) {
          if (!instead) throw error;
          const other = await instead(error);
          client.release();
          client = other.client;
          await client.query(declaration, waitLimit);
          other.answered?.();
        }
        try {
          for (;;) {
            const result = await client.query({ text: `fetch ${batch} from ${cursor}`, types: columnValues }, waitLimit);
            if (result.rows.length === 0) return;
            yield (await camelCase.transformResult({ result, queryId })).rows as Row[];
            if (result.rows.length < batch) return;
          }
        } finally {
          await client.query({ text: `close ${cursor}` }, waitLimit).catch((error: Error) => {
            broken = error;
          });
        }
      } finally {
        client.release(broken);
      }
    },
  };
}

/** Wraps a transaction whose activity line is written as a `Change`. */
export function asChange(
  tx: Transaction<Tables>,
  { activityId, accountName, now }: { activityId: number; accountName: string | null; now: string },
): Change {
  let queued = 0;
  const taskRow = <Input>(task: TaskType<Input>, input: Input) => ({
    name: task.name,
    summary: task.summary ?? task.name,
    input: JSON.stringify(task.input.parse(input)),
    activityId,
    accountName,
    createdAt: now,
  });
  let lastAttempt = 0;
  const run = (text: string) => tx.executeQuery(CompiledQuery.raw(text));
  return Object.assign(tx, {
    now,
    activityId,
    rows: async <Row>(query: RawBuilder<Row>) => {
      try {
        return (await executed(query, tx)).rows;
      } catch (error) {
        throw refusalOf(error);
      }
    },
    stream: async function* <Row>(query: Query<Row>, batch = 1_000): AsyncGenerator<Row[], void, void> {
      const { sql: text, parameters } = compile(query, tx);
      const cursor = `stream_${++lastCursor}`;
      await tx.executeQuery(CompiledQuery.raw(`declare ${cursor} cursor for ${text}`, [...parameters]));
      for (;;) {
        const { rows } = await tx.executeQuery(CompiledQuery.raw(`fetch ${batch} from ${cursor}`));
        if (rows.length > 0) yield rows as Row[];
        if (rows.length < batch) break;
      }
      await run(`close ${cursor}`);
    },
    note: async (details: Record<string, unknown>) => {
      await sql`update activity set details = details || ${JSON.stringify(details)}::jsonb where activity_id = ${activityId}`.execute(tx);
    },
    concerns: async (about: string, contactId: string | null = null) => {
      await sql`update activity set account_name = ${about}, contact_id = ${contactId} where activity_id = ${activityId}`.execute(tx);
    },
    enqueue: async <Input>(task: TaskType<Input>, input: Input, options: EnqueueOptions = {}) => {
      const { taskId } = await tx.insertInto('task').values(taskRow(task, input)).returning('taskId').executeTakeFirstOrThrow();
      await sql`select graphile_worker.add_job(${task.name}, payload => json_build_object('taskId', ${taskId}::bigint),
        queue_name => ${options.queue ?? null}, run_at => ${options.runAt ?? null}::timestamptz, max_attempts => ${options.attempts ?? null}::int,
        priority => ${accountName === null ? Math.min(queued++, MAX_PLACE) : 0}::int + (select count(*)::int from (select from task where account_name = ${accountName} and state = 'queued' and task_id <> ${taskId}::bigint limit ${MAX_PLACE}) waiting))`.execute(
        tx,
      );
      return taskId;
    },
    recordTask: async <Input>(
      task: TaskType<Input>,
      input: Input,
      { outcome, items }: { outcome: 'success' | 'partial' | 'failed'; items: number },
    ) => {
      const { taskId } = await tx
        .insertInto('task')
        .values({
          ...taskRow(task, input),
          state: 'completed',
          outcome,
          itemsDone: items,
          itemsTotal: items,
          startedAt: now,
          finishedAt: now,
        })
        .returning('taskId')
        .executeTakeFirstOrThrow();
      return taskId;
    },
    notify: async (channel: string, payload = '') => {
      await sql`select pg_notify(${channel}, ${payload})`.execute(tx);
    },
    attempt: async <T>(part: () => Promise<T>) => {
      const savepoint = `attempt_${++lastAttempt}`;
      await run(`savepoint ${savepoint}`);
      try {
        const answer = await part();
        await run(`release savepoint ${savepoint}`);
        return answer;
      } catch (error) {
        await run(`rollback to savepoint ${savepoint}`);
        throw error;
      }
    },
  });
}
