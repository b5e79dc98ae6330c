import type { Client } from '@portal/api-client';
import { allEndpoints, api } from '@portal/contract/api';
import { daysAfter, dayIn, yearsAfter } from '@portal/contract/days';
import { maxRiskMarks } from '@portal/contract/staff/risk-marks';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '../../../test/portal.ts';
import { giveStaffRole, takeStaffRoles } from '../../../test/staff-roles.ts';
import { modules } from '../../modules.ts';
import { endingKinds, endRows, ruleOf } from '../privacy/ending-rows.ts';

const accountName = 'EXAMPLE-AU';
const secret = 'Quiet heron';
const line = { action: 'test', summary: 'Test', traceId: '0'.repeat(32) };
let portal: TestPortal;
let stella: Client;
let today: string;
beforeAll(async () => {
  portal = await testPortal();
  stella = await portal.as('stella');
  today = dayIn(portal.context.profile.timeZone, new Date());
});
afterAll(() => portal[Symbol.asyncDispose]());

const mark = (given: object = {}) => ({
  title: `${secret} asks for access`,
  reason: `${secret} writes from a new domain`,
  endsOn: daysAfter(today, 30),
  ...given,
});
const marksOf = async (as: Client, of = accountName) => (await as(api.desk.getAccountSheet, { accountName: of })).data!.marks;
const listed = async (as: Client, query: object = {}) =>
  (await as(api.accountList.listStaffAccounts, { query: { q: accountName, ...query } })).data!.rows;

test('a mark is set by those who decide about accounts or read private data, seen by all who read accounts, and removed with a reason', async () => {
  await takeStaffRoles(portal.db, 'stan');
  await giveStaffRole(portal.db, 'stan', 'support');
  const [stan, fiona, audra] = [await portal.as('stan'), await portal.as('fiona'), await portal.as('audra')];
  for (const as of [stan, fiona, audra])
    expect(await as(api.riskMarks.addRiskMark, { accountName, body: mark() })).toMatchObject({
      status: 403,
      errors: [{ code: 'NO_STAFF_PERMISSION' }],
    });
  const { data } = await stella(api.riskMarks.addRiskMark, { accountName, body: mark() });
  expect(data!.marks).toMatchObject([{ ...mark(), setBy: 'Stella Kowalski' }]);
  const { riskMarkId } = data!.marks[0]!;
  for (const as of [stan, fiona, audra]) expect(await marksOf(as)).toEqual(data!.marks);
  expect(await listed(stan)).toMatchObject([{ accountName, marks: 1 }]);
  expect(await listed(stan, { marked: 'yes' })).toHaveLength(1);
  expect(await stan(api.riskMarks.removeRiskMark, { accountName, riskMarkId, body: { reason: 'Known' } })).toMatchObject({ status: 403 });
  // Of another account it isn’t there.
  expect(await stella(api.riskMarks.removeRiskMark, { accountName: 'OTHER-SG', riskMarkId, body: { reason: 'Known' } })).toMatchObject({
    status: 404,
  });
  const removed = await stella(api.riskMarks.removeRiskMark, { accountName, riskMarkId, body: { reason: 'It was her' } });
  expect(removed.data).toEqual({ marks: [] });
  expect((await stan(api.desk.getAccountSheet, { accountName })).data!.earlierMarks).toMatchObject([
    { ...mark(), removedBy: 'Stella Kowalski', removalReason: 'It was her' },
  ]);
  expect(await listed(stan, { marked: 'yes' })).toEqual([]);
  const [row] = await portal.db.read.rows(
    sql`select removal_reason, removed_by is not null as by_someone from risk_mark where risk_mark_id = ${Number(riskMarkId)}`,
  );
  expect(row).toEqual({ removalReason: 'It was her', bySomeone: true });
  // The log says that, not what.
  const lines = await portal.db.read.rows<{ summary: string; details: unknown }>(
    sql`select summary, details from activity where action like 'staff.riskMarks.%' and refusal is null order by activity_id`,
  );
  expect(lines.map(({ summary }) => summary)).toEqual(['Set a risk mark', 'Removed a risk mark']);
  expect(JSON.stringify(lines)).not.toContain(secret);
});

