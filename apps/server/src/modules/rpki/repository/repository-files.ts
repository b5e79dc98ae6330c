import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { HOUR_MS, SECOND_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import type { Database } from '../../../platform/database/index.ts';
import { type FileChange, printNotification, snapshotEnd, snapshotHead, snapshotLine, versionOf } from './rrdp.ts';
import { currentSession, deltaContent, listDeltas, type RrdpSession } from './rrdp-records.ts';
import { switchTree } from './rsync-tree.ts';
import { expiredSnapshots } from './snapshot-room.ts';

/** How long files are kept that no notification names any more, for clients that just read an older one. */
const KEPT_MS = HOUR_MS;
/** Files are looked through for those at most this often, however many publications there are. */
const SWEEP_EVERY_MS = 10 * SECOND_MS;
export const notificationName = 'notification.xml';
/** File names that may be fetched besides the notification. */
export const rrdpFile = /^[0-9a-f-]{36}\/\d+\/[0-9a-f]{32}\/(?:snapshot|delta)\.xml$/;
/** Bytes of a snapshot written at a time, so that other work can run in between. */
const PIECE = 1 << 20;

type Options = {
  db: Pick<Database, 'read'>;
  /** Contains `rrdp` and the rsync trees. */
  folder: string;
  /** Address of the folder `rrdp`. */
  rrdpBase: string;
  rsyncBase: string;
  now: () => Date;
};

/**
 * Writes the repository exactly as in the database: what is missing after a crash, or everything on another machine. The lines of the last snapshot
 * stay in memory, so that a publication only reads what it changed.
 */
export function openRepositoryFiles({ db, folder, rrdpBase, rsyncBase, now }: Options) {
  const rrdp = path.join(folder, 'rrdp');
  let sweptAt = Number.NEGATIVE_INFINITY;
  let snapshotSize = 0;
  let lines: { sessionId: string; serial: number; byUri: Map<string, Buffer>; inOrder: string[] } | null = null;

  const bytesOf = (uri: string, content: Uint8Array): Buffer => Buffer.from(snapshotLine(uri, content), 'latin1');
  /** The sorted lines of a snapshot, which every publication writes completely. */
  const linesOf = async ({ sessionId, serial }: RrdpSession, changes: readonly FileChange[] | null): Promise<Buffer[]> => {
    if (lines?.sessionId === sessionId && lines.serial === serial - 1 && changes) {
      const { byUri, inOrder } = lines;
      for (const { uri, after } of changes) {
        if (after === null) byUri.delete(uri);
        else {
          if (!byUri.has(uri)) inOrder.push(uri);
          byUri.set(uri, bytesOf(uri, after));
        }
      }
      // Sorting an almost sorted array is cheap.
      lines = { sessionId, serial, byUri, inOrder: [...new Set(inOrder)].filter(uri => byUri.has(uri)).sort() };
    } else if (lines?.sessionId !== sessionId || lines.serial !== serial) {
      const byUri = new Map<string, Buffer>();
      for await (const rows of db.read.stream<{ uri: string; content: Buffer }>(
        sql`select uri, content from rpki_object where kind <> 'trust-anchor'`,
        200,
      ))
        for (const { uri, content } of rows) byUri.set(uri, bytesOf(uri, content));
      lines = { sessionId, serial, byUri, inOrder: [...byUri.keys()].sort() };
    }
    const { byUri, inOrder } = lines;
    return inOrder.map(uri => byUri.get(uri)!);
  };

  /** Updates RRDP to the present serial. @param changes of the last publication, if known */
  const writeRrdp = async (changes: readonly FileChange[] | null): Promise<RrdpSession | null> => {
    const session = await currentSession(db.read);
    if (!session) return null;
    const { sessionId, serial, snapshotName } = session;
    const deltas = await listDeltas(db.read, sessionId);
    const before = await readNotification(rrdp);
    const snapshotPath = `${sessionId}/${serial}/${snapshotName}/snapshot.xml`;
    const named = deltas.map(delta => ({ ...delta, file: `${sessionId}/${delta.serial}/${delta.name}/delta.xml` }));
    const isThere = await Promise.all([snapshotPath, ...named.map(({ file }) => file)].map(file => exists(path.join(rrdp, file))));
    const present = before === null ? null : versionOf(before);
    if (present?.sessionId === sessionId && present.serial === serial && isThere.every(Boolean)) return session;
    const writeDeltas = async (): Promise<boolean> => {
      for (const [index, { file, serial: own }] of named.entries()) {
        if (isThere[index + 1]) continue;
        const content = await deltaContent(db.read, { sessionId, serial: own });
        if (content === null) return false;
        await writeWhole(path.join(rrdp, file), [content]);
      }
      return true;
    };
    // Beside the deltas, because both wait for the disk, and to its end in any case: another try would write to the same file.
    const snapshot = linesOf(session, changes).then(inOrder => writeWhole(path.join(rrdp, snapshotPath), snapshotPieces(session, inOrder)));
    const [written, whole] = await Promise.allSettled([writeDeltas(), snapshot]);
    if (written.status === 'rejected') throw written.reason;
    if (whole.status === 'rejected') throw whole.reason;
    // Another process has published meanwhile.
    if (!written.value) return writeRrdp(null);
    const notification = printNotification(
      session,
      { uri: rrdpBase + snapshotPath, sha256: whole.value.sha256 },
      named.map(({ file, serial: own, sha256: hash }) => ({ serial: own, uri: rrdpBase + file, sha256: hash.toString('hex') })),
    );
    // Last, and atomically: everything it names exists.
    await writeWhole(path.join(rrdp, notificationName), [Buffer.from(notification)], new Date(session.modifiedAt));
    snapshotSize = whole.value.bytes;
    if (performance.now() - sweptAt >= SWEEP_EVERY_MS) {
      await sweepRrdp(rrdp, { named: new Set([snapshotPath, ...named.map(({ file }) => file)]), present: snapshotSize, now: now() });
      sweptAt = performance.now();
    }
    return session;
  };

  return {
    writeRrdp,
    /** Bytes of the last snapshot that was written here. */
    snapshotSize: () => snapshotSize,
    /** Updates the rsync tree to the present serial. */
    writeTree: () => switchTree({ db, folder, rsyncBase, now: now() }),
    /** The version that clients of RRDP find now; null before the first. */
    published: async () => {
      const notification = await readNotification(rrdp);
      return notification === null ? null : versionOf(notification);
    },
  };
}

/** Each chunk is written before the buffer is reused. */
function* snapshotPieces(session: RrdpSession, inOrder: readonly Buffer[]): Generator<Uint8Array> {
  yield Buffer.from(snapshotHead(session));
  const piece = Buffer.allocUnsafe(PIECE);
  let filled = 0;
  for (const line of inOrder) {
    if (filled + line.length > PIECE) {
      yield piece.subarray(0, filled);
      filled = 0;
    }
    // A line with tens of thousands of ROAs can be longer than a chunk.
    if (line.length > PIECE) yield line;
    else filled += line.copy(piece, filled);
  }
  yield piece.subarray(0, filled);
  yield Buffer.from(snapshotEnd);
}

const exists = (file: string): Promise<boolean> =>
  fs.stat(file).then(
    () => true,
    () => false,
  );

/** Returns the file at the notification's address; null before the first. */
const readNotification = (rrdp: string): Promise<string | null> =>
  fs.readFile(path.join(rrdp, notificationName), 'latin1').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });

