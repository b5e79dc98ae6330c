import { DAY_MS, instantAfter, instantBefore, MINUTE_MS, SECOND_MS } from '@portal/contract/days';
import { webhookDeliveryDays, webhookPatienceDays, webhookRetrySeconds } from '@portal/contract/webhooks/webhooks';
import { type RawBuilder, sql } from 'kysely';
import { FUTURE_MS } from '../../platform/clock-watch.ts';
import { type Database, ownActivity } from '../../platform/database/index.ts';
import type { ModuleContext } from '../../platform/module.ts';
import { inTrace } from '../../platform/telemetry/spans.ts';
import { doUnit, SetAside } from '../../platform/work-units.ts';
import type { WorkQueue } from '../tasks/index.ts';
import { announceDisabledWebhook } from './webhook-notices.ts';
import { hasOwner } from './webhook-row.ts';
import { webhookSecretsOf } from './webhook-secrets.ts';
import { type WebhookSender, webhookSender } from './webhook-sender.ts';
import { signedHeaders } from './webhook-signature.ts';
import { endWaiting } from './webhooks.ts';

/** Maximum number of concurrent deliveries of a process, per account, and per webhook, so that slow receivers don't block others. */
export const atOnce = 16;
const atOnceOfAccount = 3;
const atOnceEach = 2;
/** Lease of a delivery, in ms: longer than an attempt can take. */
const LEASE_MS = MINUTE_MS;
/** A retry waits for its pause, and up to a tenth longer, so that not all come together. */
const SPREAD = 0.1;
/** No retry is due later than in so many ms: one that is was planned while a clock was ahead (decision 248). */
const LATEST_DUE_MS = Math.max(...webhookRetrySeconds) * SECOND_MS * (1 + SPREAD) + FUTURE_MS;

export type Due = {
  deliveryId: string;
  webhookId: string;
  accountName: string;
  label: string;
  url: string;
  eventId: string;
  content: string;
  attempts: number;
};

/**
 * Leases at most so many due deliveries for this worker. Accounts take turns, oldest delivery first. The cost depends on the number of webhooks with
 * due deliveries, not on the number of deliveries. Those of a crashed worker are due again a minute later. Instants that only a clock that was ahead can have
 * written count as past: otherwise two such leases would hold up a webhook until then.
 */
export async function takeDue({ unrecorded }: Pick<Database, 'unrecorded'>, now: Date, most: number): Promise<Due[]> {
  const at = now.toISOString();
  const leaseEnds = sql`${instantAfter(at, LEASE_MS + FUTURE_MS)}::timestamptz`;
  const latest = sql`${instantAfter(at, LATEST_DUE_MS)}::timestamptz`;
  const isFree = sql`(leased_until is null or leased_until <= ${at}::timestamptz or leased_until > ${leaseEnds})`;
  const firstOf = (due: RawBuilder<unknown>): RawBuilder<unknown> => sql`(select delivery_id, due_at from webhook_delivery
          where webhook_id = w.webhook_id and ${due} and ${isFree} order by due_at, delivery_id limit ${atOnceEach})`;
  const { rows } = await sql<Due>`
    with busy as (
      select d.webhook_id, w.account_name, count(*)::int as deliveries from webhook_delivery d join webhook w using (webhook_id)
      where d.leased_until > ${at}::timestamptz and d.leased_until <= ${leaseEnds} group by d.webhook_id, w.account_name),
    due as (
      select w.account_name, d.delivery_id, d.due_at from webhook w
      cross join lateral (
        select delivery_id, due_at from (${firstOf(sql`due_at <= ${at}::timestamptz`)} union all ${firstOf(sql`due_at > ${latest}`)}) candidate
        order by due_at, delivery_id
        limit greatest(0, ${atOnceEach} - coalesce((select deliveries from busy where busy.webhook_id = w.webhook_id), 0))) d
      where w.removed_at is null and w.paused_at is null and w.disabled_at is null and ${hasOwner}),
    placed as (
      select delivery_id, due_at, row_number() over (partition by account_name order by due_at, delivery_id)
        + coalesce((select sum(deliveries) from busy where busy.account_name = due.account_name), 0) as place
      from due),
    taken as (
      select d.delivery_id from webhook_delivery d join placed p using (delivery_id) where p.place <= ${atOnceOfAccount}
        and (d.due_at <= ${at}::timestamptz or d.due_at > ${latest}) and ${isFree}
      order by p.place, p.due_at, d.delivery_id limit ${most} for update of d skip locked)
    update webhook_delivery d set leased_until = ${instantAfter(at, LEASE_MS)}::timestamptz
    from taken t, webhook w where d.delivery_id = t.delivery_id and w.webhook_id = d.webhook_id
    returning d.delivery_id::text, d.webhook_id::text, w.account_name, w.label, w.url, d.event_id, d.content, d.attempts`.execute(
    unrecorded,
  );
  return rows;
}

type Sending = Pick<ModuleContext, 'db' | 'box' | 'clock' | 'outside' | 'log'>;

/** The queue of deliveries among units of work. */
const deliveryQueue = 'webhook-delivery';

/** Deliveries that were set aside: a retried one is due immediately; a dropped one stays undelivered. */
export const deliveryWorkQueue: WorkQueue = {
  queue: deliveryQueue,
  name: 'Delivery of a webhook',
  workOf: () => Promise.resolve('webhooks.deliver'),
  retry: async (change, unit) => {
    await change.rows(
      sql`update webhook_delivery set due_at = ${change.now}::timestamptz where delivery_id = ${unit}::bigint and delivered_at is null`,
    );
    await change.notify('webhooks');
  },
  drop: async () => {},
};

