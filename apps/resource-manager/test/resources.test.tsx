import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { answers, delegation, emptySummary, freeSpace, overview, registration, summary } from './example-holdings.ts';
import { account, loadAhead, refusal, showPage } from './framed-page.tsx';

loadAhead('ipv4', 'asn', 'ipv4ShowList', 'resourcesSummary');
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const panel = async () => screen.findByRole('complementary');

describe('the address space page', () => {
  test('starts with the first holding beside its map', async () => {
    showPage('/resources/ipv4', { answers });
    expect(await within(await panel()).findByText('Allocated portable')).toBeTruthy();
    expect(screen.getByText(/8.448 addresses in two delegations, 33 \/24 equivalents/)).toBeTruthy();
  });

  test('a block clicked in the map is shown beside it and becomes part of the address', async () => {
    const user = userEvent.setup();
    const { search } = showPage('/resources/ipv4', { answers });
    const map = await screen.findByRole('listbox', { name: /Address map/ });
    map.focus();
    await user.keyboard('{ArrowDown}{ArrowRight}');
    await waitFor(() => expect(search()).toMatch(/selected=198\.18\.1[24]\.0\/23|selected=198\.18\.0\.0\/21/));
    const selected = new URLSearchParams(search()).get('selected') ?? '';
    expect((await within(await panel()).findAllByText(selected)).length).toBeGreaterThan(0);
    expect(within(map).getByRole('option', { selected: true }).getAttribute('aria-label')).toContain(selected);
  });

  test('a row clicked in the table moves map and panel to it', async () => {
    const user = userEvent.setup();
    const { search } = showPage('/resources/ipv4?table=delegations', { answers });
    const table = await screen.findByRole('grid');
    await user.click(within(table).getByText('203.0.113.0/24'));
    await waitFor(() => expect(search()).toBe('?table=delegations&within=203.0.113.0/24&selected=203.0.113.0/24'));
    expect(await screen.findByRole('listbox', { name: /Address map of 203\.0\.113\.0\/24/ })).toBeTruthy();
    expect(await within(await panel()).findByText('Assigned portable')).toBeTruthy();
    expect(within(table).getByText('203.0.113.0/24').closest('tr')?.getAttribute('aria-current')).toBe('true');
  });

  test('a link to a registration opens with it selected, its holder drawn', async () => {
    showPage('/resources/ipv4?selected=198.18.12.0/23', { answers });
    const aside = await panel();
    expect(await within(aside).findByText('CUST-NORTHWIND')).toBeTruthy();
    expect(within(aside).getByText('Northwind Freight')).toBeTruthy();
    expect(within(aside).getByRole('button', { name: '198.18.0.0/19' })).toBeTruthy();
  });

  test('free space says that nothing is registered there', async () => {
    showPage('/resources/ipv4?selected=198.18.14.0/23', { answers });
    expect(await within(await panel()).findByText(/Free: no registrations/)).toBeTruthy();
  });

  test('an invalid address falls back to the holding', async () => {
    showPage('/resources/ipv4?selected=nonsense', { answers });
    expect(await within(await panel()).findByText('Allocated portable')).toBeTruthy();
  });

  test('an account without IPv4 reads what belongs here', async () => {
    showPage('/resources/ipv4', {
      answers: { ...answers, 'resources.getSummary': emptySummary, 'resources.listDelegations': { rows: [], total: 0, size: '0' } },
    });
    expect(await screen.findAllByText('No IPv4 space yet')).toHaveLength(1);
    expect(screen.getByRole('link', { name: 'Request IPv4' })).toBeTruthy();
    expect(screen.queryByRole('listbox')).toBeNull();
  });

  test('a read that fails shows its message, its trace id and a way to try again', async () => {
    let failing = true;
    const unsteady = {
      ...answers,
      'resources.getSummary': () =>
        failing ? refusal(503, 'UNAVAILABLE', 'The service is not available at the moment') : answers['resources.getSummary'],
    };
    showPage('/resources/ipv4', { answers: unsteady });
    expect(await screen.findByText(/The service is not available/)).toBeTruthy();
    expect(screen.getByText(new RegExp('f'.repeat(32)))).toBeTruthy();
    failing = false;
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText(/8.448 addresses/)).toBeTruthy();
  });
});

