import { DAY_MS, HOUR_MS, MINUTE_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import type { Feed } from '../../platform/module.ts';

/** The roots of the log: a line that was sealed at the beginning of a day waits until it is over. */
export const logRootsFeed: Feed = {
  name: 'log-roots',
  title: 'Roots of the activity log',
  role: 'worker',
  usual: () => (DAY_MS + 2 * HOUR_MS) / MINUTE_MS,
  asOf: async ({ db, clock }) => {
    const [row] = await db.read.rows<{ last: number | null; waits: string | null }>(sql`select last_position as last,
      (select sealed_at from activity_seal where position = last_position + 1) as waits from log_root order by root_id desc limit 1`);
    return row ? (row.waits ?? clock().toISOString()) : null;
  },
};
