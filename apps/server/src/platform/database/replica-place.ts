import { performance } from 'node:perf_hooks';
import { SECOND_MS } from '@portal/contract/days';
import type pg from 'pg';
import { lineOf, type Mark, type PrimaryMarks } from './primary-marks.ts';
import { IDENTITY, type Identity, isOfPgBouncer, whyNoReplica } from './replica-identity.ts';
import { PATIENCE_MS, watchConnection } from './watch-connection.ts';

/** `other`: a server that is no replica of this database. */
export type ReplicaRole = 'replica' | 'primary' | 'away' | 'other';

/** A running server. After a restart there is another one at the same address, which may have replayed less. */
export type Replica = {
  /** Every connection was found to lead to this server. */
  pool: pg.Pool;
  instance: string;
  /** It has everything that was committed at this instant of `performance.now()`. */
  completeAt: number;
  /** Every activity up to this number is visible there, or never will be. */
  completeTo: number;
};

/** An address of the setting. */
export type ReplicaServer = {
  address: string;
  /** Makes a client that isn't connected yet. */
  watcher: () => pg.Client;
  /** Makes a pool. @param check refuses a new connection by throwing */
  pool: (check: (client: pg.ClientBase) => Promise<void>) => pg.Pool;
};

/** The server at an address of the setting, whichever that is at the time. */
type ReplicaPlace = {
  readonly address: string;
  readonly role: ReplicaRole;
  readonly replica: Replica | null;
  /** Looks what is there. @returns why it can't be a replica, in a sentence */
  look(): Promise<string | null>;
  leaveOut(): void;
  /** By how many seconds it is behind, at most; null while that isn't known. */
  behindSeconds(): number | null;
  close(): void;
};

const LOOK = `select ${IDENTITY}, pg_last_wal_replay_lsn()::text as position`;

/** Makes a pool of connections to this server alone: a name or a proxy may lead elsewhere later. */
function poolOfInstance(server: ReplicaServer, instance: string, marks: PrimaryMarks, say: (sentence: string) => void): pg.Pool {
  let isSaid = false;
  return server.pool(async client => {
    const answer = await client.query<Identity>({ text: `select ${IDENTITY}`, query_timeout: PATIENCE_MS } as pg.QueryConfig);
    const found = answer.rows[0]!;
    if (found.instance === instance && found.inRecovery && whyNoReplica(server.address, found, marks.primary()) === null) return;
    const sentence = `A new connection to ${server.address} led to another server than a moment ago. DATABASE_READ_URL has to name each replica itself.`;
    if (!isSaid) say(sentence);
    isSaid = true;
    throw new Error(sentence);
  });
}

/** Follows one server, on a connection of its own. @param say writes to the log */
export function replicaPlace(server: ReplicaServer, marks: PrimaryMarks, say: (sentence: string) => void): ReplicaPlace {
  const { address } = server;
  const connection = watchConnection(server.watcher, PATIENCE_MS);
  let role: ReplicaRole = 'away';
  let replica: Replica | null = null;
  /** The last sentence in the log, which isn't repeated every moment. */
  let said = '';
  let isClosed = false;

  const become = (now: ReplicaRole, sentence: string): void => {
    role = now;
    if (sentence !== '' && sentence !== said && !isClosed) say(sentence);
    said = sentence;
  };
  const retire = (): void => {
    void replica?.pool.end().catch(() => {});
    replica = null;
  };
  const hasLine = async ({ lastActivity, lastLine }: Mark): Promise<boolean> => {
    if (lastActivity === 0) return true;
    return (await connection.ask<{ line: string | null }>(`select ${lineOf(String(lastActivity))} as line`)).line === lastLine;
  };
  const compare = async ({ instance, position }: Identity & { position: string | null }): Promise<void> => {
    if (replica?.instance !== instance) {
      retire();
      const pool = poolOfInstance(server, instance, marks, say);
      replica = { instance, pool, completeAt: Number.NEGATIVE_INFINITY, completeTo: 0 };
    }
    const reached = marks.reachedAt(position);
    if (reached && !(await hasLine(reached)))
      return become(
        'other',
        `DATABASE_READ_URL names ${address}, which followed another primary than the one of DATABASE_URL: make it anew with pg_basebackup.`,
      );
    replica!.completeAt = reached?.at ?? Number.NEGATIVE_INFINITY;
    replica!.completeTo = reached ? marks.endedAt(reached) : 0;
    become('replica', '');
  };

  return {
    address,
    get role() {
      return role;
    },
    get replica() {
      return replica;
    },
    look: async () => {
      try {
        const found = await connection.ask<Identity & { position: string | null }>(LOOK);
        const problem = whyNoReplica(address, found, marks.primary());
        if (problem === null && found.inRecovery) {
          await compare(found);
          return null;
        }
        retire();
        if (problem !== null) become('other', problem);
        else become('primary', `DATABASE_READ_URL names ${address}, which is a primary now: it is left out until it is a replica again.`);
        return problem;
      } catch (error) {
        const problem = isOfPgBouncer(error)
          ? `DATABASE_READ_URL leads to PgBouncer at ${address}; it has to name the replica itself.`
          : null;
        become(problem ? 'other' : 'away', problem ?? `The replica ${address} does not answer, and is left out until it does.`);
        return problem;
      }
    },
    leaveOut: () => {
      role = 'away';
    },
    behindSeconds: () => (replica && Number.isFinite(replica.completeAt) ? (performance.now() - replica.completeAt) / SECOND_MS : null),
    close: () => {
      isClosed = true;
      connection.close();
    },
  };
}
