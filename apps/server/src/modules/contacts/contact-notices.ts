import type { TopicKey } from '@portal/contract/notifications/topics';
import type { Change } from '../../platform/database/index.ts';
import type { AdmittedAccount } from '../../platform/http/endpoints.ts';
import { activeContacts, contactById } from '../accounts/index.ts';
import { notifyPeople } from '../identity/index.ts';

type Person = { fullName: string; email: string; loginId?: string | null };

/** A notice to the people of an account: a subject that names the account, and whole sentences. */
export type Notice = {
  /** `contacts.access` by default. */
  topic?: TopicKey;
  accountName: string;
  subject: string;
  body: readonly string[];
  /** The page where one can act on it, and what the button there says. */
  path?: string;
  act?: string;
  /** The instant until which there is something to do. */
  answerBy?: string;
  /** Notified in any case, whatever their contact types: the person concerned. */
  persons?: readonly Person[];
};

const writeTo = (change: Change, notice: Notice, recipients: readonly Person[]): Promise<void> => {
  const { topic = 'contacts.access', accountName, subject, body, path, act, answerBy } = notice;
  return notifyPeople(change, { topic, accountName, subject, body, path, act, answerBy }, recipients);
};

/** Notifies the person concerned and all corporate contacts. This notice can't be switched off. */
export async function notifyCorporateContacts(change: Change, notice: Notice): Promise<void> {
  const corporate = await activeContacts(change, notice.accountName, { types: ['corporate'] });
  await writeTo(change, notice, [...(notice.persons ?? []), ...corporate]);
}

/**
 * Notifies the corporate contacts, the security address and the author of a change that took a fresh second factor (S30):
 * each once, so not if the change has notified them itself, and not if it changed nothing.
 */
export async function notifyAboutChange(change: Change, { accountName, contactId }: AdmittedAccount, what: string): Promise<void> {
  if (contactId === null) return;
  const notified = await change
    .selectFrom('freezeLink')
    .select('freezeLinkId')
    .where('activityId', '=', change.activityId)
    .limit(1)
    .executeTakeFirst();
  if (notified) return;
  const changed = await change
    .selectFrom('rowChange')
    .select('activityId')
    .where('activityId', '=', change.activityId)
    .limit(1)
    .executeTakeFirst();
  if (!changed) return;
  const actor = (await contactById(change, contactId))!;
  await notifyCorporateContacts(change, {
    topic: 'account.security',
    accountName,
    subject: `${actor.fullName} changed something in ${accountName}`,
    body: [
      `The login of ${actor.fullName} (${actor.email}) made this change in ${accountName}: ${what}.`,
      'If you expected this, you don’t need to do anything.',
    ],
    path: '/member-account-settings/activity-logs',
    act: 'View activity',
    persons: [actor],
  });
}

/** Notifies the contacts who can approve access requests of the account, and returns their names. */
export async function notifyApprovers(change: Change, notice: Notice): Promise<string[]> {
  const approvers = await activeContacts(change, notice.accountName, { permission: 'users-approve' });
  const requests = { topic: 'contacts.requests', path: '/member-account-settings/access-requests', act: 'Approve or reject' } as const;
  await writeTo(change, { ...requests, ...notice }, approvers);
  return approvers.map(({ fullName }) => fullName);
}

/** Notifies exactly these people. */
export const notifyEveryone = (change: Change, notice: Notice): Promise<void> => writeTo(change, notice, notice.persons ?? []);
