import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** What was written, from the root, and what is left to do by hand. */
type Written = { files: string[]; next: string[] };

const kebab = (name: string): string => name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
const camel = (name: string): string => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
const pascal = (name: string): string => camel(name).replace(/^./, letter => letter.toUpperCase());
const singular = (name: string): string => name.replace(/s$/, '');
const isReading = (name: string): boolean => /^(get|list|find|export|preview)[A-Z]/.test(name);

/** The files of one call of `npm run new`: read, changed in memory, written together at the end. */
class Draft {
  readonly root: string;
  readonly texts = new Map<string, string>();
  constructor(root: string) {
    this.root = root;
  }
  exists(file: string): boolean {
    return this.texts.has(file) || existsSync(path.join(this.root, file));
  }
  async read(file: string): Promise<string> {
    if (!this.exists(file)) throw new Error(`${file} does not exist.`);
    return this.texts.get(file) ?? readFile(path.join(this.root, file), 'utf8');
  }
  create(file: string, text: string): void {
    if (this.exists(file)) throw new Error(`${file} is there already.`);
    this.texts.set(file, text);
  }
  async change(file: string, change: (text: string) => string): Promise<void> {
    this.texts.set(file, change(await this.read(file)));
  }
  async write(next: string[]): Promise<Written> {
    for (const [file, text] of this.texts) {
      const place = path.join(this.root, file);
      await mkdir(path.dirname(place), { recursive: true });
      await writeFile(place, text);
    }
    return { files: [...this.texts.keys()], next };
  }
}

/** Puts text before the bracket that closes the one `opening` ends with. */
export function insertAtEnd(text: string, opening: string, addition: string): string {
  const start = text.indexOf(opening);
  if (start < 0) throw new Error(`"${opening}" was not found.`);
  const pairs: Record<string, string> = { '{': '}', '[': ']', '(': ')' };
  const open = opening.at(-1)!;
  const close = pairs[open];
  if (!close) throw new Error(`"${opening}" does not end in a bracket.`);
  let depth = 1;
  let quote = '';
  for (let place = start + opening.length; place < text.length; place++) {
    const letter = text[place]!;
    if (quote !== '') {
      if (letter === '\\') place++;
      else if (letter === quote) quote = '';
    } else if (letter === "'" || letter === '"' || letter === '`') quote = letter;
    else if (letter === '/' && text[place + 1] === '/') place = text.indexOf('\n', place);
    else if (letter === '/' && text[place + 1] === '*') place = text.indexOf('*/', place) + 1;
    else if (letter === open) depth++;
    else if (letter === close && --depth === 0) {
      const before = text.slice(0, place).trimEnd();
      const comma = before.endsWith(',') || before.endsWith(open) ? '' : ',';
      const indent =
        text.slice(text.lastIndexOf('\n', place) + 1, place).trim() === '' ? text.slice(text.lastIndexOf('\n', place) + 1, place) : '';
      return `${before}${comma}\n${addition}\n${indent}${text.slice(place)}`;
    }
  }
  throw new Error(`What "${opening}" opens is not closed.`);
}

/** Adds names to the `import { … } from` of a source, or the import itself above all others. */
export function importing(text: string, names: readonly string[], from: string): string {
  const statement = new RegExp(`import \\{([^}]*)\\} from '${from.replaceAll('.', '\\.')}';`).exec(text);
  if (!statement) return `import { ${names.join(', ')} } from '${from}';\n${text}`;
  const present = statement[1]!
    .split(',')
    .map(name => name.trim())
    .filter(Boolean);
  const all = [...new Set([...present, ...names])];
  return text.replace(statement[0], `import { ${all.join(', ')} } from '${from}';`);
}

function twoNames(name: string | undefined, example: string): [string, string] {
  const match = /^([a-z][a-z-]*)\.([a-z]+[A-Z]\w*)$/.exec(name ?? '');
  if (!match) throw new Error(`Name it like ${example}.`);
  return [match[1]!, match[2]!];
}

