import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, open, rename } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { utcDay } from '@portal/contract/days';
import { type Prefix, parseReverseZone, prefixAt, printReverseZone } from '@portal/number-resources';
import { sql } from 'kysely';
import { inTurn, ownActivity, type Read } from '../../../platform/database/index.ts';
import type { ModuleContext } from '../../../platform/module.ts';
import type { Profile } from '../../../profile.ts';
import { readTarget } from '../checks/resolver.ts';
import { headProblem, NS_TTL, recordProblem, recordsOf } from './delegation-records.ts';
import { type LeftOut, noteLeftOut } from './left-out.ts';
import { type Entry, ParentZone } from './parent-zone.ts';

const run = promisify(execFile);

/** Servers left out of the parent zone because they don't answer, by zone. */
type Disabled = ReadonlyMap<string, ReadonlySet<string>>;
type Row = { key: string; text: string; version: number };

/**
 * The parent zone of a delegation: the smallest of the registry's zones (profile) around it, else the /8 of IPv4 and the /12 of IPv6, which IANA delegates
 * to registries. Null if it isn't below one.
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

/** Sorts zones by their labels from the right, numbers by value, among those below the same zone. */
function orderOf(zone: string): { group: string; order: string } {
  const labels = zone
    .split('.')
    .reverse()
    .map(label => label.padStart(3, '0'));
  const order = labels.pop()!;
  return { group: labels.join('.'), order };
}

/** The next serial: the day with two digits, or one more than before (RFC 1912, section 2.2). */
function nextSerial(before: number | null, now: Date): number {
  const today = Number(utcDay(now.toISOString()).replaceAll('-', '')) * 100;
  return Math.max((before ?? 0) + 1, today);
}

/** Delegations of all parent zones, kept in memory and updated from the whois journal. */
export type ZoneBook = {
  /** Journal serial up to which it is complete. */
  serial: number;
  entries: Map<string, Entry>;
  parents: Map<string, ParentZone>;
  disabled: Disabled;
  /** Import time of the newest fragment of another registry included. */
  fragmentsAt: string | null;
  /** Parents that changed since they were written. */
  dirty: Map<string, Set<string>>;
  /** The zones and secondaries that the configurations were written for. */
  configured: string | null;
  /** Whether files changed that the name server hasn’t read yet. True at a start: a process may have ended before its name server read them. */
  reloadDue: boolean;
};

/** Reads every delegation. */
export async function openZoneBook(read: Pick<Read, 'rows'>, profile: Profile): Promise<ZoneBook> {
  const [{ serial } = { serial: 0 }] = await read.rows<{ serial: number }>(
    sql`select coalesce(max(serial), 0)::bigint as serial from whois_journal`,
  );
  const rows = await read.rows<Row>(sql`select key, text, version from whois_object where class = 'domain'`);
  const disabled = await readDisabled(read);
  const [{ at } = { at: null }] = await read.rows<{ at: string | null }>(sql`select max(imported_at) as at from rdns_fragment`);
  const book: ZoneBook = {
    serial: Number(serial),
    entries: new Map(),
    parents: new Map(),
    disabled,
    fragmentsAt: at,
    dirty: new Map(),
    configured: null,
    reloadDue: true,
  };
  const entries: Entry[] = [];
  for (const { key, text, version } of rows) {
    const parent = parentOf(key, profile.reverseZones);
    if (parent !== null) entries.push({ zone: key, parent, version, ...orderOf(key), ...recordsOf(key, text, disabled.get(key)) });
  }
  // In order, so that each goes to the end.
  entries.sort((a, b) => (a.group === b.group ? (a.order < b.order ? -1 : 1) : a.group < b.group ? -1 : 1));
  for (const entry of entries) {
    book.entries.set(entry.zone, entry);
    touch(book, entry.parent);
    book.parents.get(entry.parent)!.put(entry);
  }
  for (const parent of profile.reverseZones) if (!book.parents.has(parent)) touch(book, parent);
  return book;
}

function touch(book: ZoneBook, parent: string): Set<string> {
  if (!book.parents.has(parent)) book.parents.set(parent, new ParentZone());
  let zones = book.dirty.get(parent);
  if (!zones) book.dirty.set(parent, (zones = new Set()));
  return zones;
}

