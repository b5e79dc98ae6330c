import { printAddress } from '@portal/number-resources';
import { parseObject, rangeOfKey, valueOf } from '@portal/rpsl';
import type { Change } from '../../platform/database/index.ts';
import { type Assignment, changeAssignment, findAssignments } from '../resources/index.ts';
import { linkNewMaintainers } from './maintainers.ts';
import type { WhoisOutcome } from './update.ts';

/** What the registry's own records have to follow of objects members wrote: new maintainers, and networks of customers. */
export async function followInLedger(change: Change, accountName: string, outcomes: readonly WhoisOutcome[]): Promise<void> {
  await linkNewMaintainers(change, accountName, outcomes);
  await followInRegister(change, accountName, outcomes);
}

/**
 * Brings assignments in line with their inetnum or inet6num as its maintainer left it: netname, description and economy; public while there is one,
 * private when it was deleted. The customer stays who it was, and networks that were never registered are left alone.
 */
async function followInRegister(change: Change, accountName: string, outcomes: readonly WhoisOutcome[]): Promise<void> {
  const networks = new Map<string, { first: string; last: string; outcome: WhoisOutcome }>();
  for (const outcome of outcomes) {
    if (outcome.state !== 'ok' || (outcome.class !== 'inetnum' && outcome.class !== 'inet6num')) continue;
    const range = rangeOfKey(outcome.class, outcome.key);
    if (range === null || range.family === 'asn') continue;
    const write = (value: bigint): string => printAddress({ family: range.family, value });
    const [first, last] = [write(range.first), write(range.last)];
    // What was done last to a network is how it is.
    networks.set(`${first} ${last}`, { first, last, outcome });
  }
  if (networks.size === 0) return;
  for (const assignment of await findAssignments(change, accountName, [...networks.values()])) {
    const network = networks.get(`${assignment.first} ${assignment.last}`);
    const facts = network ? factsOf(assignment, network.outcome) : null;
    if (facts) await changeAssignment(change, assignment.assignmentId, facts);
  }
}

/** What an assignment becomes by its object; null where nothing changes. */
function factsOf(assignment: Assignment, { done, after }: WhoisOutcome): Assignment | null {
  if (done === 'delete') return assignment.visibility === 'private' ? null : { ...assignment, visibility: 'private' };
  const object = after === null ? null : parseObject(after).object;
  if (!object) return null;
  const { netname, description, customer, economy } = assignment;
  const shown = description ?? customer ?? netname;
  const words = valueOf(object, 'descr') ?? shown;
  const country = valueOf(object, 'country')?.toUpperCase() ?? economy;
  const facts: Assignment = {
    ...assignment,
    visibility: 'public',
    netname: valueOf(object, 'netname') ?? netname,
    // An assignment without a description shows its customer's name.
    description: words === shown ? description : words.slice(0, 500),
    economy: economy === null || !/^[A-Z]{2}$/.test(country ?? '') ? economy : country,
  };
  const isSame = (['visibility', 'netname', 'description', 'economy'] as const).every(each => facts[each] === assignment[each]);
  return isSame ? null : facts;
}