/** A contract entry, its line in routes.ts, its domain function and a test that fails until it is written. */
async function endpoint(root: string, [name]: readonly string[]): Promise<Written> {
  const [domain, verbNoun] = twoNames(name, 'contacts.removeContact');
  const draft = new Draft(root);
  const folder = `apps/server/src/modules/${domain}`;
  const group = camel(domain);
  const reading = isReading(verbNoun);
  const handed = reading ? 'read' : 'change';
  const contract = `packages/contract/src/${domain}/${domain}.ts`;
  const noun = `${folder}/${kebab(verbNoun.replace(/^[a-z]+/, '')).replace(/^-/, '')}.ts`;

  await draft.change(contract, text =>
    importing(
      insertAtEnd(
        text,
        `export const ${group} = group('${group}', {`,
        `  ${verbNoun}: endpoint({
    method: '${reading ? 'GET' : 'POST'}',
    path: '/api/:account/${kebab(verbNoun)}',
    summary: 'What ${verbNoun} does, in one sentence.',
    access: contact,
    answer: z.object({ accountName: z.string() }),${reading ? '' : `\n    activity: 'What ${verbNoun} leaves in the activity log',`}
  }),`,
      ),
      ['contact', 'endpoint'],
      '../endpoint.ts',
    ),
  );
  await draft.change(`${folder}/routes.ts`, text =>
    importing(
      insertAtEnd(text, `implement(${group}, {`, `    ${verbNoun}: ({ ${handed}, account }) => ${verbNoun}(${handed}, account),`),
      [verbNoun],
      `./${path.posix.basename(noun)}`,
    ),
  );
  const type = reading ? 'Read' : 'Change';
  const body = `
/** The rule of ${verbNoun} in the member's terms, and its source. */
export async function ${verbNoun}(${handed}: ${type}, account: AdmittedAccount): Promise<{ accountName: string }> {
  return ${handed}.selectFrom('account').select('accountName').where('accountName', '=', account.accountName).executeTakeFirstOrThrow();
}
`;
  if (draft.exists(noun)) {
    await draft.change(noun, text => {
      const withType = text.includes('AdmittedAccount')
        ? text
        : `import type { AdmittedAccount } from '../../platform/endpoints.ts';\n${text}`;
      const hasType = new RegExp(`import .*\\b${type}\\b.* from '../../platform/database/index.ts'`).test(withType);
      return (hasType ? withType : `import type { ${type} } from '../../platform/database/index.ts';\n${withType}`) + body;
    });
  } else {
    draft.create(
      noun,
      `import type { ${type} } from '../../platform/database/index.ts';\nimport type { AdmittedAccount } from '../../platform/endpoints.ts';\n${body}`,
    );
  }
  draft.create(
    `${folder}/${kebab(verbNoun)}.test.ts`,
    `import { api } from '@portal/contract/api';
import { expect, test } from 'vitest';
import { testPortal } from '../../../test/portal.ts';

test('what ${verbNoun} means for the member', async () => {
  await using portal = await testPortal();
  const corin = await portal.as('corin');

  expect(await corin(api.${group}.${verbNoun}, { account: 'EXAMPLE-AU' })).toMatchObject({ status: 204 });
});
`,
  );
  return draft.write([
    `say in ${contract} who may call it, what goes in and out, and which refusals to expect`,
    `write ${verbNoun} in ${noun}: lock, check, refuse, write, note`,
    'make its test say what it means for the member, and add one for each refusal',
    'npm run docs, then npm run check',
  ]);
}

/** The view of a page that stands in the site map. */
async function page(root: string, [name = '', folder = '']: readonly string[]): Promise<Written> {
  const draft = new Draft(root);
  const siteMap = 'packages/contract/src/pages.ts';
  const row = new RegExp(`\\n  ${name}: (portal|framed)\\(\\{[\\s\\S]*?\\}\\),`).exec(await draft.read(siteMap));
  if (!/^\w+$/.test(name) || !row)
    throw new Error(`${siteMap} has no row "${name}". Write the row first: path, title, access, place in the navigation.`);
  if (!/^[a-z][a-z-]*$/.test(folder)) throw new Error(`Name the folder of its domain too: npm run new page ${name} contacts.`);
  const app = row[1] === 'portal' ? 'portal' : 'resource-manager';
  const title = /title: '((?:[^'\\]|\\.)*)'/.exec(row[0])?.[1] ?? pascal(name);
  const component = `${pascal(name)}Page`;
  const views = `apps/${app}/src/views.ts`;

  await draft.change(siteMap, text => text.replace(row[0], row[0].replace('built: false', 'built: true')));
  draft.create(
    `apps/${app}/src/${folder}/${component}.tsx`,
    `import { Page } from '@portal/app-kit';

export default function ${component}() {
  return <Page title="${title}" />;
}
`,
  );
  await draft.change(views, text => {
    const opening = /const (?:views|loaders)\b[^=]*= \{/.exec(text);
    if (!opening) throw new Error(`${views} has no list of views.`);
    return insertAtEnd(text, opening[0], `  ${name}: () => import('./${folder}/${component}.tsx'),`);
  });
  return draft.write([
    `write apps/${app}/src/${folder}/${component}.tsx: useAnswer reads, useChange changes, useRefusal explains`,
    'lower the number in tools/docs/pages.test.ts if the page was not built before',
    'npm run docs, then npm run check and npm run e2e',
  ]);
}

