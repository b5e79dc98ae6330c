import { holdsOneOf } from '@portal/contract';
import type { SearchHit } from '@portal/contract/search/search';
import { sql } from 'kysely';
import type { Find } from '../../platform/module.ts';
import { containsPattern } from '../../platform/search-text.ts';

/** Documents of the account that the caller may see, by title or file name. From the rows of one account. */
export const findDocuments: Find = ({ read, caller, account, text, most }) => {
  const { accountName, contactTypes, asStaff } = account;
  const types = [...contactTypes];
  const sees = asStaff
    ? sql`${holdsOneOf(caller.staffPermissions, ['private-data'], true)}::boolean`
    : sql`(visibility = 'all-contacts' or 'corporate' = any(${types}::text[]) or (visibility = 'billing' and 'billing' = any(${types}::text[]))
        or uploaded_by = ${caller.loginId})`;
  return read.rows<SearchHit>(sql`select 'documents' as section, title as text, case signature when 'to-sign' then 'to sign' else file_name end as note,
    '/member-account-settings/documents' as link, null as kind from document
    where account_name = ${accountName} and deleted_at is null and ${sees} and (title ilike ${containsPattern(text)} or file_name ilike ${containsPattern(text)})
    order by document_id desc limit ${most}`);
};
