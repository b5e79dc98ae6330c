import {
  type ContactType,
  contactTypes as allContactTypes,
  defaultPermissions,
  type Permission,
  permissionDiff,
  permissionKeys,
  whyNotGrantable,
} from '@portal/contract';
import { sql } from 'kysely';
import type { Change } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import type { AdmittedAccount } from '../../platform/http/endpoints.ts';
import { changeContact } from '../accounts/index.ts';

/** Permissions and contact types in the order of the contract, each once. */
export const inOrder = (permissions: readonly string[]): Permission[] => permissionKeys.filter(key => permissions.includes(key));
export const typesInOrder = (types: readonly string[]): ContactType[] => allContactTypes.filter(type => types.includes(type));

/**
 * Checks grants: contacts can grant only what they hold (S22), and some permissions don't suit the contact or the account. @throws Failure
 * PERMISSION_NOT_GRANTABLE naming the first one refused
 */
export function checkGrants(granter: AdmittedAccount, granted: readonly Permission[], contactTypes: readonly ContactType[]): void {
  for (const permission of granted) {
    const reason =
      whyNotGrantable(permission, { contactTypes, accountType: granter.accountType }) ??
      (granter.permissions.has(permission) ? null : 'you don’t have it yourself');
    if (reason !== null) throw refuse('PERMISSION_NOT_GRANTABLE', { permission, reason });
  }
}

/**
 * Writes the contact types and permissions of a contact, and records the decisions that differ from the defaults of the types. An unchanged decision
 * keeps its date.
 */
export async function writeRole(
  change: Change,
  contactId: string,
  role: { contactTypes: readonly ContactType[]; permissions: readonly Permission[]; decidedBy: string | null },
): Promise<void> {
  const { granted, withdrawn } = permissionDiff(defaultPermissions(role.contactTypes), role.permissions);
  await sql`delete from permission_decision where contact_id = ${contactId}
    and permission <> all (case when granted then ${granted}::text[] else ${withdrawn}::text[] end)`.execute(change);
  const decisions = [
    ...granted.map(permission => ({ permission, granted: true })),
    ...withdrawn.map(permission => ({ permission, granted: false })),
  ];
  if (decisions.length > 0) {
    await change
      .insertInto('permissionDecision')
      .values(decisions.map(decision => ({ ...decision, contactId, decidedBy: role.decidedBy, decidedAt: change.now })))
      .onConflict(conflict => conflict.doNothing())
      .execute();
  }
  await changeContact(change, contactId, { contactTypes: typesInOrder(role.contactTypes), permissions: inOrder(role.permissions) });
}
