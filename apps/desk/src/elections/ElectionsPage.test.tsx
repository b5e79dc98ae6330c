import { PageFrame } from '@portal/app-kit';
import type { StaffPermission } from '@portal/contract';
import type { StaffElection } from '@portal/contract/elections/elections';
import { pages } from '@portal/contract/pages';
import type { Proposal } from '@portal/contract/proposals/proposals';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { type Answer, aPerson, aRouter, aSession, show } from '@portal/app-kit/testing';
import ElectionsPage from './ElectionsPage.tsx';

const election = (given: Partial<StaffElection> = {}): StaffElection => ({
  electionId: '7',
  version: 3,
  state: 'draft',
  generation: 1,
  kind: 'ec',
  ballots: 'plain',
  setUpAt: null,
  firstSetUpAt: null,
  title: 'Council election',
  description: '',
  seats: 3,
  maxSelections: 3,
  timeZone: 'Australia/Brisbane',
  conference: null,
  registrationCutOff: null,
  candidatesUrl: '',
  resultsUrl: '',
  windows: [
    {
      kind: 'member-vote',
      opensAt: '2027-02-16T04:00:00Z',
      closesAt: '2027-03-02T06:30:00Z',
      url: 'https://vote.registry.example/ec',
      state: 'not-yet-open',
      words: 'Opens in 3 days',
    },
  ],
  publishedAt: null,
  cancelledAt: null,
  cancelReason: '',
  ...given,
});
const conference = { conference: 'CONF-63', title: 'Example Conference 63', startsOn: '2027-02-22', registered: 4, attended: 0 };
const refused = (status: number, code: string, message: string): Answer => ({ status, errors: [{ code, message, traceId: 'abc' }] });

beforeEach(() => localStorage.clear());

function open(
  at: string,
  {
    given = {},
    waiting = [],
    staffPermissions,
    doing,
  }: {
    given?: Partial<StaffElection>;
    waiting?: Proposal[];
    staffPermissions?: StaffPermission[];
    doing?: (endpoint: string, input: unknown) => Answer;
  } = {},
) {
  const router = aRouter(at);
  const shown = show(
    <PageFrame page={pages.deskElections}>
      <ElectionsPage />
    </PageFrame>,
    {
      router,
      session: aSession({
        account: null,
        person: aPerson({ userId: 'stella', staff: true, ...(staffPermissions && { staffPermissions }) }),
      }),
      answer({ endpoint, input }) {
        if (endpoint === 'proposals.listStaffProposals') return { status: 200, data: { waiting, decided: [] } };
        if (endpoint === 'elections.listElections') return { status: 200, data: { rows: [election(given)], total: 1 } };
        if (endpoint === 'elections.getElection') return { status: 200, data: election(given) };
        if (endpoint === 'elections.conferences.listConferences') return { status: 200, data: { rows: [conference] } };
        return doing?.(endpoint, input) ?? { status: 200, data: election({ ...given, version: 4 }) };
      },
    },
  );
  const sent = (endpoint: string) => shown.sent.filter(each => each.endpoint === endpoint).map(({ input }) => input);
  return { ...shown, router, sent };
}

it('a draft that lacks something cannot be published, and what it lacks is listed', async () => {
  const { sent } = open('/desk/elections?election=7', { given: { maxSelections: 4 } });
  expect(await screen.findByText(/as many selections as seats \(3\)/)).toBeDefined();
  const publish = screen.getByRole('button', { name: 'Publish' });
  expect(publish.getAttribute('aria-disabled')).toBe('true');
  fireEvent.click(publish);
  expect(sent('elections.publishElection')).toEqual([]);
});

it('a complete draft is published as the version that was read', async () => {
  const { sent } = open('/desk/elections?election=7');
  fireEvent.click(await screen.findByRole('button', { name: 'Publish' }));
  await waitFor(() => expect(sent('elections.publishElection')).toEqual([{ electionId: '7', body: { version: 3 } }]));
});

const publishing: Proposal = {
  proposalId: '12',
  accountName: null,
  action: 'elections.publishElection',
  what: 'Publish the election “Council election”',
  link: '/desk/elections?election=7',
  shown: [{ label: 'Election', value: 'Council election' }],
  fingerprint: 'f'.repeat(64),
  proposedBy: 'Stan Petrov',
  isMine: false,
  proposedAt: '2027-02-10T04:00:00Z',
  expiresAt: '2027-02-13T04:00:00Z',
  state: 'pending',
  decidedBy: null,
  decidedAt: null,
  note: '',
  tooNew: null,
  needsRole: null,
  waitsFor: ['Dora Nwosu', 'Fiona Doi'],
};

