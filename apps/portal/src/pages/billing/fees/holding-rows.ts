import { parsePrefix } from '@portal/number-resources';

/** A line of a fee calculation as entered: a prefix, a length or a number of IPv4 addresses, and how many of it. */
export type HoldingRow = { name: string; quantity: string };
type Family = 'ipv4' | 'ipv6';

/** Lengths of prefixes that can be held, the largest block first. */
const lengths = { ipv4: [8, 32], ipv6: [12, 64] } as const;
const bits = { ipv4: 32, ipv6: 128 } as const;
/** IPv6 is counted in /64 here, so that a sum of smaller blocks than a /56 is rounded once. */
const unit = { ipv4: 32, ipv6: 64 } as const;
const familyNames = { ipv4: 'IPv4', ipv6: 'IPv6' } as const;
const examples = { ipv4: '198.18.0.0/22, /22 or 1024', ipv6: '2001:db8::/32 or /32' } as const;
const maxOfOne = 1000;

/** The most rows of a family. */
export const maxRows = 300;

/** The size of a row in IPv4 addresses or IPv6 /64s, or its invalid fields. */
export type ReadRow = { count: bigint; wrong?: never } | { count?: never; wrong: Partial<Record<keyof HoldingRow, string>> };

function lengthOf(family: Family, name: string): number | null {
  const bare = /^\/(\d{1,3})$/.exec(name);
  if (bare) return Number(bare[1]);
  if (!name.includes('/')) return null;
  try {
    const prefix = parsePrefix(name);
    return prefix.family === family ? prefix.length : null;
  } catch {
    return null;
  }
}

/** Reads a row of a family. The prefix itself does not matter, only its size. */
export function readRow(family: Family, { name, quantity }: HoldingRow): ReadRow {
  const wrong: Partial<Record<keyof HoldingRow, string>> = {};
  const text = name.trim();
  const [shortest, longest] = lengths[family];
  const length = lengthOf(family, text);
  let size = 0n;
  if (length !== null) {
    if (length < shortest || length > longest) wrong.name = `Enter an ${familyNames[family]} length from /${shortest} to /${longest}`;
    else size = 1n << BigInt(unit[family] - length);
  } else if (family === 'ipv4' && /^[1-9]\d{0,9}$/.test(text) && BigInt(text) <= 1n << BigInt(bits.ipv4)) size = BigInt(text);
  else wrong.name = `Enter a block, such as ${examples[family]}`;
  if (!/^[1-9]\d{0,3}$/.test(quantity.trim()) || Number(quantity) > maxOfOne) wrong.quantity = `Enter a whole number from 1 to ${maxOfOne}`;
  return wrong.name || wrong.quantity ? { wrong } : { count: size * BigInt(quantity.trim()) };
}

/** The count of a family for the estimate: IPv4 addresses, or /56 blocks of IPv6, rounded up. Invalid rows are left out. */
export function countOf(family: Family, rows: readonly HoldingRow[]): bigint {
  const sum = rows.reduce((total, row) => total + (readRow(family, row).count ?? 0n), 0n);
  return family === 'ipv4' ? sum : (sum + 255n) >> 8n;
}

/** Rows in an address: `198.18.0.0/22,/24*3`. */
export const writeRows = (rows: readonly HoldingRow[]): string =>
  rows.map(({ name, quantity }) => (quantity === '1' ? name : `${name}*${quantity}`)).join(',');

/** Returns how many rows of an address `readRows` leaves out. */
export const rowsBeyond = (text: string): number => Math.max(0, text.split(',').filter(each => each !== '').length - maxRows);

/** Reads rows from an address, whether written by `writeRows` or by hand. */
export const readRows = (text: string): HoldingRow[] =>
  text
    .split(',')
    .filter(each => each !== '')
    .slice(0, maxRows)
    .map(each => {
      const [name = '', quantity = '1'] = each.split('*');
      return { name, quantity };
    });
