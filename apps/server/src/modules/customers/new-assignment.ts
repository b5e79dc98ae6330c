import type { NewCustomerAssignment } from '@portal/contract/customers/customers';
import { parseRange } from '@portal/number-resources';
import type { Change } from '../../platform/database/index.ts';
import type { AdmittedAccount } from '../../platform/http/endpoints.ts';
import { refuse } from '../../platform/failure.ts';
import { assign, type Assignment, readAssignment, type RestingSpace } from '../resources/index.ts';

/** Trims; null for an empty answer. */
export const emptyToNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());

/**
 * Registers an assignment without its whois object; returns its id.
 * @param portable registered for a member of a national registry, as its whois object says
 * @throws Failure ASSIGNMENT_RESTS for space another customer gave back lately, and those of `assign`
 */
export async function registerAssignment(
  change: Change,
  { accountName }: AdmittedAccount,
  given: NewCustomerAssignment,
  resting: readonly RestingSpace[],
  portable = false,
): Promise<string> {
  const assignmentId = await assign(change, {
    accountName,
    resource: given.resource,
    type: given.type,
    netname: given.netname,
    description: emptyToNull(given.description),
    customer: emptyToNull(given.customer),
    visibility: given.visibility,
    economy: emptyToNull(given.economy),
    portable,
  });
  const assignment = await readAssignment(change, accountName, assignmentId);
  const rests = given.reuse ? undefined : resting.find(each => overlaps(each, assignment) && !isSame(each.customer, given.customer));
  if (rests)
    throw refuse('ASSIGNMENT_RESTS', {
      resource: rests.resource,
      customer: rests.customer ?? 'a customer',
      when: rests.returnedOn,
      until: rests.until,
    });
  return assignmentId;
}

const isSame = (before: string | null, now: string): boolean => before !== null && before.trim().toLowerCase() === now.trim().toLowerCase();

function overlaps(a: RestingSpace, b: Assignment): boolean {
  if (a.kind !== b.kind) return false;
  const [one, other] = [parseRange(`${a.first} - ${a.last}`), parseRange(`${b.first} - ${b.last}`)];
  return one.first <= other.last && one.last >= other.first;
}
