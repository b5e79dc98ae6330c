import { api } from '@portal/contract/api';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { rightTexts } from '../../../../../../packages/rpsl/test/update-table.ts';
import { type TestPortal, testPortal } from '../../../../test/portal.ts';

type Client = Awaited<ReturnType<TestPortal['as']>>;
const account = 'EXAMPLE-AU';
let portal: TestPortal;
let tess: Client;
let corin: Client;
beforeAll(async () => {
  portal = await testPortal();
  [tess, corin] = await Promise.all([portal.as('tess'), portal.as('corin')]);
});
beforeEach(() => restrict(false));
afterAll(() => portal[Symbol.asyncDispose]());

/** Sets the account's irt mailbox to unanswered for thirty days, or to just validated. */
const restrict = (restricted: boolean) =>
  portal.db.change({ action: 'test', summary: 'Restricted', traceId: '0'.repeat(32) }, change =>
    restricted
      ? change.rows(sql`insert into irt_contact (irt, mailbox, attribute, state) values ('irt-au-example', 'silent@example-au.example', 'e-mail', 'restricted')
          on conflict (irt, mailbox, attribute) do update set state = 'restricted'`)
      : change.rows(sql`delete from irt_contact where mailbox = 'silent@example-au.example'`),
  );
const codeOf = (answer: { errors?: readonly { code: string }[] | undefined }): string | undefined => answer.errors?.[0]?.code;
const route = (n: number, more = ''): string => `${rightTexts.route6.replace('f000', (0x4000 + n).toString(16))}${more}\n`;
/** Starts a task of 501 routes; `n` separates those of one test from those of another. Its last object fails. */
const startTask = async (n: number): Promise<string> => {
  const text = [...Array.from({ length: 500 }, (_, i) => route(n + i)), route(n + 500).replace(/^origin:.*$/m, 'origin: AS64999')].join(
    '\n',
  );
  return String((await tess(api.whois.uploadText, { account, body: { text, dryRun: false } })).data!.taskId);
};

test('a restricted account can’t retry or undo a task', async () => {
  const taskId = await startTask(0);
  await portal.runTasks();
  expect((await tess(api.tasks.getTask, { account, taskId })).data).toMatchObject({ counts: { ok: 500, failed: 1 } });
  await restrict(true);
  expect(codeOf(await tess(api.tasks.retryTask, { account, taskId }))).toBe('ACCOUNT_RESTRICTED_IRT');
  expect(codeOf(await tess(api.tasks.revertTask, { account, taskId }))).toBe('ACCOUNT_RESTRICTED_IRT');
  await restrict(false);
  expect(codeOf(await tess(api.tasks.retryTask, { account, taskId }))).toBeUndefined();
});

test('a task of an account that was restricted or suspended meanwhile changes nothing, and says why for each object', async () => {
  await portal.runTasks();
  const setStatus = (status: string) =>
    portal.db.change({ action: 'test', summary: 'Suspended', traceId: '0'.repeat(32) }, change =>
      change.rows(sql`update account set account_status = ${status} where account_name = ${account}`),
    );
  const [before] = await portal.db.read.rows<{ status: string }>(
    sql`select account_status as status from account where account_name = ${account}`,
  );
  const restricted = await startTask(0x1000);
  await restrict(true);
  await portal.runTasks();
  await restrict(false);
  const suspended = await startTask(0x1000);
  await setStatus('suspended');
  await portal.runTasks();
  await setStatus(before!.status);
  for (const [taskId, why] of [
    [restricted, 'silent@example-au.example'],
    [suspended, 'suspended'],
  ] as const) {
    const { data } = await tess(api.tasks.getTask, { account, taskId });
    expect(data).toMatchObject({ outcome: 'failed', counts: { ok: 0, failed: 501 } });
    expect(data!.failures[0]!.message).toContain(why);
  }
});

test('a restricted account can make another irt and name it in its resources', async () => {
  await restrict(true);
  const made = await tess(api.whois.submitUpdates, { account, body: { updates: [{ text: rightTexts.irt }] } });
  const irt = made.data!.outcomes[0]!.shown;
  const { data } = await corin(api.whoisIrts.attachIrt, { account, body: { irt, to: 'all', keys: [] } });
  expect(data!.objects).toBeGreaterThan(0);
  expect(new Set(data!.outcomes!.map(({ state }) => state))).toEqual(new Set(['ok']));
});

test('consent to an account that was restricted meanwhile comes too late, and says so', async () => {
  const text = 'route: 198.18.20.0/24\ndescr: Customer\norigin: AS64501\nmnt-by: MAINT-AU-EXAMPLE\nsource: EXAMPLE\n';
  const { consent } = (await tess(api.whoisConsents.askForConsent, { account, body: { text } })).data!;
  await restrict(true);
  const olive = await portal.as('olive');
  const { data } = await olive(api.whoisConsents.answerConsent, {
    account: 'OTHER-SG',
    consentId: String(consent!.consentId),
    body: { agree: true, reason: '' },
  });
  expect(data!.consent).toMatchObject({ state: 'failed', reason: expect.stringContaining('silent@example-au.example') });
});

test('a restricted account can’t register public assignments, only private ones', async () => {
  await restrict(true);
  const add = (resource: string, visibility: 'public' | 'private') =>
    corin(api.whoisCustomers.addAssignment, {
      account,
      body: { resource, visibility, type: 'assigned', netname: 'CUST-RESTRICTED', customer: 'A customer', economy: 'AU' },
    });
  expect(codeOf(await add('198.18.10.0/26', 'public'))).toBe('ACCOUNT_RESTRICTED_IRT');
  expect(codeOf(await add('198.18.10.64/26', 'private'))).toBeUndefined();
});

test('a restricted account can make what it needs for its answer: a maintainer and a person', async () => {
  await restrict(true);
  const made = await corin(api.whois.createMaintainer, {
    account,
    body: { maintainer: 'MAINT-SECOND-AU', descr: 'A second one', adminC: 'CA1-EX', updTo: ['second@example-au.example'], mntNfy: [] },
  });
  expect(codeOf(made)).toBeUndefined();
});
