import path from 'node:path';
import { defineConfig } from 'vite';
import { slimContract } from './contract-in-browsers.ts';

/** The first script of the portal's documents: one piece without imports, which the server writes into the HTML. */
export default defineConfig({
  root: path.join(import.meta.dirname, '../..'),
  publicDir: false,
  plugins: [slimContract()],
  build: {
    target: 'baseline-widely-available',
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: 'packages/app-kit/src/first/first-script.ts',
      output: { format: 'iife', entryFileNames: 'first-script.js', codeSplitting: false },
    },
  },
});
