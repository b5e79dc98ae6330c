import { type AnswerOf, type Endpoint, holdsOneOf } from '@portal/contract';
import { utcDay, yearsAfter } from '@portal/contract/days';
import { billing } from '@portal/contract/billing/billing';
import { type AccountPicture, type accountPictures, pictureItems, pictureYears } from '@portal/contract/staff/account-pictures';
import { desk } from '@portal/contract/staff/desk';
import { tickets } from '@portal/contract/tickets/tickets';
import { sql } from 'kysely';
import { refuse } from '../../platform/failure.ts';
import type { Read } from '../../platform/database/index.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import { accountForStaff } from '../accounts/index.ts';
import { moneyFactsOf } from '../billing/index.ts';
import { votingWeightOf } from '../elections/index.ts';
import { holdingsOverTime } from '../resources/index.ts';
import { zoneSummary } from '../reverse-dns/index.ts';
import { seenAnnouncements } from '../routes/index.ts';
import { tallyOf } from '../rpki/index.ts';
import { mailboxCounts } from '../whois/index.ts';
import { resourcesOf } from './account-resources.ts';
import { latestRequestsOf } from './requests.ts';
import { worstOf } from './worst-routes.ts';
import type { Registry } from '../../platform/registry.ts';
import { hasPasswordAlone } from '../identity/index.ts';

/** Parts that don't show how the account does now. */
const beyondHealth: readonly string[] = ['holdings', 'invoices', 'money', 'votes', 'cases', 'tickets', 'resources'];

/**
 * An account over time and its health. Each part is read by those who can open its list, by the declaration of that call, and fails on its own.
 * @throws Failure NOT_FOUND
 */
export async function getAccountPicture({
  read,
  caller,
  params: { accountName },
  query: { part: wanted },
  registry,
  traceId,
}: Act<typeof accountPictures.getAccountPicture>): Promise<AnswerOf<typeof accountPictures.getAccountPicture>> {
  const { now, log } = registry;
  const account = await accountForStaff(read, accountName, caller, registry);
  if (!account) throw refuse('NOT_FOUND', { what: `Account ${accountName}` });
  const failed: string[] = [];
  const left: readonly string[] = wanted === 'health' ? beyondHealth : [];
  const part = async <T>(name: string, { access }: Pick<Endpoint, 'access'>, load: () => Promise<T>): Promise<T | null> => {
    if (left.includes(name)) return null;
    if (access.who !== 'staff' || !holdsOneOf(caller.staffPermissions, access.permissions, true)) return null;
    try {
      return await load();
    } catch (error) {
      log.error('part of the picture of an account failed', { part: name, traceId, account: accountName, error });
      failed.push(name);
      return null;
    }
  };
  const since = yearsAfter(utcDay(now), -pictureYears);
  // Read once for the sums and for each delegation.
  const seen = once(() => seenAnnouncements(read, accountName));
  const summary = once(() => zoneSummary(read, accountName));
  const [holdings, invoices, money, votes, cases, ticketRows, contacts, routes, zones, mailboxes, resources] = await Promise.all([
    part('holdings', desk.getAccountSheet, () => holdingsOverTime(read, accountName, since)),
    part('invoices', billing.getStaffBilling, () => invoicesOf(read, accountName, since)),
    part('money', billing.getStaffBilling, () => moneyFactsOf(read, accountName, registry)),
    part('votes', desk.getAccountSheet, async () => {
      const { votes: count, tier } = await votingWeightOf(read, { ...account, contactId: null, permissions: new Set() }, registry.profile);
      return count === null ? null : { votes: count, tier };
    }),
    part('cases', desk.listRequests, () => latestRequestsOf(read, { accountName, since, most: pictureItems }, caller, registry)),
    part('tickets', tickets.listStaffTickets, () => ticketsOf(read, accountName, since)),
    part('contacts', desk.getAccountSheet, () => contactsOf(read, accountName, { since, config: registry.config })),
    part('routes', desk.getAccountSheet, async () => {
      const { collectedAt, announcements } = await seen();
      return { ...tallyOf(announcements.map(({ validity }) => validity)), collectedAt, worst: worstOf(announcements) };
    }),
    part('reverse zones', desk.getAccountSheet, async () => {
      const { needed, ok, warning, lame, unchecked, missing } = (await summary()).counts;
      return { needed, ok, warning, lame, unchecked, missing };
    }),
    part('mailboxes', desk.getAccountSheet, () => mailboxCounts(read, accountName)),
    part('resources', desk.getAccountSheet, async () => {
      const [{ announcements }, { blocks }] = await Promise.all([seen(), summary()]);
      return resourcesOf(read, accountName, { announcements, blocks });
    }),
  ]);
  return {
    at: now.toISOString(),
    memberSince: account.memberSince,
    holdings,
    invoices,
    money,
    votes,
    cases,
    tickets: ticketRows,
    contacts,
    resources,
    routes,
    zones,
    mailboxes,
    failed,
  };
}

