import { reading, usePlace } from '@portal/app-kit';
import { optionalPart } from '@portal/app-kit/page/later';
import { MINUTE_MS } from '@portal/contract/days';
import { notifications } from '@portal/contract/notifications/notifications';
import { pages } from '@portal/contract/pages';
import { Icon } from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState, useSyncExternalStore } from 'react';
import type { Portal } from '../portal.ts';
import styles from './Bell.module.css';

const NotificationMenu = optionalPart(() => import('./NotificationMenu.tsx'), 'NotificationMenu');

/** The number of unread notifications, refreshed on focus and once a minute while focused. Opens the latest. */
export function Bell({ portal }: { portal: Portal }) {
  const trigger = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  // After signing out there is no token any more.
  const leaving = usePlace().path === pages.logout.path;
  // The page's own reads come first.
  const whole = useSyncExternalStore(portal.whole.subscribe, portal.whole.get);
  const { data } = useQuery({
    ...reading(portal.call, notifications.countUnread, {}),
    enabled: whole && !leaving,
    staleTime: 5_000,
    refetchOnWindowFocus: true,
    refetchInterval: MINUTE_MS,
  });
  const unread = data?.unread ?? 0;
  return (
    <>
      <button
        ref={trigger}
        type="button"
        className={styles.bell}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-label={unread === 0 ? 'Notifications' : `Notifications, ${unread} unread`}
        onPointerEnter={NotificationMenu.ahead}
        onFocus={NotificationMenu.ahead}
        onClick={() => setOpen(!open)}
      >
        <Icon name="bell" />
        {unread > 0 && <span className={styles.count}>{unread > 99 ? '99+' : unread}</span>}
      </button>
      {open && <NotificationMenu triggerRef={trigger} onClose={() => setOpen(false)} onLost={() => setOpen(false)} />}
    </>
  );
}
