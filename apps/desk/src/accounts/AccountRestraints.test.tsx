import { PageFrame } from '@portal/app-kit';
import { aPerson, aSession, show } from '@portal/app-kit/testing';
import { pages } from '@portal/contract/pages';
import type { AccountRestraints as Answer, Restraint } from '@portal/contract/restraints/restraints';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, it } from 'vitest';
import { WriteInPlace } from '../shell/WriteButton.tsx';
import { AccountRestraints } from './AccountRestraints.tsx';

const held: Restraint = {
  restraintId: '4',
  kind: 'hold',
  reason: 'forgery',
  state: 'in-force',
  memberText: 'We are looking at a document that you sent.',
  setBy: 'Stella Kowalski',
  confirmedBy: null,
  setAt: '2026-11-30T02:00:00.000Z',
  beginsAt: '2026-11-30T02:00:00.000Z',
  endsAt: '2026-12-06T14:00:00.000Z',
  endedAt: null,
  liftedBy: null,
  liftReason: '',
};

function open(given: Partial<Answer> = {}, message: ReactNode = null) {
  const data: Answer = {
    accountName: 'EXAMPLE-AU',
    open: [],
    earlier: [],
    waiting: [{ reference: 'REQ-7', what: 'Transfer of 198.51.100.0/24', otherParty: 'OTHER-SG', link: '/desk/requests/transfers-7' }],
    told: ['Corin Reyes', 'Max Ito', 'Ann Lee'],
    noticeEndsOn: '2026-12-14',
    holdEndsBy: '2026-12-14',
    today: '2026-11-30',
    holdNeedsSecond: false,
    ...given,
  };
  return show(
    <PageFrame page={pages.deskAccount}>
      <AccountRestraints accountName="EXAMPLE-AU" message={message} />
    </PageFrame>,
    {
      session: aSession({
        account: null,
        person: aPerson({ userId: 'stella', staff: true, mfa: true, staffPermissions: ['accounts', 'memberships', 'transfers'] }),
      }),
      answer: ({ endpoint }) => ({
        status: 200,
        data: endpoint === 'proposals.listStaffProposals' ? { waiting: [], decided: [] } : data,
      }),
    },
  );
}

it('a hold says which cases wait and who is notified, and is sent with its day and its text', async () => {
  const { sent } = open();
  fireEvent.click(await screen.findByLabelText('Hold'));
  expect(screen.getByText('REQ-7').getAttribute('href')).toBe('/desk/requests/transfers-7');
  expect(screen.getByText(/OTHER-SG is notified, without the reason/)).toBeTruthy();
  expect(screen.getByText(/Goes to Corin Reyes and 2 others/)).toBeTruthy();
  fireEvent.click(screen.getByText('Put EXAMPLE-AU on hold'));
  expect((await screen.findAllByText(/Enter what the member reads/)).length).toBeGreaterThan(0);
  fireEvent.change(screen.getByLabelText('What the member reads'), { target: { value: 'Nothing moves until we have spoken.' } });
  fireEvent.click(screen.getByText('Put EXAMPLE-AU on hold'));
  await waitFor(() =>
    expect(sent).toContainEqual({
      endpoint: 'restraints.setRestraint',
      input: {
        accountName: 'EXAMPLE-AU',
        body: { kind: 'hold', reason: 'hijack', endsOn: '2026-12-07', memberText: 'Nothing moves until we have spoken.' },
      },
    }),
  );
});

it('a restriction asks for a second person, with its notice unless a hijack is suspected; a suspension can’t be chosen', async () => {
  open();
  fireEvent.click(await screen.findByLabelText('Restrict'));
  expect(screen.getByText('Ask a second person: restrict EXAMPLE-AU')).toBeTruthy();
  expect(screen.queryByText(/14 days after the notice/)).toBeNull();
  fireEvent.change(screen.getByLabelText('Reason'), { target: { value: 'contacts' } });
  expect(screen.getByText(/14 days after the notice/)).toBeTruthy();
  expect(screen.queryByLabelText('Suspend')).toBeNull();
  expect(screen.getAllByRole('radio')).toHaveLength(3);
});

it('a hold soon after another takes a second person', async () => {
  open({ holdNeedsSecond: true });
  fireEvent.click(await screen.findByLabelText('Hold'));
  expect(screen.getByText('Ask a second person: hold EXAMPLE-AU')).toBeTruthy();
});

it('a hold in force is lifted with a reason', async () => {
  const { sent } = open({ open: [held] });
  expect(await screen.findByText('We are looking at a document that you sent.')).toBeTruthy();
  fireEvent.click(screen.getByText('Lift the hold'));
  const dialog = within(await screen.findByRole('dialog'));
  fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'The document is genuine' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Lift the hold' }));
  await waitFor(() =>
    expect(sent).toContainEqual({
      endpoint: 'restraints.liftRestraint',
      input: { accountName: 'EXAMPLE-AU', restraintId: '4', body: { reason: 'The document is genuine' } },
    }),
  );
});

const corin = {
  contactId: '7',
  fullName: 'Corin Reyes',
  email: 'corin@example.net',
  contactTypes: ['corporate' as const],
  status: 'active' as const,
  hasLogin: true,
  lastSignInAt: null,
  loginSince: null,
  votes: true,
  secondFactor: true,
  passkey: false,
  passwordAlone: false,
};

it('the act of contacting has its message on the page, and sends it as a ticket', async () => {
  const account = { accountName: 'EXAMPLE-AU', accountStatus: 'open' as const };
  const { sent } = open({}, <WriteInPlace sheet={{ account, contacts: [corin as never] }} />);
  fireEvent.click(await screen.findByRole('button', { name: 'Write a message' }));
  const form = within(await screen.findByRole('form', { name: 'Message to EXAMPLE-AU' }));
  fireEvent.click(form.getByRole('button', { name: 'Send the message' }));
  expect((await form.findAllByText('Enter your message')).length).toBeGreaterThan(0);
  fireEvent.change(form.getByLabelText('Subject'), { target: { value: 'Your contacts' } });
  fireEvent.change(form.getByLabelText('Message'), { target: { value: 'Please confirm them.' } });
  fireEvent.click(form.getByRole('button', { name: 'Send the message' }));
  await waitFor(() =>
    expect(sent).toContainEqual({
      endpoint: 'tickets.openStaffTicket',
      input: {
        accountName: 'EXAMPLE-AU',
        body: expect.objectContaining({ to: '7', subject: 'Your contacts', text: 'Please confirm them.' }),
      },
    }),
  );
});

it('an account that no one can be written to says why in place of the message', async () => {
  open({}, <WriteInPlace sheet={{ account: { accountName: 'EXAMPLE-AU', accountStatus: 'closed' }, contacts: [] }} />);
  fireEvent.click(await screen.findByRole('button', { name: 'Write a message' }));
  expect(await screen.findByText('The account is closed, so its people could not answer.')).toBeTruthy();
  expect(screen.queryByRole('form', { name: 'Message to EXAMPLE-AU' })).toBeNull();
});
