import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countOf, readRow, readRows, rowsBeyond, writeRows } from './holding-rows.ts';

describe('a row of the fee calculator', () => {
  it.each([
    ['ipv4', '198.18.0.0/22', '1', 1024n],
    ['ipv4', '/24', '3', 768n],
    ['ipv4', '1280', '1', 1280n],
    ['ipv6', '2001:db8::/32', '1', 1n << 32n],
    ['ipv6', '/64', '2', 2n],
  ] as const)('%s %s times %s counts', (family, name, quantity, count) => {
    expect(readRow(family, { name, quantity })).toEqual({ count });
  });

  it.each([
    ['ipv4', '', '1', 'name', 'Enter a block, such as 198.18.0.0/22, /22 or 1024'],
    ['ipv4', '198.18.0.1/22', '1', 'name', 'Enter a block, such as'],
    ['ipv4', '2001:db8::/32', '1', 'name', 'Enter a block, such as'],
    ['ipv4', '/7', '1', 'name', 'Enter an IPv4 length from /8 to /32'],
    ['ipv4', '4294967297', '1', 'name', 'Enter a block, such as'],
    ['ipv4', '-5', '1', 'name', 'Enter a block, such as'],
    ['ipv6', '1024', '1', 'name', 'Enter a block, such as 2001:db8::/32 or /32'],
    ['ipv6', '/65', '1', 'name', 'Enter an IPv6 length from /12 to /64'],
    ['ipv4', '/24', '0', 'quantity', 'Enter a whole number from 1 to 1000'],
    ['ipv4', '/24', '1001', 'quantity', 'Enter a whole number from 1 to 1000'],
    ['ipv4', '/24', '-1', 'quantity', 'Enter a whole number from 1 to 1000'],
    ['ipv4', '/24', '1.5', 'quantity', 'Enter a whole number from 1 to 1000'],
  ] as const)('%s “%s” times “%s” says what is wrong with its %s', (family, name, quantity, field, words) => {
    expect(readRow(family, { name, quantity }).wrong?.[field]).toContain(words);
  });

  it('parts of an IPv6 /56 count together as one block', () => {
    expect(countOf('ipv6', [{ name: '/64', quantity: '256' }])).toBe(1n);
    expect(countOf('ipv6', [{ name: '/64', quantity: '257' }])).toBe(2n);
  });

  it('300 rows in an address are all counted, and the number of further ones is reported', () => {
    const text = writeRows(Array.from({ length: 300 }, () => ({ name: '/24', quantity: '2' })));
    expect([countOf('ipv4', readRows(text)), rowsBeyond(text)]).toEqual([300n * 512n, 0]);
    const more = `${text},/24,/24`;
    expect([readRows(more).length, rowsBeyond(more), rowsBeyond('')]).toEqual([300, 2, 0]);
  });

  it('rows survive being written to an address and read back', () => {
    const row = fc.record({
      name: fc.oneof(
        fc.integer({ min: 8, max: 32 }).map(length => `/${length}`),
        fc.constant('198.18.0.0/19'),
        fc.constant('768'),
      ),
      quantity: fc.integer({ min: 1, max: 1000 }).map(String),
    });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 20 }), rows => {
        expect(readRows(writeRows(rows))).toEqual(rows);
      }),
    );
  });
});
