import type { Pool, PoolClient, QueryConfig } from 'pg';
import { outageOf } from './outage.ts';
import { clientTimeout, timedClient } from './timed-client.ts';

/** graphile-worker retries what fails with this code for hours, first after 3 seconds. */
const REPEATED = 'ETIMEDOUT';

/**
 * Returns a pool for graphile-worker, which retries its writes only after errors it knows; a restarted server isn't among them. It doesn't await
 * these writes either: the rejection would end the process, and the job would stay locked for four hours. Its writes may
 * happen twice. It listens on connections of `listener`. A statement that a hanging server leaves unanswered fails, and its connection is closed.
 * @param limit longest statement in ms; 0 for no limit
 */
export function timedPool(pool: Pool, listener: Pool, limit: number): Pool {
  const connect = async (): Promise<PoolClient> => repeatingClient(await pool.connect().catch(repeatable), clientTimeout(limit));
  return proxyOf(pool, {
    // With a callback it connects to listen, and manages that connection itself.
    connect: (callback?: Parameters<Pool['connect']>[0]) => (callback ? listener.connect(callback) : connect()),
    query: async (...statement: [string]) => {
      const client = await connect();
      try {
        return await client.query(...statement);
      } finally {
        client.release();
      }
    },
  });
}

function repeatingClient(client: PoolClient, waitLimit: number): PoolClient {
  const timed = timedClient(client);
  return proxyOf(client, {
    query: (...given: [string]) => {
      const [statement, values] = given as readonly unknown[] as readonly [string | QueryConfig | object, unknown[]?];
      // Statements with an event interface, and callbacks.
      if (given.some(part => typeof part === 'function') || (typeof statement === 'object' && 'submit' in statement))
        return client.query(...given);
      const text = typeof statement === 'string' ? { text: statement } : (statement as QueryConfig);
      return timed.query({ ...text, ...(values && { values }) }, waitLimit).catch(repeatable);
    },
    release: (destroy?: Error | boolean) => timed.release(destroy),
  });
}

/** Returns the object with some methods of its own. */
const proxyOf = <Target extends object>(target: Target, own: Record<string, unknown>): Target =>
  new Proxy(target, {
    get: (_, name) => {
      if (typeof name === 'string' && Object.hasOwn(own, name)) return own[name];
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });

/** @throws the error, with a code that makes graphile-worker retry if it reports an outage. */
function repeatable(error: unknown): never {
  if (outageOf(error) === null) throw error;
  throw Object.assign(new Error((error as Error).message, { cause: error }), { code: REPEATED });
}
