import { recordAddress } from '@portal/contract/records/record-address';
import type { ResourceRecord } from '@portal/contract/records/records';
import { cleanup, screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { answers } from './example-holdings.ts';
import { loadAhead, showPage } from './framed-page.tsx';

loadAhead('prefix');
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
  sections: [
    {
      id: 'roas',
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
