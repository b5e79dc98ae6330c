import fs from 'node:fs';

/**
 * Links a file of a tree to its content among the stored files. A file system lets only so many names have one content (ext4: 65,000), and a member may publish 20,000 files of the
 * same bytes in each of several trees: then the stored file is replaced by a copy of the same time, and the trees of before keep the one they have.
 */
export function linkStored(stored: string, file: string, link: (from: string, to: string) => void = fs.linkSync): void {
  try {
    link(stored, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EMLINK') throw error;
    const { atimeMs, mtimeMs } = fs.statSync(stored);
    const copy = `${stored}.new`;
    fs.copyFileSync(stored, copy);
    fs.utimesSync(copy, atimeMs / 1000, mtimeMs / 1000);
    fs.renameSync(copy, stored);
    link(stored, file);
  }
}
