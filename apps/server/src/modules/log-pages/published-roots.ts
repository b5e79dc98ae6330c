import { sql } from 'kysely';
import { type LogRoot, logRootColumns, type Read, rootLine } from '../../platform/database/index.ts';

/** Roots of one file at most: those of a century. `after` continues it. */
export const ROOTS_OF_FILE = 40_000;

/** Returns the published roots after the one with this number, oldest first. */
export const rootsAfter = (read: Read, after: number): Promise<LogRoot[]> =>
  read.rows<LogRoot>(sql`select ${sql.raw(logRootColumns)} from log_root where root_id > ${after} order by root_id limit ${ROOTS_OF_FILE}`);

/** Returns the newest published roots, newest first. */
export const newestRoots = (read: Read, most: number): Promise<LogRoot[]> =>
  read.rows<LogRoot>(sql`select ${sql.raw(logRootColumns)} from log_root order by root_id desc limit ${most}`);

/** The roots as a file for scripts: a line each, its columns divided by blanks. */
export const rootsText = (roots: readonly LogRoot[]): string =>
  `# root day first-line last-line hash seal link\n${roots.map(root => `${rootLine(root)} ${root.link}\n`).join('')}${
    roots.length === ROOTS_OF_FILE ? `# continues: /log/roots.txt?after=${roots.at(-1)!.rootId}\n` : ''
  }`;
