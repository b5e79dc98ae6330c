import { sql } from 'kysely';
import type { Feed } from '../../../platform/module.ts';

/** Statistics and transfer log, made each day of the registry's time zone. */
export const statisticsFeed: Feed = {
  name: 'statistics',
  title: 'Statistics and transfer log',
  role: 'worker',
  usual: () => 26 * 60,
  asOf: async ({ db }) => {
    const [row] = await db.read.rows<{ at: string }>(sql`select made_at as at from published_file order by day desc, name limit 1`);
    return row?.at ?? null;
  },
};
