import { PageFrame } from '@portal/app-kit';
import { type Answer, aPerson, aRouter, aSession, show } from '@portal/app-kit/testing';
import type { RegistryRequest } from '@portal/contract/contacts/registry-requests';
import { pages } from '@portal/contract/pages';
import type { DeskRequest } from '@portal/contract/staff/desk';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
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
  ...given,
});
const second = row({ requestId: '8', asked: 'Remove Bill Okonkwo' });
const request: RegistryRequest = {
  requestId: '7',
  kind: 'change-role',
  status: 'pending',
  accountName: 'EXAMPLE-AU',
  orgName: 'Example Networks Pty Ltd',
  accountStatus: 'open',
  contact: { contactId: 'c1', name: 'Tess Lindqvist', email: 'tess@example.net', position: '', phone: '', contactTypes: ['technical'] },
  contactTypes: ['corporate'],
  reason: 'Deputy',
  requestedBy: 'Corin Achterberg',
  requestedAt: '2026-11-20T09:00:00Z',
  otherCorporateContacts: 1,
  resolvedBy: null,
  resolvedAt: null,
  note: null,
};
const approved: RegistryRequest = { ...request, status: 'approved', resolvedBy: 'Stella Kowalski', resolvedAt: '2026-11-21T09:00:00Z' };

function open(
  at = '/desk/requests',
  { deciding, one = request, listed = [row(), second] }: { deciding?: Answer; one?: RegistryRequest; listed?: DeskRequest[] } = {},
) {
  const router = aRouter(at);
  let rows = listed;
  const shown = show(
    <PageFrame page={pages.deskRequests}>
      <RequestsPage />
    </PageFrame>,
    {
      router,
      session: aSession({ account: null, person: aPerson({ userId: 'stella', staff: true }) }),
      answer({ endpoint }) {
        if (endpoint === 'staff.desk.listRequests')
          return {
            status: 200,
            data: { rows, total: rows.length, waiting: { applications: 0, contacts: rows.length, organisations: 0, closures: 0 } },
          };
        if (endpoint === 'staff.queues.listQueues') return { status: 200, data: { queues: [], workload: [] } };
        if (endpoint === 'staff.replyTemplates.listReplyTemplates') return { status: 200, data: { templates: [] } };
        if (endpoint === 'contacts.registryRequests.getRegistryRequest') return { status: 200, data: one };
        if (endpoint === 'staff.desk.getAccountSheet') return { status: 200, data: { contacts: [] } };
        rows = [second];
        return deciding ?? { status: 200, data: approved };
      },
    },
  );
  const sent = (verb: string) =>
    shown.sent.filter(({ endpoint }) => endpoint === `contacts.registryRequests.${verb}RegistryRequest`).map(({ input }) => input);
  return { ...shown, router, sent, all: shown.sent };
}
const panel = () => within(screen.getByRole('complementary'));

it('j and k move through the queue, each request has an address of its own, and Escape closes it', async () => {
  const { router } = open();
  await screen.findByText('Remove Bill Okonkwo');
  fireEvent.keyDown(document.body, { key: 'j' });
  expect(router.place().search).toBe('?request=contacts-7');
  fireEvent.keyDown(document.body, { key: 'j' });
  expect(router.place().search).toBe('?request=contacts-8');
  fireEvent.keyDown(document.body, { key: 'j' });
  expect(router.place().search).toBe('?request=contacts-8');
  fireEvent.keyDown(document.body, { key: 'k' });
  expect(router.place().search).toBe('?request=contacts-7');
  fireEvent.keyDown(screen.getByRole('searchbox'), { key: 'j' });
  expect(router.place().search).toBe('?request=contacts-7');
  fireEvent.keyDown(document.body, { key: 'Escape' });
  expect(router.place().search).toBe('');
});

it('approving says what it does before it is meant, then shows the decision and counts it', async () => {
  const { sent } = open('/desk/requests?request=contacts-7');
  fireEvent.click(await screen.findByText('Approve'));
  expect(panel().getByText('Tess Lindqvist acts for EXAMPLE-AU from now on and has every permission.')).toBeTruthy();
  expect(sent('approve')).toEqual([]);
  fireEvent.change(panel().getByLabelText(/Note/), { target: { value: 'Letter of 3 November' } });
  fireEvent.click(panel().getByText('Approve'));
  expect(await screen.findByText(/Approved by Stella Kowalski/)).toBeTruthy();
  expect(sent('approve')).toEqual([{ requestId: '7', body: { note: 'Letter of 3 November' } }]);
  expect(screen.getByText('One decided by you just now')).toBeTruthy();
  expect(panel().queryByText('Reject')).toBeNull();
});

it('refusing needs a reason', async () => {
  const { sent } = open('/desk/requests?request=contacts-7');
  fireEvent.click(await screen.findByText('Reject'));
  fireEvent.click(panel().getByText('Reject'));
  expect(panel().getByText('Enter a reason. The member sees it.')).toBeTruthy();
  expect(sent('refuse')).toEqual([]);
});

it('a request that cannot be approved says why', async () => {
  open('/desk/requests?request=contacts-7', { one: { ...request, kind: 'remove', otherCorporateContacts: 0 } });
  fireEvent.click(await screen.findByText('Approve'));
  expect(panel().getByText(/is the only corporate contact with a login/)).toBeTruthy();
  expect(panel().queryByLabelText(/Note/)).toBeNull();
});

it('a colleague was quicker: it says who, and shows what they decided', async () => {
  const errors = [{ code: 'ALREADY_RESOLVED', message: 'The request was resolved already', traceId: 't' }];
  open('/desk/requests?request=contacts-7', { deciding: { status: 409, errors, current: { ...approved, resolvedBy: 'Steve' } } as Answer });
  fireEvent.click(await screen.findByText('Approve'));
  fireEvent.click(panel().getByText('Approve'));
  expect(await screen.findByText('Steve already resolved it.')).toBeTruthy();
  await waitFor(() => expect(panel().getByText(/Approved by Steve/)).toBeTruthy());
});

it('the list says who has a request and until when it is promised, and the server sorts and filters by both', async () => {
  const { router, all } = open('/desk/requests', {
    listed: [row({ handler: 'Stan Petrov', dueAt: '2026-11-24T09:00:00Z' }), second],
  });
  const asked = () => (all.findLast(({ endpoint }) => endpoint === 'staff.desk.listRequests')!.input as { query: object }).query;
  expect(await screen.findByText('Stan Petrov')).toBeTruthy();
  expect(screen.getByText('no one yet')).toBeTruthy();
  expect(screen.getByText('24 Nov 2026')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Due' }));
  await waitFor(() => expect(asked()).toMatchObject({ sort: 'due', direction: 'asc' }));
  fireEvent.click(screen.getByRole('button', { name: 'Due' }));
  await waitFor(() => expect(asked()).toMatchObject({ sort: 'due', direction: 'desc' }));
  fireEvent.change(screen.getByLabelText('Who has it'), { target: { value: 'none' } });
  await waitFor(() => expect(asked()).toMatchObject({ handler: 'none', sort: 'due' }));
  expect(router.place().search).toBe('?sort=due&direction=desc&handler=none');
});
