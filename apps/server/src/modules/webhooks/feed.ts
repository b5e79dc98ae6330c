import { sql } from 'kysely';
import type { Feed } from '../../platform/module.ts';

/** Webhooks. Receivers that don't answer don't count as a delay: only deliveries made after the last attempt do. */
export const webhookFeed: Feed = {
  name: 'webhooks',
  title: 'Webhooks',
  role: 'worker',
  usual: () => 30,
  asOf: async ({ db, clock }) => {
    const [row] = await db.read.rows<{ event: string | null; delivery: string | null }>(sql`select
      (select min(a.happened_at) from webhook_event join activity a using (activity_id)) as event,
      (select min(created_at) from webhook_delivery where attempts = 0 and due_at is not null and delivery_id > coalesce(
        (select delivery_id from webhook_delivery where attempts > 0 order by delivery_id desc limit 1), 0)) as delivery`);
    const waiting = [row!.event, row!.delivery].filter(at => at !== null).toSorted();
    return waiting[0] ?? clock().toISOString();
  },
};
