import { PageFrame } from '@portal/app-kit';
import { aPerson, aRouter, aSession, show } from '@portal/app-kit/testing';
import { pages } from '@portal/contract/pages';
import type { DeskRequest } from '@portal/contract/staff/desk';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import RequestsPage from './RequestsPage.tsx';

const row = (given: Partial<DeskRequest> = {}): DeskRequest => ({
  kind: 'contacts',
  requestId: '7',
  reference: null,
  accountName: 'EXAMPLE-AU',
  orgName: 'Example Networks Pty Ltd',
  asked: 'Make Tess Lindqvist corporate contact',
  state: 'submitted',
  requestedBy: 'Corin Achterberg',
  requestedAt: '2026-11-20T09:00:00Z',
  resolvedBy: null,
  resolvedAt: null,
  handler: null,
  dueAt: null,
  late: false,
  second: null,
  ...given,
});
const second = row({ requestId: '8', asked: 'Remove Bill Okonkwo' });

function open(at = '/desk/requests', listed: DeskRequest[] = [row(), second]) {
  const router = aRouter(at);
  const shown = show(
    <PageFrame page={pages.deskRequests}>
      <RequestsPage />
    </PageFrame>,
    {
      router,
      session: aSession({ account: null, person: aPerson({ userId: 'stella', staff: true }) }),
      answer: ({ endpoint }) =>
        endpoint === 'staff.desk.listRequests'
          ? {
              status: 200,
              data: {
                rows: listed,
                total: listed.length,
                waiting: { applications: 0, contacts: listed.length, organisations: 0, closures: 0 },
                counts: {
                  kinds: { all: 2, applications: 0, contacts: 2, organisations: 0, closures: 0, resources: 0, transfers: 0 },
                  states: { waiting: 2, submitted: 2, 'in-review': 0, 'needs-info': 0 },
                  ages: { 0: 2, 2: 2, 7: 1, 30: 0, late: 0 },
                  handlers: { any: 2, mine: 0, none: 1, second: 1 },
                },
              },
            }
          : { status: 200, data: { queues: [], workload: [] } },
    },
  );
  return { ...shown, router, all: shown.sent };
}

it('a key opens the first case of the queue, with its filters, and letters in a field do not', async () => {
  const { router } = open('/desk/requests?kind=contacts');
  await screen.findByText('Remove Bill Okonkwo');
  fireEvent.keyDown(screen.getByRole('searchbox'), { key: 'j' });
  expect(router.place().path).toBe('/desk/requests');
  fireEvent.keyDown(document.body, { key: 'j' });
  expect(router.place()).toMatchObject({ path: '/desk/requests/contacts-7', search: '?kind=contacts' });
});

it('an earlier link that names a request in its query leads to the page of the case', async () => {
  const { router } = open('/desk/requests?request=transfers-3');
  await waitFor(() => expect(router.place()).toMatchObject({ path: '/desk/requests/transfers-3', search: '' }));
});

it('the list says who has a request and until when it is promised, and the server sorts and filters by both', async () => {
  const { router, all } = open('/desk/requests', [row({ handler: 'Stan Petrov', dueAt: '2026-11-24T09:00:00Z' }), second]);
  const asked = () => (all.findLast(({ endpoint }) => endpoint === 'staff.desk.listRequests')!.input as { query: object }).query;
  expect(await screen.findByText('Stan Petrov')).toBeTruthy();
  expect(screen.getByText('unassigned')).toBeTruthy();
  expect(screen.getByText('24 Nov 2026')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Due' }));
  await waitFor(() => expect(asked()).toMatchObject({ sort: 'due', direction: 'asc' }));
  fireEvent.click(screen.getByRole('button', { name: 'Due' }));
  await waitFor(() => expect(asked()).toMatchObject({ sort: 'due', direction: 'desc' }));
  fireEvent.change(screen.getByLabelText('Who has it'), { target: { value: 'none' } });
  await waitFor(() => expect(asked()).toMatchObject({ handler: 'none', sort: 'due' }));
  expect(router.place().search).toBe('?sort=due&direction=desc&handler=none');
});

it('a case that waits for someone else’s confirmation is passed over, and one of the reader says so', async () => {
  const waiting = row({ second: { proposedBy: 'Stan Petrov', isMine: false, mayConfirm: false } });
  const confirming = row({ requestId: '9', asked: 'Remove Tess', second: { proposedBy: 'Stan Petrov', isMine: false, mayConfirm: true } });
  const { router } = open('/desk/requests', [waiting, confirming]);
  expect(await screen.findByText('Waiting for a second person')).toBeTruthy();
  expect(screen.getByText('Yours to confirm')).toBeTruthy();
  expect(screen.getAllByText('Stan Petrov approved it')).toHaveLength(2);
  fireEvent.keyDown(document.body, { key: 'j' });
  expect(router.place().path).toBe('/desk/requests/contacts-9');
});

it('every choice of a filter says how many requests it shows', async () => {
  open();
  await screen.findByText('Remove Bill Okonkwo');
  for (const choice of [
    'Unassigned (1)',
    'Waiting for a second person (1)',
    'Corporate contacts (2)',
    'In review (0)',
    'A week or older (1)',
    'Approved',
  ])
    expect(screen.getByRole('option', { name: choice })).toBeTruthy();
});
