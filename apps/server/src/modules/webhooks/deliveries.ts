import { isRowId } from '@portal/contract/row-ids';
import type { AnswerOf } from '@portal/contract';
import { type WebhookDelivery, webhookDeliveryPage, type webhooks } from '@portal/contract/webhooks/webhooks';
import { type RawBuilder, sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import type { Act, AdmittedAccount } from '../../platform/http/endpoints.ts';
import { refuse } from '../../platform/failure.ts';
import { lockOwnAccount } from '../accounts/index.ts';
import { webhookOf } from './webhooks.ts';

type Row = Omit<WebhookDelivery, 'state'> & { isDelivered: boolean; content: string };

const rowsOf = (read: Pick<Read, 'rows'>, webhookId: string, rest: RawBuilder<unknown>): Promise<Row[]> =>
  read.rows<Row>(sql`select d.delivery_id::text, d.event_id, d.type, d.content, d.created_at, d.attempts, d.due_at as next_at,
      d.delivered_at is not null as is_delivered, a.status, a.problem, a.milliseconds
    from webhook_delivery d left join lateral (select status, problem, milliseconds from webhook_attempt where delivery_id = d.delivery_id order by attempt desc limit 1) a on true
    where d.webhook_id = ${webhookId}::bigint ${rest}`);

const shown = ({ isDelivered, content: _content, ...row }: Row): WebhookDelivery => ({
  ...row,
  state: row.nextAt !== null ? 'waiting' : isDelivered ? 'delivered' : 'failed',
});

const conditions = {
  waiting: sql`and d.due_at is not null`,
  delivered: sql`and d.due_at is null and d.delivered_at is not null`,
  failed: sql`and d.due_at is null and d.delivered_at is null`,
} as const;

type One = { account: AdmittedAccount; webhookId: string; now: Date };

/** The deliveries of a webhook, newest first. @throws Failure NOT_FOUND */
export async function listDeliveries({
  read,
  account: { accountName },
  params: { webhookId },
  query: { state, before },
  registry: { now },
}: Act<typeof webhooks.listDeliveries>): Promise<AnswerOf<typeof webhooks.listDeliveries>> {
  await webhookOf(read, { accountName, now, webhookId });
  const rows = await rowsOf(
    read,
    webhookId,
    sql`${state ? conditions[state] : sql``} ${before === undefined ? sql`` : sql`and d.delivery_id < ${before}::bigint`}
      order by d.delivery_id desc limit ${webhookDeliveryPage + 1}`,
  );
  return { rows: rows.slice(0, webhookDeliveryPage).map(shown), older: rows.length > webhookDeliveryPage };
}

/** One delivery with what was sent and answered. @throws Failure NOT_FOUND */
export async function getDelivery({
  read,
  account: { accountName },
  params: { webhookId, deliveryId },
  registry: { now },
}: Act<typeof webhooks.getDelivery>): Promise<AnswerOf<typeof webhooks.getDelivery>> {
  await webhookOf(read, { accountName, now, webhookId });
  const row = await deliveryOf(read, webhookId, deliveryId);
  const attempts = await read.rows<AnswerOf<typeof webhooks.getDelivery>['attempts'][number]>(
    sql`select at, milliseconds, status, problem, answer from webhook_attempt where delivery_id = ${deliveryId}::bigint order by attempt desc limit 50`,
  );
  return { delivery: shown(row), content: row.content, attempts };
}

/** Sends a test event. @throws Failure NOT_FOUND, WEBHOOK_STOPPED */
export async function testWebhook({
  change,
  account,
  params: { webhookId },
  registry: { now },
}: Act<typeof webhooks.testWebhook>): Promise<WebhookDelivery> {
  const { accountName, label } = await sendingWebhook(change, { account, webhookId, now });
  const eventId = `evt_test_${change.activityId}`;
  const content = JSON.stringify({ type: 'webhook.test', timestamp: change.now, data: { account: accountName, webhook: label } });
  const [row] = await change.rows<{
    deliveryId: string;
  }>(sql`insert into webhook_delivery (webhook_id, event_id, type, content, created_at, due_at)
    values (${webhookId}::bigint, ${eventId}, 'webhook.test', ${content}, ${change.now}::timestamptz, ${change.now}::timestamptz) returning delivery_id::text`);
  await change.note({ label });
  await change.notify('webhooks');
  return shown(await deliveryOf(change, webhookId, row!.deliveryId));
}

/** Sends a delivery again, with the same id and as many attempts as a new one. @throws Failure NOT_FOUND, WEBHOOK_STOPPED */
export async function replayDelivery({
  change,
  account,
  params: { webhookId, deliveryId },
  registry: { now },
}: Act<typeof webhooks.replayDelivery>): Promise<WebhookDelivery> {
  const { label } = await sendingWebhook(change, { account, webhookId, now });
  const { eventId, type } = await deliveryOf(change, webhookId, deliveryId);
  await change.rows(
    sql`update webhook_delivery set due_at = ${change.now}::timestamptz, attempts = 0, delivered_at = null where delivery_id = ${deliveryId}::bigint`,
  );
  await change.note({ label, eventId, type });
  await change.notify('webhooks');
  return shown(await deliveryOf(change, webhookId, deliveryId));
}

/** @throws Failure NOT_FOUND, WEBHOOK_STOPPED */
async function sendingWebhook(change: Change, { account, webhookId, now }: One): Promise<{ accountName: string; label: string }> {
  const { accountName } = await lockOwnAccount(change, account);
  const { label, state } = await webhookOf(change, { accountName, now, webhookId });
  if (state !== 'active') throw refuse('WEBHOOK_STOPPED', { label });
  return { accountName, label };
}

/** @throws Failure NOT_FOUND */
async function deliveryOf(read: Pick<Read, 'rows'>, webhookId: string, deliveryId: string): Promise<Row> {
  const [row] = isRowId(deliveryId) ? await rowsOf(read, webhookId, sql`and d.delivery_id = ${deliveryId}::bigint`) : [];
  if (!row) throw refuse('NOT_FOUND', { what: 'The delivery' });
  return row;
}
