import type { Draft } from './draft.ts';
import { camel, kebab } from './names.ts';
import { importing, insertAtEnd } from './source-text.ts';

/** Returns the lines that tell the compiler which activities of a module have words. */
export const declarationOf = (module: string): string => `
declare module '../../platform/activity-words.ts' {
  interface WordsOfModules {
    ${camel(module)}: typeof ${camel(module)}Words;
  }
}
`;

/** Finds the words of a module, or begins them and declares them in its `module.ts`. Returns their file. */
async function wordsOf(draft: Draft, module: string): Promise<string> {
  const folder = `apps/server/src/modules/${module}`;
  const file = `${folder}/activity-words.ts`;
  const name = `${camel(module)}Words`;
  if (draft.exists(file)) return file;
  draft.create(
    file,
    `import type { ModuleWords } from '../../platform/activity-words.ts';

/** Words of the activity log for this module. */
export const ${name} = {
  activities: {},
} satisfies ModuleWords;
${declarationOf(module)}`,
  );
  await draft.change(`${folder}/module.ts`, text =>
    importing(insertAtEnd(text, ': Module = {', `  words: ${name},`), [name], './activity-words.ts'),
  );
  return file;
}

const insertIn = (text: string, field: string, addition: string): string =>
  text.includes(`\n  ${field}: {`)
    ? insertAtEnd(text, `\n  ${field}: {`, `    ${addition}`)
    : insertAtEnd(text, 'Words = {', `  ${field}: { ${addition} },`);

/** Gives an activity its words: every action that the log can name has some. */
export async function wording(draft: Draft, id: string): Promise<void> {
  const part = id.slice(0, id.lastIndexOf('.'));
  const act = id.slice(part.length + 1);
  const key = part.includes('.') ? `'${part}'` : part;
  const words = `${act}: 'What ${act} is called, as in “Invite a contact”',`;
  await draft.change(await wordsOf(draft, kebab(part.split('.')[0]!)), text => {
    const opening = new RegExp(`\\n    ${key}: \\{[^{]*\\bactions: \\{`).exec(text)?.[0];
    return opening
      ? insertAtEnd(text, opening, `        ${words}`)
      : insertIn(text, 'activities', `${key}: { category: 'account', actions: { ${words} } },`);
  });
}

/** Says of a table with history why the log does not show its rows. Returns the file that says it. */
export async function wordingOfRows(draft: Draft, module: string, table: string): Promise<string> {
  const file = await wordsOf(draft, module);
  await draft.change(file, text => insertIn(text, 'unshown', `${table}: 'why its rows are not shown in the activity log',`));
  return file;
}
