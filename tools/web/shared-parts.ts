import path from 'node:path';
import { root } from '../root.ts';

/** A module in the bundler's graph: its static importers, its dynamic ones, and what it imports itself. */
export type ModuleImporters = {
  isEntry: boolean;
  importers: readonly string[];
  dynamicImporters: readonly string[];
  importedIds: readonly string[];
};
type ImportersOf = (module: string) => ModuleImporters | null;

/**
 * Parts of the portal in which people stay for a while, by how the addresses of their pages begin; the first that fits a page has it. What several
 * sections of the same first word share is in the file of that word.
 */
const sections: readonly (readonly [begin: string, name: string])[] = [
  ['apps/resource-manager/src/rpki/', 'rpki'],
  ['apps/resource-manager/src/resources/routes/', 'rpki'],
  ['apps/resource-manager/src/resources/holding/', 'resources'],
  // A block of a transfer is chosen on the map of a holding.
  ['apps/resource-manager/src/shell/BlockPicker', 'resources'],
  ['apps/resource-manager/src/resources/', 'resources-records'],
  ['apps/resource-manager/src/whois/maintainers/', 'whois-editor'],
  ['apps/resource-manager/src/whois/objects/ObjectPage', 'whois-editor'],
  ['apps/resource-manager/src/whois/objects/NewObjectPage', 'whois-editor'],
  // Updates of many objects need no editor of one.
  ['apps/resource-manager/src/whois/updates/', 'whois-updates'],
  ['apps/resource-manager/src/requests/', 'requests'],
  ['apps/resource-manager/src/whois/reverse-dns/', 'reverse'],
  ['apps/resource-manager/src/technical/', 'reverse'],
  ['apps/resource-manager/src/shell/zone-check/', 'reverse'],
  ['apps/resource-manager/src/', 'whois'],
  ['apps/desk/src/', 'desk'],
  ['apps/portal/src/', 'member-pages'],
];
const sectionOf = (file: string): string => sections.find(([begin]) => file.startsWith(begin))?.[1] ?? 'lists';
const isFramed = (section: string): boolean => !['desk', 'member-pages', 'lists'].includes(section);
/** Sections with a sheet of their own, which other pages need not load: that of requests has the pictures of a transfer and of a request. */
const ownSheets: ReadonlySet<string> = new Set(['requests', 'member-pages', 'desk']);

/**
 * Large tables of the contract, parts of a library and parts of pages that a few pages show, and the bundler places: in the import graph every page that makes
 * such a call, or imports anything of that library, uses them; the bundler, which drops those schemas, knows better.
 */
const shownByFew =
  /tanstack\/.*(infiniteQueryObserver|queriesObserver|useInfiniteQuery|useQueries)\.js$|\/(check-catalogue|request-grounds|ballots|mrt|roa-picture|contract\/src\/markdown)\.ts$|WayToBallot|OwnInvitations|applications\/FirstYear|\/words\/TextBlocks|\/ui\/src\/difference\/(TextChanges|text-differences)/;

/** The code with which a sign-in begins, in place of a page: it loads nothing of the portal's own. */
export const signInCode = ['apps/portal/src/sign-in-form.ts', 'packages/app-kit/src/auth/portal-user-manager.ts'];
/** Parts of the desk that are opened later with code of the portal's pages: those keep it among themselves, as all pages would carry it otherwise. */
const guests: readonly string[] = ['apps/desk/src/requests/PoolMap.tsx'];

/** The page that is opened most: it needs nothing that the start has not. */
const home = 'apps/portal/src/pages/HomePage.tsx';

