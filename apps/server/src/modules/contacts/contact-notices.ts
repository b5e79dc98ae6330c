import type { TopicKey } from '@portal/contract';
import type { Change } from '../../platform/database/index.ts';
import { notify } from '../notifications/index.ts';

type Person = { fullName: string; email: string; loginId?: string | null };

/** What the people of an account are told: a subject that names the account, and whole sentences. */
export type Notice = {
  /** `contacts.access` unless told. */
  topic?: TopicKey;
  accountName: string;
  subject: string;
  body: readonly string[];
  /** The page where one can act on it, and what the button there says. */
  path?: string;
  act?: string;
  /** The instant until which there is something to do. */
  answerBy?: string;
  /** Told too, whatever their contact types: the person it happened to. */
  persons?: readonly Person[];
};

const writeTo = (change: Change, notice: Notice, recipients: readonly Person[]): Promise<void> => {
  const { topic = 'contacts.access', accountName, subject, body, path, act, answerBy } = notice;
  return notify(change, { topic, accountName, subject, body, path, act, answerBy }, recipients);
};

/** Tells the person concerned and all corporate contacts. Nobody can switch it off (domain/accounts.md 21, changes to portal access). */
export async function tellCorporateContacts(change: Change, notice: Notice): Promise<void> {
  const corporate = await change
    .selectFrom('contact')
    .select(['fullName', 'email', 'loginId'])
    .where('accountName', '=', notice.accountName)
    .where('status', '=', 'ACTIVE')
    .where(eb => eb(eb.val('corporate'), '=', eb.fn.any('contactTypes')))
    .orderBy('fullName')
    .execute();
  await writeTo(change, notice, [...(notice.persons ?? []), ...corporate]);
}

/** Tells those who can approve access requests of the account, and answers their names. */
export async function tellApprovers(change: Change, notice: Notice): Promise<string[]> {
  const approvers = await change
    .selectFrom('contact')
    .select(['fullName', 'email', 'loginId'])
    .where('accountName', '=', notice.accountName)
    .where('status', '=', 'ACTIVE')
    .where(eb => eb(eb.val('users-approve'), '=', eb.fn.any('permissions')))
    .orderBy('fullName')
    .execute();
  const requests = { topic: 'contacts.requests', path: '/member-account-settings/access-requests', act: 'Approve or reject' } as const;
  await writeTo(change, { ...requests, ...notice }, approvers);
  return approvers.map(({ fullName }) => fullName);
}

/** Tells nobody but these. */
export const tellPersons = (change: Change, notice: Notice): Promise<void> => writeTo(change, notice, notice.persons ?? []);
