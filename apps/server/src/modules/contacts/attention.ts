import type { Attention } from '@portal/contract/home/home';
import { sql } from 'kysely';
import type { AttentionSubject } from '../../platform/attention.ts';
import { confirmationIsDue } from './contact-list.ts';
import { getAccessReview } from './access-reviews.ts';
import { withoutFactor } from './account-safety.ts';

const contactsPage = '/member-account-settings/account-contacts';
const MAX_NAMED = 3;

/** The request of a person, as text to follow the person's name. */
const requested = {
  link: 'asks to be linked to the account',
  'add-contact': 'asks for a contact to be added',
  'remove-contact': 'asks for a contact to be removed',
  'change-role': 'asks to change the types of a contact',
  permission: 'asks for permissions',
} as const;

const named = (names: readonly string[]): string =>
  names.length <= MAX_NAMED ? names.join(', ') : `${names.slice(0, MAX_NAMED).join(', ')} and ${names.length - MAX_NAMED} more`;

/** Requests to answer, contacts who cannot be reached or have no second factor, a single corporate contact, details to confirm, a review that is due. */
export async function contactsAttention(subject: AttentionSubject): Promise<Attention[]> {
  const parts = await Promise.all([openRequests(subject), unreachable(subject), corporate(subject), confirmation(subject)]);
  return parts.flat();
}

async function openRequests({ read, caller, account }: AttentionSubject): Promise<Attention[]> {
  if (!account.permissions.has('users-approve')) return [];
  const asked = await read
    .selectFrom('accessRequest')
    .innerJoin('login', 'login.loginId', 'accessRequest.loginId')
    .select(['login.fullName', 'kind', 'requestedAt'])
    .where('accountName', '=', account.accountName)
    .where('status', '=', 'pending')
    .where('accessRequest.loginId', '<>', caller.loginId)
    .orderBy('accessRequestId')
    .limit(100)
    .execute();
  if (asked.length === 0) return [];
  const lines = asked.map(({ fullName, kind }) => `${fullName} ${requested[kind]}`);
  return [
    {
      attentionId: 'access-requests',
      urgency: 'soon',
      due: asked[0]!.requestedAt,
      title: lines.length === 1 ? lines[0]! : `${lines.length} open access requests`,
      detail: lines.length === 1 ? 'Approve or reject the request.' : `${named(lines)}.`,
      action: { label: 'Review', link: '/member-account-settings/access-requests' },
      count: lines.length,
      forWhom: 'account',
    },
  ];
}

async function unreachable({ read, account }: AttentionSubject): Promise<Attention[]> {
  if (!account.contactTypes.includes('corporate')) return [];
  const refused = await read.rows<{
    fullName: string;
    email: string;
    since: string;
  }>(sql`with own as materialized (select full_name, email from contact where account_name = ${account.accountName} and status = 'active')
    select full_name, email, unreachable_since as since from own
    join mail_refusal on address = lower(email) and unreachable_since is not null order by full_name limit 100`);
  if (refused.length === 0) return [];
  return [
    {
      attentionId: 'unreachable-contacts',
      urgency: 'soon',
      due: refused[0]!.since,
      title: refused.length === 1 ? `E-mail to ${refused[0]!.fullName} is refused` : `E-mail to ${refused.length} contacts is refused`,
      detail: `The mail servers of ${named(refused.map(({ fullName, email }) => `${fullName} (${email})`))} refuse our e-mail. Change the address or have the mailbox fixed.`,
      action: { label: 'Change e-mail', link: contactsPage },
      forWhom: 'account',
    },
  ];
}

/** Facts that only a corporate contact can change: how many there are, who has a second factor, the yearly review. */
async function corporate({ read, account, now }: AttentionSubject): Promise<Attention[]> {
  if (!account.contactTypes.includes('corporate') || account.accountStatus === 'closed') return [];
  const [bare, review, [counted]] = await Promise.all([
    withoutFactor(read, account.accountName),
    getAccessReview({ read, account, registry: { now } }),
    read.rows<{ corporate: number; others: number }>(sql`select count(*) filter (where 'corporate' = any(contact_types))::int as corporate,
      count(*)::int - 1 as others from contact where account_name = ${account.accountName} and status = 'active'`),
  ]);
  const list: Attention[] = [];
  if (counted!.corporate === 1)
    list.push({
      attentionId: 'single-corporate-contact',
      urgency: 'soon',
      due: null,
      title: 'You’re the only corporate contact',
      detail: 'Invite a second one so that no one is locked out if you lose access.',
      action: { label: 'Invite a contact', link: `${contactsPage}?invite=yes` },
      forWhom: 'account',
    });
  if (bare.length > 0)
    list.push({
      attentionId: 'contacts-without-second-factor',
      urgency: 'soon',
      due: null,
      title:
        bare.length === 1
          ? `${bare[0]!.fullName} has no two-factor authentication`
          : `${bare.length} contacts have no two-factor authentication`,
      detail: `${bare.length === 1 ? 'A' : `${named(bare.map(({ fullName }) => fullName))}: a`} stolen password is enough to act for this account.`,
      action: { label: 'Require two-factor', link: `${contactsPage}?view=safety` },
      forWhom: 'account',
    });
  if (review.due && counted!.others > 0)
    list.push({
      attentionId: 'access-review',
      urgency: 'note',
      due: review.dueFrom,
      title: 'The yearly access review is due',
      detail: 'Check that everyone still acts for the account and needs their permissions.',
      action: { label: 'Start review', link: `${contactsPage}?view=review` },
      forWhom: 'account',
    });
  return list;
}

async function confirmation({ read, account, now }: AttentionSubject): Promise<Attention[]> {
  if (account.contactId === null || !(await confirmationIsDue(read, account.contactId, now))) return [];
  return [
    {
      attentionId: 'contact-confirmation',
      urgency: 'note',
      due: null,
      title: 'Are your contact details still correct?',
      detail: 'Once a year, confirm your name, e-mail address, telephone number and position.',
      action: { label: 'Confirm details', link: contactsPage },
      forWhom: 'me',
    },
  ];
}
