import { MINUTE_MS } from '@portal/contract/days';
import pg from 'pg';
import { LiteArbiter } from './lite-arbiter.ts';
import { LiteSocket } from './lite-socket.ts';
import { openLite } from './lite.ts';

export interface ConnectionOptions {
  url: string;
  snapshot?: Blob | Uint8Array | undefined;
  pools?: { reader?: number | undefined; writer?: number | undefined } | undefined;
  timeouts?: { read?: number | undefined; change?: number | undefined } | undefined;
  waitLimit?: number | undefined;
  onError?: ((error: Error) => void) | undefined;
}

/** The connections of one process to one database. */
export interface Connections {
  kind: 'embedded' | 'postgres';
  /** Read-only, enforced by the database. */
  reader: pg.Pool;
  writer: pg.Pool;
  /** Opens a connection outside the pool and without time limits: for LISTEN, migrations, backup, restore, copy and verify. */
  dedicated(): Promise<pg.Client>;
  /** A snapshot of the embedded database, to open others from. */
  snapshot(): Promise<Blob>;
  close(): Promise<void>;
}

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
const SMALLEST_WRITER = LISTENING + 3;

const settings = (pairs: Record<string, string | number>): string =>
  Object.entries(pairs)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');

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

/** An address without its password, for messages. */
function withoutPassword(url: string): string {
  return url.replace(/^(\w+:\/\/[^:/@]*):[^@]*@/, '$1:***@');
}

function poolOf(config: pg.PoolConfig, onError: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool(config);
  pool.on('error', onError);
  pool.on('connect', client => void client.on('error', onError));
  return pool;
}

/**
 * Connects to a PostgreSQL server (`postgres://…`, 15 or newer) or opens the embedded database (`memory://` or a folder).
 * Refuses, in a sentence: an unknown scheme, an old server, a folder another process has.
 */
export async function connect(options: ConnectionOptions): Promise<Connections> {
  const scheme = /^([a-z][a-z0-9+.-]+):\/\//i.exec(options.url)?.[1]?.toLowerCase();
  if (scheme === 'postgres' || scheme === 'postgresql') return connectToServer(options);
  if (scheme !== undefined && scheme !== 'memory')
    throw new Error(`A database address is postgres://…, memory:// or a folder; ${withoutPassword(options.url)} is none of them.`);
  if (options.url === '') throw new Error('A database address is postgres://…, memory:// or a folder; it is empty.');
  return openEmbedded(options);
}

async function openEmbedded({ url, snapshot, pools, waitLimit, onError = () => {} }: ConnectionOptions): Promise<Connections> {
  const lite = await openLite(url, snapshot);
  const arbiter = new LiteArbiter(lite, waitLimit ?? 5_000);
  // All options are explicit, so that PGHOST, PGOPTIONS, PGSSLMODE and the like have no effect. Idle connections are cheap and stay open.
  const config = {
    host: 'embedded',
    port: 1,
    user: 'postgres',
    database: 'postgres',
    password: '',
    ssl: false,
    idleTimeoutMillis: 0,
    stream: () => new LiteSocket(arbiter),
  };
  const reader = poolOf({ ...config, max: pools?.reader ?? 4, options: settings({ default_transaction_read_only: 'on' }) }, onError);
  const writer = poolOf({ ...config, max: Math.max(SMALLEST_WRITER, pools?.writer ?? SMALLEST_WRITER), options: settings({}) }, onError);
  return {
    kind: 'embedded',
    reader,
    writer,
    dedicated: () => connectClient({ ...config, options: settings({}) }, onError),
    snapshot: async () => new Blob([await lite.snapshot()]),
    close: async () => {
      await Promise.all([reader.end(), writer.end()]);
      await lite.close();
    },
  };
}

async function connectToServer({ url, snapshot, pools, timeouts, onError = () => {} }: ConnectionOptions): Promise<Connections> {
  if (snapshot) throw new Error('A snapshot opens in memory only; give a server a backup to restore.');
  const address = new URL(url);
  // node-postgres lets options in the address replace ours; prepend them instead.
  const given = address.searchParams.get('options') ?? '';
  address.searchParams.delete('options');
  const config = { connectionString: address.href, connectionTimeoutMillis: 10_000, keepAlive: true };
  // JIT-compiling a statement takes longer than running any of ours.
  const common = { jit: 'off', TimeZone: 'UTC', DateStyle: 'ISO', IntervalStyle: 'postgres', bytea_output: 'hex', extra_float_digits: 1 };
  const limits = (timeout: number): Record<string, string | number> => ({
    ...common,
    statement_timeout: timeout,
    idle_in_transaction_session_timeout: MINUTE_MS,
  });
  const reader = poolOf(
    {
      ...config,
      max: pools?.reader ?? 10,
      options: `${given} ${settings({ ...limits(timeouts?.read ?? readLimit), default_transaction_read_only: 'on' })}`,
    },
    onError,
  );
  const writer = poolOf(
    {
      ...config,
      max: LISTENING + Math.max(SMALLEST_WRITER - LISTENING, pools?.writer ?? 10),
      options: `${given} ${settings(limits(timeouts?.change ?? changeLimit))}`,
    },
    onError,
  );
  reader.on('connect', client => leaveWhenWritable(client));
  const close = async (): Promise<void> => void (await Promise.all([reader.end(), writer.end()]));
  try {
    await inspectServer(writer);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    kind: 'postgres',
    reader,
    writer,
    dedicated: () =>
      connectClient(
        { ...config, options: `${given} ${settings({ ...common, statement_timeout: 0, idle_in_transaction_session_timeout: 0 })}` },
        onError,
      ),
    snapshot: () => Promise.reject(new Error('Only an embedded database gives a snapshot; use backup.')),
    close,
  };
}

/** Closes a reader's connection as soon as a statement made it writable, before anything is written. */
function leaveWhenWritable(client: pg.PoolClient): void {
  const { connection } = client as unknown as { connection: NodeJS.EventEmitter & { stream: { destroy(error: Error): void } } };
  connection.on('parameterStatus', ({ parameterName, parameterValue }: { parameterName: string; parameterValue: string }) => {
    if (parameterName === 'default_transaction_read_only' && parameterValue === 'off')
      connection.stream.destroy(new Error('A read made its connection writable; the connection was closed.'));
  });
}

async function connectClient(config: pg.ClientConfig, onError: (error: Error) => void): Promise<pg.Client> {
  const client = new pg.Client(config);
  client.on('error', onError);
  await client.connect();
  return client;
}
