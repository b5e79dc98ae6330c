import { sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import { ownersOf } from '../accounts/index.ts';
import { canAct, hasFactor, notifyPeople } from '../identity/index.ts';
import { holdersOf } from '../roles/index.ts';
import type { TwoRoles } from './case-permissions.ts';
import type { MailText } from '../mail/index.ts';

/** The deciding side: corporate contacts of an account, or registry staff. */
export type Side = { accountName: string } | 'staff';
/**
 * Who decides: of registry staff those who hold one of the permissions of the second person, and none that is kept apart from them, and who are not of the account that it is about, nor
 * were until lately.
 */
export type Deciders = { accountName: string } | { roles: TwoRoles; now: string; about: string | null };

/** A possible approver. */
export type Person = { fullName: string; email: string; loginId: string | null };
const secondFactor = hasFactor(sql`l.login_id`);

/** Returns the possible approvers: corporate contacts, or registry staff who hold a permission of the act, each with a second factor and an active login. */
export async function approversOf(read: Read, deciders: Deciders): Promise<Person[]> {
  const holders = 'roles' in deciders ? await secondHolders(read, deciders) : [];
  return read.rows<Person>(
    'roles' in deciders
      ? sql`select l.full_name, l.email, l.login_id from login l
          where l.login_id = any (${holders}::text[]) and ${secondFactor} order by l.full_name`
      : sql`select c.full_name, c.email, c.login_id from contact c join login l using (login_id)
          where c.account_name = ${deciders.accountName} and ${canAct('c')} and 'corporate' = any (c.contact_types)
            and ${secondFactor} order by c.full_name`,
  );
}

async function secondHolders(
  read: Read,
  { roles: { second, apart }, now, about }: Extract<Deciders, { roles: TwoRoles }>,
): Promise<string[]> {
  const holders = (await holdersOf(read, second, now)).map(({ loginId }) => loginId);
  const kept = new Set(about === null ? [] : await ownersOf(read, [about], now));
  if (apart.length > 0) for (const { loginId } of await holdersOf(read, apart, now)) kept.add(loginId);
  return holders.filter(loginId => !kept.has(loginId));
}

const placeOf = (side: Side): string => (side === 'staff' ? '/desk/approvals' : '/member-account-settings/approvals');

/** Notifies people of a side about its proposals. @param link the page for the decision, if it isn’t the list */
export function notifySide(
  change: Change,
  side: Side,
  { text, answerBy, link = null }: { text: MailText; answerBy?: string; link?: string | null },
  persons: readonly Person[],
): Promise<void> {
  const accountName = side === 'staff' ? null : side.accountName;
  const act = answerBy ? 'Approve or reject' : link ? 'View it' : 'View approvals';
  return notifyPeople(change, { topic: 'account.security', accountName, text, path: link ?? placeOf(side), act, answerBy }, persons);
}