/** Applies the journal to the book. Returns true if anything changed. */
async function followJournal(read: Pick<Read, 'rows'>, book: ZoneBook, profile: Profile): Promise<boolean> {
  const rows = await read.rows<Row & { serial: number; operation: 'ADD' | 'DEL' }>(
    sql`select serial, operation, key, text, version from whois_journal where serial > ${book.serial} and class = 'domain' order by serial`,
  );
  for (const { serial, operation, key, text, version } of rows) {
    book.serial = Number(serial);
    const parent = parentOf(key, profile.reverseZones);
    if (parent === null) continue;
    touch(book, parent).add(key);
    const place = { zone: key, ...orderOf(key) };
    if (operation === 'DEL') {
      book.entries.delete(key);
      book.parents.get(parent)!.remove(place);
      continue;
    }
    const entry = { ...place, parent, version, ...recordsOf(key, text, book.disabled.get(key)) };
    book.entries.set(key, entry);
    book.parents.get(parent)!.put(entry);
  }
  return rows.length > 0;
}

async function readDisabled(read: Pick<Read, 'rows'>): Promise<Disabled> {
  const rows = await read.rows<{ zone: string; server: string }>(
    sql`select zone, server from rdns_lame_server where disabled_at is not null order by zone, server`,
  );
  return new Map([...Map.groupBy(rows, ({ zone }) => zone)].map(([zone, found]) => [zone, new Set(found.map(({ server }) => server))]));
}

/** Applies the currently omitted servers to the book. Returns true if any zone changed. */
export async function followDisabled(read: Pick<Read, 'rows'>, book: ZoneBook): Promise<boolean> {
  const now = await readDisabled(read);
  const words = (of: Disabled, zone: string): string => [...(of.get(zone) ?? [])].join(' ');
  const changed = [...new Set([...book.disabled.keys(), ...now.keys()])].filter(zone => words(book.disabled, zone) !== words(now, zone));
  book.disabled = now;
  for (const zone of changed) {
    const entry = book.entries.get(zone);
    const [row] = entry
      ? await read.rows<Row>(sql`select key, text, version from whois_object where class = 'domain' and key = ${zone}`)
      : [];
    if (!entry || !row) continue;
    const next = { ...entry, ...recordsOf(zone, row.text, now.get(zone)) };
    book.entries.set(zone, next);
    book.parents.get(entry.parent)!.put(next);
    touch(book, entry.parent).add(zone);
  }
  return changed.length > 0;
}

/** Marks the parents whose fragments were imported since the last look. */
export async function followFragments(read: Pick<Read, 'rows'>, book: ZoneBook): Promise<void> {
  const rows = await read.rows<{ parent: string; at: string }>(
    sql`select parent, imported_at as at from rdns_fragment where imported_at > coalesce(${book.fragmentsAt}::timestamptz, '-infinity') order by 2`,
  );
  for (const { parent, at } of rows) {
    touch(book, parent);
    book.fragmentsAt = at;
  }
}

type Publishing = Pick<ModuleContext, 'db' | 'config' | 'profile' | 'clock'>;

/** An e-mail address as a name (RFC 1035, section 8): dots before the @ are part of its first label. */
const mailboxName = (email: string): string => {
  const [local = '', domain = ''] = email.split('@');
  return `${local.replaceAll('.', String.raw`\.`)}.${domain}`;
};

/** The SOA and NS records with which a parent zone begins. */
function printHead(parent: string, serial: number, { reverseServers, reverseContact }: Profile): string {
  return [
    `$ORIGIN ${parent}.\n$TTL ${NS_TTL}\n${parent}. IN SOA ${reverseServers[0]}. ${mailboxName(reverseContact)}. ${serial} 14400 3600 1209600 3600\n`,
    ...reverseServers.map(server => `${parent}. IN NS ${server}.\n`),
  ].join('');
}

const folderOf = ({ filesDir }: { filesDir: string }): string => path.join(filesDir, 'zones');
const fileOf = (parent: string): string => `${parent}.zone`;

/** Writes a file atomically: readers find the old or the new one, even after a power loss. */
async function replaceFile(folder: string, name: string, parts: readonly Uint8Array[]): Promise<void> {
  const draft = path.join(folder, `.${name}.${process.pid}`);
  const file = await open(draft, 'w');
  try {
    await file.writev(parts);
    await file.datasync();
  } finally {
    await file.close();
  }
  await rename(draft, path.join(folder, name));
}

const replaceText = (folder: string, name: string, text: string): Promise<void> => replaceFile(folder, name, [Buffer.from(text)]);

/** Only one process writes zones at a time: the name of its lock, here and in `inTurn`. */
const TURN = 'reverse zones';

/**
 * Writes every parent zone that changed, and has the name server read them. A zone that couldn’t be written and a reload that failed are tried again
 * by the next call. Returns the zones’ names with the new serials.
 */
