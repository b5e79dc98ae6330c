import type { Router } from '../place/place.ts';
import { hrefOf } from '../place/place.ts';
import { createWatched } from '../place/watched.ts';
import type { InterruptedCall } from './interrupted-call.ts';

type CarryOut = (input: unknown) => Promise<unknown>;

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
