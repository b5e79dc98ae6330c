import { bookPermissions } from '@portal/contract';
import type { SearchHit } from '@portal/contract/search/search';
import { sql } from 'kysely';
import type { Read } from '../../../platform/database/index.ts';
import type { Find, FindEverywhere } from '../../../platform/module.ts';
import { containsPattern } from '../../../platform/search-text.ts';

const amount = sql`currency || ' ' || total || case state when 'paid' then ', paid' when 'cancelled' then ', cancelled' when 'written-off' then ', written off' else ', due ' || to_char(due_on, 'FMDD Mon YYYY') end`;

/** Invoices of the account by a part of their number. */
export const findInvoices: Find = async ({ read, account, text, most }) =>
  account.permissions.has('member-billing-view')
    ? read.rows<SearchHit>(sql`select 'invoices' as section, number as text, ${amount} as note,
        '/member-account-settings/billing?invoice=' || number as link, null as kind from invoice
        where account_name = ${account.accountName} and number ilike ${containsPattern(text)} order by issued_on desc limit ${most}`)
    : [];

/** Invoices of all members by the beginning of their number, from its unique index. */
export const findInvoicesEverywhere: FindEverywhere = {
  permissions: bookPermissions,
  find: ({ read, text, most }) => find(read, text, most),
};

async function find(read: Read, text: string, most: number): Promise<SearchHit[]> {
  const start = text.toUpperCase();
  if (!/^INV-?[\d-]*$/.test(start)) return [];
  return read.rows<SearchHit>(sql`select 'invoices' as section, number as text, account_name || ', ' || ${amount} as note,
    '/desk/accounts/' || account_name || '#billing' as link, null as kind from invoice
    where number >= ${start} and number < ${`${start}~`} order by number desc limit ${most}`);
}
