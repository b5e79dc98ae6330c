import { DAY_MS, instantBefore, utcDay } from '@portal/contract/days';
import { sql } from 'kysely';
import type { ActOf } from '../../platform/activity-words.ts';
import { type ActivityInfo, type Database, ownActivity } from '../../platform/database/index.ts';
import { eachAlone, stepsAlone } from '../../platform/each-alone.ts';
import { lockAccount, noteConfirmationAsked } from '../accounts/index.ts';
import { withoutFactor } from './account-safety.ts';
import { endExpiredHelpers } from './helper-access.ts';
import { notifyApprovers, notifyCorporateContacts, notifyEveryone } from './contact-notices.ts';
import { endInvitation } from './invitations.ts';
import { contactsTexts } from './mail-texts.ts';

/** Days after which approvers are reminded of a request. */
const REMINDER_DAYS = [7, 21];
const INVITATION_REMINDER_DAYS = 5;
const CONFIRMATION_DAYS = 365;
const FACTOR_REMINDER_DAYS = 7;

const line = (action: ActOf<'contacts'>, summary: string, accountName: string): ActivityInfo =>
  ownActivity(`contacts.${action}`, summary, accountName);

/** Handles deadlines of requests, invitations and contacts. Each is its own change and skips what another process has done. */
export async function runContactDeadlines(db: Database, now: Date): Promise<void> {
  await stepsAlone({
    expireRequests: () => expireRequests(db, now),
    remindApprovers: () => remindApprovers(db, now),
    expireInvitations: () => expireInvitations(db, now),
    remindInvited: () => remindInvited(db, now),
    askForConfirmations: () => askForConfirmations(db, now),
    remindOfSecondFactor: () => remindOfSecondFactor(db, now),
    endExpiredHelpers: () => endExpiredHelpers(db, now),
    askForReviews: () => askForReviews(db, now),
  });
}

/** Requests without a decision within 30 days expire; the requester is notified. */
async function expireRequests(db: Database, now: Date): Promise<void> {
  const due = await db.read
    .selectFrom('accessRequest')
    .innerJoin('login', 'login.loginId', 'accessRequest.loginId')
    .select(['accessRequestId', 'accountName', 'login.fullName', 'login.email', 'requestedAt'])
    .where('status', '=', 'pending')
    .where('expiresAt', '<=', now.toISOString())
    .orderBy('accessRequestId')
    .execute();
  await eachAlone(
    due,
    ({ accessRequestId, accountName }) => `access request ${accessRequestId} of ${accountName}`,
    ({ accessRequestId, accountName, fullName, email, requestedAt }) =>
      db.change(line('expireAccessRequest', 'An access request expired', accountName), async change => {
        // As who resolves it does: one of the two is first.
        await lockAccount(change, accountName);
        const ended = await change
          .updateTable('accessRequest')
          .set({ status: 'other', outcome: 'expired', resolvedAt: change.now })
          .where('accessRequestId', '=', accessRequestId)
          .where('status', '=', 'pending')
          .returning('accessRequestId')
          .executeTakeFirst();
        if (!ended) return;
        await change.note({ request: accessRequestId, requester: fullName });
        await notifyEveryone(change, {
          accountName,
          text: contactsTexts.written('requestExpired', { accountName, requestedOn: utcDay(requestedAt) }),
          persons: [{ fullName, email }],
        });
      }),
  );
}

/** After 7 and 21 days those who can approve a request are reminded. */
async function remindApprovers(db: Database, now: Date): Promise<void> {
  const reminders = [...REMINDER_DAYS.entries()];
  await eachAlone(
    reminders,
    ([sent]) => `reminder ${sent + 1}`,
    async ([sent, days]) => {
      const due = await db.read
        .selectFrom('accessRequest')
        .innerJoin('login', 'login.loginId', 'accessRequest.loginId')
        .select(['accessRequestId', 'accountName', 'login.fullName', 'requestedAt', 'expiresAt'])
        .where('status', '=', 'pending')
        .where('reminders', '=', sent)
        .where('requestedAt', '<=', instantBefore(now, days * DAY_MS))
        .where('expiresAt', '>', now.toISOString())
        .orderBy('accessRequestId')
        .execute();
      await eachAlone(
        due,
        ({ accessRequestId, accountName }) => `access request ${accessRequestId} of ${accountName}`,
        ({ accessRequestId, accountName, fullName, requestedAt, expiresAt }) =>
          db.change(line('remindOfAccessRequest', 'Sent a reminder of an access request', accountName), async change => {
            const reminded = await change
              .updateTable('accessRequest')
              .set({ reminders: sent + 1, notifiedAt: change.now })
              .where('accessRequestId', '=', accessRequestId)
              .where('status', '=', 'pending')
              .where('reminders', '=', sent)
              .returning('accessRequestId')
              .executeTakeFirst();
            if (!reminded) return;
            await change.note({ request: accessRequestId, requester: fullName });
            await notifyApprovers(change, {
              topic: 'contacts.reminders',
              accountName,
              text: contactsTexts.written('requestStillOpen', { fullName, accountName, requestedOn: utcDay(requestedAt) }),
              answerBy: expiresAt,
            });
          }),
      );
    },
  );
}

