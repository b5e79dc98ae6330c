// @vitest-environment happy-dom
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { CommandPalette, matches, type PaletteGroup, paletteGroups } from './CommandPalette.tsx';

afterEach(cleanup);

const groups: PaletteGroup[] = [
  {
    label: 'Pages',
    items: [
      { id: 'ipv4', text: 'IPv4' },
      { id: 'billing', text: 'Billing', words: 'invoice payment' },
    ],
  },
  { label: 'Actions', items: [{ id: 'route', text: 'Create route' }] },
];
const found: PaletteGroup[] = [
  { label: 'Address space', items: [{ id: 'p', text: '198.18.12.0/23', kind: 'ipv4', note: 'CUST-NORTHWIND' }] },
];

describe('the contents of the palette', () => {
  test('recent items first, and everything while nothing is typed', () => {
    expect(paletteGroups({ typed: '', groups, recent: [{ id: 'r', text: 'AS64500' }] }).map(group => group.label)).toEqual([
      'Recent',
      'Pages',
      'Actions',
    ]);
  });

  test('the results of the search first, then pages and actions by any of their words, no empty group, nothing twice', () => {
    expect(paletteGroups({ typed: 'INVOICE', groups })).toEqual([{ label: 'Pages', items: [groups[0]?.items[1]] }]);
    expect(paletteGroups({ typed: '198', groups, found }).map(group => group.label)).toEqual(['Address space']);
    expect(
      paletteGroups({ typed: 'route', groups, found: [{ label: 'Found', items: [{ id: 'route', text: 'Create route' }] }] }),
    ).toHaveLength(1);
  });

  test('a section shows its groups only, and a short list stands before typing', () => {
    const section = { label: 'Actions', sign: '>', groups: ['Actions'] };
    expect(paletteGroups({ typed: 'route', groups, found, section }).map(group => group.label)).toEqual(['Actions']);
    expect(paletteGroups({ typed: '', groups, section }).map(group => group.label)).toEqual(['Actions']);
    expect(paletteGroups({ typed: '', groups, goTo: [groups[0]!.items[0]!] })).toEqual([{ label: 'Go to', items: [groups[0]!.items[0]] }]);
  });

  test('each word typed must be found, in any order', () => {
    expect(matches({ id: 'x', text: 'Create route', note: 'RPKI' }, 'rpki create')).toBe(true);
    expect(matches({ id: 'x', text: 'Create route' }, 'create zone')).toBe(false);
  });
});

