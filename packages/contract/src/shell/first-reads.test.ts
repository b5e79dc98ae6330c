import { expect, test } from 'vitest';
import { pages, type PageName, type SitePage } from '../pages.ts';
import { firstReads } from './first-reads.ts';
import { maxReadsTogether } from './reads-together.ts';

test('the pages of one part of the navigation are read in one request', () => {
  const parts = new Map<string, Set<string>>();
  for (const [name, reads] of Object.entries(firstReads)) {
    const { nav = [], app }: SitePage = pages[name as PageName];
    const part = `${app} ${nav[1]}`;
    parts.set(part, new Set([...(parts.get(part) ?? []), ...reads]));
  }
  expect(parts.size).toBeGreaterThan(5);
  for (const [part, reads] of parts) expect(reads.size, part).toBeLessThanOrEqual(maxReadsTogether);
});
