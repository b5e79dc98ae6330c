import type { Router } from '../place/place.ts';
import { hrefOf } from '../place/place.ts';
import { createWatched } from '../place/watched.ts';
import type { InterruptedCall } from './interrupted-call.ts';

type CarryOut = (input: unknown) => Promise<unknown>;

/**
 * The change that a person was about to make when a second factor was asked for, now that they are back: it waits for their press, and
 * ends with any step to another address.
 */
export type ReturnedCalls = {
  get: () => InterruptedCall | null;
  subscribe: (listener: () => void) => () => void;
  set: (call: InterruptedCall | null) => void;
  /** A part of the page that makes changes of this endpoint, with what follows them there. @returns what takes the offer back */
  offer: (endpointId: string, carryOut: CarryOut) => () => void;
  /** Returns the one part of the page that makes changes of the endpoint; null if there is none, or several, of which any could be about something else. */
  makerOf: (endpointId: string) => CarryOut | null;
};

/** @param onEnd called when it was made or given up */
export function createReturnedCalls(router: Router, onEnd: () => void = () => undefined): ReturnedCalls {
  const returned = createWatched<InterruptedCall | null>(null);
  const offers = new Map<string, Set<CarryOut>>();
  const set = (call: InterruptedCall | null): void => {
    const hadOne = returned.get() !== null;
    if (!hadOne && !call) return;
    returned.set(call);
    if (hadOne) onEnd();
  };
  router.subscribe(() => {
    const call = returned.get();
    if (call && hrefOf(router.place()) !== call.address) set(null);
  });
  return {
    get: returned.get,
    subscribe: returned.subscribe,
    set,
    offer(endpointId, carryOut) {
      const makers = offers.get(endpointId) ?? new Set();
      offers.set(endpointId, makers.add(carryOut));
      return () => void makers.delete(carryOut);
    },
    makerOf(endpointId) {
      const [only, ...others] = offers.get(endpointId) ?? [];
      return only && others.length === 0 ? only : null;
    },
  };
}
