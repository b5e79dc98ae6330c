import { PageFrame } from '@portal/app-kit';
import { anAccount, anEnvironment, aRouter, aSession, show } from '@portal/app-kit/testing';
import { type ApiKey, apiKeys } from '@portal/contract/api-keys/api-keys';
import type { ApiScope } from '@portal/contract/api-scopes';
import { DAY_MS, instantAfter } from '@portal/contract/days';
import { permissionKeys } from '@portal/contract';
import { pages } from '@portal/contract/pages';
import { webhooks } from '@portal/contract/webhooks/webhooks';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import ApiKeysPage from './ApiKeysPage.tsx';
import NewApiKeyPage from './NewApiKeyPage.tsx';

const inDays = (days: number): string => instantAfter(new Date(), days * DAY_MS);
const key = (given: Partial<ApiKey> = {}): ApiKey => ({
  apiKeyId: '1001',
  label: 'ci-routes',
  prefix: 'mr_live_7Qm2Kx41',
  state: 'active',
  createdBy: 'Tess Okafor',
  createdAt: inDays(-30),
  expiresAt: inDays(300),
  scopes: ['resources:read', 'routes:write'],
  networks: [],
  oldSecretUntil: null,
  oldSecret: null,
  revokedAt: null,
  lastUse: null,
  calls: Array.from({ length: 14 }, () => 0),
  refusedCalls: 0,
  ...given,
});

function open(page: 'apiKeys' | 'apiKeyCreate', rows: ApiKey[], search = '', environment: Parameters<typeof anEnvironment>[0] = {}) {
  const router = aRouter(`${pages[page].path}${search}`);
  const answers: Record<string, unknown> = {
    [apiKeys.listApiKeys.id]: { rows },
    [webhooks.listWebhooks.id]: { rows: [] },
    [apiKeys.changeApiKey.id]: key({ scopes: ['resources:read'] }),
    [apiKeys.keepOldSecret.id]: key(),
    [apiKeys.revokeApiKey.id]: key({ state: 'revoked' }),
    [apiKeys.rotateApiKey.id]: { apiKey: key({ ...rows[0], state: 'rotating' }), secret: 'mr_live_SECRET' },
    [apiKeys.createApiKey.id]: { apiKey: key(), secret: 'mr_live_SECRET' },
  };
  const shown = show(<PageFrame page={pages[page]}>{page === 'apiKeys' ? <ApiKeysPage /> : <NewApiKeyPage />}</PageFrame>, {
    session: aSession({ account: anAccount({ contactTypes: ['corporate'], permissions: [...permissionKeys] }) }),
    router,
    kit: { environment: anEnvironment(environment) },
    answer: ({ endpoint }) => ({ status: 200, data: answers[endpoint] ?? {} }),
  });
  return { router, sent: (endpoint: string) => shown.sent.filter(each => each.endpoint === endpoint).map(({ input }) => input) };
}

it('an account without keys shows what they are for, and how to create the first', async () => {
  open('apiKeys', []);
  expect((await screen.findByRole('link', { name: 'Create the first key' })).getAttribute('href')).toBe(pages.apiKeyCreate.path);
});

