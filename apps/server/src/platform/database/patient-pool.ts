import type { Pool, PoolClient } from 'pg';
import { outageOf } from './outage.ts';

/** graphile-worker repeats what fails with this code for hours, after 3 seconds first. */
const REPEATED = 'ETIMEDOUT';

/**
 * Returns a pool for graphile-worker, which repeats its writes only after errors it knows; a restarted server isn't among
 * them. It doesn't await these writes either: the rejection would end the process, and the job would stay locked for four hours. Its writes may
 * happen twice.
 */
export const patientPool = (pool: Pool): Pool =>
  new Proxy(pool, {
    get: (target, name) => {
      if (name !== 'connect') return bound(target, name);
      return (callback?: Parameters<Pool['connect']>[0]) =>
        callback ? target.connect(callback) : target.connect().then(patientClient, repeatable);
    },
  });

const patientClient = (client: PoolClient): PoolClient =>
  new Proxy(client, {
    get: (target, name) => {
      if (name !== 'query') return bound(target, name);
      return (...query: [string]) => target.query(...query).catch(repeatable);
    },
  });

const bound = <Target extends object>(target: Target, name: string | symbol): unknown => {
  const value: unknown = Reflect.get(target, name, target);
  return typeof value === 'function' ? value.bind(target) : value;
};

/** @throws the error, with a code that makes graphile-worker repeat it if it reports an outage. */
function repeatable(error: unknown): never {
  if (outageOf(error) === null) throw error;
  throw Object.assign(new Error((error as Error).message, { cause: error }), { code: REPEATED });
}
