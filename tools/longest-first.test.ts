import { expect, test } from 'vitest';
import type { TestSpecification } from 'vitest/node';
import { LongestFirst } from './longest-first.ts';

/** A test file of a project, of which Vitest knows neither size nor duration. */
const fileOf = (project: string, file: string) =>
  ({
    moduleId: `/sources/${file}`,
    project: { name: project, config: { isolate: false, sequence: { groupOrder: 0 } } },
  }) as unknown as TestSpecification;

test('files that start programs or ask every endpoint come first in their project, the others as they were', async () => {
  const context = { config: { root: '/sources' }, cache: { getTestSpecificationResult: () => undefined } };
  const sequencer = new LongestFirst(context as unknown as ConstructorParameters<typeof LongestFirst>[0]);
  const sorted = await sequencer.sort([
    fileOf('server', 'apps/server/src/modules/rdap/rdap.test.ts'),
    fileOf('server', 'dev/independent/reverse-dns.test.ts'),
    fileOf('pure', 'packages/rpsl/src/classes.test.ts'),
    fileOf('server', 'apps/server/src/modules/whois/whois.test.ts'),
    fileOf('server', 'apps/server/test/processes/process.test.ts'),
    fileOf('pure', 'tools/stubs/stubs.test.ts'),
  ]);
  expect(sorted.map(({ moduleId }) => moduleId.slice('/sources/'.length))).toEqual([
    'tools/stubs/stubs.test.ts',
    'packages/rpsl/src/classes.test.ts',
    'dev/independent/reverse-dns.test.ts',
    'apps/server/test/processes/process.test.ts',
    'apps/server/src/modules/rdap/rdap.test.ts',
    'apps/server/src/modules/whois/whois.test.ts',
  ]);
});
