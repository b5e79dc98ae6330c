import { expect, test } from 'vitest';
import { worstOf } from './worst-routes.ts';

test('names the invalid announcements that most peers see, five at most, with the reason', () => {
  const invalid = [3, 331, 12, 7, 290, 5].map(peers => ({ prefix: '198.18.30.0/24', asn: 64496, peers, validity: 'invalid-asn' as const }));
  const worst = worstOf([
    { prefix: '198.18.0.0/19', asn: 64500, peers: 400, validity: 'valid' },
    { prefix: '203.0.113.0/24', asn: 64500, peers: 399, validity: 'not-found' },
    { prefix: '198.18.40.0/24', asn: 64500, peers: 300, validity: 'invalid-length' },
    ...invalid,
  ]);
  expect(worst.map(({ peers }) => peers)).toEqual([331, 300, 290, 12, 7]);
  expect(worst[1]).toEqual({ prefix: '198.18.40.0/24', asn: 64500, why: 'invalid-length', peers: 300 });
});
