import type { ListedSubaccount } from '@portal/contract/nir/subaccounts';

const columns = ['name', 'entity', 'status', 'delegations', 'ipv4', 'ipv6', 'asns', 'objects', 'openedOn', 'closedOn'] as const;

/** A cell as spreadsheets read it; text that would be a formula is text. */
const cellOf = (value: string): string => {
  const text = /^[=+@-]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** Sub-accounts as a CSV file (RFC 4180), amounts as counts of addresses and numbers. */
export const subaccountsAsCsv = (rows: readonly ListedSubaccount[]): string =>
  [columns.join(','), ...rows.map(row => columns.map(column => cellOf(String(row[column] ?? ''))).join(','))]
    .map(line => `${line}\r\n`)
    .join('');
