import { type ContactType, type Permission, type PermissionHolders, type PermissionRequest, permissions } from '@portal/contract';
import type { Change, Read } from '../../platform/database/index.ts';
import type { AdmittedAccount } from '../../platform/endpoints.ts';
import { refuse } from '../../platform/failure.ts';
import { sendMail } from '../mail/index.ts';

/** The permission that lets a contact grant others. */
const granting: Permission = 'users-privileges-update';
const dayMs = 24 * 3600 * 1000;

/** Who holds a permission in the account, and who can grant it: what "Why not?" names. */
export async function whoHoldsPermission(read: Read, account: AdmittedAccount, permission: Permission): Promise<PermissionHolders> {
  const contacts = await activeContacts(read, account);
  return {
    permission,
    label: permissions[permission].label,
    holders: contacts
      .filter(c => c.permissions.includes(permission))
      .map(c => ({ name: c.fullName, contactTypes: c.contactTypes as ContactType[] })),
    granters: contacts.filter(c => c.permissions.includes(granting)).map(c => ({ name: c.fullName })),
    askedAt: account.contactId ? await lastAsked(read, account.contactId, permission) : null,
  };
}

/**
 * Asks those who can grant a permission for it: they get an e-mail, the account's log a line. Once in 24 hours per person
 * and permission.
 */
export async function askForPermission(
  change: Change,
  account: AdmittedAccount,
  { permission, page, message }: PermissionRequest,
  { asker, appUrl }: { asker: { name: string; email: string }; appUrl: string },
): Promise<{ askedAt: string; asked: string[] }> {
  if (!account.contactId) throw refuse('NO_PERMISSION');
  // The row lock lets one of two clicks through; the other then sees the first one's request.
  await change.selectFrom('contact').select('contactId').where('contactId', '=', account.contactId).forUpdate().executeTakeFirstOrThrow();
  const askedAt = await lastAsked(change, account.contactId, permission);
  if (askedAt && Date.parse(change.now) - Date.parse(askedAt) < dayMs)
    throw refuse('ALREADY_ASKED', { when: askedAt.slice(0, 16).replace('T', ' at ').concat(' UTC') });

  await change
    .insertInto('permissionRequest')
    .values({ accountName: account.accountName, contactId: account.contactId, permission, page, message, askedAt: change.now })
    .execute();
  const granters = (await activeContacts(change, account)).filter(c => c.permissions.includes(granting));
  const label = permissions[permission].label;
  for (const granter of granters) {
    await sendMail(change, {
      recipient: granter.email,
      accountName: account.accountName,
      subject: `${asker.name} asks for a permission in ${account.accountName}`,
      body: [
        `Dear ${granter.fullName},`,
        `${asker.name} (${asker.email}) is a contact of ${account.accountName} and asks for the permission "${label}" (${permission}).`,
        message ? `They write:\n\n${message}` : 'They left no message.',
        `They were refused at ${appUrl}${page}.`,
        'You receive this because you can change the permissions of contacts of this account. Nothing changes unless you do.',
      ].join('\n\n'),
    });
  }
  await change.note({ permission, page, asked: granters.map(g => g.fullName) });
  return { askedAt: change.now, asked: granters.map(g => g.fullName) };
}

const activeContacts = (read: Read, account: AdmittedAccount) =>
  read
    .selectFrom('contact')
    .select(['fullName', 'email', 'contactTypes', 'permissions'])
    .where('accountName', '=', account.accountName)
    .where('status', '=', 'ACTIVE')
    .orderBy('fullName')
    .execute();

async function lastAsked(read: Read, contactId: string, permission: Permission): Promise<string | null> {
  const row = await read
    .selectFrom('permissionRequest')
    .select('askedAt')
    .where('contactId', '=', contactId)
    .where('permission', '=', permission)
    .orderBy('askedAt', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.askedAt ?? null;
}
