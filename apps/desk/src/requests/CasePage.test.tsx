import { PageFrame } from '@portal/app-kit';
import { type Answer, aPerson, aRouter, aSession, show } from '@portal/app-kit/testing';
import type { RegistryRequest } from '@portal/contract/contacts/registry-requests';
import { pages } from '@portal/contract/pages';
import type { CaseNotes } from '@portal/contract/staff/cases';
import type { DeskRequest } from '@portal/contract/staff/desk';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import CasePage from './CasePage.tsx';

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
const third = row({ requestId: '9', asked: 'Remove Tess Lindqvist' });
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

const notes: CaseNotes = {
  case: {
    kind: 'contacts',
    caseId: '7',
    reference: null,
    asked: 'Make Tess Lindqvist corporate contact',
    accountName: 'EXAMPLE-AU',
    orgName: 'Example Networks Pty Ltd',
    state: 'submitted',
    isOpen: true,
    requestedBy: 'Corin Achterberg',
    requestedAt: '2026-11-20T09:00:00Z',
    handler: null,
    second: null,
  },
  watchers: [],
  watching: false,
  reminders: [],
  links: [],
  handOvers: [],
  steps: [],
  marks: [],
  handlerId: null,
  colleagues: [],
};

function open(
  at = '/desk/requests/contacts-7',
  { deciding, one = request, listed = [row(), second, third] }: { deciding?: Answer; one?: RegistryRequest; listed?: DeskRequest[] } = {},
) {
  const router = aRouter(at);
  let rows = listed;
  let kept = notes;
  const shown = show(
    <PageFrame page={pages.deskCase}>
      <CasePage />
    </PageFrame>,
    {
      router,
      session: aSession({ account: null, person: aPerson({ userId: 'stella', staff: true }) }),
      answer({ endpoint }) {
        if (endpoint === 'staff.desk.listRequests') return { status: 200, data: { rows, total: rows.length, waiting: {}, late: 0 } };
        if (endpoint === 'staff.cases.getCase') return { status: 200, data: kept };
        if (endpoint === 'staff.cases.watchCase') {
          kept = { ...notes, watching: true, watchers: [{ loginId: 'stella', name: 'Stella Kowalski' }] };
          return { status: 200, data: kept };
        }
        if (endpoint === 'staff.replyTemplates.listReplyTemplates') return { status: 200, data: { templates: [] } };
        if (endpoint === 'contacts.registryRequests.getRegistryRequest') return { status: 200, data: one };
        if (endpoint === 'staff.desk.getAccountSheet') return { status: 200, data: { contacts: [] } };
        rows = rows.filter(({ requestId }) => requestId !== '7');
        return deciding ?? { status: 200, data: approved };
      },
    },
  );
  const sent = (verb: string) =>
    shown.sent.filter(({ endpoint }) => endpoint === `contacts.registryRequests.${verb}RegistryRequest`).map(({ input }) => input);
  return { ...shown, router, sent, all: shown.sent };
}
const bar = () => within(screen.getByRole('region', { name: 'Decision' }));
const press = (key: string) => fireEvent.keyDown(document.body, { key });

it('letters lead to the neighbours in the queue with its filters, back to it, and to the account', async () => {
  const { router } = open('/desk/requests/contacts-8?kind=contacts');
  await screen.findByText('2 of 3');
  press('j');
  expect(router.place()).toMatchObject({ path: '/desk/requests/contacts-9', search: '?kind=contacts' });
  press('u');
  expect(router.place()).toMatchObject({ path: '/desk/requests', search: '?kind=contacts' });
});

it('a case that a colleague confirms stands apart, and the keys pass over it', async () => {
  const waiting = row({ requestId: '8', second: { proposedBy: 'Stella Kowalski', isMine: true, mayConfirm: false } });
  const { router } = open('/desk/requests/contacts-7', { listed: [row(), waiting, third] });
  await screen.findByText('1 of 3');
  expect(screen.getByRole('heading', { name: 'Waiting for a second person 1' })).toBeTruthy();
  expect(screen.getByText('by you')).toBeTruthy();
  press('j');
  expect(router.place().path).toBe('/desk/requests/contacts-9');
});

