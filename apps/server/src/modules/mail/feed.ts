import { sql } from 'kysely';
import type { Feed } from '../../platform/module.ts';

/** E-mail. Messages that wait for one slow server don't make it late: only those written after the last delivered one count. */
export const mailFeed: Feed = {
  name: 'mail',
  title: 'E-mail',
  role: 'worker',
  usual: () => 30,
  asOf: async ({ db, clock }) => {
    const [row] = await db.read.rows<{ since: string | null }>(sql`select min(written_at) as since from mail
      where sent_at is null and refused_at is null and written_at > coalesce(
        (select written_at from mail where sent_at is not null or refused_at is not null order by written_at desc limit 1), '-infinity')`);
    return row!.since ?? clock().toISOString();
  },
};
