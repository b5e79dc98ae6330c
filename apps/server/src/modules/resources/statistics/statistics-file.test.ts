import { gzipSync } from 'node:zlib';
import { asRangeOfCount, type NumberResource, parseAddress, prefixAt, printResource, rangeOfCount } from '@portal/number-resources';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  printStatisticsHeader,
  printStatisticsRecord,
  readStatistics,
  type StatisticsRecord,
  statisticsStatuses,
} from './statistics-file.ts';

const header = '2|apnic|20210715|1|19830613|20210714|+1000';
const summary = 'apnic|*|ipv4|*|1|summary';
const record = 'apnic|AU|ipv4|1.0.0.0|256|20110811|assigned';

async function* inPieces(bytes: Uint8Array, size = bytes.length): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}
const read = (text: string | Uint8Array, size?: number) =>
  readStatistics(inPieces(typeof text === 'string' ? Buffer.from(text) : text, size));
const fileOf = (...lines: string[]): string => `${lines.join('\n')}\n`;

describe('a statistics file', () => {
  test('is read with its header, kinds and records, comments and blank lines left out', async () => {
    const file = await read(fileOf('# conditions of use', '', header, summary, '', '#  more', record));
    expect(file).toMatchObject({
      format: 'delegated',
      header: {
        version: '2',
        registry: 'apnic',
        serial: '20210715',
        records: '1',
        startDate: '19830613',
        endDate: '20210714',
        utcOffset: '+1000',
      },
      summaryKinds: ['ipv4'],
      recordKinds: ['ipv4'],
      lines: 7,
      sorted: true,
      refused: [],
      wrongCounts: [],
    });
    expect(file.records).toEqual([
      {
        line: 7,
        economy: 'AU',
        resource: rangeOfCount(parseAddress('1.0.0.0'), 256),
        date: '20110811',
        status: 'assigned',
        opaqueId: null,
        extensions: null,
      },
    ]);
  });

  test('reads the same however its bytes are chunked, with either line end and with spaces around fields', async () => {
    const text = fileOf(header, summary, ' apnic | AU |ipv4| 1.0.0.0 |256|20110811|assigned ');
    const whole = await read(text);
    expect(whole.refused).toEqual([]);
    for (const size of [1, 7, 64]) expect(await read(text, size)).toEqual(whole);
    expect((await read(text.replaceAll('\n', '\r\n'))).records).toEqual(whole.records);
    expect((await read(text.trimEnd())).records).toEqual(whole.records);
  });

  test('is extended when a record has an id or no holder', async () => {
    expect((await read(fileOf(header, summary, `${record}|A91872ED`))).format).toBe('delegated-extended');
    expect((await read(fileOf(header, summary, 'apnic||ipv4|1.0.0.0|256||available|'))).format).toBe('delegated-extended');
  });

  test('keeps counts that aren’t powers of two, several AS numbers in a line, invalid dates, and fields after the eighth', async () => {
    const { records, refused } = await read(
      fileOf(
        header,
        summary,
        'apnic|AU|ipv4|1.0.0.0|768|00000000|allocated|A1|e-stats|x',
        'apnic|AU|asn|4608|512||allocated|A1',
        'apnic|AU|ipv6|2001:DB8:0::|32|20150230|assigned|A1',
      ),
    );
    expect(refused).toEqual([]);
    expect(records.map(({ resource }) => printResource(resource))).toEqual(['1.0.0.0 - 1.0.2.255', 'AS4608 - AS5119', '2001:db8::/32']);
    expect(records[0]).toMatchObject({ date: '00000000', opaqueId: 'A1', extensions: 'e-stats|x' });
    expect(records[1]?.date).toBe('');
    expect(records[2]?.date).toBe('20150230');
  });
});

describe('a line that is imported despite a problem is reported', () => {
  test('an invalid date, by line and value; 00000000 and an empty one mean that it is unknown', async () => {
    const file = await read(
      fileOf(
        header.replace('20210714', '20211399'),
        summary,
        record.replace('20110811', '20150230'),
        'apnic|AU|ipv4|1.0.1.0|256|00000000|assigned',
        'apnic|AU|ipv4|1.0.2.0|256||assigned',
        'apnic|AU|ipv4|1.0.3.0|256|20210001|assigned',
        'apnic|AU|ipv4|1.0.4.0|256|00001301|assigned',
        'apnic|AU|ipv4|1.0.5.0|256|20240229|assigned',
      ),
    );
    expect(file.refused).toEqual([]);
    expect(file.noted).toEqual([
      { line: 1, note: '20211399 is no day of the calendar' },
      { line: 3, note: '20150230 is no day of the calendar; 1.0.0.0/24 is imported without a date' },
      { line: 6, note: '20210001 is no day of the calendar; 1.0.3.0/24 is imported without a date' },
      { line: 7, note: '00001301 is no day of the calendar; 1.0.4.0/24 is imported without a date' },
    ]);
    expect(file.notedTotal).toBe(4);
  });

  test('an empty eighth field, which doesn’t make a file extended', async () => {
    const file = await read(fileOf(header, summary, `${record}|`));
    expect(file.format).toBe('delegated');
    expect(file.noted).toEqual([{ line: 3, note: 'the eighth field is empty; the file has no opaque ids and is read as a plain one' }]);
  });

  test('a delegation without an opaque id in a file that has them', async () => {
    const without = ['apnic|AU|ipv4|1.0.1.0|256|20110811|assigned|', 'apnic|AU|ipv4|1.0.2.0|256|20110811|assigned'];
    const { format, noted } = await read(fileOf(header, summary, `${record}|A1`, ...without, 'apnic||ipv4|1.0.3.0|256||available|'));
    expect(format).toBe('delegated-extended');
    expect(noted).toEqual([
      { line: 4, note: '1.0.1.0/24 has no opaque id; its holder is not named' },
      { line: 5, note: '1.0.2.0/24 has no opaque id; its holder is not named' },
    ]);
  });

  test('at most a thousand are named, and all are counted', async () => {
    const many = Array.from({ length: 1_500 }, (_, no) => `apnic|AU|asn|${no + 1}|1|20110811|assigned|`);
    const { noted, notedTotal } = await read(fileOf(header, ...many));
    expect([noted.length, notedTotal]).toEqual([1_000, 1_500]);
  });
});

