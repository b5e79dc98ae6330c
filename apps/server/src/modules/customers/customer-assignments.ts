import { type ChangedCustomerAssignment, type CustomerAssignment, NewCustomerAssignment } from '@portal/contract/customers/customers';
import type { Change, Read } from '../../platform/database/index.ts';
import type { AdmittedAccount } from '../../platform/http/endpoints.ts';
import type { PolicyAndSettings } from '../../platform/registry.ts';
import { changeAssignments, listRestingSpace, readAssignment, releaseAssignment } from '../resources/index.ts';
import { lockWhois, shownText, type WhoisUpdate, writingRights } from '../whois/index.ts';
import { changedText, type Facts, objectAt, objectTextOf, refuseShown, storeObjects } from './assignment-object.ts';
import { emptyToNull, registerAssignment } from './new-assignment.ts';

/** One assignment with its whois object. @throws Failure NOT_FOUND */
export async function getAssignment({
  read,
  account: { accountName },
  params: { assignmentId },
}: {
  read: Pick<Read, 'rows'>;
  account: AdmittedAccount;
  params: { assignmentId: string };
}): Promise<CustomerAssignment> {
  const { first, last, fromWhois: _fromWhois, portable: _portable, ...row } = await readAssignment(read, accountName, assignmentId);
  const object = await objectAt(read, { kind: row.kind, first, last });
  return {
    ...row,
    customer: row.customer ?? '',
    description: row.description ?? '',
    economy: row.economy ?? '',
    whois: object && { class: object.class, key: object.key, version: object.version, text: shownText(object.text) },
  };
}

/** Registers an assignment; a public one gets its object in the same change, or the existing one is updated. @throws Failure as the contract lists */
export async function addAssignment({
  change,
  account,
  body,
  registry,
  portable,
}: {
  change: Change;
  account: AdmittedAccount;
  body: NewCustomerAssignment;
  registry: PolicyAndSettings;
  portable?: boolean;
}): Promise<CustomerAssignment> {
  if (body.visibility === 'public') await lockWhois(change);
  const resting = await listRestingSpace(change, account.accountName);
  const assignmentId = await registerAssignment(change, account, body, resting, portable);
  const assignment = await readAssignment(change, account.accountName, assignmentId);
  const object = await objectAt(change, assignment);
  if (body.visibility === 'public') {
    const credentials = await writingRights(change, account);
    const update: WhoisUpdate = object
      ? { operation: 'modify', text: changedText(object, null, body), expectedVersion: object.version }
      : { operation: 'create', text: await objectTextOf(change, account, assignment, body, credentials, registry.profile) };
    await storeObjects(change, account, [update], { registry, credentials });
  } else if (object) throw refuseShown(object.shown);
  await change.note({ resource: assignment.resource, visibility: body.visibility });
  return getAssignment({ read: change, account, params: { assignmentId } });
}

/** Changes a registration and its object, which is created when it becomes public, and deleted when private. */
export async function changeAssignment({
  change,
  account,
  params: { assignmentId },
  body: given,
  registry,
}: {
  change: Change;
  account: AdmittedAccount;
  params: { assignmentId: string };
  body: ChangedCustomerAssignment;
  registry: PolicyAndSettings;
}): Promise<CustomerAssignment> {
  const before = await readAssignment(change, account.accountName, assignmentId);
  const facts: Facts = {
    ...given,
    customer: given.customer ?? before.customer ?? '',
    description: given.description ?? before.description ?? '',
    economy: given.economy ?? before.economy ?? '',
  };
  const { netname, visibility } = facts;
  if (visibility === 'public' || before.visibility === 'public') await lockWhois(change);
  const after = {
    ...before,
    netname,
    visibility,
    fromWhois: false,
    customer: emptyToNull(facts.customer),
    description: emptyToNull(facts.description),
    economy: emptyToNull(facts.economy),
  };
  await changeAssignments(change, [after]);
  const object = await objectAt(change, before);
  if (visibility === 'public' || object) {
    const credentials = await writingRights(change, account);
    const updates: WhoisUpdate[] =
      visibility === 'private'
        ? [{ operation: 'delete', text: object!.text, reason: 'Already registered as private' }]
        : object
          ? [{ operation: 'modify', text: changedText(object, before, facts), expectedVersion: object.version }]
          : [{ operation: 'create', text: await objectTextOf(change, account, after, facts, credentials, registry.profile) }];
    await storeObjects(change, account, updates, { registry, credentials });
  }
  await change.note({ resource: before.resource, visibility, was: before.visibility });
  return getAssignment({ read: change, account, params: { assignmentId } });
}

/** Deletes an assignment and its object. */
export async function returnAssignment({
  change,
  account,
  params: { assignmentId },
  registry,
}: {
  change: Change;
  account: AdmittedAccount;
  params: { assignmentId: string };
  registry: PolicyAndSettings;
}): Promise<void> {
  const assignment = await readAssignment(change, account.accountName, assignmentId);
  if (assignment.visibility === 'public') await lockWhois(change);
  await releaseAssignment(change, assignment);
  const object = await objectAt(change, assignment);
  if (object)
    await storeObjects(change, account, [{ operation: 'delete', text: object.text, reason: 'Returned by the customer' }], {
      registry,
      credentials: await writingRights(change, account),
    });
  await change.note({ resource: assignment.resource });
}
