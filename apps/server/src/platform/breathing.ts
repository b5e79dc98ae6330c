import { setImmediate as turn } from 'node:timers/promises';

/** How long work on the event loop may go on before others have their turn, in ms. */
const STRETCH_MS = 1;

/** Awaited in a loop: lets everything else of the process have its turn where this work has taken long enough since it was last called; otherwise it costs nothing. */
export type Breathe = () => Promise<void>;

/** Returns such a function for one piece of work. */
export function breathing(): Breathe {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < STRETCH_MS) return;
    await turn();
    since = performance.now();
  };
}

/** The result of a generator whose steps are taken one by one, while others have their turn. */
export async function inTurns<Result>(steps: Iterator<void, Result, void>, breathe: Breathe = breathing()): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await breathe();
  }
}

/** Rows that are sorted in one piece, before the pieces are merged. */
const PIECE = 128;

/** The same as `toSorted`, for long lists: others have their turn meanwhile. */
export async function sortedInTurns<Row>(
  rows: readonly Row[],
  compare: (a: Row, b: Row) => number,
  breathe: Breathe = breathing(),
): Promise<Row[]> {
  let pieces: Row[][] = [];
  for (let at = 0; at < rows.length; at += PIECE) {
    pieces.push(rows.slice(at, at + PIECE).sort(compare));
    await breathe();
  }
  while (pieces.length > 1) {
    const merged: Row[][] = [];
    for (let at = 0; at < pieces.length; at += 2)
      merged.push(at + 1 < pieces.length ? await mergedInTurns(pieces[at]!, pieces[at + 1]!, compare, breathe) : pieces[at]!);
    pieces = merged;
  }
  return pieces[0] ?? [];
}

/** Merges two sorted lists. Of equal rows those of the first come first. */
async function mergedInTurns<Row>(
  one: readonly Row[],
  other: readonly Row[],
  compare: (a: Row, b: Row) => number,
  breathe: Breathe,
): Promise<Row[]> {
  const merged: Row[] = [];
  let [a, b] = [0, 0];
  while (a < one.length || b < other.length) {
    merged.push(b === other.length || (a < one.length && compare(one[a]!, other[b]!) <= 0) ? one[a++]! : other[b++]!);
    if (merged.length % PIECE === 0) await breathe();
  }
  return merged;
}

/** Characters of a piece of a long text, at least; a word that is longer is one piece. */
const PIECE_CHARACTERS = 32_768;

/** The words of rows as one text, like `join`, in pieces that follow each other: a text of megabytes isn't copied in one turn. */
export async function joinedInTurns<Row>(
  rows: Iterable<Row>,
  separator: string,
  wordOf: (row: Row) => string,
  breathe: Breathe = breathing(),
): Promise<string[]> {
  const pieces: string[] = [];
  let piece: string[] = [];
  let characters = 0;
  const end = (): void => {
    if (piece.length > 0) pieces.push(`${pieces.length > 0 ? separator : ''}${piece.join(separator)}`);
    piece = [];
    characters = 0;
  };
  for (const row of rows) {
    const word = wordOf(row);
    piece.push(word);
    characters += word.length + separator.length;
    if (characters >= PIECE_CHARACTERS) end();
    await breathe();
  }
  end();
  return pieces;
}

/** The rows of a list that pass, found while others have their turn. */
export async function filteredInTurns<Row>(
  rows: readonly Row[],
  passes: (row: Row) => boolean,
  breathe: Breathe = breathing(),
): Promise<Row[]> {
  const found: Row[] = [];
  for (const row of rows) {
    if (passes(row)) found.push(row);
    await breathe();
  }
  return found;
}

/** The same as `map`, while others have their turn. */
export async function mappedInTurns<Row, Mapped>(
  rows: Iterable<Row>,
  map: (row: Row) => Mapped,
  breathe: Breathe = breathing(),
): Promise<Mapped[]> {
  const mapped: Mapped[] = [];
  for (const row of rows) {
    mapped.push(map(row));
    await breathe();
  }
  return mapped;
}

/** The rows of a list by a key, the last of each, while others have their turn. */
export async function mapInTurns<Row>(
  rows: Iterable<Row>,
  keyOf: (row: Row) => string,
  breathe: Breathe = breathing(),
): Promise<Map<string, Row>> {
  const map = new Map<string, Row>();
  for (const row of rows) {
    map.set(keyOf(row), row);
    await breathe();
  }
  return map;
}
