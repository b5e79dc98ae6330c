import { expect, test } from 'vitest';
import { isReadable } from './readable-name.ts';

test.each(['Zoë O’Neil-Ünal', 'محمد\u200cرضا', 'שלום כהן', '李 明', '👩\u200d💻 Ada', ''])('"%s" reads as it is written', name => {
  expect(isReadable(name)).toBe(true);
});

test.each([
  'Ada\u202eecalevoL',
  'Ada \u2066Lovelace',
  'Ada\u200bLovelace',
  'Ada\u00adLovelace',
  'Ada\nLovelace',
  'Ada\u2028Lovelace',
  '\ufeffAda',
  'Ada\ud800',
  '\u200d',
  'Ada \u200cLovelace',
])('%j does not', name => {
  expect(isReadable(name)).toBe(false);
});
