import type { AnswerOf, BodyOf, Download } from '@portal/contract';
import type { AccessReview, accessReviews } from '@portal/contract/contacts/access-reviews';
import { DAY_MS, utcDay } from '@portal/contract/days';
import { sql } from 'kysely';
import { type Change, frequent, type Read } from '../../platform/database/index.ts';
import { refuseField } from '../../platform/failure.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import type { Registry } from '../../platform/registry.ts';
import { tableFile } from '../../platform/table-file.ts';
import { lockAccount, activeContacts } from '../accounts/index.ts';
import { actorOf, changeRole, dismiss } from './contact-changes.ts';
import { notifyCorporateContacts } from './contact-notices.ts';
import { lockContactAt } from './contact-row.ts';
import { contactsTexts } from './mail-texts.ts';

const REVIEW_DAYS = 365;

/** Returns the last review of everyone who acts for the account; the first is due a year after the account was opened. */
export async function getAccessReview({
  read,
  account: { accountName },
  registry: { now },
}: {
  read: Read;
  account: { accountName: string };
  registry: Pick<Registry, 'now'>;
}): Promise<AccessReview> {
  const [row] = await read.rows<
    Omit<NonNullable<AccessReview['last']>, 'reviewedAt'> & { openedAt: string; reviewId: number | null; reviewedAt: string | null }
  >(
    frequent(sql`
    select a.created_at as opened_at, r.access_review_id as review_id, r.reviewed_at, coalesce(c.full_name, '') as reviewed_by,
      (select count(*)::int from access_review_line l where l.access_review_id = r.access_review_id and decision = 'keep') as kept,
      (select count(*)::int from access_review_line l where l.access_review_id = r.access_review_id and decision = 'narrow') as narrowed,
      (select count(*)::int from access_review_line l where l.access_review_id = r.access_review_id and decision = 'remove') as removed
    from account a left join lateral (select * from access_review r where r.account_name = a.account_name order by access_review_id desc limit 1) r on true
    left join contact c on c.contact_id = r.reviewed_by where a.account_name = ${accountName}`),
  );
  const { openedAt, reviewId, reviewedAt, ...counts } = row!;
  const last = reviewId === null || reviewedAt === null ? null : { ...counts, reviewedAt };
  const dueAt = Date.parse(last?.reviewedAt ?? openedAt) + REVIEW_DAYS * DAY_MS;
  return { last, dueFrom: utcDay(dueAt), due: dueAt <= now.getTime() };
}

type Decision = BodyOf<typeof accessReviews.reviewAccess>['decisions'][number];

/** Checks that every other contact is decided about once, with a reason for removals. @throws Failure INVALID_REQUEST */
async function checkDecisions(change: Change, accountName: string, own: string, decisions: readonly Decision[]): Promise<void> {
  const others = (await activeContacts(change, accountName)).filter(({ contactId }) => contactId !== own);
  const left = others.filter(({ contactId }) => !decisions.some(decision => decision.contactId === contactId));
  if (left.length > 0)
    throw refuseField('decisions', `${left.map(({ fullName }) => fullName).join(', ')} ${left.length === 1 ? 'is' : 'are'} missing`);
  if (new Set(decisions.map(({ contactId }) => contactId)).size < decisions.length)
    throw refuseField('decisions', 'One contact is listed twice');
  const named = (contactId: string): string => others.find(other => other.contactId === contactId)?.fullName ?? 'a contact';
  for (const { contactId, decision, permissions, reason } of decisions) {
    if (contactId === own) throw refuseField('decisions', 'You can’t decide about yourself');
    if (decision !== 'keep' && reason === '') throw refuseField('decisions', `Enter a reason for ${named(contactId)}`);
    if ((decision === 'narrow') !== permissions.length > 0)
      throw refuseField('decisions', `List permissions only when removing them (${named(contactId)})`);
  }
}

/**
 * Carries out the decisions about every other contact, all or nothing, and stores who decided what and why.
 * @throws Failure NOT_FOUND, STALE, INVALID_REQUEST and those of `changeRole` and `dismiss`
 */
export async function reviewAccess({
  change,
  account,
  body: { decisions },
}: Act<typeof accessReviews.reviewAccess>): Promise<AnswerOf<typeof accessReviews.reviewAccess>> {
  const { accountName } = account;
  await lockAccount(change, accountName);
  const actor = await actorOf(change, account);
  await checkDecisions(change, accountName, actor.contactId, decisions);
  const { accessReviewId } = await change
    .insertInto('accessReview')
    .values({ accountName, reviewedBy: actor.contactId, reviewedAt: change.now })
    .returning('accessReviewId')
    .executeTakeFirstOrThrow();
  const words: string[] = [];
  const waiting: string[] = [];
  for (const { contactId, version, decision, permissions, reason } of decisions) {
    const contact = await lockContactAt(change, account, contactId, version);
    if (decision === 'narrow') {
      const lacking = permissions.filter(permission => !contact.permissions.includes(permission));
      if (lacking.length > 0 || contact.contactTypes.includes('corporate'))
        throw refuseField(
          'decisions',
          lacking.length > 0
            ? `${contact.fullName} doesn’t have ${lacking.join(', ')}`
            : `A corporate contact has all permissions (${contact.fullName})`,
        );
      await changeRole({
        change,
        account,
        actor,
        contact,
        role: {
          contactTypes: contact.contactTypes,
          permissions: contact.permissions.filter(permission => !permissions.includes(permission)),
          reason,
        },
      });
    }
    if (decision === 'remove' && !(await dismiss(change, actor, contact, { reason }))) waiting.push(contact.fullName);
    await change
      .insertInto('accessReviewLine')
      .values({ accessReviewId, contactId, decision, reason, permissions: [...permissions] })
      .execute();
    words.push(
      `${contact.fullName}: ${{ keep: 'kept', narrow: 'permissions taken away', remove: 'removed' }[decision]}${reason === '' ? '' : ` (${reason})`}`,
    );
  }
  await change.note({ review: accessReviewId, decisions: words });
  await notifyCorporateContacts(change, {
    accountName,
    text: contactsTexts.written('accessReviewed', { actor: actor.name, accountName, details: words.length > 0 ? words.join('\n') : '' }),
    path: '/member-account-settings/account-contacts?view=review',
    act: 'View review',
  });
  return { review: await getAccessReview({ read: change, account: { accountName }, registry: { now: new Date(change.now) } }), waiting };
}

const reviewColumns = ['reviewedAt', 'reviewedBy', 'contact', 'email', 'decision', 'permissionsTakenAway', 'reason'] as const;

/** Returns every decision of every review of the account as a file, newest first. */
export const exportAccessReviews = async ({
  read,
  account: { accountName },
  query: { format },
}: Act<typeof accessReviews.exportAccessReviews>): Promise<Download> =>
  tableFile(`access-reviews-${accountName}`, format, reviewColumns, streamReviews(read, accountName));

async function* streamReviews(read: Read, accountName: string): AsyncGenerator<Record<(typeof reviewColumns)[number], string>[]> {
  const rows = read.stream<Record<(typeof reviewColumns)[number], string>>(sql`
    select to_char(r.reviewed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as reviewed_at, b.full_name as reviewed_by, c.full_name as contact,
      c.email, l.decision, array_to_string(l.permissions, ' ') as permissions_taken_away, l.reason
    from access_review r join access_review_line l using (access_review_id) join contact b on b.contact_id = r.reviewed_by
    join contact c on c.contact_id = l.contact_id where r.account_name = ${accountName} order by r.access_review_id desc, lower(c.full_name)`);
  yield* rows;
}