describe('the palette by keyboard', () => {
  test('a sign chooses a section, and an act runs on what has the cursor', async () => {
    const user = userEvent.setup();
    const onPick = vi.fn();
    const onSearch = vi.fn();
    render(
      <CommandPalette
        open
        groups={groups}
        sections={[{ label: 'Actions', sign: '>', groups: ['Actions'] }]}
        preview={item => <p>About {item.text}</p>}
        actsOn={() => [{ key: 'R', label: 'Routes', href: '/resources/routes/index' }]}
        onSearch={onSearch}
        onPick={onPick}
        onClose={vi.fn()}
      />,
    );
    await user.type(screen.getByRole('searchbox'), '>route');
    expect(onSearch).toHaveBeenLastCalledWith('route');
    expect(screen.getByRole('button', { name: 'Actions >' }).getAttribute('aria-pressed')).toBe('true');
    await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(1));
    await user.keyboard('{ArrowDown}');
    expect(await screen.findByText('About Create route')).toBeTruthy();
    await user.keyboard('{Alt>}r{/Alt}');
    expect(onPick).toHaveBeenCalledWith(expect.objectContaining({ href: '/resources/routes/index' }), { newTab: false });
  });

  test('without a match it says where else to look', async () => {
    const user = userEvent.setup();
    const onPick = vi.fn();
    render(
      <CommandPalette
        open
        groups={groups}
        place="EXAMPLE-AU"
        further={words => ({ label: 'Search further', items: [{ id: 'support', text: `Ask support about “${words}”`, href: '/contact' }] })}
        onPick={onPick}
        onClose={vi.fn()}
      />,
    );
    await user.type(screen.getByRole('searchbox'), 'nrothwind');
    expect(await screen.findByText('No match for “nrothwind” in EXAMPLE-AU')).toBeTruthy();
    await user.keyboard('{ArrowDown}{Enter}');
    expect(onPick).toHaveBeenCalledWith(expect.objectContaining({ href: '/contact' }), { newTab: false });
  });

  test('where only what is spelt otherwise was found, it is listed, and what was meant is offered and searched for', async () => {
    const user = userEvent.setup();
    const onSearch = vi.fn();
    render(
      <CommandPalette
        open
        groups={groups}
        found={[{ label: 'Customers', items: [{ id: 'c', text: 'Northwind Freight' }] }]}
        meant="Northwind"
        further={() => ({ label: 'Search further', items: [{ id: 'support', text: 'Ask support' }] })}
        onSearch={onSearch}
        onPick={vi.fn()}
        onClose={vi.fn()}
      />,
    );
    await user.type(screen.getByRole('searchbox'), 'nrothwind');
    expect(await screen.findByText('No match for “nrothwind”')).toBeTruthy();
    await waitFor(() =>
      expect(screen.getAllByRole('option').map(option => option.textContent)).toEqual(['Northwind Freight', 'Ask support']),
    );
    await user.click(screen.getByRole('button', { name: 'Northwind' }));
    expect(onSearch).toHaveBeenLastCalledWith('Northwind');
    expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('Northwind');
  });

  test('actions with the words follow what was found, and a numbered place is opened by Alt and its digit', async () => {
    const user = userEvent.setup();
    const onPick = vi.fn();
    render(
      <CommandPalette
        open
        groups={groups}
        recent={[{ id: 'r', text: 'AS64500', href: '/as', digit: '1' }]}
        actionsWith={words => [{ id: 'whois', text: `Look up ${words}` }]}
        onPick={onPick}
        onClose={vi.fn()}
      />,
    );
    await user.click(screen.getByRole('searchbox'));
    await user.keyboard('{Alt>}[Digit1]{/Alt}');
    expect(onPick).toHaveBeenCalledWith(expect.objectContaining({ href: '/as' }), { newTab: false });
    await user.type(screen.getByRole('searchbox'), 'route');
    await waitFor(() => expect(screen.getAllByRole('option').map(option => option.textContent)).toEqual(['Create route', 'Look up route']));
  });

  test('typing asks the search, arrow and Enter pick', async () => {
    const user = userEvent.setup();
    const onPick = vi.fn();
    const onSearch = vi.fn();
    const onClose = vi.fn();
    render(<CommandPalette open groups={groups} onSearch={onSearch} onPick={onPick} onClose={onClose} />);
    await user.type(screen.getByRole('searchbox'), 'bill');
    expect(onSearch).toHaveBeenLastCalledWith('bill');
    await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(1));
    await user.keyboard('{ArrowDown}{Enter}');
    expect(onPick).toHaveBeenCalledWith(groups[0]?.items[1], { newTab: false });
    expect(onClose).toHaveBeenCalled();
  });

  test('Escape closes it, also with words typed', async () => {
    const user = userEvent.setup();
    const onClose = vi.fn();
    render(<CommandPalette open groups={groups} onPick={vi.fn()} onClose={onClose} />);
    await user.type(screen.getByRole('searchbox'), 'x{Escape}');
    expect(onClose).toHaveBeenCalled();
  });

  test('an empty result suggests what to try, and loading is shown', async () => {
    const user = userEvent.setup();
    const { rerender } = render(<CommandPalette open groups={groups} onPick={vi.fn()} onClose={vi.fn()} />);
    await user.type(screen.getByRole('searchbox'), 'zzz');
    expect(screen.getByText(/No results for “zzz”/)).toBeTruthy();
    rerender(<CommandPalette open loading groups={groups} onPick={vi.fn()} onClose={vi.fn()} />);
    expect(screen.getAllByText('Searching').length).toBeGreaterThan(0);
  });
});
