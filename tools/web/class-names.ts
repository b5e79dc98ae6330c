import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';

/** Readable class names that the first HTML can use as well: `Shell_top` of packages/ui, `portal_Home_tile` of an app. */
export function scopedName(name: string, file: string): string {
  const app = /apps\/([^/]+)\//.exec(file)?.[1];
  const module = path.basename(file).replace(/\.module\.css.*$/, '');
  return `${app ? `${app}_` : ''}${module}_${name}`;
}

/**
 * Returns the classes of a style sheet with the names the build gives them.
 * @throws Error for a sheet that composes its classes of others': name both where they are used
 */
export function classNamesIn(css: string, file: string): Record<string, string> {
  const rules = css.replace(/\/\*[\s\S]*?\*\//g, '');
  if (/\bcomposes\s*:/.test(rules)) throw new Error(`${file} composes classes. Use both classes where the element is instead.`);
  // Text after or before a brace is a selector or a condition; values, with their decimals, end with a semicolon.
  const selectors = [...rules.matchAll(/(?:^|[{};])([^{};]+)(?=\{)/g)].map(([, selector]) => selector!).filter(each => !each.includes('@'));
  const names = selectors.flatMap(selector => [...selector.matchAll(/\.([A-Za-z_][\w-]*)/g)].map(([, name]) => name!));
  return Object.fromEntries([...new Set(names)].map(name => [name, scopedName(name, file)]));
}

const mark = '\0class-names:';
const isSheet = (id: string): boolean => id.endsWith('.module.css');

/**
 * The plugin that keeps the names of a sheet's classes with the components that use them. All sheets are one file (docs/decisions/0205-first-html-and-its-files.md), and
 * with it every page would load the names of every other page's classes.
 */
export function ownClassNames(): Plugin[] {
  return [
    {
      name: 'own-class-names',
      apply: 'build',
      enforce: 'pre',
      async resolveId(source, importer, options) {
        if (!isSheet(source) || importer?.startsWith(mark)) return null;
        const found = await this.resolve(source, importer, { ...options, skipSelf: true });
        return found && `${mark}${found.id}.js`;
      },
      load(id) {
        if (!id.startsWith(mark)) return null;
        const sheet = id.slice(mark.length, -'.js'.length);
        this.addWatchFile(sheet);
        return `import ${JSON.stringify(sheet)};\nexport default ${JSON.stringify(classNamesIn(readFileSync(sheet, 'utf8'), sheet))};`;
      },
    },
    {
      name: 'sheets-without-names',
      apply: 'build',
      enforce: 'post',
      // Like a sheet that isn't a module, it is kept although nothing is imported from it.
      transform: (_code, id) => (isSheet(id) ? { code: "export default ''", map: null, moduleSideEffects: 'no-treeshake' } : null),
    },
  ];
}
