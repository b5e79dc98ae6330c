import { PageFrame } from '@portal/app-kit';
import type { ElectionWindow, MemberElection, Eligibility, ProxyTurn, VotingElection } from '@portal/contract/elections/voting';
import { pages } from '@portal/contract/pages';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { anAccount, type Answer, aSession, show } from '@portal/app-kit/testing';
import VotingPage from './VotingPage.tsx';

const url = 'https://vote.registry.example/ec';
const open: Eligibility = { reason: null, message: '', detail: '', url };
const notOpen: Eligibility = { reason: 'NOT_OPEN', message: 'Opens in 3 days', detail: '', url: null };
const asOf = '2027-02-13T04:00:00Z';
const vote = (given: Partial<ElectionWindow> = {}): ElectionWindow => ({
  kind: 'member-vote',
  opensAt: '2027-02-16T04:00:00Z',
  closesAt: '2027-03-02T06:30:00Z',
  state: 'not-yet-open',
  words: 'Opens in 3 days',
  host: 'vote.registry.example',
  eligibility: notOpen,
  ...given,
});
const opened = { state: 'open', words: 'Closes in 5 hours', eligibility: open } as const;
const election = (given: Partial<MemberElection> = {}): MemberElection => ({
  electionId: '7',
  kind: 'ec',
  ballots: 'plain',
  title: 'Council election',
  description: '',
  seats: 3,
  state: 'published',
  cancelReason: '',
  timeZone: 'Australia/Brisbane',
  candidatesUrl: null,
  resultsUrl: null,
  windows: [vote()],
  votes: 4,
  frozen: false,
  proxy: null,
  voted: null,
  ...given,
});
const weight = { votes: 4, tier: 'Small', nir: false, holdings: { ipv4Addresses: '8192', ipv6Blocks: '0' } };
const tiers = [
  { name: 'Small', ipv4: '/19', ipv6: '/32', votes: 4 },
  { name: 'Large', ipv4: 'any', ipv6: 'any', votes: 9 },
];
const last = { title: 'Council election 2025', closedAt: '2025-02-27T06:30:00Z', resultsUrl: null };

function openPage({
  members = [],
  attendees = [],
  account = anAccount(),
  duties = [],
  proxied = [],
  proxyTurns = [],
  answer,
}: {
  members?: readonly MemberElection[];
  attendees?: readonly VotingElection[];
  account?: ReturnType<typeof anAccount> | null;
  duties?: readonly object[];
  proxied?: readonly object[];
  proxyTurns?: readonly ProxyTurn[];
  answer?: Answer;
}) {
  return show(
    <PageFrame page={pages.voting}>
      <VotingPage />
    </PageFrame>,
    {
      session: aSession({ account }),
      answer({ endpoint }) {
        if (answer) return answer;
        if (endpoint === 'elections.voting.getMemberVoting')
          return {
            status: 200,
            data: {
              asOf,
              elections: members,
              last,
              weight,
              tiers,
              attendees: { elections: attendees, last: null },
              proxyTurns,
              voters: [],
            },
          };
        if (endpoint === 'contacts.whoHoldsPermission')
          return {
            status: 200,
            data: { permission: 'voting-vote', label: 'Vote', granters: [{ name: 'Corin Achterberg' }], askedAt: null },
          };
        if (endpoint === 'encryptedBallots.proxyVotes.listProxyVotes') return { status: 200, data: { rows: proxied } };
        if (endpoint === 'encryptedBallots.duties.listDuties') return { status: 200, data: { rows: duties } };
        return { status: 200, data: { asOf, elections: attendees, last: null, proxyTurns } };
      },
    },
  );
}

/** Calls of a page without that for duties, which comes after it. */
const forElections = (sent: readonly { endpoint: string }[]): string[] =>
  sent.map(({ endpoint }) => endpoint).filter(endpoint => !/^encryptedBallots\.(duties|proxyVotes)\./.test(endpoint));

it('without an account only the attendees’ part is requested and shown', async () => {
  const { sent } = openPage({ account: null });
  expect(await screen.findByRole('region', { name: 'For attendees' })).toBeDefined();
  expect(screen.queryByRole('region', { name: /^For members/ })).toBe(null);
  expect(forElections(sent)).toEqual(['elections.voting.getAttendeeVoting']);
});

it('the page of an account is one call, with 30 past elections too', async () => {
  const past = Array.from({ length: 30 }, (_, number) =>
    election({
      electionId: String(100 + number),
      title: `Past election ${number}`,
      state: 'closed',
      windows: [vote({ state: 'closed', words: 'Closed 3 days ago' })],
    }),
  );
  const { sent } = openPage({ members: [election(), ...past] });
  const list = await screen.findByRole('list', { name: 'Past elections' });
  expect(within(list).getAllByRole('listitem')).toHaveLength(30);
  expect(forElections(sent)).toEqual(['elections.voting.getMemberVoting']);
});

