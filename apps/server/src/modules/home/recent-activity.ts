import { DAY_MS, instantBefore } from '@portal/contract/days';
import type { RecentActivity } from '@portal/contract/home/home';
import { sql } from 'kysely';
import type { Caller } from '../../platform/http/caller.ts';
import type { Read } from '../../platform/database/index.ts';
import type { AdmittedAccount } from '../../platform/http/endpoints.ts';

const MAX_LINES = 8;
/** Older changes are not counted as new. */
const DAYS = 90;

/** Excludes dry runs, mails sent seconds after a change, and personal reads. */
const changes = sql`a.refusal is null and a.action not like 'mail.%' and a.action not like 'notifications.%' and a.action not like '%.preview%'`;

/**
 * Returns the latest changes of an account, and how many others made since the person's session before this one was last used. Sessions of people of
 * a foreign provider are unknown, so nothing is counted as new for them.
 */
export async function recentActivity(
  read: Read,
  { accountName, asStaff }: Pick<AdmittedAccount, 'accountName' | 'asStaff'>,
  caller: Caller,
  now: Date,
): Promise<RecentActivity> {
  const [visit] = asStaff
    ? []
    : await read.rows<{ since: string | null }>(sql`select max(coalesce(u.used_at, s.started_at)) as since
        from session s left join session_use u using (sid) where s.login_id = ${caller.loginId} and s.sid is distinct from ${caller.sid}`);
  const since = visit?.since ?? null;
  const oldest = instantBefore(now, DAYS * DAY_MS);
  const from = since === null ? now.toISOString() : since > oldest ? since : oldest;
  const isNew = sql`a.happened_at > ${from} and a.login_subject is distinct from ${caller.subject}`;
  const table = sql`activity a left join contact c on c.contact_id::text = a.contact_id`;
  const [counted, lines] = await Promise.all([
    since === null
      ? [{ byContacts: 0, byStaff: 0, byTheRegistry: 0 }]
      : read.rows<Pick<RecentActivity, 'byContacts' | 'byStaff' | 'byTheRegistry'>>(sql`select
          count(*) filter (where a.contact_id is not null)::int as by_contacts,
          count(*) filter (where a.contact_id is null and a.login_subject is not null)::int as by_staff,
          count(*) filter (where a.contact_id is null and a.login_subject is null)::int as by_the_registry
          from ${table} where a.account_name = ${accountName} and ${changes} and ${isNew}`),
    read.rows<RecentActivity['lines'][number]>(sql`select a.activity_id, a.happened_at as at, a.summary, ${isNew} as is_new,
      coalesce(c.full_name, case when a.login_subject is null then 'Registry' else 'Registry staff' end) as by
      from ${table} where a.account_name = ${accountName} and ${changes} order by a.activity_id desc limit ${MAX_LINES}`),
  ]);
  return { since, ...counted[0]!, lines };
}
