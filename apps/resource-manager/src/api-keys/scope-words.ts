import { type ApiKey, apiKeyUseDays } from '@portal/contract/api-keys/api-keys';
import { type ApiScope, apiScopes } from '@portal/contract/api-scopes';

/** Returns what a key can read or write as one list: "routes and ROAs, number resources"; null if nothing. */
export function scopeWords(scopes: readonly ApiScope[], writes: boolean): string | null {
  const labels = scopes.filter(scope => apiScopes[scope].writes === writes).map(scope => apiScopes[scope].label);
  return labels.length === 0 ? null : labels.join(', ');
}

const subjects: Readonly<Record<string, string>> = {
  account: 'Organisation and contacts',
  resources: 'Number resources',
  whois: 'Whois objects',
  customers: 'Customers',
  'reverse-dns': 'Reverse DNS',
  routes: 'Routes and ROAs',
  requests: 'Requests',
  tasks: 'Tasks',
  billing: 'Invoices',
  tickets: 'Tickets',
  activity: 'Activity log',
};

/** The subject of scopes by the first part of their names: `reverse-dns` is Reverse DNS. */
export const subjectOfScope = (name: string): string => subjects[name] ?? name;

/** The addresses and prefixes in a text, one a line or separated by commas. */
export const linesOf = (text: string): string[] => text.split(/[\s,]+/).filter(line => line !== '');

/** The keys and their calls by day as CSV (RFC 4180), the last column today. */
export function usageAsCsv(rows: readonly ApiKey[]): string {
  const cell = (value: string | number): string => {
    const text = String(value);
    // A cell that begins with one of these is a formula in a spreadsheet.
    const safe = /^[=+\-@]/.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  const days = Array.from({ length: apiKeyUseDays }, (_, index) => `calls ${apiKeyUseDays - 1 - index} days ago`);
  const lines = [
    ['key', 'prefix', 'creator', 'state', 'scopes', 'last use', 'last address', 'refused', ...days],
    ...rows.map(({ label, prefix, createdBy, state, scopes, lastUse, refusedCalls, calls }) => [
      label,
      prefix,
      createdBy,
      state,
      scopes.join(' '),
      lastUse?.at ?? '',
      lastUse?.address ?? '',
      refusedCalls,
      ...calls,
    ]),
  ];
  return lines.map(line => `${line.map(cell).join(',')}\r\n`).join('');
}
