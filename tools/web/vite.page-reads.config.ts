import { readFileSync } from 'node:fs';
import path from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { slimContract } from './contract-in-browsers.ts';
import { applications, viewsIn } from './page-files.ts';

const root = path.join(import.meta.dirname, '../..');
const entry = '\0page-reads';

/** A module that knows the `reads` of every page and of the shell, and nothing else of them: the bundler leaves out what these don't use. */
const allReads: Plugin = {
  name: 'all-reads',
  enforce: 'pre',
  resolveId: source => (source === 'page-reads' ? entry : null),
  load(id) {
    if (/\.(css|svg)$/.test(id)) return 'export default {}';
    if (id !== entry) return null;
    const views = applications.flatMap(({ views: file }) =>
      Object.entries(viewsIn(readFileSync(path.join(root, file), 'utf8'), path.join(root, path.dirname(file)))),
    );
    return [
      "export { addressOfRead } from '@portal/app-kit/calls/reads';",
      "export { addressValues } from '@portal/app-kit/place/address';",
      `export { shellReads } from ${JSON.stringify(path.join(root, 'apps/portal/src/session.ts'))};`,
      ...views.map(([, file], place) => `import * as page${place} from ${JSON.stringify(file)};`),
      `export const pages = { ${views.map(([name], place) => `${name}: page${place}.reads`).join(', ')} };`,
    ].join('\n');
  },
};

/** The bundle from which tools/web/page-reads.ts writes down the addresses of all declared reads. */
export default defineConfig({
  root,
  publicDir: false,
  plugins: [allReads, slimContract()],
  build: {
    ssr: true,
    minify: false,
    rolldownOptions: {
      input: 'page-reads',
      treeshake: { moduleSideEffects: false },
      output: { entryFileNames: 'page-reads.js', codeSplitting: false },
      onwarn: () => undefined,
    },
  },
});
