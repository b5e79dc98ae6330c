import { type Permission, permissions, whyNotGrantable } from '@portal/contract';
import type { contacts, PermissionHolders, PermissionRequest } from '@portal/contract/contacts/contacts';
import { DAY_MS, instantAfter } from '@portal/contract/days';
import { sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import { refuse, refuseField } from '../../platform/failure.ts';
import type { Act, AdmittedAccount } from '../../platform/http/endpoints.ts';
import type { Registry } from '../../platform/registry.ts';
import { activeContacts, lockAccount } from '../accounts/index.ts';
import { actorOf } from './contact-changes.ts';
import { notifyApprovers } from './contact-notices.ts';
import { lockContact } from './contact-row.ts';
import { inOrder } from './grants.ts';
import { contactsTexts } from './mail-texts.ts';

/** The permission that lets a contact approve a request for others. */
const granting: Permission = 'users-approve';
/** How many days a request stays open. */
export const REQUEST_DAYS = 30;

/** Returns when a request made now expires. */
export const expiryOf = (now: string): string => instantAfter(now, REQUEST_DAYS * DAY_MS);

/** Returns who holds a permission in the account, and who can grant it: the names in "Why not?". */
export async function whoHoldsPermission({
  read,
  account,
  query: { permission },
}: Act<typeof contacts.whoHoldsPermission>): Promise<PermissionHolders> {
  const contacts = await activeContacts(read, account.accountName);
  const asked = account.contactId === null ? new Map<string, string>() : await lastAsked(read, account.contactId);
  return {
    permission,
    label: permissions[permission].label,
    holders: contacts.filter(c => c.permissions.includes(permission)).map(c => ({ name: c.fullName, contactTypes: c.contactTypes })),
    granters: contacts.filter(c => c.permissions.includes(granting)).map(c => ({ name: c.fullName })),
    askedAt: asked.get(permission) ?? null,
  };
}

/** Returns when a contact last asked for each permission, in open requests. */
export async function lastAsked(read: Read, contactId: string): Promise<Map<string, string>> {
  const rows = await read.rows<{ permission: string; at: string }>(sql`select permission, max(requested_at) as at
    from access_request, unnest(permissions) permission
    where requested_by = ${contactId}::uuid and kind = 'permission' and status = 'pending' group by permission`);
  return new Map(rows.map(({ permission, at }) => [permission, at]));
}

/**
 * Requests permissions: those who can approve it get an e-mail and an access request. Once in 24 hours per person and permission;
 * a later repetition replaces the earlier request.
 * @throws Failure ALREADY_ASKED, PERMISSION_NOT_GRANTABLE, INVALID_REQUEST
 */
export async function askForPermission({
  change,
  account,
  caller: { loginId },
  body: { permissions: wanted, page, message },
  registry: {
    config: { appUrl },
  },
}: {
  change: Change;
  account: AdmittedAccount;
  caller: { loginId: string };
  body: PermissionRequest;
  registry: { config: Pick<Registry['config'], 'appUrl'> };
}): Promise<{ requestId: string; askedAt: string; asked: string[] }> {
  // As whatever ends or resolves a request of the account does.
  await lockAccount(change, account.accountName);
  const actor = await actorOf(change, account);
  // The row lock lets one of two clicks through; the other then sees the first one's request.
  const contact = await lockContact(change, account.accountName, actor.contactId);
  const missing = inOrder(wanted).filter(permission => !contact.permissions.includes(permission));
  if (missing.length === 0) throw refuseField('permissions', 'You already have them');
  for (const permission of missing) {
    const reason = whyNotGrantable(permission, { contactTypes: contact.contactTypes, accountType: account.accountType });
    if (reason !== null) throw refuse('PERMISSION_NOT_GRANTABLE', { permission, reason });
  }
  const asked = await lastAsked(change, contact.contactId);
  const lately = (permission: Permission): boolean => Date.parse(change.now) - Date.parse(asked.get(permission) ?? '1970-01-01') < DAY_MS;
  const due = missing.filter(permission => !lately(permission));
  if (due.length === 0) {
    const when = asked.get(missing[0]!)!;
    throw refuse('ALREADY_ASKED', { when: when.slice(0, 16).replace('T', ' at ').concat(' UTC') });
  }
  await sql`update access_request set status = 'other', outcome = 'superseded', resolved_at = ${change.now}
    where requested_by = ${contact.contactId}::uuid and kind = 'permission' and status = 'pending' and permissions <@ ${due}::text[]`.execute(
    change,
  );
  const { accessRequestId } = await change
    .insertInto('accessRequest')
    .values({
      accountName: account.accountName,
      kind: 'permission',
      loginId,
      requestedBy: contact.contactId,
      subjectId: contact.contactId,
      permissions: due,
      page,
      reason: message,
      requestedAt: change.now,
      notifiedAt: change.now,
      expiresAt: expiryOf(change.now),
    })
    .returning('accessRequestId')
    .executeTakeFirstOrThrow();
  const list = due.map(permission => `- ${permissions[permission].label} (${permission})`).join('\n');
  const names = await notifyApprovers(change, {
    accountName: account.accountName,
    text: contactsTexts.written('permissionsRequested', {
      actor: actor.name,
      howMany: due.length === 1 ? 'a permission' : `${due.length} permissions`,
      accountName: account.accountName,
      actorEmail: actor.email,
      list,
      note: message ? `They write:\n\n${message}` : 'No message.',
      theyWereRefused: page === '' ? '' : `They were refused at ${appUrl}${page}.`,
    }),
  });
  await change.note({ permissions: due, page, asked: names });
  return { requestId: String(accessRequestId), askedAt: change.now, asked: names };
}
