import { api } from '@portal/contract/api';
import { HOUR_MS, instantAfter } from '@portal/contract/days';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { certifLines, openPgpKey, rightTexts } from '../../../../../../packages/rpsl/test/update-table.ts';
import { type TestPortal, testPortal } from '../../../../test/portal.ts';

type Client = Awaited<ReturnType<TestPortal['as']>>;
const account = 'EXAMPLE-AU';
let portal: TestPortal;
let fresh: Client;
/** Signed in with the password alone. */
let stale: Client;
let maintainer: string;
beforeAll(async () => {
  // Elsewhere no whois update is made with the password alone.
  portal = await testPortal(undefined, { REQUIRE_MFA: 'off' });
  [fresh, stale] = await Promise.all([portal.as('tess'), portal.as('tess', { mfa: false })]);
  const key = `key-cert: PGPKEY-B2DE8421\n${certifLines(openPgpKey)}mnt-by: MAINT-AU-EXAMPLE\nsource: EXAMPLE\n`;
  expect((await write(fresh, key)).data!.outcomes[0]!.state).toBe('ok');
  const { data } = await fresh(api.whois.getObject, { account, query: { class: 'mntner', key: 'MAINT-AU-EXAMPLE' } });
  maintainer = data!.text;
});
afterAll(() => portal[Symbol.asyncDispose]());

const write = (who: Client, ...texts: string[]) =>
  who(api.whois.submitUpdates, { account, body: { updates: texts.map(text => ({ text })) } });
const codeOf = (answer: { errors?: readonly { code: string }[] | undefined }): string | undefined => answer.errors?.[0]?.code;
const withKey = (text: string): string => text.replace(/^auth:.*$/m, '$&\nauth:           PGPKEY-B2DE8421');
const storedAuth = async (): Promise<number> => {
  const { data } = await fresh(api.whois.getObject, { account, query: { class: 'mntner', key: 'MAINT-AU-EXAMPLE' } });
  return data!.text.match(/^auth:/gm)!.length;
};

test('every whois update takes a fresh second factor, those that change credentials too; a rehearsal takes none', async () => {
  expect(codeOf(await write(stale, withKey(maintainer)))).toBe('MFA_REQUIRED');
  expect(codeOf(await write(stale, maintainer.replace(/^descr:.*$/m, 'descr:          Changed')))).toBe('MFA_REQUIRED');
  const upload = (dryRun: boolean) =>
    stale(api.whois.uploadText, { account, body: { text: `${rightTexts.person}\n${withKey(maintainer)}`, dryRun } });
  expect(codeOf(await upload(false))).toBe('MFA_REQUIRED');
  expect(codeOf(await upload(true))).toBeUndefined();
  expect(codeOf(await write(stale, rightTexts.mntner))).toBe('MFA_REQUIRED');
  // None of it was done.
  expect(await storedAuth()).toBe(1);
  expect(await portal.db.read.rows(sql`select from whois_object where key in ('at77-ex', 'maint-table')`)).toEqual([]);
  const dryRun = await stale(api.whois.previewUpdates, { account, body: { updates: [{ text: withKey(maintainer) }] } });
  expect(dryRun.data!.outcomes[0]!.state).toBe('ok');
});

test('a login in its cool-down can’t change credentials or other objects', async () => {
  const cool = (hours: number | null) =>
    portal.db.change({ action: 'test', summary: 'Cooled down', traceId: '0'.repeat(32) }, change =>
      sql`update login set cool_down_until = ${hours === null ? null : instantAfter(Date.now(), hours * HOUR_MS)}::timestamptz,
        cool_down_why = ${hours === null ? null : 'password-reset'} where username = 'tess'`.execute(change),
    );
  await cool(24);
  expect(codeOf(await write(fresh, withKey(maintainer)))).toBe('COOLING_DOWN');
  expect(codeOf(await write(fresh, rightTexts.person))).toBe('COOLING_DOWN');
  expect(await storedAuth()).toBe(1);
  await cool(null);
  expect(codeOf(await write(fresh, rightTexts.person))).toBeUndefined();
  expect((await write(fresh, withKey(maintainer))).data!.outcomes).toMatchObject([{ state: 'ok', done: 'modify' }]);
  expect(await storedAuth()).toBe(2);
  const mail = (await portal.mailsTo('noc@example-au.example')).at(-1)!;
  expect([mail.subject, mail.body]).toEqual([
    'Changed in the EXAMPLE database: mntner MAINT-AU-EXAMPLE',
    expect.stringMatching(/^\+ ?auth: +PGPKEY-B2DE8421$/m),
  ]);
});

test('a maintainer keeps at least one key, and a key in use can’t be deleted', async () => {
  const withoutAny = maintainer.replace(/^auth:.*\n/gm, '');
  const refused = await write(fresh, withoutAny);
  expect(refused.data!.outcomes[0]).toMatchObject({
    state: 'failed',
    problems: [{ code: 'attribute-missing', message: 'Add auth. Every mntner needs one' }],
  });
  const empty = await write(fresh, maintainer.replace(/^auth:.*$/m, 'auth:'));
  expect(empty.data!.outcomes[0]!.problems).toMatchObject([{ code: 'value-missing', attribute: 'auth' }]);
  const key = await fresh(api.whois.previewUpdates, {
    account,
    body: { updates: [{ operation: 'delete', text: 'key-cert: PGPKEY-B2DE8421\n' }] },
  });
  expect(key.data!.outcomes[0]!.problems).toMatchObject([{ code: 'referenced', objects: [{ shown: 'MAINT-AU-EXAMPLE' }] }]);
  expect(await storedAuth()).toBe(2);
});

test('undoing a task that changed credentials takes a second factor as well', async () => {
  const text = [
    withKey(rightTexts.irt),
    ...Array.from({ length: 501 }, (_, i) => rightTexts.route6.replace('f000', (0x4000 + i).toString(16))),
  ].join('\n');
  expect(codeOf(await stale(api.whois.uploadText, { account, body: { text, dryRun: false } }))).toBe('MFA_REQUIRED');
  const { data } = await fresh(api.whois.uploadText, { account, body: { text, dryRun: false } });
  await portal.runTasks();
  const taskId = String(data!.taskId);
  expect((await fresh(api.tasks.getTask, { account, taskId })).data).toMatchObject({ counts: { ok: 502 } });
  expect(codeOf(await stale(api.tasks.revertTask, { account, taskId }))).toBe('MFA_REQUIRED');
  expect(codeOf(await fresh(api.tasks.revertTask, { account, taskId }))).toBeUndefined();
});
