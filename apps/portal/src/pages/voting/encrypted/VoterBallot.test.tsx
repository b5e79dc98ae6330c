import { PageFrame } from '@portal/app-kit';
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
import type { ElectionWindow, MemberElection } from '@portal/contract/elections/voting';
import { pages } from '@portal/contract/pages';
import { type Answer, aSession, show } from '@portal/app-kit/testing';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { workerHere } from '../../../../test/worker-here.ts';
import { openBallotTasks } from './ballot-tasks.ts';
import { EncryptedVotePage } from '../EncryptedVotePage.tsx';

beforeEach(() => {
  sessionStorage.clear();
  vi.stubGlobal('Worker', workerHere(openBallotTasks));
});
afterEach(() => vi.unstubAllGlobals());

const code = newCredential();
const parameters = printElection({
  uuid: newElectionId(),
  name: 'Council',
  description: '',
  questions: [candidateQuestion('Council', ['Ada', 'Bo', 'Cy'], 2)],
  publicKey: (await createTrusteeKey(newPrivateKey())).publicKey,
  administrator: null,
  credentialAuthority: 'Nadia Haddad',
});
const vote: ElectionWindow = {
  kind: 'member-vote',
  opensAt: '2027-02-10T04:00:00Z',
  closesAt: '2027-02-20T04:00:00Z',
  state: 'open',
  words: 'Closes in 5 days',
  host: null,
  eligibility: { reason: null, message: '', detail: '', url: '/voting/7/cast' },
};
const election: MemberElection = {
  electionId: '7',
  kind: 'ec',
  ballots: 'encrypted',
  title: 'Council election',
  description: '',
  seats: 2,
  state: 'published',
  cancelReason: '',
  timeZone: 'Australia/Brisbane',
  candidatesUrl: '/elections/7',
  resultsUrl: null,
  windows: [vote],
  votes: 8,
  frozen: true,
  proxy: null,
  voted: null,
};

type Sent = { ballot: string; rightKey: string };
const refused = (status: number, code: string, message: string): Answer => ({ status, errors: [{ code, message, traceId: 'abc' }] });

/** Opens the page; `cast` answers each ballot that arrives. */
function openPage({
  given = {},
  window = vote,
  cast,
}: {
  given?: Partial<MemberElection>;
  window?: ElectionWindow;
  cast?: (sent: Sent) => Answer | Promise<Answer>;
} = {}) {
  const user = userEvent.setup();
  const arrived: Sent[] = [];
  const trackers: string[] = [];
  const shown = show(
    <PageFrame page={pages.castVote}>
      <EncryptedVotePage account="EXAMPLE-AU" election={{ ...election, ...given }} window={window} />
    </PageFrame>,
    {
      session: aSession(),
      async answer({ endpoint, input }) {
        if (endpoint === 'encryptedBallots.casting.castBallot') {
          const sent = (input as { body: Sent }).body;
          arrived.push(sent);
          if (cast) return cast(sent);
          const tracker = await trackerOf(sent.ballot);
          trackers.push(tracker);
          return { status: 200, data: { tracker, trackerHex: Buffer.from(tracker, 'base64').toString('hex'), votes: 8 } };
        }
        if (endpoint === 'encryptedBallots.casting.listTrackers')
          return { status: 200, data: { rows: trackers.map(tracker => ({ tracker, votes: 8 })), archiveHash: 'f'.repeat(64) } };
        return {
          status: 200,
          data: {
            parameters,
            votes: 8,
            closesAt: vote.closesAt,
            statements: ['Open peering.', '', ''],
            authority: { fullName: 'Nadia Haddad', email: 'nadia@auditor.example' },
          },
        };
      },
    },
  );
  return { user, arrived, trackers, ...shown };
}
const press = async (user: ReturnType<typeof userEvent.setup>, name: string | RegExp) =>
  user.click(await screen.findByRole('button', { name }));
async function encrypt(user: ReturnType<typeof userEvent.setup>, chosen: readonly string[], typed = code) {
  for (const name of chosen) await user.click(await screen.findByRole('checkbox', { name }));
  await press(user, 'Review');
  await user.type(screen.getByLabelText('Voting code'), typed);
  const empty = screen.queryByRole('checkbox', { name: /on purpose/ });
  if (empty) await user.click(empty);
  await press(user, 'Encrypt 8 votes');
}

test('a ballot is chosen, reviewed with account, votes and choices, encrypted, and cast with its tracker', async () => {
  const { user, arrived } = openPage();
  await user.click(await screen.findByRole('checkbox', { name: 'Cy' }));
  await user.click(screen.getByRole('checkbox', { name: 'Ada' }));
  // A third choice is not taken.
  await user.click(screen.getByRole('checkbox', { name: 'Bo' }));
  expect(screen.getByText('You have chosen 2. Remove one to choose another.')).toBeDefined();
  await press(user, 'Review');
  const review = screen.getByRole('form', { name: 'Review your ballot' });
  for (const words of ['EXAMPLE-AU', 'Tess Lindqvist', '8 per candidate', 'Ada', 'Cy'])
    expect(within(review).getByText(words)).toBeDefined();
  expect(within(review).queryByText('Bo')).toBe(null);
  expect(document.activeElement?.textContent).toContain('Review');
  await user.type(screen.getByLabelText('Voting code'), code);
  await press(user, 'Encrypt 8 votes');
  const before = (await screen.findByTestId('tracker')).textContent!.replace('Copied', '');
  expect(arrived).toEqual([]);
  await press(user, 'Cast 8 votes');
  expect(await screen.findByText('In the box')).toBeDefined();
  expect(arrived).toHaveLength(1);
  // Whole words: a random character sequence of the encryption may spell "Cy".
  expect(arrived[0]!.ballot).not.toMatch(/"(Ada|Cy)"/);
  await verifyBallot(await readElection(parameters), arrived[0]!.ballot);
  expect(await trackerOf(arrived[0]!.ballot)).toBe(before);
  expect(sessionStorage.getItem('ballot-tracker EXAMPLE-AU 7')).toBe(before);
  // The code is nowhere any more.
  expect(document.body.innerHTML).not.toContain(code);

  // The look-up loads all trackers, and sends none.
  await press(user, 'Look it up');
  expect(await screen.findByText(/^In the box with 8 votes/)).toBeDefined();
  await user.clear(screen.getByLabelText('Tracker'));
  await user.type(screen.getByLabelText('Tracker'), 'A'.repeat(43));
  await press(user, 'Look it up');
  expect(await screen.findByText(/^Not in the box/)).toBeDefined();
});

