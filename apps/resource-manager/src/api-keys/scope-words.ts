import { type ApiScope, apiScopes } from '@portal/contract/api-scopes';

/** Returns what a key can read or write as one list: "routes and ROAs, number resources"; null if nothing. */
export function scopeWords(scopes: readonly ApiScope[], writes: boolean): string | null {
  const labels = scopes.filter(scope => apiScopes[scope].writes === writes).map(scope => apiScopes[scope].label);
  return labels.length === 0 ? null : labels.join(', ');
}
