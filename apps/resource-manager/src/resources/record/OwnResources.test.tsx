import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aRouter, type SentCall, show } from '@portal/app-kit/testing';
import { delegation } from '../../../test/example-holdings.ts';
import { OwnResources } from './OwnResources.tsx';

const totals = (ipv4: number, ipv6: number) => [
  { kind: 'ipv4', delegations: ipv4, size: '1024', used: '0' },
  { kind: 'ipv6', delegations: ipv6, size: '1024', used: '0' },
];
const named = { ipv4: '198.18.0.0/22', ipv6: '2001:db8::/32', asn: 'AS64500' };
const answer =
  (ipv4: number, ipv6: number) =>
  ({ endpoint, input }: SentCall) => {
    const { kind } = (input as { query?: { kind?: keyof typeof named } }).query ?? {};
    return endpoint === 'resources.getSummary'
      ? { status: 200, data: { totals: totals(ipv4, ipv6), latest: [], economies: [], asOf: '2026-11-21T00:00:00Z' } }
      : { status: 200, data: { rows: kind ? [delegation({ kind, resource: named[kind] })] : [], total: 120 } };
  };

test('the account’s own prefixes are listed below the search, a page at a time, each linked to its own page', async () => {
  const router = aRouter('/resources/prefix');
  const { sent } = show(<OwnResources of="prefixes" />, { router, answer: answer(120, 1) });
  const row = (await screen.findAllByText('198.18.0.0/22'))[0]!;
  expect(sent.find(({ endpoint }) => endpoint === 'resources.listDelegations')!.input).toMatchObject({
    query: { kind: 'ipv4', offset: 0, limit: 50 },
  });
  expect(screen.getAllByRole('link', { name: 'Details of 198.18.0.0/22' })[0]!.getAttribute('href')).toBe(
    '/resources/prefix?prefix=198.18.0.0/22',
  );
  const tabs = within(screen.getByRole('navigation', { name: 'Families' }));
  expect(tabs.getByRole('link', { name: /IPv6/ }).getAttribute('href')).toBe('/resources/prefix?kind=ipv6');
  fireEvent.click(row);
  expect(router.went.at(-1)?.href).toBe('/resources/prefix?prefix=198.18.0.0/22');
});

test('an account with IPv6 alone starts there, and AS numbers have a table of their own', async () => {
  const { unmount } = show(<OwnResources of="prefixes" />, { router: aRouter('/resources/prefix'), answer: answer(0, 2) });
  expect((await screen.findAllByText('2001:db8::/32')).length).toBeGreaterThan(0);
  unmount();
  show(<OwnResources of="AS numbers" />, { router: aRouter('/resources/as-number'), answer: answer(1, 1) });
  expect((await screen.findAllByText('AS64500')).length).toBeGreaterThan(0);
  expect(screen.getAllByRole('link', { name: 'Details of AS64500' })[0]!.getAttribute('href')).toBe('/resources/as-number?number=AS64500');
});
