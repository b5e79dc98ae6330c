import { serveTasks } from '../../platform/bounded-thread-tasks.ts';
import { checkBallot, opensslPowers as powers, printTally, Refusal, verifyArchive } from './protocol.ts';

/**
 * An archive that is read from its beginning to its end; the parent is asked for its bytes from a place on, and answers null at the end. `proofs`: those of ballots
 * are verified again, which were verified as they were cast. `more`: bytes that are not in it yet.
 */
export type ArchiveTask = { proofs: boolean; more: Uint8Array | null };

/** Content of an archive in which everything holds, or the reason why something does not. */
export type ReadArchive =
  | { refused: string }
  | { hash: string; height: number; ballots: { tracker: string; weight: number }[]; tally: [string, string] | null };

serveTasks<ArchiveTask>(async ({ proofs, more }, need): Promise<ReadArchive> => {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (let from = 0; ; ) {
      const portion = await need<Uint8Array | null>(from);
      if (portion === null) break;
      yield portion;
      from += portion.length;
    }
    if (more !== null) yield more;
  }
  try {
    const read = await verifyArchive(chunks(), {
      powers,
      checkOne: async (election, ballot) => {
        if (proofs) await checkBallot(election, ballot, { powers });
      },
    });
    return {
      ...read.tip,
      ballots: read.ballots.map(({ tracker, weight }) => ({ tracker, weight })),
      tally: read.tally === null ? null : await printTally(read.tally),
    };
  } catch (error) {
    if (error instanceof Refusal) return { refused: error.message };
    throw error;
  }
});
