import { aPerson, aSession, show } from '@portal/app-kit/testing';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { CaseAccount } from './CaseAccount.tsx';

const health = {
  memberSince: '2022-04-04',
  contacts: [{ corporate: true, passwordAlone: false, corporateSince: '2022-04-04T00:00:00Z', from: '2022-04-04T00:00:00Z', until: null }],
  routes: { valid: 3, invalid: 1, notFound: 0, collectedAt: null, worst: [] },
  zones: { needed: 2, ok: 2, warning: 0, lame: 0, unchecked: 0, missing: 0 },
  mailboxes: { valid: 1, pending: 0, invalid: 0, restricted: 0 },
  failed: [],
};

function open(staffPermissions: readonly ('accounts' | 'resources')[] = ['accounts', 'resources']) {
  return show(
    <CaseAccount
      accountName="EXAMPLE-TO"
      accountStatus="open"
      orgName="Example Tonga Cable"
      economy="TO"
      items={[{ key: 'Past requests', value: '3 approved, 0 rejected' }]}
    />,
    {
      session: aSession({ account: null, person: aPerson({ userId: 'stella', staff: true, staffPermissions: [...staffPermissions] }) }),
      answer: () => ({ status: 200, data: health }),
    },
  );
}

it('the account of a case says since when it is a member, what it asked for before, and how it does', async () => {
  const { sent } = open();
  const card = within(screen.getByRole('region', { name: 'EXAMPLE-TO' }));
  expect(card.getByText('3 approved, 0 rejected')).toBeTruthy();
  expect((await card.findByText('4 Apr 2022')).parentElement?.textContent).toBe('4 Apr 2022, Tonga');
  expect(card.getByText('1 of 4 invalid')).toBeTruthy();
  expect(card.getByText('2 of 2 answer')).toBeTruthy();
  expect(card.getByText('1 answers')).toBeTruthy();
  expect(card.getByRole('link', { name: 'Account' }).getAttribute('href')).toBe('/desk/accounts/EXAMPLE-TO');
  expect(sent.map(({ input }) => input)).toEqual([{ accountName: 'EXAMPLE-TO', query: { part: 'health' } }]);
});

it('staff who can’t open accounts read what the case knows, and nothing is asked for', () => {
  const { sent } = open(['resources']);
  expect(screen.getByText('Tonga')).toBeTruthy();
  expect(screen.queryByText('Routes')).toBeNull();
  expect(sent).toEqual([]);
});
