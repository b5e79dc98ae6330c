import { contactsById, withdrawMaintainer } from '../../accounts/index.ts';
import type { AnswerOf } from '@portal/contract';
import { HOUR_MS, instantAfter } from '@portal/contract/days';
import { lastUserHours, type whoisMaintainerUsers } from '@portal/contract/whois/maintainer-users';
import { valuesOf } from '@portal/rpsl';
import { sql } from 'kysely';
import { createHash, timingSafeEqual } from 'node:crypto';
import { type Change, type Database, ownActivity } from '../../../platform/database/index.ts';
import { eachAlone } from '../../../platform/each-alone.ts';
import type { AdmittedAccount } from '../../../platform/http/endpoints.ts';
import { refuse } from '../../../platform/failure.ts';
import type { SecretBox } from '../../../platform/secret-box.ts';
import { sendMail } from '../../mail/index.ts';
import { newCode } from './mailed-code.ts';
import { objectOfRow } from '../store/object-facts.ts';
import { findObjects } from '../store/stored-objects.ts';
import { whoisTexts } from '../mail-texts.ts';
import type { MailText } from '../../mail/index.ts';

const WRONG_CODES = 5;
const hashOf = (accountName: string, maintainer: string, code: string): string =>
  createHash('sha256').update(`last user ${accountName} ${maintainer} ${code}`).digest('hex');

type User = { contactId: string; fullName: string };
type MailTools = { appUrl: string; box: SecretBox };

/**
 * Removes the last users of a maintainer after a day: its upd-to addresses and they themselves are notified,
 * with a link that keeps them. A repeated request does not restart the day.
 */
export async function scheduleUserRemoval(
  change: Change,
  { accountName }: AdmittedAccount,
  maintainer: string,
  { users, who, appUrl, box }: { users: readonly User[]; who: string } & MailTools,
): Promise<void> {
  const key = maintainer.toLowerCase();
  const code = newCode();
  const dueAt = instantAfter(change.now, lastUserHours * HOUR_MS);
  const begun = await change.rows(sql`insert into maintainer_last_user (account_name, maintainer, contact_ids, code_hash, asked_at, due_at)
    values (${accountName}, ${key}, ${users.map(({ contactId }) => contactId)}::uuid[], ${hashOf(accountName, key, code)}, ${change.now}::timestamptz, ${dueAt}::timestamptz)
    on conflict (account_name, maintainer) do nothing returning account_name`);
  if (begun.length === 0) return;
  const names = users.map(({ fullName }) => fullName).join(', ');
  await change.note({ withdrawnOn: dueAt, lastUsers: users.map(({ fullName }) => fullName) });
  await notifyUsers(change, { accountName, key, users }, box, {
    text: whoisTexts.written('aboutHaveNoUsers', {
      maintainer,
      actor: who,
      howMany: users.length === 1 ? 'user' : 'users',
      accountName,
      names,
      lastUserHours,
    }),
    link: `${appUrl}/resources/maintainer?keep=${encodeURIComponent(maintainer)}&code=${code}`,
    act: 'Keep users',
    answerBy: dueAt,
  });
}

/** A user is added again, so no one is removed later. */
export const cancelUserRemoval = (change: Change, accountName: string, maintainer: string): Promise<unknown> =>
  change.rows(sql`delete from maintainer_last_user where account_name = ${accountName} and maintainer = ${maintainer.toLowerCase()}`);

/**
 * Keeps the last users by the mailed code. A wrong one is counted, so it is returned as a result and not thrown; after five the code is void.
 * @throws Failure CODE_EXPIRED
 */
export async function keepLastUsers(
  change: Change,
  { accountName }: AdmittedAccount,
  maintainer: string,
  code: string,
): Promise<Pick<AnswerOf<typeof whoisMaintainerUsers.keepMaintainerUsers>, 'kept'>> {
  const key = maintainer.toLowerCase();
  const [row] = await change.rows<{
    codeHash: string;
    wrongCodes: number;
    dueAt: string;
  }>(sql`select code_hash, wrong_codes, due_at from maintainer_last_user
    where account_name = ${accountName} and maintainer = ${key} for update`);
  if (!row || row.wrongCodes >= WRONG_CODES || Date.parse(row.dueAt) <= Date.parse(change.now)) throw refuse('CODE_EXPIRED');
  const given = hashOf(accountName, key, code.toUpperCase().replaceAll(/[\s-]/g, ''));
  const kept = timingSafeEqual(Buffer.from(given), Buffer.from(row.codeHash));
  await change.note({ maintainer: maintainer.toUpperCase(), kept });
  if (kept) await cancelUserRemoval(change, accountName, key);
  else
    await change.rows(
      sql`update maintainer_last_user set wrong_codes = wrong_codes + 1 where account_name = ${accountName} and maintainer = ${key}`,
    );
  return { kept };
}

/** Removes the last users whose day is over. Returns of how many maintainers. */
export async function removeDueUsers(db: Database, { now, box }: { now: Date; box: SecretBox }): Promise<number> {
  const due = await db.read.rows<{ accountName: string; maintainer: string }>(
    sql`select account_name, maintainer from maintainer_last_user where due_at <= ${now.toISOString()}::timestamptz order by due_at`,
  );
  await eachAlone(
    due,
    ({ maintainer, accountName }) => `${maintainer} of ${accountName}`,
    async ({ accountName, maintainer: key }) => {
      const activity = ownActivity('whois.maintainerUsers.removeDueUsers', 'Removed the last users of a maintainer', accountName);
      await db.change(activity, async change => {
        const [row] = await change.rows<{ contactIds: string[] }>(sql`delete from maintainer_last_user
        where account_name = ${accountName} and maintainer = ${key} and due_at <= ${now.toISOString()}::timestamptz returning contact_ids::text[]`);
        // Kept at the last moment.
        if (!row) return;
        const name = key.toUpperCase();
        const users: User[] = await withdrawMaintainer(change, accountName, row.contactIds, name);
        await change.note({ maintainer: name, withdrawn: users.map(({ fullName }) => fullName) });
        if (users.length > 0)
          await notifyUsers(change, { accountName, key, users }, box, {
            text: whoisTexts.written('noUsers', {
              name,
              users: users.map(({ fullName }) => fullName).join(', '),
              accountName,
              lastUserHours,
            }),
          });
      });
    },
  );
  return due.length;
}

type Words = { text: MailText; link?: string; act?: string; answerBy?: string };

/** Writes to the upd-to addresses of a maintainer and to the people concerned, each once. */
async function notifyUsers(
  change: Change,
  { accountName, key, users }: { accountName: string; key: string; users: readonly User[] },
  box: SecretBox,
  words: Words,
): Promise<void> {
  const [object] = await findObjects(change, [{ class: 'mntner', key }]);
  const people = await contactsById(
    change,
    users.map(({ contactId }) => contactId),
  );
  const mails = new Map<string, { recipient: string; recipientName?: string; loginId?: string | null }>();
  for (const recipient of object ? valuesOf(objectOfRow(object), 'upd-to') : []) mails.set(recipient.toLowerCase(), { recipient });
  for (const { email, fullName, loginId } of people) mails.set(email.toLowerCase(), { recipient: email, recipientName: fullName, loginId });
  for (const mail of mails.values()) await sendMail(change, { topic: 'whois.objects', accountName, ...mail, ...words }, box);
}
