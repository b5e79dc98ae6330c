import react from '@vitejs/plugin-react';
import os from 'node:os';
import path from 'node:path';
import { configDefaults, defaultExclude, defineConfig } from 'vitest/config';
import { LongestFirst } from './tools/longest-first.ts';
import { testsAlone } from './tools/tests-alone.ts';
import { testsOfTurns } from './tools/tests-of-turns.ts';

// Every file, and every thread of an embedded database, has a separate process or program: compiled and stripped of types once.
process.env.NODE_COMPILE_CACHE ??= path.join(import.meta.dirname, 'node_modules/.cache/node-compile');

/** Notes what a file cost. */
const meter = 'tools/test-meter.ts';
/** Tests of the server on real databases. */
const server = { environment: 'node', setupFiles: [meter], testTimeout: 150_000, hookTimeout: 180_000 };

/** Three kinds of tests by where they run: pure packages, the server on real databases, the web parts in a simulated document. */
export default defineConfig({
  test: {
    // One for each processor: half of what they do is waiting.
    maxWorkers: os.availableParallelism(),
    sequence: { sequencer: LongestFirst },
    // Files that tests read without importing them: a change of these reaches every test (npm test -- changed).
    forceRerunTriggers: [...configDefaults.forceRerunTriggers, '**/package-lock.json', '**/apps/server/{data,db}/**'],
    projects: [
      {
        test: {
          name: 'pure',
          environment: 'node',
          setupFiles: [meter],
          isolate: false,
          testTimeout: 20_000,
          include: [
            'packages/{number-resources,rpsl,rpki-objects,ballots,contract,api-client,client}/**/*.test.ts',
            'apps/registry-command/**/*.test.ts',
            'tools/**/*.test.ts',
          ],
        },
      },
      {
        test: {
          ...server,
          name: 'server',
          include: ['apps/server/**/*.test.ts', 'dev/**/*.test.ts'],
          exclude: [...defaultExclude, ...testsAlone, ...testsOfTurns],
          // The files of a worker share its modules, which keep nothing of one database for another: the server is read, compiled and
          // warmed up once, and not for every file (docs/decisions/0038-test-files-share-a-process.md).
          isolate: false,
        },
      },
      { test: { ...server, name: 'server-alone', include: [...testsAlone] } },
      { test: { ...server, name: 'turns', include: [...testsOfTurns], isolate: false } },
      {
        plugins: [react()],
        test: {
          name: 'web',
          environment: 'happy-dom',
          setupFiles: [meter, 'packages/app-kit/test/start-of-file.ts'],
          isolate: false,
          testTimeout: 20_000,
          include: ['packages/{ui,app-kit}/**/*.test.{ts,tsx}', 'apps/{portal,resource-manager,desk}/**/*.test.{ts,tsx}'],
        },
      },
    ],
  },
});
