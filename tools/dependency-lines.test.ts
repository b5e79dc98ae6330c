import { expect, test } from 'vitest';
import { dependencyFindings } from './dependency-lines.ts';

const manifests = [{ dependencies: { react: '19.3.1', '@portal/ui': '*' } }, { devDependencies: { vite: '8.3.8' } }];

test('every dependency has its line, and every line its dependency', () => {
  expect(dependencyFindings(manifests, '| `react` | pages | |\n| `vite` | builds | |')).toEqual([]);
  expect(dependencyFindings(manifests, '| `react`, `moment` | pages | |')).toEqual([
    'docs/dependencies.md has no line for vite: what it is for, and what instead',
    'docs/dependencies.md has a line for moment, which no package.json names',
  ]);
});
