import { api } from '@portal/contract/api';
import { boardParts } from '@portal/contract/board/board';
import { dayIn, monthsAfter } from '@portal/contract/days';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testPortal, type TestPortal } from '../../../test/portal.ts';
import { readProfile } from '../../profile.ts';
import { boardReportPdf } from './report-pdf.ts';

const { timeZone } = readProfile('');
const thisMonth = dayIn(timeZone, new Date()).slice(0, 7);
const monthBefore = (months: number): string => monthsAfter(`${thisMonth}-01`, -months).slice(0, 7);

type As = Awaited<ReturnType<TestPortal['as']>>;
const report = async (as: As, period: string) => (await as(api.board.getBoardReport, { period })).data!;
const factIn = ({ parts }: Awaited<ReturnType<typeof report>>, name: string): string | null =>
  parts.flatMap(({ facts }) => facts).find(fact => fact.name === name)!.value;

test('the report of a past month is the same after the present has changed, and the present one counts what changed', async () => {
  await using portal = await testPortal();
  const stella = await portal.as('stella');
  const [month, year, now] = [
    await report(stella, monthBefore(1)),
    await report(stella, monthBefore(13).slice(0, 4)),
    await report(stella, thisMonth),
  ];
  expect(month.parts.map(({ part }) => part)).toEqual(Object.keys(boardParts));
  expect(month.parts.every(({ facts }) => facts.length > 0)).toBe(true);
  expect(month).toMatchObject({ isOver: true, before: monthBefore(2) });
  expect(now.isOver).toBe(false);
  const [{ accountName } = { accountName: '' }] = await portal.db.read.rows<{ accountName: string }>(
    sql`select account_name from account where account_status = 'open' and account_type = 'regular' order by account_name limit 1`,
  );
  await portal.db.change({ action: 'test.change', summary: 'Changed the present', traceId: 'd'.repeat(32) }, async change => {
    await change.updateTable('account').set({ accountStatus: 'closed' }).where('accountName', '=', accountName).execute();
    await sql`update delegation set status = 'closed' where account_name = ${accountName} and status <> 'closed'`.execute(change);
    await sql`update pool set state = 'reserved' where registry = '' and state = 'available'`.execute(change);
    await sql`update ticket set first_answer_at = ${new Date().toISOString()}::timestamptz where first_answer_at is null`.execute(change);
  });
  const before = (each: typeof month) => ({ ...each, today: '' });
  expect(before(await report(stella, monthBefore(1)))).toEqual(before(month));
  expect(before(await report(stella, monthBefore(13).slice(0, 4)))).toEqual(before(year));
  const later = await report(stella, thisMonth);
  expect(Number(factIn(later, 'Accounts closed'))).toBe(Number(factIn(now, 'Accounts closed')) + 1);
  expect(Number(factIn(later, 'Members at the end'))).toBe(Number(factIn(now, 'Members at the end')) - 1);
  expect(Number(factIn(later, 'Delegations that ended'))).toBeGreaterThan(Number(factIn(now, 'Delegations that ended')));
  expect([null, '0']).toContain(factIn(later, 'IPv4 addresses free at the end'));
});

test('the present month ends with what is so now, and a year counts what its months count', async () => {
  await using portal = await testPortal();
  const stella = await portal.as('stella');
  const now = await report(stella, thisMonth);
  const [so] = await portal.db.read.rows<{ members: string; ipv4: string; free: string }>(sql`
    select (select count(*) from account where account_status in ('open', 'suspended') and account_type <> 'rir')::text as members,
      (select sum(size) from delegation where kind = 'ipv4' and status <> 'closed' and registry = '')::text as ipv4,
      (select sum(size) from pool where kind = 'ipv4' and state = 'available' and registry = '')::text as free`);
  expect([
    factIn(now, 'Members at the end'),
    factIn(now, 'IPv4 addresses held at the end'),
    factIn(now, 'IPv4 addresses free at the end'),
  ]).toEqual([so!.members, so!.ipv4, so!.free]);
  const last = monthBefore(1).slice(0, 4);
  const year = await report(stella, last);
  const months = Array.from({ length: 12 }, (_, place) => `${last}-${String(place + 1).padStart(2, '0')}`).filter(
    month => month <= thisMonth,
  );
  const reports = [];
  for (const month of months) reports.push(await report(stella, month));
  for (const name of [
    'Members that joined',
    'IPv4 delegations made',
    'Transfers between members',
    'Requests received',
    'Votes that closed',
    'Fees charged, less credit notes',
    'Money received, less refunds',
  ])
    expect(
      reports.reduce((sum, each) => sum + Number(factIn(each, name)), 0),
      name,
    ).toBeCloseTo(Number(factIn(year, name)), 2);
});

test('the report is a file: CSV with each number, and a PDF of the same bytes each time', async () => {
  await using portal = await testPortal();
  const stella = await portal.as('stella');
  const period = monthBefore(1);
  const { parts, currency } = await report(stella, period);
  const text = async (format: 'csv' | 'json' | 'pdf') =>
    ((await stella(api.board.exportBoardReport, { period, query: { format } })).data as { fileName: string; blob: Blob }).blob;
  const csv = await (await text('csv')).text();
  expect(csv.split('\r\n')[0]).toBe('part,fact,unit,from,to,value,before');
  expect(csv.trim().split('\r\n')).toHaveLength(1 + parts.flatMap(({ facts }) => facts).length);
  expect(csv).toContain(`,${currency},`);
  const pdf = Buffer.from(await (await text('pdf')).arrayBuffer());
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
  expect(Buffer.from(await (await text('pdf')).arrayBuffer()).equals(pdf)).toBe(true);
});

test('a report with more numbers than a page holds goes on, on the next', async () => {
  const parts = Array.from({ length: 9 }, (_, place) => ({
    title: `Part ${place}`,
    rows: Array.from({ length: 9 }, (_row, line) => ({
      name: `Number ${line} of things that take a longer line`,
      value: '1 000',
      before: 'none',
    })),
  }));
  const paper = {
    title: 'Board report',
    sub: 'Everything',
    registryName: 'Example',
    period: '2026',
    before: '2025',
    to: '2026-12-31',
    fonts: [],
    parts,
  };
  const pdf = Buffer.from(await boardReportPdf({ ...paper, parts: [...parts, { title: 'Empty', rows: [] }] })).toString('latin1');
  expect(pdf.match(/\/Type \/Page\b/g)!.length).toBeGreaterThan(1);
});

test('auditors read it, staff without the permission don’t, and what can’t be reported is refused', async () => {
  await using portal = await testPortal();
  const [stella, audra, fiona] = await Promise.all([portal.as('stella'), portal.as('audra'), portal.as('fiona')]);
  const period = monthBefore(1);
  expect((await audra(api.board.getBoardReport, { period })).status).toBe(200);
  expect((await fiona(api.board.getBoardReport, { period })).status).toBe(403);
  for (const bad of ['2026-13', 'now', '9999', '1200-01'])
    expect(await stella(api.board.getBoardReport, { period: bad }), bad).toMatchObject({ status: 404, errors: [{ code: 'NOT_FOUND' }] });
});
