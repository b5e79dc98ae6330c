import { performance } from 'node:perf_hooks';
import { SECOND_MS } from '@portal/contract/days';
import type pg from 'pg';
import { outageOf } from './outage.ts';
import { primaryMarks } from './primary-marks.ts';
import type { Identity } from './replica-identity.ts';
import { type Replica, replicaPlace, type ReplicaRole, type ReplicaServer } from './replica-place.ts';
import { PATIENCE_MS } from './watch-connection.ts';

/** Servers that follow the primary, and answer reads that may be a little behind. */
export type Replicas = {
  /** Returns a replica within the bound on lag, each in its turn; null if there is none now. */
  pick(): Replica | null;
  /** Returns one on which everything is visible that a person changed; null if that isn't known of any. @param own returns the person's changes after an activity, at the primary */
  pickSeeing(own: (afterActivity: number) => Promise<readonly number[] | null>): Promise<Replica | null>;
  /** Whether one is within the bound on lag. */
  isUsed(replica: Replica): boolean;
  /** Leaves one out until it is looked at again. */
  leaveOut(replica: Replica): void;
  /** Looks at all of them, and from then on every moment. @returns why addresses can't be of replicas, in sentences */
  begin(): Promise<string[]>;
  states(): ReplicaState[];
  close(): Promise<void>;
};

/** A replica for operators, numbered as in the setting. `behindSeconds`: at most so much, null while that isn't known. */
export type ReplicaState = { number: number; address: string; role: ReplicaRole; behindSeconds: number | null; isUsed: boolean };

const MAX_BETWEEN_LOOKS_MS = SECOND_MS;
const MIN_BETWEEN_LOOKS_MS = 100;

/**
 * Follows replicas. How far behind one is, is measured without clocks of other machines: which of the positions that the primary named, and when, it has reached.
 * A primary without changes is no lag. Each server is asked on a connection of its own, so that one that hangs keeps no other waiting, and neither do readers.
 * @param lagMs bound above which a replica is left out @param say writes to the log
 */
export function followReplicas(
  primary: { watcher: () => pg.Client; first: Pick<Identity, 'system' | 'database'> },
  servers: readonly ReplicaServer[],
  { lagMs, say }: { lagMs: number; say: (sentence: string) => void },
): Replicas {
  const marks = primaryMarks(primary.watcher, primary.first);
  const places = servers.map(server => replicaPlace(server, marks, say));
  const isUsed = (replica: Replica): boolean =>
    performance.now() - replica.completeAt <= lagMs && places.some(place => place.replica === replica && place.role === 'replica');
  let turn = 0;
  const pick = (): Replica | null => {
    const used = places.flatMap(({ replica }) => (replica && isUsed(replica) ? [replica] : []));
    return used.length === 0 ? null : used[turn++ % used.length]!;
  };
  const leaveOut = (replica: Replica): void => places.find(place => place.replica === replica)?.leaveOut();
  const loops = repeated(Math.min(MAX_BETWEEN_LOOKS_MS, Math.max(MIN_BETWEEN_LOOKS_MS, lagMs / 4)));
  return {
    pick,
    pickSeeing: async own => {
      const replica = pick();
      if (!replica) return null;
      const changes = await own(replica.completeTo);
      if (changes === null) return null;
      if (changes.length === 0) return replica;
      const seen = await countSeen(replica, changes).catch((error: unknown) => {
        if (outageOf(error) === 'lost') leaveOut(replica);
        return 0;
      });
      return seen === changes.length ? replica : null;
    },
    isUsed,
    leaveOut,
    begin: async () => {
      // Without the primary no mark is set: replicas age, and are left out.
      await marks.take().catch(() => {});
      const problems = await Promise.all(places.map(place => place.look()));
      for (const each of [() => marks.take(), ...places.map(place => () => place.look())]) loops.begin(each);
      return problems.filter(problem => problem !== null);
    },
    states: () =>
      places.map((place, index) => ({
        number: index + 1,
        address: place.address,
        role: place.role,
        behindSeconds: place.behindSeconds(),
        isUsed: place.replica !== null && isUsed(place.replica),
      })),
    close: async () => {
      const ended = loops.end();
      for (const each of [marks, ...places]) each.close();
      await ended;
      await Promise.all(places.map(async ({ replica }) => replica?.pool.end()));
    },
  };
}

/** Does things again and again, each by itself, with a pause after it; whether one fails is its own concern. */
function repeated(pauseMs: number) {
  let isOver = false;
  const loops: { timer?: NodeJS.Timeout; turn: Promise<unknown> }[] = [];
  return {
    begin: (work: () => Promise<unknown>): void => {
      const loop: (typeof loops)[number] = { turn: Promise.resolve() };
      loops.push(loop);
      const again = (): void => {
        if (isOver) return;
        loop.timer = setTimeout(() => {
          loop.turn = work()
            .catch(() => {})
            .finally(again);
        }, pauseMs).unref();
      };
      again();
    },
    end: async (): Promise<void> => {
      isOver = true;
      for (const { timer } of loops) clearTimeout(timer);
      await Promise.all(loops.map(loop => loop.turn));
    },
  };
}

/** Counts which of some activities a replica has. */
async function countSeen({ pool }: Replica, activities: readonly number[]): Promise<number> {
  const answer = await pool.query<{ seen: number }>({
    text: `select count(*)::int as seen from activity where activity_id = any('{${activities.map(Number).join(',')}}')`,
    query_timeout: PATIENCE_MS,
  } as pg.QueryConfig);
  return answer.rows[0]!.seen;
}
