import { isRowId } from '@portal/contract/row-ids';
import type { AnswerOf, BodyOf } from '@portal/contract';
import { HOUR_MS, instantAfter } from '@portal/contract/days';
import { maxWebhooks, type Webhook, webhookOverlapHours, type webhooks } from '@portal/contract/webhooks/webhooks';
import { sql } from 'kysely';
import { isPublicAddress } from '../../adapters/public-address.ts';
import type { Change, Read } from '../../platform/database/index.ts';
import { refuse, refuseField } from '../../platform/failure.ts';
import type { Act, AdmittedAccount } from '../../platform/http/endpoints.ts';
import { lockOwnAccount } from '../accounts/index.ts';
import { announceWebhook } from './webhook-notices.ts';
import { webhooksOf } from './webhook-row.ts';
import { addWebhookSecret } from './webhook-secrets.ts';

type Settings = BodyOf<typeof webhooks.createWebhook>;
type WithSecret = AnswerOf<typeof webhooks.createWebhook>;

/** The webhooks of the account. */
export const listWebhooks = async ({
  read,
  account: { accountName },
  registry: { now },
}: Act<typeof webhooks.listWebhooks>): Promise<{ rows: Webhook[] }> => ({
  rows: await webhooksOf(read, { accountName, now }),
});

/** Creates a webhook and returns it with its secret. @throws Failure as the contract lists */
export async function createWebhook({
  change,
  account,
  caller,
  body,
  registry: {
    now,
    box,
    config: { webhooksStayPublic: stayPublic },
  },
}: Act<typeof webhooks.createWebhook>): Promise<WithSecret> {
  const given = checkedSettings(body, { account, stayPublic });
  const { accountName } = await lockOwnAccount(change, account);
  const present = await webhooksOf(change, { accountName, now });
  if (present.length >= maxWebhooks) throw refuse('TOO_MANY_WEBHOOKS', { most: String(maxWebhooks) });
  refuseTaken(present, given.label);
  const [row] = await change.rows<{ webhookId: string }>(sql`
    insert into webhook (account_name, label, url, categories, refusals, login_id, created_at)
    values (${accountName}, ${given.label}, ${given.url}, ${given.categories}::text[], ${given.refusals}, ${caller.loginId}, ${change.now}::timestamptz)
    returning webhook_id::text`);
  const { webhookId } = row!;
  const secret = await addWebhookSecret(change, box, webhookId);
  await change.note({ label: given.label, url: given.url });
  await announceWebhook(change, { accountName, label: given.label, url: given.url, act: 'created', by: caller.name });
  return { webhook: await webhookOf(change, { accountName, now, webhookId }), secret };
}

/** Changes a webhook and turns it on. @throws Failure as the contract lists */
export async function saveWebhook({
  change,
  account,
  caller,
  params: { webhookId },
  body,
  registry: {
    now,
    config: { webhooksStayPublic: stayPublic },
  },
}: Act<typeof webhooks.saveWebhook>): Promise<Webhook> {
  const { accountName } = await lockOwnAccount(change, account);
  const before = await webhookOf(change, { accountName, now, webhookId });
  const given = checkedSettings({ categories: before.categories, refusals: before.refusals, ...body }, { account, stayPublic });
  const present = await webhooksOf(change, { accountName, now });
  refuseTaken(
    present.filter(each => each.webhookId !== webhookId),
    given.label,
  );
  await change.rows(sql`update webhook set label = ${given.label}, url = ${given.url}, categories = ${given.categories}::text[], refusals = ${given.refusals},
    login_id = ${caller.loginId}, paused_at = null, disabled_at = null, disabled_why = null where webhook_id = ${webhookId}::bigint`);
  // Its failure period starts over.
  await change.rows(sql`update webhook_use set failing_since = null where webhook_id = ${webhookId}::bigint`);
  await change.note({ label: given.label, url: given.url });
  if (before.url !== given.url)
    await announceWebhook(change, { accountName, label: given.label, url: given.url, act: 'changed', by: caller.name });
  return webhookOf(change, { accountName, now, webhookId });
}

/** Turns a webhook off; pending deliveries are not sent. @throws Failure NOT_FOUND, ALREADY_RESOLVED */
export async function pauseWebhook({
  change,
  account,
  params: { webhookId },
  registry: { now },
}: Act<typeof webhooks.pauseWebhook>): Promise<Webhook> {
  const { accountName } = await lockOwnAccount(change, account);
  const { label, state } = await webhookOf(change, { accountName, now, webhookId });
  if (state === 'paused' || state === 'disabled') throw refuse('ALREADY_RESOLVED', { what: `The webhook ${label}` });
  await change.rows(sql`update webhook set paused_at = ${change.now}::timestamptz where webhook_id = ${webhookId}::bigint`);
  await endWaiting(change, webhookId);
  await change.note({ label });
  return webhookOf(change, { accountName, now, webhookId });
}

