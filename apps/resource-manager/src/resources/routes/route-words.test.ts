import { expect, it } from 'vitest';
import { roaWordsOf } from './route-words.ts';

it('a route without a ROA of its own that is valid is covered by another one, and lacks none', () => {
  expect(roaWordsOf({ roaState: 'off', validity: 'valid' }).word).toBe('Covered');
  for (const validity of ['invalid-asn', 'invalid-length', 'not-found', null] as const)
    expect(roaWordsOf({ roaState: 'off', validity }).word).toBe('None');
  expect(roaWordsOf({ roaState: 'missing', validity: 'valid' }).word).toBe('Missing');
});
