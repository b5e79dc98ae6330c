import { expect, test } from 'vitest';
import { hilbertPlace } from './HilbertSquare.tsx';

test('a Hilbert curve visits every cell once, each beside the one before', () => {
  for (const order of [1, 2, 4]) {
    const places = Array.from({ length: 4 ** order }, (_, index) => hilbertPlace(order, index));
    expect(new Set(places.map(({ x, y }) => `${x} ${y}`)).size).toBe(4 ** order);
    for (const { x, y } of places) expect([x >= 0, y >= 0, x < 1 << order, y < 1 << order]).toEqual([true, true, true, true]);
    for (const [index, place] of places.slice(1).entries()) {
      const before = places[index] as { x: number; y: number };
      expect(Math.abs(place.x - before.x) + Math.abs(place.y - before.y)).toBe(1);
    }
  }
  expect(hilbertPlace(4, 0)).toEqual({ x: 0, y: 0 });
});
