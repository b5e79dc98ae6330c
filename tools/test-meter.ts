import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { afterAll, expect } from 'vitest';
import { root } from './root.ts';
import { type FileCost, relativeTo } from './test-costs.ts';

// Loaded at the start of every test file: records the cost of the file on request (tools/test.ts says where).

const processes = globalThis as typeof globalThis & { processorSecondsBefore?: number };

/** Processor seconds of the programs that this process started and that have ended; known on Linux only. */
function secondsOfPrograms(): number {
  if (!existsSync('/proc/self/stat')) return 0;
  const stat = readFileSync('/proc/self/stat', 'utf8');
  // After the name in brackets; times of children stand in ticks, a hundred a second (proc(5)).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

/** Processor seconds of this process so far, all its threads and the programs it started together. */
function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000 + secondsOfPrograms();
}

const costs = process.env.TEST_COSTS;
if (costs)
  afterAll(() => {
    const now = processorSeconds();
    const cost: FileCost = { file: relativeTo(root, expect.getState().testPath!), seconds: now - (processes.processorSecondsBefore ?? 0) };
    processes.processorSecondsBefore = now;
    appendFileSync(costs, `${JSON.stringify(cost)}\n`);
  });