test('a day, a title and a number that don’t fit are refused by name', async () => {
  const refusalOf = async (body: object) => {
    const { errors } = await stella(api.riskMarks.addRiskMark, { accountName: 'OTHER-SG', body: body as ReturnType<typeof mark> });
    return errors!.map(({ code, field, message }) => [code, field, message]);
  };
  const until = yearsAfter(today, 1);
  expect(await refusalOf(mark({ endsOn: today }))).toEqual([
    ['INVALID_REQUEST', 'endsOn', expect.stringContaining('a mark counts for a year at most')],
  ]);
  expect(await refusalOf(mark({ endsOn: daysAfter(until, 1) }))).toMatchObject([['INVALID_REQUEST', 'endsOn', expect.any(String)]]);
  expect(await refusalOf(mark({ title: 'x'.repeat(81), reason: '  ' }))).toMatchObject([
    ['INVALID_REQUEST', 'title', 'Enter at most 80 characters'],
    ['INVALID_REQUEST', 'reason', 'Enter at least 3 characters: what a colleague has to know'],
  ]);
  await stella(api.riskMarks.addRiskMark, { accountName: 'OTHER-SG', body: mark({ endsOn: until }) });
  expect(await refusalOf(mark({ title: mark().title.toUpperCase() }))).toMatchObject([
    ['RISK_MARK_THERE', 'title', expect.stringContaining('Stella Kowalski set the mark')],
  ]);
  for (let count = 1; count < maxRiskMarks; count += 1)
    await stella(api.riskMarks.addRiskMark, { accountName: 'OTHER-SG', body: mark({ title: `Mark ${count}` }) });
  expect(await refusalOf(mark({ title: 'One more' }))).toMatchObject([
    ['TOO_MANY_RISK_MARKS', undefined, expect.stringContaining('OTHER-SG has 20 risk marks')],
  ]);
  expect(await stella(api.riskMarks.addRiskMark, { accountName: 'NOWHERE', body: mark() })).toMatchObject({ status: 404 });
});

test('of two people who set or remove the same mark at once, one does, and the other reads who did', async () => {
  await giveStaffRole(portal.db, 'ola', 'hostmaster');
  const people = [stella, await portal.as('ola')];
  const body = mark({ title: 'Both see it' });
  const set = await Promise.all(people.map(as => as(api.riskMarks.addRiskMark, { accountName, body })));
  expect(set.map(({ status }) => String(status)).toSorted()).toEqual(['200', '409']);
  expect(set.find(({ errors }) => errors)!.errors).toMatchObject([{ code: 'RISK_MARK_THERE' }]);
  const { riskMarkId } = (await marksOf(stella))![0]!;
  const removed = await Promise.all(
    people.map(as => as(api.riskMarks.removeRiskMark, { accountName, riskMarkId, body: { reason: 'Over' } })),
  );
  expect(removed.map(({ status }) => String(status)).toSorted()).toEqual(['200', '409']);
  expect(removed.find(({ errors }) => errors)!.errors).toMatchObject([
    { code: 'RISK_MARK_ENDED', message: expect.stringMatching(/isn’t in force any more: (Stella Kowalski|.+) removed it/) },
  ]);
  expect(await marksOf(stella)).toEqual([]);
});