it('what waits for a second person is on the page of its election, with the people it waits for, and is approved there', async () => {
  const other = { ...publishing, proposalId: '13', what: 'Publish another one', link: '/desk/elections?election=8' };
  const { sent } = open('/desk/elections?election=7', { waiting: [publishing, other] });
  expect(await screen.findByRole('heading', { name: publishing.what })).toBeDefined();
  expect(screen.getByText('Dora Nwosu or Fiona Doi')).toBeDefined();
  expect(screen.queryByText('Publish another one')).toBe(null);
  fireEvent.click(screen.getByRole('button', { name: 'Approve' }));
  await waitFor(() =>
    expect(sent('proposals.approveStaffProposal')).toEqual([{ proposalId: '12', body: { fingerprint: publishing.fingerprint } }]),
  );
});

it('someone of the same role reads who approves it, and who asked for it withdraws it', async () => {
  const { sent } = open('/desk/elections?election=7', { waiting: [{ ...publishing, needsRole: '“Observe elections”' }] });
  const approve = await screen.findByRole('button', { name: 'Approve' });
  expect(approve.getAttribute('aria-disabled')).toBe('true');
  expect(screen.getByText(/with the permission “Observe elections”, in another role than Stan Petrov/)).toBeDefined();
  fireEvent.click(approve);
  expect(sent('proposals.approveStaffProposal')).toEqual([]);
  cleanup();
  const own = open('/desk/elections?election=7', { waiting: [{ ...publishing, isMine: true }] });
  fireEvent.click(await screen.findByRole('button', { name: 'Withdraw' }));
  await waitFor(() => expect(own.sent('proposals.rejectStaffProposal')).toEqual([{ proposalId: '12', body: { note: '' } }]));
});

it('cancelling asks for the reason first', async () => {
  const { sent } = open('/desk/elections?election=7', { given: { state: 'published' } });
  fireEvent.click(await screen.findByRole('button', { name: 'Cancel the election' }));
  const form = screen.getByRole('form', { name: 'Cancel the election' });
  fireEvent.submit(form);
  expect(await within(form).findByText('Enter a reason')).toBeDefined();
  fireEvent.change(within(form).getByLabelText('Reason'), { target: { value: 'No candidates' } });
  fireEvent.submit(form);
  await waitFor(() =>
    expect(sent('elections.cancelElection')).toEqual([{ electionId: '7', body: { version: 3, reason: 'No candidates' } }]),
  );
});

it('a new election is begun only by those who may set elections up', async () => {
  open('/desk/elections', { staffPermissions: ['election-observer'] });
  expect(await screen.findByRole('link', { name: 'Conferences and attendance' })).toBeDefined();
  expect(screen.queryByRole('link', { name: 'New election' })).toBeNull();
});

it('a new election is sent in official time, once the form is right', async () => {
  const { sent } = open('/desk/elections?election=new');
  const form = await screen.findByRole('form', { name: 'New election' });
  fireEvent.submit(form);
  expect(within(form).getByText('Enter a title of at least 3 characters')).toBeDefined();
  expect(document.activeElement).toBe(within(form).getByLabelText('Title'));
  fireEvent.change(within(form).getByLabelText('Title'), { target: { value: 'By-laws' } });
  fireEvent.change(within(form).getByLabelText('Kind'), { target: { value: 'resolution' } });
  const members = within(form).getByRole('group', { name: 'Voting of members' });
  const fill = (label: RegExp, value: string) => fireEvent.change(within(members).getByLabelText(label), { target: { value } });
  fill(/^Opens/, '2027-02-16T14:00');
  fill(/^Closes/, '2027-03-02T14:30');
  fireEvent.submit(form);
  await waitFor(() => expect(sent('elections.addElection')).toHaveLength(1));
  expect(sent('elections.addElection')[0]).toMatchObject({
    body: {
      kind: 'resolution',
      title: 'By-laws',
      windows: [{ kind: 'member-vote', opensAt: '2027-02-16T04:00:00.000Z', closesAt: '2027-03-02T04:30:00.000Z' }],
    },
  });
});

