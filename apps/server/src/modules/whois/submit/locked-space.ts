import type { NumberResource } from '@portal/number-resources';
import { mappedInTurns } from '../../../platform/breathing.ts';
import type { Change } from '../../../platform/database/index.ts';
import { lockedPartsMeeting } from '../../resources/index.ts';
import { addressesOf, asNumberOf } from '../store/object-facts.ts';
import { type Credentials, type Item, problem, type WhoisProblem } from '../store/update.ts';

/** Classes whose objects are over numbers. */
const placedClasses = new Set(['inetnum', 'inet6num', 'route', 'route6', 'domain', 'aut-num']);

function placeOf(item: Item): NumberResource | null {
  if (!placedClasses.has(item.class) || item.unchanged) return null;
  if (item.class !== 'aut-num') return addressesOf(item.object);
  const asn = asNumberOf(item.key);
  return asn === null ? null : { family: 'asn', first: asn, last: asn };
}

/**
 * Finds objects over numbers that a request is moving, once the other party has confirmed. Inside them nothing can be made, changed or deleted;
 * objects that reach beyond them can't be made or deleted. The registry's own objects follow the ledger. The database enforces the same.
 */
export async function findLocked(
  change: Change,
  items: readonly Item[],
  { registry }: Credentials,
): Promise<{ item: Item; problem: WhoisProblem }[]> {
  if (registry) return [];
  const placed = await mappedInTurns(items, item => ({ item, place: placeOf(item) }));
  const over = placed.flatMap(({ item, place }) => (place === null ? [] : [{ item, place }]));
  const parts = await lockedPartsMeeting(
    change,
    over.map(({ place }) => place),
    { fixed: true },
  );
  return over.flatMap(({ item, place }, index) => {
    const part = parts[index];
    if (!part || (item.operation === 'modify' && !part.holds(place))) return [];
    const message = `${part.resource} is locked by ${part.reference}, so ${item.shown} can’t be ${verbs[item.operation]} until that request is decided`;
    return [{ item, problem: problem(item.object, 'resource-locked', message) }];
  });
}

const verbs = { create: 'created', modify: 'changed', delete: 'deleted' } as const;
