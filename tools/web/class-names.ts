import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';

/** Readable class names that the first HTML can use as well: `Shell_top` of packages/ui, `portal_Home_tile` of an app. */
export function scopedName(name: string, file: string): string {
  const app = /apps\/([^/]+)\//.exec(file)?.[1];
  const module = path.basename(file).replace(/\.module\.css.*$/, '');
  return `${app ? `${app}_` : ''}${module}_${name}`;
}

const mark = '\0class-names:';
const isSheet = (id: string): boolean => id.endsWith('.module.css');

/**
 * The plugin that puts the names of classes together where they are used. All sheets are one file (docs/decisions/0205-first-html-and-its-files.md), and with a table of
 * its names every page would load those of every other page's classes.
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
        if (/\bcomposes\s*:/.test(readFileSync(sheet, 'utf8')))
          throw new Error(`${sheet} composes classes. Use both classes where the element is instead.`);
        const named = `new Proxy({}, { get: (_, name) => ${JSON.stringify(scopedName('', sheet))} + name })`;
        return `import ${JSON.stringify(sheet)};\nexport default /*@__PURE__*/ ${named};`;
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
