import type { AnswerOf, BodyOf } from '@portal/contract';
import type { ReplyTemplate, replyTemplates } from '@portal/contract/staff/reply-templates';
import { sql } from 'kysely';
import { type Change, lockByName, type Read } from '../../platform/database/index.ts';
import { refuse, refuseWithCurrent } from '../../platform/failure.ts';
import type { Act } from '../../platform/http/endpoints.ts';

type Templates = AnswerOf<typeof replyTemplates.listReplyTemplates>;
type Values = BodyOf<typeof replyTemplates.addReplyTemplate>;

/** Maximum number of texts. */
const most = 200;

/** Lists the texts for answers, by title. */
export const listReplyTemplates = async ({ read }: { read: Pick<Read, 'rows'> }): Promise<Templates> => ({
  templates: await read.rows<ReplyTemplate>(sql`select t.reply_template_id::text as template_id, t.title, t.text, t.kinds, t.version,
    l.full_name as saved_by, t.saved_at from reply_template t join login l using (login_id) order by lower(t.title) limit ${most}`),
});

/** Creates a text for answers. @throws Failure TEMPLATE_TITLE_TAKEN, TOO_MANY_TEMPLATES */
export async function addReplyTemplate({
  change,
  caller: { loginId },
  body: { title, text, kinds },
}: Act<typeof replyTemplates.addReplyTemplate>): Promise<Templates> {
  await lockByName(change, 'staff.replyTemplates');
  const [kept] = await change.rows<{ count: number }>(sql`select count(*)::int as count from reply_template`);
  if (kept!.count >= most) throw refuse('TOO_MANY_TEMPLATES', { most: String(most) });
  const [added] = await change.rows(sql`insert into reply_template (title, text, kinds, login_id, saved_at)
    values (${title}, ${text}, ${eachOnce(kinds)}, ${loginId}, ${change.now}::timestamptz) on conflict (lower(title)) do nothing returning 1`);
  if (!added) throw refuse('TEMPLATE_TITLE_TAKEN', { title }).at('title');
  await change.note({ title });
  return listReplyTemplates({ read: change });
}

/** Changes a text for answers. @throws Failure NOT_FOUND, STALE with the present texts, TEMPLATE_TITLE_TAKEN */
export async function changeReplyTemplate({
  change,
  caller: { loginId },
  params: { templateId },
  body: { title, text, kinds, version },
}: Act<typeof replyTemplates.changeReplyTemplate>): Promise<Templates> {
  await lockByName(change, 'staff.replyTemplates');
  const before = await lockTemplate(change, templateId);
  if (before.version !== version) throw refuseWithCurrent(await listReplyTemplates({ read: change }), 'STALE', { what: 'this template' });
  const [other] = await change.rows(
    sql`select 1 from reply_template where lower(title) = lower(${title}) and reply_template_id <> ${before.id} limit 1`,
  );
  if (other) throw refuse('TEMPLATE_TITLE_TAKEN', { title }).at('title');
  await change.rows(sql`update reply_template set title = ${title}, text = ${text}, kinds = ${eachOnce(kinds)}, version = version + 1,
    login_id = ${loginId}, saved_at = ${change.now}::timestamptz where reply_template_id = ${before.id}`);
  await change.note({ title, ...(before.title !== title && { before: before.title, after: title }) });
  return listReplyTemplates({ read: change });
}

/** Deletes a text for answers. @throws Failure NOT_FOUND */
export async function deleteReplyTemplate({
  change,
  params: { templateId },
}: Act<typeof replyTemplates.deleteReplyTemplate>): Promise<Templates> {
  const { id, title } = await lockTemplate(change, templateId);
  await change.rows(sql`delete from reply_template where reply_template_id = ${id}`);
  await change.note({ title });
  return listReplyTemplates({ read: change });
}

/** @throws Failure NOT_FOUND */
async function lockTemplate(change: Change, templateId: string): Promise<{ id: number; title: string; version: number }> {
  const [found] = /^\d{1,15}$/.test(templateId)
    ? await change.rows<{
        id: number;
        title: string;
        version: number;
      }>(sql`select reply_template_id as id, title, version from reply_template where reply_template_id = ${Number(templateId)} for update`)
    : [];
  if (!found) throw refuse('NOT_FOUND', { what: 'The reply template' });
  return found;
}

const eachOnce = (kinds: Values['kinds']): string[] => [...new Set(kinds)];
