import type { Endpoint } from '@portal/contract';
import { limitsOf, type StaffLimit } from '@portal/contract/staff-limits';
import type { Change } from './database/index.ts';

/** The limits under which something was counted in a change. */
const counted = new WeakMap<Change, Set<StaffLimit>>();

/** Notes that an act was counted under a limit in this change. */
export function noteCounted(change: Change, limit: StaffLimit): void {
  counted.set(change, (counted.get(change) ?? new Set()).add(limit));
}

/**
 * Returns the function of an endpoint so that it can't be done without being counted under each of the limits that its endpoint declares.
 * @throws Error for one that was not, a defect of the function: its change is rolled back
 */
export function countedAct<Act extends { change?: Change | undefined }, Answer>(
  endpoint: Pick<Endpoint, 'id' | 'limit'>,
  handler: (act: Act) => Promise<Answer>,
): (act: Act) => Promise<Answer> {
  const limits = limitsOf(endpoint);
  if (limits.length === 0) return handler;
  const act = async (given: Act): Promise<Answer> => {
    const answer = await handler(given);
    const done = given.change && counted.get(given.change);
    for (const limit of limits)
      if (!done?.has(limit)) throw new Error(`${endpoint.id} declares the limit "${limit}" and was not counted under it.`);
    return answer;
  };
  return Object.assign(act, 'readFirst' in handler && { readFirst: handler.readFirst });
}
