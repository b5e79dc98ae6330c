import { expect, test } from 'vitest';
import { hoursInWords } from '../shell/hours-words.ts';
import { ageInWords, lastsWords, monthsLeft } from './home-words.ts';

test.each([
  [0.8, '48 min'],
  [-11.5, '11 h 30'],
  [3, '3 h'],
  [24, '3 days'],
])('%d working hours are %s', (hours, words) => {
  expect(hoursInWords(hours)).toBe(words);
});

test.each([
  [0, 'less than a minute'],
  [4, '4 min'],
  [370, '6 h 10'],
  [4320, '3 days'],
])('%d minutes ago is %s', (minutes, words) => {
  expect(ageInWords(minutes)).toBe(words);
});

test('a pool lasts as long as the last year’s delegations say', () => {
  const lasts = (available: string, yearly: string) => lastsWords(monthsLeft({ available, yearly }));
  expect(lasts('1024', '1024')).toBe('about 12 months left');
  expect(lasts('10240', '1024')).toBe('about 10 years left');
  expect(lasts('10', '1024')).toBe('less than a month left');
  expect(lasts('1024', '0')).toBe('nothing delegated in a year');
  expect(lasts(String(2n ** 96n), '65536')).toBe('lasts for centuries');
});
