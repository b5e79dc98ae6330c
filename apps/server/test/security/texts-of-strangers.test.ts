import { largestStatement } from '@portal/contract/billing/bank-statements';
import type { LongText } from '@portal/contract/long-text';
import { longestZoneFile } from '@portal/contract/reverse-dns/reverse-dns';
import { longestUpload } from '@portal/contract/whois/whois';
import { expect, test } from 'vitest';
import { bankFileApart } from '../../src/modules/billing/bank/bank-lines.ts';
import { assignmentsApart } from '../../src/modules/customers/assignment-file.ts';
import { attendanceApart } from '../../src/modules/elections/attendance.ts';
import { delegationLinesApart } from '../../src/modules/nir/delegation-import.ts';
import { entityLinesApart } from '../../src/modules/nir/entity-import.ts';
import { zoneFileApart } from '../../src/modules/reverse-dns/zone-upload.ts';
import { linesApart } from '../../src/modules/routes/save-routes.ts';
import { updatesApart } from '../../src/modules/whois/updates/updates.ts';
import { TextHolder } from '../../src/platform/held-text.ts';
import { longestTurnOf } from '../thread-costs.ts';

/** The longest, in ms, for which a text may hold up everything else: until it is handed over, and while what was read is taken back. */
const MAX_MS = 5;

/** As much of a text as its limit takes: a beginning, and what comes again and again. */
const filled = (most: number, again: string, head = ''): string => head + again.repeat(Math.floor((most - head.length) / again.length));

const bank = (content: LongText) => bankFileApart('staff', { content, currency: 'AUD', today: '2026-11-26' }, 'content');
const camtEntry = `<Ntry><Amt Ccy="AUD">1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><BookgDt><Dt>2026-11-20</Dt></BookgDt><AddtlNtryInf>${'x'.repeat(500)}</AddtlNtryInf></Ntry>`;
const camtHead = '<Document><BkToCstmrStmt><Stmt>';
const zones = Array.from({ length: 30_000 }, (_, n) => `${n & 255}.${n >> 8}.10.in-addr.arpa. NS ns${n}.example.net.\n`).join('');

/** The dearest texts within their limits, and what reads them.  */
test.each<
  [string, { text: string; read: (text: LongText) => Promise<unknown> } | { text: string; readShort: (text: string) => Promise<unknown> }]
>([
  [
    'a bank statement of 20,000 lines',
    { text: filled(largestStatement, `2026-11-20,5,${'x'.repeat(470)}\n`, 'Date,Amount,Description\n'), read: bank },
  ],
  ['a CAMT.053 statement', { text: filled(largestStatement, camtEntry, camtHead), read: bank }],
  [
    'a list of attendance',
    {
      text: filled(3_000_000, 'a@b.example,2027-02-01T10:00:00Z,maybe\n', 'email,registered_at,attended\n'),
      read: text => attendanceApart('staff', text, 'csv'),
    },
  ],
  ['a file of organisations', { text: filled(3_000_000, 'x,y\n', 'name,address\n'), read: text => entityLinesApart('ONE', text, 'csv') }],
  [
    'a file of delegations',
    { text: filled(1_000_000, 'x,y\n', 'subaccount,resource\n'), read: text => delegationLinesApart('ONE', text, 'csv') },
  ],
  ['a file of assignments', { text: filled(1_000_000, 'x,y\n', 'range,netname\n'), read: text => assignmentsApart('ONE', text, 'csv') }],
  ['a list of routes', { text: filled(900_000, '192.0.2.0/24,x,y\n'), readShort: text => linesApart('ONE', { text }) }],
  ['a zone file', { text: zones.slice(0, longestZoneFile), read: text => zoneFileApart('ONE', { text, origin: '' }) }],
  [
    'a zone with 150,000 servers',
    {
      text: Array.from({ length: 150_000 }, (_, n) => ` NS a${n}.b.\n`)
        .join('')
        .replace(/^/, '2.0.192.in-addr.arpa.'),
      read: text => zoneFileApart('ONE', { text, origin: '' }),
    },
  ],
  ['a text of many whois objects', { text: filled(longestUpload, 'a: b\n\n'), read: text => updatesApart('ONE', { text, dryRun: true }) }],
  [
    'a text of whois objects',
    {
      text: filled(longestUpload, `person: ${'x'.repeat(980)}\nauth: x\n\n`),
      read: text => updatesApart('ONE', { text, dryRun: true }),
    },
  ],
])('%s is read while everything else goes on', async (_, { text, ...reading }) => {
  // A refusal of what it says is an answer as well.
  const outcome = (given: LongText) =>
    ('read' in reading ? reading.read(given) : reading.readShort(text)).then(
      () => 'read',
      (error: { status?: number; message: string }) => error.status ?? error.message,
    );
  // Its reader is loaded before.
  await outcome(text.slice(0, 100));
  const holder = new TextHolder();
  holder.take(Buffer.from(JSON.stringify(text).slice(1, -1)));
  const held = holder.text({ most: text.length, tooLong: 'It is too long' });
  const longest = await longestTurnOf(MAX_MS, async () => expect(['read', 400]).toContain(await outcome(held)));
  expect(longest).toBeLessThan(MAX_MS);
});
