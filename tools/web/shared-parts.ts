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

/** Parts of the portal in which people stay for a while, by the folders of their pages. The first that names a page has it. */
const sections: readonly { name: SharedPart; folders: readonly string[] }[] = [
  { name: 'rpki', folders: ['apps/resource-manager/src/rpki/', 'apps/resource-manager/src/resources/routes/'] },
  // A block of a transfer is chosen on the map of a holding.
  { name: 'resources', folders: ['apps/resource-manager/src/resources/holding/', 'apps/resource-manager/src/shell/BlockPicker'] },
  { name: 'records', folders: ['apps/resource-manager/src/resources/'] },
  {
    name: 'editor',
    folders: ['maintainers/', 'objects/ObjectPage', 'objects/NewObjectPage'].map(folder => `apps/resource-manager/src/whois/${folder}`),
  },
  // Updates of many objects need no editor of one.
  { name: 'updates', folders: ['apps/resource-manager/src/whois/updates/'] },
  { name: 'requests', folders: ['apps/resource-manager/src/requests/'] },
  {
    name: 'reverse',
    folders: ['whois/reverse-dns/', 'technical/', 'shell/zone-check/'].map(folder => `apps/resource-manager/src/${folder}`),
  },
  { name: 'whois', folders: ['apps/resource-manager/src/'] },
  { name: 'desk', folders: ['apps/desk/src/'] },
  { name: 'member-pages', folders: ['apps/portal/src/'] },
];
/** The code with which a sign-in begins, in place of a page: it loads nothing of the portal's own. */
export const signInCode = ['apps/portal/src/sign-in-form.ts', 'packages/app-kit/src/auth/portal-user-manager.ts'];

type SharedPart =
  | 'early'
  | 'parts'
  | 'dialogs'
  | 'lists'
  | 'rpsl'
  | 'member-pages'
  | 'resources'
  | 'records'
  | 'requests'
  | 'rpki'
  | 'reverse'
  | 'zones'
  | 'whois'
  | 'editor'
  | 'updates'
  | 'desk';
const framed: readonly string[] = ['resources', 'records', 'requests', 'rpki', 'reverse', 'whois', 'editor', 'updates'];
const whois: readonly string[] = ['whois', 'editor', 'updates'];
const resources: readonly string[] = ['resources', 'records'];
/** Sections some of whose pages write whois objects. What only those of several sections share is in `rpsl`, with the code of RPSL, which is as large as `lists`. */
const writing: readonly string[] = ['requests', 'rpki', 'reverse', 'whois', 'editor', 'updates'];

/** Applications and sections whose pages have a sheet of their own, which other pages need not load: that of requests has the pictures of a transfer and of a request. */
const ownSheets: readonly { folder: string; name: SharedPart }[] = [
  { folder: 'apps/resource-manager/src/requests/', name: 'requests' },
  { folder: 'apps/portal/src/', name: 'member-pages' },
  { folder: 'apps/desk/src/', name: 'desk' },
];

/**
 * Large tables of the contract, parts of a library and parts of pages that a few pages show, and the file of each; null for the bundler's choice. In the import graph every page that
 * makes such a call uses them; the bundler, which drops those schemas, knows better.
 */
const shownByFew: Readonly<Record<string, SharedPart | null>> = {
  // The library names all of its parts in one file, which every page imports.
  'node_modules/@tanstack/query-core/build/modern/infiniteQueryObserver.js': null,
  'node_modules/@tanstack/query-core/build/modern/queriesObserver.js': null,
  'node_modules/@tanstack/react-query/build/modern/useInfiniteQuery.js': null,
  'node_modules/@tanstack/react-query/build/modern/useQueries.js': null,
  'packages/contract/src/reverse-dns/check-catalogue.ts': null,
  'packages/contract/src/notifications/topics.ts': 'member-pages',
  'packages/contract/src/requests/request-grounds.ts': null,
  'packages/contract/src/elections/ballots.ts': null,
  'apps/portal/src/pages/voting/WayToBallot.tsx': null,
};

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
export function openSharedParts(): (module: string, importersOf: ImportersOf) => SharedPart | null {
  const known = new Map<string, ReadonlySet<string>>();
  const standsOnRpsl = openStandsOn('packages/rpsl/');
  return (module, importersOf) => {
    // The library of schemas: all of the contract names it, and only forms use it.
    if (module.includes('node_modules/zod/')) return 'lists';
    const few = shownByFew[fileOf(module)];
    if (few !== undefined) return few;
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
    const isOfPage = (start: string): boolean => importersOf(start)?.dynamicImporters.some(by => by.endsWith('/views.ts')) ?? false;
    const isDemanded = !starts.some(isOfPage);
    if (files.length < 2 && (isDemanded || !isSheet)) return null;
    const found = new Set(files.map(sectionOf));
    const [name = 'lists'] = found;
    // What is opened later brings its own sheet and code: all pages would carry them.
    if (isDemanded && (found.size > 1 || name === 'lists')) return 'dialogs';
    // Sheets are small, and a page would wait for each of several.
    if (isSheet) return ownSheets.find(({ folder }) => files.every(file => file.startsWith(folder)))?.name ?? 'lists';
    // A file loads everything that anything in it imports: what pages without RPSL need must not be with code that imports it.
    const isOfWriters = starts.every(start => standsOnRpsl(start, importersOf));
    if (found.size === 1) return name === 'reverse' && isOfWriters ? 'zones' : name;
    if (isOfWriters && [...found].every(each => writing.includes(each))) return 'rpsl';
    if ([...found].every(each => whois.includes(each))) return 'whois';
    if ([...found].every(each => resources.includes(each))) return 'resources';
    return [...found].some(each => framed.includes(each)) ? 'lists' : 'member-pages';
  };
}

const sectionOf = (file: string): SharedPart =>
  sections.find(({ folders }) => folders.some(folder => file.startsWith(folder)))?.name ?? 'lists';

/** Returns the modules that are loaded separately (entries, and what is imported when it is needed) and load this one along. */
function startsOf(module: string, importersOf: ImportersOf, known: Map<string, ReadonlySet<string>>): ReadonlySet<string> {
  const before = known.get(module);
  if (before) return before;
  const starts = new Set<string>();
  const seen = new Set([module]);
  const queue = [module];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const info = importersOf(next);
    if (!info) continue;
    if (info.isEntry || info.dynamicImporters.length > 0) starts.add(next);
    for (const importer of info.importers) {
      if (seen.has(importer)) continue;
      seen.add(importer);
      queue.push(importer);
    }
  }
  known.set(module, starts);
  return starts;
}

/** Returns a function that tells whether a module is in a folder or imports, directly or through others, one that is. */
function openStandsOn(folder: string): (module: string, importersOf: ImportersOf) => boolean {
  const known = new Map<string, boolean>();
  const standsOn = (module: string, importersOf: ImportersOf): boolean => {
    const before = known.get(module);
    if (before !== undefined) return before;
    // For modules that import one another in a cycle.
    known.set(module, false);
    const found = fileOf(module).startsWith(folder) || (importersOf(module)?.importedIds ?? []).some(each => standsOn(each, importersOf));
    known.set(module, found);
    return found;
  };
  return standsOn;
}
