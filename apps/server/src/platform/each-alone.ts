import { type Change, type JsonValue, outageOf } from './database/index.ts';
import { Failure } from './failure.ts';

/** Failures named in one message; the log has all. */
const NAMED = 5;

/** A row by its name for operators, and why it failed. */
export type RowFailure = { row: string; error: unknown };

/** Rows of one run that failed while the others were done. */
export class RowsFailed extends Error {
  readonly failures: readonly RowFailure[];

  /** Result of the run without them; null for none. */
  readonly noted: JsonValue | null;

  constructor(failures: readonly RowFailure[], noted: JsonValue | null = null) {
    const named = failures.slice(0, NAMED).map(({ row, error }) => `${row}: ${error instanceof Error ? error.message : String(error)}`);
    const more = failures.length > NAMED ? `; and ${failures.length - NAMED} more` : '';
    super(`failed, while the others were done: ${named.join('; ')}${more}`, { cause: failures[0]?.error });
    this.name = 'RowsFailed';
    this.failures = failures;
    this.noted = noted;
  }
}

/**
 * Does each row of a periodic work alone, in their order: one that fails doesn't stop those after it. While the database is unreachable, read-only or full, no row can be
 * done, and the run ends there.
 * @param nameOf names a row for operators, such as `request 12 of AN-KIRI`; it is logged, so it has nothing in it that is secret or personal
 * @throws {RowsFailed} after the last row, naming those that failed: the run has failed, and is done again (decision 277)
 */
export async function eachAlone<Row>(
  rows: Iterable<Row>,
  nameOf: (row: Row) => string,
  act: (row: Row) => Promise<unknown>,
): Promise<void> {
  const failures: RowFailure[] = [];
  for (const row of rows) {
    try {
      await act(row);
    } catch (error) {
      if (isOutage(error)) throw error;
      // Rows within a row are named by themselves.
      if (error instanceof RowsFailed) failures.push(...error.failures);
      else failures.push({ row: nameOf(row), error });
    }
  }
  if (failures.length > 0) throw new RowsFailed(failures);
}

/** Takes the steps of a periodic work in their order: one that fails doesn't stop those after it. @throws {RowsFailed} after the last step, as `eachAlone` */
export const stepsAlone = (steps: Readonly<Record<string, () => Promise<unknown>>>): Promise<void> =>
  eachAlone(
    Object.entries(steps),
    ([name]) => name,
    ([, step]) => step(),
  );

/**
 * Does each row within one change, such as a message to each of many people: one that fails leaves nothing behind, is tried once more, and is passed over then, so that the
 * change goes on and isn't begun again for its sake. Says nothing of a failure: the caller notes it and throws it after the change (`RowsFailed`).
 * @param act gets whether it is tried again, to do less
 * @param passOver makes sure that a row isn't found again at the next look
 * @returns what was passed over
 */
export async function eachAttempted<Row>(
  change: Pick<Change, 'attempt'>,
  rows: Iterable<Row>,
  nameOf: (row: Row) => string,
  act: (row: Row, isAgain: boolean) => Promise<unknown>,
  passOver: (row: Row) => Promise<unknown> = async () => {},
): Promise<RowFailure[]> {
  const failures: RowFailure[] = [];
  for (const row of rows) {
    const outcome = await attempt(change, () => act(row, false));
    const again = outcome === null ? null : await attempt(change, () => act(row, true));
    if (again === null) continue;
    failures.push({ row: nameOf(row), error: again.error });
    await passOver(row);
  }
  return failures;
}

/** Returns why an attempt failed; null if it didn't. */
async function attempt(change: Pick<Change, 'attempt'>, act: () => Promise<unknown>): Promise<{ error: unknown } | null> {
  try {
    await change.attempt(act);
    return null;
  } catch (error) {
    if (isOutage(error)) throw error;
    return { error };
  }
}

/** Returns whether an error says that no row can be done now: of the database, or of the store of files. One that is locked for long, or takes too long, is busy alone. */
export function isOutage(error: unknown): boolean {
  if (error instanceof Failure && error.code === 'FILES_UNAVAILABLE') return true;
  const outage = outageOf(error);
  return outage !== null && outage !== 'busy';
}

/** Does what ends with a result of the run, which counts although some rows failed. @throws {RowsFailed} with the result; whatever else `work` throws */
export async function notedThough<Noted extends JsonValue>(noted: () => Noted, work: () => Promise<unknown>): Promise<Noted> {
  try {
    await work();
  } catch (error) {
    throw error instanceof RowsFailed ? new RowsFailed(error.failures, noted()) : error;
  }
  return noted();
}
