import { useAnswer, useChange } from '@portal/app-kit';
import { type Notification, notifications } from '@portal/contract/notifications/notifications';
import { topics } from '@portal/contract/notifications/topics';
import { Badge, Button, DateText, Link } from '@portal/ui';
import { Suspense, useState } from 'react';
import styles from './NotificationList.module.css';

/** Notifications older than `before`, and those before them when asked for. */
export function NotificationList({ unread, before }: { unread: boolean; before: number | undefined }) {
  const [older, setOlder] = useState(false);
  const query = { unread: unread ? ('true' as const) : ('false' as const), ...(before !== undefined && { before }) };
  const { rows, next } = useAnswer(notifications.listNotifications, { query });
  return (
    <>
      <ul className={styles.list}>
        {rows.map(row => (
          <Row key={row.notificationId} row={row} />
        ))}
      </ul>
      {next !== null &&
        (older ? (
          <Suspense fallback={<p className={styles.more}>Loading older notifications</p>}>
            <NotificationList unread={unread} before={next} />
          </Suspense>
        ) : (
          <div className={styles.more}>
            <Button onClick={() => setOlder(true)}>Show older</Button>
          </div>
        ))}
    </>
  );
}

function Row({ row: { notificationId, title, text, topic, accountName, link, at, readAt } }: { row: Notification }) {
  const read = useChange(notifications.readNotification, { refresh: [notifications.countUnread, notifications.listNotifications] });
  const markRead = () => read.mutate({ notificationId: String(notificationId) });
  const label = topic in topics ? topics[topic as keyof typeof topics].label : topic;
  return (
    <li className={styles.row}>
      <h2>
        {title} {readAt === null && <Badge>unread</Badge>}
      </h2>
      <p className={styles.about}>
        {accountName ?? label} · <DateText value={at} />
      </p>
      {text.split('\n\n').map(paragraph => (
        <p key={paragraph} className={styles.text}>
          {paragraph}
        </p>
      ))}
      {(link !== null || readAt === null) && (
        <p className={styles.acts}>
          {link !== null && (
            <Link href={link} {...(readAt === null && { onClick: markRead })}>
              Open<span className="vh">: {title}</span>
            </Link>
          )}
          {readAt === null && (
            <Button size="s" variant="quiet" icon="check" busy={read.isPending} onClick={markRead}>
              Mark as read<span className="vh">: {title}</span>
            </Button>
          )}
        </p>
      )}
    </li>
  );
}
