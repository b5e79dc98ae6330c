import type { StaffResourceRequest } from '@portal/contract/requests/desk';
import { show } from '@portal/app-kit/testing';
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { CaseChecks } from './CaseChecks.tsx';

type Check = StaffResourceRequest['checks'][number];
const check = (checkId: string, given: Partial<Check>): Check => ({
  checkId,
  fact: checkId,
  known: 'None of the 512 addresses are used yet',
  source: 'Ledger',
  state: 'met',
  policy: 'A rule',
  ...given,
});

it('what only the member answered is said once, as theirs, and an answer that two checks rule stands with the first', () => {
  show(
    <CaseChecks
      checks={[
        check('size', { known: '/24', source: 'Your request' }),
        check('limit', {}),
        check('holder', { known: '1 of 1' }),
        check('unlocked', {}),
        check('neighbours', { known: '2 named', source: 'Your answer' }),
        check('need', { known: 'Enter a plan', source: 'Your answer', state: 'unmet' }),
      ]}
      saidOf={({ checkId }) =>
        ({ size: '/24', limit: '/24', holder: '192.0.2.0/24', unlocked: '192.0.2.0/24', neighbours: 'AS64499, AS64501' })[checkId] ?? ''
      }
    />,
  );
  fireEvent.click(screen.getByRole('button', { name: 'Show all 4' }));
  // The heads, and the line of those that are met.
  const cells = screen
    .getAllByRole('row')
    .filter(row => within(row).queryAllByRole('cell').length === 3)
    .map(row =>
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    );
  expect(cells.map(([said, found]) => [said, found])).toEqual([
    ['AS64499, AS64501', '2 named The member’s answer'],
    ['', 'Enter a plan The member’s answer'],
    ['/24', 'As asked for'],
    ['', 'None of the 512 addresses are used yet Ledger'],
    ['192.0.2.0/24', '1 of 1 Ledger'],
    ['', 'None of the 512 addresses are used yet Ledger'],
  ]);
});

it('an answer that nothing was checked against is counted apart, and those that are met are one line that opens', () => {
  show(
    <CaseChecks
      checks={[
        check('open', { fact: 'Account is open' }),
        check('invoices', { fact: 'No overdue invoice' }),
        check('abuse-contact', { state: 'unmet' }),
        check('size', { known: '/24', source: 'Your request' }),
        check('need-now', { known: '200 addresses', source: 'Your answer' }),
      ]}
      saidOf={() => ''}
    />,
  );
  for (const words of ['3 met', '1 stated', '1 not met', 'Stated, not checked', 'Not met', 'Account is open, no overdue invoice, size'])
    expect(screen.getByText(words)).toBeTruthy();
  expect(screen.queryByText('Account is open')).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Show all 3' }));
  expect(screen.getByText('Account is open')).toBeTruthy();
});

it('met checks of a case without others are one line that says so, and a single one stands open', () => {
  const { unmount } = show(<CaseChecks checks={[check('open', { fact: 'Account is open' }), check('size', {})]} saidOf={() => ''} />);
  expect(screen.getByText('All 2 met')).toBeTruthy();
  unmount();
  show(<CaseChecks checks={[check('open', { fact: 'Account is open' })]} saidOf={() => ''} />);
  expect(screen.getByText('Account is open')).toBeTruthy();
  expect(screen.queryByRole('button')).toBeNull();
});
