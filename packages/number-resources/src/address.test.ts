import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareAddresses, parseAddress, printAddress, printExpandedAddress } from './address.ts';
import { anyAddress } from '../arbitrary.ts';

const canonical = (text: string) => printAddress(parseAddress(text));

describe('an address', () => {
  it('is read back as what was printed', () => {
    fc.assert(
      fc.property(anyAddress, address => {
        expect(parseAddress(printAddress(address))).toEqual(address);
      }),
    );
    fc.assert(
      fc.property(anyAddress, address => {
        expect(parseAddress(printExpandedAddress(address))).toEqual(address);
      }),
    );
  });

  it('prints the same whatever form it came in', () => {
    fc.assert(
      fc.property(anyAddress, address => {
        const text = printAddress(address);
        expect(canonical(text.toUpperCase())).toBe(text);
        expect(canonical(printExpandedAddress(address))).toBe(text);
      }),
    );
  });

  it('is not repeated in full when a whole page was pasted for it', () => {
    expect(() => parseAddress('x'.repeat(5000))).toThrow(`${'x'.repeat(57)}... is not an address`);
  });

  it('sorts by number, never by text', () => {
    const sorted = ['192.0.2.10', '9.255.255.255', '192.0.2.9', '2001:db8::', '::1']
      .map(parseAddress)
      .sort(compareAddresses)
      .map(printAddress);
    expect(sorted).toEqual(['9.255.255.255', '192.0.2.9', '192.0.2.10', '::1', '2001:db8::']);
  });
});

describe('an IPv4 address', () => {
  it.each([
    ['0.0.0.0', 0n],
    ['192.0.2.1', 0xc0000201n],
    ['255.255.255.255', 0xffffffffn],
  ])('reads %s', (text, value) => expect(parseAddress(text)).toEqual({ family: 'ipv4', value }));

  it.each([
    ['', 'An address is missing'],
    ['192.0.2.256', '192.0.2.256 has the part 256; each part of an IPv4 address is 0 to 255'],
    ['192.0.2.010', '192.0.2.010 has a leading zero, which some programs read as octal; did you mean 192.0.2.10?'],
    ['192.0.2', '192.0.2 has 3 parts, an IPv4 address has four; did you mean 192.0.2.0?'],
    ['192.0.2.1.5', '192.0.2.1.5 has 5 parts, an IPv4 address has four'],
    ['3221225985', '3221225985 has 1 part, an IPv4 address has four'],
    ['0x7f.0.0.1', 'is not an address'],
    ['192.0.2.', 'is not an address'],
    ['.192.0.2.1', 'is not an address'],
    ['192..2.1', 'is not an address'],
    [' 192.0.2.1', 'is not an address'],
    ['192.0.2.1\n', 'is not an address'],
    ['-1.0.0.1', 'is not an address'],
    ['example.net', 'example.net is not an address. Enter one such as 192.0.2.1 or 2001:db8::1'],
  ])('refuses %j and says why', (text, reason) => expect(() => parseAddress(text)).toThrow(reason));
});

