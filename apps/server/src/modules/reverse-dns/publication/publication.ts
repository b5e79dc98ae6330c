import { utcDay } from '@portal/contract/days';
import { parseReverseZone, type Prefix, prefixAt, printReverseZone } from '@portal/number-resources';
import { sql } from 'kysely';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Database, inTurn, ownActivity, type Read } from '../../../platform/database/index.ts';
import type { ModuleContext } from '../../../platform/module.ts';
import type { Profile } from '../../../profile.ts';
import { delegationIn } from '../domain-objects.ts';

const run = promisify(execFile);
/** Seconds that resolvers keep delegations, and DS records, which change more urgently. */
const NS_TTL = 86_400;
const DS_TTL = 3_600;

/** A delegation in its parent zone, as text. `order` sorts it among its neighbours. */
type Entry = { zone: string; parent: string; version: number; order: string; text: string };
type Row = { key: string; text: string; version: number };

/**
 * The parent zone of a delegation: the smallest of the registry's zones (profile) around it, else the /8 of IPv4 and the /12 of IPv6, which IANA delegates
 * to registries. Null for what is not below one.
 */
function parentOf(zone: string, zones: readonly string[]): string | null {
  const around = zones.filter(each => zone !== each && zone.endsWith(`.${each}`)).toSorted((a, b) => b.length - a.length)[0];
  if (around !== undefined) return around;
  // Parts of a /24 (RFC 2317) belong below the zone around them.
  const plain = zone.replace(/^\d+-\d+\./, '');
  let prefix: Prefix;
  try {
    prefix = parseReverseZone(plain);
  } catch {
    return null;
  }
  const length = prefix.family === 'ipv4' ? 8 : 12;
  return prefix.length <= length ? null : printReverseZone(prefixAt(prefix.family, prefix.first, length));
}

/** The records of a delegation, names written out. Servers in `disabled` are left out; without any left, DS records are too. */
function printEntry(zone: string, text: string): string {
  const { servers, ds } = delegationIn(text);
  const hosts = [...new Set(servers.map(each => each.split(' ')[0]!))];
  if (hosts.length === 0) return '';
  const lines = hosts.map(host => `${zone}. ${NS_TTL} IN NS ${host}.`);
  for (const record of ds) lines.push(`${zone}. ${DS_TTL} IN DS ${record}`);
  for (const server of servers) {
    const [host = '', address] = server.split(' ');
    if (address !== undefined && (host === zone || host.endsWith(`.${zone}`)))
      lines.push(`${host}. ${NS_TTL} IN ${address.includes(':') ? 'AAAA' : 'A'} ${address}`);
  }
  return `${lines.join('\n')}\n`;
}

/** Sorts zones by their labels from the right, numbers by value. */
const orderOf = (zone: string): string =>
  zone
    .split('.')
    .reverse()
    .map(label => label.padStart(3, '0'))
    .join('.');

/** The next serial: the day with two digits, or one more than before (RFC 1912, section 2.2). */
function nextSerial(before: number | null, now: Date): number {
  const today = Number(utcDay(now.toISOString()).replaceAll('-', '')) * 100;
  return Math.max((before ?? 0) + 1, today);
}

/** Delegations of all parent zones, kept in memory and brought up to date by the journal of whois. */
export type ZoneBook = {
  /** Serial of the journal up to which it is complete. */
  serial: number;
  entries: Map<string, Entry>;
  /** Zones of each parent in order. */
  parents: Map<string, Entry[]>;
  /** Parents that changed since they were written. */
  dirty: Map<string, Set<string>>;
};

/** Reads every delegation. */
export async function openZoneBook(read: Pick<Read, 'rows'>, profile: Profile): Promise<ZoneBook> {
  const [{ serial } = { serial: 0 }] = await read.rows<{ serial: number }>(
    sql`select coalesce(max(serial), 0)::bigint as serial from whois_journal`,
  );
  const rows = await read.rows<Row>(sql`select key, text, version from whois_object where class = 'domain'`);
  const book: ZoneBook = { serial: Number(serial), entries: new Map(), parents: new Map(), dirty: new Map() };
  for (const { key, text, version } of rows) {
    const parent = parentOf(key, profile.reverseZones);
    if (parent === null) continue;
    const entry = { zone: key, parent, version, order: orderOf(key), text: printEntry(key, text) };
    book.entries.set(key, entry);
    const list = book.parents.get(parent);
    if (list) list.push(entry);
    else book.parents.set(parent, [entry]);
  }
  for (const [parent, list] of book.parents) {
    list.sort((a, b) => (a.order < b.order ? -1 : 1));
    book.dirty.set(parent, new Set());
  }
  for (const parent of profile.reverseZones) if (!book.parents.has(parent)) touch(book, parent);
  return book;
}

