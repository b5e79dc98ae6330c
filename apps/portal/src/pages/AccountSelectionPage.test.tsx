import { anAccount, aPerson, aRouter, aSession, type Answer, show } from '@portal/app-kit/testing';
import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Portal } from '../portal.ts';
import { PortalContext } from '../PortalContext.ts';
import AccountSelectionPage from './AccountSelectionPage.tsx';

const late = anAccount({ accountName: 'LATE-FJ' });
const gone = anAccount({ accountName: 'GONE-VU', accountStatus: 'closed', contactTypes: ['corporate'] });

/** Opens the address that selects an account, as a person with an open and a closed one. */
function open(address: string, person = aPerson(), answer?: Answer) {
  const router = aRouter(address);
  const selected: string[] = [];
  const session = aSession({
    person,
    account: late,
    accounts: [late],
    closedAccounts: [gone],
    selectAccount: name => selected.push(name),
  });
  show(
    <PortalContext value={{} as Portal}>
      <AccountSelectionPage />
    </PortalContext>,
    { router, session, ...(answer && { answer: () => answer }) },
  );
  return { router, selected };
}

it.each([
  ['/LATE-FJ/index.html', '/'],
  ['/late-fj/index.html', '/'],
  ['/Late-Fj/index.html?to=/settings%23theme', '/settings#theme'],
  ['/late-fj/index.html#dues', '/#dues'],
])('%s selects LATE-FJ and leads to %s', (address, to) => {
  const { router, selected } = open(address);
  expect(selected).toEqual(['LATE-FJ']);
  expect(router.went).toEqual([{ href: to, replace: true }]);
});

it.each(['/GONE-VU/index.html', '/gone-vu/index.html'])(
  '%s says that the account is closed, not that the person is not a contact',
  address => {
    const { selected } = open(address);
    expect(screen.getByRole('heading', { level: 1, name: 'GONE-VU is closed' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'See the account' }).getAttribute('href')).toBe(
      '/member-account-settings/my-accounts?account=GONE-VU',
    );
    expect(selected).toEqual([]);
  },
);

it('an account of others is shown as it was requested, with a link to request access', () => {
  open('/other-nz/index.html');
  expect(screen.getByText('You aren’t a contact of other-nz')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Ask to be linked' })).toBeTruthy();
});

it('registry staff are led to the account they look at, however its name is capitalised', async () => {
  const visit = { visit: { account: anAccount({ accountName: 'OTHER-NZ', asStaff: true }) } };
  const { selected } = open('/other-nz/index.html', aPerson({ staff: true }), { status: 200, data: visit });
  await waitFor(() => expect(selected).toEqual(['OTHER-NZ']));
});
