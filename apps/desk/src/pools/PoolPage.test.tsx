import { PageFrame } from '@portal/app-kit';
import { aPerson, aRouter, aSession, show } from '@portal/app-kit/testing';
import { pages } from '@portal/contract/pages';
import type { PoolRange } from '@portal/contract/resources/pools';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import PoolPage from './PoolPage.tsx';

const range = (resource: string, more: Partial<PoolRange>): PoolRange => ({
  rangeId: resource,
  resource,
  prefixes: [],
  morePrefixes: 0,
  size: '256',
  state: 'available',
  reference: null,
  until: null,
  reason: null,
  accountName: null,
  orgName: null,
  ...more,
});
const rows = [
  range('192.0.2.0/24', {}),
  range('198.51.100.0/24', { state: 'quarantine', until: '2027-01-31' }),
  range('203.0.113.0/24', { state: 'reserved', reason: 'For an exchange' }),
  range('198.18.0.0/19', { state: 'delegated', accountName: 'EXAMPLE-AU', orgName: 'Example Networks' }),
];

function open(at = '/desk/pools/ipv4') {
  return show(
    <PageFrame page={pages.deskPool}>
      <PoolPage />
    </PageFrame>,
    {
      router: aRouter(at),
      session: aSession({ account: null, person: aPerson({ userId: 'stella', staff: true, mfa: true }) }),
      answer: ({ endpoint }) => ({
        status: 200,
        data:
          endpoint === 'resources.pools.listPoolRanges'
            ? { kind: 'ipv4', total: 4, rows, counts: { available: 1, held: 0, quarantine: 1, reserved: 1, delegated: 1 } }
            : { resource: '192.0.2.0/24', until: null },
      }),
    },
  );
}
const changes = (sent: { endpoint: string; input: unknown }[]) =>
  sent.filter(({ endpoint }) => endpoint !== 'resources.pools.listPoolRanges');

it('a range is reserved with its reason, and without a day until it is released', async () => {
  const { sent } = open();
  fireEvent.click(await screen.findByLabelText('Reserve: 192.0.2.0/24'));
  const dialog = within(await screen.findByRole('dialog'));
  fireEvent.click(dialog.getByText('Reserve'));
  expect(await dialog.findByText('Enter a reason. Other staff see it.')).toBeTruthy();
  expect(changes(sent)).toEqual([]);
  fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'Research' } });
  fireEvent.click(dialog.getByText('Reserve'));
  await waitFor(() =>
    expect(changes(sent)).toEqual([
      { endpoint: 'resources.pools.reserveRange', input: { body: { resource: '192.0.2.0/24', reason: 'Research', until: null } } },
    ]),
  );
});

it('numbers of another kind are not reserved from this pool, nor what is no range', async () => {
  const { sent } = open();
  fireEvent.click(await screen.findByText('Reserve a range'));
  const dialog = within(await screen.findByRole('dialog'));
  fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'Research' } });
  for (const [typed, says] of [
    ['', 'Enter a prefix or a range, such as 192.0.2.0/24'],
    ['AS64496', 'AS64496 isn’t in the pool of IPv4. Enter a prefix or a range, such as 192.0.2.0/24'],
    ['abc', 'abc can’t be read. Enter a prefix or a range, such as 192.0.2.0/24'],
  ] as const) {
    fireEvent.change(dialog.getByLabelText('Range'), { target: { value: typed } });
    fireEvent.click(dialog.getByText('Reserve'));
    expect((await dialog.findAllByText(says)).length).toBeGreaterThan(0);
  }
  expect(changes(sent)).toEqual([]);
});

it('a quarantine gets another last day, or ends now', async () => {
  const { sent } = open();
  fireEvent.click(await screen.findByLabelText('Change the end: 198.51.100.0/24'));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByLabelText<HTMLInputElement>('Free again on').value).toBe('31 Jan 2027');
  fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'No longer announced' } });
  fireEvent.click(dialog.getByLabelText(/End it now/));
  expect(dialog.queryByLabelText('Free again on')).toBeNull();
  fireEvent.click(dialog.getByText('End the quarantine'));
  await waitFor(() =>
    expect(changes(sent)).toEqual([
      {
        endpoint: 'resources.pools.setQuarantine',
        input: { body: { resource: '198.51.100.0/24', reason: 'No longer announced', until: null } },
      },
    ]),
  );
});

it('a delegated range names its holder, and has nothing to change here', async () => {
  open();
  expect(await screen.findByText('EXAMPLE-AU')).toBeTruthy();
  expect(screen.queryByLabelText(/: 198.18.0.0\/19/)).toBeNull();
});
