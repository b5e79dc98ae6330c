import { expect, it } from 'vitest';
import { guard } from './guard.ts';

const yesNo = [true, false];

it('a public page is always allowed', () => {
  for (const issuerKnown of yesNo)
    for (const authenticated of yesNo)
      for (const storedUser of [true, false, undefined])
        expect(guard({ isPublic: true, issuerKnown, authenticated, ...(storedUser === undefined ? {} : { storedUser }) })).toBe('allow');
});

it.each([
  ['waits until the issuer is known', { issuerKnown: false, authenticated: true }, 'wait'],
  ['lets an authenticated person in', { issuerKnown: true, authenticated: true }, 'allow'],
  ['looks for a stored user before anything else', { issuerKnown: true, authenticated: false }, 'look'],
  ['lets a stored user in', { issuerKnown: true, authenticated: false, storedUser: true }, 'allow'],
  ['starts sign-in when there is none', { issuerKnown: true, authenticated: false, storedUser: false }, 'sign-in'],
] as const)('%s', (_, arriving, verdict) => {
  expect(guard({ isPublic: false, ...arriving })).toBe(verdict);
});
