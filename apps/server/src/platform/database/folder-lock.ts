import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

interface Holder {
  pid: number;
  /** When that process started, as the operating system prints it; empty if unknown. */
  startedAt: string;
}

/** The folder is locked by another process, or was opened twice in this one. */
export class FolderInUse extends Error {
  pid: number;
  constructor(folder: string, pid: number, what = 'The embedded database') {
    super(`${what} ${folder} is in use by process ${pid}; stop that process first.`);
    this.pid = pid;
  }
}

const held = new Set<string>();

process.once('exit', () => {
  for (const file of held) fs.rmSync(file, { force: true });
});

/** Returns when a process started, so that a reused pid is not mistaken for the lock's holder; null if there is no such process. */
function startOf(pid: number): string | null {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return null;
  }
  if (process.platform === 'linux') {
    try {
      const boot = fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
      const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
      // The command name may contain spaces and parentheses; the fields after the last parenthesis don't. A zombie holds no lock any more.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (fields[0] === 'Z' || fields[0] === 'X') return null;
      return `${boot} ${fields[19]}`;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'ENOENT' && fs.existsSync('/proc/self/stat') ? null : '';
    }
  }
  if (process.platform === 'win32') return '';
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || null;
  } catch {
    return '';
  }
}

function readHolder(file: string): Holder | null {
  try {
    const holder = JSON.parse(fs.readFileSync(file, 'utf8')) as Holder;
    return Number.isInteger(holder.pid) && holder.pid > 0 ? holder : null;
  } catch {
    return null;
  }
}

function isAlive({ pid, startedAt }: Holder): boolean {
  const start = startOf(pid);
  if (start === null) return false;
  return start === '' || startedAt === '' || start === startedAt;
}

/** Creates the lock with its content in one step, so that a half-written lock is never read; false if there is one already. */
function create(file: string, holder: Holder): boolean {
  const draft = `${file}.${holder.pid}`;
  fs.writeFileSync(draft, `${JSON.stringify(holder)}\n`);
  try {
    fs.linkSync(draft, file);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOSYS') throw error;
    try {
      fs.writeFileSync(file, `${JSON.stringify(holder)}\n`, { flag: 'wx' });
      return true;
    } catch (second) {
      if ((second as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw second;
    }
  } finally {
    fs.rmSync(draft, { force: true });
  }
}

/**
 * Locks a folder that only one process may write (an embedded database's, unless `what` says otherwise): the file `<folder>.lock` beside it holds the pid and start time of the process.
 * PGlite has no lock of its own, and two processes in one folder corrupt it silently. The lock of a dead process is replaced.
 * Returns the release. Throws FolderInUse, one sentence naming the process that has the folder.
 * Processes in different containers do not see each other: give each its own folder, or use PostgreSQL.
 */
export function lockFolder(folder: string, what?: string): () => void {
  fs.mkdirSync(path.dirname(folder), { recursive: true });
  const file = `${folder}.lock`;
  const self = { pid: process.pid, startedAt: startOf(process.pid) ?? '' };
  for (let attempt = 0; attempt < 5; attempt++) {
    if (create(file, self)) {
      held.add(file);
      return () => {
        if (held.delete(file)) fs.rmSync(file, { force: true });
      };
    }
    const holder = readHolder(file);
    if (holder && isAlive(holder)) throw new FolderInUse(folder, holder.pid, what);
    takeAway(file, holder);
  }
  throw new Error(`The lock ${file} keeps changing hands; is another program starting on the same folder?`);
}

/** Removes a stale lock, and puts it back if another process was quicker and it wasn't stale any more. */
function takeAway(file: string, stale: Holder | null): void {
  const aside = `${file}.stale.${process.pid}`;
  try {
    fs.renameSync(file, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  const taken = readHolder(aside);
  if (taken && (taken.pid !== stale?.pid || taken.startedAt !== stale.startedAt)) {
    try {
      fs.linkSync(aside, file);
    } catch {
      // A third process holds the lock by now, and the one whose lock was moved finds its file gone at release: nothing to repair.
    }
  }
  fs.rmSync(aside, { force: true });
}
