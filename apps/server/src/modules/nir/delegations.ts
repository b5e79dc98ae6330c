import type { AnswerOf } from '@portal/contract';
import { utcDay } from '@portal/contract/days';
import type { NewNirDelegation, NirDelegation, nirDelegations } from '@portal/contract/nir/delegations';
import { type NumberResource, parseResource, printResource, ResourceSyntaxError } from '@portal/number-resources';
import { sql } from 'kysely';
import type { Change } from '../../platform/database/index.ts';
import { refuse, refuseField } from '../../platform/failure.ts';
import type { Act, AdmittedAccount } from '../../platform/http/endpoints.ts';
import type { PolicyAndSettings } from '../../platform/registry.ts';
import { addAssignment, previewAssignment, returnAssignment } from '../customers/index.ts';
import { columnsOf, readAssignment } from '../resources/index.ts';
import { ipv4With, refuseBeyondLimits } from './delegation-limits.ts';
import { delegationOf, delegationRows } from './delegation-list.ts';
import { openSubaccount, type SubaccountRow } from './subaccounts.ts';

type Registered = {
  subaccountId: string;
  pool: 'nir' | 'registry';
  type: 'allocated' | 'assigned';
  netname: string;
  assignmentId: string | null;
};

/** Records a delegation of a sub-account. @throws Failure ASSIGNMENT_OVERLAPS if some of it is already delegated */
export async function recordDelegation(
  change: Change,
  accountName: string,
  resource: NumberResource,
  { subaccountId, pool, type, netname, assignmentId }: Registered,
): Promise<string> {
  const { kind, first, last, firstAs, lastAs, resource: text, size } = columnsOf(resource);
  const start = String(resource.first);
  try {
    const [row] = await change.attempt(() =>
      change.rows<{ id: string }>(sql`
      insert into nir_delegation (account_name, subaccount_id, kind, first, last, first_as, last_as, resource, size, start, type, netname, pool, assignment_id, delegated_on)
      values (${accountName}, ${subaccountId}::bigint, ${kind}, ${first}::inet, ${last}::inet, ${firstAs}, ${lastAs}, ${text}, ${size}::numeric, ${start}::numeric,
        ${type}, ${netname}, ${pool}, ${assignmentId}::bigint, ${utcDay(change.now)}::date) returning nir_delegation_id::text as id`),
    );
    return row!.id;
  } catch (error) {
    // SQLSTATE exclusion_violation.
    if ((error as { code?: string }).code !== '23P01') throw error;
    const [other] = await change.rows<{
      resource: string;
      name: string;
    }>(sql`select d.resource, s.name from nir_delegation d join subaccount s using (subaccount_id)
      where ${kind === 'asn' ? sql`d.kind = 'asn' and int8range(d.first_as, d.last_as, '[]') && int8range(${firstAs}, ${lastAs}, '[]')` : sql`d.kind <> 'asn' and inetrange(d.first, d.last, '[]') && inetrange(${first}::inet, ${last}::inet, '[]')`}
        and d.account_name = ${accountName} limit 1`);
    throw refuse('ASSIGNMENT_OVERLAPS', { resource: text, other: other ? `${other.resource} of ${other.name}` : 'of another sub-account' });
  }
}

/** @throws Failure INVALID_REQUEST that names the field */
export function readDelegable(text: string): NumberResource {
  try {
    return parseResource(text.trim());
  } catch (error) {
    if (error instanceof ResourceSyntaxError) throw refuseField('resource', error.message);
    throw error;
  }
}

/** Returns the names of a sub-account in the register of assignments and in whois: its name as the customer, the organisation as the description. */
export const assignmentOf = (
  { resource, type, netname, description, economy, adminC, techC, irt, reuse }: NewNirDelegation,
  subaccount: Pick<SubaccountRow, 'name' | 'entity' | 'economy'>,
) => ({
  resource,
  type,
  netname,
  customer: subaccount.name,
  description: description.trim() === '' ? subaccount.entity : description,
  economy: economy === '' ? subaccount.economy : economy,
  visibility: 'public' as const,
  adminC,
  techC,
  irt,
  reuse,
  maintainer: undefined,
});

/** Refuses a delegation of addresses without a name. */
export function refuseWithoutName(given: Pick<NewNirDelegation, 'netname'>): void {
  if (given.netname === '') throw refuseField('netname', 'Enter a netname, such as NORTHNET-1');
}

/** @throws Failure ASSIGNMENT_OUTSIDE when no active delegation of the account holds all of these AS numbers */
async function refuseForeignAsNumbers(change: Change, accountName: string, resource: NumberResource): Promise<void> {
  const { firstAs, lastAs, resource: text } = columnsOf(resource);
  const [own] =
    await change.rows(sql`select 1 from delegation where account_name = ${accountName} and kind = 'asn' and registry = '' and status <> 'closed'
    and first_as <= ${firstAs} and last_as >= ${lastAs} for update`);
  if (!own) throw refuse('ASSIGNMENT_OUTSIDE', { resource: text });
}

/** Records AS numbers of a sub-account. Their aut-num objects stay unchanged: this registry makes them for the national registry. */
export async function delegateAsNumbers(
  change: Change,
  accountName: string,
  resource: NumberResource,
  subaccountId: string,
): Promise<string> {
  await refuseForeignAsNumbers(change, accountName, resource);
  return recordDelegation(change, accountName, resource, { subaccountId, pool: 'nir', type: 'assigned', netname: '', assignmentId: null });
}