function touch(book: ZoneBook, parent: string): Set<string> {
  if (!book.parents.has(parent)) book.parents.set(parent, []);
  let zones = book.dirty.get(parent);
  if (!zones) book.dirty.set(parent, (zones = new Set()));
  return zones;
}

/** Brings the book up to the journal. Returns true if anything changed. */
async function followJournal(read: Pick<Read, 'rows'>, book: ZoneBook, profile: Profile): Promise<boolean> {
  const rows = await read.rows<Row & { serial: number; operation: 'ADD' | 'DEL' }>(
    sql`select serial, operation, key, text, version from whois_journal where serial > ${book.serial} and class = 'domain' order by serial`,
  );
  for (const { serial, operation, key, text, version } of rows) {
    book.serial = Number(serial);
    const parent = parentOf(key, profile.reverseZones);
    if (parent === null) continue;
    touch(book, parent).add(key);
    const list = book.parents.get(parent)!;
    const order = orderOf(key);
    const at = place(list, order);
    const isThere = list[at]?.zone === key;
    if (operation === 'DEL') {
      book.entries.delete(key);
      if (isThere) list.splice(at, 1);
      continue;
    }
    const entry = { zone: key, parent, version, order, text: printEntry(key, text) };
    book.entries.set(key, entry);
    list.splice(at, isThere ? 1 : 0, entry);
  }
  return rows.length > 0;
}

/** Index of the first entry that does not come before. */
function place(list: readonly Entry[], order: string): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle]!.order < order) low = middle + 1;
    else high = middle;
  }
  return low;
}

type Publishing = Pick<ModuleContext, 'db' | 'config' | 'profile' | 'clock'>;

/** A whole zone file: SOA and NS of the parent, delegations in order, fragments of others. */
function printZone(
  parent: string,
  serial: number,
  entries: readonly Pick<Entry, 'text'>[],
  fragments: readonly string[],
  profile: Profile,
): string {
  const [primary] = profile.reverseServers;
  return [
    `$ORIGIN ${parent}.\n$TTL ${NS_TTL}\n`,
    `${parent}. IN SOA ${primary}. ${profile.reverseContact.replace('@', '.')}. ${serial} 14400 3600 1209600 3600\n`,
    ...profile.reverseServers.map(server => `${parent}. IN NS ${server}.\n`),
    ...entries.map(({ text }) => text),
    ...fragments,
  ].join('');
}

const folderOf = ({ filesDir }: { filesDir: string }): string => path.join(filesDir, 'zones');
const fileOf = (parent: string): string => `${parent}.zone`;

/** Writes a file in one step: readers find the old one or the new one. */
async function replaceFile(folder: string, name: string, text: string): Promise<void> {
  const draft = path.join(folder, `.${name}.${process.pid}`);
  await writeFile(draft, text);
  await rename(draft, path.join(folder, name));
}

/** Writes every parent zone that changed. Returns their names with the new serials. */
export async function publishZones(context: Publishing, book: ZoneBook): Promise<{ parent: string; serial: number }[]> {
  const { db, config, profile } = context;
  await followJournal(db.read, book, profile);
  if (book.dirty.size === 0) return [];
  return inTurn(db, 'reverse zones', async () => {
    const folder = folderOf(config);
    await mkdir(folder, { recursive: true });
    const done: { parent: string; serial: number }[] = [];
    for (const [parent, zones] of book.dirty) {
      const serial = await publishZone(context, book, parent, zones, folder);
      if (serial !== null) done.push({ parent, serial });
      book.dirty.delete(parent);
    }
    if (done.length > 0) {
      await writeConfigurations(folder, [...book.parents.keys()]);
      await reload(config.dnsReload);
    }
    return done;
  });
}