export async function publishZones(context: Publishing, book: ZoneBook): Promise<{ parent: string; serial: number }[]> {
  const { db, config, profile } = context;
  await followJournal(db.read, book, profile);
  if (book.dirty.size === 0 && !book.reloadDue) return [];
  const folder = folderOf(config);
  await mkdir(folder, { recursive: true });
  const done: { parent: string; serial: number }[] = [];
  const failures: unknown[] = [];
  for (const [parent, zones] of book.dirty) {
    try {
      const wrong = headProblem(parent, profile.reverseServers, profile.reverseContact);
      if (wrong !== null) throw new Error(`${parent} can’t be published. ${wrong}`);
      // Content read or imported again may already be published: then only its file is written, in case it was lost.
      if (zones.size > 0 || !(await inTurn(db, TURN, () => writeAgain(context, book, parent, folder))))
        done.push({ parent, serial: await publishZone(context, book, { parent, zones, folder }) });
      book.dirty.delete(parent);
    } catch (error) {
      // Its file stays as it is, and the other zones go on.
      failures.push(error);
    }
  }
  book.reloadDue ||= done.length > 0;
  if (book.reloadDue)
    try {
      const configured = [...book.parents.keys(), '', ...config.dnsSecondaries].join(' ');
      if (book.configured !== configured) await writeConfigurations(folder, [...book.parents.keys()], config.dnsSecondaries);
      book.configured = configured;
      await reload(config.dnsReload);
      book.reloadDue = false;
    } catch (error) {
      failures.push(error);
    }
  if (failures.length > 0) throw failures[0];
  return done;
}

type Printed = { parts: Buffer[]; sha256: string; before: { serial: number; sha256: string } | null; leftOut: LeftOut[] };

/** The records of a parent zone after SOA and NS, with their hash, and the published state. */
async function printZone(read: Pick<Read, 'rows'>, book: ZoneBook, parent: string, profile: Profile): Promise<Printed> {
  const [row] = await read.rows<{ serial: number | null; sha256: string | null }>(sql`select p.serial, p.sha256
    from (select) one left join rdns_parent p on p.parent = ${parent}`);
  const fragments = await read.rows<{ source: string; text: string }>(
    sql`select source, text from rdns_fragment where parent = ${parent} order by source`,
  );
  const { parts, digest } = book.parents.get(parent)!.write();
  const leftOut: LeftOut[] = [];
  const others = Buffer.from(fragments.map(({ source, text }) => goodRecords(source, text, leftOut)).join(''));
  const sha256 = createHash('sha256')
    .update(printHead(parent, 0, profile))
    .update(digest)
    .update(others)
    .digest('hex');
  const before = !row || row.serial === null || row.sha256 === null ? null : { serial: row.serial, sha256: row.sha256 };
  return { parts: [...parts, others], sha256, before, leftOut };
}

/**
 * The records of another registry that a zone can contain; others are added to `leftOut`. DS records and addresses of a zone without a valid NS are left
 * out too: a primary refuses the whole zone because of a DS that isn’t at a delegation.
 */
function goodRecords(source: string, text: string, leftOut: LeftOut[]): string {
  const lines = text
    .split('\n')
    .filter(line => line !== '')
    .map(line => ({ line, owner: line.split('. ')[0]!.slice(0, 253), problem: recordProblem(line) }));
  const delegated = new Set(lines.flatMap(({ line, owner, problem }) => (problem === null && line.includes(' IN NS ') ? [owner] : [])));
  const isDelegated = (name: string): boolean =>
    delegated.has(name) || (name.includes('.') && isDelegated(name.slice(name.indexOf('.') + 1)));
  const good: string[] = [];
  const reasons = new Map<string, string[]>();
  for (const { line, owner, problem } of lines) {
    const isBare = line.includes(' IN DS ') ? !delegated.has(owner) : !isDelegated(owner);
    const why = problem ?? (isBare ? `${owner} has no name server left, so its other records can’t be published` : null);
    if (why === null) good.push(`${line}\n`);
    else if (!reasons.get(owner)?.includes(why)) reasons.set(owner, [...(reasons.get(owner) ?? []), why]);
  }
  for (const [zone, why] of reasons)
    leftOut.push({ zone, source, version: 0, reasons: why, whole: !good.some(line => line.startsWith(`${zone}. `)) });
  return good.join('');
}

/** Writes the file of a parent zone with unchanged content; false if the content changed. */
async function writeAgain({ db, profile }: Publishing, book: ZoneBook, parent: string, folder: string): Promise<boolean> {
  const { parts, sha256, before } = await printZone(db.read, book, parent, profile);
  if (before?.sha256 !== sha256) return false;
  await replaceFile(folder, fileOf(parent), [Buffer.from(printHead(parent, before.serial, profile)), ...parts]);
  return true;
}

