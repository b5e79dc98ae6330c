import type { SearchHit } from '@portal/contract/search/search';
import { sql } from 'kysely';
import type { Find } from '../../platform/module.ts';
import { containsPattern } from '../../platform/search-text.ts';
import { TaskKinds } from './member-tasks.ts';

const RECENT = 500;

/** Tasks of the account by number or summary: own ones, and those of others for contacts who see resources. Among the newest of the account. */
export const findTasks: Find = async ({ read, account, text, most }, { modules, profile }) => {
  const kinds = new TaskKinds(modules);
  const { accountName, contactId, permissions, asStaff } = account;
  const sees = permissions.has('resources-view') || asStaff ? sql`true` : sql`a.contact_id = ${contactId}`;
  const rows = await read.rows<{
    taskId: number;
    name: string;
    summary: string;
    state: string;
  }>(sql`select task_id, name, summary, state from (
      select t.task_id, t.name, t.summary, t.state from task t join activity a using (activity_id)
      where t.account_name = ${accountName} and t.name = any(${kinds.names}::text[]) and ${sees} order by t.task_id desc limit ${RECENT}) latest
    where task_id::text = ${text} or summary ilike ${containsPattern(text)} order by task_id desc limit ${most}`);
  return rows.map(
    ({ taskId, name, summary, state }): SearchHit => ({
      section: 'tasks',
      text: `Task ${taskId}`,
      note: `${summary}, ${state}`,
      link: `/task/My${profile.product}/${kinds.of(name).page}/1/details?id=${taskId}`,
      kind: null,
    }),
  );
};
