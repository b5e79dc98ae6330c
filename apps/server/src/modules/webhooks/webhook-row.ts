import type { Webhook } from '@portal/contract/webhooks/webhooks';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';

type Row = Omit<Webhook, 'state' | 'lastAttempt'> & {
  isPaused: boolean;
  creatorIsCorporate: boolean;
  lastAt: string | null;
  lastStatus: number | null;
  lastProblem: string | null;
};

/** Whether the contact who saved a webhook (`w`) is still a corporate contact who can sign in. */
export const hasOwner = sql`exists (select from login l join contact c using (login_id) where l.login_id = w.login_id and l.disabled_at is null and l.frozen_at is null
  and c.account_name = w.account_name and c.status = 'active' and 'corporate' = any (c.contact_types))`;

/** The webhooks of an account by label, or the one with this id. */
export async function webhooksOf(
  read: Pick<Read, 'rows'>,
  { accountName, now, webhookId }: { accountName: string; now: Date; webhookId?: string },
): Promise<Webhook[]> {
  const rows = await read.rows<Row>(sql`
    select w.webhook_id::text, w.label, w.url, w.categories, w.refusals, w.paused_at is not null as is_paused, w.disabled_why, l.full_name as saved_by, w.created_at,
      ${hasOwner} as creator_is_corporate, u.last_at, u.last_status, u.last_problem, u.failing_since,
      (select max(s.ends_at) from webhook_secret s where s.webhook_id = w.webhook_id and s.ends_at > ${now.toISOString()}::timestamptz) as old_secret_until,
      (select count(*)::int from webhook_delivery d where d.webhook_id = w.webhook_id and d.due_at is not null) as waiting
    from webhook w join login l using (login_id) left join webhook_use u using (webhook_id)
    where w.account_name = ${accountName} and w.removed_at is null ${webhookId === undefined ? sql`` : sql`and w.webhook_id = ${webhookId}::bigint`}
    order by lower(w.label)`);
  return rows.map(({ isPaused, creatorIsCorporate, lastAt, lastStatus, lastProblem, ...row }) => ({
    ...row,
    state: row.disabledWhy !== null ? 'disabled' : isPaused ? 'paused' : creatorIsCorporate ? 'active' : 'creator-gone',
    lastAttempt: lastAt === null ? null : { at: lastAt, status: lastStatus, problem: lastProblem },
  }));
}
