import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { acrOf } from '../../../config.ts';
import { proven } from './proven.ts';

describe('the proof of a sign-in', () => {
  test.each([
    [['pwd'], ['pwd'], '1fa'],
    [['pwd', 'otp'], ['pwd', 'otp', 'mfa'], 'mfa'],
    [['pwd', 'rc'], ['pwd', 'rc', 'mfa'], 'mfa'],
    [['hwk', 'user'], ['hwk', 'user', 'mfa'], 'mfa'],
    [['pwd', 'swk', 'user'], ['pwd', 'swk', 'user', 'mfa'], 'mfa'],
    // Two things a person has are one kind.
    [['otp', 'rc'], ['otp', 'rc'], '1fa'],
    [['hwk'], ['hwk'], '1fa'],
    [['pwd', 'pwd'], ['pwd'], '1fa'],
    [[], [], '1fa'],
  ] as const)('%j gives %j', (methods, amr, level) => {
    expect(proven(methods)).toEqual({ amr, acr: acrOf(level) });
  });

  test('a method that was only claimed doesn’t count as a second factor', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constantFrom('mfa', 'pwd', 'toString', '__proto__', 'constructor'), fc.string())), methods => {
        const { amr } = proven(methods.filter(method => !['otp', 'rc', 'hwk', 'swk', 'user'].includes(method)));
        expect(amr.filter(method => method !== 'pwd')).toEqual([]);
      }),
    );
  });
});
