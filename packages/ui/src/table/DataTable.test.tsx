// @vitest-environment happy-dom
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Column, DataTable, type DataTableProps, emptyTableState, type TableState } from './DataTable.tsx';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

type Block = { prefix: string; netname: string; state: string; look?: 'gap' };
const rows: Block[] = [
  { prefix: '198.18.0.0/23', netname: 'CORE-INFRA', state: 'Valid' },
  { prefix: '198.18.2.0/24', netname: 'POP-SYD-1', state: 'Invalid' },
  { prefix: '198.18.10.0/23', netname: 'Free', state: '', look: 'gap' },
];
const columns: Column<Block>[] = [
  { id: 'prefix', label: 'Prefix', cell: row => <a href="#x">{row.prefix}</a>, text: row => row.prefix, sortable: true, fixed: true },
  { id: 'state', label: 'State', cell: row => row.state, card: 'state' },
  { id: 'netname', label: 'Netname', cell: row => row.netname, sortable: true },
];
const rowId = (row: Block) => row.prefix;
const rowLook = (row: Block) => row.look;

function Table({ onState, ...rest }: Partial<DataTableProps<Block>> & { onState?: (state: TableState) => void }) {
  const [state, setState] = useState(emptyTableState);
  return (
    <DataTable
      caption="Blocks"
      columns={columns}
      rows={rows}
      rowId={rowId}
      rowLook={rowLook}
      state={state}
      onStateChange={next => {
        setState(next);
        onState?.(next);
      }}
      {...rest}
    />
  );
}

const cell = (row: number, column: number) => document.querySelector<HTMLElement>(`[data-cell="${row}:${column}"]`);

