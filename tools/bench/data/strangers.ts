import { randomInt } from 'node:crypto';
import { maxStatementLines } from '@portal/contract/billing/bank-statements';
import { maxImportedAssignments } from '@portal/contract/customers/customers';
import { largestFile } from '@portal/contract/file-kinds';
import { longestZoneFile } from '@portal/contract/reverse-dns/reverse-dns';
import { maxOwnAnnouncements } from '@portal/contract/routes/own-tables';
import { maxRoutesAtOnce } from '@portal/contract/routes/routes';
import { maxUploadedObjects } from '@portal/contract/whois/whois';
import { sampleDocx, samplePdf } from '../../../apps/server/test/sample-files.ts';

/** The account whose contacts send all this. */
export const account = 'EXAMPLE-AU';

/**
 * A kind of input: where it is sent and who sends it, its largest ones, and one from which others are generated; and pages that are read after each of
 * its largest ones. Texts stand for bytes, a character for each, where `type` isn't JSON.
 */
export type Kind = {
  name: string;
  /** Below `/api/`, or from the root with a slash before it. */
  path: string;
  method?: 'POST' | 'PUT';
  type?: string;
  as?: string;
  wrap: (text: string) => string | Buffer;
  largest: string[];
  seed: string;
  reads?: readonly string[];
};
/** Pages that judge what an account announces, by all that is known. */
const routing = ['routes?limit=50', 'routes/suggestions', 'routes/routed-space?within=2001:db8::/32', 'routes/alerts', 'home/network'].map(
  path => `${account}/${path}`,
);

const lines = (count: number, line: (n: number) => string): string => Array.from({ length: count }, (_, n) => line(n)).join('\n');
const json =
  (field: string, more: object = {}) =>
  (text: string): string =>
    JSON.stringify({ ...more, [field]: text });
const object = (n: number, remarks: number): string =>
  `person: Large ${n}\naddress: Brisbane\ncountry: AU\nphone: +61 7 5555 0100\ne-mail: a@b.example\nnic-hdl: AUTO-${n}\nmnt-by: MAINT-AU-EXAMPLE\nremarks: ${'x'.repeat(remarks)}\nsource: EXAMPLE\n`;
const raw = (text: string): string => text;
const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');

