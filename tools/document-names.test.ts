import { expect, test } from 'vitest';
import { documentFindings, unknownNames } from './document-names.ts';

test('a document names files that are there, by their name or the end of their path', () => {
  const files = ['apps/server/src/modules/routes/save-routes.ts', 'apps/portal/src/App.tsx'];
  const text = '`save-routes.ts`, `routes/save-routes.ts`, `../App.tsx`, `/env.json`, `gone.ts` and `portal/App.tsx`';
  expect(documentFindings([{ path: 'README.md', text }], files)).toEqual([
    'README.md names gone.ts, which is no file',
    'README.md names portal/App.tsx, which is no file',
  ]);
});

test('a document names functions and calls that the sources have', () => {
  const sources = ['export function unfreezeLogin() {}', 'const rdnsZone = { checkedAt: 0 };'];
  const text = '`identity.unfreezeLogin`, `thawLogin(change)`, `findBy…`, `Pick<rdnsZone>` and plain thawLogin';
  expect(unknownNames([{ path: 'README.md', text }], sources)).toEqual(['README.md names thawLogin, which no source file has']);
});
