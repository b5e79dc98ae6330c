import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { SECOND_MS } from '@portal/contract/days';
import { root } from './root.ts';
import type { Counts } from './steps.ts';
import type { FileCost } from './test-costs.ts';

/** `failures`: each test that failed, with the beginning of what it said, for the last lines of a run. */
type Counted = { counts: Counts; notes: string[]; failures: string[] };
type VitestReport = {
  testResults: {
    name: string;
    status: string;
    message?: string;
    assertionResults: { fullName: string; status: string; failureMessages?: string[] }[];
  }[];
};
type PlaywrightSuite = {
  title: string;
  file: string;
  specs?: {
    title: string;
    tests: {
      status: 'expected' | 'unexpected' | 'flaky' | 'skipped';
      annotations: { type: string; description?: string }[];
      results: { duration: number; error?: { message?: string } }[];
    }[];
  }[];
  suites?: PlaywrightSuite[];
};
type PlaywrightReport = { suites: PlaywrightSuite[]; errors: unknown[] };

/** Characters of a failure's message that the last lines of a run repeat. */
const MAX_FAILURE = 600;
const failureOf = (test: string, message = ''): string =>
  // Terminals' colours only take room where a log is read as text.
  `${test}\n    ${stripVTControlCharacters(message).trim().slice(0, MAX_FAILURE).replaceAll('\n', '\n    ')}`.trimEnd();

const skippedNotes = (names: readonly string[]): string[] => names.map(name => `SKIPPED  ${name}`);

/** Counts of a vitest JSON report. A file that could not be loaded is one failure. */
export function countVitest(report: unknown): Counted {
  const counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  const skipped: string[] = [];
  const failures: string[] = [];
  for (const { name, status, message, assertionResults } of (report as VitestReport).testResults) {
    const file = path.relative(root, name);
    for (const test of assertionResults) {
      if (test.status === 'passed') counts.passed++;
      else if (test.status === 'failed') {
        counts.failed++;
        failures.push(failureOf(`${file}: ${test.fullName}`, test.failureMessages?.[0]));
      } else {
        counts.skipped++;
        skipped.push(`${file}: ${test.fullName}`);
      }
    }
    if (status === 'failed' && !assertionResults.some(test => test.status === 'failed')) {
      counts.failed++;
      failures.push(failureOf(file, message));
    }
  }
  return { counts, notes: skippedNotes(skipped), failures };
}

/** Returns the files of a vitest JSON report whose process died before all their tests had run. */
export const unfinishedFiles = (report: unknown): string[] =>
  (report as VitestReport).testResults
    .filter(({ assertionResults }) => assertionResults.some(({ status }) => status === 'pending'))
    .map(({ name }) => path.relative(root, name));

/**
 * Counts of a Playwright JSON report. A test that passed when it was repeated has passed, and is named; a file that could not be loaded is one
 * failure.
 */
export function countPlaywright(report: unknown): Counted {
  const { suites, errors } = report as PlaywrightReport;
  const counts: Counts = { passed: 0, failed: errors.length, skipped: 0 };
  const skipped: string[] = [];
  const repeated: string[] = [];
  const failures = (errors as { message?: string }[]).map(({ message }) => failureOf('stories', message));
  const walk = ({ title, specs = [], suites: inner = [] }: PlaywrightSuite): void => {
    for (const spec of specs) {
      for (const test of spec.tests) {
        if (test.status === 'expected' || test.status === 'flaky') counts.passed++;
        if (test.status === 'flaky') repeated.push(`FLAKY  ${title}: ${spec.title}`);
        else if (test.status === 'unexpected') {
          counts.failed++;
          failures.push(failureOf(`${title}: ${spec.title}`, test.results?.at(-1)?.error?.message));
        } else if (test.status === 'skipped') {
          counts.skipped++;
          const reason = test.annotations.find(({ type }) => type === 'skip')?.description;
          skipped.push(`${title}: ${spec.title}${reason ? ` (${reason})` : ''}`);
        }
      }
    }
    inner.forEach(walk);
  };
  suites.forEach(walk);
  return { counts, notes: [...repeated, ...skippedNotes(skipped)], failures };
}

/** How long the stories of each file took, of a Playwright JSON report: what their browser, program and database did at the same time is in it. */
export function costsOfStories(report: unknown): FileCost[] {
  const costs: FileCost[] = [];
  const walk = ({ file, specs = [], suites = [] }: PlaywrightSuite): void => {
    for (const { duration } of specs.flatMap(({ tests }) => tests).flatMap(({ results }) => results))
      costs.push({ file: `e2e/${file}`, seconds: duration / SECOND_MS });
    suites.forEach(walk);
  };
  (report as PlaywrightReport).suites.forEach(walk);
  return costs;
}
