import { sql } from 'kysely';
import { lockAccount } from '../accounts/index.ts';
import type { LoginPrograms } from '../identity/index.ts';
import { endWebhook } from './webhooks.ts';

/** Webhooks last saved by a person, in all accounts: they are listed beside the person's sessions, and can be removed there. */
export const ownWebhooks: LoginPrograms = {
  list: async (read, { loginId }) => {
    const rows = await read.rows<{ webhookId: string; label: string; accountName: string; url: string; lastAt: string | null }>(sql`
      select w.webhook_id::text, w.label, w.account_name, w.url, u.last_at from webhook w left join webhook_use u using (webhook_id)
      where w.login_id = ${loginId} and w.removed_at is null and w.disabled_at is null and w.paused_at is null order by w.account_name, w.webhook_id desc`);
    return rows.map(({ webhookId, label, accountName, url, lastAt }) => ({
      programId: `webhook-${webhookId}`,
      label,
      accountName,
      knownAs: `Webhook to ${new URL(url).host}`,
      // It is sent from here, so it has no address of its own.
      lastUse: lastAt === null ? null : { at: lastAt, address: null },
      expiresAt: null,
    }));
  },
  end: async (db, origin, { loginId, name, programId }) => {
    const webhookId = /^webhook-(\d{1,15})$/.exec(programId)?.[1];
    if (webhookId === undefined) return false;
    const own = sql`webhook_id = ${webhookId}::bigint and login_id = ${loginId} and removed_at is null`;
    const [found] = await db.read.rows<{ accountName: string }>(sql`select account_name from webhook where ${own}`);
    if (!found) return false;
    const { accountName } = found;
    return db.change({ ...origin, accountName, action: 'webhooks.removeWebhook', summary: 'Removed a webhook' }, async change => {
      await lockAccount(change, accountName);
      const [webhook] = await change.rows<{ label: string; url: string }>(sql`select label, url from webhook where ${own}`);
      if (!webhook) return false;
      await endWebhook(change, { accountName, webhookId, ...webhook, by: name });
      return true;
    });
  },
};
