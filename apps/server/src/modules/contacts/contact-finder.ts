import type { SearchHit } from '@portal/contract/search/search';
import { sql } from 'kysely';
import type { Find } from '../../platform/module.ts';
import { containsPattern } from '../../platform/search-text.ts';

/** Contacts by name, e-mail address or position, and open access requests by requester. From the rows of one account. */
export const findContacts: Find = async ({ read, account, text, most }) => {
  const pattern = containsPattern(text);
  const [people, requests] = await Promise.all([
    account.permissions.has('contacts-details-view')
      ? read.rows<SearchHit>(sql`select 'people' as section, full_name as text, array_to_string(contact_types, ', ') || ', ' || email as note,
          '/member-account-settings/account-contacts?contact=' || contact_id as link, null as kind from contact
          where account_name = ${account.accountName} and status <> 'removed'
            and (full_name ilike ${pattern} or email ilike ${pattern} or position ilike ${pattern}) order by full_name limit ${most}`)
      : [],
    account.permissions.has('users-approve')
      ? read.rows<SearchHit>(sql`select 'requests' as section, l.full_name as text, 'open access request' as note,
          '/member-account-settings/access-requests' as link, null as kind from access_request r join login l using (login_id)
          where r.account_name = ${account.accountName} and r.status = 'pending' and l.full_name ilike ${pattern} order by access_request_id limit ${most}`)
      : [],
  ]);
  return [...people, ...requests];
};
