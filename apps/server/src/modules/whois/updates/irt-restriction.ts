import { sql } from 'kysely';
import { frequent, type Read } from '../../../platform/database/index.ts';
import { refuse } from '../../../platform/failure.ts';

/** irts of an account: those of its linked maintainers, and those that the registry keeps for it. */
export const irtsOfAccount = (accountName: string) => sql`select i.key from maintainer_link l
  join whois_reference r on r.value = l.maintainer and r.of_irt join whois_object i on i.object_id = r.object_id
  where l.account_name = ${accountName} union select k.key from whois_object k where k.class = 'irt' and k.kept_for = ${accountName}`;

/** SQL: the mailbox of `c`, a row of `irt_contact`, did not answer its validation in time. */
export const isSilent = sql<boolean>`c.state in ('invalid', 'restricted')`;

/** The mailboxes for which an account may change no whois objects (policy prop-125). */
export const restrictingMailboxes = (read: Pick<Read, 'rows'>, accountName: string): Promise<{ irt: string; mailbox: string }[]> =>
  read.rows<{ irt: string; mailbox: string }>(sql`select distinct upper(irt) as irt, mailbox from irt_contact
    where state = 'restricted' and irt in (${irtsOfAccount(accountName)}) order by 1, 2`);

/** Numbers of the mailboxes of an account's irts, by whether they answered in time (policy prop-125): `pending` ones still may. */
export async function mailboxCounts(
  read: Pick<Read, 'rows'>,
  accountName: string,
): Promise<{ valid: number; pending: number; invalid: number; restricted: number }> {
  const rows = await read.rows<{ state: 'valid' | 'pending' | 'invalid' | 'restricted'; mailboxes: number }>(
    sql`select state, count(distinct mailbox)::int as mailboxes from irt_contact where irt in (${irtsOfAccount(accountName)}) group by 1`,
  );
  const counts = { valid: 0, pending: 0, invalid: 0, restricted: 0 };
  for (const { state, mailboxes } of rows) counts[state] = mailboxes;
  return counts;
}

/** The mailboxes of the account's irts and how each stands with its validation, ordered by irt and mailbox. */
export const mailboxesOfIrts = (
  read: Pick<Read, 'rows'>,
  accountName: string,
): Promise<{ irt: string; mailbox: string; state: 'valid' | 'pending' | 'invalid' | 'restricted' }[]> =>
  read.rows<{ irt: string; mailbox: string; state: 'valid' | 'pending' | 'invalid' | 'restricted' }>(
    frequent(sql`select upper(irt) as irt, mailbox, state from irt_contact where irt in (${irtsOfAccount(accountName)}) order by 1, 2`),
  );

/** Returns whether an object helps to end a restriction: the irt, its contacts, or its maintainer. */
export const endsRestriction = (text: string): boolean => /^\s*(?:irt|person|role|mntner)\s*:/i.test(text);

/**
 * Refuses changes while a mailbox of an irt of the account has not answered for 30 days, unless each can fix it (`endsRestriction`).
 * @throws Failure ACCOUNT_RESTRICTED_IRT with the irt and the mailbox
 */
export async function refuseRestricted(read: Pick<Read, 'rows'>, accountName: string): Promise<void> {
  const [first] = await restrictingMailboxes(read, accountName);
  if (first) throw refuse('ACCOUNT_RESTRICTED_IRT', { account: accountName, ...first });
}
