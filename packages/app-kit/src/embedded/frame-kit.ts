import type { Client } from '@portal/api-client';
import { anySecondFactor } from '../auth/any-second-factor.ts';
import type { FrameMessage, ShellMessage } from '../frame/frame-protocol.ts';
import type { Kit, ReturnedCalls } from '../kit/kit.ts';
import type { Router } from '../kit/place.ts';
import { createPersonPreferences } from '../settings/person-preferences.ts';

/** A session that the shell sent. */
export type SessionMessage = Extract<ShellMessage, { type: 'session' }>;

/** Returns what makes the kit of a session: proxies of the shell's. */
export function frameKits(
  { call, router, returned }: { call: Client; router: Router; returned: ReturnedCalls },
  send: (message: FrameMessage) => void,
): (session: SessionMessage) => Kit {
  const preferencesOf = createPersonPreferences(call);
  return ({ person, environment }) => ({
    call,
    router,
    environment,
    preferences: preferencesOf(person),
    setTitle(title) {
      document.title = title;
      send({ type: 'title', title });
    },
    showErrors: errors => send({ type: 'errors', errors }),
    notify: notice => send({ type: 'notice', notice }),
    askForSecondFactor: () => send({ type: 'step-up', request: '', challenge: anySecondFactor[0], call: anySecondFactor[1] }),
    returned,
    question: null,
  });
}
