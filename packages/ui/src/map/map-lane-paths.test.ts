import { expect, test } from 'vitest';
import { laneHeight, type LaneState } from './address-map-layout.ts';
import { laneShape } from './map-lane-paths.ts';

const shapes = (width: number) =>
  (['valid', 'invalid', 'not-found', 'covered'] as LaneState[]).map(state => laneShape(state, { x: 0, y: 0, width }));

test('states that a colour tells apart have shapes of their own', () => {
  expect(new Set(shapes(60)).size).toBe(4);
  expect(laneShape('valid', { x: 0, y: 0, width: 60 })).toBe(`M0.0 0h60.0v${laneHeight}h-60.0z`);
  expect(laneShape('invalid', { x: 0, y: 0, width: 60 }).match(/M/g)).toHaveLength(10);
});

test('the narrowest announcement is still drawn, and none leaves its span', () => {
  for (const width of [1, 2, 3.5, 7, 604]) {
    for (const shape of shapes(width)) expect(shape).toMatch(/^M/);
    const ends = [...laneShape('invalid', { x: 10, y: 0, width }).matchAll(/M([\d.]+) [\d.]+h([\d.]+)/g)].map(
      ([, x, length]) => Number(x) + Number(length),
    );
    expect(Math.max(...ends)).toBeLessThanOrEqual(10 + width + 0.1);
  }
});
