import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { DataTable, emptyTableState, type TableState } from './DataTable.tsx';

const columns = [{ id: 'zone', label: 'Zone', cell: ({ zone }: { zone: string }) => zone, fixed: true }];

function open(first: Partial<TableState>) {
  const states: TableState[] = [];
  function Table() {
    const [state, setState] = useState<TableState>({ ...emptyTableState, ...first });
    const onStateChange = (next: TableState) => {
      states.push(next);
      setState(next);
    };
    return (
      <DataTable
        caption="Zones"
        columns={columns}
        rows={[{ zone: '2.0.192.in-addr.arpa' }]}
        rowId={({ zone }) => zone}
        state={state}
        onStateChange={onStateChange}
      />
    );
  }
  render(<Table />);
  return { user: userEvent.setup(), states, menu: () => screen.queryByRole('button', { name: 'Saved filters' }) };
}

test('filters that are set get a name, and a press sets them again, on the first page', async () => {
  const { user, states, menu } = open({ saved: [{ name: 'All lame', filters: { state: 'lame' } }], filters: { q: 'ns2' }, page: 3 });
  await user.click(menu()!);
  await user.click(await screen.findByRole('button', { name: 'All lame' }));
  expect(states.at(-1)).toMatchObject({ filters: { state: 'lame' }, page: 1 });
  expect(screen.queryByRole('group', { name: 'Saved filters' })).toBeNull();
  expect(document.activeElement).toBe(menu());
  await user.click(menu()!);
  expect((await screen.findByRole('button', { name: 'All lame' })).getAttribute('aria-pressed')).toBe('true');
  expect(screen.queryByLabelText('Save these filters as'), 'what is saved needs no other name').toBeNull();
});

test('a name that is there gets the new filters, and a saved filter is deleted', async () => {
  const { user, states, menu } = open({ saved: [{ name: 'Mine', filters: { state: 'lame' } }], filters: { q: 'ns2' } });
  await user.click(menu()!);
  await user.type(await screen.findByLabelText('Save these filters as'), ' Mine {Enter}');
  expect(states.at(-1)!.saved).toEqual([{ name: 'Mine', filters: { q: 'ns2' } }]);
  await user.click(menu()!);
  await user.click(await screen.findByRole('button', { name: 'Delete the filter Mine' }));
  expect(states.at(-1)!.saved).toEqual([]);
});

test('nothing is saved without a name, or beyond the most a table can have', async () => {
  const saved = Array.from({ length: 20 }, (_, place) => ({ name: `F${place}`, filters: { q: String(place) } }));
  const { user, states, menu } = open({ saved, filters: { q: 'ns2' } });
  await user.click(menu()!);
  await user.click(await screen.findByRole('button', { name: 'Save' }));
  await user.type(screen.getByLabelText('Save these filters as'), 'One more{Enter}');
  expect(states).toEqual([]);
  expect(screen.getByText('Save at most 20. Delete one first')).toBeTruthy();
});

test('a table without filters, or whose filters can’t be saved, has no button', () => {
  expect(open({ saved: [] }).menu()).toBeNull();
  expect(open({ filters: { q: 'ns2' } }).menu()).toBeNull();
});
