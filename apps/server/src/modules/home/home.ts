import type { AnswerOf } from '@portal/contract';
import { DAY_MS } from '@portal/contract/days';
import type { Attention, home } from '@portal/contract/home/home';
import { sql } from 'kysely';
import type { Caller } from '../../platform/caller.ts';
import type { Read } from '../../platform/database/index.ts';
import type { AdmittedAccount } from '../../platform/endpoints.ts';
import type { Log } from '../../platform/log.ts';
import type { Profile } from '../../profile.ts';
import { accountNamed, activeContacts } from '../accounts/index.ts';
import { confirmationIsDue } from '../contacts/index.ts';
import { getSummary, holdsReleasedSoon } from '../resources/index.ts';

type Home = AnswerOf<typeof home.getHome>;
type Part = { read: Read; caller: Caller; account: AdmittedAccount; profile: Profile; now: Date };

/** The account at one glance. Each part is asked for on its own, so that one that fails or is not allowed leaves the others. */
export async function getHome(part: Part, log: Log, traceId: string): Promise<Home> {
  const { account } = part;
  const own = async <T>(name: string, allowed: boolean, load: () => Promise<T>): Promise<T | null> => {
    if (!allowed) return null;
    try {
      return await load();
    } catch (error) {
      log.error('part of home failed', { part: name, traceId, account: account.accountName, error });
      return null;
    }
  };
  const [attention, resources, ledger, contacts] = await Promise.all([
    own('attention', true, () => listAttention(part)),
    own('resources', account.permissions.has('resources-view'), async () => (await getSummary(part.read, account.accountName)).totals),
    own('ledger', account.permissions.has('member-account-access-logs-view'), () => latestActivity(part)),
    own('contacts', account.permissions.has('contacts-details-view'), () => listContacts(part)),
  ]);
  return { attention, resources, ledger, contacts };
}

/** Returns a date as written in a sentence: 21 December 2026. */
const dayInWords = (day: string): string => words.format(new Date(`${day}T00:00:00Z`));
const words = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** The request of a person, after their name. */
const askedFor = {
  LINK: 'to be linked to the account',
  ADD_CONTACT: 'for a contact to be added',
  REMOVE_CONTACT: 'for a contact to be removed',
  CHANGE_ROLE: 'for other contact types of a contact',
  PERMISSION: 'for permissions',
} as const;
const urgencies = { urgent: 0, soon: 1, note: 2 } as const;

