import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { Draft, type Stub } from './draft.ts';
import { camel, kebab } from './names.ts';
import { declaring } from './source-text.ts';
import { wordingOfRows } from './words.ts';

const migrations = 'apps/server/db/migrations';
const types = 'apps/server/src/platform/database';

/** A migration with one table, its owner's line, and the types of all tables written anew. */
export const table: Stub = async (root, [name = '']) => {
  const [, module, given] = /^([a-z][\w-]*)\.([a-z][\w-]*)$/.exec(name) ?? [];
  if (!module || !given) throw new Error('Name it like billing.invoice: the module, and one row in the singular.');
  const draft = new Draft(root);
  const row = kebab(given).replaceAll('-', '_');
  const last = (await draft.below(migrations)).map(file => Number(/(\d{4})_/.exec(file)?.[1] ?? 0)).reduce((a, b) => Math.max(a, b), 0);
  const file = `${migrations}/${String(last + 1).padStart(4, '0')}_${kebab(module).replaceAll('-', '_')}_${row}.sql`;
  draft.create(
    file,
    `-- What one ${row.replaceAll('_', ' ')} is, in a sentence.
create table ${row} (
  ${row}_id bigint generated always as identity primary key,
  account_name text not null references account,
  added_at timestamptz not null
);
create index on ${row} (account_name);
call keep_history('${row}');
`,
  );
  await draft.change(`apps/server/src/modules/${kebab(module)}/module.ts`, text =>
    declaring(text, 'tables', `'${camel(row.replaceAll('_', '-'))}'`),
  );
  const rowWords = await wordingOfRows(draft, kebab(module), row);
  const written = await draft.write([
    `write ${file}: every rule the database can hold, an index for every foreign key`,
    `say in ${rowWords} how its history is read, or why it is not`,
    'npm run docs, then npm run check',
  ]);
  await writeTables(root);
  return { ...written, files: [...written.files, `${types}/tables.ts`] };
};

/** Writes the types of the tables anew, from the migrations below a root. */
async function writeTables(root: string): Promise<void> {
  await promisify(execFile)(process.execPath, [path.join(root, types, 'write-tables.ts')]);
}
