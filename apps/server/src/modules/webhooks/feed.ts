import { sql } from 'kysely';
import type { Backlog, Feed } from '../../platform/module.ts';

/** Instant of the first activity that waits to become deliveries. */
const firstEvent = sql`(select happened_at from activity where activity_id = (select min(activity_id) from webhook_event))`;

/** Activities of accounts with webhooks that wait to become deliveries. */
export const eventsBacklog: Backlog = {
  name: 'webhooks.events',
  waiting: async read =>
    (
      await read.rows<{ count: number; since: string | null }>(
        sql`select (select count(*)::int from webhook_event) as count, ${firstEvent} as since`,
      )
    )[0]!,
};

/** Webhooks. Receivers that don't answer don't count as a delay: only deliveries made after the last attempt do. */
export const webhookFeed: Feed = {
  name: 'webhooks',
  title: 'Webhooks',
  role: 'worker',
  usual: () => 30,
  asOf: async ({ db, clock }) => {
    const [row] = await db.read.rows<{ event: string | null; delivery: string | null }>(sql`select
      ${firstEvent} as event,
      (select min(created_at) from webhook_delivery where attempts = 0 and due_at is not null and delivery_id > coalesce(
        (select max(delivery_id) from webhook_attempt), 0)) as delivery`);
    const waiting = [row!.event, row!.delivery].filter(at => at !== null).toSorted();
    return waiting[0] ?? clock().toISOString();
  },
};
