import { parseArgs } from 'node:util';
import { runProgram } from './steps.ts';

/**
 * `npm run soak`: the registry of `npm run chaos` without faults, worked on for an hour. What its processes and tables take at the end is compared with what they took after a
 * quarter of the time, and what clients were told with what is stored, published and sent.
 */
const { values } = parseArgs({ options: { minutes: { type: 'string', default: '60' }, seed: { type: 'string', default: '1' } } });
for (const [name, value] of Object.entries(values))
  if (!/^[1-9]\d{0,4}$/.test(value)) {
    console.error(`--${name} is a whole number from 1 up, such as ${name === 'seed' ? 7 : 60}.`);
    process.exit(2);
  }
const { passed } = await runProgram(
  'vitest',
  ['run', '--project', 'server', 'apps/server/test/chaos/soak.test.ts', '--disable-console-intercept'],
  { live: true, environment: { SOAK_MINUTES: values.minutes, CHAOS_SEED: values.seed } },
);
if (!passed) process.exitCode = 1;
