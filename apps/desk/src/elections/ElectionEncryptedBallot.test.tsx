import { type CallAnswer, PageFrame } from '@portal/app-kit';
import { aPerson, aSession, show } from '@portal/app-kit/testing';
import type { StaffElection } from '@portal/contract/elections/elections';
import type { encryptedBallotSetup } from '@portal/contract/encrypted-ballots/setup';
import { pages } from '@portal/contract/pages';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { ElectionEncryptedBallot } from './ElectionEncryptedBallot.tsx';

type Ballot = CallAnswer<typeof encryptedBallotSetup.getEncryptedBallot>;
const none: Ballot = {
  electionId: '7',
  uuid: null,
  authority: null,
  threshold: null,
  trustees: [],
  roll: null,
  rollDueAt: null,
  tooSoon: null,
  hasCredentials: false,
  hasKey: false,
  setUpAt: null,
  archive: null,
  readableVotes: null,
  result: null,
};
const appointed: Ballot = {
  ...none,
  uuid: '3kNqVwE7tRzYpA',
  authority: { fullName: 'Tess Lindqvist', email: 'tess@example.net' },
  threshold: 2,
  trustees: ['Nils', 'Stan', 'Ravi'].map((name, place) => ({
    place: place + 1,
    fullName: name,
    email: `${name.toLowerCase()}@example.net`,
    next: 'certificate',
  })),
};
const election = { electionId: '7', state: 'draft' } as StaffElection;

function openSheet(ballot: Ballot, staffPermissions = ['election-officer', 'returning-officer'] as const as readonly string[]) {
  const user = userEvent.setup();
  const { sent } = show(
    <PageFrame page={pages.deskElections}>
      <ElectionEncryptedBallot election={election} />
    </PageFrame>,
    {
      session: aSession({ person: aPerson({ staff: true, staffPermissions: staffPermissions as never }), account: null }),
      answer: () => ({ status: 200, data: ballot }),
    },
  );
  return { user, changes: () => sent.filter(({ endpoint }) => !endpoint.includes('get')) };
}

test('staff appoint an authority and trustees by their addresses, so many of whom decrypt', async () => {
  const { user, changes } = openSheet(none);
  await user.click(await screen.findByRole('button', { name: 'Appoint authority and trustees' }));
  await user.click(screen.getByRole('button', { name: 'Appoint' }));
  expect(changes()).toEqual([]);
  await user.type(screen.getByLabelText('Credential authority'), 'tess@example.net');
  await user.type(screen.getByLabelText('Trustees'), 'nils@example.net\nstan@example.net, ravi@example.net');
  await user.click(screen.getByRole('button', { name: 'Appoint' }));
  expect(changes()).toEqual([
    {
      endpoint: 'encryptedBallots.setup.appointTrustees',
      input: {
        electionId: '7',
        body: { authority: 'tess@example.net', trustees: ['nils@example.net', 'stan@example.net', 'ravi@example.net'], threshold: 2 },
      },
    },
  ]);
});

test('what each still has to send is shown, and the roll is fixed by a returning officer', async () => {
  const { user, changes } = openSheet(appointed);
  expect(await screen.findAllByText('key missing')).toHaveLength(3);
  expect(screen.getByText('2 of 3 decrypt, together with the registry')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Fix the roll' }));
  expect(changes().map(({ endpoint }) => endpoint)).toEqual(['encryptedBallots.setup.fixRoll']);
});

test('those who may not do the next step read who does', async () => {
  openSheet(appointed, ['election-officer']);
  expect(await screen.findByText('Next, a returning officer presses “Fix the roll”.')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Fix the roll' })).toBe(null);
});

test('the count starts once it is confirmed whose votes the sums give away', async () => {
  const over: Ballot = {
    ...appointed,
    trustees: appointed.trustees.map(each => ({ ...each, next: null })),
    roll: [{ votes: 8, accounts: 3 }],
    hasCredentials: true,
    hasKey: true,
    setUpAt: '2027-02-10T04:00:00Z',
    archive: { kind: 'EncryptedTally', height: 4, hash: 'f'.repeat(64), bytes: 10_000, ballots: 2 },
    readableVotes: [{ votes: 8, ballots: 2 }],
  };
  const { user, changes } = openSheet(over);
  const start = async () => user.click(await screen.findByRole('button', { name: 'Start the count' }));
  expect(await screen.findByText('the 2 voters with 8 votes')).toBeDefined();
  await start();
  expect(changes()).toEqual([]);
  await user.click(screen.getByRole('checkbox', { name: 'I have read whose votes the sums give away' }));
  await start();
  expect(changes()).toEqual([{ endpoint: 'encryptedBallots.setup.startCount', input: { electionId: '7', body: { readableVotes: [8] } } }]);
});
