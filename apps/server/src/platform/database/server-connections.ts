import { MINUTE_MS, SECOND_MS } from '@portal/contract/days';
import pg from 'pg';
import type { ConnectionOptions, Connections } from './connection-options.ts';
import { connectClient, poolOf, settings } from './pools.ts';
import { IDENTITY, type Identity, isOfPgBouncer } from './replica-identity.ts';
import { followReplicas, type Replicas } from './replicas.ts';
import { PATIENCE_MS } from './watch-connection.ts';

/** Default statement timeout in ms, of a read and in a change. */
export const readLimit = 10_000;
export const changeLimit = 30_000;

const OLDEST_SERVER = 150000;
/**
 * graphile-worker keeps a LISTEN connection for each of its six runners: five kinds of tasks, and periodic work. These come on top of the
 * connections for requests.
 */
const LISTENING = 6;
/** With a few to work with. */
export const SMALLEST_WRITER = LISTENING + 3;

/** Refuses a server older than the oldest we are tested on. `versionNum` is its `server_version_num`, such as 150018 for 15.18. */
export function requireServerVersion(versionNum: number): void {
  if (versionNum < OLDEST_SERVER)
    throw new Error(
      `This database server is PostgreSQL ${Math.floor(versionNum / 10000)}.${versionNum % 10000}; PostgreSQL ${OLDEST_SERVER / 10000} or newer is needed.`,
    );
}

async function inspectServer(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ version: number; encoding: string }>(
    `select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding`,
  );
  const server = rows[0];
  if (!server) throw new Error('The database server did not tell its version.');
  requireServerVersion(server.version);
  if (server.encoding !== 'UTF8') throw new Error(`This database is encoded in ${server.encoding}; create it with encoding UTF8.`);
}

/** Connects to a PostgreSQL server, directly or through a pooler. @throws Error in a sentence, for what can't work */
export async function connectToServer(options: ConnectionOptions): Promise<Connections> {
  if (options.snapshot) throw new Error('A snapshot opens in memory only; give a server a backup to restore.');
  const connections = await (options.directUrl
    ? connectThroughPooler({ ...options, directUrl: options.directUrl })
    : connectDirectly(options));
  if (!options.replicas) return connections;
  try {
    const replicas = await connectReplicas(connections.writer, options, options.replicas);
    return { ...connections, replicas, close: async () => void (await Promise.all([replicas.close(), connections.close()])) };
  } catch (error) {
    await connections.close();
    throw error;
  }
}

/** Settings of every session: JIT-compiling a statement takes longer than running any of ours. */
const common = { jit: 'off', TimeZone: 'UTC', DateStyle: 'ISO', IntervalStyle: 'postgres', bytea_output: 'hex', extra_float_digits: 1 };
/** A setting without effect, which a session has if its startup options reached the server. */
const MARK = { 'portal.session': 'own' };

/** Returns what makes pools and clients at an address of a server, with sessions of their own. */
function directly({ url, timeouts, onError = () => {} }: Pick<ConnectionOptions, 'url' | 'timeouts' | 'onError'>) {
  const address = new URL(url);
  // node-postgres lets options in the address replace ours; prepend them instead.
  const given = address.searchParams.get('options') ?? '';
  address.searchParams.delete('options');
  const config = { connectionString: address.href, ...patience };
  const optionsOf = (own: Record<string, string | number>): string => `${given} ${settings({ ...common, ...MARK, ...own })}`;
  const limits = (timeout: number) => ({ statement_timeout: timeout, idle_in_transaction_session_timeout: MINUTE_MS });
  return {
    reader: (max: number, more: pg.PoolConfig = {}): pg.Pool => {
      const options = optionsOf({ ...limits(timeouts?.read ?? readLimit), default_transaction_read_only: 'on' });
      const pool = poolOf({ ...config, max, options, ...more }, onError);
      pool.on('connect', client => leaveWhenWritable(client));
      return pool;
    },
    /** Makes a client for short reads that isn't connected yet. */
    watcher: (): pg.Client =>
      new pg.Client({ ...config, options: optionsOf({ ...limits(PATIENCE_MS), default_transaction_read_only: 'on' }) }),
    writer: (max: number): pg.Pool => poolOf({ ...config, max, options: optionsOf(limits(timeouts?.change ?? changeLimit)) }, onError),
    client: (): Promise<pg.Client> =>
      connectClient({ ...config, options: optionsOf({ statement_timeout: 0, idle_in_transaction_session_timeout: 0 }) }, onError),
  };
}
const patience = { connectionTimeoutMillis: 10_000, keepAlive: true };
const noSnapshot = (): Promise<Blob> => Promise.reject(new Error('Only an embedded database gives a snapshot; use backup.'));

