import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseObject, printObject } from './object.ts';
import { objectsOfText, ordersOfText, withoutOrder, withReasons } from './submission.ts';

const person = 'person:  Ann Example\nnic-hdl: AUTO-1\n';
const role = 'role:    Example NOC\nnic-hdl: AUTO-2\n';

test('the objects of a text are its paragraphs, with the line each begins at', () => {
  expect(objectsOfText(`${person}\n\n${role}`)).toEqual([
    { text: person, line: 1 },
    { text: role, line: 5 },
  ]);
});

test('a comment or an instruction to the server alone is no object', () => {
  expect(objectsOfText(`% This is a whois answer\n# of yesterday\n\npassword: secret\n\n${person}\ndry-run:\n`)).toEqual([
    { text: person, line: 6 },
  ]);
});

test('a mark at the start that says it is a text is no part of it', () => {
  expect(objectsOfText(`\ufeff${person}`)).toEqual([{ text: person, line: 1 }]);
});

test('instructions are found anywhere, with their line', () => {
  const text = `\ufeffPassword: secret\noverride: a\n\n${person}dry-run:\n\n${role}`;
  expect(objectsOfText(text).map(({ line }) => line)).toEqual([4, 8]);
  expect(ordersOfText(text)).toEqual([
    { order: 'password', line: 1 },
    { order: 'override', line: 2 },
    { order: 'dry-run', line: 6 },
  ]);
});

test('reasons precede the object as comments, one per line', () => {
  const text = withReasons(person, [
    { attribute: 'admin-c', message: 'There is no\nperson or role XX1-EX' },
    { attribute: null, message: 'You may not write it' },
  ]);
  expect(text).toBe(`# refused: admin-c: There is no person or role XX1-EX\n# refused: You may not write it\n${person}`);
  expect(objectsOfText(`${text}\n${role}`).map(each => parseObject(each.text).object?.class)).toEqual(['person', 'role']);
});

test('reasons of an earlier time go, comments of the person stay', () => {
  const again = withReasons(withReasons(`# for Ann\n${person}`, [{ attribute: 'phone', message: 'missing' }]), [
    { attribute: null, message: 'other' },
  ]);
  expect(again).toBe(`# refused: other\n# for Ann\n${person}`);
});

test('whatever the reasons say, the object reads the same', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ attribute: fc.option(fc.constant('e-mail')), message: fc.string({ unit: 'binary' }) })), reasons => {
      const read = parseObject(withReasons(person, reasons)).object!;
      const { before: _comments, ...object } = read;
      expect(printObject(object)).toBe(person);
    }),
  );
});

test('the lines of one instruction are taken out, and no others', () => {
  const text = `\ufeffDry-Run: yes\npassword: secret\n\n${person}dry-run:\n\n${role}remarks: dry-run:\n`;
  expect(withoutOrder(text, 'dry-run')).toBe(`password: secret\n\n${person}\n${role}remarks: dry-run:\n`);
  expect(ordersOfText(withoutOrder(text, 'dry-run'))).toEqual([{ order: 'password', line: 1 }]);
  expect(withoutOrder(person, 'dry-run')).toBe(person);
});
