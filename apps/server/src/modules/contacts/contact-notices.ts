import type { Change } from '../../platform/database/index.ts';
import { sendMail } from '../mail/index.ts';

type Person = { fullName: string; email: string };

/** What the people of an account are told: a subject that names the account, and whole sentences. */
export type Notice = {
  accountName: string;
  subject: string;
  body: readonly string[];
  /** Told too, whatever their contact types: the person it happened to. */
  persons?: readonly Person[];
};

const writeTo = async (change: Change, { accountName, subject, body }: Notice, recipients: readonly Person[]): Promise<void> => {
  const each = new Map(recipients.map(person => [person.email.toLowerCase(), person]));
  for (const { fullName, email } of each.values()) {
    await sendMail(change, { recipient: email, accountName, subject, body: [`Dear ${fullName},`, ...body].join('\n\n') });
  }
};

/** Mails the person concerned and all corporate contacts. Nobody can switch it off (domain/accounts.md 21, changes to portal access). */
export async function tellCorporateContacts(change: Change, notice: Notice): Promise<void> {
  const corporate = await change
    .selectFrom('contact')
    .select(['fullName', 'email'])
    .where('accountName', '=', notice.accountName)
    .where('status', '=', 'ACTIVE')
    .where(eb => eb(eb.val('corporate'), '=', eb.fn.any('contactTypes')))
    .orderBy('fullName')
    .execute();
  await writeTo(change, notice, [...corporate, ...(notice.persons ?? [])]);
}

/** Mails those who can approve access requests of the account, and answers their names. */
export async function tellApprovers(change: Change, notice: Notice): Promise<string[]> {
  const approvers = await change
    .selectFrom('contact')
    .select(['fullName', 'email'])
    .where('accountName', '=', notice.accountName)
    .where('status', '=', 'ACTIVE')
    .where(eb => eb(eb.val('users-approve'), '=', eb.fn.any('permissions')))
    .orderBy('fullName')
    .execute();
  await writeTo(change, notice, approvers);
  return approvers.map(({ fullName }) => fullName);
}

/** Mails nobody but these. */
export const tellPersons = (change: Change, notice: Notice): Promise<void> => writeTo(change, notice, notice.persons ?? []);
