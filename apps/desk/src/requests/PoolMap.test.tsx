import { aPerson, aRouter, aSession, show } from '@portal/app-kit/testing';
import type { PoolMap as Surroundings } from '@portal/contract/resources/pools';
import { fireEvent, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { PoolMap } from './PoolMap.tsx';

const block = (resource: string, offset: number, size: number, given: Partial<Surroundings['blocks'][number]> = {}) => ({
  resource,
  offset: String(offset),
  size: String(size),
  state: 'available' as const,
  accountName: null,
  reference: null,
  until: null,
  ...given,
});
const map: Surroundings = {
  within: '198.19.160.0/20',
  sizeLog2: 12,
  blocks: [
    block('198.19.160.0/22', 0, 1024),
    block('198.19.164.0/24', 1024, 256, { state: 'delegated', accountName: 'CORAL-KI' }),
    block('198.19.165.0/24', 1280, 256, { state: 'delegated', accountName: 'OTHER-SG' }),
    block('198.19.166.0/24', 1536, 256, { state: 'quarantine', until: '2030-01-02' }),
    block('198.19.171.0/24', 2816, 256),
  ],
  more: 0,
};

function open(answer: object = { status: 200, data: map }) {
  const onPick = vi.fn();
  const shown = show(<PoolMap kind="ipv4" proposed="198.19.171.0/24" accountName="CORAL-KI" picked="" onPick={onPick} />, {
    router: aRouter('/desk/requests/resources-1'),
    session: aSession({ account: null, person: aPerson({ staff: true }) }),
    answer: () => answer as never,
  });
  return { ...shown, onPick };
}
const press = (key: string) => fireEvent.keyDown(screen.getByRole('listbox'), { key });

it('draws what is around the proposed block, with the holder of each block', async () => {
  open();
  expect(await screen.findByText('one cell is a /24, 5 of 16 free')).toBeTruthy();
  for (const name of [
    '198.19.164.0/24, CORAL-KI, coral-ki',
    '198.19.165.0/24, OTHER-SG, delegated',
    '198.19.166.0/24, quarantine or reserved',
    '198.19.171.0/24, free',
  ])
    expect(screen.getByRole('option', { name })).toBeTruthy();
});

it('a free block is chosen with the keyboard, of the requested size, and one that is taken says to whom', async () => {
  const { onPick } = open();
  await screen.findByRole('listbox');
  press('Home');
  press('Enter');
  expect(onPick).toHaveBeenCalledWith('198.19.160.0/24');
  press('ArrowRight');
  press('ArrowRight');
  press('Enter');
  expect(onPick).toHaveBeenCalledTimes(1);
  expect(screen.getByText(/is delegated to/).textContent).toBe('198.19.165.0/24 is delegated to OTHER-SG.');
  press('End');
  press('ArrowLeft');
  press('Enter');
  // The proposed block again.
  expect(onPick).toHaveBeenLastCalledWith('');
});

it('numbers between the blocks of the pool are drawn and counted as outside it, and a press says so', async () => {
  const { onPick } = open();
  // 198.19.167.0 to 198.19.170.255, and all after 198.19.171.255.
  for (const name of ['198.19.167.0 - 198.19.170.255, not in this pool', '198.19.172.0/22, not in this pool'])
    expect(await screen.findByRole('option', { name })).toBeTruthy();
  expect(screen.getByText('8 × /24')).toBeTruthy();
  press('End');
  press('Enter');
  expect(onPick).not.toHaveBeenCalled();
  expect(screen.getByText('These numbers are in no pool of this registry.')).toBeTruthy();
});

it('what isn’t drawn for want of room is not outside the pool', async () => {
  open({ status: 200, data: { ...map, more: 3 } });
  expect(await screen.findByText('4 × /24')).toBeTruthy();
  expect(screen.queryByRole('option', { name: '198.19.172.0/22, not in this pool' })).toBeNull();
});

it('a map that can’t be read says so in its place', async () => {
  open({ status: 503, errors: [{ code: 'UNAVAILABLE', message: 'Try again in a minute', traceId: 't' }] });
  expect(await screen.findByText(/Try again in a minute/)).toBeTruthy();
});
