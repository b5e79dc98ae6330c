import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareObjects, lineIdentity } from './compare.ts';
import { mergeObjects } from './merge.ts';
import { objectOf, type RpslObject } from './object.ts';

type Line = [string, string];

const base: Line[] = [
  ['aut-num', 'AS64500'],
  ['as-name', 'EXAMPLE'],
  ['import', 'from AS1 accept AS1'],
  ['import', 'from AS2 accept AS2'],
  ['admin-c', 'JE1-EX'],
  ['mnt-by', 'MAINT-A'],
  ['last-modified', '2026-01-01T00:00:00Z'],
  ['source', 'EXAMPLE'],
];
const change = (edit: (lines: Line[]) => void): RpslObject => {
  const lines = base.map(([name, value]): Line => [name, value]);
  edit(lines);
  return objectOf(lines);
};
const printed = (object: RpslObject | null) => object?.attributes.map(lineIdentity);
const anyObject = fc
  .array(fc.tuple(fc.constantFrom('descr', 'remarks', 'import'), fc.constantFrom('a', 'b', 'c', 'd')), { maxLength: 12 })
  .map(lines => objectOf([['aut-num', 'AS1'], ...lines]));

describe('the difference of two versions', () => {
  it('is found line by line', () => {
    const changes = compareObjects(
      objectOf(base),
      change(lines => {
        lines[1] = ['as-name', 'RENAMED'];
        lines.splice(3, 1);
        lines.splice(4, 0, ['tech-c', 'JE1-EX']);
      }),
    );
    expect(
      changes
        .filter(one => one.change !== 'kept')
        .map(one => `${one.change} ${one.attribute} ${one.before?.value ?? ''} > ${one.after?.value ?? ''}`),
    ).toEqual(['changed as-name EXAMPLE > RENAMED', 'removed import from AS2 accept AS2 > ', 'added tech-c  > JE1-EX']);
  });

  it('holds both versions whole and in order', () => {
    fc.assert(
      fc.property(anyObject, anyObject, (before, after) => {
        const changes = compareObjects(before, after);
        expect(changes.flatMap(one => one.before ?? [])).toEqual(before.attributes);
        expect(changes.flatMap(one => one.after ?? [])).toEqual(after.attributes);
        for (const { change, before: one, after: other } of changes) {
          if (one && other) expect([one.name, lineIdentity(one) === lineIdentity(other)]).toEqual([other.name, change === 'kept']);
          else expect(change).toBe(one ? 'removed' : 'added');
        }
      }),
    );
  });

  it('of equal versions is empty, whatever their blanks', () => {
    fc.assert(fc.property(anyObject, object => compareObjects(object, object).every(one => one.change === 'kept')));
  });

  it('of twenty thousand lines is complete too', () => {
    const long = (offset: number) =>
      objectOf(Array.from({ length: 20_000 }, (_, i): Line => ['members', `AS${(i * 7919 + offset) % 20_011}`]));
    const changes = compareObjects(long(0), long(1));
    expect(changes.filter(one => one.change === 'kept').length).toBeGreaterThan(100);
    expect(changes.flatMap(one => one.after ?? [])).toHaveLength(20_000);
  });
});

describe('two changes of one object', () => {
  it('are put together where they touch different lines', () => {
    const { merged, conflicts } = mergeObjects(
      objectOf(base),
      change(lines => {
        lines[1] = ['as-name', 'MINE'];
        lines.splice(3, 1);
        lines.push(['remarks', 'from both'], ['remarks', 'mine']);
      }),
      change(lines => {
        lines[2] = ['import', 'from AS1 accept ANY'];
        lines[6] = ['last-modified', '2026-02-02T00:00:00Z'];
        lines.splice(6, 0, ['mnt-by', 'MAINT-B']);
        lines.push(['remarks', 'from both']);
      }),
    );
    expect(conflicts).toEqual([]);
    expect(printed(merged)).toEqual([
      'aut-num:AS64500',
      'as-name:MINE',
      'import:from AS1 accept ANY',
      'admin-c:JE1-EX',
      'mnt-by:MAINT-A',
      'mnt-by:MAINT-B',
      'last-modified:2026-02-02T00:00:00Z',
      'source:EXAMPLE',
      'remarks:from both',
      'remarks:mine',
    ]);
  });

  it('conflict where they change one line in two ways, or one takes it out', () => {
    const mine = change(lines => {
      lines[1] = ['as-name', 'MINE'];
      lines.splice(3, 1);
      lines.splice(6, 0, ['org', 'ORG-ME1-EX']);
    });
    const theirs = change(lines => {
      lines[1] = ['as-name', 'THEIRS'];
      lines[3] = ['import', 'from AS2 accept ANY'];
      lines.unshift(['org', 'ORG-TH1-EX']);
    });
    expect(mergeObjects(objectOf(base), mine, theirs)).toEqual({
      merged: null,
      conflicts: [
        { attribute: 'as-name', base: 'EXAMPLE', mine: 'MINE', theirs: 'THEIRS' },
        { attribute: 'import', base: 'from AS2 accept AS2', mine: null, theirs: 'from AS2 accept ANY' },
        { attribute: 'org', base: null, mine: 'ORG-ME1-EX', theirs: 'ORG-TH1-EX' },
      ],
    });
    const decided = printed(mergeObjects(objectOf(base), mine, theirs, { prefer: 'theirs' }).merged);
    expect(decided).toEqual(expect.arrayContaining(['as-name:THEIRS', 'import:from AS2 accept ANY', 'org:ORG-TH1-EX']));
    expect(decided).not.toContain('org:ORG-ME1-EX');
    expect(printed(mergeObjects(objectOf(base), mine, theirs, { prefer: 'mine' }).merged)).toEqual(
      expect.arrayContaining(['as-name:MINE', 'org:ORG-ME1-EX']),
    );
  });

  it('are one change when they are the same', () => {
    fc.assert(
      fc.property(anyObject, anyObject, (before, after) => {
        expect(printed(mergeObjects(before, after, after).merged)).toEqual(printed(after));
      }),
    );
  });

  it('are the other change when one side changed nothing', () => {
    fc.assert(
      fc.property(anyObject, anyObject, (before, after) => {
        expect(printed(mergeObjects(before, before, after).merged)).toEqual(printed(after));
        expect(printed(mergeObjects(before, after, before).merged)).toEqual(printed(after));
      }),
    );
  });

  it('lose nothing either side added', () => {
    fc.assert(
      fc.property(anyObject, anyObject, anyObject, (before, mine, theirs) => {
        const { merged, conflicts } = mergeObjects(before, mine, theirs);
        expect(merged === null).toBe(conflicts.length > 0);
        const was = new Set(printed(before));
        for (const line of [...(printed(mine) ?? []), ...(printed(theirs) ?? [])])
          if (merged && !was.has(line)) expect(printed(merged)).toContain(line);
      }),
    );
  });
});
