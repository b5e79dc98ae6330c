import path from 'node:path';
import { expect, test } from 'vitest';
import { root } from './root.ts';
import { mostExpensive, readCosts } from './test-costs.ts';
import { costsOfStories, countPlaywright, countVitest, unfinishedFiles } from './test-reports.ts';

test('vitest: passed, failed and skipped are distinguished, and skipped ones are named', () => {
  const report = {
    testResults: [
      {
        name: path.join(root, 'dev/people.test.ts'),
        status: 'failed',
        assertionResults: [
          { fullName: 'corin has a second factor', status: 'passed' },
          { fullName: 'bill has none', status: 'failed', failureMessages: ['\u001b[31mexpected 1\nto be 0'] },
          { fullName: 'on PostgreSQL', status: 'skipped' },
        ],
      },
    ],
  };
  expect(countVitest(report)).toEqual({
    counts: { passed: 1, failed: 1, skipped: 1 },
    notes: ['SKIPPED  dev/people.test.ts: on PostgreSQL'],
    failures: ['dev/people.test.ts: bill has none\n    expected 1\n    to be 0'],
  });
});

test('vitest: a file whose process died is one with tests that never ran, and skipped tests are not', () => {
  const file = (name: string, status: string) => ({
    name: path.join(root, name),
    status: 'passed',
    assertionResults: [
      { fullName: 'a', status: 'passed' },
      { fullName: 'b', status },
    ],
  });
  expect(
    unfinishedFiles({ testResults: [file('a.test.ts', 'skipped'), file('b.test.ts', 'pending'), file('c.test.ts', 'passed')] }),
  ).toEqual(['b.test.ts']);
});

test('vitest: a file that cannot be loaded is a failure', () => {
  const report = {
    testResults: [{ name: path.join(root, 'x.test.ts'), status: 'failed', message: 'no such module', assertionResults: [] }],
  };
  expect(countVitest(report)).toEqual({
    counts: { passed: 0, failed: 1, skipped: 0 },
    notes: [],
    failures: ['x.test.ts\n    no such module'],
  });
});

test('Playwright: suites inside suites are counted, a test that passed only when repeated is named', () => {
  const spec = (title: string, status: string, annotations: { type: string; description?: string }[] = []) => ({
    title,
    tests: [{ status, annotations }],
  });
  const report = {
    errors: [{}],
    suites: [
      {
        title: 'home.e2e.ts',
        specs: [spec('opens', 'expected')],
        suites: [
          {
            title: 'as corin',
            specs: [
              spec('acts', 'flaky'),
              spec('pays', 'unexpected'),
              spec('votes', 'skipped', [{ type: 'skip', description: 'no election' }]),
            ],
          },
        ],
      },
    ],
  };
  expect(countPlaywright(report)).toEqual({
    counts: { passed: 2, failed: 2, skipped: 1 },
    notes: ['FLAKY  as corin: acts', 'SKIPPED  as corin: votes (no election)'],
    failures: ['stories', 'as corin: pays'],
  });
});

test('the time of stories is summed by file, including repeated ones and those in suites', () => {
  const spec = (...durations: number[]) => ({ tests: [{ results: durations.map(duration => ({ duration })) }] });
  const suites = [
    { file: 'home.e2e.ts', specs: [spec(1500)], suites: [{ file: 'home.e2e.ts', specs: [spec(2000, 500)] }] },
    { file: 'voting.e2e.ts', specs: [spec(10_000)] },
  ];
  expect(mostExpensive(costsOfStories({ suites }), 10)).toEqual(['   10.0 s  e2e/voting.e2e.ts', '    4.0 s  e2e/home.e2e.ts']);
});

test('the most expensive files are listed', () => {
  const written = '{"file":"a.test.ts","seconds":1.25}\n{"file":"b.test.ts","seconds":31.06}\n{"file":"c.test.ts","seconds":0.1}\n';
  expect(mostExpensive(readCosts(written), 2)).toEqual(['   31.1 s  b.test.ts', '    1.3 s  a.test.ts']);
});
