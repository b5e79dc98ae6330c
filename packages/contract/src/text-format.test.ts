import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatText } from './text-format.ts';

test('fills placeholders in order', () => {
  expect(formatText('%s has %d votes, 100%% sure', 'EXAMPLE-AU', 8)).toBe('EXAMPLE-AU has 8 votes, 100% sure');
});

test.each([
  ['%s', [], 'more placeholders'],
  ['none', ['x'], '0 placeholders but 1'],
  ['%s', [1], 'needs a string'],
  ['%d', ['1'], 'needs a number'],
  ['%d', [Number.NaN], 'needs a number'],
] as const)('refuses %j with %j', (template, args, message) => {
  expect(() => formatText(template, ...args)).toThrow(message);
});

test('text is inserted verbatim, including placeholders in it', () => {
  fc.assert(
    fc.property(fc.string(), fc.integer(), (text, number) => {
      expect(formatText('<%s|%d>', text, number)).toBe(`<${text}|${number}>`);
    }),
  );
});
