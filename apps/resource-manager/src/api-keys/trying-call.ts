import type { ApiScope } from '@portal/contract/api-scopes';

/** A call for each scope that reads, with which a new key can be tried without changing anything. */
const tries: readonly (readonly [ApiScope, string])[] = [
  ['resources:read', '/resources/summary'],
  ['tasks:read', '/tasks'],
  ['whois:read', '/whois/objects'],
  ['reverse-dns:read', '/reverse-dns/zones'],
  ['routes:read', '/routes'],
  ['billing:read', '/billing'],
  ['tickets:read', '/tickets'],
  ['account:read', '/organisation'],
  ['customers:read', '/customers'],
  ['requests:read', '/requests'],
  ['activity:read', '/activity'],
];

/** Returns the base address of the API for an account, and the path of a call that changes nothing, with the scope that it needs; null where the scopes only change. */
export function tryingCall(
  accountName: string,
  scopes: readonly ApiScope[],
): { base: string; path: string | undefined; scope: ApiScope | undefined } {
  const [scope, path] = tries.find(([each]) => scopes.includes(each)) ?? [];
  return { base: `${window.location.origin}/registry-api/v1/${accountName}`, path, scope };
}
