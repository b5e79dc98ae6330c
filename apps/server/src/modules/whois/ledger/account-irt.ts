import { objectOf, printObject, type RpslObject, valuesOf } from '@portal/rpsl';
import { sql } from 'kysely';
import type { Change, Read } from '../../../platform/database/index.ts';
import type { Profile } from '../../../profile.ts';
import type { RegistryDefaults } from './registry-objects.ts';
import { objectOfRow } from '../store/object-facts.ts';
import { objectsNamed } from '../store/handle-space.ts';
import { storeObjects, type Write } from '../store/store.ts';
import { identityOf } from '../store/syntax.ts';
import type { StoredObject } from '../store/update.ts';

/** The facts about an account with numbers that its irts contain. */
export type IrtHolder = {
  accountName: string;
  orgName: string;
  address: readonly string[];
  abuseEmail: string;
  /** An irt and a contact that its principal maintainer maintains. */
  irt: string | null;
  contact: string | null;
  /** Mailboxes that it requested for some of its objects. */
  asked: readonly string[];
};

/**
 * The irts that objects of an account name: the default, null without any abuse mailbox; the irt of a mailbox; and those made from its abuse e-mail,
 * which last until it maintains one.
 */
export type AccountIrts = { usual: string | null; of: (mailbox: string) => string | null; made: readonly string[] };

const lowered = (mailbox: string): string => mailbox.trim().toLowerCase();
const mailboxOf = (object: RpslObject): string => lowered(valuesOf(object, 'abuse-mailbox')[0] ?? '');
const columns = sql`object_id, class, key, shown, text, version, host(first) as first, host(last) as last, first_as, last_as, registry_maintained, kept_for, kept,
  created_at, changed_at`;

/** The irts that the registry keeps for accounts. */
const keptIrts = (read: Pick<Read, 'rows'>, accountNames: readonly string[]): Promise<StoredObject[]> =>
  read.rows<StoredObject>(
    sql`select ${columns} from whois_object where class = 'irt' and kept_for = any(${[...accountNames]}::text[]) order by object_id`,
  );

/**
 * Makes and changes the irts that the registry keeps for accounts with numbers: one for the abuse e-mail of an organisation that maintains none, and
 * one for each other requested mailbox that none of its own irts has. Objects of an account never name the registry's own abuse mailbox (policy
 * prop-125). The caller holds the lock of whois.
 */
