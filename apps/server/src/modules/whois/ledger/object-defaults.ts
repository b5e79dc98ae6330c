import { valuesOf } from '@portal/rpsl';
import { sql } from 'kysely';
import { frequent, type Read } from '../../../platform/database/index.ts';
import type { Profile } from '../../../profile.ts';
import { linkedMaintainers } from '../rights/maintainer-links.ts';
import { objectOfRow } from '../store/object-facts.ts';
import { findObjects } from '../store/stored-objects.ts';
import type { AskedObject, AskedPart } from './asked-objects.ts';
import { accountsOf, networkName } from './registry-object-sync.ts';

/** The default names in the objects of an account, and the ones it can choose from. Empty if it has none of its own. */
export type ObjectDefaults = {
  defaults: { netname: string; adminContact: string; techContact: string; maintainer: string; abuseMailbox: string };
  contacts: string[];
  maintainers: string[];
};

/** Handles that an account can choose from in a form; others have to be typed. */
const MAX_CHOICES = 200;

/**
 * The mailbox for abuse reports about an account's numbers: that of the irt it maintains, else the abuse e-mail of its organisation. Empty if it has
 * neither, or names the registry's.
 */
export async function abuseMailboxOf(read: Pick<Read, 'rows'>, accountName: string, profile: Profile): Promise<string> {
  const [account] = await read.rows<{ irt: string | null; abuseEmail: string }>(
    frequent(sql`
    select (select i.key from whois_reference r join whois_object i using (object_id) where r.value = l.maintainer and r.of_irt order by i.object_id limit 1) as irt,
      coalesce(o.abuse_email, '') as abuse_email
    from account a left join organisation o using (account_name) left join maintainer_link l on l.account_name = a.account_name and l.principal
    where a.account_name = ${accountName}`),
  );
  if (!account) return '';
  const [irt] = account.irt === null ? [] : await findObjects(read, [{ class: 'irt', key: account.irt }]);
  const mailbox = (irt && valuesOf(objectOfRow(irt), 'abuse-mailbox')[0]) ?? account.abuseEmail;
  return isOfRegistry(mailbox, profile) ? '' : mailbox;
}

/** Person and role objects that the maintainers of an account maintain. */
const contactsOf = (read: Pick<Read, 'rows'>, accountName: string): Promise<{ key: string; shown: string }[]> =>
  read.rows<{ key: string; shown: string }>(sql`select distinct o.class, o.key, o.shown from maintainer_link l
    join whois_reference r on r.value = l.maintainer and r.attribute = 'mnt-by' join whois_object o on o.object_id = r.object_id and o.class in ('person', 'role')
    where l.account_name = ${accountName} order by o.class desc, o.key`);

/** Returns the default values of an account's objects. */
export async function objectDefaultsOf(read: Pick<Read, 'rows'>, accountName: string, profile: Profile): Promise<ObjectDefaults> {
  const [account] = await accountsOf(read, [accountName]);
  const contact = account?.contact ?? '';
  return {
    defaults: {
      netname: networkName(accountName),
      adminContact: contact,
      techContact: contact,
      maintainer: account?.maintainer ?? '',
      abuseMailbox: await abuseMailboxOf(read, accountName, profile),
    },
    contacts: (await contactsOf(read, accountName)).slice(0, MAX_CHOICES).map(({ shown }) => shown),
    maintainers: (await linkedMaintainers(read, accountName)).map(({ shown }) => shown),
  };
}

const isOfRegistry = (mailbox: string, { hostmasterEmail }: Profile): boolean =>
  mailbox.trim().toLowerCase() === hostmasterEmail.toLowerCase();

/** Lists requested values that an account can't have: contacts and a maintainer that aren't its own, and the registry's mailbox. */
export async function problemsOfAsked(
  read: Pick<Read, 'rows'>,
  accountName: string,
  asked: AskedPart,
  profile: Profile,
): Promise<{ part: keyof Omit<AskedObject, 'descr'>; message: string }[]> {
  const problems: { part: keyof Omit<AskedObject, 'descr'>; message: string }[] = [];
  const contacts = new Set((await contactsOf(read, accountName)).map(({ key }) => key));
  const example = [...contacts][0]?.toUpperCase();
  for (const part of ['adminC', 'techC'] as const) {
    const handle = (asked[part] ?? '').trim();
    if (handle === '' || contacts.has(handle.toLowerCase())) continue;
    problems.push({
      part,
      message: `${handle} isn’t a contact of ${accountName}. ${example === undefined ? 'It has none yet. Leave the field empty, or create one first' : `Enter one of its own, such as ${example}`}`,
    });
  }
  const maintainers = await linkedMaintainers(read, accountName);
  const maintainer = (asked.maintainer ?? '').trim();
  if (maintainer !== '' && !maintainers.some(({ key }) => key === maintainer.toLowerCase()))
    problems.push({
      part: 'maintainer',
      message: `${maintainer} isn’t a maintainer of ${accountName}. ${maintainers.length === 0 ? 'It has none yet. Leave the field empty, or create one first' : `Enter one of its own, such as ${maintainers[0]!.shown}`}`,
    });
  if (isOfRegistry(asked.abuseMailbox ?? '', profile))
    problems.push({
      part: 'abuseMailbox',
      message: `${profile.hostmasterEmail} is the registry’s. Enter a mailbox of your own, where reports about your networks are read`,
    });
  return problems;
}
