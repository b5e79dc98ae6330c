import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';

/** Accounts on the roll of an election by their votes, the fewest votes first. */
export const classesOfRoll = (read: Pick<Read, 'rows'>, electionId: number): Promise<{ votes: number; accounts: number }[]> =>
  read.rows(
    sql`select votes, count(*)::int as accounts from election_roll where election_id = ${electionId} group by votes order by votes`,
  );
