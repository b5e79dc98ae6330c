import {
  type ContactType,
  defaultPermissions,
  mayVote,
  type Permission,
  permissionGroups,
  permissionKeys,
  permissions,
  whyNotGrantable,
} from '@portal/contract';
import type { contacts, MyPermissions } from '@portal/contract/contacts/contacts';
import { sql } from 'kysely';
import type { Act } from '../../platform/http/endpoints.ts';
import { activeContacts, maintainersOf } from '../accounts/index.ts';
import { permissionFactors } from './permission-factors.ts';
import { lastAsked } from './permission-requests.ts';

type Decision = { permission: Permission; granted: boolean; decidedBy: string; decidedAt: string };

/** Returns the caller's permissions in the account, the source of each, and who can grant more. */
export async function getMyPermissions({ read, account }: Act<typeof contacts.getMyPermissions>): Promise<MyPermissions> {
  const { accountName, accountType, contactId } = account;
  const contactTypes = account.contactTypes as ContactType[];
  const [decisions, asked, mine, corporate] = await Promise.all([
    contactId === null
      ? []
      : read.rows<Decision>(sql`select permission, granted, coalesce(b.full_name, 'Registry') as decided_by, decided_at
          from permission_decision d left join contact b on b.contact_id = d.decided_by where d.contact_id = ${contactId}::uuid`),
    contactId === null ? new Map<string, string>() : lastAsked(read, contactId),
    contactId === null ? [] : maintainersOf(read, contactId),
    activeContacts(read, accountName, { types: ['corporate'] }),
  ]);
  const defaults = new Set(defaultPermissions(contactTypes));
  const row = (permission: Permission) => {
    const held = account.permissions.has(permission);
    const decision = decisions.find(made => made.permission === permission && made.granted === held);
    const decided = held !== defaults.has(permission);
    return {
      permission,
      label: permissions[permission].label,
      held,
      from: decided ? ('decision' as const) : ('contact-type' as const),
      decidedBy: (decided && decision?.decidedBy) || null,
      decidedAt: (decided && decision?.decidedAt) || null,
      needsSecondFactor: permissionFactors.always.includes(permission),
      someChangesNeedSecondFactor: permissionFactors.someChanges.includes(permission),
      notGrantable: held ? null : whyNotGrantable(permission, { contactTypes, accountType }),
      requestedAt: held ? null : (asked.get(permission) ?? null),
    };
  };
  return {
    contactTypes,
    groups: permissionGroups.map(group => ({
      group,
      permissions: permissionKeys.filter(permission => permissions[permission].group === group).map(row),
    })),
    maintainers: mine,
    corporateContacts: corporate.map(({ fullName, email }) => ({ name: fullName, email })),
    mayVote: mayVote(accountType),
  };
}
