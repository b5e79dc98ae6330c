import { readFileSync } from 'node:fs';

/** Open files, at least, for everything but connections of HTTP: databases, documents, threads, other servers. */
const OTHER_FILES = 256;
/** Connections, however few files may be open. */
const FEWEST = 64;

/** The limit of open files of this process; null where there is none, or the system doesn't say. */
function mostOpenFiles(): number | null {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1')) ?? [];
    return soft === undefined ? null : Number(soft);
  } catch {
    return null;
  }
}

/** Returns how many connections of HTTP a process takes at a time; null for any number. @param wanted the setting HTTP_CONNECTIONS, 0 for what the limit of open files leaves */
export function connectionLimit(wanted: number, openFiles: number | null = mostOpenFiles()): number | null {
  if (wanted > 0) return wanted;
  return openFiles === null ? null : Math.max(FEWEST, openFiles - OTHER_FILES);
}
