import { reading, useChange, useKit } from '@portal/app-kit';
import { notifications } from '@portal/contract/notifications/notifications';
import { DateText } from '@portal/ui';
import { MenuPopover } from '@portal/ui/overlay/Menu';
import { useQuery } from '@tanstack/react-query';
import type { RefObject } from 'react';
import styles from './PortalTopBar.module.css';

const LATEST = 6;

/** The latest notifications under the bell. Each opens its page, and counts as read then. */
export function NotificationMenu({ triggerRef, onClose }: { triggerRef: RefObject<Element | null>; onClose: () => void }) {
  const { call } = useKit();
  const { data, isError } = useQuery({ ...reading(call, notifications.listNotifications, { query: { limit: LATEST } }), staleTime: 0 });
  const refresh = [notifications.countUnread, notifications.listNotifications];
  const read = useChange(notifications.readNotification, { refresh });
  const readAll = useChange(notifications.readAllNotifications, { refresh });
  if (!data && !isError) return null;
  const rows = data?.rows ?? [];
  const newest = rows[0];
  const act = (id: string) => {
    const row = rows.find(({ notificationId }) => String(notificationId) === id);
    if (row && row.readAt === null) read.mutate({ notificationId: id });
    if (id === 'read-all' && newest) readAll.mutate({ body: { upTo: newest.notificationId } });
  };
  return (
    <MenuPopover
      triggerRef={triggerRef}
      open
      onOpenChange={onClose}
      label="Notifications"
      onAct={act}
      head={
        <div className={styles.person}>
          <b>Notifications</b>
          <span>
            {isError
              ? 'Notifications can’t be loaded right now.'
              : rows.length === 0
                ? 'No notifications yet.'
                : `${data?.unread ?? 0} unread`}
          </span>
        </div>
      }
      groups={[
        {
          label: 'Latest',
          items: rows.map(({ notificationId, title, accountName, link, at, readAt }) => ({
            id: String(notificationId),
            label: title,
            icon: readAt === null ? ('waiting' as const) : ('check' as const),
            href: link ?? '/notifications',
            note: (
              <>
                {readAt === null && 'unread · '}
                {accountName !== null && !title.includes(accountName) && `${accountName} · `}
                <DateText value={at} shape="date" />
              </>
            ),
          })),
        },
        {
          items: [
            ...((data?.unread ?? 0) > 0 ? [{ id: 'read-all', label: 'Mark all as read', icon: 'check' as const }] : []),
            { id: 'all', label: 'All notifications', icon: 'arrow-right' as const, href: '/notifications' },
          ],
        },
      ].filter(group => group.items.length > 0)}
    />
  );
}
