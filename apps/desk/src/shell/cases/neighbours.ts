import { useState } from 'react';

type Given<R> = {
  /** The queue in its order. */
  rows: readonly R[];
  isOpen: (row: R) => boolean;
  nameOf: (row: R) => string;
  /** Whether a row waits for someone else than the registry. */
  isPassedOn: (row: R) => boolean;
  /** Whether a row is late: those come first once the open case is done. */
  isLate?: (row: R) => boolean;
};

/**
 * Returns the neighbours of the open case in its queue, past those that wait for someone else, and from the last to the first. After a case that was decided or passed on comes what
 * is late, and then the first: nothing that was skipped is forgotten. For the page of one case: under a `key` of that case.
 */
export function useNeighbours<R>({ rows, isOpen, nameOf, isPassedOn, isLate = () => false }: Given<R>): {
  place: number;
  next: R | null;
  previous: R | null;
} {
  const place = rows.findIndex(isOpen);
  const isHere = place >= 0 && !isPassedOn(rows[place]!);
  const [first] = useState(() => ({
    wasHere: isHere,
    before: place >= 0 ? rows.slice(0, place).map(nameOf).toReversed() : [],
  }));
  const hasLeft = place < 0 || (first.wasHere && !isHere);
  const others = rows.filter(row => !isOpen(row));
  // In a list of what waits for members, all do.
  const free = others.filter(row => !isPassedOn(row));
  const ways = free.length > 0 ? free : others;
  if (hasLeft) {
    const byName = new Map(others.map(row => [nameOf(row), row]));
    return {
      place,
      next: ways.find(isLate) ?? ways[0] ?? null,
      previous: byName.get(first.before.find(name => byName.has(name)) ?? '') ?? null,
    };
  }
  const isWay = (row: R): boolean => ways.includes(row);
  return {
    place,
    next: rows.slice(place + 1).find(isWay) ?? ways[0] ?? null,
    previous: rows.slice(0, place).findLast(isWay) ?? null,
  };
}