/** Removes a webhook. @throws Failure NOT_FOUND */
export async function removeWebhook({
  change,
  account,
  caller,
  params: { webhookId },
  registry: { now },
}: Act<typeof webhooks.removeWebhook>): Promise<{ label: string }> {
  const { accountName } = await lockOwnAccount(change, account);
  const { label, url } = await webhookOf(change, { accountName, now, webhookId });
  await endWebhook(change, { accountName, webhookId, label, url, by: caller.name });
  return { label };
}

/** Removes a webhook that was found, with its deliveries and secrets. */
export async function endWebhook(
  change: Change,
  { accountName, webhookId, label, url, by }: { accountName: string; webhookId: string; label: string; url: string; by: string },
): Promise<void> {
  await change.rows(sql`update webhook set removed_at = ${change.now}::timestamptz where webhook_id = ${webhookId}::bigint`);
  await change.rows(sql`delete from webhook_secret where webhook_id = ${webhookId}::bigint`);
  await change.rows(sql`delete from webhook_delivery where webhook_id = ${webhookId}::bigint`);
  await change.note({ label });
  await announceWebhook(change, { accountName, label, url, act: 'removed', by });
}

/** Gives a webhook a new secret; the previous one signs for one more day, older ones stop. @throws Failure NOT_FOUND */
export async function rotateWebhookSecret({
  change,
  account,
  caller,
  params: { webhookId },
  registry: { now, box },
}: Act<typeof webhooks.rotateWebhookSecret>): Promise<WithSecret> {
  const { accountName } = await lockOwnAccount(change, account);
  const { label, url } = await webhookOf(change, { accountName, now, webhookId });
  await change.rows(sql`delete from webhook_secret where webhook_id = ${webhookId}::bigint and ends_at is not null`);
  await change.rows(sql`update webhook_secret set ends_at = ${instantAfter(change.now, webhookOverlapHours * HOUR_MS)}::timestamptz
    where webhook_id = ${webhookId}::bigint`);
  const secret = await addWebhookSecret(change, box, webhookId);
  await change.note({ label });
  await announceWebhook(change, { accountName, label, url, act: 'given a new secret', by: caller.name });
  return { webhook: await webhookOf(change, { accountName, now, webhookId }), secret };
}

/** Cancels pending deliveries of a webhook; they stay in its list, and can be resent from there. */
export const endWaiting = (change: Change, webhookId: string): Promise<unknown> =>
  change.rows(sql`update webhook_delivery set due_at = null where webhook_id = ${webhookId}::bigint and due_at is not null`);

/** One webhook of the account. @throws Failure NOT_FOUND */
export async function webhookOf(read: Pick<Read, 'rows'>, asked: { accountName: string; now: Date; webhookId: string }): Promise<Webhook> {
  const [webhook] = isRowId(asked.webhookId) ? await webhooksOf(read, asked) : [];
  if (!webhook) throw refuse('NOT_FOUND', { what: 'The webhook' });
  return webhook;
}

function refuseTaken(present: readonly Webhook[], label: string): void {
  if (present.some(each => each.label.toLowerCase() === label.toLowerCase())) throw refuse('WEBHOOK_LABEL_TAKEN', { label }).at('label');
}

/** @throws Failure INVALID_REQUEST for an invalid address, NO_PERMISSION for a person who can't read the activity log */
function checkedSettings(body: Settings, { account, stayPublic }: { account: AdmittedAccount; stayPublic: boolean }): Settings {
  if (!account.permissions.has('member-account-access-logs-view')) throw refuse('NO_PERMISSION');
  return { ...body, url: callableUrl(body.url, stayPublic), categories: [...new Set(body.categories)] };
}

const example = 'Enter an address such as https://hooks.example.net/registry';

/** Normalises the address. @throws Failure INVALID_REQUEST */
function callableUrl(text: string, stayPublic: boolean): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol)) throw refuseField('url', `${text} isn’t a web address. ${example}`);
  if (url.username !== '' || url.password !== '') throw refuseField('url', 'A password in an address can leak. Check signatures instead');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (stayPublic) {
    if (url.protocol !== 'https:') throw refuseField('url', `Events are sent encrypted only. ${example}`);
    const isLiteral = /^[\d.]+$|:/.test(host);
    if (
      isLiteral
        ? !isPublicAddress(host)
        : !/[^.]\.[^.]/.test(host) || /\.(?:localhost|local|internal|test|invalid|onion|home\.arpa)\.?$/.test(host)
    )
      throw refuseField('url', `${host} can’t be reached on the internet. ${example}`);
  }
  url.hash = '';
  if (url.href.length > 500) throw refuseField('url', 'Enter at most 500 characters');
  return url.href;
}
