import { show } from '@portal/app-kit/testing';
import type { MovableResource } from '@portal/contract/requests/requests';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { MovableTable } from './MovableTable.tsx';

const row = (resource: string, part: Partial<MovableResource> = {}): MovableResource => ({
  resource,
  kind: 'ipv4',
  size: '8192',
  used: '0',
  delegatedOn: '2012-03-01',
  holdUntil: null,
  against: { transfer: null, acquisition: null, return: null },
  lockable: true,
  locked: [],
  ...part,
});
const rows = [
  row('198.18.0.0/19', { used: '6080' }),
  row('198.18.64.0/22', { size: '1024', locked: [{ resource: '198.18.64.0/23', reference: 'REQ-8' }] }),
  row('203.0.113.0/24', { size: '256', against: { transfer: 'On hold until 17 Dec 2026', acquisition: null, return: null } }),
  row('AS64500', { kind: 'asn', size: '1', delegatedOn: null }),
];
const read = (name: RegExp): string => screen.getByRole('row', { name }).textContent!;

it('says of each resource since when it is held, what was checked, and which part is locked', () => {
  show(<MovableTable kind="transfer" rows={rows} smallest={24} />);
  expect(read(/198\.18\.0\.0/)).toMatch(/1 Mar 2012.*74\s%.*Ready.*Not locked, no hold period, parts down to a \/24/);
  expect(read(/198\.18\.64\.0/)).toMatch(/In part.*198\.18\.64\.0\/23 is locked by REQ-8\. The rest can be transferred\./);
  expect(read(/AS64500/)).toMatch(/Not recorded.*Ready/);
});

it('puts what cannot go apart, with the reason and the day', () => {
  show(<MovableTable kind="transfer" rows={rows} smallest={24} />);
  const groups = screen.getAllByRole('rowgroup').slice(1);
  expect(groups.map(group => within(group).getAllByRole('row')[0]!.textContent)).toEqual(['Can be transferred 3', 'Not now 1']);
  expect(within(groups[1]!).getByText('On hold until 17 Dec 2026')).toBeTruthy();
});

it('keeps back nothing that the registry may take', () => {
  show(<MovableTable kind="return" rows={rows.slice(2)} smallest={24} />);
  expect(screen.queryByText(/^Not now/)).toBeNull();
  expect(read(/203\.0\.113\.0/)).toMatch(/Ready.*Not locked$/);
});