it('each mistake is named at its field, windows too, and the first has the focus', async () => {
  const { sent } = open('/desk/elections?election=7&act=change');
  const form = await screen.findByRole('form', { name: 'Change Council election' });
  const members = within(form).getByRole('group', { name: 'Voting of members' });
  fireEvent.change(within(form).getByLabelText('Title'), { target: { value: 'x' } });
  fireEvent.change(within(members).getByLabelText(/^Closes/), { target: { value: '2027-02-16T13:00' } });
  fireEvent.submit(form);
  const summary = within(screen.getByRole('alert', { name: 'There’s a problem' }));
  expect(summary.getAllByRole('link').map(link => link.textContent)).toEqual([
    'Enter a title of at least 3 characters',
    'Voting of members must close after it opens',
  ]);
  expect(document.activeElement).toBe(within(form).getByLabelText('Title'));
  fireEvent.click(summary.getByRole('link', { name: /must close/ }));
  expect(document.activeElement).toBe(within(members).getByLabelText(/^Closes/));
  expect(sent('elections.changeElection')).toEqual([]);
});

it('an error about a window appears at that window', async () => {
  const errors = [{ code: 'INVALID_REQUEST', message: 'Somebody votes then already', traceId: 'abc', field: 'windows.0.opensAt' }];
  open('/desk/elections?election=7&act=change', { doing: () => ({ status: 400, errors }) });
  const form = await screen.findByRole('form', { name: 'Change Council election' });
  fireEvent.submit(form);
  expect(await within(form).findByText('Somebody votes then already')).toBeDefined();
  const opens = within(within(form).getByRole('group', { name: 'Voting of members' })).getByLabelText(/^Opens/);
  expect(opens.getAttribute('aria-invalid')).toBe('true');
  expect(document.activeElement).toBe(opens);
});

it('a published election keeps its kind', async () => {
  open('/desk/elections?election=7&act=change', { given: { state: 'published' } });
  const kind = await screen.findByLabelText('Kind');
  expect(within(kind).getAllByRole('option')).toHaveLength(1);
  expect(screen.getByText('It can’t be changed after publishing.')).toBeDefined();
});

it('the slower of two people learns of it and can load the present election', async () => {
  const stale = refused(412, 'STALE', 'The election was changed by somebody else in the meantime');
  const { router } = open('/desk/elections?election=7&act=change', { doing: () => stale });
  fireEvent.submit(await screen.findByRole('form', { name: 'Change Council election' }));
  expect(await screen.findByText(/changed by somebody else/)).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'View the election' }));
  await waitFor(() => expect(router.went.at(-1)).toMatchObject({ href: '/desk/elections?election=7' }));
});

it('a list with wrong lines names each; one that lacks people is imported after confirmation', async () => {
  const answers = [
    {
      status: 400,
      errors: ['line 2: email "x" is no address', 'line 5: 2 cells, 3 are expected'].map(message => ({
        code: 'INVALID_REQUEST',
        message,
        traceId: 'abc',
        field: 'csv',
      })),
    },
    refused(409, 'ATTENDANCE_SHRINKS', 'One person of the list that is there is missing'),
    { status: 200, data: { conference, added: 0, changed: 0, removed: 1 } },
  ];
  let answered = 0;
  const { sent } = open('/desk/elections?view=conferences', { doing: () => answers[answered++]! });
  fireEvent.click(await screen.findByRole('button', { name: 'Import list of Example Conference 63' }));
  const form = screen.getByRole('form', { name: 'The list of Example Conference 63' });
  const csv = 'email,registered_at,attended\n';
  fireEvent.change(within(form).getByLabelText('List'), { target: { files: [new File([csv], 'list.csv', { type: 'text/csv' })] } });
  expect(await within(form).findByText('list.csv')).toBeDefined();
  fireEvent.submit(form);
  expect(await within(form).findByText('line 2: email "x" is no address')).toBeDefined();
  expect(within(form).getByText('line 5: 2 cells, 3 are expected')).toBeDefined();
  fireEvent.submit(form);
  fireEvent.click(await within(form).findByRole('button', { name: 'They are no longer registered' }));
  await waitFor(() => expect(screen.queryByRole('form')).toBe(null));
  expect(sent('elections.conferences.importAttendance')).toMatchObject([
    { conference: 'CONF-63', body: { csv, mayRemove: false } },
    { conference: 'CONF-63', body: { csv, mayRemove: false } },
    { conference: 'CONF-63', body: { csv, mayRemove: true } },
  ]);
});
