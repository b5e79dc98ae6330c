import { defaultPermissions } from '@portal/contract';
import { pagePath, sitePages } from '@portal/contract/pages';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { account, environment, loadAhead, showPage } from './framed-page.tsx';

loadAhead('customerManagement', 'resourcesSummary');
afterEach(cleanup);

const framed = sitePages.filter(page => page.app === 'resource-manager');
const pathOf = (path: string) => pagePath(path, environment.product);
const help = {
  'contacts.whoHoldsPermission': {
    permission: 'resources-view',
    label: 'View number resources',
    granters: [{ name: 'Corin Archer' }],
    askedAt: null,
  },
};

test.each(framed.filter(page => page.access.who === 'member'))(
  '$path: a contact without the permission reads the refusal and who can help',
  async ({ path }) => {
    const none = account({ contactTypes: ['billing'], permissions: [] });
    const { calls } = showPage(pathOf(path), { as: none, answers: help });
    expect(await screen.findByText('You do not have permission to access this feature.')).toBeTruthy();
    expect(await screen.findByRole('button', { name: /Ask Corin/ })).toBeTruthy();
    expect(calls.map(call => call.id)).toEqual(['contacts.whoHoldsPermission']);
  },
);

test.each(framed.filter(({ access }) => access.who === 'corporate' && access.orTechnical))(
  '$path: a billing contact reads who it is for',
  async ({ path }) => {
    showPage(pathOf(path), { as: account({ contactTypes: ['billing'], permissions: defaultPermissions(['billing']) }) });
    expect(await screen.findByText('Sorry, you must be a corporate or technical contact.')).toBeTruthy();
  },
);

test.each(framed.filter(({ access }) => access.who === 'corporate' && !access.orTechnical))(
  '$path: a technical contact reads that it is for corporate contacts',
  async ({ path }) => {
    showPage(pathOf(path), { as: account({ contactTypes: ['technical'], permissions: defaultPermissions(['technical']) }) });
    expect(await screen.findByText('Sorry, you must be a corporate contact.')).toBeTruthy();
  },
);

test('NIR tools say that they are for national registries', async () => {
  showPage('/resources/nirtools/subaccount_management');
  expect(await screen.findByText('This is only for national registries. EXAMPLE-AU isn’t one.')).toBeTruthy();
});

test('customer management says which account types it is for', async () => {
  showPage('/resources/customers/customer_management', { as: account({ accountType: 'historical' }) });
  expect(await screen.findByText('This is only for regular and non-member accounts. EXAMPLE-AU is neither.')).toBeTruthy();
});

test('a person without an account sees what to do instead of an error', async () => {
  showPage('/resources/ipv4', { as: null });
  expect(await screen.findByRole('link', { name: 'Link an existing membership' })).toBeTruthy();
});