export async function keepIrts(
  change: Change,
  holders: readonly IrtHolder[],
  { maintainer, contact }: Pick<RegistryDefaults, 'maintainer' | 'contact'>,
  profile: Profile,
): Promise<Map<string, AccountIrts>> {
  const names = holders.map(({ accountName }) => accountName);
  const kept = Map.groupBy(await keptIrts(change, names), ({ keptFor }) => keptFor!);
  const own = Map.groupBy(
    await change.rows<{
      accountName: string;
      shown: string;
      text: string;
      key: string;
    }>(sql`select distinct l.account_name, i.object_id, i.shown, i.key, i.text from maintainer_link l
      join whois_reference r on r.value = l.maintainer and r.of_irt join whois_object i on i.object_id = r.object_id
      where l.account_name = any(${names}::text[]) and not i.kept order by i.object_id`),
    ({ accountName }) => accountName,
  );
  const writes: Write[] = [];
  const given = new Map<string, AccountIrts>();
  for (const holder of holders) {
    const { accountName, abuseEmail, irt } = holder;
    const byMailbox = new Map<string, string>();
    for (const each of own.get(accountName) ?? [])
      for (const [, mailbox = ''] of each.text.matchAll(/^abuse-mailbox:\s*([^\s#]+)/gim))
        if (!byMailbox.has(lowered(mailbox))) byMailbox.set(lowered(mailbox), each.shown);
    const usualMailbox = irt === null ? lowered(abuseEmail) : '';
    const wanted = [...new Set([usualMailbox, ...holder.asked.map(lowered)])].filter(
      // The registry doesn't handle abuse for members.
      mailbox => mailbox !== '' && mailbox !== lowered(profile.hostmasterEmail) && !byMailbox.has(mailbox),
    );
    const spare = (kept.get(accountName) ?? []).filter(row => !wanted.includes(mailboxOf(objectOfRow(row))));
    for (const mailbox of wanted) {
      const stored =
        (kept.get(accountName) ?? []).find(row => mailboxOf(objectOfRow(row)) === mailbox) ??
        (mailbox === usualMailbox ? spare.shift() : undefined);
      const name = stored?.shown ?? (await freeName(change, accountName, writes));
      byMailbox.set(mailbox, name);
      const object = irtOf(holder, { name, mailbox, contact, maintainer, stored: stored && objectOfRow(stored), profile });
      if (stored && sameIrt(objectOfRow(stored), object)) continue;
      writes.push({
        operation: stored ? 'modify' : 'create',
        ...identityOf(object)!,
        object,
        stored: stored ?? null,
        kept: { for: accountName },
      });
    }
    given.set(accountName, {
      usual: irt ?? byMailbox.get(usualMailbox) ?? [...byMailbox.values()][0] ?? null,
      made: (kept.get(accountName) ?? []).filter(row => !wanted.includes(mailboxOf(objectOfRow(row)))).map(({ shown }) => shown),
      of: mailbox => byMailbox.get(lowered(mailbox)) ?? null,
    });
  }
  await storeObjects(change, writes, profile);
  return given;
}

/** A free name: `IRT-` and the account, with a number if it is taken. */
async function freeName(change: Change, accountName: string, writes: readonly Write[]): Promise<string> {
  const base = `IRT-${accountName.toUpperCase().replaceAll(/[^A-Z0-9_-]/g, '-')}`.replace(/[-_]+$/, '').slice(0, 70);
  for (let number = 1; ; number++) {
    const name = number === 1 ? base : `${base}-${number}`;
    const isTaken = writes.some(({ key }) => key === name.toLowerCase()) || (await objectsNamed(change, [name.toLowerCase()])).length > 0;
    if (!isTaken) return name;
  }
}

/** RPSL values contain no comment sign and no line end. */
const plain = (text: string): string => text.replaceAll(/[#\r\n]+/g, ' ').trim() || '-';

function irtOf(
  { orgName, address, contact: ownContact, abuseEmail }: IrtHolder,
  given: { name: string; mailbox: string; contact: string; maintainer: string; stored: RpslObject | undefined; profile: Profile },
): RpslObject {
  const { name, mailbox, stored, profile } = given;
  const contact = ownContact ?? given.contact;
  const source =
    mailbox === lowered(abuseEmail)
      ? 'Made by the registry from the abuse e-mail of the organisation'
      : 'Made by the registry for a mailbox that its holder asked for';
  // Remarks about its mailbox, as long as it is the same one.
  const said = stored ? valuesOf(stored, 'remarks').filter(line => line.toLowerCase().startsWith(`${mailbox} `)) : [];
  return objectOf([
    ['irt', name],
    ...(address.length > 0 ? address : [orgName]).map((line): [string, string] => ['address', plain(line)]),
    ['e-mail', mailbox],
    ['abuse-mailbox', mailbox],
    ['admin-c', contact],
    ['tech-c', contact],
    ['auth', 'PORTAL'],
    ...[source, ...said].map((line): [string, string] => ['remarks', line]),
    ['mnt-by', given.maintainer],
    ['source', profile.source],
  ]);
}

const sameIrt = (stored: RpslObject, wanted: RpslObject): boolean => {
  const text = ({ class: name, attributes }: RpslObject): string =>
    printObject({ class: name, attributes: attributes.filter(each => each.name !== 'last-modified') });
  return text(stored) === text(wanted);
};

/** Deletes irts kept for accounts that no object names or needs any more. The caller holds the lock of whois. */
export async function endUnusedIrts(
  change: Change,
  accountNames: readonly string[],
  needed: ReadonlySet<string>,
  profile: Profile,
): Promise<void> {
  const rows = (await keptIrts(change, accountNames)).filter(({ key }) => !needed.has(key));
  if (rows.length === 0) return;
  const named = new Set(
    (
      await change.rows<{ value: string }>(
        sql`select distinct value from whois_reference where attribute = 'mnt-irt' and value = any(${rows.map(({ key }) => key)}::text[])`,
      )
    ).map(({ value }) => value),
  );
  const writes = rows
    .filter(({ key }) => !named.has(key))
    .map((row): Write => {
      const { class: objectClass, key, shown } = row;
      return {
        operation: 'delete',
        class: objectClass,
        key,
        shown,
        object: objectOfRow(row),
        stored: row,
        reason: 'No object names it now',
      };
    });
  await storeObjects(change, writes, profile);
}
