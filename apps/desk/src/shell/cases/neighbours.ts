import { useState } from 'react';

type Given<R> = {
  /** The queue in its order. */
  rows: readonly R[];
  isOpen: (row: R) => boolean;
  nameOf: (row: R) => string;
  /** Whether a row waits for someone else than the registry. */
  isPassedOn: (row: R) => boolean;
};

/**
 * Returns the neighbours of the open case in its queue. A case that is decided or passed on leaves its place, and the one that followed it is still the next. For the page of one
 * case: under a `key` of that case.
 */
export function useNeighbours<R>({ rows, isOpen, nameOf, isPassedOn }: Given<R>): { place: number; next: R | null; previous: R | null } {
  const place = rows.findIndex(isOpen);
  const [first] = useState(() => ({
    wasHere: place >= 0 && !isPassedOn(rows[place]!),
    after: place >= 0 ? rows.slice(place + 1).map(nameOf) : [],
    before: place >= 0 ? rows.slice(0, place).map(nameOf).toReversed() : [],
  }));
  const hasLeft = place < 0 || (first.wasHere && isPassedOn(rows[place]!));
  if (!hasLeft) return { place, next: rows[place + 1] ?? null, previous: rows[place - 1] ?? null };
  const byName = new Map(rows.filter(row => !isOpen(row)).map(row => [nameOf(row), row]));
  const nearest = (names: readonly string[]): R | null => byName.get(names.find(name => byName.has(name)) ?? '') ?? null;
  return { place, next: nearest(first.after) ?? rows.find(row => !isOpen(row)) ?? null, previous: nearest(first.before) };
}
