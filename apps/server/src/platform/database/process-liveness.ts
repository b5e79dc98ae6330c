import type { Client } from 'pg';
import { connectionsOf, type Database } from './database.ts';

/** Names that this process publishes as alive, and a check of the names of others. */
export type ProcessLiveness = {
  /** No process checks names while `run` runs; the name it returns is alive from then on, as long as this process and its connection. */
  begin<Named>(run: () => Promise<{ name: string; answer: Named }>): Promise<Named>;
  /** Returns the names whose process is gone. */
  dead(names: readonly string[]): Promise<string[]>;
  close(): Promise<void>;
};

/** First halves of advisory lock keys: for names, and for checking them. */
const NAMES = 7_331_021;
const LOOKING = 7_331_022;
/** How long, in ms, until a lost connection is reopened. */
const AGAIN = 500;

/**
 * Publishes which names are alive to other processes on the database, with advisory locks on a separate connection: they end with the process,
 * however it ends. An embedded database has only one process, so only its own names are alive.
 */
export async function openProcessLiveness(db: Database, onError: (error: unknown) => void): Promise<ProcessLiveness> {
  return db.kind === 'embedded' ? embeddedLiveness(db) : serverLiveness(db, onError);
}

const namesHere = new WeakMap<Database, Set<string>>();

function embeddedLiveness(db: Database): ProcessLiveness {
  const all = namesHere.get(db) ?? new Set<string>();
  namesHere.set(db, all);
  const own: string[] = [];
  return {
    begin: async run => {
      const { name, answer } = await run();
      all.add(name);
      own.push(name);
      return answer;
    },
    dead: async names => names.filter(name => !all.has(name)),
    close: async () => {
      for (const name of own) all.delete(name);
    },
  };
}

async function serverLiveness(db: Database, onError: (error: unknown) => void): Promise<ProcessLiveness> {
  const own: string[] = [];
  let closed = false;
  let client: Client | null = null;
  let retry: NodeJS.Timeout | undefined;
  const open = async (): Promise<void> => {
    const fresh = await connectionsOf(db).dedicated();
    fresh.once('end', () => {
      if (client === fresh) client = null;
      if (!closed) later();
    });
    for (const name of own) await hold(fresh, name);
    if (closed) return fresh.end();
    client = fresh;
  };
  const later = (): void => {
    retry = setTimeout(
      () =>
        void open().catch((error: unknown) => {
          onError(error);
          if (!closed) later();
        }),
      AGAIN,
    );
    retry.unref();
  };
  const present = (): Client => {
    if (client === null) throw new Error('The connection that shows which processes live is lost.');
    return client;
  };
  const hold = (on: Client, name: string): Promise<unknown> => on.query('select pg_advisory_lock($1, hashtext($2))', [NAMES, name]);
  const alone = async <Answer>(run: (on: Client) => Promise<Answer>): Promise<Answer> => {
    const on = present();
    await on.query('select pg_advisory_lock($1, 0)', [LOOKING]);
    try {
      return await run(on);
    } finally {
      await on.query('select pg_advisory_unlock($1, 0)', [LOOKING]);
    }
  };
  await open();
  return {
    begin: run =>
      alone(async on => {
        const { name, answer } = await run();
        await hold(on, name);
        own.push(name);
        return answer;
      }),
    dead: names =>
      alone(async on => {
        const { rows } = await on.query<{ name: string }>(
          `select name from unnest($1::text[]) as name where not exists (
             select from pg_locks where locktype = 'advisory' and granted and database = (select oid from pg_database where datname = current_database())
               and classid = $2::bigint::oid and objid = (hashtext(name)::bigint & 4294967295)::oid and objsubid = 2)`,
          [names, NAMES],
        );
        return rows.map(({ name }) => name);
      }),
    close: async () => {
      closed = true;
      clearTimeout(retry);
      await client?.end();
    },
  };
}
