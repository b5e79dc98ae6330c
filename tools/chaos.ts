import { parseArgs } from 'node:util';
import { runProgram } from './steps.ts';

/**
 * `npm run chaos`: a registry of six processes under clients of many kinds, harmed again and again: processes killed, stopped and halted, PostgreSQL ended,
 * disks filled, connections cut, tables locked, mail servers and receivers of events gone. What clients were told is compared with what is stored and published after every few faults.
 */
const { values } = parseArgs({ options: { seed: { type: 'string' }, faults: { type: 'string' } } });
for (const [name, value] of Object.entries(values))
  if (!/^[1-9]\d{0,8}$/.test(value)) {
    console.error(`--${name} is a whole number from 1 up, such as ${name === 'seed' ? 7 : 100}.`);
    process.exit(2);
  }
const seed = values.seed ?? String(1 + Math.floor(Math.random() * 1_000_000));
console.log(
  `npm run chaos -- --seed ${seed}${values.faults ? ` --faults ${values.faults}` : ''} draws the same faults again; moments differ.`,
);
const { passed } = await runProgram(
  'vitest',
  ['run', '--project', 'server', 'apps/server/test/chaos/chaos.test.ts', '--disable-console-intercept'],
  {
    live: true,
    environment: { CHAOS_SEED: seed, CHAOS_FAULTS: values.faults ?? '100' },
  },
);
if (!passed) process.exitCode = 1;
