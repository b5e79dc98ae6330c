import { expect, it } from 'vitest';
import { allEndpoints } from './api.ts';
import { apiScopes } from './api-scopes.ts';
import { listedReasons, whyNotPublic } from './not-public.ts';
import { registryApiPathOf } from './registry-api-paths.ts';

const open = allEndpoints.filter(({ publicApi }) => publicApi);
const closed = allEndpoints.filter(({ publicApi }) => !publicApi);
const parametersIn = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!).toSorted();

it('every endpoint is part of the registry API, or a reason is given why it is not', () => {
  expect(closed.filter(endpoint => !whyNotPublic(endpoint)).map(({ id }) => id)).toEqual([]);
  const used = new Set(closed.map(endpoint => whyNotPublic(endpoint)?.listed));
  const isOpen = (listed: string): boolean => open.some(({ id }) => id === listed || id.startsWith(`${listed}.`));
  expect(listedReasons.filter(listed => !used.has(listed) && isOpen(listed))).toEqual([]);
});

it('a public endpoint belongs to an account, is for contacts with a permission, and has the same path parameters', () => {
  expect(open.length).toBeGreaterThan(70);
  for (const { id, access, path, publicApi } of open) {
    expect(['contact', 'member'], id).toContain(access.who);
    expect(parametersIn(registryApiPathOf(publicApi!)), id).toEqual(parametersIn(path));
  }
  const places = open.map(({ method, publicApi }) => `${method} ${publicApi!.path}`);
  expect(new Set(places).size).toBe(places.length);
});

it('the scope of a call covers the permissions it needs, and a read-only scope is enough to read', () => {
  for (const { id, method, access, publicApi } of open) {
    const { permissions, writes } = apiScopes[publicApi!.scope];
    if (access.who === 'member')
      expect(
        access.permissions.some(permission => (permissions as readonly string[]).includes(permission)),
        id,
      ).toBe(true);
    expect(method === 'GET' && writes, id).toBe(false);
    expect(method !== 'GET' && !writes, id).toBe(false);
  }
});
