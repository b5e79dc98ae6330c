import { setImmediate as breathe } from 'node:timers/promises';
import { findAbuseContact, type QueryPlace, readQueryKey } from '../whois/index.ts';
import { holderOf } from '../resources/index.ts';
import { poolWords, standingOf } from './standing.ts';

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

/** The words of a line that can be an address. Reports break addresses so that no one presses them: `198.51.100[.]7`, `hxxp://198.51.100.7/x`. */
const wordsOf = (line: string): string[] =>
  line
    .slice(0, MAX_LINE)
    .replaceAll(/\[(?:\.|dot)\]|\(\.\)/gi, '.')
    .replaceAll('[:]', ':')
    .split(/[\s,;"'<>()[\]=|]+/)
    .map(word => /^(?:hxxps?|https?|ftp):\/\/([^/]*)/i.exec(word)?.[1] ?? word)
    .filter(word => word !== '' && word.length <= MAX_WORD);

/** The address that a line is about: the first one in its first thousand characters; null where it has none. */
export function addressIn(line: string): string | null {
  for (const word of wordsOf(line)) {
    // Ports are written after IPv4.
    const text = withoutSigns(word).replace(/^(\d{1,3}(?:\.\d{1,3}){3}):\d+$/, '$1');
    if (looksLikeAddress.test(text) && readQueryKey(text).kind === 'addresses') return text;
  }
  return null;
}

/** Returns why no address was found in a line. */
export function whyUnread(line: string): string {
  const words = wordsOf(line).map(withoutSigns);
  const wrong = words.find(word => looksLikeAddress.test(word));
  if (wrong) return `${wrong} isn’t an address`;
  const asn = words.find(word => /^AS\d{1,10}$/i.test(word));
  return asn ? `${asn} is an AS number: look it up alone` : 'No address';
}

/** How long, in ms, lines are read before other work runs. */
const TURN_MS = 2;

/** A line in which no address was found, by its number in the list. */
export type UnreadLine = { line: number; text: string; why: string };
/** Lines without an address that are named, and characters of each. */
const MAX_UNREAD = 1000;
const MAX_UNREAD_TEXT = 120;

type AbuseList = { addresses: { address: string; lines: number }[]; lines: number; without: number; unread: UnreadLine[] };

/**
 * Addresses of a list in their order, with the number of lines that name each. It is read to its end, or to one address more than it may have; other work runs in
 * between.
 */
export async function readAbuseList(text: string): Promise<AbuseList> {
  const counts = new Map<string, number>();
  let lines = 0;
  let without = 0;
  let number = 0;
  const unread: UnreadLine[] = [];
  let since = performance.now();
  for (let at = 0; at < text.length && counts.size <= MAX_ADDRESSES; ) {
    const found = text.indexOf('\n', at);
    const end = found === -1 ? text.length : found;
    const line = text.slice(at, Math.min(end, at + MAX_LINE));
    at = end + 1;
    number++;
    if (performance.now() - since > TURN_MS) {
      await breathe();
      since = performance.now();
    }
    if (line.trim() === '') continue;
    lines++;
    const address = addressIn(line);
    if (address === null) {
      without++;
      if (unread.length < MAX_UNREAD) unread.push({ line: number, text: line.trim().slice(0, MAX_UNREAD_TEXT), why: whyUnread(line) });
    } else counts.set(address, (counts.get(address) ?? 0) + 1);
  }
  return { addresses: [...counts].map(([address, count]) => ({ address, lines: count })), lines, without, unread };
}

/** Where to report abuse of an address. `note` says why there is no mailbox. */
export type AbuseRow = {
  address: string;
  lines: number;
  network: string | null;
  holder: string | null;
  mailbox: string | null;
  note: string;
};

/** Addresses that are looked up at the same time: others ask too. */
const TOGETHER = 2;

type Place = Pick<QueryPlace, 'db' | 'elsewhere'>;

async function findRow({ db, elsewhere }: Place, { address, lines }: { address: string; lines: number }): Promise<AbuseRow> {
  const key = readQueryKey(address);
  if (key.kind !== 'addresses') return { address, lines, network: null, holder: null, mailbox: null, note: 'Not an address' };
  const [found, holder] = await Promise.all([findAbuseContact(db, key), holderOf(db.read, key.range)]);
  const row = { address, lines, network: null, holder, mailbox: null };
  if (found?.mailbox) return { ...row, network: found.nearest.shown, mailbox: found.mailbox, note: '' };
  const standing = await standingOf({ db, elsewhere }, key.range);
  if (standing?.kind === 'pool') return { ...row, note: poolWords[standing.state] };
  if (standing?.kind === 'special' && !found) return { ...row, note: `${standing.name}: it has no holder` };
  if (standing?.kind === 'elsewhere') return { ...row, note: standing.elsewhere.sentence };
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

/** The rows as CSV, in the order of the list, and after them the lines without an address: a note never begins as a formula of a spreadsheet does. */
export const abuseCsv = (rows: readonly AbuseRow[], { unread, without }: Pick<AbuseList, 'unread' | 'without'>): string =>
  [
    ['address', 'lines', 'abuse_mailbox', 'network', 'holder', 'note'],
    ...rows.map(({ address, lines, mailbox, network, holder, note }) => [address, lines, mailbox ?? '', network ?? '', holder ?? '', note]),
    ...unread.map(({ line, text, why }) => ['', 1, '', '', '', `Line ${line}: ${why}: ${text}`]),
    ...(without > unread.length ? [['', without - unread.length, '', '', '', 'More lines without an address']] : []),
  ]
    .map(row => `${row.map(cell).join(',')}\r\n`)
    .join('');
