import type { Change } from './database/index.ts';

/** Takes back the steps of a rehearsal. */
class Rehearsal extends Error {}

/**
 * Runs steps of a change and keeps what they wrote if they answer true; otherwise it is taken back and the change goes on: for dry runs, and for lists that are
 * stored whole or not at all. Returns whether it was kept.
 */
export async function keptIf(change: Pick<Change, 'attempt'>, steps: () => Promise<boolean>): Promise<boolean> {
  try {
    await change.attempt(async () => {
      if (!(await steps())) throw new Rehearsal();
    });
    return true;
  } catch (error) {
    if (error instanceof Rehearsal) return false;
    throw error;
  }
}
