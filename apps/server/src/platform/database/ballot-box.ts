import type { Client } from 'pg';
import type { SecretBox } from '../secret-box.ts';
import { asRestored } from './database.ts';

/*
 * Ballots of running votes are in a schema of their own, which the portal's role may not read (decision 144). A backup holds them sealed with
 * SECRET_KEY, in the order of their receipts, so that it reveals their number, and two backups don't reveal which ballots were cast in between.
 */

/** Ballots of running votes, and whether the copy includes them. */
export type BallotsKept = { count: number; kept: boolean };

/** A ballot as it is in the box. It names no voter. */
export type BoxedBallot = [receipt: string, electionId: string, generation: number, votes: number, choices: number[]];

/** Seals ballots for a backup, and opens them again. */
export type BallotSeal = Pick<SecretBox, 'seal' | 'open'>;
const SEALED_AS = 'ballots of running votes';

/** Returns how this connection can use the box; null where the database has none. */
async function accessTo(client: Client): Promise<{ read: boolean; empty: boolean } | null> {
  const { rows } = await client.query<{ read: boolean; empty: boolean }>(`
    select has_table_privilege(c.oid, 'select') as read, has_table_privilege(c.oid, 'select, insert') and has_table_privilege(c.oid, 'delete') as empty
    from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'ballots' and c.relname = 'ballot'`);
  return rows[0] ?? null;
}

/** Counts the ballots of all rounds, which the portal's role may do. */
async function countBallots(client: Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select coalesce(sum(ballots.count_of(e.election_id, round)), 0)::int as count from election e, generate_series(1, e.generation) round`,
  );
  return rows[0]!.count;
}

/** Reads the box, in the order of the receipts. `ballots` is null where this connection may not read them. */
export async function readBallotBox(client: Client): Promise<{ count: number; ballots: BoxedBallot[] | null }> {
  const access = await accessTo(client);
  if (access === null) return { count: 0, ballots: [] };
  if (!access.read) return { count: await countBallots(client), ballots: null };
  const { rows } = await client.query<{ ballot: BoxedBallot }>(
    `select json_build_array(receipt, election_id::text, generation, votes, choices) as ballot from ballots.ballot order by receipt`,
  );
  return { count: rows.length, ballots: rows.map(({ ballot }) => ballot) };
}

/**
 * Replaces the content of the box, inside the caller's transaction. If this connection may only add ballots, the box may hold no other ones.
 * @throws Error where the box holds others
 */
export async function replaceBallotBox(client: Client, ballots: readonly BoxedBallot[]): Promise<void> {
  const access = await accessTo(client);
  if (access === null) {
    if (ballots.length > 0) throw new Error('There is no ballot box to put the ballots of running votes into.');
    return;
  }
  if (access.empty) await client.query('delete from ballots.ballot');
  // The box takes ballots within an activity only; these were cast within theirs.
  await asRestored(client, async () => {
    await client.query(
      `select ballots.store(b->>0, (b->>1)::bigint, (b->>2)::int, (b->>3)::int, array(select jsonb_array_elements_text(b->4)::int))
      from jsonb_array_elements($1::jsonb) with ordinality as given (b, place) order by place`,
      [JSON.stringify(ballots)],
    );
  });
  if ((await countBallots(client)) !== ballots.length)
    throw new Error(
      'The ballot box holds ballots that are not in the copy. As an administrator of the database: delete from ballots.ballot; then try again.',
    );
}

export const sealBallots = (seal: BallotSeal, ballots: readonly BoxedBallot[]): string =>
  seal.seal(SEALED_AS, JSON.stringify(ballots)).toString('base64');

/** @throws Error when they were sealed with another SECRET_KEY */
export const openBallots = (seal: BallotSeal, sealed: string): BoxedBallot[] =>
  JSON.parse(seal.open(SEALED_AS, Buffer.from(sealed, 'base64')).toString()) as BoxedBallot[];