/** Runs something once, for all who ask. */
function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | null = null;
  return () => (loaded ??= load());
}

const ofAccount = (accountName: string) => sql`account_name = ${accountName}`;

/** Invoices on which something is owed, however old, and the latest others, by the day of issue, with the days on which nothing was owed any more, and on which a payment was why. */
const invoicesOf = (read: Read, accountName: string, since: string): Promise<NonNullable<AccountPicture['invoices']>> =>
  read.rows(sql`
    select number, kind, state, period_from::text as period_from, period_to::text as period_to, issued_on::text as issued_on, coalesce(extended_until, due_on)::text as due_on, currency, total::text as total,
      case state when 'paid' then coalesce(paid_on, due_on)::text when 'written-off' then written_off_on::text
        when 'cancelled' then (cancelled_at at time zone 'UTC')::date::text end as settled_on,
      case when state = 'paid' and paid > 0 then paid_on::text end as paid_on,
      case when state in ('issued', 'partly-paid') then greatest(total - paid - credited - written_off, 0) else 0 end::text as owed
    from (select * from invoice where ${ofAccount(accountName)} and (issued_on >= ${since}::date or state in ('issued', 'partly-paid'))
      order by state in ('issued', 'partly-paid') desc, issued_on desc, invoice_id desc limit ${pictureItems}) i
    order by issued_on, invoice_id`);

/** Tickets that are open, and the latest others, by the time they were opened. */
const ticketsOf = (read: Read, accountName: string, since: string): Promise<NonNullable<AccountPicture['tickets']>> =>
  read.rows(sql`
    select t.ticket_id::text, t.subject, t.state, l.full_name as owner, t.created_at, t.resolved_at
    from (select * from ticket where ${ofAccount(accountName)} and (updated_at >= ${since}::date or resolved_at is null)
      order by resolved_at is null desc, updated_at desc, ticket_id desc limit ${pictureItems}) t
      left join login l on l.login_id = t.owner
    order by t.created_at, t.ticket_id`);

/** The contacts, the latest first where there are many, then those that were removed; without their names, which the sheet has. */
const contactsOf = (
  read: Read,
  accountName: string,
  { since, config }: { since: string; config: Pick<Registry['config'], 'embeddedProvider'> },
): Promise<NonNullable<AccountPicture['contacts']>> =>
  read.rows(sql`
    select 'corporate' = any (c.contact_types) as corporate, c.created_at as "from", c.removed_at as until,
      case when 'corporate' = any (c.contact_types) then coalesce((select max(y.happened_at) from row_change r join activity y using (activity_id)
        where r.table_name = 'contact' and r.after ->> 'contact_id' = c.contact_id::text and ${becameCorporate}), c.created_at) end as corporate_since,
      ${hasPasswordAlone(sql`c.login_id`, config)} as password_alone
    from (select * from contact where ${ofAccount(accountName)} and status <> 'invited' and (removed_at is null or removed_at >= ${since}::date)
      order by removed_at is null desc, created_at desc, contact_id desc limit ${pictureItems}) c
    order by c.created_at, c.contact_id`);

/** SQL: change `r` of a contact made them an active corporate one: added, promoted, or accepted. In the words of its index. */
export const becameCorporate = sql`r.after -> 'contact_types' @> '["corporate"]' and r.after ->> 'status' = 'active'
  and (r.before is null or not r.before -> 'contact_types' @> '["corporate"]' or r.before ->> 'status' <> 'active')`;
