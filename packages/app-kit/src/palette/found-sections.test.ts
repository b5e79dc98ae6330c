import type { SearchHit } from '@portal/contract/search/search';
import { expect, test } from 'vitest';
import { likelyMeant } from './found-sections.ts';

const hit = (text: string, isNear?: boolean): SearchHit => ({
  section: 'customers',
  text,
  note: '',
  link: '/',
  kind: null,
  ...(isNear && { isNear }),
});

test('what was likely meant is as much of the nearest name as was typed, and nothing where a name has the words', () => {
  expect(likelyMeant('nrothwind', [hit('Northwind Freight', true)])).toBe('Northwind');
  expect(likelyMeant('fraight', [hit('Northwind Freight', true)])).toBe('Freight');
  expect(likelyMeant('harvst market', [hit('Harvest Markets', true)])).toBe('Harvest Markets');
  expect(likelyMeant('north', [hit('Northwind Freight'), hit('Northnet', true)])).toBeNull();
  expect(likelyMeant('north', [])).toBeNull();
});
