import type { AnswerOf } from '@portal/contract';
import type { accessRequests } from '@portal/contract/contacts/access-requests';
import { DAY_MS, HOUR_MS, instantAfter, instantBefore } from '@portal/contract/days';
import { sql } from 'kysely';
import * as z from 'zod';
import type { Change } from '../../platform/database/index.ts';
import { refuseWith } from '../../platform/failure.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import { taskType } from '../../platform/tasks.ts';
import { findAccount, isContactOf, linkContactByAddress } from '../accounts/index.ts';
import { loginById, lockLogin } from '../identity/index.ts';
import { notifyApprovers, notifyCorporateContacts } from './contact-notices.ts';
import { endInvitation } from './invitations.ts';
import { expiryOf, REQUEST_DAYS } from './permission-requests.ts';
import { theLast } from '../../platform/clock-watch.ts';
import { contactsTexts } from './mail-texts.ts';

const MAX_A_DAY = 5;
const MAX_AN_HOUR_FROM_ADDRESS = 20;

/**
 * Records that a person wants to be linked to an account. Neither the answer nor its timing reveals whether it exists: the same rows are written, and
 * a task looks it up.
 * @throws Failure TOO_MANY_REQUESTS at the sixth within a day, or the twenty-first within an hour from one address
 */
export async function linkAccount({ change, caller, body: { accountName } }: Act<typeof accessRequests.linkAccount>): Promise<void> {
  // Locked per person, so that concurrent requests can't exceed the maximum.
  await lockLogin(change, caller.loginId);
  const { address } = await change
    .selectFrom('activity')
    .select('address')
    .where('activityId', '=', change.activityId)
    .executeTakeFirstOrThrow();
  const at = Date.parse(change.now);
  const [day, hour] = [theLast(DAY_MS, change.now), theLast(HOUR_MS, change.now)];
  const [made] = await change.rows<{ byPerson: string | null; fromAddress: string | null }>(sql`select
    (select asked_at from link_attempt where login_id = ${caller.loginId} and asked_at between ${day.since} and ${day.until}
      order by asked_at desc offset ${MAX_A_DAY - 1} limit 1) as by_person,
    (select asked_at from link_attempt where address = ${address}::inet and asked_at between ${hour.since} and ${hour.until}
      order by asked_at desc offset ${MAX_AN_HOUR_FROM_ADDRESS - 1} limit 1) as from_address`);
  const freeAt = Math.max(
    made!.byPerson === null ? 0 : Date.parse(made!.byPerson) + DAY_MS,
    made!.fromAddress === null ? 0 : Date.parse(made!.fromAddress) + HOUR_MS,
  );
  if (freeAt > 0) {
    const seconds = String(Math.max(1, Math.ceil((freeAt - at) / 1000)));
    throw refuseWith({ 'retry-after': seconds }, 'TOO_MANY_REQUESTS', { seconds });
  }
  const { linkAttemptId } = await change
    .insertInto('linkAttempt')
    .values({ loginId: caller.loginId, accountName, address, askedAt: change.now })
    .returning('linkAttemptId')
    .executeTakeFirstOrThrow();
  await change.note({ accountName });
  await change.enqueue(linkToAccount, { linkAttemptId });
}

/** Lists the accounts a person asked to be linked to without being a contact: from the requests alone, so that it reveals nothing about accounts. */
export async function listLinkRequests({
  read,
  caller,
  registry: { now },
}: Act<typeof accessRequests.listLinkRequests>): Promise<AnswerOf<typeof accessRequests.listLinkRequests>> {
  const since = instantBefore(now, REQUEST_DAYS * DAY_MS);
  const rows = await read.rows<{
    accountName: string;
    askedAt: string;
  }>(sql`select account_name, max(asked_at) as asked_at from link_attempt t
    where login_id = ${caller.loginId} and asked_at > ${since} and cancelled_at is null
      and not exists (select from contact c where c.login_id = t.login_id and c.account_name = t.account_name and c.status = 'active')
    group by account_name order by account_name`);
  return rows.map(row => ({ ...row, remindFrom: instantAfter(row.askedAt, DAY_MS) }));
}

/** Links a person to an account, or asks those who can approve it; does nothing without such an account. It may run twice. */
export const linkToAccount = taskType({
  name: 'contacts.linkAccount',
  summary: 'Looked for the account of a link request',
  input: z.object({ linkAttemptId: z.int() }),
  run: async ({ db, activity, input }) => {
    const wanted = await db.read.selectFrom('linkAttempt').selectAll().where('linkAttemptId', '=', input.linkAttemptId).executeTakeFirst();
    if (!wanted || wanted.cancelledAt !== null) return;
    const { accountName, loginId } = wanted;
    const account = await findAccount(db.read, accountName);
    if (!account || account.accountStatus === 'closed' || (await isContactOf(db.read, accountName, loginId))) return;
    const line = {
      ...activity,
      action: 'contacts.accessRequests.linkAccount',
      summary: 'Requested to be linked to the account',
      accountName,
    };
    await db.change(line, async change => {
      if (await isContactOf(change, accountName, loginId)) return;
      if (!(await linkByAddress(change, accountName, loginId))) await askToBeLinked(change, accountName, loginId);
    });
  },
});

/** A contact without a login and with the person's verified address is that person. */
async function linkByAddress(change: Change, accountName: string, loginId: string): Promise<boolean> {
  const login = await loginById(change, loginId);
  if (!login?.emailVerified) return false;
  const contact = await linkContactByAddress(change, accountName, login);
  if (!contact) return false;
  const { contactId, fullName, email, contactTypes } = contact;
  await endInvitation(change, contactId, 'accepted');
  await change.note({ contact: fullName, email, contactTypes, linked: 'by the verified address' });
  await notifyCorporateContacts(change, {
    accountName,
    text: contactsTexts.written('nowLinked', {
      fullName,
      accountName,
      fullName2: login.fullName,
      contactTypes: contactTypes.join(' and '),
      email,
    }),
    persons: [contact],
  });
  return true;
}

/** Makes the request, or sends a reminder of an open one, once a day. */
async function askToBeLinked(change: Change, accountName: string, loginId: string): Promise<void> {
  const login = await loginById(change, loginId);
  if (!login) return;
  const made = await change
    .insertInto('accessRequest')
    .values({
      accountName,
      kind: 'link',
      loginId,
      requestedAt: change.now,
      notifiedAt: change.now,
      expiresAt: expiryOf(change.now),
    })
    .onConflict(conflict => conflict.doNothing())
    .returning('accessRequestId')
    .executeTakeFirst();
  if (!made) {
    const reminded = await change
      .updateTable('accessRequest')
      .set({ notifiedAt: change.now })
      .where('accountName', '=', accountName)
      .where('loginId', '=', loginId)
      .where('kind', '=', 'link')
      .where('status', '=', 'pending')
      .where('notifiedAt', '<=', instantBefore(change.now, DAY_MS))
      .returning('accessRequestId')
      .executeTakeFirst();
    if (!reminded) return;
  }
  await change.note({ requester: login.fullName, email: login.email, ...(made && { request: made.accessRequestId }) });
  await notifyApprovers(change, {
    accountName,
    text: contactsTexts.written('linkRequested', {
      fullName: login.fullName,
      accountName,
      email: login.email,
      outcome: login.emailVerified ? 'a verified address' : 'an unverified address',
    }),
  });
}
