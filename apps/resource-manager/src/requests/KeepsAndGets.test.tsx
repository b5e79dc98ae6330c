import { aSession, anAccount, show } from '@portal/app-kit/testing';
import type { ResourceRequestDetail } from '@portal/contract/requests/requests';
import { resources } from '@portal/contract/resources/resources';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { KeepsAndGets } from './KeepsAndGets.tsx';

const request = {
  accountName: 'EXAMPLE-AU',
  otherParty: 'OTHER-SG',
  kind: 'transfer',
  form: { recipient: 'OTHER-SG', otherRegistry: '' },
  fee: null,
  terms: { acknowledgeDays: 30, feeDays: 30, holdDays: 60, holdYears: 5 },
  plan: {
    moves: ['198.18.64.0/23'],
    keeps: ['198.18.66.0/24'],
    effects: [],
    fee: { currency: 'AUD', amount: '341.88', payer: 'OTHER-SG', why: '', unless: null },
    announcements: { collectedAt: null, rows: [], total: 0 },
  },
} as unknown as ResourceRequestDetail;
const showTo = (accountName: string, size: string) =>
  show(<KeepsAndGets request={request} />, {
    session: aSession({ account: anAccount({ accountName }) }),
    answer: ({ endpoint }) => ({
      status: 200,
      data: endpoint === resources.getSummary.id ? { totals: [{ kind: 'ipv4', size }] } : {},
    }),
  });
const sheet = (name: string) => screen.getByRole('heading', { name }).closest('section')!;

it('the sender reads what it keeps of all its addresses, and the terms for both', async () => {
  showTo('EXAMPLE-AU', '9216');
  expect(await screen.findByText(/^8\s704 addresses in all$/)).toBeTruthy();
  expect(within(sheet('You keep')).getByText(/256 addresses of these/)).toBeTruthy();
  const terms = sheet('Terms');
  expect(within(terms).getByText('Hold period for OTHER-SG').nextElementSibling?.textContent).toBe('none');
  expect(within(terms).getByText('OTHER-SG answers').nextElementSibling?.textContent).toBe('within 30 days');
  expect(within(terms).getByText(/OTHER-SG can transfer it again from the day of completion/)).toBeTruthy();
});

it('the recipient reads what it has in all afterwards, and that it has no hold period', async () => {
  showTo('OTHER-SG', '1024');
  expect(await screen.findByText(/^512 addresses, 1\s536 addresses in all$/)).toBeTruthy();
  const terms = sheet('Terms');
  expect(within(terms).getByText('Hold period for you').nextElementSibling?.textContent).toBe('none');
  expect(within(terms).getByText(/You can transfer it again from the day of completion/)).toBeTruthy();
});
