import { sql } from 'kysely';
import type { Feed } from '../../platform/module.ts';

/** E-mail. Messages that wait for one slow server are no delay of the others: what counts was written after the last one that left. */
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
