import { describe, expect, test } from 'vitest';
import { headlineFrom } from './ServiceState.tsx';

describe('the sentence of the status page', () => {
  test('is taken with its state', () => {
    const given = { state: 'late', title: 'One service is delayed', readAt: '2026-11-20T08:00:00Z' };
    expect(headlineFrom(given)).toEqual(given);
    expect(headlineFrom({ ...given, readAt: null })).toEqual({ ...given, readAt: null });
  });
  test.each([
    [null],
    ['All services work'],
    [{ state: 'fine', title: 'All services work', readAt: null }],
    [{ state: 'working', title: 1, readAt: null }],
    [{ state: 'working', title: 'All services work' }],
  ])('%j is none', given => expect(headlineFrom(given)).toBeNull());
});
