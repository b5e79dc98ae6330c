import { aPerson, aRouter, aSession, show } from '@portal/app-kit/testing';
import type { PoolRange, RangeState } from '@portal/contract/resources/pools';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { AsDots } from './AsDots.tsx';

const range = (resource: string, state: RangeState): PoolRange => ({
  rangeId: resource,
  resource,
  prefixes: [],
  morePrefixes: 0,
  size: '1',
  state,
  reference: null,
  until: null,
  reason: null,
  accountName: null,
  orgName: null,
});
const rows = [range('AS65536 - AS65540', 'delegated'), range('AS65541', 'held'), range('AS65542 - AS65551', 'available')];
const counts = { available: 1, held: 1, quarantine: 0, reserved: 0, delegated: 1 };

function open({ picked = '', mayPick = true } = {}) {
  const onPick = vi.fn();
  show(<AsDots proposed="AS65541" picked={picked} onPick={mayPick ? onPick : null} />, {
    router: aRouter('/desk/requests/resources-1'),
    session: aSession({ account: null, person: aPerson({ staff: true }) }),
    answer: () => ({ status: 200, data: { kind: 'asn', total: 3, counts, rows } }) as never,
  });
  return { onPick };
}

it('draws the numbers around the proposed one, each with its state', async () => {
  open();
  const picture = await screen.findByRole('img');
  expect(picture.getAttribute('aria-label')).toBe('AS65536 - AS65551: 5 delegated, 10 free. Chosen: AS65541');
  expect(picture.children).toHaveLength(16);
  expect(picture.querySelector('[data-own]')?.getAttribute('title')).toBe('AS65541: this request');
  expect(screen.getByText(/one dot is an AS number, 10 of 16 free/)).toBeTruthy();
});

it('offers the free numbers near it, and none to those who cannot approve', async () => {
  const { onPick } = open();
  await userEvent.click(await screen.findByRole('button', { name: 'Choose AS65542' }));
  expect(onPick).toHaveBeenCalledWith('AS65542');
  expect(screen.queryByRole('button', { name: 'Choose AS65541' })).toBeNull();
});

it('shows the picture without choices to readers', async () => {
  open({ mayPick: false });
  expect(await screen.findByRole('img')).toBeTruthy();
  expect(screen.queryByRole('button')).toBeNull();
});

it('follows a number that staff entered, and stays where it was for anything else', async () => {
  open({ picked: 'AS4200000001' });
  expect((await screen.findByRole('img')).getAttribute('aria-label')).toMatch(/^AS4200000000 - AS4200000015: .*Chosen: AS4200000001$/);
  expect(screen.getByText('Your choice')).toBeTruthy();
});
