import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyRange } from '../arbitrary.ts';
import { isRefused, readResource, readResources } from './input.ts';
import { compareResources, printResource } from './resource.ts';

const values = (text: string) => readResources(text).items.map(item => (isRefused(item) ? `refused: ${item.error.message}` : item.value));

describe('a pasted list', () => {
  it.each([
    ['one per line', '192.0.2.0/24\n2001:db8::/32\r\nAS64500\n', ['192.0.2.0/24', '2001:db8::/32', 'AS64500']],
    ['commas', '192.0.2.0/24,198.51.100.0/24, AS64500', ['192.0.2.0/24', '198.51.100.0/24', 'AS64500']],
    ['semicolons', '192.0.2.0/24; 198.51.100.0/24;', ['192.0.2.0/24', '198.51.100.0/24']],
    ['blanks and tabs', '192.0.2.0/24 198.51.100.0/24\t2001:db8::/32', ['192.0.2.0/24', '198.51.100.0/24', '2001:db8::/32']],
    [
      'ideographic marks',
      '192.0.2.0/24、198.51.100.0/24，203.0.113.0/24；AS64500',
      ['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24', 'AS64500'],
    ],
    ['nothing', ' \n\t\n,;\n', []],
  ])('may be separated by %s', (_name, text, read) => expect(values(text)).toEqual(read));

  it.each([
    [
      'full-width digits and letters',
      '１９２．０．２．０／２４ ＡＳ６４５００ ２００１：ｄｂ８：：／３２',
      ['192.0.2.0/24', 'AS64500', '2001:db8::/32'],
    ],
    ['ideographic full stops', '192。0。2。0/24', ['192.0.2.0/24']],
    ['final dots', '192.0.2.0/24. 192.0.2.1. AS64500.', ['192.0.2.0/24', '192.0.2.1/32', 'AS64500']],
    ['capitals and their absence', '2001:DB8::/32 as64500 aS64501', ['2001:db8::/32', 'AS64500', 'AS64501']],
    [
      'typographic dashes',
      '192.0.2.0 – 192.0.2.255\n192.0.2.0—192.0.2.255\n192.0.2.0−192.0.2.127',
      ['192.0.2.0/24', '192.0.2.0/24', '192.0.2.0/25'],
    ],
    [
      'quotes',
      '"192.0.2.0/24","198.51.100.0/24"\n‘AS64500’ “2001:db8::/32” «AS64501»',
      ['192.0.2.0/24', '198.51.100.0/24', 'AS64500', '2001:db8::/32', 'AS64501'],
    ],
    ['brackets', '[2001:db8::1] (192.0.2.1) ["192.0.2.0/24"],', ['2001:db8::1/128', '192.0.2.1/32', '192.0.2.0/24']],
    [
      'bullets',
      '- 192.0.2.0/24\n* AS64500\n• 2001:db8::/32\n– 198.51.100.0/24',
      ['192.0.2.0/24', 'AS64500', '2001:db8::/32', '198.51.100.0/24'],
    ],
    ['remarks', '# our space\n192.0.2.0/24 # office, main', ['192.0.2.0/24']],
    [
      'hard and invisible blanks',
      '\ufeff192.0.2.0/24\u00a0AS\u00a064500 192.0.\u200b2.1\u3000AS64501',
      ['192.0.2.0/24', 'AS64500', '192.0.2.1/32', 'AS64501'],
    ],
    [
      'blanks inside',
      'AS 64500 192.0.2.0 / 24 192.0.2.0 -192.0.2.9 AS 64496 - AS 64511',
      ['AS64500', '192.0.2.0/24', '192.0.2.0 - 192.0.2.9', 'AS64496 - AS64511'],
    ],
  ])('forgives %s', (_name, text, read) => expect(values(text)).toEqual(read));

  it.each([
    ['192.0.2.1/24', '192.0.2.1/24 has host bits set; did you mean 192.0.2.0/24?'],
    ['１９２.0.2.1/24', '192.0.2.1/24 has host bits set; did you mean 192.0.2.0/24?'],
    ['192.0.2.0 -', '192.0.2.0- lacks one end; a range is written 192.0.2.0 - 192.0.2.255'],
    ['192.0.2.0 255.255.255.0', '192.0.2.0 255.255.255.0 may be two addresses or an address and its mask; did you mean 192.0.2.0/24?'],
    ['192.0.2.010', '192.0.2.010 has a leading zero, which some programs read as octal; did you mean 192.0.2.10?'],
    ['holder', 'holder is not an address. Enter one such as 192.0.2.1 or 2001:db8::1'],
    ['-', '- lacks one end; a range is written 192.0.2.0 - 192.0.2.255'],
    ['AS', 'AS is not an AS number. Enter one such as AS64500'],
  ])('names what is wrong with %j', (text, message) => expect(values(text)).toEqual([`refused: ${message}`]));

  it('reads the rest when one entry is wrong', () => {
    const reading = readResources('192.0.2.0/24\n192.0.2.0/33\nAS64500');
    expect(reading).toMatchObject({ refused: 1, duplicates: 0, inOrder: true });
    expect(reading.items.map(isRefused)).toEqual([false, true, false]);
    expect(reading.items[1]).toMatchObject({ line: 2, column: 1, text: '192.0.2.0/33', error: { code: 'PREFIX_LENGTH' } });
  });

  it('a mask after another item is read as a mask', () => {
    expect(values('192.0.2.0/24 255.255.255.0')).toEqual(['192.0.2.0/24', '255.255.255.0/32']);
    expect(values('192.0.2.0, 255.255.255.0')).toEqual(['192.0.2.0/32', '255.255.255.0/32']);
    expect(values('1.10 255.255.255.0')).toEqual(['AS65546', '255.255.255.0/32']);
  });

  it('returns the place and text of every entry', () => {
    const text = ' 192.0.2.0 – 192.0.2.255 , "AS64500"\r\n\n\t２００１:db8::1/32 AS64500';
    const { items } = readResources(text);
    expect(items.map(({ line, column, text: raw }) => [line, column, raw])).toEqual([
      [1, 2, '192.0.2.0 – 192.0.2.255'],
      [1, 28, '"AS64500"'],
      [3, 2, '２００１:db8::1/32'],
      [3, 17, 'AS64500'],
    ]);
    for (const item of items) expect(text.slice(item.offset, item.offset + item.text.length)).toBe(item.text);
  });

  it('reports duplicates, in whatever form they are written, and entries out of order', () => {
    const reading = readResources('192.0.2.0/24 192.0.2.0-192.0.2.255 192.0.2.0/25 9.0.0.0/8 AS64500 64500');
    expect(reading).toMatchObject({ refused: 0, duplicates: 2, inOrder: false });
    expect(reading.items.map(item => !isRefused(item) && item.duplicateOf)).toEqual([undefined, 0, undefined, undefined, undefined, 4]);
    expect(reading.items.map(item => !isRefused(item) && item.outOfOrder)).toEqual([false, false, false, true, false, false]);
  });

  it('takes only the families a field takes', () => {
    const [prefix, as] = readResources('192.0.2.0/24 64500', { accept: ['ipv4', 'ipv6'] }).items;
    expect(prefix).toMatchObject({ value: '192.0.2.0/24' });
    expect(as).toMatchObject({
      error: { code: 'NOT_ACCEPTED', message: 'AS64500 is an AS number; an IPv4 or IPv6 prefix or range is needed here' },
    });
    expect(readResources('2001:db8::/32', { accept: ['asn'] }).items).toMatchObject([
      { error: { message: '2001:db8::/32 is IPv6; an AS number is needed here' } },
    ]);
  });

  it('reads back any list it could have printed, with any separator', () => {
    fc.assert(
      fc.property(fc.array(anyRange, { maxLength: 8 }), fc.constantFrom('\n', '\r\n', ', ', ';', ' ', '\t', '，'), (ranges, separator) => {
        const sorted = ranges.toSorted(compareResources);
        const reading = readResources(sorted.map(printResource).join(separator));
        expect(reading.items).toMatchObject(sorted.map(resource => ({ resource, value: printResource(resource), outOfOrder: false })));
        expect(reading.inOrder).toBe(true);
      }),
    );
  });

  it('any text gives items that occur in it, and never an error', () => {
    const scraps = fc.constantFrom(
      '192.0.2.0',
      '/24',
      '-',
      ' ',
      '\n',
      '\r',
      ',',
      'AS',
      '64500',
      '"',
      '2001:db8::',
      '#',
      '.',
      '–',
      '255.255.255.0',
      '１',
      '💥',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(scraps, { maxLength: 20 }).map(all => all.join('')),
        ),
        text => {
          let end = 0;
          for (const item of readResources(text).items) {
            expect(item.offset).toBeGreaterThanOrEqual(end);
            expect(item.text).not.toBe('');
            expect(text.slice(item.offset, item.offset + item.text.length)).toBe(item.text);
            expect(text.slice(0, item.offset).split(/\r\n|[\n\r\u2028\u2029]/)).toHaveLength(item.line);
            end = item.offset + item.text.length;
          }
        },
      ),
      { numRuns: 1000 },
    );
  });
});

describe('a field for one resource', () => {
  it('reads it as forgivingly', () => expect(printResource(readResource(' １９２.0.2.0 – 192.0.2.255. '))).toBe('192.0.2.0/24'));

  it.each([
    ['', { accept: ['ipv4'] }, 'An IPv4 prefix or range is needed here'],
    ['', {}, 'An IPv4 or IPv6 prefix or range or an AS number is needed here'],
    ['192.0.2.0/24, AS64500', {}, '192.0.2.0/24, AS64500 has 2 entries. Enter one'],
    ['192.0.2.1/24', {}, 'did you mean 192.0.2.0/24?'],
    ['AS64500', { accept: ['ipv6'] }, 'AS64500 is an AS number; an IPv6 prefix or range is needed here'],
  ] as const)('refuses %j', (text, options, message) => expect(() => readResource(text, options)).toThrow(message));
});
