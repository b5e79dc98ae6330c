import fs from 'node:fs/promises';
import path from 'node:path';
import { DAY_MS } from '@portal/contract/days';
import { isClassName, readKey } from '@portal/rpsl';
import * as z from 'zod/mini';
import { copyFile } from '../../adapters/mirrored-registry.ts';
import { breathing } from '../../platform/breathing.ts';
import { recordsIn, unpacked } from './bounded-files.ts';
import type { Way } from './configured.ts';
import type { ForeignChange, Position, SourceState } from './copies.ts';
import { identityIn, type KeptObject, readForeignObject } from './kept-object.ts';
import { hashesOf, type Notification, readNotification } from './notification.ts';
import { SourceProblem } from './source-problem.ts';

type Nrtm4 = Way & { kind: 'nrtm4' };

/** Bytes of a notification, which names the deltas of a day; of a snapshot, and of a delta, compressed. */
const MAX_NOTIFICATION = 8 * 2 ** 20;
const MAX_SNAPSHOT = 4 * 2 ** 30;
const MAX_DELTA = 64 * 2 ** 20;
const MAX_DELTA_UNPACKED = 256 * 2 ** 20;
/** Changes of one delta. */
const MAX_CHANGES = 100_000;

const Head = z.object({ nrtm_version: z.literal(4), type: z.string(), source: z.string(), session_id: z.string(), version: z.int() });
const SnapshotRecord = z.object({ object: z.string() });
const DeltaRecord = z.union([
  z.object({ action: z.literal('add_modify'), object: z.string() }),
  z.object({ action: z.literal('delete'), object_class: z.string(), primary_key: z.string() }),
]);

/** Fetches and verifies the update notification file. @param folder for files that are read */
export async function fetchNotification(folder: string, way: Nrtm4, state: SourceState): Promise<Notification> {
  const file = path.join(folder, 'notification');
  await copyFile(way.url, file, { maxBytes: MAX_NOTIFICATION });
  return readNotification(await fs.readFile(file, 'latin1'), state.name, state);
}

/** The position once everything up to a version is applied. */
export const positionOf = (read: Notification, serial: number, firstKey: string): Position => ({
  serial,
  asOf: serial === read.version ? read.timestamp : null,
  session: read.session_id,
  firstKey,
  signingKey: read.signingKey,
  nextKey: read.nextKey,
  files: hashesOf(read),
});

/** Whether the notification is older than it may be: it is made anew each day, without changes too. */
export const isStale = ({ timestamp }: Notification, now: Date): boolean => now.getTime() - Date.parse(timestamp) > DAY_MS;

/** The deltas after a version; null where they don't go on from it, so that the snapshot is loaded. */
export function deltasAfter(read: Notification, { session, serial }: Pick<Position, 'session' | 'serial'>): Notification['deltas'] | null {
  if (read.session_id !== session) return null;
  if (read.version === serial) return [];
  const after = read.deltas.filter(({ version }) => version > serial);
  return after[0]?.version === serial + 1 ? after : null;
}

/** Fetches a file that the notification names. Only files beside it are: what a stranger writes leads to no other server. @throws SourceProblem where its hash is another */
async function fetchNamed(folder: string, way: Nrtm4, { url, hash, version }: Notification['snapshot'], maxBytes: number): Promise<string> {
  const address = URL.parse(url, way.url);
  if (address === null || address.origin !== new URL(way.url).origin)
    throw new SourceProblem(`The update notification file names a file on another server (${url.slice(0, 200)}).`);
  const file = path.join(folder, 'named');
  const { sha256 } = await copyFile(address.href, file, { maxBytes });
  if (sha256 !== hash.toLowerCase())
    throw new SourceProblem(`The file of version ${version} has another hash than the update notification file says.`);
  return file;
}

/** Reads the records of a file after its head, which has to be that of the notification. */
async function* recordsOf(
  file: string,
  read: Notification,
  expected: { type: 'snapshot' | 'delta'; version: number },
  maxUnpacked?: number,
): AsyncGenerator<unknown, void, void> {
  const records = recordsIn(unpacked(file, maxUnpacked), breathing());
  const first = await records.next();
  const head = first.done ? undefined : z.safeParse(Head, first.value).data;
  if (
    !head ||
    head.type !== expected.type ||
    head.version !== expected.version ||
    head.source.toUpperCase() !== read.source.toUpperCase() ||
    head.session_id.toLowerCase() !== read.session_id.toLowerCase()
  )
    throw new SourceProblem(`The ${expected.type} of version ${expected.version} has the head of another file.`);
  yield* records;
}

/** The objects of the snapshot; `left` for one that isn't kept. */
export async function* snapshotObjects(
  folder: string,
  way: Nrtm4,
  read: Notification,
  source: string,
): AsyncGenerator<KeptObject | 'left', void, void> {
  const file = await fetchNamed(folder, way, read.snapshot, MAX_SNAPSHOT);
  const breathe = breathing();
  for await (const given of recordsOf(file, read, { type: 'snapshot', version: read.snapshot.version })) {
    const record = z.safeParse(SnapshotRecord, given).data;
    if (!record) throw new SourceProblem('The snapshot has a record without an object.');
    yield (await readForeignObject(record.object, source, breathe)) ?? 'left';
  }
}

/** The changes of a delta in their order, as far as they are of objects that are kept. */
export async function deltaChanges(
  folder: string,
  way: Nrtm4,
  read: Notification,
  delta: Notification['snapshot'],
  source: string,
): Promise<ForeignChange[]> {
  const file = await fetchNamed(folder, way, delta, MAX_DELTA);
  const breathe = breathing();
  const changes: ForeignChange[] = [];
  let records = 0;
  for await (const given of recordsOf(file, read, { type: 'delta', version: delta.version }, MAX_DELTA_UNPACKED)) {
    const record = z.safeParse(DeltaRecord, given).data;
    if (!record) throw new SourceProblem(`The delta of version ${delta.version} has a record that is no change.`);
    if (++records > MAX_CHANGES) throw new SourceProblem(`The delta of version ${delta.version} has more than ${MAX_CHANGES} changes.`);
    const change =
      record.action === 'add_modify' ? await changedObject(record.object, source) : deletedObject(record.object_class, record.primary_key);
    if (change) changes.push(change);
    await breathe();
  }
  if (records === 0) throw new SourceProblem(`The delta of version ${delta.version} has no change.`);
  return changes;
}

/** An object that was added or changed. One that can’t be kept any more isn’t there any more. */
export async function changedObject(text: string, source: string): Promise<ForeignChange | null> {
  const breathe = breathing();
  const object = await readForeignObject(text, source, breathe);
  if (object !== null && object !== 'left') return { class: object.class, key: object.key, object };
  const identity = await identityIn(text, breathe);
  return identity && { ...identity, object: null };
}

function deletedObject(className: string, primaryKey: string): ForeignChange | null {
  const name = className.toLowerCase();
  const key = isClassName(name) ? readKey(name, primaryKey) : null;
  return key && { class: key.class, key: key.key, object: null };
}