async function connectDirectly(options: ConnectionOptions): Promise<Connections> {
  const { pools } = options;
  const to = directly(options);
  const reader = to.reader(pools?.reader ?? 10);
  const writer = to.writer(LISTENING + Math.max(SMALLEST_WRITER - LISTENING, pools?.writer ?? 10));
  const close = async (): Promise<void> => void (await Promise.all([reader.end(), writer.end()]));
  try {
    await inspectServer(writer);
    await requireOwnSession(writer);
  } catch (error) {
    await close();
    throw poolerWithoutServer(error);
  }
  return {
    kind: 'postgres',
    isPooled: false,
    reader,
    writer,
    sessions: { reader, listener: writer },
    replicas: null,
    dedicated: () => to.client(),
    snapshot: noSnapshot,
    close,
  };
}

/** Streams and long reads that have a session of their own beside a pooler. */
const MAX_STREAMS = 4;

async function connectThroughPooler(options: ConnectionOptions & { directUrl: string }): Promise<Connections> {
  const { url, directUrl, pools, onError = () => {} } = options;
  const to = directly({ ...options, url: directUrl });
  await prepareRole(to);
  const config = { connectionString: url, ...patience };
  const reader = poolOf({ ...config, max: pools?.reader ?? 10 }, onError);
  const writer = poolOf({ ...config, max: pools?.writer ?? 10 }, onError);
  const sessions = { reader: to.reader(Math.min(MAX_STREAMS, pools?.reader ?? MAX_STREAMS)), listener: to.writer(LISTENING) };
  const close = async (): Promise<void> =>
    void (await Promise.all([reader, writer, sessions.reader, sessions.listener].map(pool => pool.end())));
  try {
    await inspectServer(writer);
    await requirePooler(writer, to);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    kind: 'postgres',
    isPooled: true,
    reader,
    writer,
    sessions,
    replicas: null,
    dedicated: () => to.client(),
    snapshot: noSnapshot,
    close,
  };
}

const beyondSession =
  'Name the server itself in DATABASE_DIRECT_URL, beside the pooler in DATABASE_URL: notifications and locks need sessions of their own.';

/** A pooler refuses or forgets the options of a session: then this is none of our own. @throws Error */
async function requireOwnSession(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ mark: string | null }>(`select current_setting('portal.session', true) as mark`);
  if (rows[0]!.mark !== 'own')
    throw new Error(`DATABASE_URL leads to a pooler, which leaves out the settings of a session. ${beyondSession}`);
}

const poolerWithoutServer = (error: unknown): unknown =>
  isOfPgBouncer(error) ? new Error(`DATABASE_URL leads to PgBouncer. ${beyondSession}`) : error;

/** Gives the role the settings that a session has otherwise: those of a pooler begin with nothing else. @throws Error if the server itself is not at this address */
async function prepareRole(to: ReturnType<typeof directly>): Promise<void> {
  const client = await to.client().catch((error: unknown) => {
    throw isOfPgBouncer(error) ? new Error('DATABASE_DIRECT_URL leads to PgBouncer; it has to name the database server itself.') : error;
  });
  try {
    const { rows } = await client.query<{ mark: string | null; settings: string[] }>(
      `select current_setting('portal.session', true) as mark,
        coalesce((select setconfig from pg_db_role_setting where setrole = current_user::regrole and setdatabase = (select oid from pg_database where datname = current_database())), '{}') as settings`,
    );
    const { mark, settings } = rows[0]!;
    if (mark !== 'own') throw new Error('DATABASE_DIRECT_URL leads to a pooler; it has to name the database server itself.');
    const missing = Object.entries(common).filter(([name, value]) => !settings.includes(`${name}=${value}`));
    for (const [name, value] of missing)
      await client.query(
        `do $$ begin execute format('alter role %I in database %I set ${name} = %L', current_user, current_database(), '${value}'); end $$`,
      );
  } finally {
    await client.end();
  }
}

