import type { SearchHit } from '@portal/contract/search/search';
import { type RawBuilder, sql } from 'kysely';
import type { Find } from '../../platform/module.ts';
import { containsPattern } from '../../platform/search-text.ts';

/** Names of an account that are compared with a misspelt one: all of nearly every account, and no more than a palette can wait for. */
const COMPARED = 2_000;
/** How alike a name and a misspelt one are at least (`word_similarity` of pg_trgm). */
const ALIKE = 0.45;

/** Customers of the account that space is assigned to, by name; where none has it, the one whose name is nearest. From the index of an account's assignments. */
export const findCustomers: Find = async ({ read, account, text, most }) => {
  if (!account.permissions.has('whois-private-objects-view')) return [];
  const rowsWhere = (condition: RawBuilder<unknown>, limit: number) =>
    read.rows<SearchHit>(sql`select 'customers' as section, customer as text,
        count(*) || case count(*) when 1 then ' assignment' else ' assignments' end as note,
        '' as link, null as kind from assignment
        where account_name = ${account.accountName} and customer <> '' and ${condition}
        group by customer order by count(*) desc, customer limit ${limit}`);
  const nearest = async (): Promise<SearchHit[]> => {
    const words = text.toLowerCase();
    const [near] = await read.rows<{ customer: string }>(sql`select customer from (select distinct customer from assignment
        where account_name = ${account.accountName} and customer <> '' limit ${COMPARED}) c
      where word_similarity(${words}, lower(customer)) >= ${ALIKE} order by word_similarity(${words}, lower(customer)) desc, customer limit 1`);
    if (!near) return [];
    return (await rowsWhere(sql`customer = ${near.customer}`, 1)).map(hit => ({ ...hit, isNear: true }));
  };
  const hits = await rowsWhere(sql`customer ilike ${containsPattern(text)}`, most);
  const found = hits.length > 0 || !/\p{L}{4}/u.test(text) ? hits : await nearest();
  return found.map(hit => ({
    ...hit,
    link: `/resources/customers/customer_management?${String(new URLSearchParams({ customer: hit.text }))}`,
  }));
};
