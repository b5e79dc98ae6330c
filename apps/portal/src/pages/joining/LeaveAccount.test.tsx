import type { Contact } from '@portal/contract/contacts/contacts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { type Answer, anAccount, show } from '@portal/app-kit/testing';
import { LeaveAccount } from './LeaveAccount.tsx';

const corporate = (given: Partial<Contact>): Partial<Contact> => ({
  status: 'active',
  contactTypes: ['corporate'],
  isMe: false,
  registryRequest: null,
  ...given,
});
const asked = (kind: 'remove' | 'change-role') =>
  ({
    kind,
    contactTypes: kind === 'remove' ? ['corporate'] : ['billing'],
    requestedAt: '2026-11-20T09:00:00Z',
    requestedBy: 'Mara',
  }) as const;

function open(contactTypes: readonly ('corporate' | 'technical')[], rows: Partial<Contact>[], leaving?: Answer) {
  const onClose = vi.fn();
  const notices: string[] = [];
  const shown = show(<LeaveAccount account={anAccount({ contactTypes: [...contactTypes] })} onClose={onClose} />, {
    kit: { notify: ({ text }) => notices.push(text) },
    answer: ({ endpoint }) =>
      endpoint === 'contacts.leaveAccount' && leaving ? leaving : { status: 200, data: { rows, total: rows.length } },
  });
  return { ...shown, onClose, notices, sent: () => shown.sent.filter(({ endpoint }) => endpoint === 'contacts.leaveAccount') };
}

it('a technical contact leaves immediately, with the reason given', async () => {
  const { sent, notices, onClose } = open(['technical'], [], { status: 200, data: { removed: true } });
  expect(await screen.findByText(/You lose access to EXAMPLE-AU immediately/)).toBeTruthy();
  fireEvent.change(screen.getByLabelText(/Reason/), { target: { value: 'New job' } });
  fireEvent.click(screen.getByText('Leave the account'));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(sent()).toMatchObject([{ input: { account: 'EXAMPLE-AU', body: { reason: 'New job' } } }]);
  expect(notices).toEqual(['You left EXAMPLE-AU.']);
});

it('a corporate contact who isn’t the last asks the registry, and stays until it has decided', async () => {
  const rows = [corporate({ isMe: true }), corporate({})];
  const { notices } = open(['corporate'], rows, { status: 202, data: { removed: false, words: 'The registry was asked.' } });
  fireEvent.click(await screen.findByText('Ask the registry'));
  await waitFor(() => expect(notices).toEqual(['The registry was asked.']));
});

it.each([
  ['alone', [corporate({ isMe: true })]],
  [
    'beside one who is leaving',
    [corporate({ isMe: true }), corporate({ registryRequest: { ...asked('remove'), contactTypes: ['corporate'] } })],
  ],
  [
    'beside one who is to be billing contact',
    [corporate({ isMe: true }), corporate({ registryRequest: { ...asked('change-role'), contactTypes: ['billing'] } })],
  ],
  ['beside one who was only invited', [corporate({ isMe: true }), corporate({ status: 'invited' })]],
])('a corporate contact %s sees what has to be done first', async (_, rows) => {
  const { sent } = open(['corporate'], rows);
  expect(await screen.findByText('You are the only corporate contact.')).toBeTruthy();
  expect(screen.getByText('Account contacts').getAttribute('href')).toContain('/member-account-settings/account-contacts');
  expect(screen.queryByText('Ask the registry')).toBeNull();
  expect(sent()).toEqual([]);
});

it('an earlier request to the registry is shown', async () => {
  const mine = corporate({ isMe: true, registryRequest: { ...asked('remove'), contactTypes: ['corporate'] } });
  open(['corporate'], [mine, corporate({})]);
  expect(await screen.findByText('The registry hasn’t decided yet.')).toBeTruthy();
  expect(screen.queryByText('Ask the registry')).toBeNull();
});

it('a contact who has become the last one gets the same message', async () => {
  const errors = [{ code: 'LAST_CORPORATE_CONTACT', message: 'At least one corporate contact is required', traceId: 't' }];
  open(['corporate'], [corporate({ isMe: true }), corporate({})], { status: 409, errors });
  fireEvent.click(await screen.findByText('Ask the registry'));
  expect(await screen.findByText('You are the only corporate contact.')).toBeTruthy();
});
