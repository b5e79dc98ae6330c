import { sql } from 'kysely';
import type { Change } from '../../../platform/database/index.ts';

/** Returns whether this change has written whois objects, whose history is the journal and not the rows of the activity log. */
export async function hasWrittenObjects(change: Change): Promise<boolean> {
  const rows = await change.rows(sql`select 1 from whois_journal where activity_id = ${change.activityId} limit 1`);
  return rows.length > 0;
}
