import { messages } from '@portal/contract';
import { Banner, Button } from '@portal/ui';
import { useSyncExternalStore } from 'react';
import type { Auth } from '../auth/auth.ts';
import styles from './SessionEnd.module.css';

/** The countdown of a session that is not renewed, then the session-expired message (specification, sections 4 and 9). */
export function SessionEnd({ auth }: { auth: Auth }) {
  const { expired, endsIn } = useSyncExternalStore(auth.subscribe, auth.state);
  if (!expired && endsIn === null) return null;
  return (
    <div className={styles.end}>
      {expired ? (
        <Banner kind="error">{messages.sessionExpired}</Banner>
      ) : (
        <Banner
          kind="warning"
          actions={
            <Button size="s" variant="primary" onClick={() => void auth.renew()}>
              Stay signed in
            </Button>
          }
        >
          <span role="timer">
            Your session ends in {endsIn} {endsIn === 1 ? 'second' : 'seconds'}.
          </span>{' '}
          Then log in again to continue. Your input is kept.
        </Banner>
      )}
    </div>
  );
}