const openInvitations = (db: Database) =>
  db.read
    .selectFrom('invitation')
    .innerJoin('contact', 'contact.contactId', 'invitation.contactId')
    .leftJoin('contact as inviter', join =>
      join.onRef('inviter.contactId', '=', 'invitation.invitedBy').on('inviter.status', '=', 'active'),
    )
    .select([
      'invitationId',
      'contact.contactId',
      'contact.accountName',
      'contact.fullName',
      'contact.email',
      'expiresAt',
      'inviter.fullName as inviterName',
      'inviter.email as inviterEmail',
    ])
    .where('invitation.state', '=', 'sent')
    .orderBy('invitationId');

/** Invitations without an answer within 7 days expire; the inviter is notified and can send another. */
async function expireInvitations(db: Database, now: Date): Promise<void> {
  await eachAlone(
    await openInvitations(db).where('expiresAt', '<=', now.toISOString()).execute(),
    ({ invitationId, accountName }) => `invitation ${invitationId} of ${accountName}`,
    async due => {
      const { invitationId, contactId, accountName, fullName, email, inviterName, inviterEmail } = due;
      await db.change(line('expireInvitation', 'An invitation expired', accountName), async change => {
        const open = await change
          .selectFrom('invitation')
          .select('invitationId')
          .where('invitationId', '=', invitationId)
          .where('state', '=', 'sent')
          .forUpdate()
          .executeTakeFirst();
        if (!open) return;
        await endInvitation(change, contactId, 'expired');
        await change.note({ contact: fullName, email });
        await notifyEveryone(change, {
          accountName,
          text: contactsTexts.written('invitationExpired', { fullName, accountName, email }),
          path: '/member-account-settings/account-contacts',
          act: 'Open account contacts',
          persons: inviterName !== null && inviterEmail !== null ? [{ fullName: inviterName, email: inviterEmail }] : [],
        });
      });
    },
  );
}

/** Two days before an invitation expires the invited person is reminded; the link is in the first mail only. */
async function remindInvited(db: Database, now: Date): Promise<void> {
  const before = instantBefore(now, INVITATION_REMINDER_DAYS * DAY_MS);
  const due = await openInvitations(db)
    .where('sentAt', '<=', before)
    .where('remindedAt', 'is', null)
    .where('expiresAt', '>', now.toISOString())
    .execute();
  await eachAlone(
    due,
    ({ invitationId, accountName }) => `invitation ${invitationId} of ${accountName}`,
    ({ invitationId, accountName, fullName, email, expiresAt }) =>
      db.change(line('remindOfInvitation', 'Sent a reminder of an invitation', accountName), async change => {
        const reminded = await change
          .updateTable('invitation')
          .set({ remindedAt: change.now })
          .where('invitationId', '=', invitationId)
          .where('state', '=', 'sent')
          .where('remindedAt', 'is', null)
          .returning('invitationId')
          .executeTakeFirst();
        if (!reminded) return;
        await change.note({ contact: fullName, email });
        await notifyEveryone(change, {
          accountName,
          text: contactsTexts.written('invitationWaiting', { accountName, until: expiresAt.slice(0, 16).replace('T', ' ') }),
          persons: [{ fullName, email }],
        });
      }),
  );
}

