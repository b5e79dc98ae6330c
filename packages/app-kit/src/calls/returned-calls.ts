import type { Router } from '../kit/place.ts';
import { hrefOf } from '../kit/place.ts';
import { createWatched } from '../place/watched.ts';
import type { CarryOut, InterruptedCall, ReturnedCalls } from '../kit/kit.ts';

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
