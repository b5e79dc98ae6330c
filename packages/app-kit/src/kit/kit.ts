import type { Act, Client, StoppedCall } from '@portal/api-client';
import type { ErrorItem } from '@portal/contract';
import type { PreferenceChange, Preferences as Kept } from '@portal/contract/identity/people';
import type { Environment } from '@portal/contract/shell/shell';
import { createContext, type ReactNode, useContext, useSyncExternalStore } from 'react';
import type { Place, Router } from './place.ts';

/** A short notification. */
export type Notice = { kind?: 'done' | 'error' | 'info'; text: string; link?: { href: string; label: string } };

/** Personal settings: on the screen and on this device immediately, on the server a second later. */
export type Preferences = {
  get: () => Kept;
  subscribe: (listener: () => void) => () => void;
  change: (change: PreferenceChange) => void;
  /** Applies the server's values; unsaved changes stay on top of them. */
  receive: (kept: Kept) => void;
};

/** A change that was refused until a second factor is given. It was not sent, and is never sent without another press. */
export type InterruptedCall = Pick<StoppedCall, 'endpoint' | 'input'> & {
  act: Act;
  userId: string;
  /** The whole address of its page: path, query and hash. */
  address: string;
  /** The redirect that it waits for: the state of the sign-in request. */
  redirect: string;
  /** When it was interrupted, ms since 1970. */
  at: number;
};

/** Makes a change with this input, and does what follows it. */
export type CarryOut = (input: unknown) => Promise<unknown>;

/**
 * The change that was interrupted by a step-up, after the person's return: it waits for their confirmation, and is dropped on any navigation.
 */
export type ReturnedCalls = {
  get: () => InterruptedCall | null;
  subscribe: (listener: () => void) => () => void;
  set: (call: InterruptedCall | null) => void;
  /** Registers a component that makes changes of this endpoint, with its follow-up. @returns a function that unregisters it */
  offer: (endpointId: string, carryOut: CarryOut) => () => void;
  /** Returns the one part of the page that makes changes of the endpoint; null if there is none, or several, of which any could be about something else. */
  makerOf: (endpointId: string) => CarryOut | null;
};

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
