import { findSpecialBlock } from '@portal/number-resources';
import type { Database } from '../../platform/database/index.ts';
import { findAbuseContact, type QueryPlace, readQueryKey } from '../whois/index.ts';

/** Different addresses of one list. */
export const MAX_ADDRESSES = 1000;

/** Addresses and prefixes as logs write them; everything else of a line is left alone. */
const looksLikeAddress = /^(?:\d{1,3}(?:\.\d{1,3}){3}|[\da-f]*:[\da-f:.]*:[\da-f:.]*)(?:\/\d{1,3})?$/i;

/** The address that a line is about: the first one in it; null where it has none. */
export function addressIn(line: string): string | null {
  for (const word of line.split(/[\s,;"'<>()[\]=|]+/)) {
    // A log puts colons and dots after an address, and ports to IPv4.
    const text = word.replace(/[.:]+$/, '').replace(/^(\d{1,3}(?:\.\d{1,3}){3}):\d+$/, '$1');
    if (looksLikeAddress.test(text) && readQueryKey(text).kind === 'addresses') return text;
  }
  return null;
}

/** Addresses of a list in their order, with the number of lines that name each. */
export function readAbuseList(text: string): { addresses: { address: string; lines: number }[]; lines: number; without: number } {
  const counts = new Map<string, number>();
  let lines = 0;
  let without = 0;
  for (const line of text.split(/\r?\n/)) {
    if (line.trim() === '') continue;
    lines++;
    const address = addressIn(line);
    if (address === null) without++;
    else counts.set(address, (counts.get(address) ?? 0) + 1);
  }
  return { addresses: [...counts].map(([address, count]) => ({ address, lines: count })), lines, without };
}

/** Where to report abuse of an address. `note` says why there is no mailbox. */
export type AbuseRow = { address: string; lines: number; network: string | null; mailbox: string | null; note: string };

/** Addresses that are looked up at the same time: others ask too. */
const TOGETHER = 2;

type Place = { db: Database; elsewhere: QueryPlace['elsewhere'] };

async function findRow({ db, elsewhere }: Place, { address, lines }: { address: string; lines: number }): Promise<AbuseRow> {
  const key = readQueryKey(address);
  const row = { address, lines, network: null, mailbox: null };
  if (key.kind !== 'addresses') return { ...row, note: 'Not an address' };
  const found = await findAbuseContact(db, key);
  if (found?.mailbox) return { ...row, network: found.nearest.shown, mailbox: found.mailbox, note: '' };
  const special = found ? undefined : findSpecialBlock(key.range);
  if (special) return { ...row, note: `${special.name}: it has no holder` };
  const [elsewhereSays] = (await elsewhere?.(key.range)) ?? [];
  if (elsewhereSays !== undefined) return { ...row, note: elsewhereSays };
  return { ...row, network: found?.nearest.shown ?? null, note: 'No contact for abuse reports is registered' };
}

/** Finds the contact for abuse reports of each address, in their order. The list is neither kept nor logged. */
export async function findAbuseRows(place: Place, addresses: readonly { address: string; lines: number }[]): Promise<AbuseRow[]> {
  const rows: AbuseRow[] = [];
  for (let from = 0; from < addresses.length; from += TOGETHER)
    rows.push(...(await Promise.all(addresses.slice(from, from + TOGETHER).map(each => findRow(place, each)))));
  return rows;
}

/** A cell of CSV (RFC 4180). */
const cell = (value: string | number): string =>
  /[",\r\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value);

/** The rows as CSV, in the order of the list. */
export const abuseCsv = (rows: readonly AbuseRow[]): string =>
  [
    ['address', 'lines', 'abuse_mailbox', 'network', 'note'],
    ...rows.map(({ address, lines, mailbox, network, note }) => [address, lines, mailbox ?? '', network ?? '', note]),
  ]
    .map(row => `${row.map(cell).join(',')}\r\n`)
    .join('');
