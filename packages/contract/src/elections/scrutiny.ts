import * as z from 'zod/mini';
import { endpoint, group, staff } from '../endpoint.ts';

/** Facts that scrutineers check of an election: counts and the log, never a choice. */
export const Scrutiny = z.object({
  /** When the votes of accounts were frozen, how many accounts there are, and their votes; null before that. */
  roll: z.nullable(z.object({ frozenAt: z.iso.datetime(), accounts: z.int(), votes: z.int() })),
  /** When the list of attendees who vote was frozen, and their number; null before that. */
  attendees: z.nullable(z.object({ frozenAt: z.iso.datetime(), people: z.int() })),
  /** The database role of the portal can’t read the ballot box. */
  boxApart: z.boolean(),
  /** The rounds of the vote, the newest first. Votes of earlier ones don’t count. */
  rounds: z.array(
    z.object({
      generation: z.int(),
      /** Accounts that voted themselves and by a proxy, people who voted as attendees, and their votes together. */
      members: z.int(),
      proxies: z.int(),
      attendees: z.int(),
      votes: z.int(),
      /** Ballots in the registry’s own store: has to equal the accounts and attendees that voted; null with another voting system. */
      ballots: z.nullable(z.int()),
      firstAt: z.nullable(z.iso.datetime()),
      lastAt: z.nullable(z.iso.datetime()),
    }),
  ),
  /** Ballots that are open now: issued, and not cast. */
  openBallots: z.int(),
  proxies: z.object({ active: z.int(), used: z.int(), revoked: z.int(), voided: z.int() }),
  /** Accounts and attendees that had voted by the end of each of 48 equal parts of the voting period so far, in the current round. */
  turnout: z.array(z.int()),
  /** When ballots were rewritten in the order of their receipts. */
  sortedAt: z.nullable(z.iso.datetime()),
  /** Acts on the election, oldest first: when, by who, what. */
  log: z.array(z.object({ at: z.iso.datetime(), by: z.nullable(z.string()), what: z.string() })),
});
export type Scrutiny = z.infer<typeof Scrutiny>;

/** For scrutineers of an election. */
export const scrutiny = group('elections.scrutiny', {
  getScrutiny: endpoint({
    method: 'GET',
    path: '/api/staff/elections/:electionId/scrutiny',
    summary: 'Counts of an election by round, its turnout over time and its history of changes. It holds no choice.',
    access: staff(['returning-officer', 'election-observer']),
    answer: Scrutiny,
    errors: ['NOT_FOUND'],
  }),
});
