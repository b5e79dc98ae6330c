import { readFileSync } from 'node:fs';
import path from 'node:path';
import { sitePages } from '@portal/contract/pages';
import { expect, test } from 'vitest';
import { filesOf, viewsIn } from './page-files.ts';
import { root } from '../root.ts';

test.each([
  ['portal', 'apps/portal/src'],
  ['resource-manager', 'apps/resource-manager/src'],
])('the view of every built page of %s is found', (app, folder) => {
  const views = viewsIn(readFileSync(path.join(root, folder, 'views.ts'), 'utf8'), folder);
  const built = sitePages.filter(page => page.app === app && !page.redirectTo);
  expect(built.length).toBeGreaterThan(10);
  expect(Object.keys(views).length).toBeGreaterThanOrEqual(built.length);
  for (const source of Object.values(views)) expect(readFileSync(path.join(root, source), 'utf8')).toContain('export default');
});

test('the files of a page are its own and those of all its dependencies, each once', () => {
  const manifest = {
    'Page.tsx': { file: 'assets/Page.js', css: ['assets/Page.css'], imports: ['_lists.js', '_react.js'] },
    '_lists.js': { file: 'assets/lists.js', imports: ['_react.js'] },
    '_react.js': { file: 'assets/react.js' },
    'other.svg': { file: 'assets/other.svg' },
  };
  expect([...filesOf(manifest, ['Page.tsx', 'other.svg'])]).toEqual([
    'assets/Page.js',
    'assets/Page.css',
    'assets/lists.js',
    'assets/react.js',
  ]);
});
