import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { buildWeb, isWebBuilt } from './web/build-web.ts';
import { visitFindings } from './web/page-visits.ts';
import { overweight, pageWeightsIn } from './web/page-weight.ts';
import { root } from './root.ts';
import { checkSteps } from './check-steps.ts';
import { machine } from './machine.ts';
import { quickParent, ROOM_FOR_STORIES } from './memory-folder.ts';
import { closing, selected } from './selection.ts';
import { type Counts, runProgram, runSteps, type Step, sumOf } from './steps.ts';
import { mostExpensive, readCosts } from './test-costs.ts';
import { costsOfStories, countPlaywright, countVitest, unfinishedFiles } from './test-reports.ts';

const reports = await mkdtemp(path.join(os.tmpdir(), 'portal-reports-'));
/** Where each test file without a browser records its cost. */
const costs = path.join(reports, 'costs');
await writeFile(costs, '');

const countsOf = async (file: string, count: (report: unknown) => { counts: Counts; notes: string[]; failures: string[] }) => {
  try {
    return count(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return { counts: { passed: 0, failed: 1, skipped: 0 }, notes: ['The tests ended without a report.'], failures: [] };
  }
};

const unfinishedIn = async (file: string): Promise<string[]> => {
  try {
    return unfinishedFiles(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return [];
  }
};

/** The merge base of main and this branch: changes since then have not been tested on main. */
async function sinceMain(): Promise<string> {
  for (const main of ['origin/main', 'main']) {
    const { passed, output } = await runProgram('git', ['merge-base', 'HEAD', main]);
    if (passed) return output.trim();
  }
  return 'HEAD';
}

const asked = process.argv.slice(2);
/** `npm test -- changed`: all checks, and of the tests without a browser those that import what changed, committed or not. */
const since = asked.length === 1 && asked[0] === 'changed' ? await sinceMain() : null;

/** The steps of tests without a browser, with the projects of vitest.config.ts that each runs. */
const unit = { pure: ['pure'], server: ['server', 'server-alone'], web: ['web'], turns: ['turns'] };

/** Steps that run one after the other at the end, while nothing else does: bounds of turns, and the stories, which have the processors for themselves. */
const last = ['turns', 'e2e'];

/** Steps whose output is shown when they end, because they run beside the server tests. */
const besides = ['pure', 'web', 'build', 'demo'];

const vitest = ([name, projects]: [string, readonly string[]]): Step => ({
  name,
  run: async () => {
    const live = !isBeside(name);
    const report = path.join(reports, `${name}.json`);
    const args = ['run', ...projects.flatMap(project => ['--project', project]), ...(since === null ? [] : ['--changed', since])];
    // A second worker would share its core with the first.
    if (name === 'turns') args.push('--maxWorkers', '1');
    const reporters = ['--reporter', 'default', '--reporter', 'json', '--outputFile', report];
    const run = (files: readonly string[]) =>
      runProgram('vitest', [...args, ...files, ...reporters], { live, environment: { TEST_COSTS: costs } });
    const { passed, output } = await run([]);
    const counted = await countsOf(report, countVitest);
    // V8 of Node 24 ends a process now and then that drops compiled WebAssembly (the embedded database): what did not run there runs once more.
    const unfinished = passed || counted.counts.failed > 0 ? [] : await unfinishedIn(report);
    if (unfinished.length === 0) return { passed, output, ...counted };
    console.log(`\nA process of tests died. Its files run once more: ${unfinished.join(', ')}\n`);
    const again = await run(unfinished);
    const ofAgain = await countsOf(report, countVitest);
    return {
      passed: again.passed,
      output: again.output,
      counts: sumOf([counted, ofAgain].map(({ counts }) => ({ name, passed: true, output: '', counts }))),
      notes: [...counted.notes, ...ofAgain.notes],
      failures: ofAgain.failures,
    };
  },
});

/** Runs server tests that only run where they are asked for by the name of a step. */
const onRequest = (name: string, files: string, environment: Record<string, string>): Step => ({
  name,
  run: async () => {
    const report = path.join(reports, `${name}.json`);
    const args = ['run', '--project', 'server', files, '--reporter', 'default', '--reporter', 'json', '--outputFile', report];
    const { passed, output } = await runProgram('vitest', args, { live: true, environment: { ...environment, TEST_COSTS: costs } });
    return { passed, output, ...(await countsOf(report, countVitest)) };
  },
});
/**
 * `npm test -- pgbouncer`: the tests of the server's modules, with every database behind PgBouncer in transaction mode. `npm test -- upgrade`: the last
 * release and this one over one database, under load. `npm test -- public-face`: a crawler of 10,000 permalinks of /whois, and 300 questions by three ways, on a demo region.
 */
const requestable = [
  onRequest('pgbouncer', 'apps/server/src/modules', { TEST_POOLER: 'on' }),
  onRequest('upgrade', 'dev/independent/upgrade.test.ts', { UPGRADE: 'on' }),
  onRequest('public-face', 'dev/independent/public-face.test.ts', { PUBLIC_FACE: '10000' }),
];

const build: Step = {
  name: 'build',
  run: async () => {
    if (!(await isWebBuilt())) await buildWeb();
    const folder = path.join(root, 'dist/web');
    const found = [...overweight(await pageWeightsIn(folder)), ...(await visitFindings(folder))];
    return { passed: found.length === 0, output: found.join('\n') };
  },
};

/** Folder of the stories: the demo registry that their programs start on, and their own copies of it. */
const storiesFolder = await mkdtemp(path.join(quickParent(ROOM_FOR_STORIES), 'portal-stories-'));
const forStories = {
  E2E_FOLDER: storiesFolder,
  // That of the other tests (vitest.config.ts).
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? path.join(root, 'node_modules/.cache/node-compile'),
};
/** Makes that registry, which the stories otherwise do at their beginning, when all but one of them have to wait for it. */
const demo: Step = {
  name: 'demo',
  run: () => runProgram(process.execPath, ['--disable-warning=ExperimentalWarning', 'e2e/make-demo.ts'], { environment: forStories }),
};

const storiesReport = path.join(reports, 'e2e.json');
const e2e: Step = {
  name: 'e2e',
  run: async () => {
    const { passed } = await runProgram('playwright', ['test', '--reporter', 'list,json'], {
      live: true,
      environment: { ...forStories, PLAYWRIGHT_JSON_OUTPUT_FILE: storiesReport },
    });
    return { passed, output: '', ...(await countsOf(storiesReport, countPlaywright)) };
  },
};

const steps = [
  ...checkSteps,
  ...Object.entries(unit).map(vitest),
  build,
  demo,
  e2e,
  ...requestable.filter(({ name }) => asked.includes(name)),
];
const check = checkSteps.map(step => step.name);
const chosen = selected(steps, asked, { check, unit: Object.keys(unit), changed: [...check, ...Object.keys(unit)] });
const isCheck = (step: Step): boolean => checkSteps.includes(step);
/** Returns whether a step runs beside the tests of the server. */
function isBeside(name: string): boolean {
  return besides.includes(name) && chosen.some(step => step.name === 'server');
}

try {
  const found = await machine();
  // Checks share the processors. So do the tests of the server with what is short: they wait for their databases and programs now and then, and at their end
  // one process is left. The stories have the processors for themselves.
  const checked = await runSteps(chosen.filter(isCheck), 2);
  const tests = chosen.filter(step => !isCheck(step) && !last.includes(step.name));
  const [beside, alone] = [tests.filter(({ name }) => isBeside(name)), tests.filter(({ name }) => !isBeside(name))];
  const tested = await Promise.all([runSteps(alone), runSteps(beside)]);
  const results = [...checked, ...tested.flat(), ...(await runSteps(chosen.filter(step => last.includes(step.name))))];
  console.log('\nUsed on this machine:');
  for (const { name, found: what } of found) if (what !== null) console.log(`  ${name}: ${what}`);
  const missing = found.filter(({ found: what }) => what === null);
  if (missing.length > 0) console.log('Missing on this machine:');
  for (const { name, without } of missing) console.log(`  ${name}; skipped without it: ${without}`);
  const files = mostExpensive(readCosts(await readFile(costs, 'utf8')), 10);
  if (files.length > 0) console.log(['\nMost expensive test files, in seconds of processor:', ...files].join('\n'));
  const stories = existsSync(storiesReport) ? mostExpensive(costsOfStories(JSON.parse(await readFile(storiesReport, 'utf8'))), 10) : [];
  if (stories.length > 0) console.log(['\nLongest files of stories:', ...stories].join('\n'));
  if (since !== null) console.log('\nThe browser stories run the whole product, whatever changed: npm test -- build e2e');
  closing(results, sumOf(results));
} finally {
  for (const folder of [reports, storiesFolder]) await rm(folder, { recursive: true, force: true });
}
