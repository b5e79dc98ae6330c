import { setImmediate as breathe } from 'node:timers/promises';
import { findSpecialBlock } from '@portal/number-resources';
import { findAbuseContact, type QueryPlace, readQueryKey } from '../whois/index.ts';

/** Different addresses of one list. */
export const MAX_ADDRESSES = 1000;

/** Addresses and prefixes as logs write them; everything else of a line is left alone. */
const looksLikeAddress = /^(?:\d{1,3}(?:\.\d{1,3}){3}|[\da-f]*:[\da-f:.]*:[\da-f:.]*)(?:\/\d{1,3})?$/i;

/** The part of a line in which its address is looked for, and the longest word that can be one: with a length, and a port. */
const MAX_LINE = 1000;
const MAX_WORD = 60;

/** Returns a word without the colons and dots that a log puts after an address. */
function withoutSigns(word: string): string {
  let end = word.length;
  while (end > 0 && (word[end - 1] === '.' || word[end - 1] === ':')) end--;
  return word.slice(0, end);
}

/** The address that a line is about: the first one in its first thousand characters; null where it has none. */
export function addressIn(line: string): string | null {
  for (const word of line.slice(0, MAX_LINE).split(/[\s,;"'<>()[\]=|]+/)) {
    if (word.length > MAX_WORD) continue;
    // Ports are written after IPv4.
    const text = withoutSigns(word).replace(/^(\d{1,3}(?:\.\d{1,3}){3}):\d+$/, '$1');
    if (looksLikeAddress.test(text) && readQueryKey(text).kind === 'addresses') return text;
  }
  return null;
}

/** How long, in ms, lines are read before other work runs. */
const TURN_MS = 2;

type AbuseList = { addresses: { address: string; lines: number }[]; lines: number; without: number };

/**
 * Addresses of a list in their order, with the number of lines that name each. It is read to its end, or to one address more than it may have; other work runs in
 * between.
 */
export async function readAbuseList(text: string): Promise<AbuseList> {
  const counts = new Map<string, number>();
  let lines = 0;
  let without = 0;
  let since = performance.now();
  for (let at = 0; at < text.length && counts.size <= MAX_ADDRESSES; ) {
    const found = text.indexOf('\n', at);
    const end = found === -1 ? text.length : found;
    const line = text.slice(at, Math.min(end, at + MAX_LINE));
    at = end + 1;
    if (performance.now() - since > TURN_MS) {
      await breathe();
      since = performance.now();
    }
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

type Place = Pick<QueryPlace, 'db' | 'elsewhere'>;

async function findRow({ db, elsewhere }: Place, { address, lines }: { address: string; lines: number }): Promise<AbuseRow> {
  const key = readQueryKey(address);
  const row = { address, lines, network: null, mailbox: null };
  if (key.kind !== 'addresses') return { ...row, note: 'Not an address' };
  const found = await findAbuseContact(db, key);
  if (found?.mailbox) return { ...row, network: found.nearest.shown, mailbox: found.mailbox, note: '' };
  const special = found ? undefined : findSpecialBlock(key.range);
  if (special) return { ...row, note: `${special.name}: it has no holder` };
  const [elsewhereSays] = (await elsewhere?.(db, key.range)) ?? [];
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
