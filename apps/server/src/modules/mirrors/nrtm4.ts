import { createHash, randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@portal/contract/days';
import { parseObject, valueOf } from '@portal/rpsl';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import { breathing } from '../../platform/breathing.ts';
import { type Database, lockFolder } from '../../platform/database/index.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import type { Profile } from '../../profile.ts';
import { journalSlice } from './nrtm3.ts';
import { nrtmKeys, signJws } from './nrtm-keys.ts';
import { OBJECTS_AT_ONCE, publicCopy } from '../whois/index.ts';

export type NrtmOptions = {
  /** Folder of all sources; each has its own inside. */
  folder: string;
  profile: Profile;
  box: SecretBox;
  now: Date;
};

const File = z.object({ version: z.number(), url: z.string(), hash: z.string() });
const Notification = z.object({
  nrtm_version: z.literal(4),
  timestamp: z.string(),
  type: z.literal('notification'),
  next_signing_key: z.optional(z.string()),
  source: z.string(),
  session_id: z.string(),
  version: z.number(),
  snapshot: File,
  deltas: z.array(File),
  // Our own state: the last published journal serial, the rule about persons, the signing key, and the time of the snapshot.
  metadata: z.object({
    serial: z.number(),
    personal_data: z.string(),
    kid: z.string(),
    snapshot_at: z.string(),
    delta_times: z.record(z.string(), z.string()),
  }),
});
type Notification = z.infer<typeof Notification>;
type File = z.infer<typeof File>;

export const notificationName = 'update-notification-file.jose';
/** Other files that may be fetched: their names can't be guessed before they are published. */
export const nrtmFile = /^[0-9a-f-]{36}\/nrtm-(?:snapshot|delta)\.\d+\.[0-9a-f]{40}\.json\.gz$/;

/** How long files are kept that the notification no longer names, for mirrors that read an older one (section 8.2). */
const UNNAMED_FILE_AGE_MS = 10 * MINUTE_MS;

/**
 * Runs one turn of the publication for mirrors (NRTM version 4, draft-ietf-grow-nrtm-v4): a delta if there were changes, a snapshot a day if there were
 * changes, and the signed notification that names them. The last notification is the state; without a usable one a new session begins,
 * and mirrors load the snapshot. Returns the published version.
 * @throws FolderInUse if another process is publishing: its lock ends with it, and a missing publication is reported as a failure.
 */
export async function publishNrtm(db: Database, options: NrtmOptions): Promise<{ version: number; serial: number }> {
  const folder = path.join(options.folder, options.profile.source);
  await fs.mkdir(folder, { recursive: true });
  const unlock = lockFolder(folder, 'The publication for mirrors in');
  try {
    return await publish(db, folder, options);
  } finally {
    unlock();
  }
}

async function publish(db: Database, folder: string, { profile, box, now }: NrtmOptions): Promise<{ version: number; serial: number }> {
  const keys = await nrtmKeys(db, box);
  const before = await lastNotification(folder);
  const serial = await lastSerial(db);
  const isActive =
    before !== null &&
    before.source === profile.source &&
    before.metadata.personal_data === profile.dumpPersonalData &&
    before.metadata.serial <= serial &&
    (await allThere(folder, before));
  let after: Notification = isActive ? structuredClone(before) : await newSession(db, folder, { profile, now });
  if (isActive) {
    if (isSnapshotDue(after, serial, now)) after = await addSnapshot(db, folder, after, { profile, now });
    else if (serial > after.metadata.serial) after = await addDelta(db, folder, after, { serial, profile, now });
    after = withoutOldDeltas(after, now);
  }
  after.metadata.kid = keys.current.kid;
  delete after.next_signing_key;
  if (keys.next) after.next_signing_key = keys.next.publicPem;
  const isStale = now.getTime() - Date.parse(after.timestamp) > 12 * HOUR_MS;
  if (!isActive || isStale || JSON.stringify(after) !== JSON.stringify(before)) {
    after.timestamp = `${now.toISOString().slice(0, 19)}Z`;
    await replaceFile(path.join(folder, notificationName), signJws(after, keys.current));
  }
  await sweep(folder, before, after, now);
  return { version: after.version, serial: after.metadata.serial };
}

type Made = { profile: Profile; now: Date };

async function newSession(db: Database, folder: string, { profile, now }: Made): Promise<Notification> {
  const session = crypto.randomUUID();
  const { file, serial } = await writeSnapshot(db, folder, { session, profile }, async () => 1);
  return {
    nrtm_version: 4,
    timestamp: now.toISOString(),
    type: 'notification',
    source: profile.source,
    session_id: session,
    version: 1,
    snapshot: file,
    deltas: [],
    metadata: { serial, personal_data: profile.dumpPersonalData, kid: '', snapshot_at: now.toISOString(), delta_times: {} },
  };
}

/** Once a day, and only when something changed since (section 4.3.2). */
const isSnapshotDue = (last: Notification, serial: number, now: Date): boolean =>
  now.getTime() - Date.parse(last.metadata.snapshot_at) >= DAY_MS - HOUR_MS &&
  (serial > last.metadata.serial || last.version > last.snapshot.version);

async function addDelta(
  db: Database,
  folder: string,
  last: Notification,
  { serial, profile, now }: Made & { serial: number },
): Promise<Notification> {
  const version = last.version + 1;
  const range = { from: last.metadata.serial + 1, to: serial };
  const file = await writeDelta(db, folder, range, { session: last.session_id, version, profile });
  const metadata = { ...last.metadata, serial };
  // None of it was public.
  if (file === null) return { ...last, metadata };
  metadata.delta_times = { ...metadata.delta_times, [version]: now.toISOString() };
  return { ...last, version, deltas: [...last.deltas, file], metadata };
}

/** A snapshot, preceded by the delta up to the same instant. */
async function addSnapshot(db: Database, folder: string, last: Notification, { profile, now }: Made): Promise<Notification> {
  let after = last;
  const { file } = await writeSnapshot(db, folder, { session: last.session_id, profile }, async serial => {
    if (serial > last.metadata.serial) after = await addDelta(db, folder, last, { serial, profile, now });
    return after.version;
  });
  return { ...after, snapshot: file, metadata: { ...after.metadata, snapshot_at: now.toISOString() } };
}

/** Deltas older than a day that aren't needed with the snapshot (section 4.3.1). */
function withoutOldDeltas(last: Notification, now: Date): Notification {
  const times = last.metadata.delta_times;
  const isStored = ({ version }: File): boolean =>
    version > last.snapshot.version || now.getTime() - Date.parse(times[version] ?? last.timestamp) <= DAY_MS;
  const deltas = last.deltas.slice(Math.max(0, last.deltas.findIndex(isStored)));
  const kept = last.deltas.some(isStored) ? deltas : [];
  const delta_times = Object.fromEntries(kept.map(({ version }) => [version, times[version] ?? last.timestamp]));
  return { ...last, deltas: kept, metadata: { ...last.metadata, delta_times } };
}

type Named = { session: string; version: number; profile: Profile };

/** Writes all objects in one database snapshot. @param versionOf gets its last serial, returns the version of the snapshot. */
async function writeSnapshot(
  db: Database,
  folder: string,
  { session, profile }: Omit<Named, 'version'>,
  versionOf: (serial: number) => Promise<number>,
): Promise<{ file: File; serial: number }> {
  const personal = profile.dumpPersonalData;
  const rows = db.read.stream<{ text: string; serial: number }>(
    sql`select text, (select coalesce(max(serial), 0) from whois_journal) as serial from whois_object order by class, key`,
    OBJECTS_AT_ONCE,
  );
  const breathe = breathing();
  try {
    const first = await rows.next();
    const serial = first.done ? await lastSerial(db) : Number(first.value[0]!.serial);
    const version = await versionOf(serial);
    const records = async function* (): AsyncGenerator<string> {
      yield headOf('snapshot', { session, version, profile });
      for (let batch = first; !batch.done; batch = await rows.next()) {
        let piece = '';
        for (const row of batch.value) {
          const object = ofSource(publicCopy(row.text, personal), profile);
          if (object !== null) piece += record({ object });
          await breathe();
        }
        if (piece !== '') yield piece;
      }
    };
    return { file: await writeFile(folder, 'snapshot', { session, version }, records()), serial };
  } finally {
    await rows.return();
  }
}

/** Null, without a file, if none of the changes is public. */
async function writeDelta(db: Database, folder: string, range: { from: number; to: number }, named: Named): Promise<File | null> {
  let changes = 0;
  const breathe = breathing();
  const records = async function* (): AsyncGenerator<string> {
    yield headOf('delta', named);
    for await (const lines of journalSlice(db.read, range, named.profile)) {
      let piece = '';
      for (const line of lines) {
        const object = ofSource(line.text, named.profile);
        await breathe();
        if (object === null) continue;
        changes++;
        piece += record(
          line.operation === 'ADD'
            ? { action: 'add_modify', object }
            : { action: 'delete', object_class: line.class, primary_key: line.shown },
        );
      }
      if (piece !== '') yield piece;
    }
  };
  const file = await writeFile(folder, 'delta', named, records());
  if (changes > 0) return file;
  await fs.rm(path.join(folder, file.url));
  return null;
}

/** Objects whose source is another are not ours to publish (section 7.3). */
function ofSource(text: string | null, { source }: Profile): string | null {
  if (text === null) return null;
  const { object } = parseObject(text);
  return object && valueOf(object, 'source')?.toUpperCase() === source.toUpperCase() ? text : null;
}

/** One text of a sequence (RFC 7464). */
const record = (value: object): string => `\u001e${JSON.stringify(value)}\n`;
const headOf = (type: 'snapshot' | 'delta', { session, version, profile }: Named): string =>
  record({ nrtm_version: 4, type, source: profile.source, session_id: session, version });

async function writeFile(
  folder: string,
  type: 'snapshot' | 'delta',
  { session, version }: Omit<Named, 'profile'>,
  records: AsyncIterable<string>,
): Promise<File> {
  const url = `${session}/nrtm-${type}.${version}.${randomBytes(20).toString('hex')}.json.gz`;
  const file = path.join(folder, url);
  await fs.mkdir(path.dirname(file), { recursive: true });
  const hash = createHash('sha256');
  const counted = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  try {
    await pipeline(Readable.from(records), createGzip(), counted, createWriteStream(file, { flags: 'wx' }));
  } catch (error) {
    await fs.rm(file, { force: true });
    throw error;
  }
  return { version, url, hash: hash.digest('hex') };
}

const lastSerial = async (db: Database): Promise<number> =>
  Number((await db.read.rows<{ serial: number }>(sql`select coalesce(max(serial), 0) as serial from whois_journal`))[0]!.serial);

/** The present notification; null if there is none, or it was written by another version. */
export async function lastNotification(folder: string): Promise<Notification | null> {
  const text = await fs.readFile(path.join(folder, notificationName), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  try {
    const payload: unknown = JSON.parse(Buffer.from(text.split('.')[1] ?? '', 'base64url').toString());
    return Notification.safeParse(payload).data ?? null;
  } catch {
    return null;
  }
}

async function allThere(folder: string, { snapshot, deltas }: Notification): Promise<boolean> {
  const found = await Promise.all(
    [snapshot, ...deltas].map(({ url }) =>
      fs.stat(path.join(folder, url)).then(
        () => true,
        () => false,
      ),
    ),
  );
  return found.every(Boolean);
}

async function replaceFile(file: string, text: string): Promise<void> {
  await fs.writeFile(`${file}.new`, text);
  await fs.rename(`${file}.new`, file);
}

const urlsOf = (notification: Notification | null): Set<string> =>
  new Set(notification ? [notification.snapshot, ...notification.deltas].map(({ url }) => url) : []);

/** Removes files that no notification has named for some minutes. */
async function sweep(folder: string, before: Notification | null, after: Notification, now: Date): Promise<void> {
  const [then, named] = [urlsOf(before), urlsOf(after)];
  for (const session of await fs.readdir(folder, { withFileTypes: true })) {
    if (!session.isDirectory()) continue;
    const inside = path.join(folder, session.name);
    const names = await fs.readdir(inside);
    let left = names.length;
    for (const name of names) {
      const url = `${session.name}/${name}`;
      if (named.has(url)) continue;
      const file = path.join(inside, name);
      // From now on it is counted.
      if (then.has(url)) await fs.utimes(file, now, now);
      else if (now.getTime() - (await fs.stat(file)).mtimeMs > UNNAMED_FILE_AGE_MS) {
        await fs.rm(file);
        left--;
      }
    }
    if (left === 0) await fs.rmdir(inside);
  }
}
