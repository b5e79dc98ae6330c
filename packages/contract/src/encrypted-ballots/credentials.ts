import * as z from 'zod/mini';
import { endpoint, group, largeBody, signedIn } from '../endpoint.ts';
import { BallotProgress } from './duties.ts';
import { longText } from '../long-text.ts';

/** The credential authority of an election: someone who is not of the registry, and makes the keys with which voters sign. */
export const ballotCredentials = group('encryptedBallots.credentials', {
  getAuthority: endpoint({
    method: 'GET',
    path: '/api/elections/:electionId/authority',
    summary: 'For the credential authority: whether the roll is fixed, and what was sent. It names no account.',
    access: signedIn,
    answer: z.object({
      uuid: z.string(),
      title: z.string(),
      /** Accounts on the roll by their votes; null before it is fixed. */
      roll: z.nullable(z.array(z.object({ votes: z.int(), accounts: z.int() }))),
      /** The list of public credentials that the registry has; null before it was sent. */
      sent: z.nullable(z.object({ accounts: z.int(), fingerprint: z.string() })),
      setUpAt: z.nullable(z.iso.datetime()),
      isPublished: z.boolean(),
      /** Accounts whose proxy votes for them, and until when proxies can be appointed or revoked; null in an election without proxies. */
      proxies: z.nullable(z.object({ accounts: z.int(), closesAt: z.iso.datetime(), isClosed: z.boolean() })),
      progress: BallotProgress,
    }),
    errors: ['NOT_FOUND'],
  }),
  takeRoll: endpoint({
    method: 'POST',
    path: '/api/elections/:electionId/roll',
    summary:
      'For the credential authority: accounts on the roll with their votes, and the addresses of those who may vote for each. The credentials are sent there.',
    access: signedIn,
    effect: 'votes',
    answer: z.object({
      uuid: z.string(),
      title: z.string(),
      rows: z.array(
        z.object({
          accountName: z.string(),
          votes: z.int(),
          /** Those who vote for the account: its proxy where one is appointed, otherwise its contacts who may. */
          emails: z.array(z.string()),
          proxyId: z.nullable(z.string()),
        }),
      ),
    }),
    errors: ['NOT_FOUND', 'BALLOT_NOT_READY'],
    activity: 'Took the roll of an election',
  }),
  sendCredentials: endpoint({
    method: 'PUT',
    path: '/api/elections/:electionId/credentials',
    summary:
      'For the credential authority: the public credentials with their votes, and the rights, in any order. Private credentials stay with the authority. It replaces what was sent before.',
    access: signedIn,
    effect: 'votes',
    body: z.object({
      /** A line for each account: a public credential as a decimal number, a space, its votes. Then, after an empty line, a line for each right of 64 hexadecimal digits. */
      credentials: longText({ most: 6_000_000, tooLong: 'The list is larger than 6 MB', empty: 'The list is empty' }),
    }),
    answer: z.object({
      accounts: z.int(),
      votes: z.int(),
      /** The fingerprint of the list in the archive, as `belenios-tool setup generate-credentials` prints it. */
      fingerprint: z.string(),
    }),
    errors: ['NOT_FOUND', 'BALLOT_NOT_READY', 'BALLOT_SET_UP'],
    largestBody: 6 * largeBody + largeBody,
    activity: 'Sent the credentials of an election',
  }),
});
