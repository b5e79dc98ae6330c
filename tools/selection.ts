import type { Counts, Step, StepResult } from './steps.ts';

/** The steps of these names, in the order of the list; all without names. Ends the program when a name is unknown. */
export function selected<S extends Step>(
  steps: readonly S[],
  names: readonly string[],
  groups: Readonly<Record<string, readonly string[]>> = {},
): S[] {
  const wanted = new Set(names.flatMap(name => groups[name] ?? [name]));
  const unknown = [...wanted].filter(name => !steps.some(step => step.name === name));
  if (unknown.length > 0) {
    console.error(
      `There is no step ${unknown.join(', ')}; there are ${[...steps.map(step => step.name), ...Object.keys(groups)].join(', ')}.`,
    );
    process.exit(2);
  }
  return steps.filter(step => wanted.size === 0 || wanted.has(step.name));
}

/** The last lines of a run: which tests and steps failed (where only a log's end is kept, they are what it is read for), then the one line a script reads; sets the exit code. */
export function closing(results: readonly StepResult[], { passed, failed, skipped }: Counts): void {
  const broken = results.filter(result => !result.passed).map(result => result.name);
  const failures = results.flatMap(result => result.failures ?? []);
  if (failures.length > 0) console.log(`\nTests that failed:\n${failures.map(failure => `  ${failure}`).join('\n')}`);
  if (broken.length > 0) console.log(`\nFailed: ${broken.join(', ')}`);
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  if (failed > 0) process.exitCode = 1;
}
