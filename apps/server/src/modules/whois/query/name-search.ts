import type { ClassName } from '@portal/rpsl';
import { sql } from 'kysely';
import type { Read } from '../../../platform/database/index.ts';

/** An object whose name or key begins with what was asked: facts that are public, and no person. */
export type NameHit = { class: ClassName; shown: string; name: string | null; economy: string | null; status: string | null };

/** Types of objects that are searched, by the index that has their beginnings. People and roles aren't: they are found whole, and counted. */
const searches = {
  networks: ['inetnum', 'inet6num'],
  numbers: ['aut-num'],
  organisations: ['organisation', 'irt', 'mntner'],
  zones: ['domain'],
} as const satisfies Record<string, readonly ClassName[]>;
export const searchedClasses: readonly ClassName[] = Object.values(searches).flat();

/** Hits of each search that are read; facets count these. */
export const HITS_OF_SEARCH = 250;
/** Facts are looked for in the first 4,000 characters of a text: they are near its beginning, and texts have megabytes. */
const factsOf = sql`o.class, o.shown, substring(left(o.text, 4000) from '(?in)^country:[ \t]*([A-Za-z]{2})') as economy,
  substring(left(o.text, 4000) from '(?in)^status:[ \t]*([^\n#]{1,40})') as status`;

/**
 * Finds objects whose netname, as-name, organisation name, handle or zone begins with a text, by the indexes of such beginnings.
 * @param text in small letters, at least three characters
 * @param only types that are searched; all unless given
 */
export async function searchNames(
  read: Pick<Read, 'rows'>,
  text: string,
  only: readonly ClassName[] = searchedClasses,
): Promise<{ hits: NameHit[]; isCut: boolean }> {
  const start = `${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
  const isAsked = (names: readonly ClassName[]): boolean => names.some(name => only.includes(name));
  const [networks, numbers, called, handles, zones] = await Promise.all([
    isAsked(searches.networks)
      ? read.rows<NameHit>(sql`select ${factsOf}, substring(left(o.text, 4000) from '(?in)^netname:[ \t]*(\\S+)') as name from whois_object o
          where class in ('inetnum', 'inet6num') and named_in(text) like ${start} order by named_in(text) using ~<~ limit ${HITS_OF_SEARCH + 1}`)
      : [],
    isAsked(searches.numbers)
      ? read.rows<NameHit>(sql`select ${factsOf}, substring(left(o.text, 4000) from '(?in)^as-name:[ \t]*(\\S+)') as name from whois_object o
          where class = 'aut-num' and named_in(text) like ${start} order by named_in(text) using ~<~ limit ${HITS_OF_SEARCH + 1}`)
      : [],
    isAsked(searches.organisations)
      ? read.rows<NameHit>(sql`select ${factsOf}, substring(left(o.text, 4000) from '(?in)^org-name:[ \t]*([^\n#]{1,200})') as name from whois_object o
          where class in ('organisation', 'irt', 'mntner') and called_in(class, text) like ${start} order by called_in(class, text) using ~<~ limit ${HITS_OF_SEARCH + 1}`)
      : [],
    isAsked(searches.organisations)
      ? read.rows<NameHit>(sql`select ${factsOf}, substring(left(o.text, 4000) from '(?in)^org-name:[ \t]*([^\n#]{1,200})') as name from whois_object o
          where class in ('organisation', 'irt', 'mntner') and key like ${start} order by key using ~<~ limit ${HITS_OF_SEARCH + 1}`)
      : [],
    isAsked(searches.zones)
      ? read.rows<NameHit>(sql`select ${factsOf}, null::text as name from whois_object o
          where class = 'domain' and key like ${start} order by key using ~<~ limit ${HITS_OF_SEARCH + 1}`)
      : [],
  ]);
  const each = [networks, numbers, called, handles, zones];
  const all = new Map(each.flatMap(rows => rows.slice(0, HITS_OF_SEARCH)).map(hit => [`${hit.class} ${hit.shown}`, hit]));
  return {
    hits: [...all.values()].filter(hit => only.includes(hit.class)),
    isCut: each.some(rows => rows.length > HITS_OF_SEARCH),
  };
}
