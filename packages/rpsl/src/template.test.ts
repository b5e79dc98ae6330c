import { describe, expect, it } from 'vitest';
import { findAttribute } from './attributes.ts';
import { classNames, findClass } from './classes.ts';
import { handlePrefix, parseAutoHandle } from './syntax/handles.ts';
import { template } from './template.ts';

describe('the template of a class', () => {
  it('is a table with a line for each attribute', () => {
    expect(template('route', { verbose: false }).split('\n').slice(0, 3)).toEqual([
      'route:          [mandatory]  [single]     [primary/look-up key]',
      'descr:          [mandatory]  [multiple]   [ ]',
      'origin:         [mandatory]  [single]     [primary/inverse key]',
    ]);
  });

  it('explains each attribute when asked', () => {
    for (const className of classNames) {
      const text = template(className, { verbose: true });
      expect(text).toContain(template(className, { verbose: false }));
      expect(Math.max(...text.split('\n').map(line => line.length))).toBeLessThan(80);
    }
  });
});

describe('names people type', () => {
  it('may be short and in any case', () => {
    expect([findAttribute('MB'), findAttribute('Mnt-By'), findAttribute('xx')]).toEqual(['mnt-by', 'mnt-by', undefined]);
    expect([findClass('INETNUM')?.name, findClass('in')?.name, findClass('mb')]).toEqual(['inetnum', 'inetnum', undefined]);
  });
});

describe('a handle made by the server', () => {
  it.each([
    ['Jo van der Example Smith', 'JVDE'],
    ['Example', 'EX'],
    ['Élan Ünal', 'EU'],
    ['1st 2nd', 'SN'],
    ['山田', 'XX'],
    ['A', 'AX'],
  ])('has letters of %s: %s', (name, letters) => expect(handlePrefix(name)).toBe(letters));

  it('is asked for by AUTO and a number', () => {
    expect(parseAutoHandle('auto-12jd')).toEqual({ number: 12, letters: 'JD' });
    expect(parseAutoHandle('AUTO-1')).toEqual({ number: 1, letters: null });
    expect(['AUTO', 'AUTO-', 'AUTO-1J', 'AUTO-1ABCDE'].map(parseAutoHandle)).toEqual([null, null, null, null]);
  });
});
