import { type BallotOpening, opens, readBallot } from './ballot.ts';
import type { Election } from './election.ts';

/** A ballot that its voter opened instead of casting it. */
export type OpenedBallot = { text: string; opening: BallotOpening };

/**
 * The file of an opened ballot, from which anyone encrypts its numbers again: the texts of the election and of the ballot, and for each question the numbers with the randomness
 * of each. Not of the specification, which has no such file; `verifier/check-ballot.html` reads it without this package.
 */
export const printOpenedBallot = ({ text: election }: Election, { text, opening: { choices, randomness } }: OpenedBallot): string =>
  JSON.stringify({ election, ballot: text, choices, randomness: randomness.map(exponents => exponents.map(String)) });

/** Encrypts the numbers of an opened ballot again. @returns whether the ballot contains these numbers @throws {Refusal} for a ballot of another election or form */
export const openedHolds = (election: Election, { text, opening }: OpenedBallot): boolean =>
  opens(election, readBallot(election, text), opening);