/** Writes one parent zone; null where its content is what it was. */
async function publishZone(
  { db, profile, clock }: Publishing,
  book: ZoneBook,
  parent: string,
  zones: ReadonlySet<string>,
  folder: string,
): Promise<number | null> {
  const entries = book.parents.get(parent)!;
  const fragments = await db.read.rows<{ text: string }>(sql`select text from rdns_fragment where parent = ${parent} order by source`);
  const texts = fragments.map(({ text }) => text);
  const body = printZone(parent, 0, entries, texts, profile);
  const sha256 = createHash('sha256').update(body).digest('hex');
  const [before] = await db.read.rows<{ serial: number; sha256: string }>(
    sql`select serial, sha256 from rdns_parent where parent = ${parent}`,
  );
  const isSame = before?.sha256 === sha256;
  const serial = isSame ? Number(before.serial) : nextSerial(before ? Number(before.serial) : null, clock());
  await replaceFile(folder, fileOf(parent), printZone(parent, serial, entries, texts, profile));
  if (isSame && zones.size === 0) return null;
  const changed = zones.size > 0 && before ? [...zones].flatMap(zone => book.entries.get(zone) ?? []) : entries;
  const gone = [...zones].filter(zone => !book.entries.has(zone));
  await db.change(ownActivity('reverseDns.publish', 'Published a reverse zone'), async change => {
    await change.rows(sql`insert into rdns_parent (parent, serial, sha256, delegations, published_at) values (${parent}, ${serial}, ${sha256}, ${entries.length}, ${change.now}::timestamptz)
      on conflict (parent) do update set serial = excluded.serial, sha256 = excluded.sha256, delegations = excluded.delegations, published_at = excluded.published_at`);
    await change.rows(sql`insert into rdns_published (zone, parent, version, serial, published_at)
      select zone, ${parent}, version, ${serial}, ${change.now}::timestamptz from unnest(${changed.map(each => each.zone)}::text[], ${changed.map(each => each.version)}::int[]) as w (zone, version)
      on conflict (zone) do update set parent = excluded.parent, version = excluded.version, serial = excluded.serial, published_at = excluded.published_at
      where rdns_published.version <> excluded.version or rdns_published.parent <> excluded.parent`);
    if (gone.length > 0) await change.rows(sql`delete from rdns_published where zone = any(${gone}::text[])`);
    await change.note({ zone: parent, serial, delegations: entries.length });
  });
  return serial;
}

/** Configuration of the zones for name servers beside the publisher: each includes its file. */
async function writeConfigurations(folder: string, parents: readonly string[]): Promise<void> {
  const sorted = parents.toSorted();
  const files = sorted.map(parent => [parent, path.resolve(folder, fileOf(parent))] as const);
  await replaceFile(folder, 'nsd.conf', files.map(([zone, file]) => `zone:\n  name: "${zone}"\n  zonefile: "${file}"\n`).join(''));
  await replaceFile(
    folder,
    'named.conf',
    files.map(([zone, file]) => `zone "${zone}" { type primary; file "${file}"; notify yes; };\n`).join(''),
  );
  await replaceFile(
    folder,
    'knot.conf',
    `zone:\n${files.map(([zone, file]) => `  - domain: ${zone}\n    file: ${file}\n    zonefile-load: difference-no-serial\n`).join('')}`,
  );
}

/** Tells the name server to read the files again, with the operator's command. */
async function reload(command: string): Promise<void> {
  const [program, ...parameters] = command.split(' ').filter(Boolean);
  if (program !== undefined) await run(program, parameters, { timeout: 30_000 });
}

/** Publishes everything, as the publisher does. For tests and commands. */
export async function publishAllZones(context: Publishing): Promise<{ parent: string; serial: number }[]> {
  return publishZones(context, await openZoneBook(context.db.read, context.profile));
}

/**
 * Replaces what another registry has in a parent zone. Returns how many records it has, or what is wrong with the first that can't be taken: a
 * fragment that breaks the zone would take every delegation with it.
 */
export async function importFragment(
  db: Database,
  { source, parent, text }: { source: string; parent: string; text: string },
): Promise<{ records: number; problem: string | null }> {
  const lines: string[] = [];
  for (const [index, given] of text.split(/\r?\n/).entries()) {
    const words = given.replace(/;.*$/, '').split(/\s+/).filter(Boolean);
    if (words.length === 0) continue;
    const [owner = '', ...rest] = words;
    const type = rest.find(word => /^(NS|DS|A|AAAA)$/i.test(word));
    const name = owner.toLowerCase().replace(/\.$/, '');
    if (type === undefined || !name.endsWith(`.${parent}`) || !/^[a-z0-9_.-]+$/.test(name))
      return { records: 0, problem: `Line ${index + 1} isn’t an NS, DS, A or AAAA record with a full name below ${parent}.` };
    const data = rest
      .slice(rest.indexOf(type) + 1)
      .map(word => (type.toUpperCase() === 'NS' ? `${word.toLowerCase().replace(/\.$/, '')}.` : word));
    if (data.length === 0 || !data.every(word => /^[\w.:-]+$/.test(word)))
      return { records: 0, problem: `Line ${index + 1} has no valid data.` };
    lines.push(`${name}. ${type.toUpperCase() === 'DS' ? DS_TTL : NS_TTL} IN ${type.toUpperCase()} ${data.join(' ')}\n`);
  }
  await db.change(ownActivity('reverseDns.importFragment', `Imported delegations of ${source}`), change =>
    change.rows(sql`insert into rdns_fragment (source, parent, text, imported_at) values (${source}, ${parent}, ${lines.join('')}, ${change.now}::timestamptz)
      on conflict (source, parent) do update set text = excluded.text, imported_at = excluded.imported_at`),
  );
  return { records: lines.length, problem: null };
}
