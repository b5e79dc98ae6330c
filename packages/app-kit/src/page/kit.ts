import type { Client } from '@portal/api-client';
import type { ErrorItem } from '@portal/contract';
import type { Environment } from '@portal/contract/shell/shell';
import { createContext, type ReactNode, useContext, useSyncExternalStore } from 'react';
import type { ReturnedCalls } from '../calls/returned-calls.ts';
import type { Preferences } from '../settings/preferences.ts';
import type { Place, Router } from '../place/place.ts';

/** A short notification. */
export type Notice = { kind?: 'done' | 'error' | 'info'; text: string; link?: { href: string; label: string } };

/** Everything an application provides to its pages: the portal its own parts, a framed page proxies of the shell's. */
export type Kit = {
  call: Client;
  router: Router;
  environment: Environment;
  /** Personal settings of the signed-in person; null without a sign-in. */
  preferences: Preferences | null;
  /** The title of the page on the screen, for the document and the frame. */
  setTitle: (title: string) => void;
  /** Shows errors in the banner at the top of the portal. */
  showErrors: (errors: readonly ErrorItem[]) => void;
  notify: (notice: Notice) => void;
  /** Leads to the provider for a second factor, which is added there if the login has none, and back to this page. */
  askForSecondFactor: () => void;
  /** The change that was interrupted for a second factor, until the person decides about it. */
  returned: ReturnedCalls;
  /** The dialog over the page about changes that wait for a second factor; null in a framed page, whose shell asks. */
  question: ReactNode;
};

export const KitContext = createContext<Kit | null>(null);

export function useKit(): Kit {
  const kit = useContext(KitContext);
  if (!kit) throw new Error('A page is shown inside KitProvider');
  return kit;
}

/** Returns the current address. */
export function usePlace(): Place {
  const { router } = useKit();
  return useSyncExternalStore(router.subscribe, router.place);
}

/** Returns one value of the query, and a function to change it. A change replaces the history entry unless it is a step of its own. */
export function useQueryValue(name: string): [string | null, (value: string | null, options?: { step?: boolean }) => void] {
  const { router } = useKit();
  const query = new URLSearchParams(usePlace().search);
  return [
    query.get(name),
    (value, { step = false } = {}) => {
      const next = new URLSearchParams(router.place().search);
      if (value === null || value === '') next.delete(name);
      else next.set(name, value);
      const search = next.toString();
      router.go(router.place().path + (search ? `?${search}` : '') + router.place().hash, { replace: !step });
    },
  ];
}
