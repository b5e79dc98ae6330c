import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { HOUR_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import type { Database } from '../../../platform/database/index.ts';
import { type FileChange, printNotification, snapshotEnd, snapshotHead, snapshotLine, versionOf } from './rrdp.ts';
import { currentSession, listDeltas, type RrdpSession } from './rrdp-records.ts';
import { switchTree } from './rsync-tree.ts';

/** Files that no notification names any more may still be on their way to a client that read their name a moment ago. */
const KEPT_MS = HOUR_MS;
export const notificationName = 'notification.xml';
/** Files that may be fetched besides the notification. */
export const rrdpFile = /^[0-9a-f-]{36}\/\d+\/[0-9a-f]{32}\/(?:snapshot|delta)\.xml$/;
/** Characters of a snapshot written at a time: others get their turn in between. */
const PIECE = 1 << 20;

type Options = {
  db: Pick<Database, 'read'>;
  /** `rrdp` and the trees for rsync lie in it. */
  folder: string;
  /** Address of the folder `rrdp`. */
  rrdpBase: string;
  rsyncBase: string;
  now: () => Date;
};

/**
 * Writes the repository as the database has it, to the byte: whatever is missing after a crash, or all of it on another machine. The lines of the last
 * snapshot are kept in memory, so that a publication only reads what it changed.
 */
export function openRepositoryFiles({ db, folder, rrdpBase, rsyncBase, now }: Options) {
  const rrdp = path.join(folder, 'rrdp');
  let lines: { sessionId: string; serial: number; byUri: Map<string, string> } | null = null;

  const linesOf = async ({ sessionId, serial }: RrdpSession, changes: readonly FileChange[] | null): Promise<Map<string, string>> => {
    if (lines?.sessionId === sessionId && lines.serial === serial) return lines.byUri;
    if (changes && lines?.sessionId === sessionId && lines.serial === serial - 1) {
      for (const { uri, after } of changes)
        if (after === null) lines.byUri.delete(uri);
        else lines.byUri.set(uri, snapshotLine(uri, after));
      lines.serial = serial;
      return lines.byUri;
    }
    const byUri = new Map<string, string>();
    for await (const rows of db.read.stream<{ uri: string; content: Buffer }>(
      sql`select uri, content from rpki_object where kind <> 'trust-anchor'`,
      200,
    ))
      for (const { uri, content } of rows) byUri.set(uri, snapshotLine(uri, content));
    lines = { sessionId, serial, byUri };
    return byUri;
  };

  /** Brings RRDP to the present serial. @param changes what the last publication changed, where that is known */
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
    for (const { file, content } of named)
      if (!(await exists(path.join(rrdp, file)))) await writeWhole(path.join(rrdp, file), [content.toString()]);
    const byUri = await linesOf(session, changes);
    const sha256 = await writeWhole(path.join(rrdp, snapshotPath), snapshotPieces(session, byUri));
    const notification = printNotification(
      session,
      { uri: rrdpBase + snapshotPath, sha256 },
      named.map(({ file, serial: own, sha256: hash }) => ({ serial: own, uri: rrdpBase + file, sha256: hash.toString('hex') })),
    );
    // Last, and in one step: whatever it names is there.
    await writeWhole(path.join(rrdp, notificationName), [notification], new Date(session.publishedAt));
    await sweepRrdp(rrdp, new Set([snapshotPath, ...named.map(({ file }) => file)]), now());
    return session;
  };

  return {
    writeRrdp,
    /** Brings the tree for rsync to the present serial. */
    writeTree: () => switchTree({ db, folder, rsyncBase, now: now() }),
    /** The version that clients of RRDP find now; null before the first. */
    published: async () => {
      const notification = await readNotification(rrdp);
      return notification === null ? null : versionOf(notification);
    },
  };
}

function* snapshotPieces(session: RrdpSession, byUri: ReadonlyMap<string, string>): Generator<string> {
  let piece = snapshotHead(session);
  for (const uri of [...byUri.keys()].sort()) {
    piece += byUri.get(uri)!;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  yield piece + snapshotEnd;
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

/** Writes a file that appears whole or not at all, also when the machine loses power. Answers its SHA-256 in hexadecimal. */
async function writeWhole(file: string, pieces: Iterable<string>, modifiedAt?: Date): Promise<string> {
  await fs.mkdir(path.dirname(file), { recursive: true });
  const hash = createHash('sha256');
  const draft = await fs.open(`${file}.new`, 'w', 0o644);
  try {
    for (const piece of pieces) {
      const bytes = Buffer.from(piece, 'latin1');
      hash.update(bytes);
      await draft.write(bytes);
    }
    await draft.sync();
    if (modifiedAt) await draft.utimes(modifiedAt, modifiedAt);
  } finally {
    await draft.close();
  }
  await fs.rename(`${file}.new`, file);
  return hash.digest('hex');
}

/** Removes what has not been named for an hour. */
async function sweepRrdp(rrdp: string, named: ReadonlySet<string>, now: Date): Promise<void> {
  for (const session of await fs.readdir(rrdp)) {
    if (!/^[0-9a-f-]{36}$/.test(session)) continue;
    for (const serial of await fs.readdir(path.join(rrdp, session))) {
      const folder = path.join(rrdp, session, serial);
      const old = now.getTime() - (await fs.stat(folder)).mtimeMs > KEPT_MS;
      if (!old) continue;
      for (const name of await fs.readdir(folder))
        for (const file of await fs.readdir(path.join(folder, name)))
          if (!named.has(`${session}/${serial}/${name}/${file}`)) await fs.rm(path.join(folder, name, file));
      await removeEmpty(folder);
    }
    await fs.rmdir(path.join(rrdp, session)).catch(ignoreFull);
  }
}

async function removeEmpty(folder: string): Promise<void> {
  for (const name of await fs.readdir(folder)) await fs.rmdir(path.join(folder, name)).catch(ignoreFull);
  await fs.rmdir(folder).catch(ignoreFull);
}

const ignoreFull = (error: NodeJS.ErrnoException): void => {
  if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
};
