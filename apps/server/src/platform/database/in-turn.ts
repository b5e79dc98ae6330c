import { sql } from 'kysely';
import { connectionsOf, type Database } from './database.ts';
import type { Change } from './read-change.ts';

/**
 * Runs something that only one process on a PostgreSQL may do at a time; the others wait. The lock ends with the process, too. An embedded database
 * has one process anyway.
 */
export async function inTurn<T>(database: Database, name: string, work: () => Promise<T>): Promise<T> {
  if (database.kind === 'embedded') return work();
  const client = await connectionsOf(database).dedicated();
  try {
    await client.query('select pg_advisory_lock(hashtext($1))', [`turn of ${name}`]);
    return await work();
  } finally {
    await client.end();
  }
}

/** The same within a change: it waits for the lock and holds it until it ends. */
export async function takeTurn(change: Change, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext(${`turn of ${name}`}))`.execute(change);
}
