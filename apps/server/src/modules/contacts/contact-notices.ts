import { HOUR_MS, instantBefore } from '@portal/contract/days';
import type { TopicKey } from '@portal/contract/notifications/topics';
import { sql } from 'kysely';
import type { Change } from '../../platform/database/index.ts';
import type { AdmittedAccount } from '../../platform/http/endpoints.ts';
import { activeContacts, contactById } from '../accounts/index.ts';
import { notifyPeople } from '../identity/index.ts';
import { contactsTexts } from './mail-texts.ts';
import type { MailText } from '../mail/index.ts';

type Person = { fullName: string; email: string; loginId?: string | null };

/** A notice to contacts of an account: its text, whose subject names the account. */
export type Notice = {
  /** `contacts.access` by default. */
  topic?: TopicKey;
  accountName: string;
  text: MailText;
  /** The page where one can act on it, and what the button there says. */
  path?: string;
  act?: string;
  /** The instant until which there is something to do. */
  answerBy?: string;
  /** The person concerned, always notified, whatever their contact types. */
  persons?: readonly Person[];
};

const writeTo = (change: Change, notice: Notice, recipients: readonly Person[]): Promise<void> => {
  const { topic = 'contacts.access', accountName, text, path, act, answerBy } = notice;
  return notifyPeople(change, { topic, accountName, text, path, act, answerBy }, recipients);
};

/** Notifies the person concerned and all corporate contacts. This notice can't be switched off. */
export async function notifyCorporateContacts(change: Change, notice: Notice): Promise<void> {
  const corporate = await activeContacts(change, notice.accountName, { types: ['corporate'] });
  await writeTo(change, notice, [...(notice.persons ?? []), ...corporate]);
}

/** Changes by programs are announced at most once in this time. */
const PROGRAM_NOTICE_MS = HOUR_MS;

/**
 * Notifies the corporate contacts, the security address and the author of a change whose effect requires it (S30), unless the change has notified
 * them itself or changed nothing. `hasWrittenBeside`: whether it wrote something with a separate history. Changes with an API key are announced once
 * an hour, because there may be thousands.
 */
export async function notifyAboutChange(
  change: Change,
  { accountName, contactId }: AdmittedAccount,
  { what, hasWrittenBeside }: { what: string; hasWrittenBeside: (change: Change) => Promise<boolean> },
): Promise<void> {
  if (contactId === null) return;
  const { notified, changed } = await factsOf(change);
  if (notified || !(changed || (await hasWrittenBeside(change)))) return;
  const actor = (await contactById(change, contactId))!;
  await notifyCorporateContacts(change, {
    topic: 'account.security',
    accountName,
    text: contactsTexts.written('changedSomething', { actor: actor.fullName, accountName, actorEmail: actor.email, what }),
    path: '/member-account-settings/activity-logs',
    act: 'View activity',
    persons: [actor],
  });
}

/** Returns whether people were notified of the change, or recently of one with the same API key, and whether it has written or begun anything. */
async function factsOf(change: Change): Promise<{ notified: boolean; changed: boolean }> {
  const since = instantBefore(change.now, PROGRAM_NOTICE_MS);
  const [facts] = await change.rows<{ notified: boolean; changed: boolean }>(sql`
    select exists (select from freeze_link f where f.activity_id = a.activity_id)
        or coalesce(a.sid like 'api-key-%', false) and exists (select from activity b join freeze_link f using (activity_id)
          where b.sid = a.sid and b.account_name = a.account_name and b.happened_at > ${since}) as notified,
      exists (select from row_change r where r.activity_id = a.activity_id)
        or exists (select from task t where t.activity_id = a.activity_id) as changed
    from activity a where a.activity_id = ${change.activityId}`);
  return facts!;
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
