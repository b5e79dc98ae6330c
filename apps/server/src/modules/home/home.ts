import { type AnswerOf, type Attention, type home } from '@portal/contract';
import { sql } from 'kysely';
import type { Caller } from '../../platform/caller.ts';
import type { Read } from '../../platform/database/index.ts';
import type { AdmittedAccount } from '../../platform/endpoints.ts';
import type { Log } from '../../platform/log.ts';
import type { Profile } from '../../profile.ts';
import { getSummary, holdsReleasedSoon } from '../resources/index.ts';

type Home = AnswerOf<typeof home.getHome>;
type Part = { read: Read; caller: Caller; account: AdmittedAccount; profile: Profile; now: Date };

/** The account at one glance. Each part is asked for on its own, so that one that fails or is not allowed leaves the others (domain/accounts.md 3). */
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

/** A date as it stands in a sentence: 21 December 2026. */
const dayInWords = (day: string): string => words.format(new Date(`${day}T00:00:00Z`));
const words = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

const dayMs = 24 * 3600 * 1000;
const urgencies = { urgent: 0, soon: 1, note: 2 } as const;

/** What waits for the person or the account, most urgent first; only what exists in this version. */
async function listAttention({ read, caller, account, profile, now }: Part): Promise<Attention[]> {
  const list: Attention[] = [];
  const { accountName, expiryDate } = await read
    .selectFrom('account')
    .select(['accountName', 'expiryDate'])
    .where('accountName', '=', account.accountName)
    .executeTakeFirstOrThrow();

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
    const days = Math.ceil((Date.parse(expiryDate) - now.getTime()) / dayMs);
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
  if (!caller.mfa && !account.asStaff) {
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
  if (account.permissions.has('users-privileges-update')) {
    const asked = await read
      .selectFrom('permissionRequest')
      .innerJoin('contact', 'contact.contactId', 'permissionRequest.contactId')
      .select(['contact.fullName', 'permissionRequest.permission', 'contact.permissions', 'askedAt'])
      .where('permissionRequest.accountName', '=', accountName)
      .where('askedAt', '>', new Date(now.getTime() - 30 * dayMs).toISOString())
      .orderBy('askedAt', 'desc')
      .limit(20)
      .execute();
    const open = asked.filter(request => !request.permissions.includes(request.permission));
    if (open.length > 0) {
      const [first] = open;
      list.push({
        attentionId: 'permission-requests',
        urgency: 'soon',
        title: open.length === 1 ? `${first!.fullName} asks for a permission` : `${open.length} requests for permissions`,
        detail: open
          .slice(0, 3)
          .map(request => `${request.fullName}: ${request.permission}`)
          .join(', '),
        action: { label: 'Account contacts', link: '/member-account-settings/account-contacts' },
        forWhom: 'account',
      });
    }
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
    .orderBy('activityId', 'desc')
    .limit(6)
    .execute();
  return rows.map(row => ({ activityId: row.activityId, at: row.happenedAt, by: row.fullName ?? 'Registry', summary: row.summary }));
}

function listContacts({ read, account }: Part): Promise<{ name: string; contactTypes: string[] }[]> {
  return read
    .selectFrom('contact')
    .select(['fullName as name', 'contactTypes'])
    .where('accountName', '=', account.accountName)
    .where('status', '=', 'ACTIVE')
    .orderBy('fullName')
    .execute();
}
