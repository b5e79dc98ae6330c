import type { SearchHit } from '@portal/contract/search/search';
import { sql } from 'kysely';
import type { Find } from '../../platform/module.ts';
import { containsPattern } from '../../platform/search-text.ts';

/** Customers of the account that space is assigned to, by name. From the index of an account's assignments. */
export const findCustomers: Find = async ({ read, account, text, most }) =>
  account.permissions.has('whois-private-objects-view')
    ? (
        await read.rows<SearchHit>(sql`select 'customers' as section, customer as text,
        count(*) || case count(*) when 1 then ' assignment' else ' assignments' end as note,
        '' as link, null as kind from assignment
        where account_name = ${account.accountName} and customer ilike ${containsPattern(text)} and customer <> ''
        group by customer order by count(*) desc, customer limit ${most}`)
      ).map(hit => ({
        ...hit,
        link: `/resources/customers/customer_management?${String(new URLSearchParams({ customer: hit.text }))}`,
      }))
    : [];
