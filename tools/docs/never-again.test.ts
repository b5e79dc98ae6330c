import { expect, test } from 'vitest';
import { kept, neverAgainIn } from './never-again.ts';
import { sentencesOf } from './sentences.ts';

const page = (text: string) => ({ path: 'apps/portal/src/pages/ExamplePage.tsx', text });

test('sentences are read from elements, attributes, fields and templates, with what is filled in as an ellipsis', () => {
  const text = [
    "const where = sql`select a from b where c = 'not a sentence'`;",
    'const said = `${count} requests are open`;',
    'export const View = () => <Sheet title="Access requests" className="two words">Ask <b>{name}</b> for it.</Sheet>;',
  ].join('\n');
  expect(sentencesOf(page(text))).toEqual([
    { text: '… requests are open', line: 2 },
    { text: 'Access requests', line: 3 },
    { text: 'Ask … for it.', line: 3 },
  ]);
});

test.each([
  ['<p>Requests stand here from the moment a member asks.</p>', 'say where it appears'],
  ["notify({ text: 'Whoever asks gets an e-mail.' })", 'anyone who'],
  ["notify({ text: 'It is gone from whois at once.' })", 'immediately'],
  ['<EmptyState title="Nothing matches" />', 'say what there is none of'],
])('%s sounds translated', (text, instead) => {
  expect(neverAgainIn(page(`const it = ${text};`)).join()).toContain(instead);
});

test('code and comments may use the words, and other files hold no sentences', () => {
  expect(neverAgainIn(page("// Whoever asks is told at once.\nconst somebody = 'nobody';"))).toEqual([]);
  expect(neverAgainIn({ path: 'tools/new.ts', text: "console.log('Whoever asks is told at once.');" })).toEqual([]);
});

test('at most ten uses are left', () => {
  expect(kept.length).toBeLessThanOrEqual(10);
});
