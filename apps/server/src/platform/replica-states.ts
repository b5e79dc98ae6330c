import type { Database, ReplicaState } from './database/index.ts';

/**
 * Returns a replica in words: its name, role and lag. One that is left out is no reason not to be ready: the primary answers instead.
 * @param name its address, or what strangers may read
 */
export function replicaInWords({ role, behindSeconds, isUsed }: ReplicaState, name: string): string {
  if (role === 'away') return `${name} does not answer, and is left out`;
  if (role === 'primary') return `${name} is a primary now, and is left out`;
  if (role === 'other') return `${name} is no replica of this database, and is left out`;
  const behind = behindSeconds === null ? 'behind by an unknown time' : `at most ${behindSeconds.toFixed(1)} s behind`;
  return `${name} is a replica, ${behind}${isUsed ? '' : ', and is left out'}`;
}

/** Returns the lines about replicas; none without. */
export function metricsOfReplicas(db: Pick<Database, 'replicaStates'>): string[] {
  const { replicas, onReplicas, onPrimary, repeated } = db.replicaStates();
  if (replicas.length === 0) return [];
  const lines = (name: string, valueOf: (state: ReplicaState) => number | null): string[] =>
    replicas.map(state => `${name}{replica="${state.address}"} ${valueOf(state) ?? 'NaN'}`);
  return [
    '# TYPE database_replica_lag_seconds gauge',
    ...lines('database_replica_lag_seconds', ({ behindSeconds }) => behindSeconds),
    '# TYPE database_replica_used gauge',
    ...lines('database_replica_used', ({ isUsed }) => Number(isUsed)),
    '# TYPE database_replica_reads_total counter',
    `database_replica_reads_total{from="replica"} ${onReplicas}`,
    `database_replica_reads_total{from="primary"} ${onPrimary}`,
    '# TYPE database_replica_repeated_total counter',
    `database_replica_repeated_total ${repeated}`,
  ];
}
