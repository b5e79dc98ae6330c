import type { Read } from '../../../platform/database/index.ts';
import { numberAuthority } from '../authority/number-authority.ts';
import { maintainersIn, numbersOf, objectOfRow } from '../store/object-facts.ts';
import type { Credentials, StoredObject } from '../store/update.ts';

type Reclaimable = Pick<StoredObject, 'objectId' | 'class' | 'text' | 'kept' | 'registryMaintained'>;

/**
 * Returns the ids of the objects an account may reclaim: those over some of its numbers that someone else maintains, without the registry's own.
 */
export async function reclaimable(
  read: Pick<Read, 'rows'>,
  rows: readonly Reclaimable[],
  { holder, maintainers }: Pick<Credentials, 'holder' | 'maintainers'>,
): Promise<Set<number>> {
  if (holder === null) return new Set();
  const others = rows.flatMap(row => {
    const object = objectOfRow(row as StoredObject);
    const numbers = row.kept || row.registryMaintained ? null : numbersOf(object);
    return numbers === null || maintainersIn(object, 'mnt-by').every(each => maintainers.has(each)) ? [] : [{ id: row.objectId, numbers }];
  });
  if (others.length === 0) return new Set();
  const authority = await numberAuthority(read, { numbers: others.map(({ numbers }) => numbers), maintainers: [] });
  return new Set(others.filter(({ numbers }) => authority.holdersIn(numbers).includes(holder)).map(({ id }) => id));
}
