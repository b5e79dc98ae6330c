import { fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { anAccount, aPerson, aSession, show } from '@portal/app-kit/testing';
import { AccountSwitcher } from './AccountSwitcher.tsx';
import { membershipLinks } from './PersonMenu.tsx';
import { roleWords } from './role-words.ts';

const theme = {
  omnibarCurrentUserMembershipLinks: [
    { label_en_us: 'Leave', link: 'https://elsewhere.example/', isLogout: true },
    { label_en_us: 'Billing', link: '/member-account-settings/billing' },
  ],
};

it('the last membership link is logout and leads to the single-logout address', () => {
  expect(membershipLinks(theme, '/logout')).toEqual([
    { label_en_us: 'Billing', link: '/member-account-settings/billing' },
    { label_en_us: 'Leave', link: '/logout', isLogout: true },
  ]);
});

it('logout is available even if the theme can’t be read', () => {
  expect(membershipLinks(null, '/logout')).toEqual([{ label_en_us: 'Log out', link: '/logout', isLogout: true }]);
});

it.each([
  ['a technical contact with a second factor', aPerson(), anAccount(), 'Technical · 2FA'],
  ['several contact types', aPerson({ mfa: false }), anAccount({ contactTypes: ['technical', 'billing'] }), 'Technical, billing · No 2FA'],
  ['staff visiting an account', aPerson({ staff: true }), anAccount({ asStaff: true, contactTypes: [] }), 'Registry staff · 2FA'],
  ['nobody’s contact', aPerson(), null, '2FA'],
])('role and sign-in are always visible: %s', (_, person, account, words) => expect(roleWords(person, account)).toBe(words));

it('one account is plain text', () => {
  show(<AccountSwitcher session={aSession()} />);
  expect(screen.getByText('EXAMPLE-AU')).toBeTruthy();
  expect(screen.queryByRole('button')).toBeNull();
});

it('several accounts are a list that can be searched', async () => {
  const accounts = ['EXAMPLE-AU', 'LABNET-AU'].map(accountName => anAccount({ accountName }));
  show(<AccountSwitcher session={aSession({ account: accounts[0]!, accounts })} />);
  fireEvent.click(screen.getByRole('button', { name: 'Member account EXAMPLE-AU, change' }));
  expect(await screen.findByRole('option', { name: /LABNET-AU/ }, { timeout: 10_000 })).toBeTruthy();
  expect(screen.getByRole('searchbox', { name: 'Find an account' })).toBeTruthy();
});
