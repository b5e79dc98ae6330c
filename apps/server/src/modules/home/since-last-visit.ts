import { DAY_MS, instantBefore } from '@portal/contract/days';
import type { SinceLastVisit } from '@portal/contract/home/last-visit';
import { sql } from 'kysely';
import type { Caller } from '../../platform/caller.ts';
import type { Read } from '../../platform/database/index.ts';

const MAX_LINES = 8;
/** Older changes are neither shown nor counted. */
const DAYS = 90;

/**
 * Returns others' changes in an account since the person's previous session was last used. For people of a foreign provider no session is
 * known, so there is none to compare with.
 */
export async function getSinceLastVisit(read: Read, accountName: string, caller: Caller, now: Date): Promise<SinceLastVisit> {
  const [visit] = await read.rows<{ since: string | null }>(sql`select max(coalesce(u.used_at, s.started_at)) as since
    from session s left join session_use u using (sid) where s.login_id = ${caller.loginId} and s.sid is distinct from ${caller.sid}`);
  const since = visit?.since ?? null;
  if (since === null) return { since, byContacts: 0, byStaff: 0, byTheRegistry: 0, lines: [] };
  const oldest = instantBefore(now, DAYS * DAY_MS);
  const others = sql`from activity a left join contact c on c.contact_id::text = a.contact_id
    where a.account_name = ${accountName} and a.refusal is null and a.happened_at > ${since > oldest ? since : oldest}
      and a.login_subject is distinct from ${caller.subject}
      and a.action not like 'mail.%' and a.action not like 'notifications.%'`;
  const [counted, lines] = await Promise.all([
    read.rows<Omit<SinceLastVisit, 'since' | 'lines'>>(sql`select count(*) filter (where a.contact_id is not null)::int as by_contacts,
      count(*) filter (where a.contact_id is null and a.login_subject is not null)::int as by_staff,
      count(*) filter (where a.contact_id is null and a.login_subject is null)::int as by_the_registry ${others}`),
    read.rows<SinceLastVisit['lines'][number]>(sql`select a.activity_id, a.happened_at as at, a.summary,
      coalesce(c.full_name, case when a.login_subject is null then 'Registry' else 'Registry staff' end) as by ${others}
      order by a.activity_id desc limit ${MAX_LINES}`),
  ]);
  return { since, ...counted[0]!, lines };
}
