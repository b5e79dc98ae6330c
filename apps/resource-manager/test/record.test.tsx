import { recordAddress } from '@portal/contract/records/record-address';
import type { ResourceRecord } from '@portal/contract/records/records';
import { cleanup, screen, within } from '@testing-library/react';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { fireEvent } from '@testing-library/react';
import { answers } from './example-holdings.ts';
import { loadAhead, showPage } from './framed-page.tsx';

loadAhead('prefix');
beforeAll(() => import('../src/resources/record/RecordBody.tsx'), 60_000);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const record: ResourceRecord = {
  kind: 'ipv4',
  resource: '203.0.113.0/24',
  first: '203.0.113.0',
  last: '203.0.113.255',
  size: '256',
  on: null,
  holdings: [],
  moreHoldings: false,
  pools: [],
  assignments: [],
  moreAssignments: false,
  mayAssign: false,
  objects: [],
  moreObjects: false,
  contacts: [],
  irtMailboxes: [],
  health: [],
  routing: null,
  fee: null,
  editors: [],
  used: null,
  lanes: [],
  sections: [
    {
      id: 'planned',
      about: null,
      title: 'ROAs',
      rows: [
        {
          label: 'AS64500',
          text: '203.0.113.0/24, up to /24',
          link: '/resources/roas?roa=1',
          state: { mark: 'valid', word: 'Published' },
          actions: [{ label: 'Withdraw', link: '/resources/roas?withdraw=1' }],
        },
        { label: 'AS64501', text: 'No ROA', link: null, state: { mark: 'not-found', word: 'Not covered' }, actions: [] },
      ],
      more: true,
      link: { label: 'See all ROAs', link: '/resources/roas' },
    },
  ],
  marks: [],
  history: [],
};

test('a section that another part of the registry contributes shows its rows with links, states and actions', async () => {
  showPage(recordAddress('203.0.113.0/24'), {
    answers: { ...answers, 'records.getRecord': record, 'whois.follows.listFollows': { rows: [] } },
  });
  const section = await screen.findByRole('list', { name: 'ROAs' });
  const [signed, missing, more] = within(section).getAllByRole('listitem');
  expect(within(signed!).getByRole('link', { name: '203.0.113.0/24, up to /24' }).getAttribute('href')).toContain('/resources/roas?roa=1');
  expect(within(signed!).getByText('Published')).toBeTruthy();
  expect(within(signed!).getByRole('link', { name: 'Withdraw' }).getAttribute('href')).toContain('withdraw=1');
  expect(within(missing!).queryByRole('link')).toBeNull();
  expect(within(missing!).getByText('Not covered')).toBeTruthy();
  expect(more!.textContent).toBe('and more');
  expect(screen.getByRole('link', { name: 'See all ROAs' })).toBeTruthy();
});

const customer: ResourceRecord = {
  ...record,
  resource: '198.18.12.0/23',
  first: '198.18.12.0',
  last: '198.18.13.255',
  size: '512',
  sections: [],
  health: [
    { about: 'registration', mark: 'valid', word: 'In the ledger and in whois', facts: [], actions: [] },
    { about: 'objects', mark: 'valid', word: '1 object of exactly these numbers', facts: [], actions: [] },
  ],
  holdings: [
    {
      relation: 'around',
      resource: '198.18.0.0/19',
      link: recordAddress('198.18.0.0/19'),
      size: '8192',
      type: 'allocated',
      statusText: 'ALLOCATED PORTABLE',
      delegatedOn: '2021-03-02',
      economy: 'AU',
      holder: 'Example Networks Pty Ltd',
      own: true,
      registry: null,
      status: 'active',
      source: 'delegated',
      holdUntil: null,
      endsOn: null,
    },
  ],
  assignments: [
    {
      relation: 'exact',
      resource: '198.18.12.0/23',
      link: recordAddress('198.18.12.0/23'),
      netname: 'CUST-NORTHWIND',
      customer: 'Northwind Freight',
      statusText: 'ASSIGNED NON-PORTABLE',
      visibility: 'public',
      level: 0,
    },
  ],
  objects: [
    {
      relation: 'exact',
      class: 'inetnum',
      key: '198.18.12.0 - 198.18.13.255',
      shown: '198.18.12.0 - 198.18.13.255',
      resource: '198.18.12.0/23',
      name: 'CUST-NORTHWIND',
      version: 1,
      changedAt: '2026-01-01T00:00:00Z',
      maintainers: ['MAINT-AU-EXAMPLE'],
      mayReclaim: false,
      link: '/resources/whois-updates-js/all?class=inetnum&key=198.18.12.0+-+198.18.13.255',
    },
  ],
};

