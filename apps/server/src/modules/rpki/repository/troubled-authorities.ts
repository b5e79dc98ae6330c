import type { AnswerOf } from '@portal/contract';
import { DAY_MS, HOUR_MS, instantAfter, instantBefore } from '@portal/contract/days';
import { type AuthorityProblem, authorityProblems, type rpkiDesk, type TroubledAuthority } from '@portal/contract/rpki/desk';
import { type RawBuilder, sql } from 'kysely';
import type { Read } from '../../../platform/database/index.ts';
import { certificateAlarmMs, manifestAlarmMs } from './alarms.ts';
import { publisherRounds } from '../publisher-rounds.ts';
import { endingMs } from '../children/ending-files.ts';
import { PATIENCE_MS } from '../authorities/due-authorities.ts';
import type { Act } from '../../../platform/http/endpoints.ts';

/** Programs of members ask every few minutes to hours: one that has been silent for this long is off, and its certificate is not renewed. */
const SILENT_MS = 48 * HOUR_MS;
/** A new key may be activated a day after it was certified; one that waits for this long was forgotten. */
const FORGOTTEN_MS = 7 * DAY_MS;

/** Every member's authority that needs attention, once, with its most urgent problem and its rank. */
function troubled(now: Date): RawBuilder<unknown> {
  const before = (ms: number): RawBuilder<unknown> => sql`${instantBefore(now, ms)}::timestamptz`;
  const within = (ms: number): RawBuilder<unknown> => sql`${instantAfter(now, ms)}::timestamptz`;
  const found = (problem: AuthorityProblem): RawBuilder<unknown> => sql`${problem}::text as problem`;
  return sql`with hosted as (
      select c.account_name, c.activation_requested_at, k.state, k.not_after, k.created_at, m.next_update
      from rpki_ca c join rpki_key k using (ca_id) left join rpki_manifest m using (key_id)
      where c.kind = 'member' and c.state = 'active' and k.state <> 'destroyed' and k.certificate is not null),
    waiting as (select account_name, min(noticed_at) as since from rpki_due where account_name <> '' group by account_name
      having min(noticed_at) < ${before(PATIENCE_MS)}),
    own as (select d.account_name, d.child_id, d.created_at, c.last_at from rpki_child d
      left join rpki_child_contact c on c.child_id = d.child_id and c.protocol = 'provisioning' where d.state = 'active'),
    problems as (
      select account_name, 'hosted' as mode, ${found('manifest-ended')}, next_update as at, '{}'::text[] as refusals from hosted where next_update <= ${before(0)}
      union all select account_name, 'hosted', ${found('manifest-late')}, next_update, '{}' from hosted
        where next_update > ${before(0)} and next_update < ${within(manifestAlarmMs)}
      union all select account_name, 'hosted', ${found('certificate-ends')}, not_after, '{}' from hosted where not_after < ${within(certificateAlarmMs)}
      union all select account_name, case when exists (select from own where own.account_name = waiting.account_name) and not exists
          (select from rpki_ca c where c.account_name = waiting.account_name and c.state = 'active') then 'self-hosted' else 'hosted' end,
        ${found('not-published')}, since, '{}' from waiting
      union all select account_name, 'hosted', ${found('rollover-waits')}, created_at, '{}' from hosted
        where state = 'new' and created_at < ${before(FORGOTTEN_MS)} and (activation_requested_at is null or activation_requested_at < created_at)
      union all select account_name, 'self-hosted', ${found('refused-files')}, j.judged_at, j.problems from own join rpki_child_judgement j using (child_id)
        where cardinality(j.problems) > 0 and j.judged_at is not null
      union all select f.account_name, case when exists (select from own where own.account_name = f.account_name) then 'self-hosted' else 'hosted' end,
        ${found('not-in-rsync')}, f.at, f.texts from (select l."accountName" as account_name, p.succeeded_at as at, array_agg(l.uri || ': ' || l.problem order by l.uri) as texts
          from periodic_work p cross join lateral jsonb_to_recordset(case jsonb_typeof(p.noted -> 'tree' -> 'leftOut') when 'array' then p.noted -> 'tree' -> 'leftOut' else '[]' end) as l("accountName" text, uri text, problem text)
          where p.name = ${publisherRounds} and p.succeeded_at is not null group by 1, 2) f
      union all select account_name, 'self-hosted', ${found('files-end')}, j.ends_at, '{}' from own join rpki_child_judgement j using (child_id)
        where j.ends_at < ${within(endingMs)}
      union all select account_name, 'self-hosted', ${found('silent')}, last_at, '{}' from own where last_at < ${before(SILENT_MS)}
      union all select account_name, 'self-hosted', ${found('never-asked')}, created_at, '{}' from own where last_at is null and created_at < ${before(SILENT_MS)}
      union all select d.account_name, 'self-hosted', ${found('certificate-ends')}, k.not_after, '{}' from rpki_child d join rpki_child_key k using (child_id)
        where d.state = 'active' and k.certificate is not null and k.not_after < ${within(certificateAlarmMs)}
      union all select s.account_name, case when exists (select from rpki_ca c where c.account_name = s.account_name and c.state = 'active') then 'hosted' else 'self-hosted' end,
        ${found('withdrawn-soon')}, s.withdraws_at, '{}' from rpki_suspension s join account a using (account_name)
        where a.account_status = 'suspended' and s.withdrawn_at is null and s.withdraws_at is not null),
    troubled as (select distinct on (account_name, mode) *, array_position(${[...authorityProblems]}::text[], problem) as place from problems
      order by account_name, mode, array_position(${[...authorityProblems]}::text[], problem), at)`;
}

/** Counts by problem. */
export async function countTroubled(read: Pick<Read, 'rows'>, now: Date): Promise<{ problem: AuthorityProblem; count: number }[]> {
  return read.rows(sql`${troubled(now)} select problem, count(*)::int as count from troubled group by problem, place order by place`);
}

/** Lists authorities of members that need attention, for registry staff, the most urgent first. */
export async function listTroubled({
  read,
  query: { problem, offset, limit },
  registry: { now },
}: Act<typeof rpkiDesk.listTroubled>): Promise<AnswerOf<typeof rpkiDesk.listTroubled>> {
  const counts = await countTroubled(read, now);
  const rows = await read.rows<TroubledAuthority>(sql`${troubled(now)} select account_name, a.org_name, mode, problem, at, refusals
    from troubled join account a using (account_name) where ${problem === undefined ? sql`true` : sql`problem = ${problem}`}
    order by place, at, account_name, mode offset ${offset} limit ${limit}`);
  const counted = problem === undefined ? counts : counts.filter(each => each.problem === problem);
  return { total: counted.reduce((sum, { count }) => sum + count, 0), rows, counts };
}
