import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { accountStatuses, accountTypes } from '../src/accounts/accounts.ts';
import { allEndpoints } from '../src/api.ts';
import { constants } from '../src/constants.ts';
import { anyone } from '../src/endpoint.ts';
import { errorCatalogue, messages, requestAborted } from '../src/errors.ts';
import { findPage, pagePath, type SitePage, sitePages } from '../src/pages.ts';
import { contactTypes, defaultPermissions, permissionKeys, permissions } from '../src/permissions.ts';

type Checklist = {
  portalRoutes: { path: string; auth: boolean; redirect?: string }[];
  namedWithoutRoute: string[];
  framedPages: string[];
  permissions: Record<string, string[]>;
  accountTypes: string[];
  accountStatuses: string[];
  contactTypes: string[];
  specifiedCalls: string[];
  messages: string[];
  constants: Record<string, number>;
};
const checklist = JSON.parse(fs.readFileSync(new URL('./spec-checklist.json', import.meta.url), 'utf8')) as Checklist;

describe('the site map holds every route of the specification', () => {
  test.each(checklist.portalRoutes)('$path', ({ path, auth, redirect }) => {
    // A fixed redirect may be shadowed by a route with parameters only if it is found first.
    const page: SitePage | undefined =
      sitePages.find(candidate => candidate.app === 'portal' && candidate.path === path) ?? (findPage(path, 'Registry').page as SitePage);
    expect(page.app).toBe('portal');
    expect(page.access.who === anyone.who).toBe(!auth);
    expect(page.redirectTo).toBe(redirect);
  });
  test.each(checklist.framedPages)('%s', path => {
    const page = sitePages.find(candidate => candidate.path === path);
    expect(page?.app).toBe('resource-manager');
    expect(page?.title).not.toBe('');
    expect(page?.access.who).not.toBe('anyone');
  });
  test('the screens that the specification names without a route have one', () => {
    expect(checklist.namedWithoutRoute.sort()).toEqual(['add account', 'proxy history', 'voting history']);
    for (const name of ['addAccount', 'votingHistory', 'proxyHistory']) expect(sitePages.some(page => page.name === name)).toBe(true);
  });
});

describe('paths with the product follow the setting', () => {
  test.each([
    ['/resources/nirtools/resource_delegation_{product}', 'Registry', '/resources/nirtools/resource_delegation_registry'],
    ['/task/My{product}/Echo/1/details', 'Registry', '/task/MyRegistry/Echo/1/details'],
    ['/task/My{product}/Echo/1/details', 'NIC', '/task/MyNIC/Echo/1/details'],
  ])('%s of %s', (path, product, expected) => {
    expect(pagePath(path, product)).toBe(expected);
    expect(pagePath(findPage(expected, product).page.path, product)).toBe(expected);
  });
});

describe('finding a page', () => {
  test.each([
    ['/voting/42/cast', 'castVote', { electionId: '42' }],
    ['/voting/history', 'votingHistory', {}],
    ['/EXAMPLE-AU/index.html', 'accountSelection', { accountName: 'EXAMPLE-AU' }],
    ['/contact/ecsubmission/ec-rt-tickets', 'ecTickets', {}],
    ['/contact/helpdesk/ticket/7', 'ticket', { queue: 'helpdesk', ticketId: '7' }],
    ['/accept-invitation/%E0%A4%A', 'acceptInvitation', { acceptanceToken: '%E0%A4%A' }],
    ['/nowhere', 'notFound', {}],
    ['/resources/ipv4/', 'notFound', {}],
    ['/resourcesXipv4', 'notFound', {}],
  ])('%s', (path, name, params) => {
    expect(findPage(path, 'Registry')).toMatchObject({ name, params });
  });
});

describe('permissions', () => {
  test('every key is listed in its group', () => {
    const specified = Object.values(checklist.permissions).flat().sort();
    expect([...permissionKeys].sort()).toEqual(specified);
    for (const key of ['voting-vote', 'nominate-proxy', 'appoint-another-voter'] as const) expect(permissions[key].group).toBe('voting');
  });
  const technical = [
    'contacts-details-view',
    'request-contact-add-remove',
    'rescert-view',
    'rescert-update',
    'rpki-config-update',
    'roas-update',
    'resources-view',
    'tickets-resources-view',
    'tickets-resources-update',
    'whois-domain-objects-view',
    'whois-domain-objects-update',
    'whois-private-objects-view',
    'whois-private-objects-update',
    'whois-principal-mntner-access',
  ];
  const billing = [
    'contacts-details-view',
    'request-contact-add-remove',
    'member-billing-view',
    'member-billing-update',
    'advanced-invoice-update',
  ];
  test.each([
    [['corporate'], [...permissionKeys]],
    [['corporate', 'billing'], [...permissionKeys]],
    [['technical'], technical],
    [['billing'], billing],
    [['technical', 'billing'], [...new Set([...technical, ...billing])]],
    [[], ['contacts-details-view']],
  ] as const)('a %s contact starts with the default set', (types, expected) => {
    expect(defaultPermissions(types).sort()).toEqual([...expected].sort());
  });
});

test('account types, statuses and contact types are the specified ones', () => {
  expect([...accountTypes]).toEqual(checklist.accountTypes);
  expect([...accountStatuses]).toEqual(checklist.accountStatuses);
  expect([...contactTypes]).toEqual(checklist.contactTypes);
});

test.each(checklist.messages)('message: %s', message => {
  const known = [
    ...Object.values(errorCatalogue).map(error => error.message),
    ...Object.values(messages),
    requestAborted.message,
  ] as string[];
  expect(known).toContain(message);
});

// Days to pay are policy: the profile has them (`profile.test.ts`).
const { paymentDueDays: _policy, ...specified } = checklist.constants;

test.each(Object.entries(specified))('constant %s is %d', (name, value) => {
  expect(constants).toHaveProperty(name, value);
});

test('large counts are shortened at the specified steps', () => {
  expect(constants.shortCountSteps).toEqual({ K: 1e3, M: 1e6, B: 1e9 });
});

describe('specified calls', () => {
  test.each(checklist.specifiedCalls.filter(call => call !== 'GET theme JSON'))('%s', call => {
    const [method, path] = call.split(' ');
    expect(allEndpoints.some(e => e.method === method && e.path.replace(/:(\w+)/g, '{$1}') === path)).toBe(true);
  });
});

test('endpoint ids, and methods with paths, are unique', () => {
  expect(new Set(allEndpoints.map(e => e.id)).size).toBe(allEndpoints.length);
  expect(new Set(allEndpoints.map(e => `${e.method} ${e.path}`)).size).toBe(allEndpoints.length);
});
