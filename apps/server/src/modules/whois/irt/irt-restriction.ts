import { sql } from 'kysely';
import type { Read } from '../../../platform/database/index.ts';
import { refuse } from '../../../platform/failure.ts';

/** irts an account maintains: those of its linked maintainers. */
export const irtsOfAccount = (accountName: string) => sql`select i.key from maintainer_link l
  join whois_reference r on r.value = l.maintainer and r.attribute = 'mnt-by' join whois_object i on i.object_id = r.object_id and i.class = 'irt'
  where l.account_name = ${accountName}`;

/** The mailboxes for which an account may change no whois objects (policy prop-125). */
export const restrictingMailboxes = (read: Pick<Read, 'rows'>, accountName: string): Promise<{ irt: string; mailbox: string }[]> =>
  read.rows<{ irt: string; mailbox: string }>(sql`select distinct upper(irt) as irt, mailbox from irt_contact
    where state = 'restricted' and irt in (${irtsOfAccount(accountName)}) order by 1, 2`);

/** Returns whether an object helps to end a restriction: the irt, its contacts, or its maintainer. */
export const endsRestriction = (text: string): boolean => /^\s*(?:irt|person|role|mntner)\s*:/i.test(text);

/**
 * Refuses changes while a mailbox of an irt of the account has not answered for 30 days, except those that can fix it.
 * @throws Failure ACCOUNT_RESTRICTED_IRT with the irt and the mailbox
 */
export async function refuseRestricted(read: Pick<Read, 'rows'>, accountName: string, texts: readonly string[]): Promise<void> {
  if (texts.every(endsRestriction)) return;
  const [first] = await restrictingMailboxes(read, accountName);
  if (first) throw refuse('ACCOUNT_RESTRICTED_IRT', { account: accountName, ...first });
}