/** Writes a file atomically, even on power loss. Returns its SHA-256 in hexadecimal, and its size. */
async function writeWhole(file: string, pieces: Iterable<Uint8Array>, modifiedAt?: Date): Promise<{ sha256: string; bytes: number }> {
  await fs.mkdir(path.dirname(file), { recursive: true });
  const hash = createHash('sha256');
  let bytes = 0;
  const draft = await fs.open(`${file}.new`, 'w', 0o644);
  try {
    for (const piece of pieces) {
      hash.update(piece);
      bytes += piece.length;
      await draft.writeFile(piece);
    }
    await draft.sync();
    if (modifiedAt) await draft.utimes(modifiedAt, modifiedAt);
  } finally {
    await draft.close();
  }
  await fs.rename(`${file}.new`, file);
  return { sha256: hash.digest('hex'), bytes };
}

/** Removes files that have not been named for a while, and snapshots for which there is no room. @param present bytes of the present snapshot */
async function sweepRrdp(rrdp: string, { named, present, now }: { named: ReadonlySet<string>; present: number; now: Date }): Promise<void> {
  const snapshots: { file: string; bytes: number; ageMs: number }[] = [];
  const sessions = (await fs.readdir(rrdp)).filter(name => /^[0-9a-f-]{36}$/.test(name));
  const folders: string[] = [];
  for (const session of sessions)
    for (const serial of await fs.readdir(path.join(rrdp, session))) {
      const folder = path.join(session, serial);
      folders.push(folder);
      const ageMs = now.getTime() - (await fs.stat(path.join(rrdp, folder))).mtimeMs;
      for (const name of await fs.readdir(path.join(rrdp, folder)))
        for (const each of await fs.readdir(path.join(rrdp, folder, name))) {
          const file = path.join(folder, name, each);
          if (named.has(file)) continue;
          if (ageMs > KEPT_MS) await fs.rm(path.join(rrdp, file));
          else if (each.startsWith('snapshot.')) snapshots.push({ file, bytes: (await fs.stat(path.join(rrdp, file))).size, ageMs });
        }
    }
  for (const file of expiredSnapshots(snapshots, present)) await fs.rm(path.join(rrdp, file));
  for (const folder of folders) await removeEmpty(path.join(rrdp, folder));
  for (const session of sessions) await fs.rmdir(path.join(rrdp, session)).catch(ignoreFull);
}

async function removeEmpty(folder: string): Promise<void> {
  for (const name of await fs.readdir(folder)) await fs.rmdir(path.join(folder, name)).catch(ignoreFull);
  await fs.rmdir(folder).catch(ignoreFull);
}

const ignoreFull = (error: NodeJS.ErrnoException): void => {
  if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
};
