/** A server as one of its connections sees it. */
export type Identity = {
  /** Identifier of the cluster, which a server shares with those that follow it. */
  system: string;
  database: string;
  inRecovery: boolean;
  /** `own` if the settings of our session reached the server. */
  mark: string | null;
  /** The running server: its address, and when it started. */
  instance: string;
};

/** SQL of the columns of an `Identity`. */
export const IDENTITY = `(select system_identifier from pg_control_system())::text as system, current_database()::text as database, pg_is_in_recovery() as "inRecovery",
  current_setting('portal.session', true) as mark, concat_ws(' ', inet_server_addr(), inet_server_port(), pg_postmaster_start_time()) as instance`;

/** The words of PgBouncer, which refuses sessions with options. */
export const isOfPgBouncer = (error: unknown): boolean => /unsupported startup parameter/.test((error as Error).message);

/** Returns why a server can't be a replica of the primary, in a sentence; null for one that is, and for one that was promoted. */
export function whyNoReplica(address: string, found: Identity, primary: Pick<Identity, 'system' | 'database'>): string | null {
  if (found.mark !== 'own') return `DATABASE_READ_URL leads to a pooler at ${address}; it has to name the replica itself.`;
  if (found.system !== primary.system)
    return found.inRecovery
      ? `DATABASE_READ_URL names ${address}, which follows another server than that of DATABASE_URL.`
      : `DATABASE_READ_URL names ${address}, which is a server of its own and follows none: a replica is made with pg_basebackup --write-recovery-conf.`;
  if (found.database !== primary.database)
    return `DATABASE_READ_URL names the database ${found.database} at ${address}, and DATABASE_URL ${primary.database}.`;
  return null;
}