test('empty places are asked about before anything is encrypted', async () => {
  const { user, arrived } = openPage();
  await press(user, 'Review');
  expect(screen.getAllByText('left empty')).toHaveLength(2);
  await user.type(screen.getByLabelText('Voting code'), code);
  await press(user, 'Encrypt 8 votes');
  expect(screen.getByText('Confirm the empty places, or choose.')).toBeDefined();
  expect(screen.queryByTestId('tracker')).toBe(null);
  await user.click(screen.getByRole('checkbox', { name: 'I cast a blank ballot on purpose' }));
  await press(user, 'Encrypt 8 votes');
  await press(user, 'Cast 8 votes');
  expect(await screen.findByText('In the box')).toBeDefined();
  expect(arrived).toHaveLength(1);
});

test('a code with a typing error is refused at its field, and what was chosen stays', async () => {
  const { user } = openPage();
  const wrong = code.startsWith('A') ? `B${code.slice(1)}` : `A${code.slice(1)}`;
  await encrypt(user, ['Ada', 'Bo'], wrong);
  expect(await screen.findByText(/^This isn’t a voting code/)).toBeDefined();
  expect(within(screen.getByRole('form', { name: 'Review your ballot' })).getByText('Bo')).toBeDefined();
  expect(document.activeElement).toBe(screen.getByLabelText('Voting code'));
});

test('a ballot whose answer is lost is sent again as the same ballot, and can’t be opened any more', async () => {
  let answers = 0;
  const { user, arrived } = openPage({
    cast: async ({ ballot }) => {
      answers += 1;
      if (answers === 1) return refused(503, 'UNAVAILABLE', 'Not available');
      const tracker = await trackerOf(ballot);
      return { status: 200, data: { tracker, trackerHex: '', votes: 8 } };
    },
  });
  await encrypt(user, ['Ada']);
  await press(user, 'Cast 8 votes');
  const again = await screen.findByRole('button', { name: 'Send this ballot again' });
  expect(screen.queryByRole('button', { name: 'Check this ballot instead' })).toBe(null);
  await user.click(again);
  expect(await screen.findByText('In the box')).toBeDefined();
  expect(arrived).toHaveLength(2);
  expect(arrived[1]).toEqual(arrived[0]);
});

test('a code of another account is refused by the registry, and can be entered again', async () => {
  const { user } = openPage({
    cast: () => refused(409, 'BALLOT_REFUSED', 'The ballot is refused: its credential is not the one of EXAMPLE-AU'),
  });
  await encrypt(user, ['Ada']);
  await press(user, 'Cast 8 votes');
  expect(await screen.findByText(/its credential is not the one of EXAMPLE-AU/)).toBeDefined();
  await press(user, 'Enter the code again');
  expect(screen.getByLabelText('Voting code')).toBeDefined();
});

test('a ballot that is checked instead shows what is in it, and a new one has another tracker', async () => {
  const { user, arrived } = openPage();
  await encrypt(user, ['Bo']);
  const tracker = (await screen.findByTestId('tracker')).textContent;
  await press(user, 'Check this ballot instead');
  const table = await screen.findByRole('table', { name: 'What is in the opened ballot' });
  const says = within(table)
    .getAllByRole('row')
    .slice(1)
    .map(row => [within(row).getByRole('rowheader').textContent, within(row).getAllByRole('cell')[0]!.textContent]);
  expect(says).toEqual([
    ['Blank', '0'],
    ['Ada', '0'],
    ['Bo', '1'],
    ['Cy', '0'],
  ]);
  expect(screen.getByText('This page: the ballot contains what is shown')).toBeDefined();
  expect(screen.queryByRole('button', { name: /^Cast/ })).toBe(null);
  await press(user, 'Make a new ballot');
  await press(user, 'Review');
  await user.click(screen.getByRole('checkbox', { name: /on purpose/ }));
  await press(user, 'Encrypt 8 votes');
  expect((await screen.findByTestId('tracker')).textContent).not.toBe(tracker);
  expect(arrived).toEqual([]);
});

test('an account that has voted is shown by whom, with the tracker that this tab kept', async () => {
  sessionStorage.setItem('ballot-tracker EXAMPLE-AU 7', 'LCa0a2j/xo/5m0U8HTBBNBNCLXBkg7+g+YpeiGJm564');
  const { sent } = openPage({ given: { voted: { by: 'Corin Achterberg', at: '2027-02-12T04:00:00Z' } } });
  expect(await screen.findByText('The votes of EXAMPLE-AU are cast.')).toBeDefined();
  expect(screen.getByTestId('tracker').textContent).toContain('LCa0');
  expect(screen.queryByRole('button', { name: 'Review' })).toBe(null);
  expect(sent).toEqual([]);
});
