import { type AnswerOf, holdsOneOf } from '@portal/contract';
import type { desk, FoundPerson } from '@portal/contract/staff/desk';
import { sql } from 'kysely';
import { containsPattern } from '../../platform/search-text.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import { hasFactor } from '../identity/index.ts';

/** Maximum number of accounts listed per person. */
const MAX_ACCOUNTS = 50;

/**
 * Finds people by the beginning of their address or a part of their name: logins with their accounts, and contacts without a login.
 * A complete address comes first. The activity records the query and the number of results.
 */
export async function findPeople({
  change,
  caller: { staffPermissions },
  body: { q, offset, limit },
}: Act<typeof desk.findPeople>): Promise<AnswerOf<typeof desk.findPeople>> {
  const text = q.toLowerCase();
  const part = containsPattern(text);
  const beginning = part.slice(1);
  // Who is registry staff is read on the page of staff. To others a colleague is a person of the accounts they are a contact of, or none.
  const seesStaff = holdsOneOf(staffPermissions, ['staff'], true);
  const rows = await change.rows<FoundPerson>(sql`
    with found as (
      select coalesce(c.login_id, 'contact ' || lower(c.email)) as person from contact c
        where c.status <> 'removed' and (lower(c.email) like ${beginning} or lower(c.full_name) like ${part})
      union
      select l.login_id from login l where (lower(l.email) like ${beginning} or lower(l.full_name) like ${part}) and (${seesStaff}::boolean or not l.staff)
    ), people as (
      select f.person, l.login_id, coalesce(l.full_name, c.full_name) as full_name, coalesce(l.email, c.email) as email, l.staff, l.disabled_at, l.frozen_at
      from found f left join login l on l.login_id = f.person
        left join lateral (select full_name, email from contact c where l.login_id is null and c.login_id is null and c.status <> 'removed'
          and lower(c.email) = substr(f.person, 9) limit 1) c on true
      order by lower(coalesce(l.email, c.email)) <> ${text}, lower(coalesce(l.full_name, c.full_name)), f.person
      limit ${limit + 1} offset ${offset}
    )
    select login_id, coalesce(full_name, '') as full_name, coalesce(email, '') as email, coalesce(staff and ${seesStaff}::boolean, false) as staff, disabled_at is not null as disabled, frozen_at is not null as frozen,
      ${hasFactor(sql`p.login_id`)} as has_second_factor,
      coalesce((select json_agg(json_build_object('accountName', account_name, 'orgName', org_name, 'contactTypes', contact_types, 'status', status)
          order by account_name)
        from (select c.account_name, a.org_name, c.contact_types, c.status from contact c join account a using (account_name)
          where c.status <> 'removed' and (c.login_id = p.login_id or (p.login_id is null and c.login_id is null and lower(c.email) = lower(p.email)))
          order by c.account_name limit ${MAX_ACCOUNTS}) each), '[]') as accounts
    from people p order by lower(p.email) <> ${text}, lower(p.full_name), person`);
  await change.note({ sought: q, found: rows.length });
  return { people: rows.slice(0, limit), more: rows.length > limit };
}
