import { renderHook } from '@testing-library/react';
import { expect, it } from 'vitest';
import { useNeighbours } from './neighbours.ts';

type Row = { name: string; asked?: boolean; late?: boolean };
const around = (open: string) =>
  renderHook(
    (rows: readonly Row[]) =>
      useNeighbours({
        rows,
        isOpen: ({ name }) => name === open,
        nameOf: ({ name }) => name,
        isPassedOn: ({ asked }) => asked === true,
        isLate: ({ late }) => late === true,
      }),
    { initialProps: [{ name: 'a' }, { name: 'b' }, { name: 'c' }, { name: 'd', asked: true }] as readonly Row[] },
  );
const names = ({ next, previous }: { next: Row | null; previous: Row | null }) => [previous?.name ?? null, next?.name ?? null];

it('a case in the queue has those beside it as neighbours, and new ones too', () => {
  const { result, rerender } = around('b');
  expect(names(result.current)).toEqual(['a', 'c']);
  rerender([{ name: 'b' }, { name: 'x' }, { name: 'c' }]);
  expect(names(result.current)).toEqual([null, 'x']);
});

it('what waits for a member is passed over, and the last leads to the first', () => {
  expect(names(around('c').result.current)).toEqual(['b', 'a']);
  expect(names(around('d').result.current)).toEqual(['c', 'a']);
});

it('where all wait for members, the ways lead through them', () => {
  const { result, rerender } = around('b');
  rerender([
    { name: 'a', asked: true },
    { name: 'b', asked: true },
    { name: 'c', asked: true },
  ]);
  expect(result.current.next?.name).toBe('a');
});

it('after a case that is done comes what is late, then the first that is with the registry', () => {
  const { result, rerender } = around('b');
  rerender([{ name: 'a' }, { name: 'c' }, { name: 'd', asked: true }, { name: 'b', asked: true }]);
  expect(names(result.current)).toEqual(['a', 'a']);
  rerender([{ name: 'a' }, { name: 'c', late: true }, { name: 'd', asked: true }]);
  expect(names(result.current)).toEqual(['a', 'c']);
  rerender([{ name: 'd', asked: true }]);
  expect(names(result.current)).toEqual([null, 'd']);
  rerender([]);
  expect(names(result.current)).toEqual([null, null]);
});
