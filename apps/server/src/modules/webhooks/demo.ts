import { DAY_MS, instantBefore, MINUTE_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import type { Change } from '../../platform/database/index.ts';
import type { DemoRegistry } from '../../platform/demo.ts';
import { openSecretBox } from '../../platform/secret-box.ts';
import { addWebhookSecret } from './webhook-secrets.ts';

const accountName = 'EXAMPLE-AU';
const label = 'team-chat';
const url = 'https://chat.example-au.example/hooks/registry';
/** Days since it was made, and since it was paused. */
const MADE_DAYS = 46;
const PAUSED_DAYS = 3;

/** How a test event went: days ago, and its attempts with a minute between them. */
type Sent = { days: number; attempts: readonly { status: number; milliseconds: number; problem: string | null; answer: string }[] };

const ok = { status: 200, problem: null, answer: 'ok' };
const sent: readonly Sent[] = [
  { days: 12, attempts: [{ ...ok, milliseconds: 118 }] },
  {
    days: 8,
    attempts: [
      { status: 503, milliseconds: 2_410, problem: 'it answered 503', answer: 'upstream not ready' },
      { ...ok, milliseconds: 210 },
    ],
  },
  { days: 4, attempts: [{ ...ok, milliseconds: 96 }] },
];

/** Adds a webhook that was tested and is paused, so that the demo calls no address. No one is told of it. */
export async function addDemoLife({ changeAs, config, today }: DemoRegistry): Promise<void> {
  await changeAs({
    person: 'corin',
    accountName,
    action: 'webhooks.createWebhook',
    summary: 'Created a webhook',
    daysAgo: MADE_DAYS,
    run: async (change, { caller }) => {
      const [row] = await change.rows<{ webhookId: string }>(sql`
        insert into webhook (account_name, label, url, categories, login_id, created_at, paused_at)
        values (${accountName}, ${label}, ${url}, ${['resources', 'whois']}::text[], ${caller.loginId}, ${instantBefore(today, MADE_DAYS * DAY_MS)}::timestamptz,
          ${instantBefore(today, PAUSED_DAYS * DAY_MS)}::timestamptz) returning webhook_id::text`);
      await addWebhookSecret(change, openSecretBox(config), row!.webhookId);
      for (const [place, each] of sent.entries()) await addDelivery(change, { webhookId: row!.webhookId, place, ...each, today });
      await change.note({ label, url });
    },
  });
}

async function addDelivery(
  change: Change,
  { webhookId, place, days, attempts, today }: Sent & { webhookId: string; place: number; today: Date },
): Promise<void> {
  const at = instantBefore(today, days * DAY_MS);
  const attemptAt = (attempt: number): string => instantBefore(at, -attempt * MINUTE_MS);
  const last = attempts.at(-1)!;
  const lastAt = attemptAt(attempts.length - 1);
  const content = JSON.stringify({ type: 'webhook.test', timestamp: at, data: { account: accountName, webhook: label } });
  const [row] = await change.rows<{ deliveryId: string }>(sql`
    insert into webhook_delivery (webhook_id, event_id, type, content, created_at, attempts, delivered_at)
    values (${webhookId}::bigint, ${`evt_test_${change.activityId}_${place}`}, 'webhook.test', ${content}, ${at}::timestamptz, ${attempts.length},
      ${lastAt}::timestamptz) returning delivery_id::text`);
  for (const [attempt, { status, milliseconds, problem, answer }] of attempts.entries())
    await change.rows(sql`insert into webhook_attempt (delivery_id, attempt, at, milliseconds, status, problem, answer)
      values (${row!.deliveryId}::bigint, ${attempt + 1}, ${attemptAt(attempt)}::timestamptz, ${milliseconds}, ${status}, ${problem}, ${answer})`);
  await change.rows(sql`insert into webhook_use (webhook_id, last_at, last_status, last_problem)
    values (${webhookId}::bigint, ${lastAt}::timestamptz, ${last.status}, ${last.problem})
    on conflict (webhook_id) do update set last_at = excluded.last_at, last_status = excluded.last_status, last_problem = excluded.last_problem`);
}

export { regionStages } from './demo-region.ts';