export const kinds: readonly Kind[] = [
  {
    name: 'whois texts',
    path: `${account}/whois/uploads`,
    wrap: json('text', { dryRun: true }),
    largest: [object(1, 9_900_000), lines(maxUploadedObjects, n => object(n, 600)), 'a: b\n\n'.repeat(1_600_000)],
    seed: `${object(1, 20)}\n${object(2, 20)}\nroute: 198.18.0.0/24\norigin: AS64500\ndescr: a\nmnt-by: MAINT-AU-EXAMPLE\nsource: EXAMPLE\n`,
  },
  {
    name: 'zone files',
    path: `${account}/reverse-dns/zone-files/reading`,
    wrap: json('text', { origin: '' }),
    largest: [lines(60_000, n => `${n & 255}.${n >> 8}.10.in-addr.arpa. NS ns${n}.example.net.`).slice(0, longestZoneFile)],
    seed: '$ORIGIN 18.198.in-addr.arpa.\n$TTL 1h\n1 IN NS ns1.example.net.\n  IN NS ns2.example.net.\n1 DS 12345 13 2 (\n 0123456789abcdef ) ; a\n',
  },
  {
    name: 'lists of routes',
    path: `${account}/routes/check`,
    wrap: json('text'),
    largest: [
      lines(maxRoutesAtOnce, n => `2001:db8:${n.toString(16)}::/48,AS64500`),
      lines(10_000, n => `8.${n >> 8}.${n & 255}.0/24,AS64500`),
    ],
    seed: 'prefix,asn,max length,roa,whois,comment\n198.18.0.0/24,AS64500,24,yes,no,a\n2001:db8::/48 => AS64500\n',
  },
  {
    name: 'files of assignments',
    path: `${account}/customers/imports`,
    wrap: json('csv', { dryRun: true }),
    largest: [`range,netname\n${lines(maxImportedAssignments, n => `2001:db8:${n.toString(16)}::/48,NET-${n}`)}`],
    seed: 'range,netname,customer,visibility,kind\n198.18.4.0/24,NET-A,"A ""B"" C",private,assigned\n2001:db8:4::/48,NET-B,D,public,\n',
  },
  {
    name: 'JSON',
    path: `${account}/routes/check`,
    wrap: raw,
    largest: [
      `{"add":[${lines(20_000, n => `{"${n.toString(36)}xxxxxxxxxx":1}`).replaceAll('\n', ',')}]}`,
      `{"add":[${Array.from({ length: 99_000 }, (_, n) => n).join()}]}`,
      `{"add":${'['.repeat(31)}${']'.repeat(31)}}`,
    ],
    seed: '{"add":[{"prefix":"198.18.0.0/24","asn":"AS64500","maxLength":24,"roa":true,"subRoutes":["198.18.0.0/25"]}],"remove":[],"text":"a"}',
  },
  {
    name: 'introductions of authorities',
    path: `${account}/rpki/self-hosted`,
    wrap: json('childRequest'),
    largest: [`<a>${' '.repeat(19_000)}</a>`, '<a>'.repeat(6_000)],
    seed: '<child_request xmlns="http://www.hactrn.net/uris/rpki/rpki-setup/" version="1" child_handle="a"><child_bpki_ta>MIIB</child_bpki_ta></child_request>',
  },
  {
    name: 'BGP tables, and the pages that judge them',
    path: `${account}/routes/bgp-tables`,
    method: 'PUT',
    wrap: json('text'),
    largest: [
      lines(maxOwnAnnouncements, n => `2001:db8:${(n >> 4).toString(16)}::/48 AS${64_500 + (n & 15)}`),
      lines(maxOwnAnnouncements, n => `2001:db8:0:0:${n.toString(16)}::/80 AS${n + 1}`),
    ],
    seed: '# seen by us\n2001:db8::/48 AS64500 3\n198.18.0.0/24;64500\n2001:db8:1::/48 {64500,64501}\n',
    reads: routing,
  },
  {
    name: 'bank statements',
    path: 'staff/bank-statements',
    as: 'stella',
    wrap: json('content', { fileName: 'a.csv' }),
    largest: [
      `Date,Amount,Description,Payer,Reference\n${lines(maxStatementLines, n => `2025-01-10,5,${n} ${'x'.repeat(400)},a,R${n}`)}`,
      `Date,Amount\n2025-01-10,"${'""'.repeat(4_000_000)}"`,
    ],
    seed: 'Date,Amount,Description,Payer,Reference\n2025-01-10,5.00,"a ""b""",c,R1\n<Document><Ntry><Amt Ccy="AUD">1.00</Amt></Ntry></Document>\n',
    reads: ['staff/bank-lines?limit=50'],
  },
  {
    name: 'documents (PDF)',
    path: 'files?fileName=a.pdf',
    type: 'application/octet-stream',
    wrap: bytes,
    largest: [samplePdf('a', largestFile - 2_000).toString('latin1'), `%PDF-1.7\n${'<<'.repeat(largestFile / 2 - 10)}`],
    seed: samplePdf('An agreement').toString('latin1'),
  },
  {
    name: 'documents (ZIP)',
    path: 'files?fileName=a.docx',
    type: 'application/octet-stream',
    wrap: bytes,
    largest: [`PK\x03\x04${'PK\x01\x02'.repeat(largestFile / 4 - 10)}`, 'PK\x05\x06'.repeat(largestFile / 4)],
    seed: sampleDocx().toString('latin1'),
  },
];

/** Returns a text with parts of it taken out, doubled, exchanged or repeated: 1 to 8 times. */
export function generated(seed: string): string {
  let text = seed;
  const strange = [
    '\0',
    '\u202e',
    '\ud800',
    '\\',
    '"',
    "'",
    '\r',
    '\t',
    ';',
    '(',
    '{',
    '[',
    '<',
    '/',
    '-1',
    '1e999',
    '٣',
    '表',
    ' '.repeat(500),
  ];
  for (let edits = randomInt(1, 9); edits > 0; edits--) {
    const [from, to] = [randomInt(text.length + 1), randomInt(text.length + 1)].sort((a, b) => a - b) as [number, number];
    const part = text.slice(from, to);
    const becomes = [
      '',
      part + part,
      part.repeat(randomInt(1, 200)),
      strange[randomInt(strange.length)]!,
      part.split('').toReversed().join(''),
    ];
    text = (text.slice(0, from) + becomes[randomInt(becomes.length)]! + text.slice(to)).slice(0, 900_000);
  }
  return text;
}
