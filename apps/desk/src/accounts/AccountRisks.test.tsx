import { PageFrame } from '@portal/app-kit';
import { aPerson, aRouter, aSession, show } from '@portal/app-kit/testing';
import { pages } from '@portal/contract/pages';
import type { AccountPicture } from '@portal/contract/staff/account-pictures';
import type { AccountSheet } from '@portal/contract/staff/desk';
import type { EarlierRiskMark, RiskMark } from '@portal/contract/staff/risk-marks';
import type { StaffPermission } from '@portal/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { AccountRisks } from './AccountRisks.tsx';

const mark: RiskMark = {
  riskMarkId: '7',
  title: 'Access asked from a new domain',
  reason: 'Nadia writes from example.net',
  endsOn: '2026-12-24',
  setBy: 'Stella Kowalski',
  setAt: '2026-11-24T09:00:00Z',
};
const person = {
  contactTypes: ['corporate'],
  status: 'active',
  fullName: 'Corin Achterberg',
  passwordAlone: false,
} as unknown as AccountSheet['contacts'][number];

function open({
  marks = [mark],
  earlierMarks = [],
  permissions = ['accounts', 'memberships'],
}: {
  marks?: RiskMark[] | null;
  earlierMarks?: EarlierRiskMark[] | null;
  permissions?: StaffPermission[];
} = {}) {
  const sheet = {
    account: { accountName: 'EXAMPLE-AU', accountStatus: 'open' },
    contacts: [person, { ...person, fullName: 'Tilda Marchetti' }],
    today: '2026-11-30',
    marks,
    earlierMarks,
  } as unknown as AccountSheet;
  const picture = { at: '2026-11-30T01:00:00Z', contacts: null, invoices: null, mailboxes: null } as unknown as AccountPicture;
  const shown = show(
    <PageFrame page={pages.deskAccount}>
      <AccountRisks picture={picture} sheet={sheet} />
    </PageFrame>,
    {
      router: aRouter('/desk/accounts/EXAMPLE-AU'),
      session: aSession({ account: null, person: aPerson({ userId: 'stella', staff: true, staffPermissions: permissions, mfa: true }) }),
      answer: ({ endpoint }) => (endpoint.startsWith('staff.riskMarks') ? { status: 200, data: { marks: [] } } : { status: 204 }),
    },
  );
  return { ...shown, sent: (endpoint: string) => shown.sent.filter(sent => sent.endpoint === endpoint).map(({ input }) => input) };
}

it('a mark is added by keyboard, with a day within a year', async () => {
  const { sent } = open({ marks: [] });
  const user = userEvent.setup();
  const add = await screen.findByRole('button', { name: 'Add mark' });
  expect(screen.getByText(/^No marks/)).toBeTruthy();
  add.focus();
  await user.keyboard('{Enter}');
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('button', { name: 'Add the mark' }));
  expect(dialog.getAllByText('Enter what a colleague has to know').length).toBeGreaterThan(0);
  await user.type(dialog.getByLabelText('Mark'), mark.title);
  await user.type(dialog.getByLabelText('Reason'), mark.reason);
  await user.clear(dialog.getByLabelText('Last day'));
  await user.type(dialog.getByLabelText('Last day'), '1 Dec 2027');
  await user.click(dialog.getByRole('button', { name: 'Add the mark' }));
  expect(dialog.getAllByText('Choose a day from tomorrow to a year from today').length).toBeGreaterThan(0);
  await user.clear(dialog.getByLabelText('Last day'));
  await user.type(dialog.getByLabelText('Last day'), '30 Nov 2027');
  await user.click(dialog.getByRole('button', { name: 'Add the mark' }));
  const body = { title: mark.title, reason: mark.reason, endsOn: '2027-11-30' };
  await waitFor(() => expect(sent('staff.riskMarks.addRiskMark')).toEqual([{ accountName: 'EXAMPLE-AU', body }]));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it('a mark says who set it and until when, and is removed with a reason', async () => {
  const { sent } = open();
  const user = userEvent.setup();
  expect(await screen.findByText(/Set by Stella Kowalski, ends/)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: `Remove the mark ${mark.title}` }));
  const dialog = within(await screen.findByRole('alertdialog'));
  await user.click(dialog.getByRole('button', { name: 'Remove' }));
  expect(dialog.getAllByText('Enter a reason. Only colleagues can find it.').length).toBeGreaterThan(0);
  await user.type(dialog.getByLabelText('Reason'), 'It was her');
  await user.click(dialog.getByRole('button', { name: 'Remove' }));
  await waitFor(() =>
    expect(sent('staff.riskMarks.removeRiskMark')).toEqual([
      { accountName: 'EXAMPLE-AU', riskMarkId: '7', body: { reason: 'It was her' } },
    ]),
  );
});

it('colleagues whose roles don’t let them read marks and change none, and one who is of the account is told why there are none', async () => {
  open({ permissions: ['accounts', 'support'] });
  expect(await screen.findByText(mark.title)).toBeTruthy();
  expect(screen.queryByRole('button')).toBeNull();
  open({ marks: null });
  expect(await screen.findByText(/marks that colleagues set aren’t shown to you/)).toBeTruthy();
});

it('an account with twenty marks says that one has to go first', async () => {
  open({ marks: Array.from({ length: 20 }, (_, count) => ({ ...mark, riskMarkId: String(count), title: `Mark ${count}` })) });
  const add = await screen.findByRole('button', { name: /Add mark/ });
  expect(add.getAttribute('aria-disabled')).toBe('true');
  expect(screen.getByText('An account can have 20 marks. Remove one first.')).toBeTruthy();
});

it('marks that are over are listed with who removed them and why, or that they ended', async () => {
  const over = { removedBy: null, removedAt: null, removalReason: null };
  open({
    marks: [],
    earlierMarks: [
      {
        ...mark,
        ...over,
        riskMarkId: '6',
        title: 'Cards refused',
        removedBy: 'Stan Novak',
        removedAt: '2026-11-25T09:00:00Z',
        removalReason: 'She paid',
      },
      { ...mark, ...over, riskMarkId: '5', title: 'New owner', endsOn: '2026-11-20' },
    ],
  });
  await userEvent.setup().click(await screen.findByText('Earlier marks (2)'));
  const [removed, ended] = screen.getAllByRole('listitem').slice(-2);
  expect(removed!.textContent).toContain('removed by Stan Novak on');
  expect(removed!.textContent).toContain('She paid');
  expect(ended!.textContent).toMatch(/ended on .*20/);
});
