import { expect, test } from 'vitest';
import { initialsOf } from './initials.ts';

test.each([
  ['Ola Brandt', 'OB'],
  ['  Ana   de la  Cruz ', 'AC'],
  ['ravi', 'R'],
  ['𝒜da 𝓑yron', '𝒜𝓑'],
  ['', ''],
])('the initials of %j are %j', (name, initials) => expect(initialsOf(name)).toBe(initials));
