import { type AddressRange, printAddress } from '@portal/number-resources';
import { parseObject, rangeOfKey, type RpslObject, valueOf } from '@portal/rpsl';
import type { Change } from '../../../platform/database/index.ts';
import { type Assignment, assignNetworks, changeAssignments, findAssignments, releaseAssignments } from '../../resources/index.ts';
import { linkNewMaintainers } from '../rights/maintainer-links.ts';
import { economyOf, longestDescription, networkOf, typeOf } from '../submit/network-facts.ts';
import type { WhoisOutcome } from '../store/update.ts';

/** Updates the registry's own records after members' changes of objects: new maintainers, and networks of customers. */
export async function followInLedger(change: Change, accountName: string, outcomes: readonly WhoisOutcome[]): Promise<void> {
  await linkNewMaintainers(change, accountName, outcomes);
  await followInRegister(change, accountName, outcomes);
}

type Written = { range: AddressRange; first: string; last: string; outcome: WhoisOutcome; object: RpslObject | null };

/**
 * Updates the register of an account from changed inetnums and inet6nums. A network below an allocation of the account becomes an assignment with its
 * netname, description, economy and kind, and is deleted with it. An assignment that existed before is public while it has its network, and private
 * once that is deleted; its customer stays.
 */
async function followInRegister(change: Change, accountName: string, outcomes: readonly WhoisOutcome[]): Promise<void> {
  const networks = new Map<string, Written>();
  for (const outcome of outcomes) {
    if (outcome.state !== 'ok' || (outcome.class !== 'inetnum' && outcome.class !== 'inet6num')) continue;
    const range = rangeOfKey(outcome.class, outcome.key);
    if (range === null || range.family === 'asn') continue;
    const write = (value: bigint): string => printAddress({ family: range.family, value });
    const [first, last] = [write(range.first), write(range.last)];
    const object = outcome.done === 'delete' || outcome.after === null ? null : parseObject(outcome.after).object;
    // The last operation on a network decides its state.
    networks.set(`${first} ${last}`, { range, first, last, outcome, object });
  }
  if (networks.size === 0) return;
  const idOf = ({ first, last }: { first: string; last: string }): string => `${first} ${last}`;
  const before = await findAssignments(change, accountName, [...networks.values()]);
  const gone = before.filter(assignment => assignment.fromWhois && !networks.get(idOf(assignment))!.object);
  const released = await releaseAssignments(
    change,
    gone.map(({ assignmentId }) => assignmentId),
  );
  // A removed network is no longer in the tables.
  const left = gone.length === 0 ? before : await findAssignments(change, accountName, [...networks.values()]);
  const changed = left.flatMap((assignment): Assignment[] => {
    const { object } = networks.get(idOf(assignment))!;
    const facts = object && factsOf(assignment, object);
    if (object) return facts ? [facts] : [];
    // A network with others inside stays as a private assignment.
    if (assignment.fromWhois) return [{ ...assignment, visibility: 'private', fromWhois: false }];
    return assignment.visibility === 'public' ? [{ ...assignment, visibility: 'private' }] : [];
  });
  await changeAssignments(change, changed);
  for (const assignment of before) networks.delete(idOf(assignment));
  const fresh = [...networks.values()].flatMap(({ range, object }) => (object ? (networkOf(range, object) ?? []) : []));
  const registered = await assignNetworks(change, accountName, fresh);
  if (registered.length > 0) await change.note({ registered: registered.slice(0, 50) });
  const unregistered = gone.filter(({ assignmentId }) => released.has(assignmentId)).map(({ resource }) => resource);
  if (unregistered.length > 0) await change.note({ unregistered: unregistered.slice(0, 50) });
}

/** Returns an assignment's facts according to its object; null if nothing changes. */
function factsOf(assignment: Assignment, object: RpslObject): Assignment | null {
  const { netname, description, customer, economy, type, holds } = assignment;
  const shown = description ?? customer ?? netname;
  const words = valueOf(object, 'descr') ?? shown;
  const country = economyOf(object) ?? economy;
  const facts: Assignment = {
    ...assignment,
    type: holds > 0 ? type : typeOf(object),
    visibility: 'public',
    netname: valueOf(object, 'netname')?.slice(0, 80) ?? netname,
    // An assignment without a description shows its customer's name.
    description: words === shown ? description : words.slice(0, longestDescription),
    economy: economy === null && !assignment.fromWhois ? economy : country,
  };
  const isSame = (['type', 'visibility', 'netname', 'description', 'economy'] as const).every(each => facts[each] === assignment[each]);
  return isSame ? null : facts;
}