test('a customer’s network has its own status, not its delegation’s, and is not listed as free beside itself', async () => {
  const { calls } = showPage(recordAddress('198.18.12.0/23'), {
    answers: { ...answers, 'records.getRecord': customer, 'whois.follows.listFollows': { rows: [] } },
  });
  expect((await screen.findAllByText('Assigned non-portable')).length).toBeGreaterThan(0);
  const registration = screen.getByRole('region', { name: 'Registration' });
  expect(within(registration).getByRole('list', { name: 'Part of' }).textContent).toBe('198.18.0.0/19ALLOCATED PORTABLEyours');
  expect(screen.queryByRole('region', { name: 'Inside' })).toBeNull();
  expect(calls.some(call => call.id === 'resources.listRegistrations')).toBe(false);
  expect(await screen.findByRole('link', { name: 'Edit whois' })).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Assign' })).toBeNull();
  expect(await screen.findByRole('img', { name: '198.18.12.0/23 in 198.18.0.0/19' })).toBeTruthy();
  expect(screen.getAllByRole('link', { name: '198.18.12.0 - 198.18.13.255' })).toHaveLength(1);
});

const dropped: ResourceRecord = {
  ...customer,
  health: [
    { about: 'registration', mark: 'valid', word: 'In the ledger and in whois', facts: [], actions: [] },
    {
      about: 'routing',
      mark: 'invalid',
      word: 'Dropped where validated',
      facts: [],
      actions: [{ label: 'Add route', link: '/resources/routes/index?add=yes&prefix=198.18.12.0/23' }],
    },
    { about: 'fee', mark: 'valid', word: '5.7 % of your IPv4 addresses', facts: [], actions: [] },
  ],
  marks: [
    {
      about: 'routing',
      mark: 'invalid',
      code: 'announcement-invalid',
      message: 'AS64496 announces 198.18.12.0/24. The ROA allows AS64500 on 198.18.0.0/19 up to /19',
      fix: { label: 'Allow AS64496', link: '/resources/routes/index?add=yes&asn=AS64496' },
    },
  ],
  routing: {
    collectedAt: '2026-11-22T08:00:00Z',
    peers: 331,
    announcements: [
      { prefix: '198.18.0.0/19', asn: 64500, peers: 328, validity: 'valid' },
      { prefix: '198.18.12.0/24', asn: 64496, peers: 41, validity: 'invalid-asn' },
    ],
    roas: [{ prefix: '198.18.0.0/19', asn: 64500, maxLength: 19 }],
    more: false,
  },
  fee: { currency: 'AUD', now: '5640.36', without: '5458.10', share: 0.057 },
  editors: [{ what: 'Whois', names: ['Corin Park', 'Tess Rao'] }],
  lanes: [
    {
      id: 'registration',
      title: 'Registration',
      spans: [
        { from: '2021-03-02T00:00:00.000Z', until: '2025-09-30T00:00:00.000Z', text: 'Free, in 198.18.0.0/19', look: 'held' },
        { from: '2025-09-30T00:00:00.000Z', until: null, text: 'CUST-NORTHWIND', look: 'registered' },
      ],
    },
  ],
  history: [{ at: '2025-09-30T00:00:00.000Z', what: 'Registered CUST-NORTHWIND', by: 'Corin Park', link: null }],
};

test('the health of some numbers leads from what is wrong to the act that repairs it, with the picture in words', async () => {
  showPage(recordAddress('198.18.12.0/23'), {
    answers: { ...answers, 'records.getRecord': dropped, 'whois.follows.listFollows': { rows: [] } },
  });
  const routing = await screen.findByRole('region', { name: 'Routing' });
  expect(within(routing).getByText('Dropped where validated')).toBeTruthy();
  expect(within(routing).getByRole('link', { name: 'Allow AS64496' }).getAttribute('href')).toContain('asn=AS64496');
  const picture = within(routing).getByRole('img', { name: /^Routing of 198\.18\.12\.0\/23/ });
  expect(picture.getAttribute('aria-label')).toContain('198.18.12.0/24 from AS64496, Invalid');
  expect(picture.getAttribute('aria-label')).toContain('Route objects: none.');
  expect(within(routing).getByText('41 peers carry 198.18.12.0/24 from AS64496')).toBeTruthy();
  expect(screen.getByRole('img', { name: '1 urgent, 2 fine' })).toBeTruthy();
  expect(within(screen.getByRole('region', { name: 'Fee share' })).getByText(/182\.26/)).toBeTruthy();
  expect(screen.getByRole('region', { name: 'Who can change it' }).textContent).toContain('Corin Park, Tess Rao');
});

test('the mark of the time line opens the page as of another day, by keyboard', async () => {
  const { search } = showPage(recordAddress('198.18.12.0/23'), {
    answers: { ...answers, 'records.getRecord': dropped, 'whois.follows.listFollows': { rows: [] } },
  });
  const mark = await screen.findByRole('slider', { name: 'Day on which 198.18.12.0/23 is shown' });
  expect(mark.getAttribute('aria-valuetext')).toBe('Today');
  fireEvent.change(mark, { target: { value: '30' } });
  expect(mark.getAttribute('aria-valuetext')).toBe('2021-04-01');
  fireEvent.keyUp(mark, { key: 'Enter' });
  await vi.waitFor(() => expect(search()).toContain('on=2021-04-01'));
});