/** Adds a task type to the declaration of a module, with its list where there is none yet. */
const withTask = (text: string, verbNoun: string): string =>
  text.includes('  tasks: [')
    ? insertAtEnd(text, '  tasks: [', `    ${verbNoun},`)
    : insertAtEnd(text, 'Module: Module = {', `  tasks: [${verbNoun}],`);

/** A kind of background work and its place in the declaration of its module. */
async function task(root: string, [name]: readonly string[]): Promise<Written> {
  const [module, verbNoun] = twoNames(name, 'billing.issueInvoices');
  const draft = new Draft(root);
  const folder = `apps/server/src/modules/${module}`;
  const file = `${folder}/${kebab(verbNoun)}.ts`;
  draft.create(
    file,
    `import * as z from 'zod';
import { taskType } from '../../platform/tasks.ts';

/** What ${verbNoun} does. It may run twice: the second time must find its work done. */
export const ${verbNoun} = taskType({
  name: '${module}.${verbNoun}',
  summary: 'What members read in the list of tasks',
  input: z.object({ accountName: z.string() }),
  run: async ({ db, activity, input }) => {
    await db.change(activity, change => change.note(input));
  },
});
`,
  );
  const declaration = `${folder}/module.ts`;
  await draft.change(declaration, text => importing(withTask(text, verbNoun), [verbNoun], `./${kebab(verbNoun)}.ts`));
  return draft.write([
    `write run and the schema of its input in ${file}`,
    `enqueue it where it is wanted: await change.enqueue(${verbNoun}, { … })`,
    'write a test that runs it twice',
    'npm run docs, then npm run check',
  ]);
}

/** A domain: contract file, server folder, its line in modules.ts. */
async function module(root: string, [name = '']: readonly string[]): Promise<Written> {
  if (!/^[a-z][a-z-]*$/.test(name)) throw new Error('Name it like billing.');
  const draft = new Draft(root);
  const group = camel(name);
  const routes = `${singular(group)}Routes`;
  const folder = `apps/server/src/modules/${name}`;
  draft.create(
    `packages/contract/src/${name}/${name}.ts`,
    `import * as z from 'zod/mini';
import { contact, endpoint, group } from '../endpoint.ts';

export const ${group} = group('${group}', {
  get${pascal(name)}: endpoint({
    method: 'GET',
    path: '/api/:account/${name}',
    summary: 'What the account sees of ${name}.',
    access: contact,
    answer: z.object({ accountName: z.string() }),
  }),
});
`,
  );
  draft.create(`packages/contract/src/${name}/index.ts`, `export * from './${name}.ts';\n`);
  await draft.change('packages/contract/src/api.ts', text =>
    insertAtEnd(`import * as ${group} from './${name}/index.ts';\n${text}`, 'export const contract = {', `  ...${group},`),
  );
  draft.create(
    `${folder}/${name}.ts`,
    `import type { Read } from '../../platform/database/index.ts';
import type { AdmittedAccount } from '../../platform/endpoints.ts';

/** What the account sees of ${name}. */
export async function get${pascal(name)}(read: Read, account: AdmittedAccount): Promise<{ accountName: string }> {
  return read.selectFrom('account').select('accountName').where('accountName', '=', account.accountName).executeTakeFirstOrThrow();
}
`,
  );
  draft.create(
    `${folder}/routes.ts`,
    `import { ${group} } from '@portal/contract/${name}/${name}';
import { implement } from '../../platform/endpoints.ts';
import { get${pascal(name)} } from './${name}.ts';

export const ${routes} = implement(${group}, {
  get${pascal(name)}: ({ read, account }) => get${pascal(name)}(read, account),
});
`,
  );
  draft.create(`${folder}/index.ts`, `export { ${group}Module } from './module.ts';\n`);
  draft.create(
    `${folder}/module.ts`,
    `import type { Module } from '../../platform/module.ts';
import { ${routes} } from './routes.ts';

export const ${group}Module: Module = {
  name: '${name}',
  routes: () => [${routes}],
};
`,
  );
  draft.create(`${folder}/README.md`, `# ${name}\n\nTerms, states and rules, each with its source.\n`);
  await draft.change('apps/server/src/modules.ts', text =>
    importing(insertAtEnd(text, 'modules: readonly Module[] = [', `  ${group}Module,`), [`${group}Module`], `./modules/${name}/index.ts`),
  );
  return draft.write([
    `move ${group}Module to its place in apps/server/src/modules.ts: it may import the modules before it`,
    `write packages/contract/src/${name}/${name}.ts, then the functions of ${folder}`,
    `say its terms, states and rules in ${folder}/README.md`,
    'npm run docs, then npm run check',
  ]);
}

export const stubs = { endpoint, page, task, module };
