import type { AnswerOf } from '@portal/contract';
import type { Customer, CustomerDetails, whoisCustomers } from '@portal/contract/customers/customers';
import { maxImmediateUpdates } from '@portal/contract/whois/whois';
import { formatCount } from '@portal/number-resources';
import { formatObject, objectOf, parseObject, valueOf } from '@portal/rpsl';
import { sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import type { Act, AdmittedAccount } from '../../platform/http/endpoints.ts';
import type { PolicyAndSettings } from '../../platform/registry.ts';
import { containsPattern } from '../../platform/search-text.ts';
import { enqueueUpdates, errorsOf, type StoredObject, submitForAccount, type WhoisUpdate, writingRights } from '../whois/index.ts';

/** Maximum number of assignments shown for one customer. */
const MAX_SHOWN = 200;

/** The customers in an account's register or records, with their assignments. */
export async function listCustomers({
  read,
  account: { accountName },
  query: { q, offset, limit },
}: Act<typeof whoisCustomers.listCustomers>): Promise<AnswerOf<typeof whoisCustomers.listCustomers>> {
  const matching =
    q === ''
      ? sql`true`
      : sql`(coalesce(h.customer, c.customer) ilike ${containsPattern(q)} or c.address ilike ${containsPattern(q)} or exists (select from assignment a
        where a.account_name = ${accountName} and coalesce(a.customer, '') = h.customer and (a.netname ilike ${containsPattern(q)} or a.resource ilike ${containsPattern(q)})))`;
  const rows = await read.rows<Customer & { total: number }>(sql`
    with h as (select coalesce(customer, '') as customer, coalesce(array_agg(distinct economy) filter (where economy is not null), '{}') as economies,
        count(*)::int as assignments, (count(*) filter (where visibility = 'public'))::int as public_ones,
        coalesce(sum(size) filter (where kind = 'ipv4'), 0) as ipv4, coalesce(sum(size) filter (where kind = 'ipv6'), 0) as ipv6, max(updated_at) as updated_at
      from assignment where account_name = ${accountName} group by coalesce(customer, '')),
    c as (select * from customer where account_name = ${accountName})
    select coalesce(h.customer, c.customer) as customer, case when c.economy is null then coalesce(h.economies, '{}') else array[c.economy] end as economies,
      coalesce(h.assignments, 0) as assignments, coalesce(h.public_ones, 0) as public_ones, coalesce(h.ipv4, 0)::text as ipv4, coalesce(h.ipv6, 0)::text as ipv6,
      greatest(h.updated_at, c.updated_at) as updated_at, (count(*) over ())::int as total
    from h full join c on c.customer = h.customer where ${matching}
    order by coalesce(h.customer, c.customer) = '', lower(coalesce(h.customer, c.customer)) limit ${limit} offset ${offset}`);
  return { rows: rows.map(({ total: _total, ...row }) => row), total: rows[0]?.total ?? 0 };
}

type CustomerRecord = Omit<CustomerDetails, 'assignments' | 'moreAssignments'>;
const nothing: Omit<CustomerRecord, 'name'> = {
  address: '',
  economy: '',
  contactName: '',
  phone: '',
  email: '',
  remarks: '',
  visibility: 'private',
  updatedAt: null,
};

/** The record of a customer, or null. */
async function recordOf(read: Pick<Read, 'rows'>, accountName: string, name: string): Promise<CustomerRecord | null> {
  const [kept] = await read.rows<CustomerRecord>(sql`select customer as name, address, coalesce(economy, '') as economy, contact_name,
    phone, email, remarks, visibility, updated_at from customer where account_name = ${accountName} and customer = ${name}`);
  return kept ?? null;
}

/** Returns the details of one customer; for one that is only named in assignments, its name. @throws Failure NOT_FOUND */
export async function getCustomer({
  read,
  account: { accountName },
  query: { name },
}: {
  read: Pick<Read, 'rows'>;
  account: AdmittedAccount;
  query: { name: string };
}): Promise<CustomerDetails> {
  const kept = await recordOf(read, accountName, name);
  const assignments = await read.rows<
    CustomerDetails['assignments'][number]
  >(sql`select assignment_id::text, kind, resource, netname, visibility
    from assignment where account_name = ${accountName} and customer = ${name} order by kind, first, last desc limit ${MAX_SHOWN + 1}`);
  if (!kept && assignments.length === 0) throw refuse('NOT_FOUND', { what: `The customer ${name}` });
  return {
    ...(kept ?? { name, ...nothing }),
    assignments: assignments.slice(0, MAX_SHOWN),
    moreAssignments: assignments.length > MAX_SHOWN,
  };
}

/**
 * Saves the details of a customer; fields left out stay. A new name is applied to its assignments and, where whois shows it, to their objects.
 * @throws Failure as the contract lists
 */
export async function saveCustomer({
  change,
  account,
  body: { name, was, ...given },
  registry,
}: Act<typeof whoisCustomers.saveCustomer>): Promise<AnswerOf<typeof whoisCustomers.saveCustomer>> {
  const { accountName } = account;
  const isKnown = async (customer: string): Promise<boolean> => {
    const [known] = await change.rows<{
      known: boolean;
    }>(sql`select exists (select from customer where account_name = ${accountName} and customer = ${customer})
      or exists (select from assignment where account_name = ${accountName} and customer = ${customer}) as known`);
    return known!.known;
  };
  if (was !== undefined && !(await isKnown(was))) throw refuse('NOT_FOUND', { what: `The customer ${was}` });
  if (name !== was && (await isKnown(name))) throw refuse('CUSTOMER_EXISTS', { name });
  const renamed = was !== undefined && name !== was;
  const { economy, ...facts } = { ...nothing, ...(await recordOf(change, accountName, was ?? name)), ...given };
  let taskId: number | null = null;
  if (renamed) {
    await change.rows(sql`delete from customer where account_name = ${accountName} and customer = ${was}`);
    // Before the assignments are found by the new name.
    const objects = await shownObjects(change, accountName, was);
    await change.rows(
      sql`update assignment set customer = ${name}, updated_at = ${change.now}::timestamptz where account_name = ${accountName} and customer = ${was}`,
    );
    if (objects.length > 0) taskId = await rename(change, account, objects, { name, was, registry });
  }
  await change.rows(sql`insert into customer (account_name, customer, address, economy, contact_name, phone, email, remarks, visibility, updated_at)
    values (${accountName}, ${name}, ${facts.address}, ${economy === '' ? null : economy}, ${facts.contactName}, ${facts.phone}, ${facts.email}, ${facts.remarks},
      ${facts.visibility}, ${change.now}::timestamptz)
    on conflict (account_name, customer) do update set address = excluded.address, economy = excluded.economy, contact_name = excluded.contact_name,
      phone = excluded.phone, email = excluded.email, remarks = excluded.remarks, visibility = excluded.visibility, updated_at = excluded.updated_at`);
  await change.note({ customer: name, ...(renamed && { was }) });
  return { ...(await getCustomer({ read: change, account, query: { name } })), taskId };
}

/** Objects of public assignments without a description, which show the customer's name. */
const shownObjects = (change: Change, accountName: string, customer: string): Promise<StoredObject[]> =>
  change.rows<StoredObject>(sql`select o.* from assignment a join whois_object o on o.class = case a.kind when 'ipv4' then 'inetnum' else 'inet6num' end
      and o.first = a.first and o.last = a.last
    where a.account_name = ${accountName} and a.customer = ${customer} and a.visibility = 'public' and a.descr is null`);

/** Writes the new name into the objects that show the old one: immediately, or as a task if they are many. */
async function rename(
  change: Change,
  account: AdmittedAccount,
  objects: readonly StoredObject[],
  { name, was, registry: { profile, config: limits } }: { name: string; was: string; registry: PolicyAndSettings },
): Promise<number | null> {
  const updates = objects.flatMap((row): WhoisUpdate[] => {
    const { object } = parseObject(row.text);
    if (!object || valueOf(object, 'descr') !== was) return [];
    const at = object.attributes.findIndex(each => each.name === 'descr');
    const descr = objectOf([['descr', name]]).attributes[0]!;
    const text = formatObject({ ...object, attributes: object.attributes.with(at, descr) });
    return [{ operation: 'modify', text, expectedVersion: row.version }];
  });
  if (updates.length === 0) return null;
  const credentials = await writingRights(change, account);
  if (updates.length > maxImmediateUpdates)
    return enqueueUpdates(change, updates, {
      accountName: account.accountName,
      contactId: account.contactId!,
      mode: 'best-effort',
      dryRun: false,
      limits,
      summary: `New name of a customer in ${formatCount(updates.length)} whois objects`,
    });
  const outcomes = await submitForAccount(change, account, updates, {
    profile,
    limits,
    credentials,
    mode: 'atomic',
    exception: 'registered',
  });
  const failed = outcomes.find(({ state }) => state === 'failed');
  if (failed) throw refuse('INVALID_REQUEST', { detail: `whois refuses ${failed.shown}: ${errorsOf(failed)}` });
  return null;
}