test('no member reads of a mark: by no call, in no log, no export and no copy, nor does one of the staff who is of the account', async () => {
  await stella(api.riskMarks.addRiskMark, { accountName, body: mark() });
  await stella(api.riskMarks.removeRiskMark, { accountName, riskMarkId: '1', body: { reason: secret } });
  const corin = await portal.as('corin');
  // Every read that needs no more than the account.
  const reads = allEndpoints.filter(
    ({ method, path, answer }) =>
      method === 'GET' &&
      answer !== undefined &&
      path.startsWith('/api/') &&
      [...path.matchAll(/:(\w+)/g)].every(([, name]) => name === 'account'),
  );
  expect(reads.length).toBeGreaterThan(80);
  const authorization = `Bearer ${await portal.tokenOf('corin')}`;
  const said: string[] = [];
  for (const endpoint of reads) {
    const answered = await portal.request(endpoint.path.replace(':account', accountName), { headers: { authorization } });
    const body = await answered.text();
    if (/riskMark|set a risk mark/i.test(body) || body.includes(secret)) said.push(endpoint.id);
  }
  expect(said).toEqual([]);
  const { lines } = (await corin(api.activityLog.listActivities, { account: accountName })).data!;
  expect(lines.filter(({ action }) => action.startsWith('staff.riskMarks'))).toEqual([]);
  const [{ id }] = (await portal.db.read.rows<{ id: string }>(
    sql`select max(activity_id)::text as id from activity where action = 'staff.riskMarks.addRiskMark' and account_name = ${accountName}`,
  )) as [{ id: string }];
  expect(await corin(api.activityLog.getActivity, { account: accountName, activityId: id })).toMatchObject({ status: 404 });
  for (const call of [api.riskMarks.addRiskMark, api.riskMarks.removeRiskMark] as const)
    expect((await corin(call as typeof api.riskMarks.addRiskMark, { accountName, riskMarkId: '1', body: mark() } as never)).status).toBe(
      404,
    );
  // One of the staff who becomes a contact: the marks are about people like them.
  expect((await stella(api.desk.getAccountSheet, { accountName })).data!.activities.map(({ action }) => action)).toContain(
    'staff.riskMarks.addRiskMark',
  );
  await portal.db.change(line, change =>
    change.rows(sql`insert into contact (account_name, login_id, full_name, email, contact_types, permissions)
      select ${accountName}, login_id, full_name, email, array['technical'], '{}' from login where username = 'ola' returning 1 as added`),
  );
  const both = await portal.as('ola');
  const sheet = (await both(api.desk.getAccountSheet, { accountName })).data!;
  expect([sheet.own, sheet.marks, sheet.earlierMarks]).toEqual([true, null, null]);
  expect(sheet.activities.filter(({ action }) => action.startsWith('staff.'))).toEqual([]);
  expect(await listed(both)).toMatchObject([{ accountName, marks: 0 }]);
  expect(await listed(both, { marked: 'yes' })).toEqual([]);
  expect(await both(api.riskMarks.addRiskMark, { accountName, body: mark({ title: 'Nothing to see' }) })).toMatchObject({
    status: 403,
    errors: [{ code: 'OWN_REQUEST' }],
  });
});

test('a mark counts on its last day, not on the next, and its row ends with its period', async () => {
  let now = new Date();
  await using own = await testPortal(undefined, {}, () => now);
  const { timeZone } = own.context.profile;
  const endsOn = daysAfter(dayIn(timeZone, now), 2);
  const before = await own.as('stella');
  const set = await before(api.riskMarks.addRiskMark, { accountName, body: mark({ endsOn }) });
  const { riskMarkId } = set.data!.marks[0]!;
  const toDay = async (day: string) => {
    // Noon in all zones is that day in the registry’s.
    now = new Date(`${day}T02:00:00Z`);
    return own.as('stella');
  };
  expect(await marksOf(await toDay(endsOn))).toHaveLength(1);
  const after = await toDay(daysAfter(endsOn, 1));
  expect(await marksOf(after)).toEqual([]);
  expect((await after(api.desk.getAccountSheet, { accountName })).data!.earlierMarks).toMatchObject([{ endsOn, removedBy: null }]);
  expect(await listed(after, { marked: 'yes' })).toEqual([]);
  expect(await after(api.riskMarks.removeRiskMark, { accountName, riskMarkId, body: { reason: 'Over' } })).toMatchObject({
    errors: [{ code: 'RISK_MARK_ENDED', message: expect.stringContaining('its last day was') }],
  });
  // Set anew, because the first one is over.
  expect((await after(api.riskMarks.addRiskMark, { accountName, body: mark({ endsOn: daysAfter(endsOn, 20) }) })).status).toBe(200);
  const over = endingKinds(modules).find(({ period }) => period === 'riskMarks')!.over[0]!;
  const rule = ruleOf(modules, over, new Set(['risk_mark']));
  const ended = await own.db.change(line, change =>
    endRows(change, { table: 'riskMark', rule, before: `${daysAfter(endsOn, 2)}T00:00:00Z` }, 10),
  );
  expect(ended).toEqual({ done: 1, failed: [] });
  const kept = await own.db.read.rows(sql`select from row_change where table_name = 'risk_mark'`);
  expect(kept).toEqual([]);
});
