import type { SearchHit } from '@portal/contract/search/search';
import { sql } from 'kysely';
import type { Find } from '../../platform/module.ts';
import { containsPattern } from '../../platform/search-text.ts';

/** Routes of an account by prefix, AS number, comment or owner; its own rows are few, so no index. */
export const findRoutes: Find = async ({ read, account, text, most }) =>
  account.permissions.has('rescert-view')
    ? read.rows<SearchHit>(sql`select 'resources' as section, prefix::text || ' AS' || asn as text, concat_ws(', ', 'route', nullif(comment, ''), nullif(owner, '')) as note,
        '/resources/routes/index?route=' || route_id as link, case family(prefix) when 4 then 'ipv4' else 'ipv6' end as kind
      from route where account_name = ${account.accountName} and (prefix::text like ${`${text.toLowerCase()}%`} or 'as' || asn = ${text.toLowerCase()} or asn::text = ${text}
        or comment ilike ${containsPattern(text)} or owner ilike ${containsPattern(text)}) order by family(prefix), prefix, asn limit ${most}`)
    : [];
