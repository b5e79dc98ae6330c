import { classNames, exampleObject, formatObject, parseObject } from '@portal/rpsl';
import { describe, expect, test } from 'vitest';
import {
  addAttribute,
  completionKind,
  fieldValue,
  findingsOf,
  lockedLines,
  newText,
  placeAt,
  removeAttribute,
  setValue,
  findingsWhileFilling,
  reverseZoneOf,
} from './object-text.ts';

const text = `% pasted
Person:  Tess Lindqvist   # since 2019
address:        Level 3
+
                Brisbane
phone:\t+61 7 5550 0100
*nh: TL1-EX
mnt-by: MAINT-AU-EXAMPLE
source:         EXAMPLE
`;

describe('a field of the form', () => {
  test('changes its own lines and leaves all others untouched', () => {
    expect(setValue(text, 2, '+61 7 5550 0101')).toBe(text.replace('phone:\t+61 7 5550 0100', 'phone:          +61 7 5550 0101'));
    expect(setValue(text, 0, 'Tess L Lindqvist')).toContain('# since 2019');
  });

  test('shows continuation lines as lines and writes them as such', () => {
    const address = parseObject(text).object?.attributes[1];
    expect(address && fieldValue(address)).toBe('Level 3\n\nBrisbane');
    expect(setValue(text, 1, 'Level 4\n\nBrisbane')).toBe(text.replace('Level 3', 'Level 4'));
  });

  test('keeps the short name an attribute was written with', () => {
    expect(setValue(text, 3, 'TL2-EX')).toContain('*nh:');
    expect(parseObject(setValue(text, 3, 'TL2-EX')).object?.attributes[3]).toMatchObject({ name: 'nic-hdl', value: 'TL2-EX' });
  });

  test('cannot write another attribute', () => {
    const { object } = parseObject(setValue(text, 2, '1\nsource: OTHER'));
    expect(object?.attributes).toHaveLength(6);
  });

  test.each(classNames)('saving the shown value changes nothing significant in a %s', name => {
    const object = exampleObject(name, { full: true });
    const before = formatObject(object);
    for (const [index, attribute] of (parseObject(before).object?.attributes ?? []).entries())
      expect(
        parseObject(setValue(before, index, fieldValue(attribute))).object?.attributes.map(({ name: each, value }) => `${each}:${value}`),
      ).toEqual(object.attributes.map(({ name: each, value }) => `${each}:${value}`));
  });
});

test('a new attribute is inserted in template order, and can be removed without a trace', () => {
  const { text: more, index } = addAttribute(text, 'e-mail', 'tess@example.net');
  expect(parseObject(more).object?.attributes.map(({ name }) => name)).toEqual([
    'person',
    'address',
    'phone',
    'e-mail',
    'nic-hdl',
    'mnt-by',
    'source',
  ]);
  expect(removeAttribute(more, index)).toBe(text);
});

test.each(classNames)('a new %s has no errors except fields still to be filled in', name => {
  const known = { maintainer: 'MAINT-AU-EXAMPLE', country: 'AU', contact: 'TL1-EX', irt: 'IRT-AU-EXAMPLE', source: 'EXAMPLE' };
  const wrong = findingsOf(newText(name, known), 'create').filter(({ severity }) => severity === 'error');
  expect(wrong.filter(({ code }) => code === 'attribute-missing')).toEqual([]);
});

test('a new object has no errors before it is filled in, except for wrong values', () => {
  const initial = newText('route', { maintainer: 'MAINT-AU-EXAMPLE', country: 'AU', contact: 'TL1-EX', irt: null, source: 'EXAMPLE' });
  const errors = (now: string) =>
    findingsWhileFilling(findingsOf(now, 'create'), now, initial)
      .filter(({ severity }) => severity === 'error')
      .map(({ attribute }) => attribute);
  expect(findingsOf(initial, 'create').length).toBeGreaterThan(0);
  expect(errors(initial)).toEqual([]);
  expect(errors(initial.replace(/^route: *$/m, 'route: nonsense'))).toEqual(['route']);
  // An initial attribute that was removed counts as missing.
  expect(errors(initial.replace(/(mnt-by: *)MAINT-AU-EXAMPLE/, '$1'))).toEqual(['mnt-by']);
});

test('the only irt of an account is filled in for a new network', () => {
  const known = { maintainer: 'MAINT-AU-EXAMPLE', country: 'AU', contact: 'TL1-EX', source: 'EXAMPLE' };
  expect(newText('inetnum', { ...known, irt: 'IRT-AU-EXAMPLE' })).toMatch(/^mnt-irt: +IRT-AU-EXAMPLE$/m);
  expect(newText('inetnum', { ...known, irt: null })).toMatch(/^mnt-irt: *$/m);
});

test.each([
  ['198.18.12.0/24', '12.18.198.in-addr.arpa'],
  [' 198.18.0.0/16 ', '18.198.in-addr.arpa'],
  ['198.18.12.128/25', '128-255.12.18.198.in-addr.arpa'],
  ['2001:db8::/32', '8.b.d.0.1.0.0.2.ip6.arpa'],
  ['198.18.12.0/23', null],
  ['198.18.12.1/24', null],
  ['12.18.198.in-addr.arpa', null],
  ['', null],
])('the reverse zone of %j is %j', (prefix, zone) => {
  expect(reverseZoneOf(prefix)).toBe(zone);
});

test('all errors are reported together, each at its line', () => {
  const wrong = findingsOf(text.replace('+61 7 5550 0100', 'none').replace('TL1-EX', 'no handle'), 'modify');
  expect(wrong.filter(({ severity }) => severity === 'error').map(({ line, attribute }) => [line, attribute])).toEqual(
    expect.arrayContaining([
      [6, 'phone'],
      [7, 'nic-hdl'],
      [null, null],
    ]),
  );
});

test('the key, the source and what the registry keeps are locked', () => {
  expect([...lockedLines(text, { isNew: false, changeable: null })]).toEqual([7, 9]);
  expect([...lockedLines(text, { isNew: true, changeable: null })]).toEqual([9]);
  expect([...lockedLines(text, { isNew: false, changeable: ['address', 'phone'] })]).toEqual([2, 7, 8, 9]);
});

test('names of other objects are completed at the caret, other values are not', () => {
  const at = text.indexOf('MAINT-AU') + 5;
  expect(placeAt(text, at)).toEqual({ name: 'mnt-by', word: 'MAINT', from: at - 5 });
  expect(placeAt(text, text.indexOf('phone') + 2)).toBeNull();
  expect(['admin-c', 'mnt-by', 'mnt-irt', 'org', 'members', 'origin', 'descr'].map(completionKind)).toEqual([
    'contact',
    'maintainer',
    'irt',
    'organisation',
    'set',
    'as-number',
    null,
  ]);
});
