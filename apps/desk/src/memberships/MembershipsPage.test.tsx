import { PageFrame } from '@portal/app-kit';
import type { MembershipPlan } from '@portal/contract/billing/memberships';
import { pages } from '@portal/contract/pages';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { aPerson, aRouter, aSession, show } from '@portal/app-kit/testing';
import MembershipsPage from './MembershipsPage.tsx';

const plan: MembershipPlan = {
  today: '2026-11-22',
  until: '2027-02-20',
  counts: [
    { day: '2026-11-22', step: 'suspension', accounts: 2 },
    { day: '2026-12-01', step: 'reminder', accounts: 14 },
  ],
  endings: [
    {
      accountName: 'OTHER-SG',
      orgName: 'Other Net',
      step: 'suspension',
      day: '2026-11-20',
      invoice: { number: 'INV-2026-000002', currency: 'AUD', balance: '1180.00' },
      held: true,
      waitsFor: null,
    },
  ],
  holidays: [],
  endingCount: 1,
  hold: { holdId: '4', since: '2026-11-22', reason: 'outage', lastRun: '2026-11-12' },
};

it('shows what waits and why, and releases it with more time', async () => {
  const sent: unknown[] = [];
  show(
    <PageFrame page={pages.deskMemberships}>
      <MembershipsPage />
    </PageFrame>,
    {
      router: aRouter('/desk/memberships'),
      session: aSession({ account: null, person: aPerson({ userId: 'stella', staff: true }) }),
      answer: ({ endpoint, input }) => {
        if (endpoint === 'billing.memberships.releaseHold') sent.push(input);
        return { status: 200, data: plan };
      },
    },
  );
  expect(await screen.findByText(/did not run for some days/)).toBeTruthy();
  const row = screen.getByRole('row', { name: /OTHER-SG/ });
  expect(within(row).getByText('Account suspended, waits')).toBeTruthy();
  expect(within(row).getByText('AUD 1 180.00')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Release' }));
  const dialog = await screen.findByRole('alertdialog');
  expect(within(dialog).getByText(/1 account is suspended and 0 are closed/)).toBeTruthy();
  await userEvent.type(within(dialog).getByLabelText(/more time until/), '2026-12-20');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Release' }));
  expect(sent).toEqual([expect.objectContaining({ holdId: '4', body: { extendUntil: '2026-12-20' } })]);
});
