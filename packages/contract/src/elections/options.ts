import * as z from 'zod/mini';
import { endpoint, group, staff, largeBody } from '../endpoint.ts';
import { electionPermissions } from '../staff-permissions.ts';
import { oneLine } from '../one-line.ts';
import { severalLines } from '../several-lines.ts';
import { rowVersion } from '../whole-numbers.ts';

/** A candidate, or an answer to the question of an election. */
export const ElectionOption = z.object({ name: oneLine(200, 1, 'Enter a name'), statement: severalLines(3000) });
export type ElectionOption = z.infer<typeof ElectionOption>;

const Options = z.object({ rows: z.array(ElectionOption) });

/** Choices on the ballots that the registry holds itself, and repeating a vote. */
export const electionOptions = group('elections.options', {
  listOptions: endpoint({
    method: 'GET',
    path: '/api/staff/elections/:electionId/options',
    summary: 'Candidates or answers of an election, in the order of the ballot.',
    access: staff(electionPermissions),
    answer: Options,
    errors: ['NOT_FOUND'],
  }),
  saveOptions: endpoint({
    method: 'POST',
    path: '/api/staff/elections/:electionId/options',
    summary: 'Replace the candidates or answers of an election, until its voting opens.',
    access: staff('election-officer'),
    effect: 'votes',
    largestBody: largeBody,
    body: z.object({ rows: z.array(ElectionOption).check(z.maxLength(100, { error: 'Enter at most 100' })) }),
    answer: Options,
    errors: ['NOT_FOUND', 'ELECTION_BEGUN', 'ELECTION_OVER'],
    activity: 'Changed what an election is about',
    alone: 'everyone sees the ballot before voting opens, and it stays from then on',
  }),
  resetElection: endpoint({
    method: 'POST',
    path: '/api/staff/elections/:electionId/reset',
    summary: 'Have a vote repeated while it is open: votes that were cast are void, and everyone who voted is notified.',
    access: staff('returning-officer'),
    effect: 'votes',
    body: z.object({ version: rowVersion, reason: severalLines(500, 3) }),
    answer: z.object({ generation: z.int(), voided: z.int() }),
    errors: ['NOT_FOUND', 'STALE', 'ELECTION_OVER', 'ELECTION_BEGUN'],
    activity: 'Had a vote repeated',
    secondPerson: 'always',
    secondRole: 'election-observer',
  }),
});