const fileOf = (module: string): string => path.relative(root, module.replace(/[?#].*$/, '')).replaceAll(path.sep, '/');

/**
 * Names the file of the web build that a module shared by several pages goes to; null for one that only one page needs, which stays in the
 * page's own. A page is then its own file, that of its section, that of its application and `lists`, and not dozens of small ones that each
 * wait for a connection (docs/decisions/0205-first-html-and-its-files.md). Who loads a module decides: the sign-in (`early`), an application when it starts, or
 * home (`parts`), no page when it begins (`dialogs`), the pages of one section, or of several. What a module imports is loaded by all of those as well, so that
 * files don't import each other in a circle.
 */
export function openSharedParts(): (module: string, importersOf: ImportersOf) => string | null {
  const known = new Map<string, ReadonlySet<string>>();
  const standsOnRpsl = openStandsOn('packages/rpsl/');
  return (module, importersOf) => {
    // The library of schemas: all of the contract names it, and only forms use it.
    if (module.includes('node_modules/zod/')) return 'lists';
    if (shownByFew.test(fileOf(module))) return null;
    if (module.endsWith('/notifications/topics.ts')) return 'member-pages';
    // Documents besides the applications load what they need of them, and have the rest for themselves.
    const all = [...startsOf(module, importersOf, known)].filter(start => !/^apps\/server\/|silent-renew/.test(fileOf(start)));
    const hosts = all.filter(start => !guests.includes(fileOf(start)));
    const starts = hosts.length > 0 ? hosts : all;
    const files = starts.map(fileOf);
    const isSheet = fileOf(module).endsWith('.css');
    if (!isSheet && files.some(file => signInCode.includes(file))) return files.length > 1 ? 'early' : null;
    // One sheet for the first screen: a second one would delay the first paint.
    if (files.some(file => /^apps\/[^/]+\/(src\/main\.tsx?|[^/]+\.html)$/.test(file))) return files.length > 1 || isSheet ? 'parts' : null;
    if (files.includes(home)) return files.length > 1 ? 'parts' : null;
    const isDemanded = !starts.some(start => importersOf(start)?.dynamicImporters.some(by => by.endsWith('/views.ts')));
    if (files.length < 2 && (isDemanded || !isSheet)) return null;
    const found = new Set(files.map(sectionOf));
    const [name = 'lists'] = found;
    // What is opened later brings its own sheet and code: all pages would carry them.
    if (isDemanded && (found.size > 1 || name === 'lists')) return 'dialogs';
    // Sheets are small, and a page would wait for each of several.
    if (isSheet) return found.size === 1 && ownSheets.has(name) ? name : 'lists';
    // A file loads everything that anything in it imports: what pages without RPSL need must not be with code that imports it.
    const isOfWriters =
      [...found].every(each => isFramed(each) && !each.startsWith('resources')) && starts.every(start => standsOnRpsl(start, importersOf));
    if (found.size === 1) return name === 'reverse' && isOfWriters ? 'zones' : name;
    if (isOfWriters) return 'rpsl';
    const words = new Set([...found].map(each => each.replace(/-.*/, '')));
    return words.size === 1 ? [...words][0]! : [...found].some(isFramed) ? 'lists' : 'member-pages';
  };
}

/** Returns the modules that are loaded separately (entries, and what is imported when it is needed) and load this one along. */
function startsOf(module: string, importersOf: ImportersOf, known: Map<string, ReadonlySet<string>>): ReadonlySet<string> {
  const before = known.get(module);
  if (before) return before;
  const starts = new Set<string>();
  const seen = new Set([module]);
  for (const next of seen) {
    const info = importersOf(next);
    if (!info) continue;
    if (info.isEntry || info.dynamicImporters.length > 0) starts.add(next);
    for (const importer of info.importers) seen.add(importer);
  }
  known.set(module, starts);
  return starts;
}

/** Returns a function that tells whether a module is in a folder or imports, directly or through others, one that is. */
function openStandsOn(folder: string): (module: string, importersOf: ImportersOf) => boolean {
  const known = new Map<string, boolean>();
  return (module, importersOf) => {
    const imported = new Set([module]);
    for (const next of known.has(module) ? [] : imported) for (const each of importersOf(next)?.importedIds ?? []) imported.add(each);
    const found = known.get(module) ?? [...imported].some(each => fileOf(each).startsWith(folder));
    known.set(module, found);
    return found;
  };
}
