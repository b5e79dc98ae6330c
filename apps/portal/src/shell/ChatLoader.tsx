import { useMaybeSession } from '@portal/app-kit';
import type { Environment } from '@portal/contract/shell/shell';
import { useEffect, useRef } from 'react';
import { copiedToken } from '@portal/app-kit/auth/stored-user';
import type { Portal } from '../portal.ts';

/** Brings the live chat to signed-in people, where the environment configures one. */
export function ChatLoader({ portal, config }: { portal: Portal; config: NonNullable<Environment['chat']> }) {
  const session = useMaybeSession();
  const started = useRef(false);
  useEffect(() => {
    const idToken = copiedToken();
    if (!session || !idToken || started.current) return;
    started.current = true;
    const { person, account } = session;
    import('./chat.ts')
      .then(({ startChat }) =>
        startChat(config, { idToken, name: person.fullName, email: person.email, accountName: account?.accountName ?? null }),
      )
      .catch(portal.reporting.reportDefect);
  }, [session, config, portal]);
  return null;
}
