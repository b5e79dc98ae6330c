import { createReadStream } from 'node:fs';
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { checkObject, parseObject, type RpslObject, valueOf, withValue } from '@portal/rpsl';
import { type Change, type Database, ownActivity } from '../../platform/database/index.ts';
import type { Profile } from '../../profile.ts';
import {
  findObjects,
  handleClasses,
  identityOf,
  lockWhois,
  objectOfRow,
  objectsNamed,
  storeObjects,
  textToStore,
  type Write,
} from '../whois/index.ts';

export type LoadOptions = { from: string; profile: Profile; onProgress?: (objects: number) => void };
export type LoadNote = { line: number; object: string; message: string };
/** Result of a load, in objects. */
export type LoadReport = {
  objects: number;
  created: number;
  modified: number;
  unchanged: number;
  /** Without class or key, or not text: not loaded. */
  refused: number;
  refusals: LoadNote[];
  /** Objects loaded although today's rules would refuse them, by the code of the violated rule. */
  warned: number;
  warnings: Record<string, number>;
  warningNotes: LoadNote[];
  seconds: number;
};

const BATCH = 2_000;
const MAX_NOTES = 20;
/** Maximum size of an object in bytes: longer text is skipped without keeping it in memory. */
const LONGEST = 4_000_000;

/**
 * Loads a file of RPSL objects, plain or gzip, unchanged except for password hashes: violations of the present rules are loaded with a warning, objects without a key are skipped
 * with one. Existing objects with another text get a new version; equal ones stay. Nothing is removed. One change, all or nothing. Memory does not
 * grow with the file.
 * @throws an error of the file system or of gzip.
 */
export async function loadWhois(db: Database, options: LoadOptions): Promise<LoadReport> {
  const started = performance.now();
  const activity = ownActivity('whois.loadDump', 'Loaded whois objects from a file');
  const report = await db.change(
    activity,
    async change => {
      const counted = await loadInto(change, options);
      await change.note({ created: counted.created, modified: counted.modified, unchanged: counted.unchanged, refused: counted.refused });
      return counted;
    },
    { timeout: 0 },
  );
  return { ...report, seconds: (performance.now() - started) / 1000 };
}

type Found = { line: number; object: RpslObject; class: string; key: string; shown: string };

async function loadInto(change: Change, { from, profile, onProgress }: LoadOptions): Promise<LoadReport> {
  await lockWhois(change);
  const report: LoadReport = {
    objects: 0,
    created: 0,
    modified: 0,
    unchanged: 0,
    refused: 0,
    refusals: [],
    warned: 0,
    warnings: {},
    warningNotes: [],
    seconds: 0,
  };
  let batch = new Map<string, Found>();
  // While the database stores one batch, the next is read.
  let storing: Promise<void> = Promise.resolve();
  const flush = async (): Promise<void> => {
    await storing;
    onProgress?.(report.objects);
    const full = [...batch.values()];
    batch = new Map();
    storing = full.length > 0 ? storeBatch(change, full, profile, report) : Promise.resolve();
    // Reported where it is awaited.
    storing.catch(() => {});
  };
  for await (const { text, line } of paragraphsOf(from)) {
    const found = readObject(text, line, profile, report);
    if (!found) continue;
    const name = `${found.class} ${found.key}`;
    // The same object twice in a file: the later text is a separate version.
    if (batch.has(name) || batch.size === BATCH) await flush();
    batch.set(name, found);
  }
  await flush();
  await storing;
  return report;
}

