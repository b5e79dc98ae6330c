import { isRowId } from '@portal/contract/row-ids';
import type { AnswerOf } from '@portal/contract';
import type { Notification, notifications } from '@portal/contract/notifications/notifications';
import { addressInAccount } from '@portal/contract/pages';
import type { Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import { hasSeveralAccounts } from '../accounts/index.ts';

/** Lists a person's notifications, newest first, a page at a time after the last id of the previous page. */
export async function listNotifications({
  read,
  caller: { loginId },
  query: { before, unread, limit },
}: Act<typeof notifications.listNotifications>): Promise<AnswerOf<typeof notifications.listNotifications>> {
  let query = read
    .selectFrom('notification')
    .select(['notificationId', 'topic', 'accountName', 'title', 'body', 'link', 'writtenAt', 'readAt'])
    .where('loginId', '=', loginId)
    .orderBy('notificationId', 'desc')
    .limit(limit + 1);
  if (before !== undefined) query = query.where('notificationId', '<', before);
  if (unread === 'true') query = query.where('readAt', 'is', null);
  const found = await query.execute();
  const several = await hasSeveralAccounts(read, loginId);
  const rows = found.slice(0, limit).map(
    ({ body, writtenAt, link, ...row }): Notification => ({
      ...row,
      link: several && link !== null && row.accountName !== null ? addressInAccount(link, row.accountName) : link,
      text: body,
      at: writtenAt,
    }),
  );
  return { rows, next: found.length > limit ? rows.at(-1)!.notificationId : null, ...(await countUnread({ read, caller: { loginId } })) };
}

export async function countUnread({ read, caller: { loginId } }: { read: Read; caller: { loginId: string } }): Promise<{ unread: number }> {
  const { unread } = await read
    .selectFrom('notification')
    .select(({ fn }) => fn.countAll<number>().as('unread'))
    .where('loginId', '=', loginId)
    .where('readAt', 'is', null)
    .executeTakeFirstOrThrow();
  return { unread: Number(unread) };
}

/** Records that a notification was read. @throws Failure NOT_FOUND, also for those of others */
export async function readNotification({
  change,
  caller: { loginId },
  params: { notificationId },
}: Act<typeof notifications.readNotification>): Promise<{ unread: number }> {
  const own = isRowId(notificationId)
    ? await change
        .updateTable('notification')
        .set(eb => ({ readAt: eb.fn.coalesce('readAt', eb.val(change.now)) }))
        .where('notificationId', '=', Number(notificationId))
        .where('loginId', '=', loginId)
        .returning('notificationId')
        .executeTakeFirst()
    : undefined;
  if (!own) throw refuse('NOT_FOUND', { what: 'The notification' });
  return countUnread({ read: change, caller: { loginId } });
}

/** Records that all up to this one were read. */
export async function readAllNotifications({
  change,
  caller: { loginId },
  body: { upTo },
}: Act<typeof notifications.readAllNotifications>): Promise<{ unread: number }> {
  await change
    .updateTable('notification')
    .set({ readAt: change.now })
    .where('loginId', '=', loginId)
    .where('notificationId', '<=', upTo)
    .where('readAt', 'is', null)
    .execute();
  return countUnread({ read: change, caller: { loginId } });
}