/** @throws Error unless the pool leads to the same database as the server, in sessions with our settings that last for a transaction */
async function requirePooler(pool: pg.Pool, to: ReturnType<typeof directly>): Promise<void> {
  const server = await to.client();
  const client = await pool.connect();
  const key = Math.floor(Math.random() * 2 ** 31);
  try {
    await server.query('select pg_advisory_lock($1)', [key]);
    await client.query('begin').catch((error: Error) => {
      throw /statement pooling/.test(error.message)
        ? new Error('PgBouncer runs in statement mode, where a change can’t be one transaction: set pool_mode = transaction.')
        : error;
    });
    const { rows } = await client.query<{ isFree: boolean; settings: Record<string, string> }>(
      `select pg_try_advisory_xact_lock(${key}) as "isFree",
        (select jsonb_object_agg(name, current_setting(name)) from unnest($1::text[]) name) as settings`,
      [Object.keys(common)],
    );
    await client.query('commit');
    const { isFree, settings } = rows[0]!;
    if (isFree)
      throw new Error(
        'DATABASE_URL and DATABASE_DIRECT_URL lead to different databases; they have to name one, through the pooler and directly.',
      );
    const wrong = Object.entries(common).find(([name, value]) => !settings[name]!.startsWith(String(value)));
    if (wrong)
      throw new Error(
        `Connections of the pooler were opened before the settings of this role: ${wrong[0]} is ${settings[wrong[0]]}. Run RECONNECT in the console of PgBouncer, then start again.`,
      );
  } finally {
    client.release(true);
    await server.end();
  }
}

/** Host, port and database of an address. */
const placeOf = (url: string): string => {
  const { hostname, port, pathname } = new URL(url);
  return `${hostname}:${port || '5432'}${pathname}`;
};

/**
 * Connects to the replicas of a server. One that does not answer, or was promoted, is no reason not to start: after a failover the addresses are those from before. It is left out, and looked
 * for every moment.
 * @throws Error in a sentence for an address that can't be of a replica of this server
 */
async function connectReplicas(
  primary: pg.Pool,
  { url: primaryUrl, directUrl, timeouts, pools, onError = () => {} }: ConnectionOptions,
  { urls, lagSeconds }: NonNullable<ConnectionOptions['replicas']>,
): Promise<Replicas> {
  for (const url of urls)
    if ([primaryUrl, directUrl].some(own => own && placeOf(own) === placeOf(url)))
      throw new Error(
        `DATABASE_READ_URL names ${placeOf(url)}, which is the address of the primary: leave it out, or name a server that follows it.`,
      );
  const { rows } = await primary.query<Identity>(`select ${IDENTITY}`);
  const servers = urls.map(url => {
    const { host, pathname } = new URL(url);
    const to = directly({ url, timeouts, onError });
    return {
      address: `${host}${pathname}`,
      watcher: to.watcher,
      pool: (check: (client: pg.ClientBase) => Promise<void>) =>
        // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for it and gives no connection that it refused; its types say otherwise
        to.reader(pools?.reader ?? 10, { connectionTimeoutMillis: PATIENCE_MS, onConnect: check }),
    };
  });
  const replicas = followReplicas({ watcher: directly({ url: directUrl ?? primaryUrl }).watcher, first: rows[0]! }, servers, {
    lagMs: lagSeconds * SECOND_MS,
    say: sentence => onError(new Error(sentence)),
  });
  const [problem] = await replicas.begin();
  if (problem === undefined) return replicas;
  await replicas.close();
  throw new Error(problem);
}

/** Closes a reader's connection as soon as a statement made it writable, before anything is written. */
function leaveWhenWritable(client: pg.PoolClient): void {
  const { connection } = client as unknown as { connection: NodeJS.EventEmitter & { stream: { destroy(error: Error): void } } };
  connection.on('parameterStatus', ({ parameterName, parameterValue }: { parameterName: string; parameterValue: string }) => {
    if (parameterName === 'default_transaction_read_only' && parameterValue === 'off')
      connection.stream.destroy(new Error('A read made its connection writable; the connection was closed.'));
  });
}