/** Sends one delivery as a unit of work. One that is set aside no longer waits for its receiver. */
export async function sendUnit(context: Sending, due: Due): Promise<void> {
  const { deliveryId, accountName, label } = due;
  const unit = { queue: deliveryQueue, unit: deliveryId, title: `Delivery to the webhook ${label}`, accountName };
  try {
    await inTrace(
      () => ({ name: 'webhook delivery', kind: 'consumer' }),
      // The trace of the change that it tells of.
      () => ({ traceId: (JSON.parse(due.content) as { data?: { traceId?: string } }).data?.traceId }),
      () => doUnit(context, unit, () => sendOne(context, due)),
    );
  } catch (error) {
    if (!(error instanceof SetAside)) throw error;
    await sql`update webhook_delivery set due_at = null, leased_until = null where delivery_id = ${deliveryId}::bigint`.execute(
      context.db.unrecorded,
    );
  }
}

/** Sends one delivery and records the result: done, to be retried, or failed. A webhook that fails for days, or answers 410, is turned off. */
export async function sendOne({ db, box, clock, outside }: Omit<Sending, 'log'>, due: Due): Promise<void> {
  const { webhookId, url, eventId, content } = due;
  const begun = clock();
  const secrets = await webhookSecretsOf(db.read, box, { webhookId, now: begun });
  const started = performance.now();
  const sent = await outside(webhookSender).send(url, {
    headers: {
      ...signedHeaders(secrets, { eventId, content, now: begun }),
      'content-type': 'application/json',
      'user-agent': 'MyRegistry-Webhooks/1',
    },
    content,
  });
  await note(db, due, { ...sent, at: begun.toISOString(), milliseconds: Math.round(performance.now() - started) });
  if (sent.problem === null) return;
  const [use] = await db.read.rows<{ failingSince: string | null }>(
    sql`select failing_since from webhook_use where webhook_id = ${webhookId}::bigint`,
  );
  const isDead = use?.failingSince != null && use.failingSince <= instantBefore(begun, webhookPatienceDays * DAY_MS);
  if (sent.status === 410) await disable(db, due, 'its receiver answered 410 Gone');
  else if (isDead) await disable(db, due, `all deliveries failed for ${webhookPatienceDays} days. The last problem: ${sent.problem}`);
}

type Attempt = Awaited<ReturnType<WebhookSender['send']>> & { at: string; milliseconds: number };

function note({ unrecorded }: Pick<Database, 'unrecorded'>, { deliveryId, webhookId, attempts }: Due, attempt: Attempt): Promise<void> {
  const { at, milliseconds, status, problem, answer } = attempt;
  const pause = webhookRetrySeconds[attempts];
  const next = problem === null || pause === undefined ? null : instantAfter(at, pause * SECOND_MS * (1 + Math.random() * SPREAD));
  return unrecorded.transaction().execute(async transaction => {
    const { rows } =
      await sql`update webhook_delivery set attempts = attempts + 1, leased_until = null, due_at = case when due_at is null then null else ${next}::timestamptz end,
      delivered_at = ${problem === null ? at : null}::timestamptz where delivery_id = ${deliveryId}::bigint returning 1`.execute(
        transaction,
      );
    // Its webhook was removed meanwhile.
    if (rows.length === 0) return;
    await sql`insert into webhook_attempt (delivery_id, attempt, at, milliseconds, status, problem, answer)
      select ${deliveryId}::bigint, coalesce(max(attempt), 0) + 1, ${at}::timestamptz, ${milliseconds}, ${status}::integer, ${problem}::text, ${answer}
      from webhook_attempt where delivery_id = ${deliveryId}::bigint`.execute(transaction);
    await sql`insert into webhook_use (webhook_id, failing_since, last_at, last_status, last_problem)
      values (${webhookId}::bigint, ${problem === null ? null : at}::timestamptz, ${at}::timestamptz, ${status}::integer, ${problem}::text)
      on conflict (webhook_id) do update set last_at = excluded.last_at, last_status = excluded.last_status, last_problem = excluded.last_problem,
        failing_since = case when excluded.last_problem is null then null else coalesce(webhook_use.failing_since, excluded.failing_since) end`.execute(
      transaction,
    );
  });
}

function disable(db: Database, { accountName, webhookId, label, url }: Due, why: string): Promise<void> {
  return db.change(ownActivity('webhooks.disableWebhook', 'Turned off a webhook', accountName), async change => {
    const rows = await change.rows(sql`update webhook set disabled_at = ${change.now}::timestamptz, disabled_why = ${why}
      where webhook_id = ${webhookId}::bigint and disabled_at is null and removed_at is null returning 1`);
    if (rows.length === 0) return;
    await endWaiting(change, webhookId);
    await change.note({ label, why });
    await announceDisabledWebhook(change, { accountName, label, url, why });
  });
}

/** Deletes deliveries that are no longer listed. */
export async function deleteOldDeliveries({ unrecorded }: Pick<Database, 'unrecorded'>, now: Date): Promise<void> {
  await sql`delete from webhook_delivery where created_at < ${instantBefore(now, webhookDeliveryDays * DAY_MS)}::timestamptz and due_at is null`.execute(
    unrecorded,
  );
}
