import { anAccount, aRouter, aSession, show } from '@portal/app-kit/testing';
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { RouteTabs } from './RouteTabs.tsx';

const alert = { prefix: '198.18.8.0/24', asn: 65536, validity: 'invalid-asn', foundAt: '2026-11-20T10:00:00.000Z', muted: null };
const muted = { ...alert, prefix: '198.18.9.0/24', muted: { reason: '', by: 'Corin', at: '2026-11-21T10:00:00.000Z' } };
const tally = { valid: 0, invalid: 0, notFound: 0 };

it('each view shows its count; announcements without a route and muted alerts don’t count', async () => {
  show(<RouteTabs />, {
    router: aRouter('/resources/routes/index?view=alerts'),
    session: aSession({ account: anAccount({ permissions: ['rescert-view'] as never }) }),
    answer: ({ endpoint }) => ({
      status: 200,
      data:
        endpoint === 'routes.listRoutes'
          ? {
              rows: [],
              total: 19,
              version: 1,
              rpki: 'hosted',
              collectedAt: null,
              tally,
              totals: { routes: 12, unmanaged: 7, ipv4Addresses: '0', ipv6Networks: '0' },
            }
          : endpoint === 'routes.suggestions.listSuggestions'
            ? { rows: [], total: 3, collectedAt: null }
            : endpoint === 'routes.alerts.listAlerts'
              ? { rows: [alert, muted] }
              : { topics: [] },
    }),
  });
  expect((await screen.findByRole('link', { name: /^Routes.*12/ })).getAttribute('href')).toBe('/resources/routes/index');
  expect(await screen.findByRole('link', { name: /^Suggestions.*3/ })).toBeTruthy();
  expect((await screen.findByRole('link', { name: /^Alerts.*1$/ })).getAttribute('aria-current')).toBe('page');
  expect(screen.getByRole('link', { name: 'BGP tables' })).toBeTruthy();
});
