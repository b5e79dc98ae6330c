import type { ActivityLine } from '@portal/contract/activity-log/activity-log';
import { sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';
import type { ModuleContext } from '../../platform/module.ts';
import { unavailability } from '../../platform/unavailability.ts';
import { memberActivity } from '../activity-log/index.ts';
import { type ChangedObject, changedObjects } from './changed-objects.ts';
import { hasOwner } from './webhook-row.ts';

/** Activities that one run turns into deliveries, and how many of one account: accounts take turns, however many one has waiting. */
const AT_ONCE = 200;
const AT_ONCE_OF_ACCOUNT = 50;
/** Activities about deliveries make no deliveries. */
const aboutDeliveries = new Set(['webhooks.testWebhook', 'webhooks.replayDelivery']);

type Event = { activityId: number; accountName: string | null; action: string; details: Record<string, unknown> | null };
type Receiver = { webhookId: string; accountName: string; categories: string[]; refusals: boolean };

/**
 * Turns committed activities into deliveries, one for each subscribed webhook. The deliveries are written in the transaction that removes the
 * events, so a crash neither loses nor duplicates any. Returns whether there were any: then there may be more.
 */
export async function makeDeliveries({
  db: { unrecorded, read },
  clock,
  log,
  config,
  modules,
}: Pick<ModuleContext, 'clock' | 'log' | 'config' | 'modules'> & { db: Pick<Database, 'unrecorded' | 'read'> }): Promise<boolean> {
  const now = clock();
  const events = await read.rows<Event>(sql`
    with recursive accounts as (
      (select account_name from webhook_event order by account_name limit 1)
      union all
      select (select e.account_name from webhook_event e where e.account_name > last.account_name order by e.account_name limit 1)
      from accounts last where last.account_name is not null),
    next as (select e.activity_id, e.place from accounts w cross join lateral (
      select activity_id, row_number() over (order by activity_id) as place from webhook_event where account_name = w.account_name
      order by activity_id limit ${AT_ONCE_OF_ACCOUNT}) e order by e.place, e.activity_id limit ${AT_ONCE})
    select activity_id, a.account_name, a.action, a.details from next join activity a using (activity_id) order by activity_id`);
  if (events.length === 0) return false;
  const receivers = await read.rows<Receiver>(sql`select w.webhook_id::text, w.account_name, w.categories, w.refusals from webhook w
    where w.account_name = any (${[...new Set(events.map(({ accountName }) => accountName))]}::text[])
      and w.removed_at is null and w.paused_at is null and w.disabled_at is null and ${hasOwner}`);
  /** An activity that can't be rendered is skipped, so that it doesn't block later ones. */
  const readable = (activityId: number, words: () => Promise<ActivityLine | null>): Promise<ActivityLine | null> =>
    words().catch((error: unknown) => {
      if (unavailability(error)) throw error;
      log.error('an activity was left out of webhooks: it has no words', { error, activityId });
      return null;
    });
  // Read before the transaction: the embedded database has one connection for both.
  const found: { activityId: number; line: ActivityLine; content: string; to: Receiver[] }[] = [];
  for (const { activityId, accountName, action, details } of events) {
    const own = receivers.filter(receiver => receiver.accountName === accountName);
    const line =
      accountName === null || own.length === 0
        ? null
        : await readable(activityId, () => memberActivity(read, accountName, activityId, { config, modules }));
    if (accountName !== null && line !== null && !aboutDeliveries.has(line.action))
      found.push({
        activityId,
        line,
        content: contentOf(line, accountName, changedObjects(action, details ?? {})),
        to: own.filter(receiver => wants(receiver, line)),
      });
  }
  return unrecorded.transaction().execute(async transaction => {
    const { rows } = await sql<{ activityId: number }>`delete from webhook_event where activity_id in
      (select activity_id from webhook_event where activity_id = any (${events.map(({ activityId }) => activityId)}::bigint[]) for update skip locked)
      returning activity_id`.execute(transaction);
    const mine = new Set(rows.map(({ activityId }) => activityId));
    for (const { activityId, line, content, to } of found.filter(each => mine.has(each.activityId)))
      for (const { webhookId } of to)
        await sql`insert into webhook_delivery (webhook_id, event_id, type, content, created_at, due_at)
          values (${webhookId}::bigint, ${`evt_${activityId}`}, ${line.action}, ${content}, ${now.toISOString()}::timestamptz, ${now.toISOString()}::timestamptz)`.execute(
          transaction,
        );
    return rows.length > 0;
  });
}

const wants = ({ categories, refusals }: Receiver, { category, result }: ActivityLine): boolean =>
  (categories.length === 0 || categories.includes(category)) && (refusals || result === 'done');

/** An activity for receivers: as members read it in the activity log, without people's addresses, and with the changed public objects. */
function contentOf(
  { at, action, activityId, what, category, object, summary, result, refusal, actor, traceId }: ActivityLine,
  account: string,
  objects: readonly ChangedObject[],
): string {
  const data = {
    account,
    activityId,
    what,
    category,
    object: object === '' && objects.length === 1 ? objects[0]!.name : object,
    objects,
    summary,
    result,
    refusal,
    actor: { kind: actor.kind, name: actor.name },
    traceId,
  };
  return JSON.stringify({ type: action, timestamp: at, data });
}
