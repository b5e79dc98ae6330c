import { camel } from './names.ts';
import type { Draft } from './draft.ts';
import { insertAtEnd, rowOf } from './source-text.ts';

const list = 'apps/server/src/modules/activity-log/action-words.ts';

/** Gives an activity its words: every action that the log can name has some. */
export async function wording(draft: Draft, id: string): Promise<void> {
  const part = id.slice(0, id.lastIndexOf('.'));
  const act = id.slice(part.length + 1);
  const key = part === camel(part) && !part.includes('.') ? part : `'${part}'`;
  const words = `${act}: 'What ${act} is called, as in “Invite a contact”',`;
  await draft.change(list, text => {
    const row = rowOf(text, key);
    if (row) return text.replace(row, insertAtEnd(row, 'actions: {', `      ${words}`));
    return insertAtEnd(text, 'const parts: Record<string, Part> = {', `  ${key}: { category: 'account', actions: { ${words} } },`);
  });
}
