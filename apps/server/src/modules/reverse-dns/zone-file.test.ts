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

const origin = '$ORIGIN 18.198.in-addr.arpa.\n';
const thirteen = Array.from({ length: 13 }, (_, n) => `20 NS ns${n}.example.net.`).join('\n');
test.each([
  [
    '20 NS any1.example.net\n NS any2.example.net.',
    2,
    /any1\.example\.net\.18\.198\.in-addr\.arpa lies inside 18\.198\.in-addr\.arpa.*final dot missing.*“any1\.example\.net\.”/,
  ],
  ['20 NS any2.example.net.\n NS any1.example.net', 3, /final dot missing/],
  ['$ORIGIN 20.18.198.in-addr.arpa.\n@ NS any1.example.net\n@ NS any2.example.net.', 3, /final dot missing/],
  [
    '20 NS ns1.20\n NS ns2.example.net.',
    2,
    /ns1\.20\.18\.198\.in-addr\.arpa lies inside the zone and has no address\. Add a line such as “ns1\.20\.18\.198\.in-addr\.arpa\. A 192\.0\.2\.1”/,
  ],
  ['20 NS ns1\n NS ns2.example.net.\nns1 A 198.18.0.1', 2, /ns1\.18\.198\.in-addr\.arpa lies inside 18\.198\.in-addr\.arpa/],
  ['20 NS ns1.20\n NS ns2.example.net.\nns1.20 A 127.0.0.1', 4, /127\.0\.0\.1 is reserved \(Loopback, RFC 1122\)/],
  ['20 NS ns1.20\n NS ns2.example.net.\nns1.20 AAAA fe80::1', 4, /fe80::1 is reserved/],
  ['20 NS ns1.20\n NS ns2.example.net.\nns1.20 AAAA 192.0.2.1', 4, /192\.0\.2\.1 isn’t an IPv6 address/],
  ['20 NS ns1.20\n NS ns2.example.net.\nns1.20 A', 4, /An A record has one address/],
  [thirteen, 2, /has more than 12 servers\. Enter at most 12/],
  ['20 NS a..b.\n NS ns2.example.net.', 2, /a\.\.b isn’t a host name/],
  ['198.18.20.0/24 ns1 ns2.example.net', 2, /ns1 isn’t a host name/],
  ['$ORIGIN a b', 2, /\$ORIGIN has one name/],
  ['20 NS ( ns1.example.net.', 2, /bracket.*never closed/],
  ['(brackets)', 2, /has no record/],
])('%s names what is wrong in line %i', (text, line, message) => {
  const { problems } = readZoneFile(origin + text, '');
  expect(problems.filter(({ severity }) => severity === 'error')).toContainEqual({
    line,
    severity: 'error',
    message: expect.stringMatching(message),
  });
});

test('a zone with a problem in any of its lines is invalid, and the others are valid', () => {
  const text =
    '20 NS any2.example.net.\n NS any1.example.net\n21 NS ns1.example.net.\n NS ns2.example.net.\n21 DS hello\n22 NS ns1.example.net.\n NS ns2.example.net.';
  expect(readZoneFile(origin + text, '').entries.map(({ zone, isGood }) => [zone, isGood])).toEqual([
    ['20.18.198.in-addr.arpa', false],
    ['21.18.198.in-addr.arpa', false],
    ['22.18.198.in-addr.arpa', true],
  ]);
});

test('the address of a server in a neighbouring zone is published only with that zone, with a warning', () => {
  const text = '23 NS ns.24\n NS ns2.example.net.\nns.24 A 198.18.24.1\n';
  const warning = {
    line: 2,
    severity: 'warning',
    message:
      'ns.24.18.198.in-addr.arpa lies inside 24.18.198.in-addr.arpa, so its address isn’t published with 23.18.198.in-addr.arpa. Resolvers find it only where 24.18.198.in-addr.arpa is delegated and has it',
  };
  expect(readZoneFile(origin + text, '').problems).toContainEqual(warning);
  expect(readZoneFile(`${origin}${text}24 NS ns.24\n NS ns2.example.net.`, '')).toMatchObject({
    entries: [
      { servers: ['ns.24.18.198.in-addr.arpa', 'ns2.example.net'], isGood: true },
      { servers: ['ns.24.18.198.in-addr.arpa 198.18.24.1', 'ns2.example.net'] },
    ],
    problems: [],
  });
});

test('an address that no delegation of the file needs is ignored with a warning', () => {
  const text = '20 NS ns1.example.net.\n NS ns2.example.net.\nns1.example.net. A 192.0.2.1';
  expect(readZoneFile(origin + text, '').problems).toEqual([
    {
      line: 4,
      severity: 'warning',
      message: 'The address of ns1.example.net is passed over: no zone of this file has a server of this name inside it',
    },
  ]);
});

test.each(['\n', '\r\n', '\r'])('lines may end in %j', end => {
  const { entries, problems } = readZoneFile(file.replaceAll('\n', end), '');
  expect({ zones: entries.length, problems: problems.filter(({ severity }) => severity === 'error') }).toEqual({ zones: 2, problems: [] });
});

test.each([
  ['digits that are no TTL', `2.0.192.in-addr.arpa. ${'1'.repeat(100_000)}! NS a.example.`],
  ['a line of a million words', `2.0.192.in-addr.arpa. NS ${'a '.repeat(950_000)}`],
  [
    'one zone with a hundred thousand servers',
    Array.from({ length: 100_000 }, (_, n) => `2.0.192.in-addr.arpa. NS a${n}.example.`).join('\n'),
  ],
  ['a /8 with a hundred thousand servers', `10.0.0.0/8 ${Array.from({ length: 100_000 }, (_, n) => `a${n}.example`).join(' ')}`],
  ['brackets that never close', `2.0.192.in-addr.arpa. NS (\n${'a.example.\n'.repeat(100_000)}`],
])('%s are parsed as fast as any file', (_, text) => {
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
