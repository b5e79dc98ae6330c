import { type AddressRange, equalResources } from '@portal/number-resources';
import type { Change } from '../../../platform/database/index.ts';
import { conflictsWith, type RegisteredNetwork, registeredAt } from '../../resources/index.ts';
import { networkOf, typeOf } from './network-facts.ts';
import { addressesOf } from '../store/object-facts.ts';
import { type Item, problem, type WhoisProblem } from '../store/update.ts';

type Finding = { item: Item; problem: WhoisProblem };
type Type = RegisteredNetwork['type'];

/**
 * Checks new networks against the account's own register, private assignments included: whois can't contain what the register can't. The register is
 * checked as the valid items would leave it, so that one submission gives the same result as several: a deleted network is removed unless others stay
 * in it, and one that gets an object takes its type.
 * @param items of one submission; those refused for other reasons are reported too
 */
export async function findRegisteredOtherwise(change: Change, items: readonly Item[], accountName: string): Promise<Finding[]> {
  const networks = items.flatMap(item => {
    const range = isNetwork(item) ? addressesOf(item.object) : null;
    return range === null ? [] : [{ item, range }];
  });
  const fresh = networks.flatMap(({ item, range }) => {
    const network = item.operation === 'create' ? networkOf(range, item.object) : null;
    return network ? [{ item, network }] : [];
  });
  if (fresh.length === 0) return [];
  const leaving = networks.filter(({ item }) => item.alive && item.operation === 'delete').map(({ range }) => range);
  const becoming = new Map<string, Type>();
  for (const { item, range } of networks)
    if (item.alive && item.operation !== 'delete' && networkOf(range, item.object)) becoming.set(textOf(range), typeOf(item.object));
  const leavingTexts = new Set(leaving.map(textOf));
  const standing = await registeredAt(
    change,
    accountName,
    fresh.map(({ network }) => network.range),
    leaving,
  );
  const findings = new Map<Item, Finding>();
  for (const { no, resource, range, visibility, type, fromWhois, holds } of standing) {
    const { item, network } = fresh[no]!;
    if (fromWhois && !holds && leavingTexts.has(textOf(range))) continue;
    // With others inside, it keeps its type.
    const isOwn = equalResources(range, network.range);
    const asItWillBe = holds ? type : (becoming.get(textOf(range)) ?? type);
    const stands = isOwn ? holds && network.type === 'assigned' : conflictsWith({ range, type: asItWillBe }, network);
    if (!stands || findings.has(item)) continue;
    findings.set(item, {
      item,
      problem: problem(
        item.object,
        'registered-otherwise',
        `${item.shown} overlaps ${resource}, which ${accountName} registered as ${visibility}. Change or return that assignment first`,
      ),
    });
  }
  return [...findings.values()];
}

const isNetwork = ({ class: objectClass }: Item): boolean => objectClass === 'inetnum' || objectClass === 'inet6num';
const textOf = ({ family, first, last }: AddressRange): string => `${family} ${first} ${last}`;
