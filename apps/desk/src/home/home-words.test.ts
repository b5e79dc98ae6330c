import { expect, test } from 'vitest';
import { hoursInWords } from '../shell/hours-words.ts';
import { ageInWords, lastsWords, placesOf } from './home-words.ts';

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
  const lasts = (available: string, yearly: string, delegations = 12) => lastsWords({ available, yearly, delegations });
  expect(lasts('1024', '1024')).toBe('about 12 months left');
  expect(lasts('10240', '1024')).toBe('about 10 years left');
  expect(lasts('10', '1024')).toBe('less than a month left');
  expect(lasts('1024', '0', 0)).toBe('nothing delegated in a year');
  expect(lasts('10240', '256', 1)).toBe('1 delegation in a year: too few for a forecast');
  expect(lasts(String(2n ** 96n), '65536')).toBe('lasts for centuries');
});

test('cases move left with their age and stand beside each other; one without a promise never stands among the late ones', () => {
  const at = { most: 30, promise: 16, width: 4 };
  const promised = { dueAt: '2026-11-20T09:00:00Z' };
  const of = (hours: number) => ({ hours, ...promised });
  expect(placesOf([of(60), of(0)], at)).toEqual([96, 0]);
  expect(placesOf([of(0), of(0)], at)).toEqual([0, 4]);
  const [unpromised, late] = placesOf([{ hours: 60, dueAt: null }, of(20)], at);
  expect(unpromised! + at.width).toBeCloseTo((16 / 30) * 100);
  expect(late).toBeGreaterThan((16 / 30) * 100);
});
