import { expect, test } from 'vitest';
import { allEndpoints } from './api.ts';
import { effectsOf } from './effects.ts';
import { limitsOf, staffLimitNames } from './staff-limits.ts';

test('every call that moves money names its limit, or says why nothing is counted', () => {
  const moving = allEndpoints.filter(endpoint => effectsOf(endpoint).includes('money'));
  expect(moving.length).toBeGreaterThan(10);
  expect(moving.filter(({ limit }) => limit === undefined).map(({ id }) => id)).toEqual([]);
  for (const { limit, id } of moving) if (typeof limit === 'object' && 'none' in limit) expect(limit.none, id).toMatch(/^[a-z].{20,}/);
});

test('every call with a limit is one of registry staff, and says when a second person approves it', () => {
  for (const endpoint of allEndpoints) {
    if (limitsOf(endpoint).length === 0 && endpoint.limit !== 'two people') continue;
    expect(endpoint.access.who, endpoint.id).toBe('staff');
    expect(endpoint.secondPersonWhen, endpoint.id).toBeTruthy();
  }
});

test('every limit has calls', () => {
  for (const limit of staffLimitNames)
    expect(
      allEndpoints.some(endpoint => limitsOf(endpoint).includes(limit)),
      limit,
    ).toBe(true);
});
