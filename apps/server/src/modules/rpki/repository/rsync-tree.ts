import { on } from 'node:events';
import fs from 'node:fs/promises';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { sql } from 'kysely';
import type { Database, Read } from '../../../platform/database/index.ts';
import { currentSession } from './rrdp-records.ts';

type Options = { db: Pick<Database, 'read'>; folder: string; rsyncBase: string; now: Date };

/** Input of the thread that makes a tree. */
export type TreeOrder = {
  folder: string;
  /** Name of the tree, such as `tree-1c9f2d3a-12`. */
  tree: string;
  files: { path: string; sha256: string; modifiedAt: number }[];
  now: number;
};

/** The folder rsyncd serves, a link to the present tree. */
export const treeLink = 'repository';
/** Message of the thread once the tree is in place. */
export const treeMade = 'the tree is made';
/** Files by their content; trees are made of links to them. */
export const storeFolder = 'objects';

/**
 * Makes a whole new tree of the present files and switches to it: running downloads continue in the previous one (domain rule: a tree never changes).
 * Files have their own times, so that two trees differ only in what changed. Returns the serial of the tree; null before the first publication.
 */
export async function switchTree({ db, folder, rsyncBase, now }: Options): Promise<number | null> {
  const session = await currentSession(db.read);
  if (!session) return null;
  const nameOf = ({ sessionId, serial }: Version): string => `tree-${sessionId.slice(0, 8)}-${serial}`;
  if ((await fs.readlink(path.join(folder, treeLink)).catch(() => null)) === nameOf(session)) return session.serial;
  const store = path.join(folder, storeFolder);
  await fs.mkdir(store, { recursive: true });
  const stored = new Set(await fs.readdir(store));
  let files = await listFiles(db.read);
  // Publications go on meanwhile: a file whose bytes have changed since it was listed is listed again.
  while (!(await storeMissing(db.read, { files, store, stored }))) files = await listFiles(db.read);
  const [version] = files;
  if (!version) return null;
  const tree = nameOf(version);
  const order: TreeOrder = {
    folder,
    tree,
    files: files.map(({ uri, sha256, modifiedAt }) => ({ path: uri.slice(rsyncBase.length), sha256, modifiedAt: Date.parse(modifiedAt) })),
    now: now.getTime(),
  };
  const thread = new Worker(new URL('./rsync-tree-thread.ts', import.meta.url), {
    workerData: order,
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  try {
    // Under `--watch` Node sends messages of its own through the same port.
    let isMade = false;
    for await (const [message] of on(thread, 'message', { close: ['exit'] })) {
      isMade = message === treeMade;
      if (isMade) break;
    }
    if (!isMade) throw new Error('The thread that makes the tree for rsync ended before it was made.');
  } finally {
    await thread.terminate();
  }
  return version.serial;
}

type Version = { sessionId: string; serial: number };
type ListedFile = Version & { uri: string; sha256: string; modifiedAt: string };

/** Every published file, with the version that they are of together. */
const listFiles = (read: Pick<Read, 'rows'>): Promise<ListedFile[]> =>
  read.rows<ListedFile>(sql`select o.uri, encode(o.sha256, 'hex') as sha256, o.modified_at, s.session_id, s.serial
    from rpki_object o cross join rrdp_session s where s.ended_at is null order by o.uri`);

/** Writes the files that are not stored yet; false when one of them is no longer as it was listed. */
async function storeMissing(
  read: Pick<Read, 'rows'>,
  { files, store, stored }: { files: readonly ListedFile[]; store: string; stored: Set<string> },
): Promise<boolean> {
  const missing = files.filter(({ sha256 }) => !stored.has(sha256));
  for (let at = 0; at < missing.length; at += 200) {
    const uris = missing.slice(at, at + 200).map(({ uri }) => uri);
    const rows = await read.rows<{ sha256: string; content: Buffer; modifiedAt: string }>(
      sql`select encode(sha256, 'hex') as sha256, content, modified_at from rpki_object where uri = any(${uris}::text[])`,
    );
    for (const { sha256, content, modifiedAt } of rows) {
      await writeStored(path.join(store, sha256), content, new Date(modifiedAt));
      stored.add(sha256);
    }
  }
  return missing.every(({ sha256 }) => stored.has(sha256));
}

async function writeStored(file: string, content: Buffer, modifiedAt: Date): Promise<void> {
  await fs.writeFile(`${file}.new`, content, { mode: 0o644 });
  await fs.utimes(`${file}.new`, modifiedAt, modifiedAt);
  await fs.rename(`${file}.new`, file);
}