it('shows the organisation’s votes and links to the page that opens the voting system', async () => {
  openPage({ members: [election({ windows: [vote(opened)] })] });
  const card = await screen.findByRole('region', { name: 'Council election, as a member' });
  expect(within(card).getByText('Your organisation has 4 votes per candidate')).toBeDefined();
  expect(within(card).getByText('You can vote for EXAMPLE-AU now')).toBeDefined();
  const link = within(card).getByRole('link', { name: 'Vote: Council election' });
  expect(link.getAttribute('href')).toBe('/voting/7/cast');
});

it('before voting opens there is no link, and the page says where it will be', async () => {
  openPage({ members: [election()] });
  const card = await screen.findByRole('region', { name: 'Council election, as a member' });
  expect(within(card).getByText('You can vote for EXAMPLE-AU once voting opens')).toBeDefined();
  expect(within(card).getByText('In the voting system vote.registry.example')).toBeDefined();
  expect(within(card).queryByRole('link')).toBe(null);
});

it('explains the number of votes by what is held of both families', async () => {
  openPage({ members: [election()] });
  const why = await screen.findByRole('region', { name: 'Why 4 votes' });
  expect(within(why).getByText('8 192 IPv4 addresses')).toBeDefined();
  expect(within(why).getByText('The larger: Small')).toBeDefined();
  expect(within(why).getByRole('img', { name: 'Votes by IPv4 holding. Your tier is Small, with 4 votes.' })).toBeDefined();
});

it('times are shown in the person’s zone and in the official one', async () => {
  openPage({ members: [election()] });
  const [timetable] = await screen.findAllByRole('list', { name: 'Timetable of Council election, member' });
  expect(timetable!.textContent).toContain('Official timeTue 16 Feb 2027');
  expect(within(timetable!).getAllByText(/^Tue 16 Feb 2027/)).toHaveLength(2);
  expect(screen.getByText(/Your time\. Official time \(\S+\) is \d+ hours ahead\./)).toBeDefined();
});

it('times that are the same in both zones are shown once', async () => {
  openPage({ members: [election({ timeZone: 'UTC' })] });
  const timetable = await screen.findByRole('list', { name: 'Timetable of Council election, member' });
  expect(within(timetable).getAllByText(/^Tue 16 Feb 2027/)).toHaveLength(1);
  expect(timetable.textContent).not.toContain('Your time');
});

it('an election of members and attendees is shown once, with the windows of both', async () => {
  const attendance = vote({
    kind: 'attendee-vote',
    opensAt: '2027-02-17T04:00:00Z',
    eligibility: open,
    state: 'open',
    words: 'Closes in 5 hours',
  });
  openPage({ members: [election()], attendees: [election({ windows: [attendance] })] });
  const card = await screen.findByRole('region', { name: 'Council election, as a member' });
  expect(within(card).getByText('You can vote as an attendee now')).toBeDefined();
  expect(within(card).getByRole('link', { name: 'Vote as an attendee: Council election' })).toBeDefined();
  expect(screen.queryByRole('region', { name: 'For attendees' })).toBe(null);
});

it('the time axis above the timetables has its months, and the current time', async () => {
  openPage({ members: [election()] });
  expect(await screen.findByText('Now')).toBeDefined();
  expect(screen.getByText('Mar 2027')).toBeDefined();
});

it('without the permission the specification’s message appears once, with who can help', async () => {
  const eligibility: Eligibility = {
    reason: 'NO_VOTE_PERMISSION',
    message: 'You do not have permission to vote on behalf of this account.',
    detail: '',
    url: null,
  };
  const windows = [vote({ ...opened, eligibility })];
  openPage({ members: [election({ windows }), election({ electionId: '8', title: 'By-laws', kind: 'resolution', windows })] });
  expect(await screen.findAllByText('You do not have permission to vote on behalf of this account.')).toHaveLength(1);
  expect(await screen.findByRole('button', { name: 'Ask Corin Achterberg' })).toBeDefined();
  expect(screen.getByText('Your organisation has 4 votes per resolution')).toBeDefined();
  expect(screen.queryByRole('link', { name: /^Vote/ })).toBe(null);
});

