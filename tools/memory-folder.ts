import fs from 'node:fs';
import os from 'node:os';

const memory = '/dev/shm';

/** For the databases and files of stories: a few dozen registries of 80 MB, of which each process of stories has some at a time. */
export const ROOM_FOR_STORIES = 6 * 2 ** 30;

/**
 * Returns the parent folder for what a run writes and deletes again: a file system in memory, where the machine has one with room. What a database or a browser
 * writes there waits for no disk, which on a machine that others use as well takes seconds now and then.
 * @param room bytes that have to be free there, and in memory altogether
 */
export function quickParent(room: number): string {
  if (!fs.existsSync(memory) || isWithoutPrograms(memory)) return os.tmpdir();
  const { bavail, bsize } = fs.statfsSync(memory);
  return Math.min(bavail * bsize, os.freemem()) > room ? memory : os.tmpdir();
}

/** Returns whether programs can't be started from a file system. */
const isWithoutPrograms = (folder: string): boolean =>
  fs
    .readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .some(line => line.split(' ')[1] === folder && line.split(' ')[3]!.split(',').includes('noexec'));
