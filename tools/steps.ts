import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { root } from './root.ts';

export type Counts = { passed: number; failed: number; skipped: number };
/**
 * Result of a step. `output` is shown if it failed; `notes` always; `failures`, the tests that failed, at the end of the run; without `counts` the step
 * itself counts as one.
 */
type Outcome = { passed: boolean; output: string; counts?: Counts; notes?: string[]; failures?: string[] };
export type Step = { name: string; run: () => Promise<Outcome> };
export type StepResult = Outcome & { name: string };

const windows = process.platform === 'win32';

/** Runs a program of node_modules/.bin (or of PATH) from the root, or from another folder, and returns its output. `live`: prints it immediately as well. */
export async function runProgram(
  program: string,
  args: readonly string[],
  { live = false, environment = {}, from = root }: { live?: boolean; environment?: Record<string, string>; from?: string } = {},
): Promise<Outcome> {
  const PATH = `${path.join(root, 'node_modules/.bin')}${path.delimiter}${process.env.PATH ?? ''}`;
  const child = spawn(program, args, {
    cwd: from,
    env: { ...process.env, PATH, ...environment },
    stdio: live ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    shell: windows,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    return { passed: code === 0, output };
  } catch (error) {
    return { passed: false, output: `${program} could not be started: ${(error as Error).message}` };
  }
}

/** A step that passes when it finds nothing. */
export const findingsStep = (name: string, find: () => Promise<string[]>): Step => ({
  name,
  run: async () => {
    const findings = await find();
    return { passed: findings.length === 0, output: findings.join('\n') };
  },
});

/** Runs steps, some concurrently, and prints a line for each as it ends; a step that throws has failed. */
export async function runSteps(steps: readonly Step[], atOnce = 1): Promise<StepResult[]> {
  const waiting = [...steps];
  const results: StepResult[] = [];
  const work = async (): Promise<void> => {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      const started = performance.now();
      const outcome = await step.run().catch((error: Error): Outcome => ({ passed: false, output: error.stack ?? error.message }));
      results.push({ name: step.name, ...outcome });
      if (!outcome.passed && outcome.output.trim() !== '') console.log(outcome.output.trim());
      for (const note of outcome.notes ?? []) console.log(note);
      console.log(`${outcome.passed ? 'PASS' : 'FAIL'}  ${step.name}  ${((performance.now() - started) / 1000).toFixed(1)} s`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return results;
}

/** Returns the sum over steps; a step without counts counts as one, and a failed one with none of its tests failing is one failure more. */
export function sumOf(results: readonly StepResult[]): Counts {
  const sum: Counts = { passed: 0, failed: 0, skipped: 0 };
  for (const { passed, counts } of results) {
    const own = counts ?? { passed: passed ? 1 : 0, failed: 0, skipped: 0 };
    sum.passed += own.passed;
    sum.failed += own.failed + (!passed && own.failed === 0 ? 1 : 0);
    sum.skipped += own.skipped;
  }
  return sum;
}
