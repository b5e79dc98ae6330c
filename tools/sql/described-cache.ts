import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { migrate, openDatabase } from '../../apps/server/src/platform/database/index.ts';
import { projectFiles } from '../project-files.ts';
import { root } from '../root.ts';
import { type Described, describeStatements } from './describe.ts';

const file = path.join(root, 'node_modules/.cache/sql/described.json');
type Kept = { made: string; described: [string, Described][] };

/** Changes with the migrations, with the libraries, and with the programs that describe statements. */
async function fingerprint(): Promise<string> {
  const hash = createHash('sha256').update(await readFile(path.join(root, 'package-lock.json')));
  const parts =
    /^(apps\/server\/db\/migrations\/.*\.sql|tools\/sql\/(?!.*test).*\.ts|apps\/server\/src\/platform\/database\/(column-values|table-types|lite-worker)\.ts)$/;
  for (const part of await projectFiles(parts)) hash.update(`${part.path} ${part.text}`);
  return hash.digest('hex');
}

/** Returns what a database with all migrations says of each statement. What an earlier run found is kept, so that without a new text no database is made. */
export async function describedStatements(texts: readonly string[]): Promise<ReadonlyMap<string, Described>> {
  const made = await fingerprint();
  const kept = JSON.parse(await readFile(file, 'utf8').catch(() => '{}')) as Partial<Kept>;
  const known = new Map(kept.made === made ? kept.described : []);
  const missing = texts.filter(text => !known.has(text));
  if (missing.length > 0) {
    const database = await openDatabase({ url: 'memory://' });
    try {
      await migrate(database);
      for (const [text, found] of await describeStatements(database, missing)) known.set(text, found);
    } finally {
      await database.close();
    }
  }
  const described = new Map(texts.map(text => [text, known.get(text)!]));
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify({ made, described: [...described] } satisfies Kept));
  return described;
}
