// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { AddressStrips, type Strip, type StripMark } from './AddressStrips.tsx';

afterEach(cleanup);

const mark = (id: string, start: number, more: Partial<StripMark> = {}): StripMark => ({
  id,
  kind: 'unassigned',
  start,
  share: 0.01,
  count: 1,
  ...more,
});
const strips: Strip[] = [
  { id: '61.0.0.0/8', label: '61', amount: '512', words: '61.0.0.0/8: 512 addresses in 1 delegation', marks: [mark('61.1.0.0/16', 0.1)] },
  {
    id: '113.0.0.0/8',
    label: '113',
    amount: '1 024',
    words: '113.0.0.0/8: 1 024 addresses in 2 delegations',
    marks: [mark('113.24.0.0/14', 0.1), mark('113.64.0.0 - 113.66.255.255', 0.3, { count: 3, kind: 'partly' })],
  },
];
const show = (onSelect = vi.fn(), marks = strips) => {
  render(
    <AddressStrips
      kind="ipv4"
      strips={marks}
      label="All your IPv4"
      ticks={['.0', '.255']}
      amountHead="addresses"
      current="113.0.0.0/8"
      selected={null}
      onSelect={onSelect}
      nameOf={({ id }) => id}
    />,
  );
  return onSelect;
};

test('the strips are read aloud as options; the one shown nearer is the selected one', () => {
  show();
  expect(screen.getAllByRole('option').map(option => option.getAttribute('aria-label'))).toEqual(strips.map(({ words }) => words));
  expect(screen.getByRole('option', { selected: true }).getAttribute('aria-label')).toContain('113.0.0.0/8');
});

test('keys move between strips and their marks, and Enter shows the place', async () => {
  const user = userEvent.setup();
  const onSelect = show();
  await user.tab();
  await user.keyboard('{ArrowUp}{Enter}');
  expect(onSelect).toHaveBeenLastCalledWith('61.0.0.0/8', null);
  await user.keyboard('{ArrowDown}{ArrowRight}{ArrowRight}');
  expect(screen.getByRole('status').textContent).toBe('113.64.0.0 - 113.66.255.255');
  await user.keyboard('{Enter}');
  expect(onSelect).toHaveBeenLastCalledWith('113.0.0.0/8', expect.objectContaining({ id: '113.64.0.0 - 113.66.255.255', count: 3 }));
  await user.keyboard('{ArrowRight}{ArrowRight}{Enter}');
  expect(onSelect).toHaveBeenLastCalledWith('113.0.0.0/8', expect.objectContaining({ count: 3 }));
});

test('two thousand delegations are few shapes', () => {
  const many = Array.from({ length: 2_000 }, (_, index) => mark(`203.0.${index}.0/24`, index / 2_000, { share: 1 / 65_536 }));
  show(vi.fn(), [{ id: '203.0.0.0/8', label: '203', amount: '512 000', words: '203.0.0.0/8', marks: many }]);
  expect(document.querySelectorAll('svg path').length).toBeLessThan(20);
});
