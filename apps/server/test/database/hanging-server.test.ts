import { once } from 'node:events';
import net from 'node:net';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { openDatabase, outageOf } from '../../src/platform/database/index.ts';
import { throwawayPostgres } from './throwaway-postgres.ts';

const { server } = await throwawayPostgres({ inMemory: true });

/** Passes connections on to the server until it is switched to hang: then no data comes back, and no connection breaks. */
async function hangingProxy(url: string) {
  const { hostname, port } = new URL(url);
  let hangs = false;
  const sockets: net.Socket[] = [];
  const proxy = net.createServer(client => {
    const behind = net.connect(Number(port), hostname);
    sockets.push(client, behind);
    for (const socket of [client, behind]) socket.on('error', () => {});
    client.on('data', chunk => behind.write(chunk));
    behind.on('data', chunk => void (hangs || client.write(chunk)));
    client.on('close', () => behind.destroy());
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const through = new URL(url);
  through.port = String((proxy.address() as net.AddressInfo).port);
  return {
    url: through.href,
    hang: (now: boolean) => (hangs = now),
    close: () => {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    },
  };
}

describe.runIf(server !== null)('a PostgreSQL that hangs', () => {
  test('makes reads and changes time out, and is used again once it answers', async () => {
    const made = await server!.createDatabase();
    const proxy = await hangingProxy(made.url);
    const db = await openDatabase({ url: proxy.url, timeouts: { read: 100, change: 100 } });
    const read = () => db.read.rows(sql`select 1 as one`);
    const write = () => db.unrecorded.transaction().execute(transaction => sql`select 1`.execute(transaction));
    try {
      expect(await read()).toEqual([{ one: 1 }]);
      await write();
      proxy.hang(true);
      for (const ask of [read, write]) {
        const error: unknown = await ask().catch((reason: unknown) => reason);
        expect(outageOf(error)).toBe('lost');
      }
      proxy.hang(false);
      expect(await read()).toEqual([{ one: 1 }]);
      await write();
    } finally {
      await db.close();
      proxy.close();
      await made.drop();
    }
  });

  test('makes a running export and each statement of the worker time out', async () => {
    const made = await server!.createDatabase();
    const proxy = await hangingProxy(made.url);
    const db = await openDatabase({ url: proxy.url, timeouts: { read: 100, change: 100 } });
    const exportOf = () => db.read.stream<{ n: number }>(sql`select n from generate_series(1, 3) as n`, 1);
    try {
      const stream = exportOf();
      expect(await stream.next()).toEqual({ done: false, value: [{ n: 1 }] });
      const [client, other] = await Promise.all([db.pool.connect(), db.pool.connect()]);
      other.release();
      proxy.hang(true);
      expect(outageOf(await stream.next().catch((reason: unknown) => reason))).toBe('lost');
      // graphile-worker retries what fails with this code.
      for (const ask of [
        () => client.query('select $1::int', [1]),
        () => client.query({ text: 'select 1' }),
        () => db.pool.query('select 1'),
      ])
        await expect(ask()).rejects.toMatchObject({ code: 'ETIMEDOUT' });
      client.release();
      proxy.hang(false);
      const numbers: number[] = [];
      for await (const rows of exportOf()) numbers.push(...rows.map(({ n }) => n));
      expect(numbers).toEqual([1, 2, 3]);
      expect((await db.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    } finally {
      await db.close();
      proxy.close();
      await made.drop();
    }
  });
});
