import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';
import { root } from '../root.ts';

/** Properties of an endpoint, and of a page, that only the server, the documents and the tests read. Queries and answers are not checked in browsers. */
const serverFields = {
  endpoint: [
    'summary',
    'query',
    'answer',
    'errors',
    'downloads',
    'carriesOut',
    'guessable',
    'flag',
    'largestBody',
    'waitsFor',
    'activity',
    'limit',
    'moves',
    'onceOnly',
    'publicApi',
    'secondPersonOfClosed',
    'secondRole',
  ],
  page: ['restriction'],
} as const;
type Node = { type: string; start: number; end: number; [key: string]: unknown };
type Edit = { start: number; end: number; text: string };

/**
 * Returns a module of the contract as browsers need it, with its lines where they were: endpoints without their schemas, bodies only where a form
 * checks against them, and constants that the bundler may leave out when nothing uses them. The shell knows the endpoints of every page it
 * reads, and would carry the schemas of all their answers, and the library that checks them, before anything is shown.
 * @param parse returns the syntax tree of a TypeScript module
 * @param formBodies names of endpoints whose bodies forms check against
 */
export function contractInBrowsers(code: string, parse: (code: string) => unknown, formBodies: ReadonlySet<string>): string {
  const edits: Edit[] = [];
  const program = parse(code) as Node;
  for (const statement of program['body'] as Node[]) {
    const declaration = statement.type === 'ExportNamedDeclaration' ? (statement['declaration'] as Node | null) : statement;
    if (declaration?.type !== 'VariableDeclaration') continue;
    for (const { init } of declaration['declarations'] as { init: Node | null }[]) {
      if (!init) continue;
      const cuts = cutsIn(init, code, formBodies);
      edits.push(...cuts);
      if (!runsSomething(init)) continue;
      edits.push({ start: init.start, end: init.start, text: '/*@__PURE__*/ (() => (' }, { start: init.end, end: init.end, text: '))()' });
    }
  }
  let text = code;
  for (const { start, end, text: by } of edits.toSorted((a, b) => b.start - a.start || b.end - a.end))
    text = text.slice(0, start) + by + text.slice(start, end).replace(/[^\n]/g, '') + text.slice(end);
  return text;
}

function cutsIn(init: Node, code: string, formBodies: ReadonlySet<string>): Edit[] {
  const cuts: Edit[] = [];
  const visit = (node: Node, name: string | null): void => {
    if (isFunction(node)) return;
    if (node.type === 'CallExpression') {
      const callee = (node['callee'] as Node)['name'];
      const [definition] = node['arguments'] as Node[];
      const fields: readonly string[] | null =
        callee === 'endpoint' || callee === 'unrecordedEndpoint'
          ? serverFields.endpoint
          : callee === 'portal' || callee === 'framed'
            ? serverFields.page
            : null;
      if (fields && definition?.type === 'ObjectExpression') {
        const properties = definition['properties'] as Node[];
        const isRead = properties.some(property => nameOf(property) === 'method' && (property['value'] as Node)['value'] === 'GET');
        for (const property of properties) {
          const field = nameOf(property);
          if (field === null) continue;
          const value = property['value'] as Node;
          if (field === 'answer' && value['value'] === 'download') continue;
          // Pages show a change as a call of the registry API.
          if (field === 'publicApi' && !isRead) continue;
          const isUnused = fields.includes(field) || (fields === serverFields.endpoint && field === 'body' && !formBodies.has(name ?? ''));
          if (isUnused) cuts.push({ start: property.start, end: property.end + (code[property.end] === ',' ? 1 : 0), text: '' });
        }
        return;
      }
    }
    for (const child of childrenOf(node)) visit(child, node.type === 'Property' ? nameOf(node) : name);
  };
  visit(init, null);
  return cuts;
}

/** Whether an initial value calls a function, or spreads an object: then the bundler must be told that nothing else depends on it. */
function runsSomething(node: Node): boolean {
  if (isFunction(node)) return false;
  return ['CallExpression', 'NewExpression', 'SpreadElement'].includes(node.type) || childrenOf(node).some(runsSomething);
}

const isFunction = ({ type }: Node): boolean => type === 'ArrowFunctionExpression' || type === 'FunctionExpression';

/** The name of a property `name: …`; null for all others, and for methods. */
function nameOf(property: Node): string | null {
  const key = property['key'] as Node | undefined;
  if (property.type !== 'Property' || property['computed'] || !key) return null;
  return (key['name'] as string | undefined) ?? (key['value'] as string | undefined) ?? null;
}

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string';
const childrenOf = (node: Node): Node[] =>
  Object.values(node).flatMap(value => (Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : []));

/** Returns the names of endpoints whose bodies the sources of the web apps read: `contacts.updateContact.body`. */
export const bodiesIn = (source: string): string[] => [...source.matchAll(/\.(\w+)\s*\.body\b/g)].map(([, name]) => name!);

const webSources = ['apps/portal/src', 'apps/desk/src', 'apps/resource-manager/src', 'packages/app-kit/src', 'packages/ui/src'];

function readFormBodies(): Set<string> {
  const found = new Set<string>();
  for (const folder of webSources)
    for (const file of readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }))
      if (/\.tsx?$/.test(file) && !file.includes('.test.'))
        for (const name of bodiesIn(readFileSync(path.join(root, folder, file), 'utf8'))) found.add(name);
  return found;
}

/** The plugin of the web build that does this; tests and the development server use the unmodified contract. */
export function slimContract(): Plugin {
  const folder = path.join(root, 'packages/contract/src').replaceAll(path.sep, '/');
  let formBodies: ReadonlySet<string> = new Set();
  return {
    name: 'slim-contract',
    apply: 'build',
    enforce: 'pre',
    buildStart() {
      formBodies = readFormBodies();
    },
    transform(code, id) {
      if (!id.startsWith(folder) || !id.endsWith('.ts')) return null;
      return { code: contractInBrowsers(code, text => this.parse(text, { lang: 'ts' }), formBodies), map: null };
    },
  };
}
