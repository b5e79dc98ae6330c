import { mergeObjects, parseObject, printObject, type RpslObject } from '@portal/rpsl';
import { expect, test } from 'vitest';
import { mergeByChoice, type Side } from './merge-choice.ts';

const lines = ['person: Tess', 'address: Level 3', 'phone: +61 7', 'e-mail: tess@example.net', 'nic-hdl: TL1-EX', 'source: EXAMPLE'];
const read = (all: readonly string[]): RpslObject => parseObject(`${all.join('\n')}\n`).object as RpslObject;
const base = read(lines);

function merged(mine: readonly string[], theirs: readonly string[], choices: readonly Side[]): string[] {
  const [my, their] = [read(mine), read(theirs)];
  const { conflicts } = mergeObjects(base, my, their);
  expect(conflicts).toHaveLength(choices.length);
  return printObject(mergeByChoice(base, my, their, { conflicts, choices }))
    .trimEnd()
    .split('\n');
}

test('each line that both changed is decided for one side, all other changes are merged', () => {
  const mine = lines.with(1, 'address: Level 4').with(2, 'phone: +61 8').with(3, 'e-mail: mine@example.net');
  const theirs = lines.with(1, 'address: Level 5').with(2, 'phone: +61 9').toSpliced(5, 0, 'remarks: theirs');
  expect(merged(mine, theirs, ['mine', 'theirs'])).toEqual([
    'person: Tess',
    'address: Level 4',
    'phone: +61 9',
    'e-mail: mine@example.net',
    'nic-hdl: TL1-EX',
    'remarks: theirs',
    'source: EXAMPLE',
  ]);
});

test('a line that one side removed and the other changed is restored with the change, or removed', () => {
  const without = lines.toSpliced(2, 1);
  const changed = lines.with(2, 'phone: +61 9');
  expect(merged(without, changed, ['theirs'])).toEqual(changed);
  expect(merged(without, changed, ['mine'])).toEqual(without);
  expect(merged(changed, without, ['theirs'])).toEqual(without);
});

test('if both added a single-valued attribute, the chosen one remains', () => {
  const network = ['inetnum: 192.0.2.0 - 192.0.2.255', 'netname: TEST', 'source: EXAMPLE'];
  const mine = read(network.toSpliced(2, 0, 'org: ORG-A1-EX'));
  const theirs = read(network.toSpliced(2, 0, 'org: ORG-B1-EX'));
  const { conflicts } = mergeObjects(read(network), mine, theirs);
  expect(conflicts).toEqual([{ attribute: 'org', base: null, mine: 'ORG-A1-EX', theirs: 'ORG-B1-EX' }]);
  const after = (side: Side) => printObject(mergeByChoice(read(network), mine, theirs, { conflicts, choices: [side] }));
  expect(after('theirs')).toBe(printObject(theirs));
  expect(after('mine')).toBe(printObject(mine));
});
