import { mergeObjects, type MergeConflict, type RpslAttribute, type RpslObject } from '@portal/rpsl';

export type Side = 'mine' | 'theirs';

const same = (attribute: RpslAttribute, name: string, value: string | null): boolean =>
  attribute.name === name && attribute.value === value;

/**
 * Merges both changes of one object, with each conflict decided for one side. A line decided for theirs is first reverted in mine, so that it no longer conflicts.
 */
export function mergeByChoice(
  base: RpslObject,
  mine: RpslObject,
  theirs: RpslObject,
  { conflicts, choices }: { conflicts: readonly MergeConflict[]; choices: readonly (Side | undefined)[] },
): RpslObject {
  let attributes = [...mine.attributes];
  for (const [index, { attribute: name, base: before, mine: my, theirs: their }] of conflicts.entries()) {
    if (choices[index] !== 'theirs') continue;
    const taken = theirs.attributes.find(each => same(each, name, their));
    const place = my === null ? -1 : attributes.findIndex(each => same(each, name, my));
    if (place >= 0) attributes = taken ? attributes.with(place, taken) : attributes.toSpliced(place, 1);
    else {
      const old = base.attributes.findIndex(each => same(each, name, before));
      const line = base.attributes[old];
      if (line) attributes = restored(attributes, base, line, old);
    }
  }
  const { merged } = mergeObjects(base, { ...mine, attributes }, theirs, { prefer: 'mine' });
  // With a preferred side no conflict is left.
  return merged ?? mine;
}

/** Restores a line of the base after the nearest preceding line that still exists. */
function restored(attributes: readonly RpslAttribute[], base: RpslObject, line: RpslAttribute, at: number): RpslAttribute[] {
  for (let index = at - 1; index >= 0; index--) {
    const before = base.attributes[index];
    const place = before ? attributes.findIndex(each => same(each, before.name, before.value)) : -1;
    if (place >= 0) return attributes.toSpliced(place + 1, 0, line);
  }
  return [line, ...attributes];
}
