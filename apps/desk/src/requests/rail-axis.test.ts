import { expect, it } from 'vitest';
import { PITCH, railAxisOf } from './rail-axis.ts';

it('puts the oldest case at the top and now at the bottom, with recent days wider apart', () => {
  const axis = railAxisOf([30, 10, 3, 0])!;
  expect(axis.height).toBe(4 * PITCH);
  expect(axis.cases.map(({ row }) => row)).toEqual([22, 66, 110, 154]);
  expect(axis.cases[0]!.at).toBe(22);
  expect(axis.cases[3]!.at).toBe(154);
  const places = axis.cases.map(({ at }) => at);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  // Three days at the end take more than twenty at the beginning.
  expect(places[3]! - places[2]!).toBeGreaterThan(places[1]! - places[0]!);
  expect(axis.names.map(({ words }) => words)).toEqual(['now', '1 d', '3 d', '10 d']);
});

it('names no day that would stand over another one, or before the oldest case', () => {
  const { names } = railAxisOf([900, 800, 700])!;
  for (const [index, { at }] of names.entries()) if (index > 0) expect(names[index - 1]!.at - at).toBeGreaterThan(14);
  expect(railAxisOf([2, 1, 0.5])!.names.map(({ words }) => words)).toEqual(['now', '1 d']);
});

it('is left out beside a few cases, and where all arrived just now', () => {
  expect(railAxisOf([3, 1])).toBeNull();
  expect(railAxisOf([0, 0, 0])).toBeNull();
  expect(railAxisOf([])).toBeNull();
});
