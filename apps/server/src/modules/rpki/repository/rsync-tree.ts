import type { LeftOutFile } from '../publisher-rounds.ts';
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
  files: { path: string; sha256: string; modifiedAt: number; isOfMember: boolean }[];
  now: number;
};

/** The folder rsyncd serves, a link to the present tree. */
export const treeLink = 'repository';
/** Message of the thread once the tree is in place, with the skipped files. */
export const treeMade = 'the tree is made';
export type TreeMade = { message: typeof treeMade; leftOut: { path: string; problem: string }[] };

/**
 * Returns the problem in words if it is about this one file: its name, or something in its place; null if it affects all of them, such as a full disk.
 */
export function problemOfFile(error: unknown): string | null {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENAMETOOLONG') return 'its name is too long for the file system';
  if (code === 'ENOTDIR' || code === 'EISDIR' || code === 'EEXIST') return 'a file and a folder have the same name';
  if (code === 'EACCES' || code === 'EPERM' || code === 'ENOENT') return 'its file can’t be written';
  return code === 'EINVAL' || code === 'EILSEQ' ? 'the file system doesn’t take its name' : null;
}
/** Files by content; trees consist of links to them. */
export const storeFolder = 'objects';

/**
 * Makes a whole new tree of the present files and switches to it: running downloads continue in the previous one, which never changes. Files keep
 * their times, so that two trees differ only in changed files. Members' files that the file system refuses are skipped. Returns the serial of the
 * tree and the missing files (null if the tree already existed); null before the first publication.
 */
export async function switchTree({
  db,
  folder,
  rsyncBase,
  now,
}: Options): Promise<{ serial: number; leftOut: LeftOutFile[] | null } | null> {
  const session = await currentSession(db.read);
  if (!session) return null;
  const nameOf = ({ sessionId, serial }: Version): string => `tree-${sessionId.slice(0, 8)}-${serial}`;
  if ((await fs.readlink(path.join(folder, treeLink)).catch(() => null)) === nameOf(session))
    return { serial: session.serial, leftOut: null };
  const store = path.join(folder, storeFolder);
  await fs.mkdir(store, { recursive: true });
  const stored = new Set(await fs.readdir(store));
  const unwritten = new Map<string, string>();
  let files = await listFiles(db.read);
  // Publications continue meanwhile: a file that has changed since it was listed is listed again.
  while (!(await storeMissing(db.read, { files, store, stored, unwritten }))) files = await listFiles(db.read);
  const [version] = files;
  if (!version) return null;
  const tree = nameOf(version);
  const order: TreeOrder = {
    folder,
    tree,
    files: files.flatMap(({ uri, sha256, modifiedAt, accountName }) =>
      unwritten.has(uri)
        ? []
        : [{ path: uri.slice(rsyncBase.length), sha256, modifiedAt: Date.parse(modifiedAt), isOfMember: accountName !== null }],
    ),
    now: now.getTime(),
  };
  const thread = new Worker(new URL('./rsync-tree-thread.ts', import.meta.url), {
    workerData: order,
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  try {
    // Under `--watch` Node sends messages of its own through the same port.
    let made: TreeMade | null = null;
    for await (const [message] of on(thread, 'message', { close: ['exit'] })) {
      made = (message as TreeMade | null)?.message === treeMade ? (message as TreeMade) : null;
      if (made) break;
    }
    if (!made) throw new Error('The thread that makes the tree for rsync ended before it was made.');
    const problems = new Map([...unwritten, ...made.leftOut.map(({ path: name, problem }) => [`${rsyncBase}${name}`, problem] as const)]);
    const leftOut = files.flatMap(({ uri, accountName }) =>
      problems.has(uri) && accountName !== null ? [{ accountName, uri, problem: problems.get(uri)! }] : [],
    );
    return { serial: version.serial, leftOut };
  } finally {
    await thread.terminate();
  }
}

type Version = { sessionId: string; serial: number };
/** `accountName`: null for files of the registry's own. */
type ListedFile = Version & { uri: string; sha256: string; modifiedAt: string; accountName: string | null };

/** Every published file, with their common version. */
const listFiles = (read: Pick<Read, 'rows'>): Promise<ListedFile[]> =>
  read.rows<ListedFile>(sql`select o.uri, encode(o.sha256, 'hex') as sha256, o.modified_at, s.session_id, s.serial, coalesce(d.account_name, c.account_name) as account_name
    from rpki_object o cross join rrdp_session s left join rpki_child d using (child_id) left join rpki_key k using (key_id) left join rpki_ca c using (ca_id)
    where s.ended_at is null order by o.uri`);

/**
 * Writes the files that aren't stored yet; false if one of them has changed since it was listed. @param unwritten collects members' files that can't
 * be written, with the reason
 */
async function storeMissing(
  read: Pick<Read, 'rows'>,
  { files, store, stored, unwritten }: { files: readonly ListedFile[]; store: string; stored: Set<string>; unwritten: Map<string, string> },
): Promise<boolean> {
  const missing = files.filter(({ sha256, uri }) => !stored.has(sha256) && !unwritten.has(uri));
  for (let at = 0; at < missing.length; at += 200) {
    const uris = missing.slice(at, at + 200).map(({ uri }) => uri);
    const ofMembers = new Set(missing.slice(at, at + 200).flatMap(({ uri, accountName }) => (accountName === null ? [] : uri)));
    const rows = await read.rows<{ uri: string; sha256: string; content: Buffer; modifiedAt: string }>(
      sql`select uri, encode(sha256, 'hex') as sha256, content, modified_at from rpki_object where uri = any(${uris}::text[])`,
    );
    for (const { uri, sha256, content, modifiedAt } of rows)
      try {
        await writeStored(path.join(store, sha256), content, new Date(modifiedAt));
        stored.add(sha256);
      } catch (error) {
        const problem = ofMembers.has(uri) ? problemOfFile(error) : null;
        if (problem === null) throw error;
        unwritten.set(uri, problem);
      }
  }
  return missing.every(({ sha256, uri }) => stored.has(sha256) || unwritten.has(uri));
}

async function writeStored(file: string, content: Buffer, modifiedAt: Date): Promise<void> {
  await fs.writeFile(`${file}.new`, content, { mode: 0o644 });
  await fs.utimes(`${file}.new`, modifiedAt, modifiedAt);
  await fs.rename(`${file}.new`, file);
}
