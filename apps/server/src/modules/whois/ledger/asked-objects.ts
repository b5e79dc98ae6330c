import type { NumberResource } from '@portal/number-resources';
import { sql } from 'kysely';
import type { Change, Read } from '../../../platform/database/index.ts';
import { columnsOf } from '../../resources/index.ts';

/** Values that a holder requested for the objects of its numbers. Empty: the account's default. */
export type AskedObject = {
  /** `netname` of a network, `as-name` of an AS number. */
  netname: string;
  /** A second line of `descr`: on whose behalf it holds the numbers. */
  descr: string;
  adminC: string;
  techC: string;
  /** The maintainer that writes below the numbers and their routes. */
  maintainer: string;
  abuseMailbox: string;
};
export type AskedPart = Partial<AskedObject>;

const nothing: AskedObject = { netname: '', descr: '', adminC: '', techC: '', maintainer: '', abuseMailbox: '' };

/**
 * Stores the requested values for the whois objects of numbers that an account receives. Call it in the change that gives the numbers; the objects
 * follow the ledger. Without a request they have the account's defaults.
 */
export async function askObjects(
  change: Change,
  accountName: string,
  resources: readonly NumberResource[],
  asked: AskedPart,
): Promise<void> {
  const { netname, descr, adminC, techC, maintainer, abuseMailbox } = { ...nothing, ...asked };
  if ([netname, descr, adminC, techC, maintainer, abuseMailbox].every(value => value.trim() === '')) return;
  for (const resource of resources) {
    const { kind, first, last, firstAs, lastAs } = columnsOf(resource);
    await change.rows(sql`insert into asked_object (account_name, kind, first, last, first_as, last_as, netname, descr, admin_c, tech_c, maintainer, abuse_mailbox)
      values (${accountName}, ${kind}, ${first}::inet, ${last}::inet, ${firstAs}, ${lastAs}, ${netname.trim()}, ${descr.trim()}, ${adminC.trim()}, ${techC.trim()},
        ${maintainer.trim()}, ${abuseMailbox.trim()})`);
  }
}

/** Deletes the requested values for numbers that accounts no longer hold any part of. */
export async function forgetAsked(change: Change, accountNames: readonly string[]): Promise<void> {
  await change.rows(sql`delete from asked_object a where a.account_name = any(${[...accountNames]}::text[]) and not exists (select from delegation d
    where d.account_name = a.account_name and d.kind = a.kind and d.registry = '' and d.status <> 'closed'
      and case a.kind when 'asn' then d.first_as <= a.last_as and d.last_as >= a.first_as else d.first <= a.last and d.last >= a.first end)`);
}

/** The fields of a delegation used here. */
type Held = { delegationId: number; accountName: string };

/**
 * Returns the requested values by delegation id, the latest of each. Deleted contacts, and maintainers that the account no longer has, are ignored.
 */
export async function askedFor(read: Pick<Read, 'rows'>, accountNames: readonly string[]): Promise<Map<number, AskedObject>> {
  const rows = await read.rows<AskedObject & Held>(sql`select d.delegation_id, a.account_name, a.netname, a.descr, a.abuse_mailbox,
      case when exists (select from whois_object o where o.class in ('person', 'role') and o.key = lower(a.admin_c)) then a.admin_c else '' end as admin_c,
      case when exists (select from whois_object o where o.class in ('person', 'role') and o.key = lower(a.tech_c)) then a.tech_c else '' end as tech_c,
      coalesce((select o.shown from maintainer_link l join whois_object o on o.class = 'mntner' and o.key = l.maintainer
        where l.account_name = a.account_name and l.maintainer = lower(a.maintainer)), '') as maintainer
    from asked_object a join delegation d on d.account_name = a.account_name and d.kind = a.kind and d.registry = '' and d.status <> 'closed'
      and case a.kind when 'asn' then d.first_as <= a.last_as and d.last_as >= a.first_as else d.first <= a.last and d.last >= a.first end
    where a.account_name = any(${[...accountNames]}::text[]) order by a.asked_object_id`);
  const found = new Map<number, AskedObject>();
  for (const row of rows) {
    const before = found.get(row.delegationId) ?? nothing;
    found.set(row.delegationId, {
      netname: row.netname || before.netname,
      descr: row.descr || before.descr,
      adminC: row.adminC || before.adminC,
      techC: row.techC || before.techC,
      maintainer: row.maintainer || before.maintainer,
      abuseMailbox: row.abuseMailbox || before.abuseMailbox,
    });
  }
  return found;
}
