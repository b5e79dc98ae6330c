import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';
import { root } from '../root.ts';

type Node = { type: string; start: number; end: number; [key: string]: unknown };
type Exports = ReadonlyMap<string, { from: string; name: string }>;
type Parse = (code: string) => unknown;

/** Packages of many parts, by the file that lists them. */
const lists = { '@portal/ui': 'packages/ui/src/index.ts', '@portal/app-kit': 'packages/app-kit/src/index.ts' } as const;

const bodyOf = (program: unknown): Node[] => (program as { body: Node[] }).body;
const nameIn = (node: unknown): string => String((node as Node)['name'] ?? (node as Node)['value']);

/** Returns from which file each name comes that a list of parts exports. */
export function exportsOf(code: string, folder: string, parse: Parse): Exports {
  const found = new Map<string, { from: string; name: string }>();
  for (const { type, source, specifiers } of bodyOf(parse(code))) {
    if (type !== 'ExportNamedDeclaration' || !source) continue;
    const from = String((source as Node)['value']);
    for (const { local, exported } of specifiers as Node[])
      found.set(nameIn(exported), { from: from.startsWith('.') ? path.join(folder, from) : from, name: nameIn(local) });
  }
  return found;
}

/**
 * Returns a module whose imports from a list of parts name the parts' own files, with its lines where they were. In the import graph, which says what goes
 * into which file (shared-parts.ts), a list would be a user of all of its parts, and everything would be loaded when an application starts.
 */
export function withDirectImports(code: string, exportsOfList: (list: string) => Exports | undefined, parse: Parse): string {
  let text = code;
  for (const { type, start, end, source, specifiers, importKind } of bodyOf(parse(code)).toReversed()) {
    const known = type === 'ImportDeclaration' && importKind !== 'type' ? exportsOfList(String((source as Node)['value'])) : undefined;
    if (!known) continue;
    const direct = (specifiers as Node[]).flatMap(({ imported, local, importKind: kind }) => {
      const part = known.get(nameIn(imported));
      return kind === 'type' || !part ? [] : [`import { ${part.name} as ${nameIn(local)} } from ${JSON.stringify(part.from)};`];
    });
    text = text.slice(0, start) + direct.join(' ') + text.slice(start, end).replace(/[^\n]/g, '') + text.slice(end);
  }
  return text;
}

/** The plugin of the web build that carries it out. */
export function directImports(): Plugin {
  const known = new Map<string, Exports>();
  return {
    name: 'direct-imports',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (!/\.tsx?$/.test(id) || id.includes('node_modules') || !/'@portal\/(ui|app-kit)'/.test(code)) return null;
      const parse: Parse = text => this.parse(text, { lang: 'tsx' });
      const exportsOfList = (list: string): Exports | undefined => {
        if (!Object.hasOwn(lists, list)) return undefined;
        const file = path.join(root, lists[list as keyof typeof lists]);
        const exports = known.get(list) ?? exportsOf(readFileSync(file, 'utf8'), path.dirname(file), parse);
        known.set(list, exports);
        return exports;
      };
      return { code: withDirectImports(code, exportsOfList, parse), map: null };
    },
  };
}
