import { PageFrame } from '@portal/app-kit';
import { aPerson, aRouter, aSession, show } from '@portal/app-kit/testing';
import { pages } from '@portal/contract/pages';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { AccountDirectDelegation } from './AccountDirectDelegation.tsx';

const whois = {
  defaults: { netname: 'CORAL-KI', adminContact: 'MF1-EX', techContact: 'MF1-EX', maintainer: '', abuseMailbox: 'abuse@coral-ki.example' },
  contacts: ['MF1-EX', 'NO1-EX'],
  maintainers: [],
};

function open({ isClosed = false, isOwn = false } = {}) {
  const router = aRouter('/desk/accounts/CORAL-KI');
  const shown = show(
    <PageFrame page={pages.deskAccount}>
      <AccountDirectDelegation accountName="CORAL-KI" isOwn={isOwn} isClosed={isClosed} />
    </PageFrame>,
    {
      router,
      session: aSession({ account: null, person: aPerson({ userId: 'stella', staff: true, mfa: true }) }),
      answer: ({ endpoint }) => ({
        status: 200,
        data:
          endpoint === 'requests.directDelegations.openDirectDelegation'
            ? { requestId: '9', reference: 'REQ-9', resource: '198.19.170.0/24' }
            : { whois },
      }),
    },
  );
  return { ...shown, router };
}

it('a direct delegation names its reason, its numbers or their size, and its names in whois, and opens its case', async () => {
  const { sent, router } = open();
  fireEvent.click(await screen.findByText('Delegate numbers'));
  const dialog = within(await screen.findByRole('dialog'));
  expect([...(dialog.getByLabelText('Purpose') as HTMLSelectElement).options].map(({ text }) => text)).not.toContain('Event or experiment');
  expect(dialog.getByLabelText('Prefix length')).toBeTruthy();
  fireEvent.click(dialog.getByText('Hold and open the case'));
  expect((await dialog.findAllByText('Enter a reason. The account reads it.')).length).toBeGreaterThan(0);
  fireEvent.change(dialog.getByLabelText(/^Prefix(?! length)/), { target: { value: '198.19.170.0/24' } });
  // Numbers that are named have their own size.
  expect(dialog.queryByLabelText('Prefix length')).toBeNull();
  fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'A root name server' } });
  fireEvent.change(dialog.getByLabelText('Technical contact'), { target: { value: 'NO1-EX' } });
  fireEvent.click(dialog.getByText('Hold and open the case'));
  await waitFor(() =>
    expect(sent.at(-1)).toMatchObject({
      endpoint: 'requests.directDelegations.openDirectDelegation',
      input: {
        accountName: 'CORAL-KI',
        body: { kind: 'ipv4', resource: '198.19.170.0/24', path: 'critical', techContact: 'NO1-EX', reason: 'A root name server' },
      },
    }),
  );
  await waitFor(() => expect(router.place().path + router.place().search).toBe('/desk/requests/resources-9'));
});

it('an AS number has neither a size nor grounds', async () => {
  open();
  fireEvent.click(await screen.findByText('Delegate numbers'));
  const dialog = within(await screen.findByRole('dialog'));
  fireEvent.change(dialog.getByLabelText('Kind'), { target: { value: 'asn' } });
  expect(dialog.getByLabelText(/^AS number/)).toBeTruthy();
  expect(dialog.queryByLabelText('Prefix length')).toBeNull();
  expect(dialog.queryByLabelText('Purpose')).toBeNull();
});

it('a contact of the account can’t, and a closed account gets nothing', async () => {
  open({ isOwn: true });
  expect(await screen.findByText(/someone else has to do this/)).toBeTruthy();
});

it('a closed account isn’t offered any', () => {
  open({ isClosed: true });
  expect(screen.queryByText('Delegate numbers')).toBeNull();
});
