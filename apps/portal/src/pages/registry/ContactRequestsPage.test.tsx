import { keepInterruptedCall, PageFrame } from '@portal/app-kit';
import { pages } from '@portal/contract/pages';
import type { RegistryRequest } from '@portal/contract/registry-requests';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { type Answer, aPerson, aRouter, aSession, show } from '../../../../../packages/app-kit/test/member.tsx';
import ContactRequestsPage from './ContactRequestsPage.tsx';

const aRequest = (given: Partial<RegistryRequest> = {}): RegistryRequest => ({
  requestId: '7',
  kind: 'CHANGE_ROLE',
  status: 'PENDING',
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
  ...given,
});
const approved = aRequest({ status: 'APPROVED', resolvedBy: 'Stella Kowalski', resolvedAt: '2026-11-21T09:00:00Z' });

function open(rows: RegistryRequest[], { at = '/staff/requests', deciding }: { at?: string; deciding?: Answer } = {}) {
  let decided = false;
  const router = aRouter(at);
  const shown = show(
    <PageFrame page={pages.contactRequests}>
      <ContactRequestsPage />
    </PageFrame>,
    {
      router,
      session: aSession({ account: null, person: aPerson({ userId: 'stella', staff: true }) }),
      answer({ endpoint }) {
        if (endpoint === 'contacts.listContacts')
          return { status: 200, data: { rows: [{ contactId: 'c2', fullName: 'Corin Achterberg', email: 'corin@example.net' }], total: 1 } };
        if (endpoint === 'registryRequests.listRegistryRequests')
          return { status: 200, data: { rows: decided ? [] : rows, total: decided ? 0 : rows.length } };
        decided = true;
        return deciding ?? { status: 200, data: approved };
      },
    },
  );
  const sent = (verb: string) =>
    shown.asked.filter(({ endpoint }) => endpoint === `registryRequests.${verb}RegistryRequest`).map(({ input }) => input);
  return { ...shown, router, sent };
}
const panel = () => within(screen.getByRole('complementary'));

it('a request opens beside the queue, under an address of its own: what changes, why, and who speaks for the member today', async () => {
  const { router } = open([aRequest()]);
  fireEvent.click(await screen.findByText('Make corporate contact'));
  expect(router.place().search).toBe('?request=7');
  expect(panel().getByText('technical contact')).toBeTruthy();
  expect(panel().getByText('corporate contact')).toBeTruthy();
  expect(panel().getByText('Deputy')).toBeTruthy();
  expect(await panel().findByText('Corin Achterberg')).toBeTruthy();
});

it('approving is asked about once more, says what it does, and shows the decision', async () => {
  const { sent } = open([aRequest()], { at: '/staff/requests?request=7' });
  fireEvent.click(await screen.findByText('Approve'));
  const dialog = within(await screen.findByRole('alertdialog'));
  expect(dialog.getByText('Tess Lindqvist speaks for EXAMPLE-AU from now on and holds every permission.')).toBeTruthy();
  expect(sent('approve')).toEqual([]);
  fireEvent.change(dialog.getByLabelText(/Note/), { target: { value: 'Letter of 3 November' } });
  fireEvent.click(dialog.getByText('Approve'));
  expect(await screen.findByText(/Approved by Stella Kowalski/)).toBeTruthy();
  expect(sent('approve')).toEqual([{ requestId: '7', body: { note: 'Letter of 3 November' } }]);
  expect(await screen.findByText('Nothing waits')).toBeTruthy();
  expect(panel().queryByText('Approve')).toBeNull();
});

it('refusing needs a reason', async () => {
  const { sent } = open([aRequest()], {
    at: '/staff/requests?request=7',
    deciding: { status: 200, data: { ...approved, status: 'REFUSED', note: 'No letter' } },
  });
  fireEvent.click(await screen.findByText('Refuse'));
  const dialog = within(await screen.findByRole('alertdialog'));
  fireEvent.click(dialog.getByText('Refuse'));
  expect(dialog.getByText('Write the reason: the member reads it')).toBeTruthy();
  expect(sent('refuse')).toEqual([]);
  fireEvent.change(dialog.getByLabelText(/Reason/), { target: { value: 'No letter' } });
  fireEvent.click(dialog.getByText('Refuse'));
  expect(await screen.findByText(/Refused by Stella Kowalski/)).toBeTruthy();
});

it.each([
  [{ kind: 'REMOVE' as const, otherCorporateContacts: 0 }, /is the only corporate contact with a login/],
  [{ contactTypes: ['billing' as const], otherCorporateContacts: 0 }, /is the only corporate contact with a login/],
  [{ accountStatus: 'closed' }, 'EXAMPLE-AU is closed'],
])('what cannot be approved says why: %o', async (given, words) => {
  open([aRequest(given)], { at: '/staff/requests?request=7' });
  fireEvent.click(await screen.findByText('Approve'));
  expect(panel().getByText(words)).toBeTruthy();
  expect(screen.queryByRole('alertdialog')).toBeNull();
});

it('a colleague was quicker: it says who, and shows what was decided', async () => {
  const errors = [{ code: 'ALREADY_RESOLVED', message: 'The request was resolved already', traceId: 't' }];
  const deciding = { status: 409, errors, current: { ...approved, resolvedBy: 'Steve' } } as Answer;
  open([aRequest()], { at: '/staff/requests?request=7', deciding });
  fireEvent.click(await screen.findByText('Approve'));
  fireEvent.click(within(await screen.findByRole('alertdialog')).getByText('Approve'));
  expect(await screen.findByText('Steve decided this request already.')).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(panel().getByText(/Approved by Steve/)).toBeTruthy();
});

it('an approval that had to wait for a second factor is done when the page is back', async () => {
  const input = { requestId: '7', body: { note: '' } };
  keepInterruptedCall({
    endpoint: 'registryRequests.approveRegistryRequest',
    input,
    userId: 'stella',
    path: '/staff/requests',
    at: Date.now(),
  });
  const { sent } = open([aRequest()], { at: '/staff/requests?request=7' });
  await waitFor(() => expect(sent('approve')).toEqual([input]));
  expect(await screen.findByText(/Approved by Stella Kowalski/)).toBeTruthy();
});

it('the search stands in the address, and one that finds nothing can be cleared', async () => {
  const { router, asked } = open([], { at: '/staff/requests?q=nobody&page=2' });
  fireEvent.click(await screen.findByText('Show all'));
  expect(router.place().search).toBe('');
  await waitFor(() => expect(asked.map(({ input }) => (input as { query: { q: string } }).query.q)).toEqual(['nobody', '']));
});
