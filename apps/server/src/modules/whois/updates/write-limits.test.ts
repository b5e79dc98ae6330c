import { api } from '@portal/contract/api';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { enqueueUpdates } from './update-task.ts';
import { kinds, testPortal, type TestPortal } from '../../../../test/portal.ts';

const account = 'EXAMPLE-AU';
let portal: TestPortal;
let tess: Awaited<ReturnType<TestPortal['as']>>;
let objects: number;
beforeAll(async () => {
  portal = await testPortal(kinds.at(-1), { WHOIS_EDITS_AN_HOUR: '3', WHOIS_UPLOAD_MEGABYTES_A_DAY: '1', WHOIS_MOST_OBJECTS: '60' });
  tess = await portal.as('tess');
  objects = await held();
});
afterAll(() => portal[Symbol.asyncDispose]());

const held = async () => (await tess(api.whois.listObjects, { account, query: { limit: 1 } })).data!.total;
const route = (n: number, words = 'Test'): string =>
  `route6: 2001:db8:${(0x4000 + n).toString(16)}::/48\ndescr: ${words}\norigin: AS64500\nmnt-by: MAINT-AU-EXAMPLE\nsource: EXAMPLE\n`;
const routes = (count: number): string => Array.from({ length: count }, (_, n) => route(n + 100)).join('\n');
const edit = (words: string) => tess(api.whois.submitUpdates, { account, body: { updates: [{ text: route(1, words) }] } });
const upload = (text: string, dryRun = false) => tess(api.whois.uploadText, { account, body: { text, dryRun } });

test('an account may change a number of objects per hour, dry runs are unlimited, and a refusal says when it may go on', async () => {
  for (const words of ['One', 'Two', 'Three']) expect((await edit(words)).errors).toBeUndefined();
  const refused = await edit('Four');
  expect(refused.status).toBe(429);
  expect(refused.errors![0]).toMatchObject({
    code: 'TOO_MANY_EDITS',
    message: expect.stringMatching(/limit of 3 changes .* an hour.*in \d+ minutes/),
  });
  expect((await tess(api.whois.previewUpdates, { account, body: { updates: [{ text: route(1, 'Four') }] } })).errors).toBeUndefined();
  // Others are not affected.
  const olive = await portal.as('olive');
  const other = await olive(api.whois.submitUpdates, { account: 'OTHER-SG', body: { updates: [{ text: route(1) }] } });
  expect(other.errors?.[0]?.code).not.toBe('TOO_MANY_EDITS');
});

test('objects beyond the account’s maximum are not stored, by text or task', async () => {
  const before = await held();
  expect(before).toBe(objects + 1);
  const refused = await upload(routes(60 - before + 1));
  expect(refused.errors![0]).toMatchObject({ code: 'TOO_MANY_OBJECTS', message: expect.stringContaining('at most 60') });
  expect(await held()).toBe(before);
  expect((await upload(routes(600))).errors![0]!.code).toBe('TOO_MANY_OBJECTS');
  expect((await upload(routes(60 - before))).errors).toBeUndefined();
  expect(await held()).toBe(60);
  // Existing objects can still be changed.
  expect((await upload(routes(60 - before).replaceAll('Test', 'Changed'))).errors).toBeUndefined();
});

test('a task that started in time stores no more than an account may have: the rows beyond fail, and say so', async () => {
  const before = await held();
  expect(before).toBe(60);
  // Simulates objects that were created while the task waited.
  const contactId = (
    await portal.db.read.rows<{ id: string }>(sql`select contact_id::text as id from contact where account_name = ${account}
    and full_name = 'Tess Lindqvist'`)
  )[0]!.id;
  const texts = Array.from({ length: 5 }, (_, n) => route(n + 900));
  const gone = { operation: 'delete' as const, text: route(100, 'Changed'), reason: 'No more used' };
  const activity = { action: 'whois.uploadText', summary: 'Uploaded', traceId: '0'.repeat(32), accountName: account };
  const taskId = await portal.db.change(activity, change =>
    enqueueUpdates(change, [...texts.map(text => ({ operation: 'auto' as const, text })), gone], {
      accountName: account,
      contactId,
      mode: 'best-effort',
      dryRun: false,
      summary: 'Upload',
      limits: { whoisMostObjects: 1_000 },
    }),
  );
  await portal.runTasks();
  expect(await held()).toBe(60);
  const { data } = await tess(api.tasks.listTaskItems, { account, taskId: String(taskId), query: {} });
  expect(data!.rows.map(({ state }) => state)).toEqual(['ok', 'failed', 'failed', 'failed', 'failed', 'ok']);
  expect(data!.rows[1]!.problems).toMatchObject([{ code: 'too-many-objects', message: expect.stringContaining('at most 60') }]);
});

test('an account can upload so much a day; dry runs are free', async () => {
  const big = `${route(1, 'Much')}${'remarks: words\n'.repeat(40_000)}`;
  expect((await upload(big, true)).errors).toBeUndefined();
  expect((await upload(big, true)).errors).toBeUndefined();
  await portal.db.change({ action: 'whois.uploadText', summary: 'Uploaded much', traceId: '0'.repeat(32), accountName: account }, change =>
    change.note({ bytes: 700_000 }),
  );
  const refused = await upload(big);
  expect(refused.status).toBe(429);
  expect(refused.errors![0]).toMatchObject({
    code: 'TOO_MUCH_UPLOADED',
    message: expect.stringMatching(/1 MB.*wrote 0\.7 MB.*0\.6 MB/),
  });
  const [{ total }] = (await portal.db.read.rows(sql`select count(*)::int as total from whois_journal where text like '%Much%'`)) as [
    { total: number },
  ];
  expect(total).toBe(0);
});

test('edits and bulk changes count towards the same day', async () => {
  const olive = await portal.as('olive');
  const text = `as-set: AS-LONG-EDIT\ndescr: Long\nadmin-c: CS1-EX\ntech-c: CS1-EX\nmnt-by: MAINT-SG-OTHER\nsource: EXAMPLE\n${'remarks: words\n'.repeat(9_000)}`;
  await portal.db.change({ action: 'whois.submitUpdates', summary: 'Edited', traceId: '0'.repeat(32), accountName: 'OTHER-SG' }, change =>
    change.note({ bytes: 900_000 }),
  );
  const refused = await olive(api.whois.submitUpdates, { account: 'OTHER-SG', body: { updates: [{ text }] } });
  expect(refused.errors?.[0]).toMatchObject({ code: 'TOO_MUCH_UPLOADED', message: expect.stringMatching(/1 MB.*wrote 0\.9 MB.*0\.1 MB/) });
  expect((await olive(api.whois.previewUpdates, { account: 'OTHER-SG', body: { updates: [{ text }] } })).errors).toBeUndefined();
});
