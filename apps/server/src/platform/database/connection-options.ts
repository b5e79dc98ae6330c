import type pg from 'pg';
import type { Replicas } from './replicas.ts';

export interface ConnectionOptions {
  url: string;
  /** The server itself, where `url` leads to a pooler in transaction mode such as PgBouncer. */
  directUrl?: string | undefined;
  /** Replicas of the server, for reads that may be a little behind, and by how many seconds. */
  replicas?: { urls: readonly string[]; lagSeconds: number } | undefined;
  snapshot?: Blob | Uint8Array | undefined;
  pools?: { reader?: number | undefined; writer?: number | undefined } | undefined;
  timeouts?: { read?: number | undefined; change?: number | undefined } | undefined;
  waitLimit?: number | undefined;
  onError?: ((error: Error) => void) | undefined;
}

/** The connections of one process to one database. */
export interface Connections {
  kind: 'embedded' | 'postgres';
  /** The reader and writer lead through a pooler: a connection is the same server session within a transaction alone. */
  isPooled: boolean;
  /** Read-only, enforced by the database; through a pooler, by the transaction that each read has (`reading`). */
  reader: pg.Pool;
  writer: pg.Pool;
  /** For what needs a session of its own for longer than a transaction: streams of reads, and LISTEN of task runners. Without a pooler the same as above. */
  sessions: { reader: pg.Pool; listener: pg.Pool };
  /** Replicas of the server; null without. */
  replicas: Replicas | null;
  /** Opens a connection outside the pool and without time limits: for LISTEN, migrations, backup, restore, copy and verify. */
  dedicated(): Promise<pg.Client>;
  /** A snapshot of the embedded database, to open others from. */
  snapshot(): Promise<Blob>;
  close(): Promise<void>;
}
