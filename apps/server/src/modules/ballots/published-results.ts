import { MINUTE_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import { breathing } from '../../platform/breathing.ts';
import type { Read } from '../../platform/database/index.ts';
import { ballotLine, ballotsHeader, ballotsOf, type PublishedBallot, tallyOf } from './tally.ts';

/** Results that are kept: those of the elections that people look at. */
const MAX_KEPT = 8;
/** How long, in ms, a result is kept while its ballots are in the box, where one that was cast just before the close may still arrive. */
const UNSORTED_MS = MINUTE_MS / 4;

/** All ballots of a finished round, counted. */
export type PublishedResult = {
  count: number;
  /** The votes of each option, by index. */
  sums: readonly number[];
  ballot: (receipt: string) => PublishedBallot | undefined;
  /** As CSV. */
  file: Buffer;
};

type Round = { electionId: string; generation: number; options: number };

/** Counts the ballots of a finished round, while others have their turn. */
export async function countBallots(ballots: readonly PublishedBallot[], options: number): Promise<PublishedResult> {
  const breathe = breathing();
  const byReceipt = new Map<string, PublishedBallot>();
  const sums = tallyOf([], options);
  const parts = [Buffer.from(ballotsHeader)];
  for (let at = 0; at < ballots.length; at += PORTION) {
    const some = ballots.slice(at, at + PORTION);
    for (const [place, votes] of tallyOf(some, options).entries()) sums[place] = sums[place]! + votes;
    for (const ballot of some) byReceipt.set(ballot.receipt, ballot);
    parts.push(Buffer.from(some.map(ballotLine).join('')));
    await breathe();
  }
  return { count: ballots.length, sums, ballot: receipt => byReceipt.get(receipt), file: Buffer.concat(parts) };
}

/** Ballots counted before others may have their turn: less than a millisecond's. */
const PORTION = 500;

/**
 * Returns a function that reads and counts the ballots of a finished round once for everyone who asks: published ballots don't change. Anyone may ask for a result, as often as
 * they like.
 */
export function publishedResults({ read, clock }: { read: Read; clock: () => Date }): (round: Round) => Promise<PublishedResult> {
  const kept = new Map<string, { sortedAt: string | null; madeAt: number; result: Promise<PublishedResult> }>();
  return async ({ electionId, generation, options }) => {
    const key = `${electionId} ${generation} ${options}`;
    const [election] = await read.rows<{ sortedAt: string | null }>(
      sql`select ballots_sorted_at as sorted_at from election where election_id = ${Number(electionId)}`,
    );
    const sortedAt = election?.sortedAt ?? null;
    const now = clock().getTime();
    const known = kept.get(key);
    if (known?.sortedAt === sortedAt && (sortedAt !== null || Math.abs(now - known.madeAt) < UNSORTED_MS)) return known.result;
    const result = ballotsOf(read, electionId, generation).then(ballots => countBallots(ballots, options));
    kept.delete(key);
    kept.set(key, { sortedAt, madeAt: now, result });
    for (const oldest of kept.keys()) {
      if (kept.size <= MAX_KEPT) break;
      kept.delete(oldest);
    }
    result.catch(() => kept.delete(key));
    return result;
  };
}
