import { renderHook } from '@testing-library/react';
import { expect, it } from 'vitest';
import { useNeighbours } from './neighbours.ts';

type Row = { name: string; asked?: boolean };
const around = (open: string) =>
  renderHook(
    (rows: readonly Row[]) =>
      useNeighbours({ rows, isOpen: ({ name }) => name === open, nameOf: ({ name }) => name, isPassedOn: ({ asked }) => asked === true }),
    { initialProps: [{ name: 'a' }, { name: 'b' }, { name: 'c' }, { name: 'd', asked: true }] },
  );
const names = ({ next, previous }: { next: Row | null; previous: Row | null }) => [previous?.name ?? null, next?.name ?? null];

it('a case in the queue has those beside it as neighbours, and new ones too', () => {
  const { result, rerender } = around('b');
  expect(names(result.current)).toEqual(['a', 'c']);
  rerender([{ name: 'b' }, { name: 'x' }, { name: 'c' }]);
  expect(names(result.current)).toEqual([null, 'x']);
});

it('a case that was asked about moves to the end of the queue, and the one that followed it is still the next', () => {
  const { result, rerender } = around('b');
  rerender([{ name: 'a' }, { name: 'c' }, { name: 'd', asked: true }, { name: 'b', asked: true }]);
  expect(names(result.current)).toEqual(['a', 'c']);
});

it('a decided case leaves the queue, and the one that followed it is the next, or the first where none followed', () => {
  const { result, rerender } = around('b');
  rerender([{ name: 'a' }, { name: 'c' }, { name: 'd', asked: true }]);
  expect(names(result.current)).toEqual(['a', 'c']);
  rerender([{ name: 'a' }, { name: 'd', asked: true }]);
  expect(names(result.current)).toEqual(['a', 'd']);
  rerender([{ name: 'a' }]);
  expect(names(result.current)).toEqual(['a', 'a']);
  rerender([]);
  expect(names(result.current)).toEqual([null, null]);
});