/** A week before an account requires a second factor, and on the day, contacts without one are reminded. */
async function remindOfSecondFactor(db: Database, now: Date): Promise<void> {
  const day = (ahead: number): string => utcDay(now.getTime() + ahead * DAY_MS);
  const due = await db.read.rows<{ accountName: string; secondFactorFrom: string }>(sql`
    select account_name, second_factor_from from account_safety join account using (account_name)
    where account_status <> 'closed' and second_factor_from between ${day(0)}::date and ${day(FACTOR_REMINDER_DAYS)}::date
      and (reminded_at is null or reminded_at < second_factor_from - ${FACTOR_REMINDER_DAYS}::int
        or (second_factor_from = ${day(0)}::date and reminded_at < ${day(0)}::date)) order by account_name`);
  await eachAlone(
    due,
    ({ accountName }) => accountName,
    ({ accountName, secondFactorFrom }) =>
      db.change(line('remindOfSecondFactor', 'Sent a reminder of required two-factor', accountName), async change => {
        const reminded = await change
          .updateTable('accountSafety')
          .set({ remindedAt: now.toISOString() })
          .where('accountName', '=', accountName)
          .where('secondFactorFrom', '=', secondFactorFrom)
          .where(eb =>
            eb.or([
              eb('remindedAt', 'is', null),
              sql<boolean>`reminded_at < second_factor_from - ${FACTOR_REMINDER_DAYS}::int`,
              sql<boolean>`second_factor_from = ${day(0)}::date and reminded_at < ${day(0)}::date`,
            ]),
          )
          .returning('accountName')
          .executeTakeFirst();
        if (!reminded) return;
        const lacking = await withoutFactor(change, accountName);
        await change.note({ without: lacking.map(({ fullName }) => fullName) });
        await notifyEveryone(change, {
          accountName,
          text: contactsTexts.written('setUpTwoFactor', { accountName, from: secondFactorFrom }),
          path: '/settings',
          act: 'Open settings',
          answerBy: `${secondFactorFrom}T00:00:00.000Z`,
          persons: lacking,
        });
      }),
  );
}

/** Once a year the corporate contacts are asked to review everyone who acts for the account, and reminded after a month. */
async function askForReviews(db: Database, now: Date): Promise<void> {
  const ago = (days: number): string => instantBefore(now, days * DAY_MS);
  const [year, month] = [ago(CONFIRMATION_DAYS), ago(30)];
  const due = await db.read.rows<{ accountName: string }>(sql`
    select a.account_name from account a left join account_safety s using (account_name)
    where a.account_status in ('open', 'suspended') and a.created_at < ${year} and (s.review_asked_at is null or s.review_asked_at < ${month})
      and not exists (select from access_review r where r.account_name = a.account_name and r.reviewed_at > ${year})
      and (select count(*) from contact c where c.account_name = a.account_name and c.status = 'active' and c.login_id is not null) > 1
    order by a.account_name limit 500`);
  await eachAlone(
    due,
    ({ accountName }) => accountName,
    ({ accountName }) =>
      db.change(line('askForReview', 'Requested an access review', accountName), async change => {
        const asked =
          await change.rows(sql`insert into account_safety (account_name, review_asked_at) values (${accountName}, ${now.toISOString()})
        on conflict (account_name) do update set review_asked_at = excluded.review_asked_at
        where account_safety.review_asked_at is null or account_safety.review_asked_at < ${month} returning account_name`);
        if (asked.length === 0) return;
        await notifyCorporateContacts(change, {
          topic: 'contacts.review',
          accountName,
          text: contactsTexts.written('accessReview', { accountName }),
          path: '/member-account-settings/account-contacts?view=review',
          act: 'Start review',
        });
      }),
  );
}

/** Once a year each contact is asked whether the details are still right. */
async function askForConfirmations(db: Database, now: Date): Promise<void> {
  const before = instantBefore(now, CONFIRMATION_DAYS * DAY_MS);
  const due = await db.read.rows<{ contactId: string; accountName: string; fullName: string; email: string; loginId: string }>(sql`
    select contact_id::text, account_name, full_name, email, login_id from contact join account using (account_name)
    where status = 'active' and login_id is not null and account_status <> 'closed' and coalesce(confirmed_at, contact.created_at) < ${before}
      and (confirmation_asked_at is null or confirmation_asked_at < ${before}) order by account_name limit 1000`);
  await eachAlone(
    due,
    ({ contactId, accountName }) => `contact ${contactId} of ${accountName}`,
    ({ contactId, accountName, fullName, email, loginId }) =>
      db.change(line('askForConfirmation', 'Asked a contact to confirm the details', accountName), async change => {
        if (!(await noteConfirmationAsked(change, contactId, { now: now.toISOString(), after: before }))) return;
        await change.note({ contact: fullName, email });
        await notifyEveryone(change, {
          accountName,
          text: contactsTexts.written('detailsStillCorrect', { accountName }),
          topic: 'contacts.review',
          path: '/member-account-settings/account-contacts',
          act: 'View your details',
          persons: [{ fullName, email, loginId }],
        });
      }),
  );
}