it('opens under the reference that people know it by', async () => {
  const { all } = open('/desk/requests/ORG-7');
  await waitFor(() => expect(all.some(({ endpoint }) => endpoint === 'staff.cases.getCase')).toBe(true));
  expect(all.find(({ endpoint }) => endpoint === 'staff.cases.getCase')?.input).toMatchObject({ kind: 'organisations', caseId: '7' });
});

it('a letter of an act opens its form, Ctrl and Enter sends it, and the way to the next case has the focus', async () => {
  const { sent, router } = open();
  await screen.findByText(/^Approve /);
  press('a');
  expect(bar().getByText('Tess Lindqvist acts for EXAMPLE-AU from now on and has every permission.')).toBeTruthy();
  expect(sent('approve')).toEqual([]);
  const note = bar().getByLabelText(/Note/);
  expect(document.activeElement).toBe(note);
  // Letters in a field are letters.
  fireEvent.keyDown(note, { key: 'j' });
  expect(router.place().path).toBe('/desk/requests/contacts-7');
  fireEvent.change(note, { target: { value: 'Letter of 3 November' } });
  fireEvent.keyDown(note, { key: 'Enter', ctrlKey: true });
  expect(await screen.findByText(/Approved by Stella Kowalski/)).toBeTruthy();
  expect(sent('approve')).toEqual([{ requestId: '7', body: { note: 'Letter of 3 November' } }]);
  expect(bar().queryByText('Reject')).toBeNull();
  const next = bar().getByRole('button', { name: /^Next case/ });
  await waitFor(() => expect(document.activeElement).toBe(next));
  fireEvent.click(next);
  expect(router.place().path).toBe('/desk/requests/contacts-8');
});

it('rejecting needs a reason', async () => {
  const { sent } = open();
  await screen.findByText('Reject');
  press('r');
  fireEvent.click(bar().getByText('Reject'));
  expect(bar().getByText('Enter a reason. The member sees it.')).toBeTruthy();
  expect(sent('refuse')).toEqual([]);
});

it('a request that cannot be approved says why, also in its checks', async () => {
  const contact = { ...request.contact, contactTypes: ['corporate' as const] };
  open('/desk/requests/contacts-7', { one: { ...request, contact, kind: 'remove', otherCorporateContacts: 0 } });
  await screen.findByText(/^Approve /);
  press('a');
  expect(bar().getByText(/is the only corporate contact with a login/)).toBeTruthy();
  expect(bar().queryByLabelText(/Note/)).toBeNull();
  expect(within(screen.getByRole('table')).getByText('Not met')).toBeTruthy();
});

it('a person loses access to a closed account, in which nothing else changes', async () => {
  const closed = { ...request, accountStatus: 'closed' };
  const { sent } = open('/desk/requests/contacts-7', { one: { ...closed, kind: 'remove' } });
  fireEvent.click(await screen.findByText(/^Approve /));
  fireEvent.click(bar().getByText(/^Approve /));
  await waitFor(() => expect(sent('approve')).toHaveLength(1));
  cleanup();
  open('/desk/requests/contacts-7', { one: closed });
  await screen.findByText(/^Approve /);
  press('a');
  expect(bar().getByText('EXAMPLE-AU is closed')).toBeTruthy();
});

it('a colleague was quicker: it says who, and shows what they decided', async () => {
  const errors = [{ code: 'ALREADY_RESOLVED', message: 'The request was resolved already', traceId: 't' }];
  open('/desk/requests/contacts-7', { deciding: { status: 409, errors, current: { ...approved, resolvedBy: 'Steve' } } as Answer });
  fireEvent.click(await screen.findByText(/^Approve /));
  fireEvent.click(bar().getByText(/^Approve /));
  expect(await screen.findByText('Steve already resolved it.')).toBeTruthy();
  await waitFor(() => expect(screen.getByText(/Approved by Steve/)).toBeTruthy());
});

it('a letter watches the case', async () => {
  const { all } = open();
  await screen.findByText('No one watches it.');
  press('w');
  expect(await screen.findByText('Watched by Stella Kowalski.')).toBeTruthy();
  expect(all.filter(({ endpoint }) => endpoint === 'staff.cases.watchCase').map(({ input }) => input)).toEqual([
    { kind: 'contacts', caseId: '7', body: { watching: true } },
  ]);
});

it('an address that names no case says so', async () => {
  open('/desk/requests/nonsense');
  expect(await screen.findByText('There is no case at this address')).toBeTruthy();
});
