import { registryRequestLife } from '@portal/contract/contacts/life';
import { closureLife, organisationChangeLife } from '@portal/contract/organisations/life';
import type { CaseNotes } from '@portal/contract/staff/cases';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import type { FoundCase } from './case-lines.ts';

/** The lives of cases that keep no events of their own: the history of their rows has each state. */
const lives = {
  contacts: registryRequestLife.approve.life,
  organisations: organisationChangeLife.approve.life,
  closures: closureLife.approve.life,
};
/** Names of states as events, where they have others. */
const events: Readonly<Record<string, string>> = { 'needs-info': 'question', closed: 'completed' };
const MAX_STEPS = 50;

/** Returns the steps of a case whose kind keeps no events of its own, oldest first, by the history of its row; none for other kinds, whose pages have their events. */
export async function stepsOf(
  read: Pick<Read, 'rows'>,
  { key, caseId, requestedBy, requestedAt }: Pick<FoundCase, 'key' | 'caseId' | 'requestedBy' | 'requestedAt'>,
): Promise<CaseNotes['steps']> {
  if (!(key in lives)) return [];
  const { table, column } = lives[key as keyof typeof lives];
  const moves = await read.rows<{ from: string | null; to: string; at: string; by: string | null }>(sql`
    select r.before ->> ${column} as "from", r.after ->> ${column} as "to", a.happened_at as at, l.full_name as "by"
    from row_change r join activity a using (activity_id)
      left join login_subject s on s.issuer = a.login_issuer and s.subject = a.login_subject
      left join login l on l.login_id = coalesce(s.login_id, a.login_subject)
    where r.table_name = ${table} and r.operation = 'UPDATE' and r.after ->> ${`${table}_id`} = ${caseId}
      and r.before ->> ${column} is distinct from r.after ->> ${column}
    order by r.activity_id, r.row_change_id limit ${MAX_STEPS}`);
  return [
    { kind: 'submitted', at: requestedAt, by: requestedBy },
    ...moves.map(({ from, to, at, by }) => ({ kind: from === 'needs-info' && to === 'in-review' ? 'answer' : (events[to] ?? to), at, by })),
  ];
}
