import { PageFrame } from '@portal/app-kit';
import { aRouter, aSession, show } from '@portal/app-kit/testing';
import {
  candidateQuestion,
  createTrusteeKey,
  newCredential,
  newElectionId,
  newPrivateKey,
  printElection,
  readElection,
  trackerOf,
  verifyBallot,
} from '@portal/ballots';
import type { ProxyVote } from '@portal/contract/encrypted-ballots/proxy-votes';
import { pages } from '@portal/contract/pages';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { workerHere } from '../../../../test/worker-here.ts';
import ProxyVotePage from '../ProxyVotePage.tsx';
import { openBallotTasks } from './ballot-tasks.ts';

beforeEach(() => void vi.stubGlobal('Worker', workerHere(openBallotTasks)));
afterEach(() => vi.unstubAllGlobals());

const parameters = printElection({
  uuid: newElectionId(),
  name: 'Council',
  description: '',
  questions: [candidateQuestion('Council', ['Ada', 'Bo'], 1)],
  publicKey: (await createTrusteeKey(newPrivateKey())).publicKey,
  administrator: null,
  credentialAuthority: 'Nadia Haddad',
});
const vote: ProxyVote = {
  proxyId: '31',
  electionId: '7',
  title: 'Council election',
  kind: 'ec',
  ballots: 'encrypted',
  host: null,
  accountName: 'EXAMPLE-AU',
  orgName: 'Example Pty Ltd',
  votes: 8,
  state: 'active',
  appointedBy: 'Corin Achterberg',
  appointedAt: '2027-02-10T04:00:00Z',
  endedAt: null,
  endReason: '',
  opensAt: '2027-02-14T04:00:00Z',
  closesAt: '2027-02-20T04:00:00Z',
  window: 'open',
  words: 'Closes in 5 days',
  cancelReason: null,
  votedAt: null,
  hasSecondFactor: true,
};

function openPage(given: Partial<ProxyVote> | null) {
  const arrived: { ballot: string }[] = [];
  const user = userEvent.setup();
  show(
    <PageFrame page={pages.proxyVote}>
      <ProxyVotePage />
    </PageFrame>,
    {
      session: aSession(),
      router: aRouter('/voting/proxy-votes/31'),
      async answer({ endpoint, input }) {
        if (endpoint === 'encryptedBallots.proxyVotes.listProxyVotes')
          return { status: 200, data: { rows: given === null ? [] : [{ ...vote, ...given }] } };
        if (endpoint === 'encryptedBallots.proxyVotes.castProxyBallot') {
          const { proxyId, body } = input as { proxyId: string; body: { ballot: string } };
          expect(proxyId).toBe('31');
          arrived.push(body);
          const tracker = await trackerOf(body.ballot);
          return { status: 200, data: { tracker, trackerHex: Buffer.from(tracker, 'base64').toString('hex'), votes: 8 } };
        }
        const authority = { fullName: 'Nadia Haddad', email: 'nadia@auditor.example' };
        return { status: 200, data: { parameters, votes: 8, closesAt: vote.closesAt, statements: ['', ''], authority } };
      },
    },
  );
  return { user, arrived };
}

test('a proxy casts the votes of the account with its code, encrypted here', async () => {
  const { user, arrived } = openPage({});
  expect(await screen.findByText(/As the proxy of Example Pty Ltd \(EXAMPLE-AU\)/)).toBeDefined();
  await user.click(await screen.findByRole('radio', { name: 'Bo' }));
  await user.click(screen.getByRole('button', { name: 'Review' }));
  expect(screen.getByText('8 per candidate')).toBeDefined();
  expect(screen.getByText(/by e-mail to the proxy of EXAMPLE-AU/)).toBeDefined();
  await user.type(screen.getByLabelText('Voting code'), newCredential());
  await user.click(screen.getByRole('button', { name: 'Encrypt 8 votes' }));
  await user.click(await screen.findByRole('button', { name: 'Cast 8 votes' }));
  expect(await screen.findByText('In the box')).toBeDefined();
  expect(arrived).toHaveLength(1);
  await verifyBallot(await readElection(parameters), arrived[0]!.ballot);
});

test.each([
  ['an appointment of someone else', null, 'No such appointment'],
  ['before proxies vote', { window: 'not-yet-open' as const, words: 'Opens in 2 days' }, 'Voting of proxies hasn’t opened yet'],
  ['a revoked appointment', { state: 'revoked' as const }, 'You aren’t the proxy of EXAMPLE-AU any more'],
  ['a voided appointment', { state: 'voided' as const, endReason: 'Forged' }, 'Forged'],
  ['votes that are cast', { state: 'used' as const, votedAt: '2027-02-15T04:00:00Z' }, 'The votes of EXAMPLE-AU are cast.'],
  ['a session without a second factor', { hasSecondFactor: false }, 'You can’t vote here yet'],
  ['an election that is cancelled', { cancelReason: 'A seat is gone' }, 'A seat is gone'],
])('%s: there is no ballot, and the page says why', async (_, given, words) => {
  openPage(given);
  expect(await screen.findByText(words)).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Review' })).toBe(null);
});
