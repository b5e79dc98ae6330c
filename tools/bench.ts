import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Bench, describeMachine, print } from './bench/figures/bench.ts';

const folder = path.join(import.meta.dirname, 'bench');
/** Benchmarks in the order in which they run; what they use is in sub-folders. */
const benches = [
  'import',
  'read',
  'telemetry',
  'resources',
  'search',
  'contacts',
  'calls',
  'jobs',
  'size',
  'visit',
  'frame',
  'map',
  'start',
  'sign-in',
  'sign-out',
  'provider',
  'whois',
  'rdap',
  'rpki',
  'self-hosted',
  'strangers',
  'turns',
  'public',
  'fairness',
  'dns',
  'ballots',
  'encrypted-ballots',
  'api',
].filter(name => existsSync(path.join(folder, `${name}.ts`)));
const wanted = process.argv.slice(2);
const unknown = wanted.filter(name => !benches.includes(name));
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}; there are ${benches.join(', ')}.`);
  process.exit(2);
}

for (const line of await describeMachine()) console.log(line);
let broken = false;
for (const name of wanted.length > 0 ? wanted : benches) {
  const { bench } = (await import(path.join(folder, `${name}.ts`))) as { bench: Bench };
  try {
    const figures = await bench.run();
    print(name, bench, figures);
    broken ||= figures.some(({ held }) => held === false);
  } catch (error) {
    broken = true;
    console.error(`\n${name} failed: ${(error as Error).message}`);
  }
}
if (broken) process.exitCode = 1;
