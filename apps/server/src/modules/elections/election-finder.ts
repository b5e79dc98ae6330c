import { electionPermissions } from '@portal/contract';
import type { SearchHit } from '@portal/contract/search/search';
import { type RawBuilder, sql } from 'kysely';
import type { Search } from '../../platform/finder.ts';
import type { Find, FindEverywhere } from '../../platform/module.ts';
import { containsPattern } from '../../platform/search-text.ts';

/** A few dozen rows, so no index. */
const byTitle = ({ read, text, most }: Search, link: RawBuilder<unknown>, states: readonly string[]): Promise<SearchHit[]> =>
  read.rows<SearchHit>(sql`select 'elections' as section, title as text, state as note, ${link} as link, null as kind from election
    where title ilike ${containsPattern(text)} and state = any(${[...states]}::text[]) order by election_id desc limit ${most}`);

/** Elections that members can see, by title. */
export const findElections: Find = search => byTitle(search, sql`'/voting'`, ['published']);

/** Elections of any state, by title. */
export const findElectionsEverywhere: FindEverywhere = {
  permissions: electionPermissions,
  find: search => byTitle(search, sql`'/desk/elections?election=' || election_id`, ['draft', 'published', 'cancelled']),
};
