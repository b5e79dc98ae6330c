import type { Pool, PoolClient } from 'pg';
import { outageOf } from './outage.ts';
import type { Replica, Replicas } from './replicas.ts';
import { type TimedClient, timedClient } from './timed-client.ts';

/** A connection to read on; `instead` gives the one on which a statement that failed is repeated. */
export type Taken = { client: TimedClient; isPrimary: boolean; instead?: (error: unknown) => Promise<TimedClient> };
/** Statements take a connection each. */
export type Source = { options: Pool['options']; take: () => Promise<Taken> };

/** Connections of the primary. */
export const sourceOf = (pool: Pool): Source => ({
  options: pool.options,
  take: async () => ({ client: timedClient(await pool.connect()), isPrimary: true }),
});

/** Statements of reads that could go to a replica, by where they went. */
export type ReadCounts = { onReplicas: number; onPrimary: number };

/** Connections of a replica as long as there is one to take, and else of the primary, where a read that fails on a replica is repeated: it may be behind a migration, or end. */
export function replicatedSource(
  primary: Pool,
  replicas: Replicas,
  { pick, counts }: { pick: () => Replica | null; counts: ReadCounts },
): Source {
  const onPrimary = async (): Promise<TimedClient> => {
    counts.onPrimary++;
    return timedClient(await primary.connect());
  };
  return {
    options: primary.options,
    take: async () => {
      const replica = pick();
      const client = replica && (await connected(replica, replicas));
      if (!client) return { client: await onPrimary(), isPrimary: true };
      counts.onReplicas++;
      return {
        client,
        isPrimary: false,
        instead: error => {
          if (outageOf(error) === 'lost') replicas.leaveOut(replica!);
          return onPrimary();
        },
      };
    },
  };
}

async function connected(replica: Replica, replicas: Replicas): Promise<TimedClient | null> {
  try {
    return timedClient(await replica.pool.connect());
  } catch {
    replicas.leaveOut(replica);
    return null;
  }
}

/** A pool for streams, each on one connection: of a replica, or of the primary. */
export function replicatedPool(
  primary: Pool,
  replicas: Replicas,
  { pick, counts }: { pick: () => Replica | null; counts: ReadCounts },
): Pick<Pool, 'connect'> {
  return {
    connect: async (): Promise<PoolClient> => {
      const replica = pick();
      if (replica) {
        try {
          const client = await replica.pool.connect();
          counts.onReplicas++;
          return client;
        } catch {
          replicas.leaveOut(replica);
        }
      }
      counts.onPrimary++;
      return primary.connect();
    },
  } as Pick<Pool, 'connect'>;
}
