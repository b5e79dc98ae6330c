import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import { setAsideOf } from '../../platform/work-units.ts';
import type { WorkQueue } from '../tasks/index.ts';

/** The queue of messages, as units of work. */
export const messageQueue = 'rpki.message';

/** Messages that ended the publisher twice: it answers them again, or never. Their sender is asked to try again later meanwhile. */
export const messageWorkQueue: WorkQueue = {
  queue: messageQueue,
  name: 'RPKI message',
  workOf: () => Promise.resolve(messageQueue),
  retry: async change => {
    await change.notify('rpki');
  },
  drop: async (change, unit) => {
    await change.rows(sql`delete from rpki_message where message_id = ${unit}::bigint`);
  },
};

/** Returns how many messages wait for the publisher, without those set aside. */
export async function countWaiting(read: Pick<Read, 'rows'>): Promise<number> {
  const aside = await setAsideOf(read, messageQueue);
  const [row] = await read.rows<{ messages: number }>(
    sql`select count(*)::int as messages from rpki_message where answer is null and message_id <> all(${aside}::bigint[])`,
  );
  return row!.messages;
}
