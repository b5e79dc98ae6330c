import { contactById } from '../../accounts/index.ts';
import { utcDay } from '@portal/contract/days';
import { valuesOf } from '@portal/rpsl';
import type { WhoisConsent } from '@portal/contract/whois/consents';
import { spacedKey } from '@portal/contract/whois/spaced-key';
import { sql } from 'kysely';
import type { Change } from '../../../platform/database/index.ts';
import type { AdmittedAccount } from '../../../platform/http/endpoints.ts';
import type { Profile } from '../../../profile.ts';
import { sendMail } from '../../mail/index.ts';
import { objectOfRow } from '../store/object-facts.ts';
import { findObjects } from '../store/stored-objects.ts';
import { type ConsentRow, keysOf } from './consent-row.ts';
import { whoisTexts } from '../mail-texts.ts';

const titleOf = ({ objects }: WhoisConsent): string => (objects.length === 1 ? spacedKey(objects[0]!) : `${objects.length} objects`);

/**
 * Writes to everyone who can agree: upd-to of the maintainers, corporate and technical contacts of accounts that use them, and the addresses that a
 * named irt has for this.
 */
export async function notifyOwners(change: Change, row: ConsentRow, profile: Profile, words: string): Promise<void> {
  const keys = keysOf(row.maintainers);
  const irts = [...row.text.matchAll(/^mnt-irt:\s*(\S+)/gim)].map(([, name]) => ({ class: 'irt', key: name!.toLowerCase() }));
  const objects = await findObjects(change, [...keys.map(key => ({ class: 'mntner', key })), ...irts]);
  const people = await change.rows<{ accountName: string; loginId: string | null; email: string; fullName: string }>(sql`
    select distinct on (lower(c.email)) c.account_name, c.login_id::text as login_id, c.email, c.full_name from maintainer_link l join contact c using (account_name)
    where l.maintainer = any(${keys}::text[]) and c.status = 'active' and c.contact_types && '{corporate,technical}'::text[] order by lower(c.email)`);
  const mails = new Map<string, { recipient: string; recipientName?: string; loginId?: string | null; accountName?: string }>();
  for (const object of objects) {
    // Another account's irt only: the requester's own needs no consent.
    const parsed = objectOfRow(object);
    if (object.class === 'irt' && !valuesOf(parsed, 'mnt-by').some(name => keys.includes(name.toLowerCase()))) continue;
    const addresses = object.class === 'irt' ? [...valuesOf(parsed, 'irt-nfy'), ...valuesOf(parsed, 'e-mail')] : valuesOf(parsed, 'upd-to');
    for (const recipient of addresses) mails.set(recipient.toLowerCase(), { recipient });
  }
  for (const { email, fullName, loginId, accountName } of people)
    mails.set(email.toLowerCase(), { recipient: email, recipientName: fullName, loginId, accountName });
  for (const mail of mails.values())
    await sendMail(change, {
      topic: 'whois.objects',
      ...mail,
      text: whoisTexts.written('consentRequested', {
        title: titleOf(row),
        words,
        source: profile.source,
        why: row.why,
        text: row.text.slice(0, 4_000).trimEnd(),
        maintainers: row.maintainers.join(' or '),
        until: utcDay(row.dueAt),
      }),
      path: '/resources/whois-updates-js/all?view=consents',
      act: 'Answer',
      answerBy: row.dueAt,
    });
}

export async function notifySender(
  change: Change,
  account: Pick<AdmittedAccount, 'accountName' | 'contactId'>,
  row: ConsentRow,
): Promise<void> {
  const sender = account.contactId === null ? null : await contactById(change, account.contactId);
  if (sender)
    await sendMail(change, {
      topic: 'whois.objects',
      recipient: sender.email,
      recipientName: sender.fullName,
      loginId: sender.loginId,
      accountName: account.accountName,
      text: whoisTexts.written('approvedSending', {
        title: titleOf(row),
        askedBy: row.askedBy,
        accountName: row.accountName,
        text: row.text.slice(0, 4_000).trimEnd(),
      }),
      path: '/resources/whois-updates-js/all',
      act: 'Open Whois updates',
    });
}

export async function notifyRequester(change: Change, row: ConsentRow, words: string): Promise<void> {
  await sendMail(change, {
    topic: 'whois.objects',
    recipient: row.email,
    recipientName: row.askedBy,
    loginId: row.loginId,
    accountName: row.accountName,
    text: whoisTexts.written('consentAnswered', {
      outcome:
        { accepted: 'Approved', failed: 'Approved, but no longer possible', expired: 'No answer' }[row.state as string] ?? 'Rejected',
      title: titleOf(row),
      maintainers: row.maintainers.join(' or '),
      words,
    }),
    path: '/resources/whois-updates-js/all',
    act: 'Open Whois updates',
  });
}