describe('the address space of a large holder', () => {
  const many = { ...summary, totals: summary.totals.map(each => (each.kind === 'ipv4' ? { ...each, delegations: 1_109 } : each)) };
  const large = { ...answers, 'resources.getSummary': many, 'resources.getAddressOverview': overview };

  test('shows all of it first, the fullest part of it enlarged, and its largest delegation beside it', async () => {
    const { calls } = showPage('/resources/ipv4', { answers: large });
    const strips = await screen.findByRole('listbox', { name: /All your IPv4: 2 strips/ });
    expect(within(strips).getByRole('option', { selected: true }).getAttribute('aria-label')).toContain('198.0.0.0/8');
    expect(await within(await panel()).findByText('Allocated portable')).toBeTruthy();
    expect(calls.filter(call => call.id === 'resources.getAddressMap').map(call => call.input.query)).toEqual([
      { kind: 'ipv4', within: '198.0.0.0/8' },
    ]);
    expect(screen.queryByRole('combobox', { name: 'Holding' })).toBeNull();
  });

  test('a place found by its name is selected and shown', async () => {
    const user = userEvent.setup();
    const { search, calls } = showPage('/resources/ipv4', { answers: large });
    await user.type(await screen.findByRole('combobox', { name: /Find a prefix/ }), '203.0');
    expect(document.activeElement).toBe(screen.getByRole('combobox', { name: /Find a prefix/ }));
    const found = await screen.findByRole('listbox', { name: /Find a prefix/ });
    await user.click(await within(found).findByRole('option', { name: /delegation$/ }));
    await waitFor(() => expect(search()).toBe('?selected=203.0.113.0/24'));
    await waitFor(() =>
      expect(calls.findLast(call => call.id === 'resources.getAddressMap')?.input.query).toEqual({ kind: 'ipv4', within: '203.0.0.0/8' }),
    );
  });

  test('several delegations drawn as one zoom in to them', async () => {
    const user = userEvent.setup();
    const { search } = showPage('/resources/ipv4', { answers: large });
    const strips = await screen.findByRole('listbox', { name: /All your IPv4/ });
    strips.focus();
    await user.keyboard('{End}{ArrowRight}{ArrowRight}{Enter}');
    await waitFor(() => expect(search()).toBe('?within=203.0.112.0/20'));
  });
});

describe('the table', () => {
  test('sorting and filters are part of the address and go to the server', async () => {
    const user = userEvent.setup();
    const { calls, search } = showPage('/resources/ipv4?sort=size&direction=desc&type=allocated&page=2', { answers });
    await screen.findByRole('grid');
    expect(calls.find(call => call.id === 'resources.listDelegations')?.input.query).toMatchObject({
      kind: 'ipv4',
      sort: 'size',
      direction: 'desc',
      type: 'allocated',
      offset: 50,
    });
    await user.selectOptions(screen.getByRole('combobox', { name: 'Type' }), 'assigned');
    await waitFor(() => expect(search()).toBe('?sort=size&direction=desc&type=assigned'));
  });

  test('an invalid sort order in the address is ignored', async () => {
    const { calls } = showPage('/resources/ipv4?table=delegations&sort=colour&page=-3', { answers });
    await screen.findByRole('grid');
    expect(calls.find(call => call.id === 'resources.listDelegations')?.input.query).toMatchObject({ sort: 'resource', offset: 0 });
  });

  test('a pasted range is normalised; one with host bits set is explained, not searched for', async () => {
    const user = userEvent.setup();
    const { search } = showPage('/resources/ipv4?table=delegations', { answers });
    const filter = await screen.findByRole('searchbox', { name: 'Filter delegations' });
    await user.click(filter);
    await user.paste('198.18.0.0 – 198.18.31.255');
    await waitFor(() => expect(search()).toBe('?table=delegations&q=198.18.0.0/19'));
    await user.clear(filter);
    await user.paste('198.18.0.9/19');
    expect(await screen.findByText(/has host bits set/)).toBeTruthy();
    expect(search()).toBe('?table=delegations');
    await user.click(screen.getByRole('button', { name: /Did you mean 198\.18\.0\.0\/19/ }));
    await waitFor(() => expect(search()).toBe('?table=delegations&q=198.18.0.0/19'));
  });

  test('a filter that finds nothing offers to be cleared', async () => {
    const user = userEvent.setup();
    const { search } = showPage('/resources/ipv4?table=delegations&q=CUST', { answers });
    expect(await screen.findByText('No matches')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Clear the filters' }));
    await waitFor(() => expect(search()).toBe('?table=delegations'));
    expect(await screen.findByRole('grid')).toBeTruthy();
  });

  test('of few delegations the blocks come first, with free space; one that is chosen is shown on the map', async () => {
    const user = userEvent.setup();
    const { search } = showPage('/resources/ipv4', { answers });
    const table = await screen.findByRole('grid', { name: /registrations/ });
    expect(within(table).getByText('Free')).toBeTruthy();
    await user.click(within(table).getByText(registration().resource));
    await waitFor(() => expect(search()).toBe(`?selected=${registration().resource}`));
    await user.click(screen.getByRole('radio', { name: 'Delegations' }));
    expect(await within(await screen.findByRole('grid', { name: /delegations/ })).findByText('203.0.113.0/24')).toBeTruthy();
    expect(search()).toBe(`?selected=${registration().resource}&table=delegations`);
  });

  test('an export has the filters', async () => {
    vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => undefined }));
    const { calls } = showPage('/resources/ipv4?type=allocated&sort=size', {
      answers: { ...answers, 'resources.exportDelegations': { fileName: 'ipv4.csv', blob: new Blob(['a']) } },
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Export delegations as CSV' }));
    await waitFor(() =>
      expect(calls.find(call => call.id === 'resources.exportDelegations')?.input.query).toMatchObject({
        kind: 'ipv4',
        type: 'allocated',
        sort: 'size',
        format: 'csv',
      }),
    );
  });
});

