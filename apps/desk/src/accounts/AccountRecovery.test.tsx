import { PageFrame } from '@portal/app-kit';
import { aPerson, aRouter, aSession, show } from '@portal/app-kit/testing';
import { pages } from '@portal/contract/pages';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { mistakeHref } from '../shell/mistake-link.ts';
import { AccountRecovery } from './AccountRecovery.tsx';

function open(resources: string[], at = '/desk/accounts/EXAMPLE-AU') {
  const router = aRouter(at);
  const shown = show(
    <PageFrame page={pages.deskAccount}>
      <AccountRecovery accountName="EXAMPLE-AU" own={false} />
    </PageFrame>,
    {
      router,
      session: aSession({ account: null, person: aPerson({ userId: 'stella', staff: true, mfa: true }) }),
      answer: ({ endpoint }) => ({
        status: 200,
        data:
          endpoint === 'requests.recoveries.openRecovery'
            ? { requestId: '9', reference: 'REQ-9', noticeUntil: '2027-01-31' }
            : { resources, noticeDays: { unpaid: 30, breach: 30, fraud: 7, unreachable: 60, mistake: 7 } },
      }),
    },
  );
  return { ...shown, router };
}

it('a notice of recovery says its days by the ground, names the numbers a line each, and opens its case', async () => {
  const { sent, router } = open(['198.18.0.0/19']);
  fireEvent.click(await screen.findByText('Take numbers back'));
  const dialog = within(await screen.findByRole('alertdialog'));
  expect(dialog.getByText(/30 days from now/)).toBeTruthy();
  fireEvent.click(dialog.getByText('Give notice'));
  expect((await dialog.findAllByText('Enter a reason. The member reads it.')).length).toBeGreaterThan(0);
  fireEvent.change(dialog.getByLabelText('Ground'), { target: { value: 'fraud' } });
  expect(dialog.getByText(/7 days from now/)).toBeTruthy();
  fireEvent.change(dialog.getByLabelText('Numbers'), { target: { value: '198.18.8.0/22\n\n198.18.16.0/22 ' } });
  fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'Forged papers' } });
  fireEvent.click(dialog.getByText('Give notice'));
  await waitFor(() =>
    expect(sent).toContainEqual({
      endpoint: 'requests.recoveries.openRecovery',
      input: {
        accountName: 'EXAMPLE-AU',
        body: { resources: ['198.18.8.0/22', '198.18.16.0/22'], ground: 'fraud', reason: 'Forged papers' },
      },
    }),
  );
  await waitFor(() => expect(router.place().path + router.place().search).toBe('/desk/requests/transfers-9'));
});

it('an account without numbers has nothing to take back', async () => {
  open([]);
  await waitFor(() => expect(screen.queryByText('Loading')).toBeNull());
  expect(screen.queryByText('Take numbers back')).toBeNull();
});

it('a case that was approved by mistake leads to a recovery of its numbers on that ground', async () => {
  const { router, sent } = open(['198.18.8.0/22'], mistakeHref('EXAMPLE-AU', ['198.18.8.0/22', 'AS64500']));
  const dialog = within(await screen.findByRole('alertdialog'));
  expect(dialog.getByLabelText('Numbers')).toHaveProperty('value', '198.18.8.0/22\nAS64500');
  expect(dialog.getByLabelText('Ground')).toHaveProperty('value', 'mistake');
  fireEvent.click(dialog.getByText('Keep everything as it is'));
  await waitFor(() => expect(router.place().search).toBe(''));
  expect(sent.filter(({ endpoint }) => endpoint === 'requests.recoveries.openRecovery')).toEqual([]);
});
