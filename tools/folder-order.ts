import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './root.ts';

/** One file of ours that imports another. */
type Edge = { from: string; to: string; line: number };

/** Folders in one folder, lowest first: a file imports from its own folder and from those before it. */
export type FolderOrder = {
  folders: readonly string[];
  /**
   * Files beside the folders that collect one thing from all of them: imports through such a file are not followed. A folder that imports it knows
   * the collection, not its sources.
   */
  gathers?: readonly string[];
};

/** Orders outside of the server's modules, each of which names its own in `module.ts` (`folders`). */
const orders: Readonly<Record<string, FolderOrder>> = {
  'apps/portal/src': { folders: ['shell', 'pages'] },
  // The views of all pages: a screen asks it for the one of its address.
  'apps/resource-manager/src': {
    folders: ['shell', 'resources', 'whois', 'rpki', 'requests', 'technical', 'api-keys', 'webhooks'],
    gathers: ['views.ts'],
  },
  'apps/portal/src/pages': {
    folders: [
      'activity-logs',
      'announcements',
      'joining',
      'applications',
      'approvals',
      'billing',
      'contacts',
      'documents',
      'events',
      'notifications',
      'organisation',
      'registry',
      'requests',
      'tickets',
      'voting',
    ],
  },
  'apps/portal/src/pages/billing': { folders: ['fees', 'joint', 'closed'] },
  'apps/portal/src/shell': { folders: ['palette', 'talk', 'help', 'legal'] },
  'apps/portal/src/pages/voting': { folders: ['encrypted', 'ceremony'] },
  'apps/portal/src/pages/contacts': { folders: ['list', 'invitation', 'editor', 'contact'] },
  'apps/resource-manager/src/resources': { folders: ['customers', 'routes', 'registrations', 'holding', 'record', 'nir'] },
  'apps/resource-manager/src/rpki': { folders: ['checklists', 'self-hosted'] },
  // `text`: an object as text, with its findings, differences and address.
  'apps/resource-manager/src/whois': {
    folders: ['text', 'tasks', 'consents', 'editor', 'objects', 'maintainers', 'updates', 'irt', 'reverse-dns'],
  },
  'apps/desk/src': {
    folders: [
      'shell',
      'home',
      'requests',
      'people',
      'accounts',
      'tickets',
      'replies',
      'memberships',
      'books',
      'payments',
      'fees',
      'board',
      'brand',
      'policy',
      'features',
      'legal',
      'elections',
      'events',
      'announcements',
      'pools',
      'data-quality',
      'mail-texts',
      'privacy',
      'registry-data',
      'reverse-dns',
      'rpki',
      'set-aside',
      'staff',
    ],
    gathers: ['views.ts'],
  },
  'apps/server/src/platform': { folders: ['telemetry', 'database', 'http', 'pdf'] },
  'packages/app-kit/src': {
    folders: [
      'kit',
      'auth',
      'settings',
      'session',
      'first',
      'place',
      'calls',
      'page',
      'step-up',
      'frame',
      'form',
      'documents',
      'proposals',
      'resources',
      'tickets',
      'words',
      'palette',
      'embedded',
      'browser',
    ],
  },
  'packages/contract/src': {
    folders: [
      'announcements',
      'status-pages',
      'help-pages',
      'whois',
      'reverse-dns',
      'notifications',
      'activity-log',
      'routes',
      'elections',
      'encrypted-ballots',
      'shell',
      'publication',
      'identity',
      'documents',
      'organisations',
      'events',
      'billing',
      'tickets',
      'contacts',
      'accounts',
      'data-quality',
      'mail',
      'webhooks',
      'api-keys',
      'tasks',
      'looking-glass',
      'rpki',
      'resources',
      'applications',
      'requests',
      'restraints',
      'staff',
      'roles',
      'search',
      'home',
      'customers',
      'records',
      'board',
      'brand',
      'policy',
      'features',
      'legal',
      'proposals',
      'nir',
      'privacy',
    ],
    // The codes of every refusal: an endpoint names some of them.
    gathers: ['errors.ts'],
  },
  'packages/rpsl/src': { folders: ['syntax', 'policy'] },
  'packages/ui/src': {
    folders: ['difference', 'code', 'text', 'action', 'form', 'picker', 'overlay', 'map', 'layout', 'table', 'shell', 'message'],
  },
  tools: { folders: ['sql', 'docs', 'stubs', 'web', 'bench'] },
  'tools/bench': { folders: ['figures', 'programs'] },
};

