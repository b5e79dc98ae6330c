import { expect, test } from 'vitest';
import { fieldsOf } from './forms.ts';

test('a form of many fields is refused before they are read, whatever is in them', () => {
  expect([...fieldsOf('list=198.51.100.7&as=csv', 50)]).toEqual([
    ['list', '198.51.100.7'],
    ['as', 'csv'],
  ]);
  const began = performance.now();
  expect(() => fieldsOf('a&'.repeat(262_144), 50)).toThrow('at most 50 fields');
  expect(performance.now() - began).toBeLessThan(50);
  expect(() => fieldsOf('&'.repeat(50), 50)).toThrow('at most 50 fields');
  expect(fieldsOf('&'.repeat(49), 50).size).toBe(0);
});