function readObject(text: string, line: number, profile: Profile, report: LoadReport): Found | null {
  const { object: read, problems } = parseObject(text);
  const object = read && withoutHashes(read);
  // Between objects there may be comments.
  if (!object && !/^[^#%\s]/m.test(text)) return null;
  report.objects++;
  const identity = object && identityOf(object);
  const fault = problems.find(({ severity }) => severity === 'error');
  if (!object || !identity || fault) {
    const message = fault?.message ?? 'There is no class and key of an object';
    refuse(report, line + (fault?.line ?? 1) - 1, text.trimStart().split('\n', 1)[0]!.slice(0, 80), message);
    return null;
  }
  noteWarnings(object, { ...identity, line }, profile, report);
  return { line, object, ...identity };
}

function refuse(report: LoadReport, line: number, object: string, message: string): void {
  report.refused++;
  if (report.refusals.length < MAX_NOTES) report.refusals.push({ line, object, message });
}

/** The class of each handle in a batch: from the database, otherwise the first in the batch. */
async function holdersOfHandles(
  change: Change,
  found: readonly Found[],
  stored: ReadonlyMap<string, unknown>,
): Promise<ReadonlyMap<string, string>> {
  const named = found.filter(one => handleClasses.includes(one.class));
  const fresh = named.filter(one => !stored.has(`${one.class} ${one.key}`));
  const holders = new Map(
    (
      await objectsNamed(
        change,
        fresh.map(({ key }) => key),
      )
    ).map(each => [each.key, each.class]),
  );
  for (const { key, class: objectClass } of named) if (!holders.has(key)) holders.set(key, objectClass);
  return holders;
}

/** Key ids and the mark of this portal are public. */
const known = /^(?:portal|pgpkey-[\da-f]{8}|x509-\d{1,20})$/i;
const scheme = /^(?:(?:crypt|md5|bcrypt)-pw|sso|mail-from|none)\b/i;

/**
 * Returns the object with only the kind of each credential: a password hash could be cracked, is useless here, and would be in every copy of the database (S34).
 */
function withoutHashes(object: RpslObject): RpslObject {
  if (!object.attributes.some(({ name, value }) => name === 'auth' && !known.test(value))) return object;
  const attributes = object.attributes.map(attribute =>
    attribute.name !== 'auth' || known.test(attribute.value)
      ? attribute
      : withValue({ ...attribute, comment: null }, scheme.exec(attribute.value)?.[0].toUpperCase() ?? 'UNKNOWN'),
  );
  return { ...object, attributes };
}

function noteWarnings(
  object: RpslObject,
  { line, class: name, shown }: { line: number; class: string; shown: string },
  profile: Profile,
  report: LoadReport,
): void {
  const broken = checkObject(object, 'load').map(({ code, message, line: place }) => ({ code, message, line: place }));
  const source = valueOf(object, 'source');
  if (source?.toLowerCase() !== profile.source.toLowerCase())
    broken.push({ code: 'source-foreign', message: `source is ${source ?? 'missing'}; this database is ${profile.source}`, line: null });
  if (broken.length === 0) return;
  report.warned++;
  for (const { code } of broken) report.warnings[code] = (report.warnings[code] ?? 0) + 1;
  const [first] = broken;
  if (report.warningNotes.length < MAX_NOTES)
    report.warningNotes.push({ line: line + (first!.line ?? 1) - 1, object: `${name} ${shown}`, message: first!.message });
}

async function storeBatch(change: Change, found: readonly Found[], profile: Profile, report: LoadReport): Promise<void> {
  const stored = new Map((await findObjects(change, found)).map(row => [`${row.class} ${row.key}`, row]));
  const writes: Write[] = [];
  const holders = await holdersOfHandles(change, found, stored);
  for (const { line, ...one } of found) {
    const row = stored.get(`${one.class} ${one.key}`);
    const holder = row ? undefined : holders.get(one.key);
    if (holder !== undefined && holder !== one.class && handleClasses.includes(one.class)) {
      refuse(report, line, `${one.class} ${one.shown}`, `${one.shown} is the name of a ${holder} already`);
      continue;
    }
    if (!row) writes.push({ operation: 'create', ...one, stored: null, loaded: true, ...madeAt(one.object) });
    else if (textToStore(objectOfRow(row), null) === textToStore(one.object, null)) report.unchanged++;
    else writes.push({ operation: 'modify', ...one, stored: row, loaded: true });
  }
  await storeObjects(change, writes, profile);
  for (const { operation } of writes) report[operation === 'create' ? 'created' : 'modified']++;
}

/** Returns when an object was created elsewhere, if it says so. */
function madeAt(object: RpslObject): { createdAt?: string } {
  const said = valueOf(object, 'created') ?? valueOf(object, 'last-modified');
  return said !== undefined && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(said) && !Number.isNaN(Date.parse(said)) ? { createdAt: said } : {};
}

/** Yields the paragraphs of a file one by one, with their first lines. UTF-8, or Latin-1 for a paragraph that isn't. */
async function* paragraphsOf(file: string): AsyncGenerator<{ text: string; line: number }> {
  let rest = '';
  let line = 1;
  for await (const chunk of inflated(file)) {
    rest += chunk.toString('latin1').replaceAll('\r', '');
    let from = 0;
    let start = 0;
    blank.lastIndex = 0;
    for (let end = blank.exec(rest); end; end = blank.exec(rest)) {
      const text = rest.slice(from, end.index + 1);
      if (text.trim() !== '') yield paragraphAt(text, line);
      from = end.index + end[0].length - 1;
      for (let at = rest.indexOf('\n', start); at >= 0 && at < from; at = rest.indexOf('\n', at + 1)) line++;
      start = from;
      blank.lastIndex = from;
    }
    rest = rest.slice(from);
    if (rest.length > LONGEST)
      throw new Error(`Line ${line}: more than ${LONGEST / 1_000_000} MB without an empty line; this is no file of RPSL objects.`);
  }
  if (rest.trim() !== '') yield paragraphAt(rest, line);
}

/** The text without the empty lines above it, and the line it then starts at. */
function paragraphAt(text: string, line: number): { text: string; line: number } {
  const above = /^(?:[ \t]*\n)*/.exec(text)![0];
  return { text: decoded(text.slice(above.length)), line: line + above.split('\n').length - 1 };
}

/** An empty line, or one of blanks. */
const blank = /\n[ \t]*\n/g;

const utf8 = new TextDecoder('utf-8', { fatal: true });
function decoded(latin1: string): string {
  // oxlint-disable-next-line no-control-regex -- ASCII is the same in both
  if (/^[\u0000-\u007f]*$/.test(latin1)) return latin1;
  try {
    return utf8.decode(Buffer.from(latin1, 'latin1'));
  } catch {
    return latin1;
  }
}

/** The bytes of a file, unpacked when they are gzip's. */
async function* inflated(file: string): AsyncGenerator<Buffer> {
  const source = createReadStream(file, { highWaterMark: 262_144 });
  const iterator = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const first = await iterator.next();
  if (first.done) return;
  const head = first.value;
  const whole = async function* (): AsyncGenerator<Buffer> {
    yield head;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  };
  if (head[0] !== 0x1f || head[1] !== 0x8b) {
    yield* whole();
    return;
  }
  const out = new PassThrough();
  const unpacking = pipeline(whole, createGunzip(), out);
  unpacking.catch(() => {});
  yield* out as Readable & AsyncIterable<Buffer>;
  await unpacking;
}