/** Folders whose own folders have an order as soon as there are two of them. */
const ordered =
  /^(apps\/(portal|desk|resource-manager)\/src(\/[^/]+){0,2}|apps\/server\/src\/(modules\/[^/]+|platform)|packages\/[^/]+\/src|tools(\/bench)?)$/;

/** Returns the order that the folder's `module.ts` or the list here declares; undefined where none does. */
function declaredOrder(folder: string): FolderOrder | undefined {
  const module = path.join(root, folder, 'module.ts');
  if (!folder.startsWith('apps/server/src/modules/') || !existsSync(module)) return orders[folder];
  const list = /^ {2}folders: \[([^\]]*)\]/m.exec(readFileSync(module, 'utf8'))?.[1];
  return list === undefined ? undefined : { folders: [...list.matchAll(/'([^']+)'/g)].map(([, name]) => name!) };
}

/** Returns the violations of the order of folders below `parent`: missing or unknown folders, and imports that lead back. */
export function folderFindings(
  parent: string,
  order: FolderOrder | undefined,
  names: ReadonlySet<string>,
  edges: readonly Edge[],
): string[] {
  const where = parent.startsWith('apps/server/src/modules/') ? `folders in ${parent}/module.ts` : `${parent} in tools/folder-order.ts`;
  if (!order) return [`${parent} has the folders ${[...names].join(', ')} without an order: list them, lowest first (${where})`];
  const known = new Set(order.folders);
  return [
    ...[...names].filter(name => !known.has(name)).map(name => `${parent}/${name} is not in the order of folders (${where})`),
    ...order.folders
      .filter(name => !names.has(name))
      .map(name => `${parent}/${name} is in the order of folders, and is not there (${where})`),
    ...arrowsBack(parent, order, edges),
  ];
}

/** Imports of a folder that lead to one after it: directly, or through files beside the folders. */
function arrowsBack(parent: string, { folders, gathers = [] }: FolderOrder, edges: readonly Edge[]): string[] {
  const placeOf = (file: string): number => folders.indexOf(file.slice(parent.length + 1).split('/')[0]!);
  const inside = edges.filter(({ from, to }) => from.startsWith(`${parent}/`) && to.startsWith(`${parent}/`));
  const importsOf = Map.groupBy(inside, ({ from }) => from);
  /** Returns the way from a file beside the folders to the first file after a place; undefined if there is none. */
  const wayAfter = (file: string, place: number, seen: Set<string>): string[] | undefined => {
    if (seen.has(file) || gathers.includes(file.slice(parent.length + 1))) return undefined;
    seen.add(file);
    for (const { to } of importsOf.get(file) ?? []) {
      const way = placeOf(to) > place ? [to] : placeOf(to) < 0 ? wayAfter(to, place, seen) : undefined;
      if (way) return [file, ...way];
    }
    return undefined;
  };
  return inside.flatMap(({ from, to, line }) => {
    const place = placeOf(from);
    if (place < 0 || placeOf(to) === place) return [];
    const way = placeOf(to) > place ? [to] : placeOf(to) < 0 ? wayAfter(to, place, new Set()) : undefined;
    if (!way) return [];
    const through = way.length > 1 ? `, which leads to ${way.slice(1).join(' → ')}` : '';
    const before = folders.slice(0, place).join(', ') || 'no other folder';
    return [
      `${from}:${line}: imports ${to}${through} (order of folders: ${folders[place]} may import from ${before}; move down what both need, or hand it in as a value)`,
    ];
  });
}

const isTest = (file: string): boolean => /\.test\.tsx?$/.test(file);

/** Every folder without an order and every import against one, in the project as it is; tests import what they test. */
export function checkFolderOrder(files: readonly string[], allEdges: readonly Edge[]): string[] {
  const edges = allEdges.filter(({ from }) => !isTest(from));
  const foldersIn = new Map<string, Set<string>>();
  for (const file of files.filter(each => !isTest(each))) {
    const parts = file.split('/');
    for (let depth = 1; depth < parts.length - 1; depth++) {
      const parent = parts.slice(0, depth).join('/');
      if (ordered.test(parent)) foldersIn.set(parent, (foldersIn.get(parent) ?? new Set()).add(parts[depth]!));
    }
  }
  return [
    ...Object.keys(orders)
      .filter(parent => !foldersIn.has(parent))
      .map(parent => `${parent} is in tools/folder-order.ts, and has no folders`),
    ...[...foldersIn]
      .filter(([parent, names]) => names.size > 1 || declaredOrder(parent))
      .flatMap(([parent, names]) => folderFindings(parent, declaredOrder(parent), names, edges)),
  ];
}
