import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readZoneFile } from './zone-file.ts';

const file = `$ORIGIN 18.198.in-addr.arpa.
$TTL 86400 ; a day
4   IN NS ns1.example.net.
       NS ns2.example.net.
5 3600 NS ns1.5
  NS ns2.example.net.
ns1.5 A 198.18.5.1
5 DS 64431 13 2 ( 3D1B19A83E95A0E3B5EB5C0B8F1E9F4D
   9F1C5B7A9E8D7C6B5A4938271605142A )
1.5 PTR host.example.net.
`;

test('owners, origin, brackets, comments and glue are read as in a master file', () => {
  const { entries, problems } = readZoneFile(file, '');
  expect(entries).toMatchObject([
    { zone: '4.18.198.in-addr.arpa', line: 3, servers: ['ns1.example.net', 'ns2.example.net'], ds: [] },
    {
      zone: '5.18.198.in-addr.arpa',
      servers: ['ns1.5.18.198.in-addr.arpa 198.18.5.1', 'ns2.example.net'],
      ds: ['64431 13 2 3D1B19A83E95A0E3B5EB5C0B8F1E9F4D9F1C5B7A9E8D7C6B5A4938271605142A'],
    },
  ]);
  expect(problems).toEqual([{ line: 10, severity: 'warning', message: expect.stringContaining('PTR') }]);
});

test('a list of prefixes with servers is read too, a /22 as its four zones', () => {
  expect(readZoneFile('198.18.4.0/22 ns1.example.net ns2.example.net', '').entries.map(({ zone }) => zone)).toHaveLength(4);
});

test.each([
  ['0-63.2.0.192.in-addr.arpa. NS a.example.\n NS b.example.', /RFC 2317/],
  ['2.0.192.in-addr.arpa. NS a.example.', /one server/],
  ['example.com. NS a.example.\n NS b.example.', /ORIGIN/],
  [' NS a.example.', /no owner/],
  ['2.0.192.in-addr.arpa. DS hello', /DS record/],
  ['$INCLUDE other', /isn’t read/],
  ['192.0.2.0/26 a.example b.example', /smaller than a \/24/],
])('%s is refused with its line', (text, message) => {
  const [problem] = readZoneFile(text, '').problems;
  expect(problem).toMatchObject({ line: 1, severity: 'error', message: expect.stringMatching(message) });
});

test.each([
  ['digits that are no TTL', `2.0.192.in-addr.arpa. ${'1'.repeat(100_000)}! NS a.example.`],
  ['a line of a million words', `2.0.192.in-addr.arpa. NS ${'a '.repeat(950_000)}`],
  ['brackets that never close', `2.0.192.in-addr.arpa. NS (\n${'a.example.\n'.repeat(100_000)}`],
])('%s are read as fast as any file', (_, text) => {
  const began = process.cpuUsage();
  expect(readZoneFile(text, '').problems.length).toBeGreaterThan(0);
  const { user, system } = process.cpuUsage(began);
  expect((user + system) / 1e6).toBeLessThan(2);
});

test('a file of 100,000 lines is read whole', () => {
  const text = Array.from(
    { length: 100_000 },
    (_, n) => `${(n >> 1) & 255}.${n >> 9}.10.in-addr.arpa. 1h30m IN NS ns${n & 1}.example.net.`,
  ).join('\n');
  const { entries, problems } = readZoneFile(text, '');
  expect(problems).toEqual([]);
  expect(entries).toHaveLength(50_000);
});

test('no text makes it throw', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), text => void readZoneFile(text, '2.0.192.in-addr.arpa')));
});
