import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './root.ts';
import { testsAlone } from './tests-alone.ts';

/**
 * Server tests that measure turns of the event loop (`apps/server/test/thread-costs.ts`). They run one after the other while nothing else does, because the other half of a
 * core doubles what everything takes (docs/decisions/0331-turns-are-measured-while-nothing-else-runs.md).
 */
export const testsOfTurns: readonly string[] = globSync('{apps/server,dev}/**/*.test.ts', {
  cwd: root,
  exclude: name => name === 'node_modules',
})
  .filter(file => !testsAlone.includes(file) && readFileSync(path.join(root, file), 'utf8').includes('/thread-costs.ts'))
  .toSorted();