describe('access by viewer', () => {
  test('registry staff who visit an account see what its contacts see', async () => {
    showPage('/resources/ipv4', { answers, staff: true, as: account({ asStaff: true, contactTypes: [], permissions: [] }) });
    expect(await screen.findByRole('grid')).toBeTruthy();
    expect(await screen.findByRole('listbox', { name: /Address map/ })).toBeTruthy();
  });

  test('a suspended account is marked as such, and keeps its pages', async () => {
    showPage('/resources/ipv4', { answers, as: account({ accountStatus: 'suspended' }) });
    expect(await screen.findByText('EXAMPLE-AU is suspended.')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'billing' })).toBeTruthy();
    expect(await screen.findByRole('grid')).toBeTruthy();
  });

  test('historical resources are marked as such', async () => {
    showPage('/resources/ipv4', { answers, as: account({ accountType: 'historical' }) });
    expect(await screen.findByText('Historical resources.')).toBeTruthy();
  });
});

describe('the summary', () => {
  test('counts each kind in its own units', async () => {
    showPage('/resources/summary', { answers });
    expect(await screen.findByText(/33 \/24 equivalents/)).toBeTruthy();
    expect(screen.getByText('Australia (AU)')).toBeTruthy();
    expect(screen.getByText('No IPv6 space yet')).toBeTruthy();
  });

  test('a member without resources reads what belongs here', async () => {
    showPage('/resources/summary', { answers: { ...answers, 'resources.getSummary': emptySummary } });
    expect(await screen.findByText('No number resources yet')).toBeTruthy();
  });

  test('does not refetch within thirty seconds, and says so', async () => {
    const fresh = { ...answers, 'resources.getSummary': { ...answers['resources.getSummary'], asOf: new Date().toISOString() } };
    const { calls } = showPage('/resources/summary', { answers: fresh });
    const refresh = await screen.findByRole('button', { name: 'Refresh' });
    const before = calls.filter(call => call.id === 'resources.getSummary').length;
    await userEvent.click(refresh);
    expect(await screen.findByText(/less than 30 seconds ago/)).toBeTruthy();
    expect(calls.filter(call => call.id === 'resources.getSummary')).toHaveLength(before);
  });

  test('refetches after that', async () => {
    const { calls } = showPage('/resources/summary', { answers });
    await userEvent.click(await screen.findByRole('button', { name: 'Refresh' }));
    await waitFor(() => expect(calls.filter(call => call.id === 'resources.getSummary').length).toBeGreaterThan(1));
  });
});

describe('AS numbers', () => {
  test('are written in asplain with asdot beside it, and their width', async () => {
    showPage('/resources/asn', { answers });
    const table = await screen.findByRole('grid');
    expect(within(table).getByText('AS65546')).toBeTruthy();
    expect(within(table).getByText('AS1.10')).toBeTruthy();
    expect(within(table).getByText('4 bytes')).toBeTruthy();
  });
});

describe('registrations', () => {
  test('free space between them is listed, and cannot be ticked', async () => {
    showPage('/resources/IPv4ShowList', { answers });
    const table = await screen.findByRole('grid');
    expect(within(table).getByText('Free')).toBeTruthy();
    expect(within(table).getByRole('checkbox', { name: `Select ${registration().resource}` })).toBeTruthy();
    expect(within(table).queryByRole('checkbox', { name: `Select ${freeSpace.resource}` })).toBeNull();
  });

  test('the tree heads them with their delegation', async () => {
    showPage('/resources/IPv4ShowList?view=tree', { answers });
    const table = await screen.findByRole('grid');
    const rows = within(table).getAllByRole('row').slice(1);
    expect(rows[0]?.textContent).toContain(delegation().resource);
    expect(rows).toHaveLength(3);
  });

  test('at most 500 rows are requested together', async () => {
    const { calls } = showPage('/resources/IPv4ShowList?rows=5000&parent=198.18.0.0/20&visibility=private', { answers });
    await screen.findByRole('grid');
    expect(calls.find(call => call.id === 'resources.listRegistrations')?.input.query).toMatchObject({
      limit: 50,
      parent: '198.18.0.0/20',
      visibility: 'private',
    });
  });

  test('a contact who may not read private ones sees a note instead of the filter', async () => {
    showPage('/resources/IPv4ShowList', { answers, as: account({ contactTypes: ['billing'], permissions: ['resources-view'] }) });
    expect(await screen.findByText(/Private registrations are hidden/)).toBeTruthy();
    await screen.findByRole('grid');
    expect(screen.queryByRole('option', { name: 'Private only' })).toBeNull();
  });

  test('clicking a row opens it on the map', async () => {
    const { left } = showPage('/resources/IPv4ShowList', { answers });
    const table = await screen.findByRole('grid');
    await userEvent.click(within(table).getByText('CUST-NORTHWIND'));
    expect(left).toEqual(['/resources/ipv4?selected=198.18.12.0%2F23']);
  });
});
