import { DAY_MS, instantBefore } from '@portal/contract/days';
import type { RecentActivity } from '@portal/contract/home/home';
import { sql } from 'kysely';
import type { Caller } from '../../platform/http/caller.ts';
import type { Registry } from '../../platform/registry.ts';
import { frequent, type Read } from '../../platform/database/index.ts';
import type { AdmittedAccount } from '../../platform/http/endpoints.ts';
import { linesNamed, ofAccount } from '../activity-log/index.ts';

const MAX_LINES = 8;
/** Older changes are not counted as new. */
const DAYS = 90;

/** Acts of the registry that look at an account or write to its people, and change nothing of it. */
const routine = '[.](watch|remind|notify|warn|judgeSelfHosted$|announceVote$|open(Staff)?Invoice$|openOwnFile$|openDocument$)';
/** Excludes dry runs, mails sent seconds after a change, personal reads, and routine. */
const changes = sql`a.refusal is null and a.action not like 'mail.%' and a.action not like 'notifications.%' and a.action not like '%.preview%' and a.action !~ ${routine}`;

/**
 * Returns the latest changes of an account, and how many others made since the person's session before this one was last used. Sessions of people of
 * a foreign provider are unknown, so nothing is counted as new for them. Lines have the order and words of the activity log.
 */
export async function recentActivity(
  read: Read,
  account: Pick<AdmittedAccount, 'accountName' | 'asStaff' | 'permissions'>,
  caller: Caller,
  registry: Pick<Registry, 'config' | 'modules' | 'now'>,
): Promise<RecentActivity> {
  const { asStaff } = account;
  const { now } = registry;
  const [visit] = asStaff
    ? []
    : await read.rows<{ since: string | null }>(
        frequent(sql`select max(coalesce(u.used_at, s.started_at)) as since
        from session s left join session_use u using (sid) where s.login_id = ${caller.loginId} and s.sid is distinct from ${caller.sid}`),
      );
  const since = visit?.since ?? null;
  const oldest = instantBefore(now, DAYS * DAY_MS);
  const from = since === null ? now.toISOString() : since > oldest ? since : oldest;
  const isNew = sql`a.happened_at > ${from} and a.login_subject is distinct from ${caller.subject}`;
  const [counted, latest] = await Promise.all([
    since === null
      ? [{ byContacts: 0, byStaff: 0, byTheRegistry: 0 }]
      : read.rows<Pick<RecentActivity, 'byContacts' | 'byStaff' | 'byTheRegistry'>>(
          frequent(sql`select
          count(*) filter (where a.contact_id is not null)::int as by_contacts,
          count(*) filter (where a.contact_id is null and a.login_subject is not null)::int as by_staff,
          count(*) filter (where a.contact_id is null and a.login_subject is null)::int as by_the_registry
          from activity a where ${ofAccount({ account, registry })} and ${changes} and ${isNew}`),
        ),
    read.rows<{ activityId: number; isNew: boolean }>(
      frequent(sql`select a.activity_id, ${isNew} as is_new
      from activity a where ${ofAccount({ account, registry })} and ${changes} order by a.happened_at desc, a.activity_id desc limit ${MAX_LINES}`),
    ),
  ]);
  const news = new Map(latest.map(line => [line.activityId, line.isNew]));
  const lines = await linesNamed({ read, account, registry }, [...news.keys()]);
  return {
    since,
    ...counted[0]!,
    lines: lines.map(({ activityId, at, actor, summary, object }) => ({
      activityId,
      at,
      by: actor.name,
      summary,
      object: summary.includes(object) ? '' : object,
      isNew: news.get(activityId) ?? false,
    })),
  };
}
