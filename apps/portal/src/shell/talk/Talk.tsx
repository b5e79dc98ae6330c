import { reading, useKit, usePlace, useSession } from '@portal/app-kit';
import { useLive } from '@portal/app-kit/calls/live';
import { optionalPart } from '@portal/app-kit/page/later';
import { MINUTE_MS } from '@portal/contract/days';
import { pages } from '@portal/contract/pages';
import { talks } from '@portal/contract/tickets/talks';
import { Icon } from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import styles from './Talk.module.css';

const TalkPanel = optionalPart(() => import('./TalkPanel.tsx'), 'TalkPanel');

/** Opens the conversation with support for the selected account, and marks unread answers. */
export function Talk() {
  const { call } = useKit();
  const { account } = useSession();
  const trigger = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  // After signing out there is no token any more.
  const leaving = usePlace().path === pages.logout.path;
  const accountName = account?.accountName ?? null;
  const query = reading(call, talks.getTalk, { query: accountName === null ? {} : { account: accountName } });
  const { data } = useQuery({ ...query, enabled: !leaving, staleTime: 5000, refetchInterval: open ? MINUTE_MS / 6 : MINUTE_MS });
  useLive('ticket', [talks.getTalk]);
  if (leaving) return null;
  const unread = data?.ticket?.unread ?? false;
  const close = (): void => {
    setOpen(false);
    trigger.current?.focus();
  };
  return (
    <>
      <button
        ref={trigger}
        type="button"
        className={styles.open}
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-label={unread ? 'Talk to us, new answer' : 'Talk to us'}
        title="Talk to us"
        onPointerEnter={TalkPanel.ahead}
        onFocus={TalkPanel.ahead}
        onClick={() => setOpen(!open)}
      >
        <Icon name="ticket" />
        <span className={styles.words}>Talk to us</span>
        {unread && <span className={styles.unread} />}
      </button>
      {/* Beside the page, not in the bar. */}
      {open && data && createPortal(<TalkPanel talk={data} accountName={accountName} onClose={close} onLost={close} />, document.body)}
    </>
  );
}
