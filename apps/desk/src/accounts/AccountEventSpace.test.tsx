import { PageFrame } from '@portal/app-kit';
import { aPerson, aRouter, aSession, show } from '@portal/app-kit/testing';
import { pages } from '@portal/contract/pages';
import type { EventSpaceList } from '@portal/contract/requests/event-space';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { AccountEventSpace } from './AccountEventSpace.tsx';

const row: EventSpaceList['rows'][number] = {
  delegationId: '7',
  resource: '198.51.100.0/24',
  endsOn: '2026-11-20',
  over: true,
  openReturn: { requestId: '12', reference: 'REQ-12' },
};
const list = (rows: EventSpaceList['rows']): EventSpaceList => ({ rows, earliest: '2026-11-23', latest: '2027-11-23' });

function open(rows: EventSpaceList['rows']) {
  return show(
    <PageFrame page={pages.deskAccount}>
      <AccountEventSpace accountName="EXAMPLE-AU" own={false} />
    </PageFrame>,
    {
      router: aRouter('/desk/accounts/EXAMPLE-AU'),
      session: aSession({ account: null, person: aPerson({ userId: 'stella', staff: true, mfa: true }) }),
      answer: () => ({ status: 200, data: list(rows) }),
    },
  );
}

it('a later last day of space for an event is set with a reason, and the form names the return that it rejects', async () => {
  const { sent } = open([row]);
  fireEvent.click(await screen.findByText('Set a later last day'));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText(/REQ-12, which the registry opened/)).toBeTruthy();
  fireEvent.change(dialog.getByLabelText('Last day'), { target: { value: '2026-11-20' } });
  fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'It goes on' } });
  fireEvent.click(dialog.getByText('Set last day'));
  expect(await dialog.findByText('Choose a later day than the last day so far')).toBeTruthy();
  fireEvent.change(dialog.getByLabelText('Last day'), { target: { value: '2026-12-04' } });
  fireEvent.click(dialog.getByText('Set last day'));
  await waitFor(() =>
    expect(sent).toContainEqual({
      endpoint: 'requests.eventSpace.extendEventSpace',
      input: { delegationId: '7', body: { endsOn: '2026-11-20', until: '2026-12-04', reason: 'It goes on' } },
    }),
  );
});

it('space that the member returns early has no later last day until that request is decided', async () => {
  open([{ ...row, endsOn: '2026-12-01', over: false }]);
  expect(await screen.findByText(/returns it early with REQ-12/)).toBeTruthy();
});