test('a byte order mark before a statistics file is ignored', async () => {
  expect(await read(`\ufeff${fileOf(header, summary, record)}`)).toEqual(await read(fileOf(header, summary, record)));
  expect(await read(`\ufeff${fileOf('# a comment', header, summary, record)}`, 1)).toMatchObject({ refused: [], lines: 4 });
  await expect(read(fileOf(header, `\ufeff${summary}`, record))).rejects.toThrow('line 2: this is not text (byte 0xef)');
});

describe('errors are reported with their line', () => {
  test.each([
    [
      'a serial that is none',
      header.replace('|20210715|', '|yesterday|'),
      'line 1: yesterday is not a serial; one is digits, like 20210715',
    ],
    ['a first day that is none', header.replace('|19830613|', '|1983|'), 'line 1: 1983 is not a date; one is eight digits, like 20210714'],
    [
      'a last day that is none',
      header.replace('|20210714|', '|14 July|'),
      'line 1: 14 July is not a date; one is eight digits, like 20210714',
    ],
  ])('%s in the version line', async (_, first, message) => {
    await expect(read(fileOf(first, summary, record))).rejects.toThrow(message);
  });

  test.each([
    ['apnic|AU|ipv4|1.0.0.0|256', 'a record has at least seven fields, this line has 5'],
    ['arin|AU|ipv4|1.0.0.0|256|20110811|assigned', 'the record is of arin, the file of apnic'],
    ['apnic|AU|ipv5|1.0.0.0|256|20110811|assigned', 'ipv5 is not asn, ipv4 or ipv6'],
    ['apnic|au|ipv4|1.0.0.0|256|20110811|assigned', 'au is not an economy; one is two capital letters'],
    ['apnic|AU|ipv4|1.0.0.0|256|2011|assigned', '2011 is not a date; one is eight digits, like 20210714'],
    ['apnic|AU|ipv4|1.0.0.0|256|20110811|legacy', 'legacy is not allocated, assigned, available, reserved'],
    ['apnic|AU|ipv4|1.0.0|256|20110811|assigned', '1.0.0 has 3 parts, an IPv4 address has four; did you mean 1.0.0.0?'],
    ['apnic|AU|ipv4|2001:db8::|256|20110811|assigned', '2001:db8:: is not an IPv4 address'],
    ['apnic|AU|ipv4|255.255.255.0|512|20110811|assigned', 'No 512 addresses start at 255.255.255.0'],
    ['apnic|AU|ipv4|1.0.0.0|0|20110811|assigned', 'No 0 addresses start at 1.0.0.0'],
    ['apnic|AU|ipv4|1.0.0.0|-256|20110811|assigned', '-256 is not a count or prefix length'],
    ['apnic|AU|ipv6|2001:db8::1|32|20110811|assigned', '2001:db8::1/32 has host bits set; did you mean 2001:db8::/32?'],
    ['apnic|AU|ipv6|2001:db8::|129|20110811|assigned', 'IPv6 has no prefix length 129'],
    ['apnic|AU|asn|4294967295|2|20110811|assigned', 'No 2 AS numbers start at 4294967295'],
    ['apnic|AU|asn|4294967296|1|20110811|assigned', '4294967296 is above 4294967295, the largest AS number'],
    ['apnic|*|ipv4|*|1|summary', 'a summary of ipv4 stands already in line 2'],
    ['arin|*|asn|*|1|summary', 'the summary is of arin, the file of apnic'],
    ['apnic|*|asn|*|many|summary', 'many is not a number of records'],
  ])('%s', async (line, reason) => {
    const file = await read(fileOf(header, summary, '# a comment counts', line));
    expect(file.refused).toEqual([{ line: 4, reason }]);
    expect(file.refusedTotal).toBe(1);
  });

  test('a duplicate or overlapping record is refused, wherever the two are', async () => {
    const { refused } = await read(
      fileOf(
        header,
        summary,
        record,
        'apnic|AU|asn|1|2|20110811|assigned',
        record,
        'apnic|AU|ipv4|0.255.0.0|131072|20110811|assigned',
        'apnic|AU|asn|2|1|20110811|assigned',
      ),
    );
    expect(refused).toEqual([
      { line: 5, reason: '1.0.0.0/24 stands already in line 3' },
      { line: 6, reason: '0.255.0.0 - 1.0.255.255 overlaps 1.0.0.0/24 of line 3' },
      { line: 7, reason: 'AS2 overlaps AS1 - AS2 of line 4' },
    ]);
  });

  test('wrong counts are reported: the file may be truncated', async () => {
    const { wrongCounts } = await read(
      fileOf('2|apnic|20210715|3|19830613|20210714|+1000', 'apnic|*|ipv4|*|2|summary', record, 'apnic|AU|asn|1|1|20110811|assigned'),
    );
    expect(wrongCounts).toEqual([
      { what: 'records', stated: 3, counted: 2, line: 1 },
      { what: 'asn', stated: null, counted: 1, line: 1 },
      { what: 'ipv4', stated: 2, counted: 1, line: 2 },
    ]);
  });

  test.each([
    ['no version line', fileOf(summary, record), 'line 1: apnic|*|ipv4|*|1|summary is not a version line'],
    ['nothing at all', '', 'line 1: the file ends without a version line'],
    [
      'another version',
      fileOf('# x', '3|apnic|20210715|1|19830613|20210714|+1000'),
      'line 2: the file is version 3 of the format; version 2 is known here',
    ],
    ['a registry that is none', fileOf('2|APNIC!|20210715|1|19830613|20210714|+1000'), 'line 1: APNIC! is not the name of a registry'],
    [
      'bytes that are no text',
      Buffer.concat([Buffer.from(fileOf(header, summary)), Buffer.from([0x89, 0x50, 0, 1])]),
      'line 3: this is not text (byte 0x89)',
    ],
    ['a line without end', `${header}\n${'x'.repeat(3000)}`, 'line 2: the line is longer than 2000 characters'],
  ])('nothing can be read of %s', async (_, text, message) => {
    await expect(read(text)).rejects.toThrow(message);
  });

  test('in a file full of errors a thousand lines are listed and all are counted', async () => {
    const file = await read(fileOf(header, ...Array.from({ length: 1_500 }, () => 'apnic|AU')));
    expect(file.refused).toHaveLength(1_000);
    expect(file.refusedTotal).toBe(1_500);
  });

  test('compressed bytes passed as plain text are refused', async () => {
    await expect(read(gzipSync(fileOf(header)))).rejects.toThrow(
      'line 1: this is not text (byte 0x1f); a statistics file is plain text, or gzip of it',
    );
  });
});

