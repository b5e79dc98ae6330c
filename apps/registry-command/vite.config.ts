import path from 'node:path';
import { defineConfig } from 'vite';

/** One file without dependencies, for Node.js 22 and later. */
export default defineConfig({
  root: path.join(import.meta.dirname, '../..'),
  publicDir: false,
  ssr: { noExternal: true },
  build: {
    ssr: 'apps/registry-command/src/main.ts',
    target: 'node22',
    minify: true,
    rolldownOptions: { output: { entryFileNames: 'registry.mjs', codeSplitting: false } },
  },
});
