import { isRowId } from '@portal/contract/row-ids';
import { type AnswerOf, type BodyOf, holdsOneOf } from '@portal/contract';
import {
  type ReplyKind,
  replyKindNames,
  replyKindPermissions,
  type ReplyTemplate,
  type replyTemplates,
} from '@portal/contract/staff/reply-templates';
import { sql } from 'kysely';
import { type Change, lockByName, type Read } from '../../platform/database/index.ts';
import { refuse, refuseWithCurrent } from '../../platform/failure.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import { requireStaffPermission } from '../roles/index.ts';

type Templates = AnswerOf<typeof replyTemplates.listReplyTemplates>;
type Values = BodyOf<typeof replyTemplates.addReplyTemplate>;

/** Maximum number of texts. */
const most = 200;

type Reader = { read: Pick<Read, 'rows'>; caller: Pick<Caller, 'staffPermissions'> };

/** Lists the texts for answers that the caller gives, by title. */
export const listReplyTemplates = async ({ read, caller }: Reader): Promise<Templates> => ({
  templates: await read.rows<ReplyTemplate>(sql`select t.reply_template_id::text as template_id, t.title, t.text, t.kinds, t.version,
    l.full_name as saved_by, t.saved_at from reply_template t join login l using (login_id)
    where t.kinds && ${replyKindNames.filter(kind => holdsOneOf(caller.staffPermissions, [replyKindPermissions[kind]], true))}::text[]
    order by lower(t.title) limit ${most}`),
});

/** Checks that the caller answers all these kinds: a text is put into the answers of others. @throws Failure NO_STAFF_PERMISSION */
async function requireKinds(change: Change, caller: Caller, kinds: readonly ReplyKind[]): Promise<void> {
  for (const kind of kinds)
    await requireStaffPermission(change, caller.staffPermissions, [replyKindPermissions[kind]], { now: change.now });
}

/** Creates a text for answers. @throws Failure TEMPLATE_TITLE_TAKEN, TOO_MANY_TEMPLATES */
export async function addReplyTemplate({
  change,
  caller,
  body: { title, text, kinds },
}: Act<typeof replyTemplates.addReplyTemplate>): Promise<Templates> {
  await requireKinds(change, caller, kinds);
  await lockByName(change, 'staff.replyTemplates');
  const [kept] = await change.rows<{ count: number }>(sql`select count(*)::int as count from reply_template`);
  if (kept!.count >= most) throw refuse('TOO_MANY_TEMPLATES', { most: String(most) });
  const [added] = await change.rows(sql`insert into reply_template (title, text, kinds, login_id, saved_at)
    values (${title}, ${text}, ${eachOnce(kinds)}, ${caller.loginId}, ${change.now}::timestamptz) on conflict (lower(title)) do nothing returning 1`);
  if (!added) throw refuse('TEMPLATE_TITLE_TAKEN', { title }).at('title');
  await change.note({ title });
  return listReplyTemplates({ read: change, caller });
}

/** Changes a text for answers. @throws Failure NOT_FOUND, STALE with the present texts, TEMPLATE_TITLE_TAKEN */
export async function changeReplyTemplate({
  change,
  caller,
  params: { templateId },
  body: { title, text, kinds, version },
}: Act<typeof replyTemplates.changeReplyTemplate>): Promise<Templates> {
  await lockByName(change, 'staff.replyTemplates');
  const before = await lockTemplate(change, templateId);
  await requireKinds(change, caller, [...before.kinds, ...kinds]);
  if (before.version !== version)
    throw refuseWithCurrent(await listReplyTemplates({ read: change, caller }), 'STALE', { what: 'this template' });
  const [other] = await change.rows(
    sql`select 1 from reply_template where lower(title) = lower(${title}) and reply_template_id <> ${before.id} limit 1`,
  );
  if (other) throw refuse('TEMPLATE_TITLE_TAKEN', { title }).at('title');
  await change.rows(sql`update reply_template set title = ${title}, text = ${text}, kinds = ${eachOnce(kinds)}, version = version + 1,
    login_id = ${caller.loginId}, saved_at = ${change.now}::timestamptz where reply_template_id = ${before.id}`);
  await change.note({ title, ...(before.title !== title && { before: before.title, after: title }) });
  return listReplyTemplates({ read: change, caller });
}

/** Deletes a text for answers. @throws Failure NOT_FOUND */
export async function deleteReplyTemplate({
  change,
  caller,
  params: { templateId },
}: Act<typeof replyTemplates.deleteReplyTemplate>): Promise<Templates> {
  const { id, title, kinds } = await lockTemplate(change, templateId);
  await requireKinds(change, caller, kinds);
  await change.rows(sql`delete from reply_template where reply_template_id = ${id}`);
  await change.note({ title });
  return listReplyTemplates({ read: change, caller });
}

type Kept = { id: number; title: string; version: number; kinds: ReplyKind[] };

/** @throws Failure NOT_FOUND */
async function lockTemplate(change: Change, templateId: string): Promise<Kept> {
  const [found] = isRowId(templateId)
    ? await change.rows<Kept>(
        sql`select reply_template_id as id, title, version, kinds from reply_template where reply_template_id = ${Number(templateId)} for update`,
      )
    : [];
  if (!found) throw refuse('NOT_FOUND', { what: 'The reply template' });
  return found;
}

const eachOnce = (kinds: Values['kinds']): string[] => [...new Set(kinds)];