/** Writes one parent zone, and records since which serial its delegations are in it. Returns the serial, unchanged if the records are the same. */
async function publishZone(
  { db, profile, clock }: Publishing,
  book: ZoneBook,
  { parent, zones, folder }: { parent: string; zones: ReadonlySet<string>; folder: string },
): Promise<number> {
  const delegations = book.parents.get(parent)!;
  return db.change(ownActivity('reverseDns.publish', 'Published a reverse zone'), async change => {
    // The lock of `inTurn`, without a connection of its own.
    await change.rows(sql`select pg_advisory_xact_lock(hashtext(${`turn of ${TURN}`}))`);
    const { parts, sha256, before, leftOut } = await printZone(change, book, parent, profile);
    const serial = before?.sha256 === sha256 ? before.serial : nextSerial(before?.serial ?? null, clock());
    await replaceFile(folder, fileOf(parent), [Buffer.from(printHead(parent, serial, profile)), ...parts]);
    const isPart = zones.size > 0 && before !== null;
    const looked = isPart ? [...zones].flatMap(zone => book.entries.get(zone) ?? []) : delegations.entries();
    const lacking = looked.filter(each => each.leftOut.length > 0);
    const isWhole = ({ text, leftOut: reasons }: Entry): boolean => text === '' && reasons.length > 0;
    const changed = looked.filter(each => !isWhole(each));
    const gone = [...[...zones].filter(zone => !book.entries.has(zone)), ...lacking.filter(isWhole).map(({ zone }) => zone)];
    await noteLeftOut(
      change,
      parent,
      [
        ...lacking.map(each => ({ zone: each.zone, source: null, version: each.version, reasons: each.leftOut, whole: isWhole(each) })),
        ...leftOut,
      ],
      isPart ? [...zones] : null,
    );
    await change.rows(sql`with parent as (
        insert into rdns_parent (parent, serial, sha256, delegations, published_at) values (${parent}, ${serial}, ${sha256}, ${delegations.size}, ${change.now}::timestamptz)
        on conflict (parent) do update set serial = excluded.serial, sha256 = excluded.sha256, delegations = excluded.delegations, published_at = excluded.published_at
      ), gone as (delete from rdns_published where zone = any(${gone}::text[]))
      insert into rdns_published (zone, parent, version, serial, published_at)
      select zone, ${parent}, version, ${serial}, ${change.now}::timestamptz from unnest(${changed.map(each => each.zone)}::text[], ${changed.map(each => each.version)}::int[]) as w (zone, version)
      on conflict (zone) do update set parent = excluded.parent, version = excluded.version, serial = excluded.serial, published_at = excluded.published_at
      where rdns_published.version <> excluded.version or rdns_published.parent <> excluded.parent`);
    await change.note({ zone: parent, serial, delegations: delegations.size, ...(lacking.length > 0 && { leftOut: lacking.length }) });
    return serial;
  });
}

/**
 * Configuration of the zones for name servers beside the publisher: each includes its file. Secondaries get a NOTIFY for each new serial, and may transfer the
 * zones; no one else may.
 */
async function writeConfigurations(folder: string, parents: readonly string[], secondaries: readonly string[]): Promise<void> {
  const sorted = parents.toSorted();
  const files = sorted.map(parent => [parent, path.resolve(folder, fileOf(parent))] as const);
  const targets = secondaries.map(readTarget);
  const addresses = targets.map(({ address }) => address);
  const nsd = targets.map(({ address, port }) => `  notify: ${address}@${port} NOKEY\n  provide-xfr: ${address} NOKEY\n`).join('');
  await replaceText(folder, 'nsd.conf', files.map(([zone, file]) => `zone:\n  name: "${zone}"\n  zonefile: "${file}"\n${nsd}`).join(''));
  const bind =
    targets.length === 0
      ? 'allow-transfer { none; };'
      : `also-notify { ${targets.map(({ address, port }) => `${address} port ${port};`).join(' ')} }; allow-transfer { ${addresses.join('; ')}; };`;
  await replaceText(
    folder,
    'named.conf',
    files
      .map(
        ([zone, file]) => `zone "${zone}" { type primary; file "${file}"; notify ${targets.length > 0 ? 'explicit' : 'no'}; ${bind} };\n`,
      )
      .join(''),
  );
  const names = targets.map((_, place) => `secondary-${place + 1}`);
  const remotes =
    targets.length === 0
      ? ''
      : `remote:\n${targets.map(({ address, port }, place) => `  - id: ${names[place]}\n    address: ${address}@${port}\n`).join('')}acl:\n  - id: secondaries\n    address: [ ${addresses.join(', ')} ]\n    action: transfer\n`;
  const knot = targets.length === 0 ? '' : `    notify: [ ${names.join(', ')} ]\n    acl: secondaries\n`;
  await replaceText(
    folder,
    'knot.conf',
    `${remotes}zone:\n${files.map(([zone, file]) => `  - domain: ${zone}\n    file: "${file}"\n    zonefile-load: whole\n    zonefile-sync: -1\n${knot}`).join('')}`,
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
