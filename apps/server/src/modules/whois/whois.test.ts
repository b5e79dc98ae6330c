import { api } from '@portal/contract/api';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '../../../test/portal.ts';
import { readProfile } from '../../profile.ts';
import { syncRegistryObjects } from './index.ts';

type Client = Awaited<ReturnType<TestPortal['as']>>;
const account = 'EXAMPLE-AU';
let portal: TestPortal;
let corin: Client;
let tess: Client;
let olive: Client;
let bill: Client;
beforeAll(async () => {
  portal = await testPortal();
  [corin, tess, olive, bill] = (await Promise.all(['corin', 'tess', 'olive', 'bill'].map(name => portal.as(name)))) as [
    Client,
    Client,
    Client,
    Client,
  ];
});
afterAll(() => portal[Symbol.asyncDispose]());

const route = (third: number, origin = 'AS64500'): string =>
  `route:          198.18.${third}.0/24\ndescr:          Test\norigin:         ${origin}\nmnt-by:         MAINT-AU-EXAMPLE\nsource:         EXAMPLE\n`;
const change = (summary: string, run: Parameters<TestPortal['db']['change']>[1]) =>
  portal.db.change({ action: 'test', summary, traceId: '0'.repeat(32) }, run);

describe('the objects of an account', () => {
  test('are those its maintainers maintain and those the registry keeps for it, a page at a time', async () => {
    const { data } = await tess(api.whois.listObjects, { account, query: { limit: 5 } });
    expect(data!.rows).toHaveLength(5);
    expect(data!.total).toBe(data!.classes.reduce((sum, { objects }) => sum + objects, 0));
    const kept = await tess(api.whois.listObjects, { account, query: { class: 'aut-num' } });
    expect(kept.data!.rows.map(({ shown, kept: isStored, name }) => [shown, isStored, name])).toEqual(
      ['AS64500', 'AS65536', 'AS65537', 'AS65538'].map(shown => [shown, true, 'EXAMPLE-AU']),
    );
    const found = await tess(api.whois.listObjects, { account, query: { q: 'northwind', sort: 'shown', direction: 'desc' } });
    expect(found.data!.rows.map(({ shown }) => shown)).toEqual(['2001:db8:8000::/40', '198.18.12.0 - 198.18.13.255']);
    const alone = await tess(api.whois.listObjects, { account, query: { class: 'role', unreferenced: 'yes' } });
    expect(alone.data!.rows).toEqual([]);
  });

  test('say what the caller may do with them, or why not', async () => {
    const get = async (who: Client, objectClass: 'inetnum' | 'route' | 'domain', key: string, of = account) =>
      (await who(api.whois.getObject, { account: of, query: { class: objectClass, key } })).data!;
    expect(await get(tess, 'route', '198.18.0.0/19 as64500')).toMatchObject({
      shown: '198.18.0.0/19AS64500',
      mayEdit: true,
      mayDelete: true,
      why: null,
      changeable: null,
    });
    expect(await get(tess, 'inetnum', '198.18.0.0/19')).toMatchObject({
      mayEdit: true,
      mayDelete: false,
      keptFor: account,
      changeable: expect.arrayContaining(['remarks', 'mnt-irt']),
    });
    expect(await get(bill, 'route', '198.18.0.0/19AS64500')).toMatchObject({
      mayEdit: false,
      why: expect.stringContaining('MAINT-AU-EXAMPLE'),
    });
    expect(await get(olive, 'inetnum', '198.18.0.0 - 198.18.31.255', 'OTHER-SG')).toMatchObject({
      mayEdit: false,
      why: 'The registry manages this object',
    });
    expect((await tess(api.whois.getObject, { account, query: { class: 'route', key: 'nonsense' } })).status).toBe(404);
  });

  test('show the credentials of a maintainer to its own people only', async () => {
    const name = { class: 'mntner', key: 'MAINT-AU-EXAMPLE' } as const;
    const textsFor = async (client: Client, accountName: string): Promise<string[]> => {
      const now = await client(api.whois.getObject, { account: accountName, query: name });
      const version = await client(api.whois.getVersion, { account: accountName, query: { ...name, version: now.data!.version } });
      return [now.data!.text, version.data!.text];
    };
    for (const text of await textsFor(tess, account)) expect(text).toMatch(/^auth: +PORTAL$/m);
    for (const text of await textsFor(olive, 'OTHER-SG')) {
      expect(text).toMatch(/^auth: +# Filtered$/m);
      expect(text).not.toContain('PORTAL');
    }
  });

  test('are suggested for input, own ones first', async () => {
    const { data } = await tess(api.whois.complete, { account, query: { kind: 'maintainer', q: 'maint' } });
    expect(data!.rows.map(({ shown, own }) => [shown, own])).toEqual(
      expect.arrayContaining([
        ['MAINT-AU-EXAMPLE', true],
        ['MAINT-SG-OTHER', false],
      ]),
    );
    expect(data!.rows[0]!.shown).toBe('MAINT-AU-EXAMPLE');
    const contacts = await tess(api.whois.complete, { account, query: { kind: 'contact', q: 'lindq' } });
    expect(contacts.data!.rows).toMatchObject([{ shown: 'TL1-EX', name: 'Tess Lindqvist' }]);
  });
});

describe('an update', () => {
  test('is previewed, saved, listed in the history with its author, and undone from there', async () => {
    const body = { updates: [{ text: route(20) }] };
    const preview = await tess(api.whois.previewUpdates, { account, body });
    expect(preview.data!.outcomes).toMatchObject([{ state: 'ok', done: 'create', problems: [] }]);
    expect((await tess(api.whois.getObject, { account, query: { class: 'route', key: '198.18.20.0/24AS64500' } })).status).toBe(404);
    const { data } = await tess(api.whois.submitUpdates, { account, body });
    expect(data!.outcomes[0]).toMatchObject({ afterVersion: 1, shown: '198.18.20.0/24AS64500' });
    expect((await portal.lastActivity())!.details).toMatchObject({ changed: ['create route 198.18.20.0/24AS64500'], objects: 1 });
    const of = { class: 'route', key: '198.18.20.0/24AS64500' } as const;
    await tess(api.whois.submitUpdates, {
      account,
      body: { updates: [{ text: route(20).replace('Test', 'Other'), expectedVersion: 1, of }] },
    });
    const versions = await olive(api.whois.listVersions, { account: 'OTHER-SG', query: of });
    expect(versions.data!.rows.map(({ operation, by }) => [operation, by])).toEqual([
      ['modify', 'A contact of another account'],
      ['create', 'A contact of another account'],
    ]);
    const own = await corin(api.whois.getVersion, { account, query: { ...of, version: 2 } });
    expect(own.data).toMatchObject({
      by: 'Tess Lindqvist',
      text: expect.stringContaining('Other'),
      before: expect.stringContaining('Test'),
    });
    // The largest version that the column holds is valid; one more is refused before the database.
    for (const [version, code] of [
      [2_147_483_647, 'NOT_FOUND'],
      [2_147_483_648, 'INVALID_REQUEST'],
      [Number.MAX_SAFE_INTEGER, 'INVALID_REQUEST'],
    ] as const)
      expect(await corin(api.whois.getVersion, { account, query: { ...of, version } })).toMatchObject({ errors: [{ code }] });
    const late = await corin(api.whois.submitUpdates, { account, body: { updates: [{ text: route(20), expectedVersion: 1, of }] } });
    expect(late.data!.outcomes[0]).toMatchObject({ state: 'failed', beforeVersion: 2, problems: [{ code: 'changed-meanwhile' }] });
    const moved = await corin(api.whois.submitUpdates, { account, body: { updates: [{ text: route(21), of }] } });
    expect(moved.data!.outcomes[0]!.problems).toMatchObject([{ code: 'key-changed' }]);
    await corin(api.whois.submitUpdates, {
      account,
      body: { updates: [{ operation: 'delete', text: own.data!.text, reason: 'Test over' }] },
    });
    expect((await corin(api.whois.listVersions, { account, query: of })).data!.rows[0]).toMatchObject({
      operation: 'delete',
      reason: 'Test over',
      by: 'Corin Achterberg',
    });
  });

  test('of zero bytes and other garbage is refused clearly, everywhere', async () => {
    const sent = await tess(api.whois.submitUpdates, {
      account,
      body: { updates: [{ text: route(27) }, { text: `${route(27)}remarks: \u0000\n` }] },
    });
    expect(sent.errors![0]).toMatchObject({ code: 'INVALID_REQUEST', field: 'updates.1.text' });
    expect((await tess(api.whois.uploadText, { account, body: { text: `a\u0000${route(27)}`, dryRun: false } })).errors![0]).toMatchObject({
      code: 'INVALID_REQUEST',
    });
    expect((await tess(api.whois.listObjects, { account, query: { q: '\u0000' } })).status).toBe(400);
    expect((await tess(api.whois.getObject, { account, query: { class: 'person', key: 'A\u0000B' } })).status).toBe(400);
    expect((await tess(api.whois.getObject, { account, query: { class: 'route', key: '198.18.27.0/24as64500' } })).status).toBe(404);
    const noise = Array.from({ length: 700 }, (_, i) => String.fromCharCode(33 + ((i * 7) % 90)).repeat(9)).join('\n\n');
    const upload = await tess(api.whois.uploadText, { account, body: { text: noise, dryRun: false } });
    await portal.runTasks();
    expect((await tess(api.tasks.getTask, { account, taskId: String(upload.data!.taskId) })).data).toMatchObject({
      outcome: 'failed',
      counts: { ok: 0, pending: 0 },
    });
  });

  test('that asks for a dry run in its text is refused in a real call, and accepted in a dry run', async () => {
    const key = { account, query: { class: 'route' as const, key: '198.18.26.0/24as64500' } };
    for (const text of [`dry-run:\n\n${route(26)}`, `${route(26)}dry-run: yes\n`, `password: a\nDry-Run:\n\n${route(26)}`]) {
      const upload = await tess(api.whois.uploadText, { account, body: { text, dryRun: false } });
      expect(upload.errors![0]).toMatchObject({
        code: 'INVALID_REQUEST',
        field: 'text',
        message: expect.stringMatching(/Line \d+ .*dry-run/),
      });
      const sent = await tess(api.whois.submitUpdates, { account, body: { updates: [{ text }] } });
      expect(sent.errors![0]).toMatchObject({ field: 'updates.0.text' });
      const dryRun = await tess(api.whois.uploadText, { account, body: { text, dryRun: true } });
      expect(dryRun.data!.outcomes!.map(({ state }) => state)).toEqual(['ok']);
    }
    expect((await tess(api.whois.getObject, key)).status).toBe(404);
  });

  test('is warned of a password between the objects, once, and the password is removed', async () => {
    const text = `\ufeffpassword: very secret\n\n${route(26)}\n${route(27)}`;
    const { data } = await tess(api.whois.uploadText, { account, body: { text, dryRun: true } });
    expect(data!.outcomes!.map(({ state, problems }) => [state, problems.map(({ code }) => code)])).toEqual([
      ['ok', ['password-ignored']],
      ['ok', []],
    ]);
    expect(JSON.stringify(data)).not.toContain('very secret');
  });

  test('names the line that was refused, where another object needs what it would have made', async () => {
    const person = (name: string, more: string) =>
      `person:  ${name}\naddress: Example Street 1\ncountry: AU\nphone:   +61 7 5550 1234\n${more}nic-hdl: AUTO-1\nmnt-by:  MAINT-AU-EXAMPLE\nsource:  EXAMPLE\n`;
    const role = `role:    Needed Role\naddress: Example Street 1\ncountry: AU\nphone:   +61 7 5550 1234\ne-mail:  a@example.net\nadmin-c: AUTO-1\ntech-c:  AUTO-1\nnic-hdl: AUTO-2\nmnt-by:  MAINT-AU-EXAMPLE\nsource:  EXAMPLE\n`;
    const upload = async (text: string) => (await tess(api.whois.uploadText, { account, body: { text, dryRun: false } })).data!.outcomes!;
    const [, refused] = await upload(`# a comment\n\n${person('Wanda Wrong', 'nonsense: yes\n')}\n${role}`);
    expect(refused!.problems[0]!.message).toMatch(/^There is no person WW\d+-EX, because line 3 was refused$/);

    const email = 'e-mail:  a@example.net\n';
    const twice = await upload(`${person('Ann First', email)}\n${person('Bob Second', email)}\n${role}`);
    expect(twice.map(({ state }) => state)).toEqual(['failed', 'failed', 'failed']);
    expect(twice[0]!.problems[0]!.message).toContain('AUTO-1 is used more than once');
    const once = await upload(`${person('Ann First', email)}\n${role}`);
    expect(once.map(({ state, problems }) => [state, problems.filter(({ severity }) => severity === 'error')])).toEqual([
      ['ok', []],
      ['ok', []],
    ]);
  });

  test('that creates a maintainer links it, so that it is not lost', async () => {
    const text =
      'mntner: MAINT-AU-SECOND\ndescr: Second\nadmin-c: TL1-EX\nupd-to: noc@example-au.example\nauth: PORTAL\nmnt-by: MAINT-AU-SECOND\nsource: EXAMPLE\n';
    await corin(api.whois.submitUpdates, { account, body: { updates: [{ text }] } });
    const { data } = await corin(api.whois.listMaintainers, { account });
    expect(data!.rows).toMatchObject([{ maintainer: 'MAINT-AU-EXAMPLE' }, { maintainer: 'MAINT-AU-SECOND', principal: false, mine: true }]);
    await corin(api.whois.submitUpdates, { account, body: { updates: [{ operation: 'delete', text: 'mntner: MAINT-AU-SECOND\n' }] } });
    // Its name is free again, so the link is gone.
    expect((await corin(api.whois.listMaintainers, { account })).data!.rows).toHaveLength(1);
  });

  test('deletes a maintainer and its person together, each by its name alone, and neither without the other', async () => {
    const person = { name: 'Ada Pair', address: ['1 Street'], country: 'AU', phone: '+61 7 5550 0100', email: 'ada@example.net' };
    const body = { maintainer: 'MAINT-AU-PAIR', descr: 'Pair', updTo: ['noc@example-au.example'], person };
    const made = await corin(api.whois.createMaintainer, { account, body });
    const handle = made.data!.outcomes[0]!.shown;
    const goes = (shown: string, first: string) => ({
      operation: 'delete' as const,
      text: `${first}: ${shown}\n${first === 'person' ? `nic-hdl: ${shown}\n` : ''}`,
    });
    const [maintainer, ada] = [goes('MAINT-AU-PAIR', 'mntner'), goes(handle, 'person')];
    for (const alone of [maintainer, ada])
      expect((await corin(api.whois.previewUpdates, { account, body: { updates: [alone] } })).data!.outcomes[0]!.problems).toMatchObject([
        { code: 'referenced', count: 1 },
      ]);
    const gone = await corin(api.whois.submitUpdates, { account, body: { updates: [maintainer, ada] } });
    expect(gone.data!.outcomes.map(({ state, done }) => [state, done])).toEqual([
      ['ok', 'delete'],
      ['ok', 'delete'],
    ]);
    expect((await corin(api.whois.listMaintainers, { account })).data!.rows.map(row => row.maintainer)).not.toContain('MAINT-AU-PAIR');
  });

  test('names the attribute, its line and who could allow it', async () => {
    const { data } = await tess(api.whois.previewUpdates, { account, body: { updates: [{ text: route(22, 'AS64501') }] } });
    expect(data!.outcomes[0]!.problems).toMatchObject([
      { severity: 'error', code: 'origin-not-authorised', attribute: 'origin', line: 3, maintainers: ['MAINT-SG-OTHER'] },
    ]);
  });

  test('is for people who may use a maintainer: the contact it was given to, and only through it', async () => {
    const body = { updates: [{ text: route(23) }] };
    expect((await bill(api.whois.submitUpdates, { account, body })).errors![0]!.code).toBe('NO_PERMISSION');
    await change('Gave a maintainer', each =>
      each
        .updateTable('contact')
        .set({ maintainers: ['MAINT-AU-EXAMPLE'] })
        .where('fullName', '=', 'Bill Okonkwo')
        .execute(),
    );
    expect((await bill(api.whois.submitUpdates, { account, body })).data!.outcomes[0]!.state).toBe('ok');
    const zone =
      'domain: 5.18.198.in-addr.arpa\ndescr: x\nadmin-c: TL1-EX\ntech-c: TL1-EX\nzone-c: TL1-EX\nnserver: ns1.example.net\nnserver: ns2.example.net\nmnt-by: MAINT-AU-EXAMPLE\nsource: EXAMPLE\n';
    expect(
      (await bill(api.whois.previewUpdates, { account, body: { updates: [{ text: zone }] } })).data!.outcomes[0]!.problems.filter(
        ({ severity }) => severity === 'error',
      ),
    ).toMatchObject([{ code: 'no-domain-permission' }]);
    await change('Took it away', each =>
      each.updateTable('contact').set({ maintainers: [] }).where('fullName', '=', 'Bill Okonkwo').execute(),
    );
    const max = await portal.as('max');
    expect((await max(api.whois.submitUpdates, { account: 'LATE-FJ', body })).errors![0]!.code).toBe('ACCOUNT_SUSPENDED');
  });
});

describe('one change of many objects', () => {
  test('is rehearsed, then applied to the objects it concerns, and only to those', async () => {
    const choose = { classes: ['route' as const, 'inetnum' as const], attribute: 'mnt-by', value: 'MAINT-AU-EXAMPLE' };
    const actions = [
      { action: 'replace' as const, attribute: 'tech-c', value: 'eno1-ex', newValue: 'TL1-EX' },
      { action: 'add' as const, attribute: 'notify', newValue: 'changes@example.net' },
    ];
    for (const nothing of [{}, { attribute: 'mnt-by' }, { value: 'MAINT-AU-EXAMPLE' }, { classes: choose.classes, attribute: 'mnt-by' }])
      expect(await tess(api.whois.bulkChange, { account, body: { choose: nothing, actions } })).toMatchObject({
        status: 400,
        errors: [{ field: 'choose' }],
      });
    const dryRun = await tess(api.whois.bulkChange, { account, body: { choose, actions } });
    expect(dryRun.data!.outcomes!.every(({ state }) => state === 'ok')).toBe(true);
    const done = await tess(api.whois.bulkChange, { account, body: { choose, actions, dryRun: false } });
    expect(done.data!.objects).toBe(dryRun.data!.objects);
    const network = done.data!.outcomes!.find(({ shown }) => shown === '198.18.8.0 - 198.18.8.255')!;
    expect(network.after).toMatch(/tech-c: +TL1-EX[^]*notify: +changes@example\.net/);
    const again = await tess(api.whois.bulkChange, { account, body: { choose, actions, dryRun: false } });
    expect(again.data!.objects).toBe(0);
    const undone = await tess(api.whois.bulkChange, {
      account,
      body: { choose, actions: [{ action: 'remove', attribute: 'notify' }], dryRun: false, mode: 'atomic' },
    });
    expect(undone.data!.objects).toBe(done.data!.objects);
    const status = await tess(api.whois.bulkChange, {
      account,
      body: { choose, actions: [{ action: 'set', attribute: 'status', newValue: 'X' }] },
    });
    expect(status.errors![0]!.message).toContain('part of a primary key');
  });
});

test('a password in auth is not returned, kept in the task or mailed', async () => {
  const secret = '$1$abcdefgh$PlantedHash';
  const text = (count: number) =>
    `mntner: MAINT-AU-PLANTED${count}\ndescr: x\nadmin-c: ENO1-EX\nupd-to: noc@example-au.example\nauth: MD5-PW ${secret}\nmnt-by: MAINT-AU-EXAMPLE\nsource: EXAMPLE\n`;
  const uploaded = await tess(api.whois.uploadText, { account, body: { text: `${text(1)}\n${text(2)}`, dryRun: false } });
  const submitted = await tess(api.whois.submitUpdates, { account, body: { updates: [{ text: text(3) }] } });
  const bulk = await tess(api.whois.bulkChange, {
    account,
    body: { choose: { classes: ['mntner'] }, actions: [{ action: 'add', attribute: 'auth', newValue: `MD5-PW ${secret}` }] },
  });
  expect(JSON.stringify([uploaded, submitted, bulk])).not.toContain('PlantedHash');
  expect(uploaded.data!.outcomes!.map(({ state }) => state)).toEqual(['failed', 'failed']);
  expect(JSON.stringify(uploaded.data)).toContain('Passwords are no longer supported');
  const kept = await portal.db.read.rows<{ found: boolean }>(sql`select exists (select from whois_task_item where text like '%PlantedHash%')
    or exists (select from mail where body like '%PlantedHash%') or exists (select from activity where details::text like '%PlantedHash%') as found`);
  expect(kept).toEqual([{ found: false }]);
});

describe('a small text', () => {
  test('is recorded as a task with its report and reverted like a large one; a dry run or a text that changes nothing is not', async () => {
    const text = `${route(28)}\n${route(29)}`;
    const send = async ({ dryRun = false } = {}) => (await tess(api.whois.uploadText, { account, body: { text, dryRun } })).data!;
    expect(await send({ dryRun: true })).toMatchObject({ objects: 2, taskId: null });
    const done = await send();
    expect(done.outcomes!.map(({ state }) => state)).toEqual(['ok', 'ok']);
    const taskId = String(done.taskId);
    expect((await tess(api.tasks.getTask, { account, taskId })).data).toMatchObject({
      state: 'completed',
      outcome: 'success',
      counts: { ok: 2, pending: 0 },
      mine: true,
      mayRevert: true,
      mayRetry: false,
    });
    const report = await portal.request(`/api/${account}/tasks/${taskId}/report?format=csv`, {
      headers: { authorization: `Bearer ${await portal.tokenOf('tess')}` },
    });
    expect((await report.text()).trim().split('\n')).toHaveLength(3);
    expect(await send()).toMatchObject({ taskId: null });
    const revert = await tess(api.tasks.revertTask, { account, taskId });
    await portal.runTasks();
    expect((await tess(api.tasks.getTask, { account, taskId: String(revert.data!.taskId) })).data).toMatchObject({ counts: { ok: 2 } });
    const key = { account, query: { class: 'route' as const, key: '198.18.28.0/24as64500' } };
    expect((await tess(api.whois.getObject, key)).status).toBe(404);
  });
});

describe('a small bulk change', () => {
  test('is recorded as a task with its report, and is reverted like a large one', async () => {
    const choose = { classes: ['inetnum' as const], attribute: 'mnt-by', value: 'MAINT-AU-EXAMPLE' };
    const actions = [{ action: 'add' as const, attribute: 'remarks', newValue: 'Moved to the new core' }];
    const dryRun = await tess(api.whois.bulkChange, { account, body: { choose, actions } });
    expect(dryRun.data).toMatchObject({ taskId: null });
    const { data } = await tess(api.whois.bulkChange, { account, body: { choose, actions, dryRun: false } });
    const taskId = String(data!.taskId);
    expect(data!.outcomes!.length).toBe(data!.objects);
    const task = await tess(api.tasks.getTask, { account, taskId });
    expect(task.data).toMatchObject({
      state: 'completed',
      outcome: 'success',
      itemsDone: data!.objects,
      counts: { ok: data!.objects, pending: 0 },
      request: 'remarks Moved to the new core is added',
      mine: true,
      mayRevert: true,
      mayRetry: false,
    });
    expect((await tess(api.tasks.listTasks, { account, query: { kind: 'bulk', limit: 1 } })).data!.rows[0]!.taskId).toBe(data!.taskId);
    const items = await tess(api.tasks.listTaskItems, { account, taskId, query: {} });
    expect(items.data!.rows[0]).toMatchObject({ state: 'ok', done: 'modify', after: expect.stringContaining('Moved to the new core') });
    expect(items.data!.rows[0]!.before).not.toContain('Moved to the new core');

    const revert = await tess(api.tasks.revertTask, { account, taskId });
    // The page of the new task is the one of its own kind.
    const { link } = (await tess(api.tasks.getTask, { account, taskId: String(revert.data!.taskId) })).data!;
    expect(revert.data!.link).toBe(link);
    await portal.runTasks();
    expect((await tess(api.tasks.getTask, { account, taskId: String(revert.data!.taskId) })).data).toMatchObject({
      outcome: 'success',
      counts: { ok: data!.objects },
    });
    const { data: left } = await tess(api.whois.listObjects, { account, query: { class: 'inetnum', q: 'Moved to the new core' } });
    expect(left!.total).toBe(0);
  });

  test('that is refused as a whole is recorded without effect, and can’t be reverted', async () => {
    const { data } = await tess(api.whois.bulkChange, {
      account,
      body: {
        choose: { classes: ['inetnum'], attribute: 'mnt-by', value: 'MAINT-AU-EXAMPLE' },
        actions: [{ action: 'set', attribute: 'tech-c', newValue: 'ZZ9-EX' }],
        dryRun: false,
        mode: 'atomic',
      },
    });
    expect((await tess(api.tasks.getTask, { account, taskId: String(data!.taskId) })).data).toMatchObject({
      outcome: 'failed',
      counts: { ok: 0 },
      mayRevert: false,
      mayRetry: true,
      failures: [{ message: expect.stringContaining('ZZ9-EX'), objects: data!.objects }],
    });
  });
});

describe('the attribute values in the objects of an account', () => {
  test('are counted by attribute, for this account only', async () => {
    const of = (who: Client, name: string, attribute: string) =>
      who(api.whoisAttributeValues.listAttributeValues, { account: name, query: { attribute } });
    const { data } = await of(tess, account, 'mnt-irt');
    expect(data!.rows[0]).toEqual({ value: 'irt-au-example', objects: expect.any(Number) });
    expect((await of(tess, account, 'descr')).data!.rows).toEqual([]);
    expect((await of(olive, account, 'mnt-irt')).status).toBe(404);
  });

  test('are contacts, how they are reached and what names them', async () => {
    const { data } = await tess(api.whoisContacts.listContacts, { account });
    const role = data!.rows.find(({ shown }) => shown === 'ENO1-EX')!;
    expect(role).toMatchObject({ class: 'role', country: expect.any(String), emails: [expect.stringContaining('@')] });
    expect(role.uses.find(({ attribute }) => attribute === 'admin-c')!.objects).toBeGreaterThan(1);
    expect((await olive(api.whoisContacts.listContacts, { account })).status).toBe(404);
  });

  test('can be downloaded in full, as text and as JSON, without credentials', async () => {
    const get = async (query: { classes?: string; format?: 'rpsl' | 'json' }): Promise<string> =>
      (await tess(api.whoisDownload.downloadObjects, { account, query })).data!.blob.text();
    const all = await get({});
    expect(all).toMatch(/^inetnum: +198\.18\.0\.0 - 198\.18\.31\.255\n/);
    expect(all).toMatch(/\n\nmntner: +MAINT-AU-EXAMPLE\n/);
    expect(all).not.toMatch(/^auth:\s+(?!\s|PORTAL|PGPKEY|X509)/im);
    const json = JSON.parse(await get({ classes: 'mntner,irt', format: 'json' })) as { class: string; attributes: { name: string }[] }[];
    expect(new Set(json.map(each => each.class))).toEqual(new Set(['mntner', 'irt']));
    expect(json[0]!.attributes[0]!.name).toBe(json[0]!.class);
    expect((await tess(api.whoisDownload.downloadObjects, { account, query: { classes: 'mntner,nonsense' } })).status).toBe(400);
  });
});

describe('maintainers', () => {
  test('are made with their first person, linked and chosen', async () => {
    const hana = await portal.as('hana');
    const of = 'CAMPUS-JP';
    const body = {
      maintainer: 'maint-jp-campus',
      descr: 'Campus Holdings',
      updTo: ['noc@campus.example'],
      person: {
        name: 'Hana Watanabe',
        address: ['4-5-6 Example-cho'],
        country: 'JP',
        phone: '+81 3 5550 0104',
        email: 'hana@campus.example',
      },
    };
    const made = await hana(api.whois.createMaintainer, { account: of, body });
    expect(made.data!.outcomes.map(({ state, shown }) => [state, shown])).toEqual([
      ['ok', 'HW1-EX'],
      ['ok', 'MAINT-JP-CAMPUS'],
    ]);
    expect((await hana(api.whois.listMaintainers, { account: of })).data!.rows).toMatchObject([
      { maintainer: 'MAINT-JP-CAMPUS', principal: true, mine: true, auth: ['PORTAL'] },
    ]);
    expect((await hana(api.whois.unlinkMaintainer, { account: of, maintainer: 'MAINT-JP-CAMPUS' })).errors![0]!.code).toBe(
      'PRINCIPAL_MAINTAINER',
    );
    // Kept objects name it from now on.
    await syncRegistryObjects(portal.db, readProfile(''));
    const kept = await hana(api.whois.getObject, { account: of, query: { class: 'inetnum', key: '198.18.192.0/22' } });
    expect(kept.data!.text).toMatch(/mnt-lower: +MAINT-JP-CAMPUS/);
    const again = await hana(api.whois.createMaintainer, { account: of, body });
    expect(again.data!.outcomes.at(-1)).toMatchObject({ state: 'failed', problems: [{ code: 'exists' }] });
  });

  test('of others are linked by a code sent to upd-to, with a limit of wrong codes', async () => {
    const body = { maintainer: 'MAINT-SG-OTHER' };
    const asked = await corin(api.whois.askToLinkMaintainer, { account, body });
    expect(asked.data).toMatchObject({ sentTo: 1 });
    const mail = (await portal.mailsTo('noc@other-sg.example')).at(-1)!;
    const code = /code=([A-Z2-7]{10})/.exec(mail.body)![1]!;
    expect((await corin(api.whois.askToLinkMaintainer, { account, body })).errors![0]!.code).toBe('TOO_MANY_REQUESTS');
    expect((await corin(api.whois.linkMaintainer, { account, body: { ...body, code: 'WRONG' } })).data!.linked).toBe(false);
    const linked = await corin(api.whois.linkMaintainer, { account, body: { ...body, code } });
    expect(linked.data).toMatchObject({
      linked: true,
      rows: [
        { maintainer: 'MAINT-AU-EXAMPLE', principal: true },
        { maintainer: 'MAINT-SG-OTHER', principal: false },
      ],
    });
    expect((await corin(api.whois.linkMaintainer, { account, body: { ...body, code } })).errors![0]!.code).toBe('CODE_EXPIRED');
    // A technical contact uses the principal one; this one only when it is granted.
    const mine = async () =>
      (await tess(api.whois.listMaintainers, { account })).data!.rows.find(({ maintainer }) => maintainer === 'MAINT-SG-OTHER')!.mine;
    expect(await mine()).toBe(false);
    const [contact] = await portal.db.read.rows<{ contactId: string }>(
      sql`select contact_id::text as contact_id from contact where account_name = ${account} and full_name like 'Tess%'`,
    );
    expect(
      (await corin(api.whois.grantMaintainer, { account, maintainer: 'MAINT-SG-OTHER', body: { contactIds: [contact!.contactId] } }))
        .status,
    ).toBe(200);
    expect(await mine()).toBe(true);
    expect((await corin(api.whois.askToLinkMaintainer, { account, body: { maintainer: 'EXAMPLE-HM' } })).errors![0]!.code).toBe(
      'REGISTRY_MAINTAINER',
    );
    expect((await corin(api.whois.unlinkMaintainer, { account, maintainer: 'MAINT-SG-OTHER' })).data!.rows).toHaveLength(1);
  });

  test('and irts are listed with what they are used for', async () => {
    const irts = (await tess(api.whois.listIrts, { account })).data!;
    expect(irts.rows).toMatchObject([
      {
        irt: 'IRT-AU-EXAMPLE',
        mine: true,
        mailboxes: [{ mailbox: 'security@example-au.example' }, { mailbox: 'abuse@example-au.example' }],
      },
    ]);
    expect(irts.withoutTotal).toBe(0);
  });
});

describe('a task', () => {
  const many = (count: number): string =>
    Array.from(
      { length: count },
      (_, i) =>
        `route6:         2001:db8:${(0x4000 + i).toString(16)}::/48\ndescr:          Task\norigin:         AS64500\nmnt-by:         MAINT-AU-EXAMPLE\nsource:         EXAMPLE\n`,
    ).join('\n');
  const taskOf = async (taskId: number) => (await tess(api.tasks.getTask, { account, taskId: String(taskId) })).data!;

  test('handles texts that are too long, reports failures, can retry them, and can be undone', async () => {
    const text = `${many(600)}\n${route(24, 'AS64501')}\n${route(26)}`;
    const { data } = await tess(api.whois.uploadText, { account, body: { text, dryRun: false } });
    expect(data).toMatchObject({ objects: 602, outcomes: null });
    const taskId = data!.taskId!;
    expect(await taskOf(taskId)).toMatchObject({
      state: 'queued',
      mayCancel: true,
      itemsTotal: 602,
      link: expect.stringContaining('/task/MyRegistry/Whois/Bulk/ModifyObjects/1/details?id='),
    });
    await portal.runTasks();
    expect(await taskOf(taskId)).toMatchObject({
      state: 'completed',
      outcome: 'partial',
      counts: { ok: 601, failed: 1 },
      mayRetry: true,
      mayRevert: true,
      failures: [{ objects: 1 }],
    });
    const failed = await tess(api.tasks.listTaskItems, { account, taskId: String(taskId), query: { state: 'failed' } });
    expect(failed.data!.rows).toMatchObject([
      { itemNo: 601, shown: '198.18.24.0/24AS64501', problems: [{ code: 'origin-not-authorised' }] },
    ]);
    const report = await portal.request(`/api/${account}/tasks/${taskId}/report?format=text`, {
      headers: { authorization: `Bearer ${await portal.tokenOf('tess')}` },
    });
    expect(await report.text()).toMatch(/^# refused: origin: The holder of AS64501[^]*route: +198\.18\.24\.0\/24/);

    const acknowledgement = await portal.request(`/api/${account}/tasks/${taskId}/report?format=acknowledgement`, {
      headers: { authorization: `Bearer ${await portal.tokenOf('tess')}` },
    });
    expect(await acknowledgement.text()).toMatch(
      /^- Date\/Time: \w+, [^]*\nNumber of objects processed successfully: {2}601\n {2}Create: {9}601\n[^]*\nCreate FAILED: \[route\] 198\.18\.24\.0\/24AS64501\n[^]*\norigin: +AS64501\n\*\*\*Error: {3}The holder of[^]*\n~{52}\nThe whois database EXAMPLE of .+, whois server version \d+\.\d+\.\d+\n$/,
    );

    const retry = await tess(api.tasks.retryTask, { account, taskId: String(taskId) });
    await portal.runTasks();
    expect(await taskOf(retry.data!.taskId)).toMatchObject({ outcome: 'failed', counts: { failed: 1 } });
    // Later changes stay when the task is undone.
    await tess(api.whois.submitUpdates, { account, body: { updates: [{ text: route(26).replace('Test', 'Later') }] } });
    const revert = await corin(api.tasks.revertTask, { account, taskId: String(taskId) });
    await portal.runTasks();
    expect(await taskOf(revert.data!.taskId)).toMatchObject({ outcome: 'partial', counts: { ok: 600, failed: 1 } });
    expect((await tess(api.whois.listObjects, { account, query: { class: 'route6' } })).data!.total).toBe(1);
    const mails = await portal.mailsTo('noc@example-au.example');
    expect(mails.filter(({ subject }) => subject.includes('602 objects') || subject.includes('601 objects')).length).toBeGreaterThan(0);
  });

  test('is not done twice when its worker dies midway', async () => {
    const { data } = await tess(api.whois.uploadText, { account, body: { text: many(501), dryRun: false } });
    const taskId = data!.taskId!;
    // Simulates a worker that stored one object and was killed before it could record it in the task.
    await portal.runTasks();
    await portal.db.unrecorded.updateTable('task').set({ state: 'queued' }).where('taskId', '=', taskId).execute();
    const serial = async () =>
      (await portal.db.read.rows<{ serial: number }>(sql`select max(serial) as serial from whois_journal`))[0]!.serial;
    const before = await serial();
    await portal.runTasks();
    expect(await serial()).toBe(before);
    expect(await taskOf(taskId)).toMatchObject({ outcome: 'success', counts: { ok: 501 } });
  });

  test('can be cancelled before it begins, is not accessible to other accounts, and waits its turn', async () => {
    const text = many(510).replaceAll('Task', 'Other');
    const first = (await tess(api.whois.uploadText, { account, body: { text, dryRun: true } })).data!.taskId!;
    const second = (await tess(api.whois.uploadText, { account, body: { text, dryRun: false } })).data!.taskId!;
    expect((await tess(api.whois.uploadText, { account, body: { text, dryRun: false } })).errors![0]!.code).toBe('TOO_MANY_TASKS');
    expect((await tess(api.tasks.cancelTask, { account, taskId: String(second) })).data).toMatchObject({
      state: 'cancelled',
      counts: { skipped: 510 },
    });
    await portal.runTasks();
    expect(await taskOf(first)).toMatchObject({ dryRun: true, outcome: 'success', mayRevert: false });
    expect((await tess(api.tasks.cancelTask, { account, taskId: String(first) })).errors![0]!.code).toBe('TASK_NOT_CANCELLABLE');
    expect((await olive(api.tasks.getTask, { account: 'OTHER-SG', taskId: String(first) })).status).toBe(404);
    expect((await olive(api.tasks.listTasks, { account: 'OTHER-SG' })).data!.rows).toEqual([]);
    expect((await bill(api.tasks.listTasks, { account })).data!.rows).toEqual([]);
    expect((await corin(api.tasks.listTasks, { account, query: { kind: 'bulk', limit: 1 } })).data).toMatchObject({
      more: true,
      rows: [{ startedBy: 'Tess Lindqvist', mine: false }],
    });
  });

  test('repeats a message, to show that tasks are worked on', async () => {
    const stella = await portal.as('stella');
    const { data } = await stella(api.tasks.echo, { body: { accountName: account, message: 'Hello', fail: true } });
    await portal.runTasks();
    expect(await taskOf(data!.taskId)).toMatchObject({ name: 'whois.echo', summary: 'Echo: Hello', outcome: 'failed' });
  });
});

test('a dry run counts all objects, and shows those that would be refused', async () => {
  const person = (n: number) =>
    `person: Rehearsed ${'abcdefgh'[n % 8]}\naddress: Level 3\ncountry: AU\nphone: +61 7 5550 0142\ne-mail: r${n}@example.net\nnic-hdl: RH${n}-EX\nmnt-by: MAINT-AU-EXAMPLE\nsource: EXAMPLE\n`;
  const text = Array.from({ length: 60 }, (_, n) => person(n + 1)).join('\n');
  expect(
    (await tess(api.whois.uploadText, { account, body: { text, dryRun: false } })).data!.outcomes!.every(({ state }) => state === 'ok'),
  ).toBe(true);
  const keys = Array.from({ length: 60 }, (_, n) => ({ class: 'person' as const, key: `RH${n + 1}-EX` }));
  const dryRunOf = async (attribute: string, newValue: string, mode: 'atomic' | 'best-effort' = 'best-effort') =>
    (await tess(api.whois.bulkChange, { account, body: { choose: { keys }, actions: [{ action: 'set', attribute, newValue }], mode } }))
      .data!;
  for (const mode of ['best-effort', 'atomic'] as const) {
    const all = await dryRunOf('country', 'QQ', mode);
    expect(all).toMatchObject({ objects: 60, matched: 60, refused: 60, taskId: null });
    expect(all.outcomes!.map(({ state }) => state)).toEqual(Array.from({ length: 50 }, () => 'failed'));
  }
  expect(await dryRunOf('remarks', 'Checked')).toMatchObject({ objects: 60, refused: 0 });
  // A refused one beyond the first fifty comes first.
  await tess(api.whois.uploadText, {
    account,
    body: { text: person(60).replace('e-mail: r60@example.net\n', 'e-mail: r60@example.net\nnotify: x@example.net\n'), dryRun: false },
  });
  const one = (
    await tess(api.whois.bulkChange, {
      account,
      body: {
        choose: { keys },
        actions: [
          { action: 'replace', attribute: 'notify', value: 'x@example.net', newValue: 'nonsense' },
          { action: 'add', attribute: 'remarks', newValue: 'Checked' },
        ],
      },
    })
  ).data!;
  expect(one).toMatchObject({ objects: 60, refused: 1 });
  expect([one.outcomes![0]!.shown, one.outcomes![0]!.state, one.outcomes!.length]).toEqual(['RH60-EX', 'failed', 50]);
});
