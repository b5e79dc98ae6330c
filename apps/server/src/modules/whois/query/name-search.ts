import type { ClassName } from '@portal/rpsl';
import { preparedQuery, type Read } from '../../../platform/database/index.ts';

/** An object that a search found: facts that are public, and no person. */
export type NameHit = {
  class: ClassName;
  shown: string;
  name: string | null;
  economy: string | null;
  status: string | null;
  maintainers: string[];
  description: string | null;
};

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
/** Facts are looked for in the beginning of a text: texts have megabytes. */
export const TEXT_OF_HIT = 4_000;
type FoundText = { class: ClassName; shown: string; text: string };

/** The last character there is: what begins with a text lies between the text and the text with it. */
const LAST = '\u{10FFFF}';
// Objects whose name, as an index has it, begins with $1 and so ends before $2.
const NETWORKS = preparedQuery<FoundText>(`select o.class, o.shown, left(o.text, ${TEXT_OF_HIT}) as text from whois_object o
  where class in ('inetnum', 'inet6num') and named_in(text) ~>=~ $1::text and named_in(text) ~<=~ $2::text order by named_in(text) using ~<~ limit ${HITS_OF_SEARCH + 1}`);
const NUMBERS = preparedQuery<FoundText>(`select o.class, o.shown, left(o.text, ${TEXT_OF_HIT}) as text from whois_object o
  where class = 'aut-num' and named_in(text) ~>=~ $1::text and named_in(text) ~<=~ $2::text order by named_in(text) using ~<~ limit ${HITS_OF_SEARCH + 1}`);
const CALLED = preparedQuery<FoundText>(`select o.class, o.shown, left(o.text, ${TEXT_OF_HIT}) as text from whois_object o
  where class in ('organisation', 'irt', 'mntner') and called_in(class, text) ~>=~ $1::text and called_in(class, text) ~<=~ $2::text order by called_in(class, text) using ~<~ limit ${HITS_OF_SEARCH + 1}`);
const HANDLES = preparedQuery<FoundText>(`select o.class, o.shown, left(o.text, ${TEXT_OF_HIT}) as text from whois_object o
  where class in ('organisation', 'irt', 'mntner') and key ~>=~ $1::text and key ~<=~ $2::text order by key using ~<~ limit ${HITS_OF_SEARCH + 1}`);
const ZONES = preparedQuery<FoundText>(`select o.class, o.shown, left(o.text, ${TEXT_OF_HIT}) as text from whois_object o
  where class = 'domain' and key ~>=~ $1::text and key ~<=~ $2::text order by key using ~<~ limit ${HITS_OF_SEARCH + 1}`);

const nameAttributes: ReadonlySet<string> = new Set(['netname', 'as-name', 'org-name']);

/** Reads what a hit shows: the first value of each attribute, and all maintainers. */
export function hitOf({ class: type, shown, text }: FoundText): NameHit {
  const hit: NameHit = { class: type, shown, name: null, economy: null, status: null, maintainers: [], description: null };
  for (const line of text.split('\n')) {
    const end = line.indexOf(':');
    if (end < 0) continue;
    const attribute = line.slice(0, end).trimEnd().toLowerCase();
    const value = line
      .slice(end + 1)
      .split('#', 1)[0]!
      .trim();
    if (value === '') continue;
    if (nameAttributes.has(attribute)) hit.name ??= value;
    else if (attribute === 'country') hit.economy ??= value.toUpperCase();
    else if (attribute === 'status') hit.status ??= value.toUpperCase();
    else if (attribute === 'descr') hit.description ??= value;
    else if (attribute === 'mnt-by')
      for (const each of value.split(',')) {
        const maintainer = each.trim().toUpperCase();
        if (maintainer !== '' && !hit.maintainers.includes(maintainer)) hit.maintainers.push(maintainer);
      }
  }
  return hit;
}

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
  const find = (names: readonly ClassName[], statement: typeof NETWORKS): Promise<FoundText[]> | FoundText[] =>
    names.some(name => only.includes(name)) ? read.rows(statement(text, text + LAST)) : [];
  const [networks, numbers, called, handles, zones] = await Promise.all([
    find(searches.networks, NETWORKS),
    find(searches.numbers, NUMBERS),
    find(searches.organisations, CALLED),
    find(searches.organisations, HANDLES),
    find(searches.zones, ZONES),
  ]);
  const each = [networks, numbers, called, handles, zones];
  const all = new Map(each.flatMap(rows => rows.slice(0, HITS_OF_SEARCH)).map(row => [`${row.class} ${row.shown}`, row]));
  return {
    hits: [...all.values()].filter(row => only.includes(row.class)).map(hitOf),
    isCut: each.some(rows => rows.length > HITS_OF_SEARCH),
  };
}
