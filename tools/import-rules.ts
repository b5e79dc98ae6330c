import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'vite';
import { checkFolderOrder } from './folder-order.ts';
import { type ProjectFile, projectFiles } from './project-files.ts';
import { root } from './root.ts';

/** One import, type imports and re-exports included. `to` is a file of ours, or the name of a package when `external`. */
export type Import = { from: string; to: string; external: boolean; line: number };

/** A border: what an import must not do, in words a reader of the refusal understands. */
type Border = { name: string; breaks: (edge: Import) => string | undefined };

/** Server modules in the order of `modules.ts`, which is read as text: each may import those before it. */
export const lineUp = [...readFileSync(path.join(root, 'apps/server/src/modules.ts'), 'utf8').matchAll(/^ {2}(\w+)Module,$/gm)].map(
  ([, name]) => name!.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`),
);

/** Imports that each part may make from the other parts. */
const mayImport: Record<string, readonly string[]> = {
  'packages/number-resources': [],
  'packages/rpsl': ['packages/number-resources'],
  'packages/rpki-objects': ['packages/number-resources'],
  'packages/ballots': [],
  'packages/contract': ['packages/rpsl', 'packages/number-resources'],
  'packages/api-client': ['packages/contract'],
  'packages/client': [],
  'packages/ui': ['packages/number-resources'],
  'packages/app-kit': ['packages/api-client', 'packages/contract', 'packages/ui'],
  'apps/portal': ['packages/app-kit', 'packages/ballots', 'packages/ui', 'packages/contract', 'packages/number-resources'],
  'apps/resource-manager': ['packages/app-kit', 'packages/ui', 'packages/contract', 'packages/rpsl', 'packages/number-resources'],
  'apps/desk': ['packages/app-kit', 'packages/ui', 'packages/contract', 'packages/number-resources'],
  'apps/registry-command': ['packages/client', 'packages/contract'],
  'apps/server': [
    'packages/ballots',
    'packages/contract',
    'packages/rpsl',
    'packages/rpki-objects',
    'packages/number-resources',
    'packages/api-client',
  ],
  dev: ['apps/server', 'packages/ballots', 'packages/contract', 'packages/rpki-objects', 'packages/rpsl', 'packages/number-resources'],
  e2e: ['dev', 'packages/contract', 'packages/rpki-objects', 'packages/number-resources', 'tools'],
  tools: ['apps/server', 'dev', 'e2e', 'packages/ballots', 'packages/contract', 'packages/number-resources', 'packages/rpki-objects'],
};

/** The only places a package may be imported from; tests may import anything. */
const homes: Record<string, RegExp> = {
  pg: /^apps\/server\/src\/platform\/database\//,
  '@electric-sql/pglite': /^apps\/server\/src\/platform\/database\//,
  'graphile-worker': /^apps\/server\/src\/platform\//,
  fastify:
    /^apps\/server\/src\/(platform\/|modules\/(identity|brand|mail|notifications|documents|rdap|registry-api|rpki|whois|(?:help|legal|log|numbers|public|report|status|whois)-pages|mirrors|ballots|encrypted-ballots)\/|plain-pages\/|app\.ts$)/,
  'oidc-provider': /^apps\/server\/src\/modules\/identity\//,
  jose: /^apps\/server\/src\/(platform|modules\/identity)\/|^dev\/stand-ins\//,
  aws4fetch: /^apps\/server\/src\/adapters\//,
  stripe: /^apps\/server\/src\/adapters\//,
  nodemailer: /^apps\/server\/src\/adapters\//,
  'oidc-client-ts': /^packages\/app-kit\/src\/auth\//,
};

const partOf = (file: string): string => /^((apps|packages)\/[^/]+|[^/]+)/.exec(file)![1]!;
const moduleOf = (file: string): string | undefined => /^apps\/server\/src\/modules\/([^/]+)\//.exec(file)?.[1];
const isTest = (file: string): boolean => /\.test\.tsx?$|^e2e\/|\/test\/|^tools\/bench/.test(file);
/** Returns the folder of a web app's domain; files directly in src/ have none. */
const webFolderOf = (file: string): { app: string; folder: string } | undefined => {
  const match = /^(apps\/(?:portal|resource-manager|desk))\/src\/([^/]+)\//.exec(file);
  return match ? { app: match[1]!, folder: match[2]! } : undefined;
};
/** Folders of a web app every other folder may use. */
const sharedFolders = ['shell', 'auth'];

const borders: Border[] = [
  {
    name: 'direction',
    breaks: ({ from, to, external }) => {
      const [source, target] = [partOf(from), partOf(to)];
      if (external || source === target || !mayImport[source] || mayImport[source].includes(target)) return undefined;
      // A test may use what the tools know of the project, and run members' programs against the server.
      if (['tools', 'packages/client', 'apps/registry-command'].includes(target) && isTest(from)) return undefined;
      return `${source} may import ${mayImport[source].join(', ') || 'nothing of ours'}`;
    },
  },
  {
    name: 'platform knows no module',
    breaks: ({ from, to }) =>
      from.startsWith('apps/server/src/platform/') && !isTest(from) && moduleOf(to)
        ? 'what a module needs from the platform is handed to it by app.ts'
        : undefined,
  },
  {
    name: 'line-up',
    breaks: ({ from, to }) => {
      const [source, target] = [moduleOf(from), moduleOf(to)];
      if (!source || !target || source === target || isTest(from)) return undefined;
      const place = lineUp.indexOf(source);
      return lineUp.indexOf(target) < place ? undefined : `${source} may import only ${lineUp.slice(0, place).join(', ') || 'no module'}`;
    },
  },
  {
    name: 'through the door',
    breaks: ({ from, to }) => {
      const [source, target] = [moduleOf(from), moduleOf(to)];
      if (!source || !target || source === target || isTest(from) || to.endsWith(`/${target}/index.ts`)) return undefined;
      return `other modules import modules/${target}/index.ts`;
    },
  },
  {
    name: 'home of a package',
    breaks: ({ from, to, external }) => {
      const home = external ? homes[to] : undefined;
      if (!home || isTest(from) || from.startsWith('tools/') || home.test(from)) return undefined;
      return `${to} is imported only where ${home.source} matches`;
    },
  },
  {
    name: 'runs in a browser',
    breaks: ({ from, to, external }) =>
      external &&
      to.startsWith('node:') &&
      /^(packages\/[^/]+\/src|apps\/(portal|resource-manager)\/src|apps\/server\/web)\//.test(from) &&
      !isTest(from)
        ? 'packages and web apps know no Node.js'
        : undefined,
  },
  {
    name: 'web folders',
    breaks: ({ from, to }) => {
      const [source, target] = [webFolderOf(from), webFolderOf(to)];
      if (!source || !target || source.app !== target.app || source.folder === target.folder || isTest(from)) return undefined;
      return sharedFolders.includes(target.folder) ? undefined : 'what two folders need moves to app-kit, ui or shell/';
    },
  },
  {
    name: 'tests stay apart',
    breaks: ({ from, to, external }) =>
      !external && isTest(to) && !isTest(from) && partOf(from) !== 'tools' ? 'the program does not import tests' : undefined,
  },
];

/** The borders an import breaks. */
export function brokenBorders(edge: Import): string[] {
  return borders.flatMap(({ name, breaks }) => {
    const reason = breaks(edge);
    return reason ? [`${edge.from}:${edge.line}: imports ${edge.to} (${name}: ${reason})`] : [];
  });
}

/** Every import of a file: static, dynamic with a literal, re-exports; types as well, because a cycle of types couples two files as much. */
export function importsOf({ path: from, text }: ProjectFile): (Import & { unresolved?: true })[] {
  const { module, errors } = parseSync(from, text);
  if (errors.length > 0) throw new Error(`${from}: ${errors[0]!.message}`);
  const requests = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest),
    ...module.staticExports.flatMap(({ entries }) => entries.flatMap(({ moduleRequest }) => moduleRequest ?? [])),
    ...module.dynamicImports.flatMap(({ moduleRequest: { start, end } }) => {
      const literal = /^(['"])([^'"]*)\1$/.exec(text.slice(start, end));
      return literal ? [{ value: literal[2]!, start }] : [];
    }),
  ];
  const seen = new Set<string>();
  return requests.flatMap(({ value, start }): (Import & { unresolved?: true })[] => {
    if (seen.has(value)) return [];
    seen.add(value);
    const line = text.slice(0, start).split('\n').length;
    const target = value.replace(/[?#].*$/, '');
    if (target.startsWith('.')) {
      const to = path.posix.normalize(path.posix.join(path.posix.dirname(from), target));
      return [{ from, to, external: false, line, ...(!existsSync(path.join(root, to)) && { unresolved: true as const }) }];
    }
    const own = /^@portal\/([^/]+)(?:\/(.+))?$/.exec(target);
    if (own) return [{ from, to: ownFile(own[1]!, own[2]), external: false, line }];
    const name = target.startsWith('node:') ? target : target.split('/', target.startsWith('@') ? 2 : 1).join('/');
    return [{ from, to: name, external: true, line }];
  });
}

/** The file behind `@portal/<name>[/<sub>]`, as the package exports it; whether it does is the compiler's business. */
function ownFile(name: string, sub: string | undefined): string {
  const wanted = sub ? `./${sub}` : '.';
  const exported = exportsOf(name);
  const pattern = Object.keys(exported)
    .filter(key => key.includes('*') && wanted.startsWith(key.split('*')[0]!) && wanted.endsWith(key.split('*')[1]!))
    // The longest start wins, as in Node.js; then the longest end.
    .toSorted((a, b) => b.indexOf('*') - a.indexOf('*') || b.length - a.length)[0];
  const [start = '', end = ''] = pattern?.split('*') ?? [];
  const target = exported[wanted] ?? (pattern && exported[pattern]!.replace('*', wanted.slice(start.length, wanted.length - end.length)));
  return path.posix.join('packages', name, target ?? wanted);
}

const exportsByName = new Map<string, Record<string, string>>();
/** Returns the exports of one of our packages: its file, or a pattern with one star, by the name others import. */
function exportsOf(name: string): Record<string, string> {
  const manifest = path.join(root, 'packages', name, 'package.json');
  const exported =
    exportsByName.get(name) ??
    (existsSync(manifest) ? (JSON.parse(readFileSync(manifest, 'utf8')) as { exports?: Record<string, string> }).exports : undefined) ??
    {};
  exportsByName.set(name, exported);
  return exported;
}

/** Import cycles, each once, as a list of its files. */
export function circles(edges: readonly Pick<Import, 'from' | 'to'>[]): string[][] {
  const next = Map.groupBy(edges, edge => edge.from);
  const done = new Set<string>();
  const found: string[][] = [];
  const walk = (file: string, way: string[]): void => {
    const start = way.indexOf(file);
    if (start >= 0) {
      found.push(way.slice(start));
      return;
    }
    if (done.has(file)) return;
    for (const { to } of next.get(file) ?? []) walk(to, [...way, file]);
    done.add(file);
  };
  for (const file of next.keys()) walk(file, []);
  return found;
}

/** Everything that breaks a border in the project as it is. */
export async function checkImports(): Promise<string[]> {
  const files = await projectFiles(/^(apps|packages|dev|e2e|tools)\/.*\.(ts|tsx)$/);
  const edges = files.flatMap(importsOf);
  const modules = new Set(files.flatMap(file => moduleOf(file.path) ?? []));
  return [
    ...[...modules]
      .filter(name => !lineUp.includes(name))
      .map(name => `apps/server/src/modules/${name}/ is not in the list of apps/server/src/modules.ts`),
    ...edges.filter(edge => edge.unresolved).map(({ from, line, to }) => `${from}:${line}: imports ${to}, which does not exist`),
    ...edges.flatMap(brokenBorders),
    ...checkFolderOrder(
      files.map(file => file.path),
      edges.filter(edge => !edge.external),
    ),
    ...circles(edges.filter(edge => !edge.external)).map(files => `A circle of imports: ${[...files, files[0]].join(' → ')}`),
  ];
}
