import pg from 'pg';

/** Settings of a session, as options of its startup packet. */
export const settings = (pairs: Record<string, string | number>): string =>
  Object.entries(pairs)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');

/** Returns a pool whose broken connections are reported, also those that are in use. */
export function poolOf(config: pg.PoolConfig, onError: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool(config);
  pool.on('error', onError);
  pool.on('connect', client => void client.on('error', onError));
  return pool;
}

/** Opens a connection outside of pools. */
export async function connectClient(config: pg.ClientConfig, onError: (error: Error) => void): Promise<pg.Client> {
  const client = new pg.Client(config);
  client.on('error', onError);
  await client.connect();
  return client;
}
