import { expect, test } from 'vitest';
import { differencesOf } from './text-differences.ts';

test('differences name changed, new and deleted paragraphs, and the subject first', () => {
  const before = { subject: 'Hello', body: 'One\n\nTwo\n\nThree' };
  expect(differencesOf(before, before)).toEqual([]);
  expect(differencesOf(before, { subject: 'Hi', body: 'One\n\n2\n\nThree\n\nFour' })).toEqual([
    { before: 'Hello', after: 'Hi' },
    { before: 'Two', after: '2' },
    { before: null, after: 'Four' },
  ]);
  expect(differencesOf(before, { subject: 'Hello', body: 'One\n\nThree' })).toEqual([{ before: 'Two', after: null }]);
});

test('a long text that is another one in whole is shown before and after, without comparing each paragraph with each', () => {
  const of = (word: string) => Array.from({ length: 3000 }, (_, index) => `${word} ${index}`).join('\n\n');
  const [first, second] = [of('old'), of('new')];
  expect(differencesOf({ subject: '', body: `Same\n\n${first}` }, { subject: '', body: `Same\n\n${second}` })).toEqual([
    { before: first, after: second },
  ]);
});
