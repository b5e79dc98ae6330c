import { type RawBuilder, sql } from 'kysely';

/**
 * SQL: announcement `a` is for the person with this login. Contacts count as long as they act for an account that is not closed.
 * @param login the expression of a login id
 */
export const isFor = (login: RawBuilder<unknown>): RawBuilder<boolean> => sql<boolean>`case a.audience
  when 'all' then true
  else exists (select from contact c join account m using (account_name) where c.login_id = ${login} and c.status = 'active'
    and m.account_status <> 'closed' and case a.audience when 'nirs' then m.nir when 'corporate' then 'corporate' = any (c.contact_types)
      when 'resources' then exists (select from announcement_account n where n.announcement_id = a.announcement_id and n.account_name = m.account_name)
      else true end) end`;
