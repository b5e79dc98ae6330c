import { Draft, type Stub } from './draft.ts';
import { camel, pascal } from './names.ts';
import { importing, insertAtEnd } from './source-text.ts';
import { declarationOf } from './words.ts';

/** Files that each module has: one of these names gets a file of its own for its functions. */
const filesOfModules = ['module', 'routes', 'activity-words'];

/** A domain: its folders in the contract and in the server, and its line in both lists. */
export const module: Stub = async (root, [name = '']) => {
  if (!/^[a-z][a-z-]*$/.test(name) || name === 'index') throw new Error('Name it like billing.');
  const draft = new Draft(root);
  const group = camel(name);
  const routes = `${group}Routes`;
  const get = `get${pascal(name)}`;
  const contract = `packages/contract/src/${name}`;
  const folder = `apps/server/src/modules/${name}`;
  const functions = filesOfModules.includes(name) ? `${name}-view` : name;
  draft.create(
    `${contract}/${name}.ts`,
    `import * as z from 'zod/mini';
import { contact, endpoint, group } from '../endpoint.ts';

export const ${group} = group('${group}', {
  ${get}: endpoint({
    method: 'GET',
    path: '/api/:account/${name}',
    summary: 'What the account sees of ${name}.',
    access: contact,
    answer: z.object({ accountName: z.string() }),
  }),
});
`,
  );
  draft.create(`${contract}/index.ts`, `export * from './${name}.ts';\n`);
  await draft.change('packages/contract/src/api.ts', text =>
    importing(insertAtEnd(text, 'export const contract = {', `  ...${group},`), [`* as ${group}`], `./${name}/index.ts`),
  );
  draft.create(
    `${folder}/${functions}.ts`,
    `import type { ${group} } from '@portal/contract/${name}/${name}';
import type { Act } from '../../platform/http/endpoints.ts';

/** Returns what the account sees of ${name}. */
export const ${get} = ({ account: { accountName } }: Act<typeof ${group}.${get}>): Promise<{ accountName: string }> =>
  Promise.resolve({ accountName });
`,
  );
  draft.create(
    `${folder}/routes.ts`,
    `import { ${group} } from '@portal/contract/${name}/${name}';
import { type Implementation, implement } from '../../platform/http/endpoints.ts';
import { ${get} } from './${functions}.ts';

export const ${routes}: readonly Implementation[] = [
  implement(${group}, {
    ${get},
  }),
];
`,
  );
  draft.create(`${folder}/index.ts`, `export { ${group}Module } from './module.ts';\n`);
  draft.create(
    `${folder}/module.ts`,
    `import type { Module } from '../../platform/module.ts';
import { ${group}Words } from './activity-words.ts';
import { ${routes} } from './routes.ts';

export const ${group}Module: Module = {
  name: '${name}',
  routes: () => ${routes},
  words: ${group}Words,
};
`,
  );
  draft.create(
    `${folder}/activity-words.ts`,
    `import type { ${group} } from '@portal/contract/${name}/${name}';
import type { ModuleWords } from '../../platform/activity-words.ts';

/** Words of the activity log for this module. */
export const ${group}Words = {
  activities: {
    ${group}: { category: 'account', actions: {} },
  },
} satisfies ModuleWords<{ ${group}: typeof ${group} }>;
${declarationOf(name)}`,
  );
  draft.create(`${folder}/README.md`, `# ${name}\n\nTerms, states and rules, each with its source.\n`);
  await draft.change('apps/server/src/modules.ts', text =>
    importing(insertAtEnd(text, 'modules: readonly Module[] = [', `  ${group}Module,`), [`${group}Module`], `./modules/${name}/index.ts`),
  );
  return draft.write([
    `move ${group}Module to its place in apps/server/src/modules.ts: it may import the modules before it`,
    `write ${contract}/${name}.ts, then the functions of ${folder}`,
    `say its terms, states and rules in ${folder}/README.md`,
    'npm run docs, then npm run check',
  ]);
};
