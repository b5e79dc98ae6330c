import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { runProgram } from '../steps.ts';
import { type Bench, type Figure, milliseconds } from './figures/bench.ts';
import { temporaryFolder } from './programs/program.ts';

/** The notes of `longestTurnOf` on a test. */
type Turn = { test: string; bound: number; longest: number };

/** The tests of what may hold up others, one file after the other, with their exact bounds. */
export const bench: Bench = {
  about:
    'the longest turn of the event loop while it does the largest pieces of work that members and strangers can ask for, in time of a processor that it has for itself; the best of 30 runs, until one keeps the budget',
  run: async () => {
    await using temporary = temporaryFolder();
    const figures = path.join(temporary.folder, 'turns.jsonl');
    const { passed, output } = await runProgram('vitest', ['run', '--project', 'turns', '--maxWorkers', '1', '--reporter', 'dot'], {
      environment: { TURN_FIGURES: figures },
    });
    const turns = (await readFile(figures, 'utf8'))
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as Turn);
    const found = turns.map(
      ({ test, bound, longest }): Figure => ({
        what: test,
        value: milliseconds(longest),
        budget: milliseconds(bound),
        held: longest < bound,
      }),
    );
    if (!passed && found.every(({ held }) => held)) throw new Error(`a test failed for another reason:\n${output.slice(-2_000)}`);
    return found;
  },
};
