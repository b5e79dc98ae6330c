import type { ErasureWarning } from '@portal/contract/privacy/privacy';
import { type RawBuilder, sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import { canAct, type ErasureObstacle } from '../identity/index.ts';

/** A kind of obstacle to an erasure: how it is found, as `subject` and `key` of each, and what is said of it. */
type Kind = {
  find: (loginId: RawBuilder<string>) => RawBuilder<{ subject: string; key: string }>;
  say: (subject: string, key: string) => ErasureObstacle;
  /** The person isn’t told of it. */
  isSecret?: boolean;
};

const contactsOf = (loginId: RawBuilder<string>) => sql`(select contact_id from contact where login_id = ${loginId})`;
/** SQL: public objects of whois with an e-mail address of a person. */
const whoisObjectsOf = (loginId: RawBuilder<string>, which: RawBuilder<unknown>) =>
  sql<{
    subject: string;
    key: string;
  }>`select distinct o.shown as subject, o.key as key from whois_object o join whois_key k using (object_id)
    where ${which} and k.key in (select lower(email) from login where login_id = ${loginId} union select lower(email) from contact where login_id = ${loginId})`;
/** SQL: the election with alias `e` isn’t over. */
const runs = sql`e.state <> 'cancelled' and not exists (select from election_window w where w.election_id = e.election_id having max(w.closes_at) < now() - interval '30 days')`;
const inAccount = (name: string): string => `/desk/accounts/${encodeURIComponent(name)}`;

const kinds: readonly Kind[] = [
  {
    find: loginId => sql`select full_name as subject, '' as key from login where login_id = ${loginId} and staff`,
    say: () => ({
      what: 'The person is registry staff.',
      remedy: 'They have to leave the staff first.',
      deskPath: '/desk/staff',
      ownPath: null,
    }),
  },
  {
    find: loginId => sql`select coalesce(account_name, '') as subject, '' as key from legal_hold where released_at is null
      and (login_id = ${loginId} or account_name in (select account_name from contact where login_id = ${loginId}))`,
    say: account => ({
      what: account === '' ? 'There is a legal hold on the person.' : `There is a legal hold on ${account}.`,
      remedy: 'Two people have to release it first.',
      deskPath: '/desk/privacy',
      ownPath: null,
    }),
    // It can be part of an investigation.
    isSecret: true,
  },
  {
    find: loginId => sql`select c.account_name as subject, '' as key from contact c join account a using (account_name)
      where c.login_id = ${loginId} and c.status = 'active' and 'corporate' = any (c.contact_types) and a.account_status <> 'closed'
        and not exists (select from contact o where o.account_name = c.account_name and o.contact_id <> c.contact_id and ${canAct('o')}
          and 'corporate' = any (o.contact_types))`,
    say: account => ({
      what: `There is no other corporate contact of ${account}.`,
      remedy: 'Add another corporate contact first, or close the account.',
      deskPath: inAccount(account),
      ownPath: '/member-account-settings/account-contacts',
    }),
  },
  {
    find: loginId => sql`select distinct c.account_name as subject, '' as key from contact c join invoice i using (account_name)
      where c.login_id = ${loginId} and c.status = 'active' and 'member-billing-update' = any (c.permissions) and i.state in ('issued', 'partly-paid')
        and not exists (select from contact o where o.account_name = c.account_name and o.contact_id <> c.contact_id and ${canAct('o')}
          and 'member-billing-update' = any (o.permissions))`,
    say: account => ({
      what: `No one else can pay an open invoice of ${account}.`,
      remedy: 'Pay it first, or let someone else pay for the account.',
      deskPath: inAccount(account),
      ownPath: '/member-account-settings/billing',
    }),
  },
  {
    find: loginId => sql`select 'REQ-' || resource_request_id as subject, '' as key from resource_request
      where requested_by = ${loginId} and resolved_at is null`,
    say: request => ({
      what: `The request ${request} is open.`,
      remedy: 'It has to be decided or withdrawn first.',
      deskPath: '/desk/requests',
      ownPath: '/',
    }),
  },
  {
    find: loginId => sql`select account_name as subject, '' as key from organisation_change where resolved_at is null and requested_by in ${contactsOf(loginId)}
      union select account_name, '' from account_closure_request where state in ('submitted', 'approved') and requested_by in ${contactsOf(loginId)}`,
    say: account => ({
      what: `A change or the closure of ${account} that the person requested is open.`,
      remedy: 'It has to be decided or withdrawn first.',
      deskPath: '/desk/requests',
      ownPath: '/member-account-settings/organization-details',
    }),
  },
  {
    find: loginId =>
      sql`select coalesce(org_name, '') as subject, '' as key from membership_application where login_id = ${loginId} and resolved_at is null`,
    say: organisation => ({
      what: organisation === '' ? 'An application for membership is open.' : `The application of ${organisation} is open.`,
      remedy: 'It has to be decided or withdrawn first.',
      deskPath: '/desk/memberships',
      ownPath: '/add-account',
    }),
  },
  {
    find: loginId =>
      sql`select ticket_id::text as subject, queue as key from ticket where requestor = ${loginId} and state in ('new', 'open', 'stalled')`,
    say: (ticket, queue) => ({
      what: `Ticket ${ticket} is open.`,
      remedy: 'It has to be solved first.',
      deskPath: '/desk/tickets',
      ownPath: `/contact/${queue}/ticket/${ticket}`,
    }),
  },
  {
    find: loginId => sql`select distinct e.title as subject, e.election_id::text as key from nomination n join election e using (election_id)
      where (n.nominated_by = ${loginId} or n.answered_by = ${loginId}) and n.state not in ('declined', 'withdrawn', 'ineligible') and ${runs}
      union select e.title, e.election_id::text from encrypted_ballot b join election e using (election_id)
      where b.result is null and e.state <> 'cancelled' and (b.authority = ${loginId} or exists (select from ballot_trustee t where t.election_id = b.election_id and t.login_id = ${loginId}))`,
    say: title => ({
      what: `The person is a nominee, nominator, trustee or officer of the election “${title}”.`,
      remedy: 'It has to end first, or the nomination to be withdrawn.',
      deskPath: '/desk/elections',
      ownPath: '/voting',
    }),
  },
  {
    find: loginId =>
      sql`select coalesce(title, action) as subject, '' as key from proposal where proposed_by = ${loginId} and state = 'pending'`,
    say: () => ({
      what: 'A change that the person proposed waits for a second person.',
      remedy: 'It has to be approved, rejected or withdrawn first.',
      deskPath: null,
      ownPath: '/member-account-settings/approvals',
    }),
  },
  {
    find: loginId => whoisObjectsOf(loginId, sql`o.class = 'person'`),
    say: handle => ({
      what: `The whois object ${handle} has an e-mail address of the person.`,
      remedy: 'Its maintainer has to delete it first, or use a role instead.',
      deskPath: `/whois/${encodeURIComponent(handle)}`,
      ownPath: `/whois/${encodeURIComponent(handle)}`,
    }),
  },
];

/** More of one kind aren’t listed. */
const MAX_OF_KIND = 5;

/**
 * Returns what has to be settled before a person can be erased, the most important first.
 * @param reader who is told, by login: the person, of the registry staff or not, isn’t told of what is secret
 */
export async function obstaclesOf(read: Pick<Read, 'rows'>, loginId: string, reader: string): Promise<ErasureObstacle[]> {
  const found: ErasureObstacle[] = [];
  for (const { find, say } of kinds.filter(({ isSecret }) => !isSecret || reader !== loginId)) {
    const rows = await read.rows<{ subject: string; key: string }>(
      sql`select subject, key from (${find(sql<string>`${loginId}`)}) found order by subject limit ${MAX_OF_KIND}`,
    );
    found.push(...rows.map(({ subject, key }) => say(subject, key)));
  }
  return found;
}

/** Returns what an erasure ends beside the login, or what stays public of the person: nothing that is in the way, but to be known before. */
export async function warningsOf(read: Pick<Read, 'rows'>, loginId: string): Promise<ErasureWarning[]> {
  const keys = await read.rows<{ accountName: string; label: string }>(sql`select account_name, label from api_key
    where login_id = ${loginId} and revoked_at is null and expires_at > now() order by account_name, label limit ${MAX_OF_KIND}`);
  const objects = await read.rows<{ subject: string; key: string }>(
    sql`select subject, key from (${whoisObjectsOf(sql`${loginId}`, sql`o.class <> 'person'`)}) found order by subject limit ${MAX_OF_KIND}`,
  );
  return [
    ...keys.map(({ accountName, label }) => ({
      what: `The API key “${label}” of ${accountName} is revoked with it: programs that use it stop.`,
      path: inAccount(accountName),
    })),
    ...objects.map(({ subject }) => ({
      what: `The whois object ${subject} has an e-mail address of the person, and stays public with it.`,
      path: `/whois/${encodeURIComponent(subject)}`,
    })),
  ];
}
