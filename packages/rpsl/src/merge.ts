import { classes, isClassName } from './classes.ts';
import { compareObjects, lineIdentity } from './compare.ts';
import type { RpslAttribute, RpslObject } from './object.ts';

/** Both sides changed the same line, or set a single-valued attribute to different values. */
export interface MergeConflict {
  readonly attribute: string;
  /** The line both started from; null when both added one. */
  readonly base: string | null;
  /** Null when this side took the line out. */
  readonly mine: string | null;
  readonly theirs: string | null;
}

export type MergeOutcome =
  | { readonly merged: RpslObject; readonly conflicts: readonly [] }
  | { readonly merged: null; readonly conflicts: readonly MergeConflict[] };

/**
 * Puts two changes of one object together, line by line: what one side changed, added or took out is taken from it; equal changes count once.
 * Generated lines (last-modified) never conflict, theirs stays. With `prefer`, conflicts are decided for that side instead of reported.
 */
export function mergeObjects(
  base: RpslObject,
  mine: RpslObject,
  theirs: RpslObject,
  options: { readonly prefer?: 'mine' | 'theirs' } = {},
): MergeOutcome {
  const rows = new Map(isClassName(base.class) ? classes[base.class].template.map(row => [row.attribute as string, row]) : []);
  const [myFate, theirFate] = [fateOfLines(base, mine), fateOfLines(base, theirs)];
  const conflicts: MergeConflict[] = [];
  const lines: MergedLine[] = [];
  const decide = (before: RpslAttribute | null, my: RpslAttribute | null, their: RpslAttribute | null): RpslAttribute | null => {
    const name = (before ?? my ?? their)?.name ?? '';
    if (rows.get(name)?.need === 'generated') return their;
    if (options.prefer !== undefined) return options.prefer === 'mine' ? my : their;
    conflicts.push({ attribute: name, base: before?.value ?? null, mine: my?.value ?? null, theirs: their?.value ?? null });
    return my;
  };
  const theirNew = new Map<string, number>();
  for (const line of [...theirFate.added.values()].flat()) theirNew.set(lineIdentity(line), (theirNew.get(lineIdentity(line)) ?? 0) + 1);
  const isNewToThem = (line: RpslAttribute) => {
    const count = theirNew.get(lineIdentity(line)) ?? 0;
    theirNew.set(lineIdentity(line), count - 1);
    return count <= 0;
  };

  for (let index = -1; index < base.attributes.length; index++) {
    const before = base.attributes[index];
    if (before !== undefined) {
      const [my, their] = [myFate.lines[index] ?? null, theirFate.lines[index] ?? null];
      const [iChanged, theyChanged] = [!isSame(before, my), !isSame(before, their)];
      const line = iChanged && theyChanged && !isSame(my, their) ? decide(before, my, their) : theyChanged ? their : my;
      if (line !== null) lines.push({ line, addedBy: null });
    }
    for (const line of theirFate.added.get(index) ?? []) lines.push({ line, addedBy: 'theirs' });
    for (const line of myFate.added.get(index) ?? []) if (isNewToThem(line)) lines.push({ line, addedBy: 'mine' });
  }
  const single = new Set(
    isClassName(base.class) ? classes[base.class].template.flatMap(row => (row.often === 'single' ? [row.attribute as string] : [])) : [],
  );
  const merged = resolveSingles(lines, single, decide);
  return conflicts.length > 0
    ? { merged: null, conflicts }
    : { merged: { class: merged[0]?.name ?? base.class, attributes: merged }, conflicts: [] };
}

/** For each line of the base what a side made of it, and what it added behind which line (-1: at the top). */
function fateOfLines(base: RpslObject, side: RpslObject): { lines: (RpslAttribute | null)[]; added: Map<number, RpslAttribute[]> } {
  const lines: (RpslAttribute | null)[] = [];
  const added = new Map<number, RpslAttribute[]>();
  for (const { before, after } of compareObjects(base, side)) {
    if (before !== null) lines.push(after);
    else {
      const place = lines.length - 1;
      const list = added.get(place);
      if (list) list.push(after);
      else added.set(place, [after]);
    }
  }
  return { lines, added };
}

interface MergedLine {
  readonly line: RpslAttribute;
  /** Null for what became of a line of the base. */
  readonly addedBy: 'mine' | 'theirs' | null;
}

/** Keeps one value of a single-valued attribute that both sides added differently. */
function resolveSingles(
  lines: readonly MergedLine[],
  single: ReadonlySet<string>,
  decide: (before: null, my: RpslAttribute | null, their: RpslAttribute | null) => RpslAttribute | null,
): RpslAttribute[] {
  const theirs = new Map<string, number>();
  const mine = new Map<string, number>();
  for (const [index, { line, addedBy }] of lines.entries())
    if (addedBy !== null && single.has(line.name)) (addedBy === 'mine' ? mine : theirs).set(line.name, index);
  const decided = new Map<number, RpslAttribute | null>();
  for (const [name, my] of mine) {
    const their = theirs.get(name);
    if (their === undefined) continue;
    decided.set(their, decide(null, lines[my]?.line ?? null, lines[their]?.line ?? null));
    decided.set(my, null);
  }
  return lines.flatMap(({ line }, index) => {
    const kept = decided.has(index) ? decided.get(index) : line;
    return kept ? [kept] : [];
  });
}

function isSame(one: RpslAttribute | null, other: RpslAttribute | null): boolean {
  return one === other || (one !== null && other !== null && lineIdentity(one) === lineIdentity(other));
}
