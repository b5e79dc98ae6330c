import { expect, test } from 'vitest';
import { displayName } from './display-name.ts';

test.each([
  [{ nickname: 'Cori', display_name: 'Corin', full_name: 'Corin A', name: 'C' }, 'Cori'],
  [{ nickname: '', display_name: 'Corin' }, 'Corin'],
  [{ nickname: '  ', full_name: 'Corin Achterberg' }, 'Corin Achterberg'],
  [{ display_name: null, name: 'C' }, 'C'],
  [{ nickname: 7 }, ''],
  [{}, ''],
])('%j is shown as %j', (claims, shown) => {
  expect(displayName(claims)).toBe(shown);
});
