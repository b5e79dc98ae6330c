import type { RpslAttribute, RpslObject } from './object.ts';

/** The change of one line. `changed` is a removed and an added line of one attribute in the same place. */
export type LineChange =
  | { readonly change: 'kept' | 'changed'; readonly attribute: string; readonly before: RpslAttribute; readonly after: RpslAttribute }
  | { readonly change: 'removed'; readonly attribute: string; readonly before: RpslAttribute; readonly after: null }
  | { readonly change: 'added'; readonly attribute: string; readonly before: null; readonly after: RpslAttribute };

/**
 * The difference of two versions line by line, in the order to show it. Lines are equal when attribute, value and comment are: blanks and the case
 * of names make no difference. Takes n log n time for n lines; a moved line is removed here and added there.
 */
export function compareObjects(before: RpslObject, after: RpslObject): LineChange[] {
  const changes: LineChange[] = [];
  let removed: RpslAttribute[] = [];
  let added: RpslAttribute[] = [];
  const flush = () => {
    changes.push(...pairChanges(removed, added));
    removed = [];
    added = [];
  };
  let [left, right] = [0, 0];
  for (const [leftMatch, rightMatch] of [...matchLines(before.attributes, after.attributes), endMatch(before, after)]) {
    removed = before.attributes.slice(left, leftMatch);
    added = after.attributes.slice(right, rightMatch);
    flush();
    const [one, other] = [before.attributes[leftMatch], after.attributes[rightMatch]];
    if (one && other) changes.push({ change: 'kept', attribute: one.name, before: one, after: other });
    left = leftMatch + 1;
    right = rightMatch + 1;
  }
  return changes;
}

/** Name, value and comment of a line as one text: equal lines mean the same. */
export function lineIdentity({ name, value, comment }: RpslAttribute): string {
  return `${name}:${value}${comment === null ? '' : `#${comment}`}`;
}

function endMatch(before: RpslObject, after: RpslObject): [number, number] {
  return [before.attributes.length, after.attributes.length];
}

/** Removed and added lines between two kept ones. A removed line and the next added one of its attribute are one changed line; the order of both sides stays. */
function pairChanges(removed: readonly RpslAttribute[], added: readonly RpslAttribute[]): LineChange[] {
  const waiting = new Map<string, number[]>();
  for (let index = added.length - 1; index >= 0; index--) {
    const name = added[index]?.name ?? '';
    const list = waiting.get(name);
    if (list) list.push(index);
    else waiting.set(name, [index]);
  }
  const changes: LineChange[] = [];
  let next = 0;
  const addUpTo = (end: number) => {
    for (const after of added.slice(next, end)) changes.push({ change: 'added', attribute: after.name, before: null, after });
  };
  for (const before of removed) {
    const list = waiting.get(before.name);
    while (list && (list.at(-1) ?? next) < next) list.pop();
    const index = list?.pop();
    const after = index === undefined ? undefined : added[index];
    if (index === undefined || after === undefined) {
      changes.push({ change: 'removed', attribute: before.name, before, after: null });
      continue;
    }
    addUpTo(index);
    changes.push({ change: lineIdentity(before) === lineIdentity(after) ? 'kept' : 'changed', attribute: before.name, before, after });
    next = index + 1;
  }
  addUpTo(added.length);
  return changes;
}

/**
 * Pairs of equal lines in ascending order on both sides: common head and tail first, then the k-th occurrence of a line with the k-th on the other
 * side, of which the longest ascending run is kept.
 */
function matchLines(before: readonly RpslAttribute[], after: readonly RpslAttribute[]): [number, number][] {
  const left = before.map(lineIdentity);
  const right = after.map(lineIdentity);
  let head = 0;
  while (head < left.length && head < right.length && left[head] === right[head]) head++;
  let tail = 0;
  while (tail < left.length - head && tail < right.length - head && left.at(-1 - tail) === right.at(-1 - tail)) tail++;
  const places = new Map<string, number[]>();
  for (let i = right.length - tail - 1; i >= head; i--) {
    const line = right[i] ?? '';
    const list = places.get(line);
    if (list) list.push(i);
    else places.set(line, [i]);
  }
  const candidates: [number, number][] = [];
  for (let i = head; i < left.length - tail; i++) {
    const place = places.get(left[i] ?? '')?.pop();
    if (place !== undefined) candidates.push([i, place]);
  }
  return [
    ...Array.from({ length: head }, (_, i): [number, number] => [i, i]),
    ...longestAscending(candidates),
    ...Array.from({ length: tail }, (_, i): [number, number] => [left.length - tail + i, right.length - tail + i]),
  ];
}

/** The longest run of pairs whose second parts ascend; the first parts do already. */
function longestAscending(pairs: readonly [number, number][]): [number, number][] {
  const ends: number[] = [];
  const previous: number[] = [];
  for (const [index, [, place]] of pairs.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[ends[middle] ?? 0]?.[1] ?? 0) < place) low = middle + 1;
      else high = middle;
    }
    previous.push(low > 0 ? (ends[low - 1] ?? -1) : -1);
    ends[low] = index;
  }
  const run: [number, number][] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = previous[at] ?? -1) {
    const pair = pairs[at];
    if (pair) run.push(pair);
  }
  return run.reverse();
}
