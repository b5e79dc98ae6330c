import { aPerson, aSession, show } from '@portal/app-kit/testing';
import type { Staff } from '@portal/contract/roles/roles';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { RoleMatrix } from './RoleMatrix.tsx';

const staff = {
  members: [],
  roles: [{ key: 'finance', name: 'Finance', readyMade: true, permissions: ['billing', 'payments', 'private-data'] }],
  conflicts: [{ one: 'payments', other: 'write-offs' }],
} as unknown as Staff;

it('every row of the matrix has one cell for each role, and the column of arcs is filled once', () => {
  show(<RoleMatrix staff={staff} />, {
    session: aSession({ account: null, person: aPerson({ userId: 'ola', staff: true }) }),
  });
  const table = screen.getByRole('table');
  const rows = [...table.querySelectorAll('tbody tr')];
  const arcs = [...table.querySelectorAll<HTMLTableCellElement>('td[rowspan]')];
  expect(arcs.reduce((sum, { rowSpan }) => sum + rowSpan, 0)).toBe(rows.length);
  for (const row of rows) expect(row.querySelectorAll('td:not([rowspan])').length).toBe(row.querySelector('th[scope="colgroup"]') ? 0 : 1);
});

it('a permission says which of its acts take a second person, and what the member’s log says', () => {
  show(<RoleMatrix staff={staff} />, {
    session: aSession({ account: null, person: aPerson({ userId: 'ola', staff: true }) }),
  });
  const row = (name: RegExp) => within(screen.getByRole('row', { name }));
  expect(row(/^Record payments/).getByRole('img', { name: 'with a second person' })).toBeTruthy();
  expect(row(/^Read private data/).getByRole('img', { name: 'logged for the member' })).toBeTruthy();
  expect(row(/^Read accounts/).queryByRole('img')).toBeNull();
});
