import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countUpTo, ipv6BlocksOf, type VotingTier, votingTierOf as tierOf } from './voting-tiers.ts';

const tiers: VotingTier[] = [
  { name: 'Associate', ipv4: 'none', ipv6: 'none', votes: 1 },
  { name: 'Very small', ipv4: '/22', ipv6: '/35', votes: 2 },
  { name: 'Small', ipv4: '/19', ipv6: '/32', votes: 4 },
  { name: 'Medium', ipv4: '/16', ipv6: '/29', votes: 8 },
  { name: 'Large', ipv4: '/13', ipv6: '/26', votes: 16 },
  { name: 'Very large', ipv4: '/10', ipv6: '/23', votes: 32 },
  { name: 'Extra large', ipv4: 'any', ipv6: 'any', votes: 64 },
];
const votingTierOf = (held: Parameters<typeof tierOf>[1]): VotingTier => tierOf(tiers, held);

/** Blocks of /56 in a prefix of IPv6. */
const blocksIn = (length: number): bigint => 1n << BigInt(56 - length);

describe('votes by holdings', () => {
  test.each([
    ['nothing', 0n, 0n, 1],
    ['one address', 1n, 0n, 2],
    ['256 addresses', 256n, 0n, 2],
    ['a /22', 1024n, 0n, 2],
    ['one address more than a /22', 1025n, 0n, 4],
    ['1280 addresses', 1280n, 0n, 4],
    ['a /19', 8192n, 0n, 4],
    ['one address more than a /19', 8193n, 0n, 8],
    ['a /16', 65_536n, 0n, 8],
    ['one address more than a /16', 65_537n, 0n, 16],
    ['a /13', 524_288n, 0n, 16],
    ['one address more than a /13', 524_289n, 0n, 32],
    ['a /10', 4_194_304n, 0n, 32],
    ['one address more than a /10', 4_194_305n, 0n, 64],
    ['a /48 of IPv6', 0n, blocksIn(48), 2],
    ['a /35 of IPv6', 0n, blocksIn(35), 2],
    ['a /34 of IPv6', 0n, blocksIn(34), 4],
    ['a /22 and a /32 of IPv6: the larger counts', 1024n, blocksIn(32), 4],
    ['a /32 of IPv6', 0n, blocksIn(32), 4],
    ['a /32 and a /56 of IPv6', 0n, blocksIn(32) + 1n, 8],
    ['a /29 of IPv6', 0n, blocksIn(29), 8],
    ['a /28 of IPv6', 0n, blocksIn(28), 16],
    ['a /26 of IPv6', 0n, blocksIn(26), 16],
    ['a /25 of IPv6', 0n, blocksIn(25), 32],
    ['a /23 of IPv6', 0n, blocksIn(23), 32],
    ['a /22 of IPv6', 0n, blocksIn(22), 64],
  ])('%s', (_what, ipv4Addresses, ipv6Blocks, votes) => {
    expect(votingTierOf({ ipv4Addresses, ipv6Blocks }).votes).toBe(votes);
  });

  test('another registry has other tiers, and a tier without a limit for a family has none', () => {
    const two = [
      { name: 'Small', ipv4: '/20', ipv6: 'any', votes: 1 },
      { name: 'Large', ipv4: 'any', ipv6: 'any', votes: 3 },
    ];
    expect(tierOf(two, { ipv4Addresses: 4096n, ipv6Blocks: 1n << 56n }).name).toBe('Small');
    expect(tierOf(two, { ipv4Addresses: 4097n, ipv6Blocks: 0n }).name).toBe('Large');
    expect([countUpTo('ipv4', 'none'), countUpTo('ipv4', '/24'), countUpTo('ipv6', '/48'), countUpTo('ipv6', 'any')]).toEqual([
      0n,
      256n,
      256n,
      null,
    ]);
  });

  const holding = fc.record({ ipv4Addresses: fc.bigInt(0n, 1n << 24n), ipv6Blocks: fc.bigInt(0n, 1n << 35n) });
  test('a larger holding never has fewer votes', () => {
    fc.assert(
      fc.property(holding, holding, (some, more) => {
        const both = { ipv4Addresses: some.ipv4Addresses + more.ipv4Addresses, ipv6Blocks: some.ipv6Blocks + more.ipv6Blocks };
        expect(votingTierOf(both).votes).toBeGreaterThanOrEqual(votingTierOf(some).votes);
      }),
    );
  });
  test('the family with the larger tier decides alone', () => {
    fc.assert(
      fc.property(holding, ({ ipv4Addresses, ipv6Blocks }) => {
        const alone = [votingTierOf({ ipv4Addresses, ipv6Blocks: 0n }), votingTierOf({ ipv4Addresses: 0n, ipv6Blocks })];
        expect(votingTierOf({ ipv4Addresses, ipv6Blocks }).votes).toBe(Math.max(...alone.map(({ votes }) => votes)));
      }),
    );
  });
});

test('addresses of IPv6 are counted in blocks of /56, rounded up', () => {
  expect(ipv6BlocksOf(0n)).toBe(0n);
  expect(ipv6BlocksOf(1n)).toBe(1n);
  expect(ipv6BlocksOf(1n << 72n)).toBe(1n);
  expect(ipv6BlocksOf((1n << 72n) + 1n)).toBe(2n);
  expect(ipv6BlocksOf(1n << 96n)).toBe(1n << 24n);
});
