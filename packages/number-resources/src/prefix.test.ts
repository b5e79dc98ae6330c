import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyPrefix } from '../arbitrary.ts';
import { addressBits } from './family.ts';
import {
  bitLength,
  childPrefix,
  childPrefixes,
  countChildren,
  neighbourPrefix,
  netmaskLength,
  parentPrefix,
  parsePrefix,
  prefixAt,
  printPrefix,
} from './prefix.ts';
import { containsRange } from './range.ts';

describe('a prefix', () => {
  it('is read back as what was printed', () => {
    fc.assert(
      fc.property(anyPrefix, prefix => {
        expect(parsePrefix(printPrefix(prefix))).toEqual(prefix);
      }),
    );
  });

  it.each([
    ['192.0.2.0/24', '192.0.2.0/24'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['192.0.2.1/32', '192.0.2.1/32'],
    ['2001:0DB8::/32', '2001:db8::/32'],
    ['::/0', '::/0'],
    ['2001:db8:0:0:0:0:0:0/48', '2001:db8::/48'],
  ])('reads %s', (text, printed) => expect(printPrefix(parsePrefix(text))).toBe(printed));

  it.each([
    ['192.0.2.1/24', 'HOST_BITS_SET', '192.0.2.1/24 has host bits set; did you mean 192.0.2.0/24?'],
    ['2001:db8::1/32', 'HOST_BITS_SET', '2001:db8::1/32 has host bits set; did you mean 2001:db8::/32?'],
    ['192.0.2.0', 'PREFIX_LENGTH', '192.0.2.0 has no prefix length; did you mean 192.0.2.0/32?'],
    ['192.0.2.0/', 'PREFIX_LENGTH', '192.0.2.0/ needs a prefix length from 0 to 32 after the slash'],
    ['192.0.2.0/33', 'PREFIX_LENGTH', '192.0.2.0/33 needs a prefix length from 0 to 32 after the slash'],
    ['2001:db8::/129', 'PREFIX_LENGTH', '2001:db8::/129 needs a prefix length from 0 to 128 after the slash'],
    ['192.0.2.0/024', 'PREFIX_LENGTH', 'did you mean 192.0.2.0/24?'],
    ['192.0.2.7/255.255.255.0', 'PREFIX_LENGTH', 'did you mean 192.0.2.0/24?'],
    ['192.0.2.0/255.0.255.0', 'PREFIX_LENGTH', 'after the slash'],
    ['192.0.2.0/+24', 'PREFIX_LENGTH', 'after the slash'],
    ['192.0.2.0/24/24', 'PREFIX_LENGTH', 'after the slash'],
    ['192.0.2.0 /24', 'NOT_AN_ADDRESS', 'is not an address'],
    ['10/8', 'NOT_AN_ADDRESS', '10/8 has a shortened IPv4 address; did you mean 10.0.0.0/8?'],
    ['203.0.113/24', 'NOT_AN_ADDRESS', 'did you mean 203.0.113.0/24?'],
    ['300/8', 'NOT_AN_ADDRESS', '300 has 1 part, an IPv4 address has four'],
    ['/24', 'EMPTY', 'An address is missing'],
  ])('refuses %j', (text, code, reason) => {
    expect(() => parsePrefix(text)).toThrow(expect.objectContaining({ code, message: expect.stringContaining(reason) }));
  });

  it('offers a suggestion that is itself right', () => {
    fc.assert(
      fc.property(anyPrefix, fc.bigInt({ min: 0n, max: 1n << 128n }), (prefix, noise) => {
        const address = prefix.first | (noise & (prefix.last - prefix.first));
        fc.pre(address !== prefix.first);
        const text = printPrefix({ ...prefix, first: address });
        expect(() => parsePrefix(text)).toThrow(expect.objectContaining({ code: 'HOST_BITS_SET', suggestion: printPrefix(prefix) }));
      }),
    );
  });

  it('is inside every one of its parents, and is one of the children of each', () => {
    fc.assert(
      fc.property(anyPrefix, fc.nat(128), (prefix, up) => {
        const parent = parentPrefix(prefix, Math.max(0, prefix.length - up));
        expect(containsRange(parent, prefix)).toBe(true);
        const index = (prefix.first - parent.first) / (prefix.last - prefix.first + 1n);
        expect(childPrefix(parent, prefix.length, index)).toEqual(prefix);
      }),
    );
  });

  it('is filled by its children, in order and without gaps', () => {
    fc.assert(
      fc.property(anyPrefix, fc.nat(6), (prefix, down) => {
        const length = Math.min(prefix.length + down, addressBits(prefix.family));
        const children = [...childPrefixes(prefix, length)];
        expect(BigInt(children.length)).toBe(countChildren(prefix, length));
        expect(children[0]?.first).toBe(prefix.first);
        expect(children.at(-1)?.last).toBe(prefix.last);
        for (const [index, child] of children.slice(1).entries()) expect(child.first).toBe((children[index]?.last ?? 0n) + 1n);
      }),
    );
  });

  it('makes children only as they are asked for', () => {
    const [first] = childPrefixes(parsePrefix('2001:db8::/32'), 128);
    expect(first && printPrefix(first)).toBe('2001:db8::/128');
    expect(countChildren(parsePrefix('2001:db8::/32'), 64)).toBe(4294967296n);
    expect(printPrefix(childPrefix(parsePrefix('2001:db8::/32'), 36, 8n))).toBe('2001:db8:8000::/36');
  });

  it('has neighbours until the address space ends', () => {
    const neighbour = (text: string, steps: bigint) => {
      const found = neighbourPrefix(parsePrefix(text), steps);
      return found && printPrefix(found);
    };
    expect(neighbour('192.0.2.0/24', 1n)).toBe('192.0.3.0/24');
    expect(neighbour('192.0.2.0/24', -3n)).toBe('191.255.255.0/24');
    expect(neighbour('255.255.255.0/24', 1n)).toBeUndefined();
    expect(neighbour('::/16', -1n)).toBeUndefined();
    expect(neighbour('::/0', 1n)).toBeUndefined();
  });

  it('refuses lengths and children that cannot be', () => {
    const prefix = parsePrefix('192.0.2.0/24');
    expect(() => prefixAt('ipv4', 0n, 33)).toThrow('IPv4 has no prefix length 33');
    expect(() => prefixAt('ipv6', 0n, -1)).toThrow(RangeError);
    expect(() => prefixAt('ipv6', 0n, 1.5)).toThrow(RangeError);
    expect(() => parentPrefix(prefix, 25)).toThrow('A parent of a /24 is no /25');
    expect(() => parentPrefix(parsePrefix('::/0'))).toThrow(RangeError);
    expect(() => childPrefix(prefix, 26, 4n)).toThrow('192.0.2.0/24 has no /26 number 4');
    expect(() => childPrefix(prefix, 20, 0n)).toThrow(RangeError);
  });
});

describe('bits and masks', () => {
  it('counts binary digits', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 1n << 130n }), value => {
        expect(bitLength(value)).toBe(value.toString(2).length);
      }),
    );
    expect(bitLength(0n)).toBe(0);
  });

  it.each([
    ['255.255.255.0', 24],
    ['255.255.255.255', 32],
    ['0.0.0.0', 0],
    ['255.0.255.0', undefined],
    ['0.0.0.255', undefined],
    ['255.255.255', undefined],
  ])('reads the mask %s as length %s', (mask, length) => expect(netmaskLength(mask)).toBe(length));
});
