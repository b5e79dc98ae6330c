import { parseRange } from '@portal/number-resources';
import type { Change } from '../../../platform/database/index.ts';
import { conflictingRegistrations } from '../../resources/index.ts';
import { networkOf } from './network-facts.ts';
import { addressesOf } from '../objects/object-facts.ts';
import { type Item, problem } from '../submit/update.ts';

/**
 * Holds new networks against what the account registered for itself: whois cannot have what the register cannot have, private assignments included.
 * What the same submission takes out of both is not in the way.
 */
export async function checkRegister(change: Change, items: readonly Item[], accountName: string): Promise<void> {
  const fresh = items.flatMap(item => {
    const range = item.alive && item.operation === 'create' && isNetwork(item) ? addressesOf(item.object) : null;
    const network = range && networkOf(range, item.object);
    return network ? [{ item, network }] : [];
  });
  if (fresh.length === 0) return;
  const leaving = new Set(
    items.flatMap(item => (item.alive && item.operation === 'delete' && isNetwork(item) && item.stored ? [rangeText(item)] : [])),
  );
  const standing = await conflictingRegistrations(
    change,
    accountName,
    fresh.map(({ network }) => network),
  );
  for (const { no, resource, range, visibility, fromWhois } of standing) {
    if (fromWhois && leaving.has(`${range.first} ${range.last}`)) continue;
    const { item } = fresh[no]!;
    item.alive = false;
    item.problems = [
      ...item.problems,
      problem(
        item.object,
        'registered-otherwise',
        `${item.shown} cannot stand beside ${resource}, which ${accountName} has in its register as ${visibility}. Networks lie side by side or wholly in what is allocated; change or return that assignment first`,
      ),
    ];
  }
}

const isNetwork = ({ class: objectClass }: Item): boolean => objectClass === 'inetnum' || objectClass === 'inet6num';
function rangeText({ stored }: Item): string {
  const { first, last } = parseRange(`${stored!.first} - ${stored!.last}`);
  return `${first} ${last}`;
}
