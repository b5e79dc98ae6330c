import path from 'node:path';
import { Draft, type Stub } from './draft.ts';
import { camel, kebab, namesOf } from './names.ts';
import { importing, insertAtEnd } from './source-text.ts';
import { wording } from './words.ts';

const isReading = (name: string): boolean => /^(get|list|find|export|preview)[A-Z]/.test(name);

/** A contract entry, its line where the group is implemented, its domain function and a test that fails until it is written. */
export const endpoint: Stub = async (root, [name]) => {
  const { module, file, verbNoun } = namesOf(name, 'contacts.removeContact');
  const draft = new Draft(root);
  const contract = `packages/contract/src/${module}/${file}.ts`;
  const id = module === file ? camel(module) : `${camel(module)}.${camel(file)}`;
  const opening = new RegExp(`export const (\\w+) = group\\('${id}', \\{`).exec(await draft.read(contract));
  if (!opening) throw new Error(`${contract} has no group('${id}', …).`);
  const group = opening[1]!;
  const routes = await routesOf(draft, module, group);
  const folder = path.posix.dirname(routes);
  const platform = path.posix.relative(folder, 'apps/server/src/platform');
  const reading = isReading(verbNoun);
  const handed = reading ? 'read' : 'change';
  const noun = `${folder}/${kebab(verbNoun.replace(/^[a-z]+/, '')).replace(/^-/, '')}.ts`;

  await draft.change(contract, text =>
    importing(
      insertAtEnd(
        text,
        opening[0],
        `  ${verbNoun}: endpoint({
    method: '${reading ? 'GET' : 'POST'}',
    path: '/api/:account/${kebab(verbNoun)}',
    summary: 'What ${verbNoun} does, in one sentence.',
    access: contact,
    answer: z.object({ accountName: z.string() }),${reading ? '' : `\n    // The strictest, until its own is named here.\n    effect: 'control',\n    activity: 'What ${verbNoun} leaves in the activity log',`}
  }),`,
      ),
      ['contact', 'endpoint'],
      '../endpoint.ts',
    ),
  );
  await draft.change(contract, text => (/^import \* as z from/m.test(text) ? text : `import * as z from 'zod/mini';\n${text}`));
  await draft.change(routes, text => {
    const [opening] = implementing(group).exec(text)!;
    const entered = insertAtEnd(text, opening, `    ${verbNoun},`);
    return noun === routes ? entered : importing(entered, [verbNoun], `./${path.posix.basename(noun)}`);
  });
  const body = `
/** The rule of ${verbNoun} in the member's terms, and its source. */
${noun === routes ? '' : 'export '}async function ${verbNoun}({ ${handed}, account: { accountName } }: Act<typeof ${group}.${verbNoun}>): Promise<{ accountName: string }> {
${
  reading
    ? `  const [row] = await read.rows<{ accountName: string }>(sql\`select \${accountName}::text as account_name\`);\n  return row!;`
    : `  await change.note({ account: accountName });\n  return { accountName };`
}
}
`;
  if (!draft.exists(noun)) draft.create(noun, '');
  await draft.change(noun, text => {
    if (new RegExp(`\\b${verbNoun}\\(`).test(text) && noun !== routes) throw new Error(`${noun} has ${verbNoun} already.`);
    const typed = importing(
      importing(text, [`type ${group}`], `@portal/contract/${module}/${file}`),
      ['type Act'],
      `${platform}/http/endpoints.ts`,
    );
    return (reading ? importing(typed, ['sql'], 'kysely') : typed) + body;
  });
  if (!reading) await wording(draft, `${id}.${verbNoun}`);
  draft.create(
    `${folder}/${kebab(verbNoun)}.test.ts`,
    `import { api } from '@portal/contract/api';
import { expect, test } from 'vitest';
import { testPortal } from '${path.posix.relative(folder, 'apps/server/test/portal.ts')}';

test('what ${verbNoun} means for the member', async () => {
  await using portal = await testPortal();
  const corin = await portal.as('corin');

  expect(await corin(api.${group}.${verbNoun}, { account: 'EXAMPLE-AU' })).toMatchObject({ status: 204 });
});
`,
  );
  return draft.write([
    `say in ${contract} who may call it, what goes in and out, and which refusals to expect`,
    `write ${verbNoun} in ${noun}: ${reading ? 'read only what the caller may see' : 'lock, check, refuse, write, note'}`,
    ...(reading ? [] : [`write in ${folder}/activity-words.ts what the activity log calls it`]),
    'make its test say what it means for the member, and add one for each refusal',
    'npm run docs, then npm run check',
  ]);
};

/** Where the functions of a group are named; those of a group with cases stand on a line of their own. */
const implementing = (group: string): RegExp => new RegExp(`implement\\(\\s*${group},\\s*\\{`);

/** The file of the module that implements the group. */
async function routesOf(draft: Draft, module: string, group: string): Promise<string> {
  const folder = `apps/server/src/modules/${module}`;
  for (const file of (await draft.below(folder)).filter(name => /(?<!\.test)\.ts$/.test(name)))
    if (implementing(group).test(await draft.read(file))) return file;
  throw new Error(`No file of ${folder} has implement(${group}, { … }).`);
}
