import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const textOf = (file: string): string => readFileSync(path.join(import.meta.dirname, file), 'utf8');
const readme = textOf('../README.md');
const rows = readme
  .slice(readme.indexOf('## Rules and their tests'))
  .split('\n')
  .filter(line => line.startsWith('| `'))
  .map(line => line.split('|').slice(1, 3) as [codes: string, proof: string]);

/** The tests that a row names: `S` and `R`, and other files below the folder of the module. */
const filesIn = (proof: string): string[] => [
  ...(/\bS\b/.test(proof) ? ['submit.test.ts'] : []),
  ...(/\bR:/.test(proof) ? ['rules.test.ts'] : []),
  ...[...proof.matchAll(/`([\w/.-]+\.test\.ts)`/g)].map(([, file]) => `../${file}`),
];

test('the README names each rule’s code once', () => {
  const named = rows.flatMap(([codes]) => [...codes.matchAll(/`([\w-]+)`/g)].map(([, code]) => code!));
  const texts = textOf('rules.ts') + textOf('domain-rules.ts');
  const raised = [...texts.matchAll(/problem\(\s*[\w.!]+,\s*'([\w-]+)'/g)].map(([, code]) => code!);
  expect(named.toSorted()).toEqual([...new Set(raised)].toSorted());
});

test('the README names tests that exist and are about the code', () => {
  const wrong = rows.flatMap(([codes, proof]) => {
    const title = /\bR: (.*)/.exec(proof)?.[1]?.trim();
    const texts = filesIn(proof).map(textOf);
    const lost = [...codes.matchAll(/`([\w-]+)`/g)].map(([, code]) => code!).filter(code => !texts.some(text => text.includes(code)));
    return [...lost, ...(title === undefined || textOf('rules.test.ts').includes(`test('${title}'`) ? [] : [title])];
  });
  expect(wrong).toEqual([]);
});