/** Delegates from the own pool: registration, whois object and the sub-account's row in one change. @throws Failure as the contract lists */
export async function addNirDelegation({
  change,
  account,
  body: given,
  registry,
}: {
  change: Change;
  account: AdmittedAccount;
  body: NewNirDelegation;
  registry: PolicyAndSettings;
}): Promise<NirDelegation> {
  const { accountName } = account;
  const subaccount = await openSubaccount(change, accountName, given.subaccountId);
  const resource = readDelegable(given.resource);
  await refuseBeyondLimits(change, { ...given, resource }, registry.profile);
  let id: string;
  if (resource.family === 'asn') id = await delegateAsNumbers(change, accountName, resource, given.subaccountId);
  else {
    refuseWithoutName(given);
    // Addresses of a sub-account are portable registrations of the national registry's ledger.
    const { assignmentId } = await addAssignment({ change, account, body: assignmentOf(given, subaccount), registry, portable: true });
    id = await recordDelegation(change, accountName, resource, {
      subaccountId: given.subaccountId,
      pool: 'nir',
      type: given.type,
      netname: given.netname,
      assignmentId,
    });
  }
  await change.note({ resource: printResource(resource), subaccount: subaccount.name });
  return delegationOf(change, accountName, id);
}

class Undone extends Error {}

/** Rehearses `addNirDelegation`, and returns what it would write. @throws Failure as it does */
export async function previewNirDelegation({
  change,
  account,
  body: given,
  registry,
}: Act<typeof nirDelegations.previewNirDelegation>): Promise<AnswerOf<typeof nirDelegations.previewNirDelegation>> {
  const { accountName } = account;
  const subaccount = await openSubaccount(change, accountName, given.subaccountId);
  const resource = readDelegable(given.resource);
  const text = printResource(resource);
  await refuseBeyondLimits(change, { ...given, resource }, registry.profile);
  const note = { resource: text, subaccount: subaccount.name };
  if (resource.family !== 'asn') {
    refuseWithoutName(given);
    const preview = await previewAssignment({ change, account, body: assignmentOf(given, subaccount), registry, portable: true });
    await recordAndUndo(change, () =>
      recordDelegation(change, accountName, resource, {
        subaccountId: given.subaccountId,
        pool: 'nir',
        type: given.type,
        netname: given.netname,
        assignmentId: null,
      }),
    );
    await change.note(note);
    const { nirIpv4Limit } = registry.profile.requestPolicy;
    const ipv4 = resource.family === 'ipv4' ? await ipv4With(change, given.subaccountId, BigInt(preview.size), nirIpv4Limit) : null;
    return {
      ...preview,
      kind: resource.family,
      subaccount: subaccount.name,
      organisation: ipv4 && { addresses: String(ipv4.addresses), limit: String(ipv4.limit) },
    };
  }
  await recordAndUndo(change, () => delegateAsNumbers(change, accountName, resource, given.subaccountId));
  const [around] = await change.rows<{
    resource: string;
  }>(sql`select resource from delegation where account_name = ${accountName} and kind = 'asn'
    and status <> 'closed' and first_as <= ${resource.first} and last_as >= ${resource.last}`);
  await change.note(note);
  return {
    resource: text,
    size: columnsOf(resource).size,
    type: 'assigned',
    netname: '',
    delegation: around!.resource,
    around: null,
    whois: null,
    kind: 'asn',
    subaccount: subaccount.name,
    organisation: null,
  };
}

async function recordAndUndo(change: Change, record: () => Promise<unknown>): Promise<void> {
  await change
    .attempt(async () => {
      await record();
      throw new Undone();
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undone)) throw error;
    });
}

/**
 * Returns a delegation to the own pool, with its whois object; addresses rest for thirty days. @throws Failure NOT_FOUND, INVALID_REQUEST for one
 * from the registry's pool, which is returned to the registry, and while others lie in it
 */
export async function returnNirDelegation({
  change,
  account,
  params: { delegationId },
  registry,
}: Act<typeof nirDelegations.returnNirDelegation>): Promise<void> {
  const { accountName } = account;
  const [row] = await delegationRows(change, accountName, [delegationId]);
  const { resource, pool, assignmentId, subaccount } = row!;
  if (pool === 'registry')
    throw refuse('INVALID_REQUEST', { detail: `${resource} came from the registry’s pool. Return it to the registry` });
  if (assignmentId !== null) {
    // Its row is deleted with the registration.
    await readAssignment(change, accountName, assignmentId);
    await returnAssignment({ change, account, params: { assignmentId }, registry });
  } else await change.rows(sql`delete from nir_delegation where nir_delegation_id = ${delegationId}::bigint`);
  await change.note({ resource, subaccount });
}

/** Ends sub-accounts' delegations in space that leaves the account; those of addresses are deleted with their registrations. The caller moves the space. */
export async function endDelegationsIn(change: Change, accountName: string, resources: readonly NumberResource[]): Promise<number> {
  let ended = 0;
  for (const resource of resources) {
    const { kind, first, last, firstAs, lastAs } = columnsOf(resource);
    const rows = await change.rows(sql`delete from nir_delegation where account_name = ${accountName} and kind = ${kind}
      and ${kind === 'asn' ? sql`first_as >= ${firstAs} and last_as <= ${lastAs}` : sql`first >= ${first}::inet and last <= ${last}::inet`} returning 1`);
    ended += rows.length;
  }
  return ended;
}
