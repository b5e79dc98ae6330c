import type { FindingKey } from '@portal/contract/data-quality/findings';
import { type RawBuilder, sql } from 'kysely';
import type { Config } from '../../config.ts';
import { hasNoBillingAddress } from '../billing/index.ts';
import { hasPasswordAlone } from '../identity/index.ts';
import { isSilent } from '../whois/index.ts';

export type FindingConfig = Pick<Config, 'embeddedProvider'>;

/** SQL: account `a` is one of those whose data counts: neither closed nor an applicant. */
export const isLiving = sql<boolean>`a.account_status not in ('closed', 'prospect')`;

/**
 * SQL in brackets: the rows of a finding, of all without a key, with the columns finding, account_name (null where no single account holds it), contact_id (of a row about a
 * person), subject, detail and since. Each part says by what its own page, sheet or watch says it; what is another's is not defined again here.
 */
export const findingRows = (key: FindingKey | null, config: FindingConfig): RawBuilder<unknown> => sql`(
  select 'refused-mail' as finding, c.account_name, c.contact_id, c.full_name as subject, c.email || ': ' || m.refusal as detail, m.unreachable_since as since
    from mail_refusal m join contact c on lower(c.email) = m.address and c.status = 'active' join account a using (account_name)
    where ${isWanted(key, sql`'refused-mail'`)} and m.unreachable_since is not null and ${isLiving}
  union all select 'password-alone', c.account_name, c.contact_id, c.full_name, c.email || ', ' || array_to_string(c.contact_types, ' and '), null
    from contact c join account a using (account_name)
    where ${isWanted(key, sql`'password-alone'`)} and c.status = 'active' and c.login_id is not null and ${isLiving} and ${hasPasswordAlone(sql`c.login_id`, config)}
      and exists (select from login l where l.login_id = c.login_id and l.disabled_at is null and l.frozen_at is null)
  union all select 'no-corporate-contact', a.account_name, null::uuid, a.org_name, case n.contacts when 0 then 'No active contact' when 1 then '1 other contact' else n.contacts || ' other contacts' end, null
    from account a cross join lateral (select count(*) as contacts from contact c where c.account_name = a.account_name and c.status = 'active') n
    where ${isWanted(key, sql`'no-corporate-contact'`)} and ${isLiving}
      and not exists (select from contact c where c.account_name = a.account_name and c.status = 'active' and 'corporate' = any (c.contact_types))
  union all select 'abuse-mailboxes', w.account_name, null::uuid, w.mailbox, string_agg(distinct upper(w.irt), ', ') || case when bool_or(w.restricted) then ': restricted' else ': invalid' end, min(w.asked_at)
    from (select l.account_name, c.mailbox, c.irt, c.state = 'restricted' as restricted, c.asked_at from irt_contact c join whois_object i on i.class = 'irt' and i.key = c.irt
        join whois_reference r on r.object_id = i.object_id and r.attribute = 'mnt-by' join maintainer_link l on l.maintainer = r.value where ${isSilent}
      union select i.kept_for, c.mailbox, c.irt, c.state = 'restricted', c.asked_at from irt_contact c join whois_object i on i.class = 'irt' and i.key = c.irt
        where i.kept_for is not null and ${isSilent}) w join account a using (account_name)
    where ${isWanted(key, sql`'abuse-mailboxes'`)} and ${isLiving} group by w.account_name, w.mailbox
  union all select 'invalid-routes', t.account_name, null::uuid, t.prefix::text || ' AS' || t.asn, case t.validity when 'invalid-asn' then 'Invalid AS' else 'Invalid length' end, t.found_at
    from route_alert t join account a using (account_name)
    where ${isWanted(key, sql`'invalid-routes'`)} and t.validity <> 'not-found' and ${isLiving}
      and not exists (select from route_mute u where u.account_name = t.account_name and u.prefix = t.prefix and u.asn = t.asn)
  union all select 'lame-servers', q.account_name, null::uuid, s.zone || ' ' || s.server,
      case when s.disabled_at is not null then 'Left out of the zone' when s.notified_at is not null then 'Contacts notified' else 'Seen' end, s.since
    from rdns_lame_server s left join quality_row q on q.finding = 'lame-servers' and q.subject = s.zone || ' ' || s.server
      left join account a on a.account_name = q.account_name
    where ${isWanted(key, sql`'lame-servers'`)} and s.answered_at is null and (q.account_name is null or ${isLiving})
  union all select q.finding, q.account_name, null::uuid, q.subject, q.detail, q.since
    from quality_row q left join account a using (account_name)
    where q.finding in ('whois-ledger', 'stale-records') and ${isWanted(key, sql`q.finding`)} and (q.account_name is null or ${isLiving})
  union all select 'invoices-without-address', i.account_name, null::uuid, i.number, 'Due on ' || coalesce(i.extended_until, i.due_on), i.issued_on::timestamp at time zone 'UTC'
    from invoice i join account a using (account_name) left join organisation o using (account_name)
    where ${isWanted(key, sql`'invoices-without-address'`)} and i.state in ('issued', 'partly-paid') and cardinality(i.billing_address) = 0 and ${isLiving} and ${hasNoBillingAddress}
)`;

/** SQL: a part is of the finding that is asked for. The planner leaves the other parts out. */
const isWanted = (key: FindingKey | null, part: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`(${key}::text is null or ${key}::text = ${part})`;
