import type { CallAnswer } from '@portal/app-kit';
import type { ballotCasting } from '@portal/contract/encrypted-ballots/casting';
import type { OpenBallot, SealedBallot } from './ballot-tasks.ts';

export type BallotForm = CallAnswer<typeof ballotCasting.getBallotForm>;
/** A ballot in the archive. */
export type CastBallot = CallAnswer<typeof ballotCasting.castBallot>;

/** How far a voter is. `chosen`: places of answers on the ballot, from 0. */
export type Stage =
  | { at: 'choose' }
  | { at: 'review' }
  | { at: 'encrypting'; done: number; all: number }
  | { at: 'encrypted'; sealed: SealedBallot }
  | { at: 'opened'; opened: OpenBallot };

/** The question of a ballot, as its archive has it. */
export type BallotQuestion = { answers: readonly string[]; most: number };

/** Reads the question of an election; the worker checks the whole text before anything is encrypted. */
export function questionOf(parameters: string): BallotQuestion {
  const { questions } = JSON.parse(parameters) as { questions: readonly { answers: readonly string[]; max: number }[] };
  const [question] = questions;
  return { answers: question!.answers, most: question!.max };
}

/** A tracker as it is typed, in Base64: hexadecimal as `belenios-tool` lists it is put into that form. Null for anything else. */
export function readTracker(typed: string): string | null {
  const text = typed.replaceAll(/\s/g, '');
  if (/^[0-9a-f]{64}$/i.test(text)) {
    const bytes = text.match(/../g)!.map(pair => String.fromCharCode(Number.parseInt(pair, 16)));
    return btoa(bytes.join('')).replaceAll('=', '');
  }
  const base64 = text.replace(/=$/, '');
  return /^[A-Za-z0-9+/]{43}$/.test(base64) ? base64 : null;
}

/** The tracker in hexadecimal. */
export const hexOf = (tracker: string): string =>
  Array.from(atob(tracker), character => character.charCodeAt(0).toString(16).padStart(2, '0')).join('');

/** The receipt of a cast ballot as a text file. It doesn’t say what was chosen. */
export const receiptText = (
  { title, electionId }: { title: string; electionId: string },
  account: string,
  { tracker, trackerHex, votes }: CastBallot,
  appUrl: string,
): string => `Receipt of a ballot

Election     ${title}
Account      ${account}
Votes        ${votes}
Tracker      ${tracker}
Hexadecimal  ${trackerHex}

The tracker shows that the ballot is in the archive, not what is in it.
Public page  ${appUrl}/elections/${electionId}
`;
