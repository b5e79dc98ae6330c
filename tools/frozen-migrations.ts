import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type ProjectFile, projectFiles } from './project-files.ts';
import { root } from './root.ts';

const list = 'apps/server/db/frozen-migrations.txt';

/**
 * Returns what is wrong with migrations compared to the list of frozen ones, one `sha256  file` a line: a frozen one that was edited or deleted. A
 * database somewhere has applied it, and would refuse to start with another text. An unlisted one is new and may still change; its number is higher than those of all
 * frozen ones, since such a database would refuse to apply it before them.
 */
export function frozenFindings(frozen: string, migrations: readonly ProjectFile[]): string[] {
  const texts = new Map(migrations.map(({ path: file, text }) => [path.posix.basename(file), text]));
  const hashes = new Map(
    frozen
      .split('\n')
      .filter(Boolean)
      .map(line => line.split('  ').toReversed() as [name: string, sha256: string]),
  );
  const last = [...hashes.keys()].toSorted().at(-1) ?? '';
  return [
    ...[...hashes].flatMap(([name, sha256]) => {
      const text = texts.get(name);
      if (text === undefined) return [`${list}: ${name} is frozen, and is not there any more`];
      return createHash('sha256').update(text).digest('hex') === sha256
        ? []
        : [`apps/server/db/migrations/${name} is frozen: put it back, and write the change as a new migration`];
    }),
    ...[...texts.keys()]
      .filter(name => !hashes.has(name) && name < last)
      .map(name => `apps/server/db/migrations/${name} is new: number it after ${last}, which databases have applied`),
  ];
}

export const checkFrozenMigrations = async (): Promise<string[]> =>
  frozenFindings(await readFile(path.join(root, list), 'utf8'), await projectFiles(/^apps\/server\/db\/migrations\/.*\.sql$/));