it('without a second factor: how to get one', async () => {
  const eligibility: Eligibility = { reason: 'MFA_NOT_ENABLED', message: 'MFA is not enabled!', detail: '', url: null };
  openPage({ members: [election({ windows: [vote({ ...opened, eligibility })] })] });
  expect(await screen.findByText('MFA is not enabled!')).toBeDefined();
  expect(screen.getByText(/needs a second factor/)).toBeDefined();
  expect(screen.getByRole('button', { name: 'Add a second factor' })).toBeDefined();
});

it('the card of the election shows an attendee why they can’t vote', async () => {
  const eligibility: Eligibility = {
    reason: 'NOT_ATTENDED',
    message: 'You are not eligible to vote in this election.',
    detail: 'You are registered, but attended none of the 8 conferences before it',
    url: null,
  };
  const { votes: _, ...chair } = election({ kind: 'sig', seats: 1, windows: [vote({ kind: 'attendee-vote', eligibility })] });
  openPage({ account: null, attendees: [chair] });
  const card = await screen.findByRole('region', { name: 'Council election, as an attendee' });
  expect(within(card).getByText('You are not eligible to vote in this election.')).toBeDefined();
  expect(within(card).getByText(/attended none of the 8 conferences before it\.$/)).toBeDefined();
});

it('over, cancelled, and none at all', async () => {
  const closed = vote({ state: 'closed', words: 'Closed 4 days ago', eligibility: { ...notOpen, reason: 'CLOSED' } });
  const over = election({ state: 'closed', votes: null, resultsUrl: 'https://www.registry.example/results', windows: [closed] });
  const off = election({
    electionId: '8',
    title: 'Called off',
    state: 'cancelled',
    cancelReason: 'No candidates',
    votes: null,
    windows: [vote({ eligibility: null })],
  });
  openPage({ members: [over, off] });
  expect(await screen.findByRole('link', { name: /^Results of Council election/ })).toBeDefined();
  expect(screen.getByText('Closed 4 days ago')).toBeDefined();
  expect(screen.getByText('No candidates')).toBeDefined();
  expect(screen.queryByText(/^Your organisation has/)).toBe(null);
  expect(screen.getByRole('heading', { name: 'No attendee elections now' })).toBeDefined();
});

it('who was appointed for an election finds the way to it', async () => {
  openPage({ duties: [{ electionId: '7', title: 'Council, encrypted', as: 'trustee', isDue: true }] });
  const way = await screen.findByRole('link', { name: 'Trustee of Council, encrypted' });
  expect(way.getAttribute('href')).toBe('/voting/7/duty/trustee');
  expect(screen.getByText('Your turn')).toBeDefined();
});

it('a proxy finds the accounts that appointed them, and what became of it', async () => {
  const appointed = {
    proxyId: '31',
    title: 'Council, encrypted',
    accountName: 'EXAMPLE-AU',
    votes: 8,
    state: 'active',
    appointedBy: 'Corin Achterberg',
    appointedAt: '2027-02-10T04:00:00Z',
    window: 'open',
    cancelReason: null,
  };
  openPage({ proxied: [appointed, { ...appointed, proxyId: '30', accountName: 'OTHER-SG', state: 'revoked' }] });
  const way = await screen.findByRole('link', { name: 'EXAMPLE-AU in Council, encrypted' });
  expect(way.getAttribute('href')).toBe('/voting/proxy-votes/31');
  expect(screen.getByText('Revoked')).toBeDefined();
});

it('votes that a proxy can cast now come before the elections, the first of them by name', async () => {
  const turns = ['EXAMPLE-AU', 'OTHER-SG', 'NATREG-XX', 'CORAL-KI'].map((accountName, index) => ({
    proxyId: String(31 + index),
    accountName,
    title: 'Council, encrypted',
  }));
  openPage({ proxyTurns: turns });
  expect((await screen.findByRole('link', { name: 'Vote for EXAMPLE-AU in Council, encrypted' })).getAttribute('href')).toBe(
    '/voting/proxy-votes/31',
  );
  expect(screen.getByText('4 accounts wait for your votes as their proxy.')).toBeDefined();
  expect(screen.getByText(/The other one is in the list/)).toBeDefined();
  expect(screen.queryByRole('link', { name: /^Vote for CORAL-KI/ })).toBe(null);
});

it('without an election of members, the last one is shown', async () => {
  openPage({});
  expect(await screen.findByRole('heading', { name: 'No member elections now' })).toBeDefined();
  expect(screen.getByText(/The last one was “Council election 2025”/)).toBeDefined();
});

it('a failure is shown with a retry button', async () => {
  openPage({ answer: { status: 503, errors: [{ code: 'UNAVAILABLE', message: 'Not available', traceId: 'abc' }] } });
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeDefined();
});
