import { sql } from 'kysely';
import { connectionsOf, type Database } from './database.ts';
import type { Change } from './read-change.ts';

/**
 * Does something of which several processes on one PostgreSQL are never to do two at a time: one does it and the others wait. The turn ends
 * with the process too. An embedded database has one process anyhow.
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

/** The same for a change that is under way: it waits until it is its turn, which ends with it. */
export async function takeTurn(change: Change, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext(${`turn of ${name}`}))`.execute(change);
}