const number = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const resource: fc.Arbitrary<NumberResource> = fc.oneof(
  number.map(first => asRangeOfCount(first, Math.min(1 + (first % 7), 2 ** 32 - first))),
  number.map(first => rangeOfCount({ family: 'ipv4', value: BigInt(first) }, Math.min(1 + (first % 70_000), 2 ** 32 - first))),
  fc.tuple(fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }), fc.integer({ min: 0, max: 128 })).map(([value, length]) => {
    const { family, first, last } = prefixAt('ipv6', value, length);
    return { family, first, last };
  }),
);
const anyRecord: fc.Arbitrary<Omit<StatisticsRecord, 'line'>> = fc.record({
  economy: fc.constantFrom('AU', 'ZZ', ''),
  resource,
  date: fc.constantFrom('', '00000000', '20210714', '20159999'),
  status: fc.constantFrom(...statisticsStatuses),
  opaqueId: fc.constantFrom('', 'A91872ED', '6a3e-42'),
  extensions: fc.constantFrom(null, 'x', 'x|y'),
});

test('everything printed is read back unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(anyRecord, async given => {
      const { family } = given.resource;
      const top = printStatisticsHeader(
        { version: '2.3', registry: 'apnic', serial: '1', startDate: '', endDate: '20210714', utcOffset: '+1000' },
        [{ kind: family, count: 1 }],
      );
      const file = await read(`${top}${printStatisticsRecord('apnic', given)}\n`);
      expect(file.refused).toEqual([]);
      expect(file.wrongCounts).toEqual([]);
      expect(file.records).toEqual([{ ...given, line: 3 }]);
    }),
  );
});

test('any text either parses or fails with its line', async () => {
  const piece = fc.oneof(fc.string(), fc.constantFrom(header, summary, record, '|', '\n', 'apnic|', '\u0000'));
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 12 }), fc.integer({ min: 1, max: 50 }), async (pieces, size) => {
      try {
        const file = await read(pieces.join('\n'), size);
        for (const { line } of file.refused) expect(line).toBeLessThanOrEqual(file.lines);
      } catch (error) {
        expect((error as Error).message).toMatch(/^line \d+: /);
      }
    }),
  );
});