describe('an IPv6 address', () => {
  // RFC 4291 section 2.2, and RFC 5952 sections 4 and 5
  it.each([
    ['ABCD:EF01:2345:6789:ABCD:EF01:2345:6789', 'abcd:ef01:2345:6789:abcd:ef01:2345:6789'],
    ['2001:DB8:0:0:8:800:200C:417A', '2001:db8::8:800:200c:417a'],
    ['FF01:0:0:0:0:0:0:101', 'ff01::101'],
    ['0:0:0:0:0:0:0:1', '::1'],
    ['0:0:0:0:0:0:0:0', '::'],
    ['0:0:0:0:0:0:13.1.68.3', '::d01:4403'],
    ['0:0:0:0:0:FFFF:129.144.52.38', '::ffff:129.144.52.38'],
    ['::FFFF:129.144.52.38', '::ffff:129.144.52.38'],
    ['::ffff:c000:280', '::ffff:192.0.2.128'],
    ['2001:0db8::0001', '2001:db8::1'],
    ['2001:db8::2:1', '2001:db8::2:1'],
    ['2001:db8:0:0:0:0:2:1', '2001:db8::2:1'],
    ['2001:db8::1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['2001:0:0:1:0:0:0:1', '2001:0:0:1::1'],
    ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['0:0:1:0:0:0:0:0', '0:0:1::'],
    ['1:0:0:0:0:0:0:0', '1::'],
    ['1:2:3:4:5:6:7::', '1:2:3:4:5:6:7:0'],
    ['::2:3:4:5:6:7:8', '0:2:3:4:5:6:7:8'],
  ])('prints %s as %s', (text, printed) => expect(canonical(text)).toBe(printed));

  it('prints every digit when asked to', () => {
    expect(printExpandedAddress(parseAddress('2001:db8::1'))).toBe('2001:0db8:0000:0000:0000:0000:0000:0001');
  });

  it.each([
    ['fe80::1%eth0', 'ZONE_ID', 'fe80::1%eth0 has a zone id, which only means something on one machine; did you mean fe80::1?'],
    ['2001:db8::1::2', 'NOT_AN_ADDRESS', ':: can be used once'],
    ['2001:db8:::1', 'NOT_AN_ADDRESS', ':: can be used once'],
    ['2001:db8:12345::', 'NOT_AN_ADDRESS', 'has the group 12345; a group has at most four hexadecimal digits'],
    ['2001:db8::g', 'NOT_AN_ADDRESS', '"g" isn’t a hexadecimal digit'],
    ['[2001:db8::1]', 'NOT_AN_ADDRESS', '"[" isn’t a hexadecimal digit'],
    ['2001:db8:1', 'NOT_AN_ADDRESS', '2001:db8:1 has 3 groups, an IPv6 address has eight; did you mean 2001:db8:1::?'],
    ['1:2:3:4:5:6:7:8:9', 'NOT_AN_ADDRESS', 'has 9 groups, an IPv6 address has eight'],
    ['1:2:3:4:5:6:7:8::', 'NOT_AN_ADDRESS', 'leaves no room for zeros'],
    ['1:2:3:4::5:6:7:8', 'NOT_AN_ADDRESS', 'leaves no room for zeros'],
    [':1:2:3:4:5:6:7', 'NOT_AN_ADDRESS', 'begins or ends with a single colon'],
    ['1:2:3:4:5:6:7:', 'NOT_AN_ADDRESS', 'begins or ends with a single colon'],
    [':', 'NOT_AN_ADDRESS', 'begins or ends with a single colon'],
    ['::ffff:192.0.2.256', 'NOT_AN_ADDRESS', 'has the part 256'],
    ['::ffff:192.0.02.1', 'LEADING_ZERO', '192.0.02.1 has a leading zero'],
    ['::192.0.2.1:ffff', 'NOT_AN_ADDRESS', 'an embedded IPv4 address comes last'],
    ['1:2:3:4:5:6:7:192.0.2.1', 'NOT_AN_ADDRESS', 'has 9 groups'],
    ['2001:db8::1\n', 'NOT_AN_ADDRESS', 'isn’t a hexadecimal digit'],
  ])('refuses %j', (text, code, reason) => {
    expect(() => parseAddress(text)).toThrow(expect.objectContaining({ code, message: expect.stringContaining(reason) }));
  });

  it('never takes a text for more than it says: whatever is read prints to something that reads the same', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('0', '1', '2', 'a', 'b', 'f', ':', ':', '.'), maxLength: 20 }), text => {
        let address: ReturnType<typeof parseAddress>;
        try {
          address = parseAddress(text);
        } catch (error) {
          expect(error).toMatchObject({ name: 'ResourceSyntaxError' });
          return;
        }
        expect(parseAddress(printAddress(address))).toEqual(address);
      }),
      { numRuns: 1000 },
    );
  });
});
