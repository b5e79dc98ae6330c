import { PageFrame } from '@portal/app-kit';
import type { FrozenLogin } from '@portal/contract/identity/frozen-logins';
import { pages } from '@portal/contract/pages';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { type Answer, aPerson, aRouter, aSession, show } from '@portal/app-kit/testing';
import FindPersonPage from './FindPersonPage.tsx';

const corin: FrozenLogin = {
  username: 'corin',
  fullName: 'Corin Achterberg',
  email: 'corin@example-au.example',
  staff: false,
  frozenAt: '2026-11-20T09:00:00Z',
  frozenEmail: 'corin@example-au.example',
  notice: {
    subject: 'Details of Tilda Marchetti in EXAMPLE-AU changed',
    mailedTo: 'watch@example-au.example',
    at: '2026-11-20T08:00:00Z',
    accountName: 'EXAMPLE-AU',
  },
  accounts: ['EXAMPLE-AU'],
};

function open(rows: FrozenLogin[], thawing?: Answer) {
  const shown = show(
    <PageFrame page={pages.deskPeople}>
      <FindPersonPage />
    </PageFrame>,
    {
      router: aRouter('/desk/people'),
      session: aSession({ account: null, person: aPerson({ userId: 'stella', staff: true, mfa: true }) }),
      answer: ({ endpoint }) =>
        endpoint === 'identity.frozenLogins.listFrozenLogins' ? { status: 200, data: { rows } } : (thawing ?? { status: 204 }),
    },
  );
  const sent = () => shown.sent.filter(({ endpoint }) => endpoint === 'identity.frozenLogins.unfreezeLogin').map(({ input }) => input);
  return { ...shown, sent };
}

it('a frozen login says since when and by which e-mail, and is given back with how its person was recognised', async () => {
  const errors = [{ code: 'SECOND_PERSON', message: 'This waits for a second person. Stan Petrov can approve it', traceId: 't' }];
  const { sent } = open([corin], { status: 409, errors });
  const list = within(await screen.findByRole('list', { name: 'Frozen logins' }));
  expect(list.getByText('Details of Tilda Marchetti in EXAMPLE-AU changed')).toBeTruthy();
  expect(list.getByText('watch@example-au.example')).toBeTruthy();
  fireEvent.click(list.getByText('Unfreeze'));
  const form = within(screen.getByRole('form', { name: 'Unfreeze the login of Corin Achterberg' }));
  fireEvent.click(form.getByText('Unfreeze'));
  expect(form.getByText('Enter how you verified the person')).toBeTruthy();
  expect(sent()).toEqual([]);
  fireEvent.change(form.getByLabelText('How you verified the person'), { target: { value: 'Called the number we know' } });
  fireEvent.click(form.getByText('Unfreeze'));
  // A second person approves it: the form is done with.
  await waitFor(() => expect(screen.queryByRole('form', { name: /Give back/ })).toBeNull());
  expect(sent()).toEqual([{ username: 'corin', body: { reason: 'Called the number we know' } }]);
});

it('without frozen logins the section is hidden', async () => {
  open([]);
  expect(await screen.findByLabelText('E-mail address or name')).toBeTruthy();
  expect(screen.queryByText(/frozen/)).toBeNull();
});
