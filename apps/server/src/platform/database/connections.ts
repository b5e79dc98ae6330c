import { LiteArbiter } from './lite-arbiter.ts';
import { LiteSocket } from './lite-socket.ts';
import { keepStatistics } from './lite-statistics.ts';
import { openLite } from './lite.ts';
import { connectClient, poolOf, settings } from './pools.ts';
import type { ConnectionOptions, Connections } from './connection-options.ts';
import { connectToServer, SMALLEST_WRITER } from './server-connections.ts';

/** An address without its password, for messages. */
function withoutPassword(url: string): string {
  return url.replace(/^(\w+:\/\/[^:/@]*):[^@]*@/, '$1:***@');
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
  const endStatistics = keepStatistics(writer, onError);
  return {
    kind: 'embedded',
    isPooled: false,
    reader,
    writer,
    sessions: { reader, listener: writer },
    replicas: null,
    dedicated: () => connectClient({ ...config, options: settings({}) }, onError),
    snapshot: async () => new Blob([await lite.snapshot()]),
    close: async () => {
      await endStatistics();
      await Promise.all([reader.end(), writer.end()]);
      await lite.close();
    },
  };
}
