import { useMaybeSession } from '@portal/app-kit';
import type { Environment } from '@portal/contract/shell/shell';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { copiedToken } from '@portal/app-kit/auth/stored-user';
import { withRetries } from '@portal/ui/code/with-retries';
import type { Portal } from '../../portal.ts';
import type { Chat } from './chat.ts';

/** Loads the live chat for signed-in people, if the environment configures one, and updates it when account or token change. */
export function ChatLoader({ portal, config }: { portal: Pick<Portal, 'auth' | 'reporting'>; config: NonNullable<Environment['chat']> }) {
  const session = useMaybeSession();
  const { user } = useSyncExternalStore(portal.auth.subscribe, portal.auth.state);
  const chat = useRef<Promise<Chat | null>>(null);
  useEffect(() => {
    const idToken = user && copiedToken();
    if (!session || !idToken) return;
    const { person, account } = session;
    const who = { idToken, name: person.fullName, email: person.email, accountName: account?.accountName ?? null };
    chat.current ??= withRetries(() => import('./chat.ts'))()
      .then(({ startChat }) => startChat(config, who))
      .catch((error: unknown) => {
        portal.reporting.reportDefect(error);
        return null;
      });
    void chat.current.then(running => running?.prefill(who));
  }, [session, user, config, portal]);
  return null;
}
