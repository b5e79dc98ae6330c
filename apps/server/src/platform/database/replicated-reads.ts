import type { Pool } from 'pg';
import { outageOf } from './outage.ts';
import type { Replica } from './replica-place.ts';
import type { Replicas } from './replicas.ts';
import { type TimedClient, timedClient } from './timed-client.ts';

/** SQLSTATEs of a server that has no memory or connection left, which another one may have. */
const noRoom: readonly string[] = ['53200', '53300'];
const isShortOfRoom = (error: unknown): boolean => noRoom.includes(String((error as { code?: unknown } | null)?.code));

/**
 * A connection to read on. `instead`, of one to a replica, gives one to the primary on which the statement that failed is repeated.
 * @throws the error of `instead` if repeating is no use
 */
export type Taken = {
  client: TimedClient;
  isPrimary: boolean;
  instead?: (error: unknown) => Promise<Taken>;
  /** Called when a statement that was repeated is answered. */
  answered?: () => void;
};
/** Statements take a connection each, and so do streams. */
export type Source = { options: Pool['options']; take: () => Promise<Taken> };

/** Connections of the primary. */
export const sourceOf = (pool: Pool): Source => ({
  options: pool.options,
  take: async () => ({ client: timedClient(await pool.connect()), isPrimary: true }),
});

/** The words of node-postgres if no connection of a pool was free in time. */
const NO_ROOM = 'timeout exceeded when trying to connect';

/** Where some questions are read: on a replica until one of its statements had to go to the primary, and all at the primary from then on. */
export type Reading = {
  replica: Replica;
  isOver: boolean;
  /** Called for a statement that is repeated. */
  repeated: () => void;
};

/** Connections to the replica of a reading as long as it is used, and then to the primary, where a statement that fails on a replica is repeated: it may be behind a migration, or end. */
export function readingSource(primary: Pool, reading: Reading, replicas: Replicas): Source {
  const { replica } = reading;
  const onPrimary = async (): Promise<Taken> => ({ client: timedClient(await primary.connect()), isPrimary: true });
  const connected = async (): Promise<TimedClient | null> => {
    if (reading.isOver || !replicas.isUsed(replica)) return null;
    try {
      return timedClient(await replica.pool.connect());
    } catch (error) {
      // One that is busy answers others.
      if ((error as Error).message !== NO_ROOM) replicas.leaveOut(replica);
      return null;
    }
  };
  return {
    options: primary.options,
    take: async () => {
      const client = await connected();
      if (!client) {
        reading.isOver = true;
        return onPrimary();
      }
      return {
        client,
        isPrimary: false,
        instead: async error => {
          const outage = outageOf(error);
          // One that takes too long takes as long elsewhere; one for which the replica has no memory or connection doesn’t.
          if (outage === 'busy' && !isShortOfRoom(error)) throw error;
          if (outage === 'lost') replicas.leaveOut(replica);
          reading.repeated();
          // One that is wrong fails at the primary too: then nothing newer was read.
          return { ...(await onPrimary()), answered: () => void (reading.isOver = true) };
        },
      };
    },
  };
}
