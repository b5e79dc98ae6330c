import { expect, test } from 'vitest';
import { historyInWords } from './tables.ts';

const trigger = (name: string, secrets = '') => ({ name, secrets });

test.each([
  [[trigger('a_require_activity'), trigger('z_keep_inserted')], 'every change is kept'],
  [[trigger('a_require_activity'), trigger('z_keep_inserted', 'hash\\000salt\\000')], 'every change is kept, without `hash`, `salt`'],
  [[trigger('a_require_activity')], 'changed only inside a recorded activity; no copy is kept'],
  [[trigger('append_only'), trigger('a_require_activity')], 'only grows'],
  [[], 'none: the platform’s own books'],
])('%j: %s', (triggers, words) => {
  expect(historyInWords(triggers)).toBe(words);
});