/** Lists open tasks of the person or the account, most urgent first. */
async function listAttention({ read, caller, account, profile, now }: Part): Promise<Attention[]> {
  const list: Attention[] = [];
  const { accountName, expiryDate } = await accountNamed(read, account.accountName);

  if (account.accountStatus === 'suspended') {
    list.push({
      attentionId: 'account-suspended',
      urgency: 'urgent',
      title: `${accountName} is suspended`,
      detail: 'Its renewal is unpaid. Resources stay registered and can be looked at; requests and transfers wait until it is paid.',
      action: account.permissions.has('member-billing-view') ? { label: 'Open billing', link: '/member-account-settings/billing' } : null,
      forWhom: 'account',
    });
  }
  if (expiryDate && account.accountStatus === 'open') {
    const days = Math.ceil((Date.parse(expiryDate) - now.getTime()) / DAY_MS);
    if (days <= 60) {
      list.push({
        attentionId: 'membership-expiring',
        urgency: days <= 14 ? 'urgent' : 'soon',
        title: `The membership term ${days < 0 ? 'ended' : 'ends'} on ${dayInWords(expiryDate)}`,
        detail:
          days < 0
            ? 'It is renewed when the renewal invoice is paid.'
            : `In ${days} days. It is renewed for one year when the renewal invoice is paid.`,
        action: account.permissions.has('member-billing-view') ? { label: 'Open billing', link: '/member-account-settings/billing' } : null,
        forWhom: 'account',
      });
    }
  }
  const { secondFactorFrom } = account;
  if (!caller.mfa && !account.asStaff && typeof secondFactorFrom === 'string') {
    list.push({
      attentionId: 'second-factor-demanded',
      urgency: Date.parse(secondFactorFrom) - now.getTime() > 14 * DAY_MS ? 'soon' : 'urgent',
      title: `${accountName} demands a second factor from ${dayInWords(secondFactorFrom)}`,
      detail: 'From that day on you get in here with one only. Log in with yours, or add one under Your login.',
      action: { label: 'Your settings', link: '/settings' },
      forWhom: 'me',
    });
  } else if (!caller.mfa && !account.asStaff) {
    list.push({
      attentionId: 'no-second-factor',
      urgency: 'soon',
      title: 'This session has no second factor',
      detail:
        'Resource certificates, routes, contacts and voting ask for one. A stolen password alone must not be enough to move your prefixes.',
      action: null,
      forWhom: 'me',
    });
  }
  if (account.permissions.has('users-approve')) {
    const asked = await read
      .selectFrom('accessRequest')
      .innerJoin('login', 'login.loginId', 'accessRequest.loginId')
      .select(['login.fullName', 'kind'])
      .where('accountName', '=', accountName)
      .where('status', '=', 'PENDING')
      .where('accessRequest.loginId', '<>', caller.loginId)
      .orderBy('accessRequestId')
      .limit(100)
      .execute();
    if (asked.length > 0) {
      list.push({
        attentionId: 'access-requests',
        urgency: 'soon',
        title: asked.length === 1 ? `${asked[0]!.fullName} asks ${askedFor[asked[0]!.kind]}` : `${asked.length} access requests`,
        detail: asked
          .slice(0, 3)
          .map(({ fullName, kind }) => `${fullName} asks ${askedFor[kind]}`)
          .join(', '),
        action: { label: 'Access requests', link: '/member-account-settings/access-requests' },
        forWhom: 'account',
      });
    }
  }
  if (account.contactTypes.includes('corporate')) {
    const refused = await read.rows<{ fullName: string; email: string }>(sql`select full_name, email from contact
      join mail_refusal on address = lower(email) and unreachable_since is not null
      where account_name = ${accountName} and status = 'ACTIVE' order by full_name limit 100`);
    if (refused.length > 0) {
      const names = refused.slice(0, 3).map(({ fullName, email }) => `${fullName} (${email})`);
      list.push({
        attentionId: 'unreachable-contacts',
        urgency: 'soon',
        title: refused.length === 1 ? `E-mail to ${refused[0]!.fullName} is refused` : `E-mail to ${refused.length} contacts is refused`,
        detail: `The mail servers of ${names.join(', ')} refuse what the registry sends. Ask for another address, or for the mailbox to be mended.`,
        action: { label: 'Account contacts', link: '/member-account-settings/account-contacts' },
        forWhom: 'account',
      });
    }
  }
  if (account.contactId !== null && (await confirmationIsDue(read, account.contactId, now))) {
    list.push({
      attentionId: 'contact-confirmation',
      urgency: 'note',
      title: 'Are your contact details still right?',
      detail: 'Once a year each contact confirms name, e-mail address, telephone number and position.',
      action: { label: 'Account contacts', link: '/member-account-settings/account-contacts' },
      forWhom: 'me',
    });
  }
  if (account.permissions.has('resources-view')) {
    for (const hold of await holdsReleasedSoon(read, accountName, now)) {
      list.push({
        attentionId: `hold-${hold.resource}`,
        urgency: 'note',
        title: `${hold.resource} can be transferred from ${dayInWords(hold.holdUntil)}`,
        detail: `Space of ${profile.lastSlash8} is held for ${profile.holdYears} years after its delegation.`,
        action: { label: 'See delegation', link: `/resources/ipv4?q=${encodeURIComponent(hold.resource)}` },
        forWhom: 'account',
      });
    }
  }
  return list.sort((a, b) => urgencies[a.urgency] - urgencies[b.urgency]);
}

/** The last changes of the account, each with its ledger entry. */
async function latestActivity({ read, account }: Part): Promise<NonNullable<Home['ledger']>> {
  const rows = await read
    .selectFrom('activity')
    .leftJoin('contact', join => join.on(sql<boolean>`contact.contact_id::text = activity.contact_id`))
    .select(['activityId', 'happenedAt', 'summary', 'contact.fullName'])
    .where('activity.accountName', '=', account.accountName)
    .where('refusal', 'is', null)
    // The mail about a change is sent some seconds later; the change is what counts.
    .where('action', 'not like', 'mail.%')
    .orderBy('activityId', 'desc')
    .limit(6)
    .execute();
  return rows.map(row => ({ activityId: row.activityId, at: row.happenedAt, by: row.fullName ?? 'Registry', summary: row.summary }));
}

async function listContacts({ read, account }: Part): Promise<{ name: string; contactTypes: string[] }[]> {
  const contacts = await activeContacts(read, account.accountName);
  return contacts.map(({ fullName, contactTypes }) => ({ name: fullName, contactTypes }));
}
