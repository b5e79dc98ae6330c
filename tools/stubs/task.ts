import { Draft, type Stub } from './draft.ts';
import { camel, kebab, namesOf } from './names.ts';
import { declaring, importing } from './source-text.ts';
import { wording } from './words.ts';

/** A kind of background work and its line among the tasks of its module. */
export const task: Stub = async (root, [name]) => {
  const { module, verbNoun } = namesOf(name, 'billing.issueInvoices');
  const draft = new Draft(root);
  const folder = `apps/server/src/modules/${module}`;
  const file = `${folder}/${kebab(verbNoun)}.ts`;
  draft.create(
    file,
    `import * as z from 'zod';
import { taskType } from '../../platform/tasks.ts';

/** Does ${verbNoun}. It may run twice: the second time must find its work done. */
export const ${verbNoun} = taskType({
  name: '${camel(module)}.${verbNoun}',
  summary: 'What members read in the list of tasks',
  input: z.object({ accountName: z.string() }),
  run: async ({ db, activity, input }) => {
    await db.change(activity, change => change.note(input));
  },
});
`,
  );
  await draft.change(`${folder}/module.ts`, text => importing(declaring(text, 'tasks', verbNoun), [verbNoun], `./${kebab(verbNoun)}.ts`));
  await wording(draft, `${camel(module)}.${verbNoun}`);
  return draft.write([
    `write run and the schema of its input in ${file}`,
    `enqueue it where it is wanted: await change.enqueue(${verbNoun}, { … })`,
    `write in ${folder}/activity-words.ts what the activity log calls it`,
    'write a test that runs it twice',
    'npm run docs, then npm run check',
  ]);
};