describe('sorting', () => {
  test('asks the server, marks the column and is read out', async () => {
    const user = userEvent.setup();
    const onState = vi.fn();
    render(<Table onState={onState} />);
    await user.click(screen.getByRole('button', { name: 'Netname' }));
    expect(onState).toHaveBeenLastCalledWith({ ...emptyTableState, sort: { column: 'netname', descending: false } });
    expect(screen.getByRole('columnheader', { name: 'Netname' }).getAttribute('aria-sort')).toBe('ascending');
    expect(screen.getByText('Sorted by Netname, ascending')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Netname' }));
    expect(screen.getByRole('columnheader', { name: 'Netname' }).getAttribute('aria-sort')).toBe('descending');
    expect(screen.getByRole('columnheader', { name: 'State' }).getAttribute('aria-sort')).toBeNull();
  });

  test('the rows keep the order in which the server gave them', async () => {
    const user = userEvent.setup();
    render(<Table />);
    await user.click(screen.getByRole('button', { name: 'Netname' }));
    expect(screen.getAllByRole('link').map(link => link.textContent)).toEqual(rows.map(row => row.prefix));
  });
});

describe('below a row', () => {
  test('the receipt follows its row and no other, and arrow keys pass it', async () => {
    const user = userEvent.setup();
    const seen = vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(() => {});
    const { rerender } = render(<Table below={{ row: '198.18.0.0/23', content: <p>Saved</p> }} />);
    rerender(<Table below={{ row: '198.18.0.0/23', content: <p>Saved</p> }} />);
    // It is scrolled to once, not with everything that happens later.
    expect(seen).toHaveBeenCalledTimes(1);
    const receipt = screen.getByText('Saved').closest('tr')!;
    expect(within(receipt.previousElementSibling as HTMLElement).getByText('198.18.0.0/23')).toBeTruthy();
    expect(within(receipt.nextElementSibling as HTMLElement).getByText('198.18.2.0/24')).toBeTruthy();
    cell(0, 0)!.focus();
    await user.keyboard('{ArrowDown}');
    expect(document.activeElement).toBe(cell(1, 0));
  });

  test('nothing is shown for a row of another page', () => {
    render(<Table below={{ row: '203.0.113.0/24', content: <p>Saved</p> }} />);
    expect(screen.queryByText('Saved')).toBeNull();
  });
});

describe('keyboard', () => {
  test('arrow keys move one cell that can be tabbed to', async () => {
    const user = userEvent.setup();
    render(<Table />);
    expect(document.querySelectorAll('td[tabindex="0"]')).toHaveLength(1);
    cell(0, 0)?.focus();
    await user.keyboard('{ArrowDown}{ArrowRight}');
    expect(document.activeElement).toBe(cell(1, 1));
    await user.keyboard('{End}');
    expect(document.activeElement).toBe(cell(1, 2));
    await user.keyboard('{ArrowRight}{ArrowDown}{ArrowDown}{ArrowDown}');
    expect(document.activeElement).toBe(cell(2, 2));
    await user.keyboard('{Control>}{Home}{/Control}');
    expect(document.activeElement).toBe(cell(0, 0));
    expect(document.querySelectorAll('td[tabindex="0"]')).toHaveLength(1);
  });

  test('Enter opens the row', async () => {
    const user = userEvent.setup();
    const onOpen = vi.fn();
    render(<Table onOpen={onOpen} />);
    cell(1, 2)?.focus();
    await user.keyboard('{Enter}');
    expect(onOpen).toHaveBeenCalledWith(rows[1]);
  });

  test('Ctrl+C copies the cell and says so', async () => {
    const user = userEvent.setup();
    render(<Table />);
    cell(1, 0)?.focus();
    await user.keyboard('{Control>}c{/Control}');
    await waitFor(() => expect(screen.getByText('Copied 198.18.2.0/24')).toBeTruthy());
    expect(await navigator.clipboard.readText()).toBe('198.18.2.0/24');
  });

  test('Space ticks the row, not a gap', async () => {
    const user = userEvent.setup();
    const onChange = vi.fn();
    render(<Table selection={{ selected: new Set(), onChange }} />);
    cell(0, 1)?.focus();
    await user.keyboard(' ');
    expect(onChange.mock.lastCall?.[0]).toEqual(new Set(['198.18.0.0/23']));
    onChange.mockClear();
    cell(2, 1)?.focus();
    await user.keyboard(' ');
    expect(onChange).not.toHaveBeenCalled();
  });
});

describe('selection', () => {
  test('the bulk bar counts, and all on the page are those that can be ticked', async () => {
    const user = userEvent.setup();
    const onChange = vi.fn();
    render(
      <Table selection={{ selected: new Set(['198.18.0.0/23']), onChange, actions: <button type="button">Add reverse DNS</button> }} />,
    );
    expect(screen.getByText('1 selected')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Add reverse DNS' })).toBeTruthy();
    const all = screen.getByRole('checkbox', { name: 'Select all rows on this page' }) as HTMLInputElement;
    expect(all.indeterminate).toBe(true);
    await user.click(all);
    expect(onChange.mock.lastCall?.[0]).toEqual(new Set(['198.18.0.0/23', '198.18.2.0/24']));
  });
});

describe('cards', () => {
  test('the first column is the key, the state is separate, the rest carry their label', () => {
    render(<Table />);
    expect(cell(0, 0)?.className).toContain('card-key');
    expect(cell(0, 0)?.dataset.label).toBeUndefined();
    expect(cell(0, 1)?.className).toContain('card-state');
    expect(cell(0, 2)?.dataset.label).toBe('Netname');
  });

  test('roles are written out, since elements drawn as cards lose theirs', () => {
    render(<Table />);
    const grid = screen.getByRole('grid', { name: 'Blocks' });
    expect(grid.querySelectorAll('[role=row]')).toHaveLength(4);
    expect(cell(0, 0)?.getAttribute('role')).toBe('gridcell');
  });
});

describe('cards that can be ticked', () => {
  const view = window as unknown as { happyDOM: { setViewport: (size: { width: number }) => void } };
  afterEach(() => view.happyDOM.setViewport({ width: 1024 }));

  test('have a checkbox each, and one above for all', async () => {
    view.happyDOM.setViewport({ width: 390 });
    const user = userEvent.setup();
    const onChange = vi.fn();
    render(<Table selection={{ selected: new Set(['198.18.0.0/23']), onChange }} />);
    const all = screen.getByRole('checkbox', { name: 'Select all on this page' });
    expect((all as HTMLInputElement).indeterminate).toBe(true);
    await user.click(all);
    expect(onChange.mock.lastCall?.[0]).toEqual(new Set(['198.18.0.0/23', '198.18.2.0/24']));
  });

  test('rows treat a click beside the checkbox as one on it, and open on any other', async () => {
    const user = userEvent.setup();
    const onChange = vi.fn();
    const onOpen = vi.fn();
    render(<Table selection={{ selected: new Set(), onChange }} onOpen={onOpen} />);
    await user.click(cell(1, 0)!);
    expect(onChange.mock.lastCall?.[0]).toEqual(new Set(['198.18.2.0/24']));
    expect(onOpen).not.toHaveBeenCalled();
    await user.click(cell(1, 2)!);
    expect(onOpen).toHaveBeenCalledOnce();
  });
});

describe('columns', () => {
  test('are hidden and moved through the state, the fixed one stays', async () => {
    const user = userEvent.setup();
    const onState = vi.fn();
    render(<Table onState={onState} />);
    await user.click(screen.getByRole('button', { name: 'Columns' }));
    expect((await screen.findByRole<HTMLInputElement>('checkbox', { name: 'Prefix' })).disabled).toBe(true);
    await user.click(screen.getByRole('checkbox', { name: 'State' }));
    expect(onState.mock.lastCall?.[0].hidden).toEqual(['state']);
    expect(screen.queryByRole('columnheader', { name: 'State' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Move Netname before State' }));
    expect(onState.mock.lastCall?.[0].order).toEqual(['prefix', 'netname', 'state']);
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('group', { name: 'Columns' })).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Columns' }));
  });
});

describe('pages and waiting', () => {
  test('the pager counts, and its ends show why they are disabled', async () => {
    const user = userEvent.setup();
    const onState = vi.fn();
    render(<Table total={8960} pageSize={3} onState={onState} />);
    expect(screen.getByText(/1 to 3 of 8 960/)).toBeTruthy();
    const previous = screen.getByRole('button', { name: 'Previous' });
    expect(previous.getAttribute('aria-disabled')).toBe('true');
    expect(document.getElementById(previous.getAttribute('aria-describedby') ?? '')?.textContent).toBe('This is the first page');
    await user.click(screen.getByRole('button', { name: 'Next' }));
    expect(onState.mock.lastCall?.[0].page).toBe(2);
  });

  test('skeleton rows represent loading rows, an empty list offers its first step', () => {
    const { rerender } = render(<Table rows={[]} loading pageSize={4} />);
    expect(within(screen.getByRole('grid')).getAllByRole('row', { hidden: true })).toHaveLength(5);
    expect(screen.getByRole('grid').getAttribute('aria-busy')).toBe('true');
    rerender(<Table rows={[]} empty={<p>No blocks yet</p>} />);
    expect(screen.queryByRole('grid')).toBeNull();
    expect(screen.getByText('No blocks yet')).toBeTruthy();
  });

  test('of thousands of rows only the visible ones are in the document', async () => {
    vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(36);
    vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(720);
    const many = Array.from({ length: 5000 }, (_, index) => ({ prefix: `p${index}`, netname: `N${index}`, state: '' }));
    const user = userEvent.setup();
    render(<Table rows={many} />);
    const drawn = () => document.querySelectorAll('[data-index]').length;
    expect(drawn()).toBe(40);
    await waitFor(() => expect(document.querySelector('tr[aria-hidden]')).toBeTruthy());
    expect(drawn()).toBeGreaterThan(0);
    expect(drawn()).toBeLessThan(200);
    cell(0, 0)?.focus();
    await user.keyboard('{Control>}{End}{/Control}');
    expect(cell(4999, 2)).toBeNull();
    await user.keyboard('{Control>}{Home}{/Control}');
    expect(document.activeElement).toBe(cell(0, 0));
    expect(screen.getByRole('grid').getAttribute('aria-rowcount')).toBe('5001');
  });
});

test('a table without state offers no choice of columns', () => {
  render(<DataTable caption="Blocks" columns={columns} rows={rows} rowId={rowId} state={emptyTableState} />);
  expect(screen.getAllByRole('row').length).toBeGreaterThan(1);
  expect(screen.queryByRole('button', { name: 'Columns' })).toBeNull();
});