it('a key shows its scopes, networks and use; one that has ended can’t be rotated or revoked', async () => {
  open('apiKeys', [
    key({ calls: [...Array.from({ length: 13 }, () => 0), 1200], refusedCalls: 3, networks: ['192.0.2.0/24'] }),
    key({ apiKeyId: '1002', label: 'old-scripts', state: 'revoked' }),
    key({ apiKeyId: '1003', label: 'ending', expiresAt: inDays(3) }),
  ]);
  expect((await screen.findAllByText('Writes routes and ROAs')).length).toBe(3);
  expect(screen.getAllByText('Reads number resources').length).toBe(3);
  expect(screen.getByText(/^1.200 calls in 14 days, at most 1.200 a day$/)).toBeTruthy();
  expect(screen.getByText('3 refused')).toBeTruthy();
  expect(screen.getByText('from 192.0.2.0/24')).toBeTruthy();
  expect(screen.getByText('Expires in 3 days')).toBeTruthy();
  expect(screen.getByText('2 active, 1 ended')).toBeTruthy();
  expect(screen.getAllByRole('button', { name: 'Revoke' }).length).toBe(1);
  cleanup();
  open('apiKeys', [key({ state: 'revoked' })]);
  expect(await screen.findByRole('complementary', { name: 'ci-routes' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Revoke' })).toBeNull();
});

it('a key is revoked after a confirmation, which is part of the address', async () => {
  const { router, sent } = open('apiKeys', [key()]);
  fireEvent.click(await screen.findByRole('button', { name: 'Revoke' }));
  expect(router.place().search).toBe('?revoke=1001');
  fireEvent.click(await screen.findByRole('button', { name: 'Revoke key' }));
  await waitFor(() => expect(sent(apiKeys.revokeApiKey.id)).toEqual([{ account: 'EXAMPLE-AU', apiKeyId: '1001' }]));
  await waitFor(() => expect(router.place().search).toBe(''));
});

it('the panel of a key changes its scopes and addresses, and says where its old secret is still used', async () => {
  const { sent } = open('apiKeys', [
    key({
      state: 'rotating',
      oldSecretUntil: inDays(1),
      oldSecret: { prefix: 'mr_live_Zr8aB2C3', replacedAt: inDays(-0.1), lastUse: { at: inDays(-0.05), address: '198.18.0.53' } },
    }),
    key({ apiKeyId: '1002', label: 'other', createdBy: 'Bill Okonkwo' }),
  ]);
  expect(await screen.findByText(/^The old secret was still used on/)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'End old secret now' }));
  await waitFor(() => expect(sent(apiKeys.keepOldSecret.id)).toEqual([{ account: 'EXAMPLE-AU', apiKeyId: '1001', body: { hours: 0 } }]));
  expect(screen.queryByRole('button', { name: 'Change ci-routes' })).toBeNull();
  fireEvent.click(screen.getByRole('checkbox', { name: 'Write Routes and ROAs' }));
  fireEvent.change(screen.getByLabelText(/^Allowed addresses/), { target: { value: '192.0.2.0/24' } });
  fireEvent.click(screen.getByRole('button', { name: 'Change ci-routes' }));
  await waitFor(() =>
    expect(sent(apiKeys.changeApiKey.id)).toEqual([
      { account: 'EXAMPLE-AU', apiKeyId: '1001', body: { scopes: ['resources:read'], networks: ['192.0.2.0/24'] } },
    ]),
  );
  fireEvent.change(screen.getByLabelText('Creator'), { target: { value: 'Bill Okonkwo' } });
  expect(await screen.findByRole('complementary', { name: 'other' })).toBeTruthy();
});

it('a rotated key shows its new secret', async () => {
  const { sent } = open('apiKeys', [key()], '?rotate=1001');
  fireEvent.change(await screen.findByLabelText('Keep the old secret working for'), { target: { value: '1' } });
  fireEvent.click(screen.getByRole('button', { name: 'Rotate key' }));
  expect(await screen.findByText('mr_live_SECRET')).toBeTruthy();
  expect(sent(apiKeys.rotateApiKey.id)).toEqual([{ account: 'EXAMPLE-AU', apiKeyId: '1001', body: { overlapHours: 1 } }]);
});

it.each<[ApiScope, string | null]>([
  ['activity:read', '/activity'],
  ['account:read', '/organisation'],
  ['routes:write', null],
])('a new key with the scope %s is tried with a call that it may make', async (scope, call) => {
  open('apiKeys', [key({ scopes: [scope] })], '?rotate=1001');
  fireEvent.click(await screen.findByRole('button', { name: 'Rotate key' }));
  expect(await screen.findByText('mr_live_SECRET')).toBeTruthy();
  if (call) expect(screen.getByText(/REGISTRY_API_KEY=mr_live_SECRET/).textContent).toContain(`/EXAMPLE-AU${call}"`);
  else expect([screen.queryByText(/Bearer/), screen.getByText(/can only make changes/)]).toEqual([null, expect.anything()]);
});

it('a key is created from label, scopes, addresses and expiry, and its secret is shown once', async () => {
  const { sent } = open('apiKeyCreate', []);
  fireEvent.click(await screen.findByRole('button', { name: 'Create key' }));
  expect(screen.getAllByText('Choose at least one scope').length).toBeGreaterThan(0);
  expect(screen.getAllByText('Enter a label, such as ci-routes').length).toBeGreaterThan(0);
  fireEvent.change(screen.getByLabelText('Label'), { target: { value: 'ci-routes' } });
  fireEvent.click(screen.getByRole('checkbox', { name: /^Number resources/ }));
  fireEvent.click(screen.getByRole('checkbox', { name: /^Routes and ROAs routes:write/ }));
  fireEvent.change(screen.getByLabelText(/^Allowed addresses/), { target: { value: '192.0.2.0/24\n2001:db8::1' } });
  fireEvent.click(screen.getByRole('button', { name: 'Create key' }));
  expect(await screen.findByText('mr_live_SECRET')).toBeTruthy();
  expect(screen.getByText(/REGISTRY_API_KEY=mr_live_SECRET.*registry-api\/v1\/EXAMPLE-AU\/resources\/summary/s)).toBeTruthy();
  expect(sent(apiKeys.createApiKey.id)).toEqual([
    {
      account: 'EXAMPLE-AU',
      body: { label: 'ci-routes', scopes: ['resources:read', 'routes:write'], days: 365, networks: ['192.0.2.0/24', '2001:db8::1'] },
    },
  ]);
});

it('members find the registry’s sandbox, which is labelled as such', async () => {
  open('apiKeys', [key()], '', { sandboxUrl: 'https://sandbox.registry.example/' });
  const link = await screen.findByRole('link', { name: /Open the sandbox/ });
  expect(link.getAttribute('href')).toBe('https://sandbox.registry.example/resources/registry-api/api-key-list');
  expect(screen.getByText(/nothing is published/)).toBeTruthy();
  cleanup();
  open('apiKeys', [key()], '', { isSandbox: true });
  expect(await screen.findByText('You are in the sandbox.')).toBeTruthy();
  expect(screen.queryByRole('link', { name: /Open the sandbox/ })).toBeNull();
});
