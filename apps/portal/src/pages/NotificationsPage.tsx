import { Page, useAddress, useAnswer, useChange } from '@portal/app-kit';
import { notifications } from '@portal/contract/notifications/notifications';
import { Button, EmptyState, Link, Segmented, Sheet } from '@portal/ui';
import { useState } from 'react';
import { NotificationList } from './notifications/NotificationList.tsx';

const shown = ['all', 'unread'] as const;

/** All notifications of the person, newest first. */
export default function NotificationsPage() {
  const address = useAddress();
  const show = address.oneOf('show', shown);
  const { rows, unread } = useAnswer(notifications.listNotifications, { query: { unread: show === 'unread' ? 'true' : 'false' } });
  const newest = rows[0]?.notificationId;
  // Only items on the screen are marked; the list below reloads.
  const [round, setRound] = useState(0);
  const readAll = useChange(notifications.readAllNotifications, {
    refresh: [notifications.countUnread, notifications.listNotifications],
    onDone: () => setRound(round + 1),
  });
  return (
    <Page
      title="Notifications"
      sub={
        <>
          Choose what also comes by e-mail in your <Link href="/settings#notifications">personal settings</Link>.
        </>
      }
    >
      <Sheet
        flush
        actions={
          <>
            <Segmented
              label="Show"
              value={show}
              options={[
                { value: 'all', label: 'All' },
                { value: 'unread', label: `Unread (${unread})` },
              ]}
              onChange={value => address.set({ show: value === 'all' ? null : value })}
            />
            {unread > 0 && newest !== undefined && (
              <Button size="s" icon="check" busy={readAll.isPending} onClick={() => readAll.mutate({ body: { upTo: newest } })}>
                Mark all as read
              </Button>
            )}
          </>
        }
      >
        {rows.length === 0 ? (
          <EmptyState title={show === 'unread' ? 'You’ve read everything' : 'No notifications yet'}>
            Requests for you, changes of contacts and sign-ins from new devices appear here.
          </EmptyState>
        ) : (
          <NotificationList key={`${show} ${round}`} unread={show === 'unread'} before={undefined} />
        )}
      </Sheet>
    </Page>
  );
}
