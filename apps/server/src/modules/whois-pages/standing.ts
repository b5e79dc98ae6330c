import {
  containsResource,
  findSpecialAs,
  findSpecialBlock,
  type NumberResource,
  resourceSetOf,
  type SpecialUse,
} from '@portal/number-resources';
import { findPools, resourceOf } from '../resources/index.ts';
import type { Elsewhere, QueryPlace } from '../whois/index.ts';

/** Where numbers stand that no one holds here: in a pool of this registry, with another registry, or with none. */
export type Standing =
  | { kind: 'pool'; state: 'available' | 'reserved' }
  | { kind: 'elsewhere'; elsewhere: Elsewhere }
  | { kind: 'special'; use: SpecialUse; name: string; source: string };

/** Words for numbers of the registry's own pools, on every page. */
export const poolWords = {
  available: 'Free: held by this registry, not delegated to anyone',
  reserved: 'Set aside by this registry, not delegated to anyone',
} as const;

/**
 * Finds where numbers stand. The registry's pools win over lists of special purposes: a registry may have such space to delegate, as those of laboratories do. Only one AS
 * number at a time is looked for elsewhere.
 */
export async function standingOf(
  { db, elsewhere }: Pick<QueryPlace, 'db' | 'elsewhere'>,
  resource: NumberResource,
): Promise<Standing | null> {
  const pools = (await findPools(db.read, resource)).filter(({ registry }) => registry === '');
  if (containsResource(resourceSetOf(pools.map(resourceOf)), resource))
    return { kind: 'pool', state: pools.every(({ state }) => state === 'available') ? 'available' : 'reserved' };
  if (pools.length > 0) return null;
  const special = resource.family === 'asn' ? findSpecialAs(resource.first) : findSpecialBlock(resource);
  if (special && !('last' in special && resource.last > special.last))
    return { kind: 'special', use: special.use, name: special.name, source: special.source };
  if (resource.family === 'asn' && resource.first !== resource.last) return null;
  const found = await elsewhere?.(db, resource.family === 'asn' ? resource.first : resource);
  return found ? { kind: 'elsewhere', elsewhere: found } : null;
}
