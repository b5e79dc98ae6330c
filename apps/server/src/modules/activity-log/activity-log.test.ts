import type { Client } from '@portal/api-client';
import { defaultPermissions, errorInWords, type ErrorItem } from '@portal/contract';
import type { ActivityLine } from '@portal/contract/activity-log/activity-log';
import { api } from '@portal/contract/api';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kindsForRules, testPortal, type TestPortal } from '../../../test/portal.ts';
import { sealActivities } from '../../platform/database/index.ts';

const account = 'EXAMPLE-AU';
const traceId = 'a1'.repeat(16);

describe.each(kindsForRules)('the activity log of an account on %s', kind => {
  let portal: TestPortal;
  let corin: Client;
  let stella: Client;
  beforeAll(async () => {
    portal = await testPortal(kind);
    corin = await portal.as('corin');
    stella = await portal.as('stella');
    await stella(api.staff.startVisit, { accountName: account });
  });
  afterAll(() => portal[Symbol.asyncDispose]());

  type Query = Parameters<
    typeof api.activityLog.listActivities extends infer E ? (e: E, q: Record<string, string | number>) => void : never
  >[1];
  const list = async (query: Query = {}, as = corin, of = account): Promise<ActivityLine[]> => {
    const answer = await as(api.activityLog.listActivities, { account: of, query: query as never });
    expect(answer.errors).toBeUndefined();
    return answer.data!.lines;
  };
  const statusOf = async (path: string, name: string): Promise<[number, string]> => {
    const answer = await portal.request(path, { headers: { authorization: `Bearer ${await portal.tokenOf(name)}` } });
    const body = (await answer.json()) as { errors?: ErrorItem[] };
    return [answer.status, body.errors?.[0] ? errorInWords(body.errors[0]) : ''];
  };
  const invite = async (fullName: string, email: string) => {
    const answer = await corin(api.contacts.inviteContact, { account, body: { fullName, email, contactTypes: ['technical'] } });
    expect(answer.errors).toBeUndefined();
    return answer.data!;
  };
  /** Lines as stored, at chosen times. */
  const write = (rows: readonly Record<string, unknown>[]) =>
    portal.db.unrecorded
      .insertInto('activity')
      .values(rows.map(row => ({ action: 'contacts.updateContact', summary: 'Changed a contact', traceId, ...row })) as never)
      .returning('activityId')
      .execute();

  test('shows what a contact did, who it affected, from which address and in which session', async () => {
    await invite('Penny Day', 'penny@day.example');
    const [line] = await list();
    expect(line).toMatchObject({
      actor: { kind: 'contact', name: 'Corin Achterberg' },
      action: 'contacts.inviteContact',
      what: 'Invite a contact',
      category: 'contacts',
      object: 'Penny Day',
      summary: 'Invited a contact',
      result: 'done',
      refusal: null,
      address: '127.0.0.1',
      secondFactor: true,
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
  });

  test('a refused attempt is in it, with the reason in words', async () => {
    const bill = await portal.as('bill');
    const refused = await bill(api.contacts.inviteContact, {
      account,
      body: { fullName: 'Nobody', email: 'nobody@day.example', contactTypes: ['technical'] },
    });
    expect(refused.status).toBe(403);
    const [line] = await list({ result: 'refused' });
    expect(line).toMatchObject({
      actor: { name: 'Bill Okonkwo' },
      what: 'Invite a contact',
      result: 'refused',
      refusal: { code: 'NO_PERMISSION', words: 'You do not have permission to access this feature' },
    });
    expect((await list({ result: 'done' })).some(({ result }) => result === 'refused')).toBe(false);
  });

  test('looking at the log, also by registry staff, leaves no line in it', async () => {
    const before = await list();
    await list({}, stella);
    await corin(api.activityLog.listDays, { account, query: {} });
    expect(await list()).toEqual(before);
  });

  test('contains no internal work, such as delivering mail', async () => {
    const before = await list();
    const [mailed] = await write([
      { accountName: account, action: 'mail.deliver', summary: 'Sent an e-mail', happenedAt: new Date().toISOString() },
    ]);
    expect(await list()).toEqual(before);
    expect((await corin(api.activityLog.getActivity, { account, activityId: String(mailed!.activityId) })).status).toBe(404);
  });

  describe('needs the permission', () => {
    test('a contact without it is refused, and another account’s contact gets the answer for an unknown account', async () => {
      for (const path of ['', '/days', '/newer?after=1', '/about', '/export?format=csv', '/1']) {
        expect(await statusOf(`/api/${account}/activity-log${path}`, 'tess')).toEqual([403, expect.any(String)]);
        expect(await statusOf(`/api/${account}/activity-log${path}`, 'olive')).toEqual([404, expect.any(String)]);
      }
    });

    test('a line of another account isn’t found, also for registry staff who view this one', async () => {
      const [other] = await list({}, await portal.as('olive'), 'OTHER-SG');
      for (const who of [corin, stella])
        expect((await who(api.activityLog.getActivity, { account, activityId: String(other!.activityId) })).status).toBe(404);
      for (const wrong of ['0', 'x', '1e3', '99999999999999999999'])
        expect((await corin(api.activityLog.getActivity, { account, activityId: wrong })).status).toBe(404);
      expect(await statusOf(`/api/${account}/activity-log?before=${other!.activityId}`, 'corin')).toEqual([
        400,
        `before: ${other!.activityId} isn’t a line of this account’s log`,
      ]);
    });
  });

  describe('activities of registry staff', () => {
    let requestId: string;
    beforeAll(async () => {
      const [tess] = await portal.db.read.selectFrom('contact').selectAll().where('fullName', '=', 'Tess Lindqvist').execute();
      const asked = await corin(api.contacts.updateContact, {
        account,
        contactId: tess!.contactId,
        body: { version: tess!.version, contactTypes: ['corporate'] },
      });
      expect(asked.errors).toBeUndefined();
      const waiting = await portal.db.read
        .selectFrom('registryRequest')
        .selectAll()
        .where('status', '=', 'pending')
        .executeTakeFirstOrThrow();
      requestId = String(waiting.registryRequestId);
      const approved = await stella(api.registryRequests.approveRegistryRequest, { requestId, body: { note: 'Seen the letter' } });
      expect(approved.errors).toBeUndefined();
    });

    test('members see "Registry staff" without address and name, in every format', async () => {
      const [line] = await list({ actor: 'staff' });
      expect(line).toMatchObject({
        actor: { kind: 'staff', name: 'Registry staff', contactId: null },
        action: 'contacts.registryRequests.approveRegistryRequest',
        object: 'Tess Lindqvist',
        address: null,
      });
      const detail = await corin(api.activityLog.getActivity, { account, activityId: String(line!.activityId) });
      expect(detail.data!.changes.map(({ what, name }) => [what, name])).toEqual(
        expect.arrayContaining([
          ['Contact', 'Tess Lindqvist'],
          ['Request to the registry', 'Tess Lindqvist'],
        ]),
      );
      const staff = await portal.db.read.selectFrom('login').selectAll().where('username', '=', 'stella').executeTakeFirstOrThrow();
      const file = await portal.request(`/api/${account}/activity-log/export?format=json`, {
        headers: { authorization: `Bearer ${await portal.tokenOf('corin')}` },
      });
      for (const text of [JSON.stringify(detail.data), JSON.stringify(await list()), await file.text()])
        for (const secret of [staff.loginId, staff.fullName, staff.email, 'Stella']) expect(text).not.toContain(secret);
    });

    test('an address of registry staff can’t be found by searching', async () => {
      await write([
        {
          accountName: account,
          loginIssuer: portal.config.issuerUri,
          loginSubject: 'somebody',
          address: '203.0.113.77',
          happenedAt: new Date().toISOString(),
        },
      ]);
      expect(await list({ q: '203.0.113.77' })).toEqual([]);
      expect(await list({ q: '203.0.113.77' }, stella)).toHaveLength(1);
    });

    test('registry staff reads who it was', async () => {
      const lines = await list({ actor: 'staff' }, stella);
      expect(lines.map(({ actor }) => actor.name).join()).toContain('Stella');
      expect(lines.find(({ action }) => action.startsWith('contacts.registryRequests'))!.address).toBe('127.0.0.1');
    });
  });

  test('a person who asks to join is named, and is neither staff nor a contact', async () => {
    const nadia = await portal.as('nadia');
    expect((await nadia(api.accessRequests.linkAccount, { body: { accountName: account } })).errors).toBeUndefined();
    await portal.runTasks();
    const [line] = await list({ actor: 'person' });
    expect(line).toMatchObject({
      actor: { kind: 'person', name: 'Nadia Haddad' },
      what: 'Request to be linked to the account',
      object: '',
    });
    expect((await list({ actor: 'system' })).map(({ activityId }) => activityId)).not.toContain(line!.activityId);
  });

  describe('before and after', () => {
    test('a change is shown column by column, in words, without unchanged columns', async () => {
      const { contactId, version } = await invite('Quinn Abel', 'quinn@abel.example');
      const [invited] = await list();
      const added = await corin(api.activityLog.getActivity, { account, activityId: String(invited!.activityId) });
      const contact = added.data!.changes.find(({ what }) => what === 'Contact')!;
      expect(contact).toMatchObject({ operation: 'added', name: 'Quinn Abel' });
      expect(contact.columns).toContainEqual({ label: 'Name', shape: 'text', before: null, after: ['Quinn Abel'] });
      expect(contact.columns).toContainEqual({ label: 'State', shape: 'text', before: null, after: ['invited'] });

      await corin(api.contacts.updateContact, { account, contactId, body: { version, contactTypes: ['billing'] } });
      const [changed] = await list();
      const { data } = await corin(api.activityLog.getActivity, { account, activityId: String(changed!.activityId) });
      const columns = data!.changes.find(({ what }) => what === 'Contact')!.columns;
      expect(columns).toContainEqual({ label: 'Contact types', shape: 'list', before: ['technical'], after: ['billing'] });
      expect(columns.find(({ label }) => label === 'Permissions')!.after).toContain('View billing');
      expect(columns.some(({ label }) => label === 'Name')).toBe(false);
    });

    test('secrets, logins, links and mails are never returned', async () => {
      const lines = await list({ limit: 200 });
      const all = await Promise.all(
        lines.map(async ({ activityId }) => (await corin(api.activityLog.getActivity, { account, activityId: String(activityId) })).data),
      );
      const text = JSON.stringify(all);
      const hidden = await portal.db.read.rows<{ value: string }>(sql`
        select login_id as value from login union all select link_id from login_link union all select hash from login_password
        union all select encode(digest, 'hex') from login_link where digest is not null`);
      expect(hidden.length).toBeGreaterThan(10);
      // The subject of every actor is stored, and shown to no one.
      expect(hidden.filter(({ value }) => text.includes(value))).toEqual([]);
      expect(text).not.toMatch(/\$argon2|login_id|sealed|"sid"/);
    });

    test('rows of another account in the same activity are hidden, and so are versions of a row with another holder', async () => {
      await portal.db.change({ action: 'demo.delegate', summary: 'Moved', traceId, accountName: account }, async change => {
        await change.updateTable('delegation').set({ economy: 'FJ' }).where('resource', '=', '198.51.100.0/24').execute();
        await change.updateTable('delegation').set({ accountName: account, economy: 'AU' }).where('resource', '=', 'AS64501').execute();
        await change.updateTable('contact').set({ position: 'Of another account' }).where('accountName', '=', 'OTHER-SG').execute();
      });
      const [line] = await list();
      const { data } = await corin(api.activityLog.getActivity, { account, activityId: String(line!.activityId) });
      expect(data!.changes).toHaveLength(1);
      const [moved] = data!.changes;
      expect(moved).toMatchObject({ operation: 'changed', what: 'Delegation', name: 'AS64501' });
      expect(moved!.columns.every(({ before }) => before === null)).toBe(true);
      expect(JSON.stringify(data)).not.toMatch(/OTHER-SG|198\.51|Of another/);
    });

    test('rows need the permission for seeing them elsewhere; hidden ones are counted', async () => {
      await portal.db.change({ action: 'test', summary: 'Made a reader', traceId }, change =>
        change
          .updateTable('contact')
          .set({ permissions: [...defaultPermissions([]), 'member-account-access-logs-view'] })
          .where('fullName', '=', 'Bill Okonkwo')
          .execute(),
      );
      const bill = await portal.as('bill');
      const registered = (await list({ q: 'Registered', from: '2025-09-15' }, bill))[0]!;
      const { data } = await bill(api.activityLog.getActivity, { account, activityId: String(registered.activityId) });
      expect(data).toMatchObject({ changes: [], withheld: [{ permission: 'View number resources', rows: expect.any(Number) }] });

      await portal.db.change({ action: 'test', summary: 'Let the reader see resources', traceId }, change =>
        change
          .updateTable('contact')
          .set({ permissions: ['resources-view', 'contacts-details-view', 'member-account-access-logs-view'] })
          .where('fullName', '=', 'Bill Okonkwo')
          .execute(),
      );
      const more = await bill(api.activityLog.getActivity, { account, activityId: String(registered.activityId) });
      expect(more.data!.withheld).toEqual([{ permission: 'View private registrations', rows: expect.any(Number) }]);
      expect(more.data!.changes.length).toBeGreaterThan(5);
      expect(JSON.stringify(more.data)).not.toContain('Pine Timber');
      const whole = await corin(api.activityLog.getActivity, { account, activityId: String(registered.activityId) });
      expect(JSON.stringify(whole.data)).toContain('Pine Timber');
    });

    test('a line names what it is about to those who may see it elsewhere, and only to them', async () => {
      await portal.db.change({ action: 'test', summary: 'Made a reader', traceId }, change =>
        change
          .updateTable('contact')
          .set({ permissions: ['member-account-access-logs-view'] })
          .where('fullName', '=', 'Bill Okonkwo')
          .execute(),
      );
      const bill = await portal.as('bill');
      const noted: [action: string, note: Record<string, unknown>, named: string, isForAll: boolean][] = [
        ['customers.addAssignment', { customer: 'Quiet Customer Ltd' }, 'Quiet Customer Ltd', false],
        ['customers.endAssignment', { resource: '198.18.24.0/26' }, '198.18.24.0/26', false],
        ['requests.completeOneClick', { resource: '2001:db8::/32' }, '2001:db8::/32', false],
        ['rpki.changeRoas', { added: ['a', 'b', 'c', 'd'], removed: [] }, 'a, b and 2 more', false],
        ['nir.subaccounts.addSubaccount', { subaccount: 'QUIET-ZZ' }, 'QUIET-ZZ', false],
        ['whois.submitUpdates', { changed: ['created mntner MAINT-NEW'] }, 'mntner MAINT-NEW', true],
        ['tickets.remind', { ticket: '20001', subject: 'Private' }, 'ticket 20001', true],
      ];
      for (const [action, note, named, isForAll] of noted) {
        await portal.db.change({ action, summary: 'Did something', traceId, accountName: account }, change => change.note(note));
        expect((await list())[0]).toMatchObject({ action, object: named });
        expect((await list({}, bill))[0]).toMatchObject({ action, object: isForAll ? named : '' });
        const found = await list({ q: named }, bill);
        expect(found.some(line => line.action === action)).toBe(isForAll);
      }
    });

    test('too many rows are cut, with a note', async () => {
      await portal.db.change({ action: 'demo.assign', summary: 'Touched many', traceId, accountName: account }, async change => {
        await sql`update assignment set descr = 'one' where account_name = ${account}`.execute(change);
        for (let time = 0; time < 6; time++)
          await sql`update assignment set descr = descr || 'more' where account_name = ${account}`.execute(change);
      });
      const [line] = await list();
      const { data } = await corin(api.activityLog.getActivity, { account, activityId: String(line!.activityId) });
      expect(data).toMatchObject({ more: true });
      // The hundred changes are of 21 rows, most of them five times: each is shown once, before and after.
      expect(data!.changes).toHaveLength(21);
      expect(data!.changes[0]!.columns).toEqual([
        { label: 'Description', shape: 'text', before: null, after: [expect.stringMatching(/^one(more)+$/)] },
      ]);
    });

    test('a line is sealed a little later, and both the line and the log say so', async () => {
      await invite('Rae Olin', 'rae@olin.example');
      const [line] = await list();
      const detail = async () => (await corin(api.activityLog.getActivity, { account, activityId: String(line!.activityId) })).data!;
      expect((await detail()).seal).toBeNull();
      await sealActivities(portal.db, portal.config);
      const { seal } = await detail();
      expect(seal).toMatchObject({ hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
      const about = await corin(api.activityLog.getActivityLog, { account });
      expect(about.data!.sealed).toEqual({ activityId: line!.activityId, at: seal!.at });
    });
  });

  describe('a busy account', () => {
    const busy = 'SOUTHSITE-NZ';
    const dayOf = (day: number, clock = '03:00:00') => `2026-03-${String(day).padStart(2, '0')}T${clock}Z`;
    const march = { from: '2026-03-01', to: '2026-03-31' };
    beforeAll(async () => {
      const mine = await portal.db.read
        .selectFrom('contact')
        .select('contactId')
        .where('accountName', '=', busy)
        .where('fullName', 'like', 'Corin%')
        .executeTakeFirstOrThrow();
      await write(
        Array.from({ length: 60 }, (_, index) => ({
          accountName: busy,
          // Numbers don't follow time here: two processes started their lines in another order than they were numbered.
          happenedAt: dayOf(1 + (index % 20), `03:00:${String(59 - index).padStart(2, '0')}`),
          contactId: index % 3 === 0 ? mine.contactId : null,
          action: index % 2 === 0 ? 'contacts.updateContact' : 'contacts.askForPermission',
          summary: index === 7 ? 'Changed 100% of_it' : 'Changed a contact',
          refusal: index % 5 === 0 ? 'STALE' : null,
          details: JSON.stringify(index === 4 ? { contact: 'Wanda Wide' } : {}),
        })),
      );
    });
    const found = (query: Query) => list({ ...march, limit: 200, ...query }, corin, busy);

    test('filters narrow alone and together', async () => {
      const all = await found({});
      expect(all).toHaveLength(60);
      expect(await found({ result: 'refused' })).toHaveLength(12);
      expect(await found({ category: 'permissions' })).toHaveLength(30);
      expect(await found({ category: 'permissions', result: 'refused' })).toHaveLength(6);
      expect(await found({ category: 'billing' })).toEqual([]);
      expect(await found({ actor: 'system' })).toHaveLength(40);
      const contactId = all.find(({ actor }) => actor.kind === 'contact')!.actor.contactId!;
      expect(await found({ actor: contactId })).toHaveLength(20);
      expect(await found({ from: '2026-03-05', to: '2026-03-05' })).toHaveLength(3);
    });

    test.each([
      ['100% of_it', 1],
      ['wanda', 1],
      ['REQUEST A PERM', 30],
      ['askForPermission', 30],
      ['achterberg', 20],
      [traceId, 60],
      ['%', 1],
      ["' or true --", 0],
    ])('the text %j finds %d lines', async (q, count) => {
      expect(await found({ q })).toHaveLength(count);
    });

    test('a day begins and ends in the time zone of the registry', async () => {
      // Brisbane is ten hours ahead: midnight of the 26th there is 14:00 of the 25th in UTC.
      await write([
        { accountName: busy, happenedAt: '2026-03-25T13:59:59.999Z', summary: 'Last of the 25th' },
        { accountName: busy, happenedAt: '2026-03-25T14:00:00.000Z', summary: 'First of the 26th' },
      ]);
      expect((await found({ from: '2026-03-25', to: '2026-03-25' })).map(({ summary }) => summary)).toEqual(['Last of the 25th']);
      expect((await found({ from: '2026-03-26', to: '2026-03-26' })).map(({ summary }) => summary)).toEqual(['First of the 26th']);
      const { data } = await corin(api.activityLog.listDays, { account: busy, query: march });
      expect(data!.timeZone).toBe('Australia/Brisbane');
      expect(data!.days).toHaveLength(31);
      expect(data!.days.filter(({ day }) => day >= '2026-03-24' && day <= '2026-03-27')).toEqual([
        { day: '2026-03-24', done: 0, refused: 0 },
        { day: '2026-03-25', done: 1, refused: 0 },
        { day: '2026-03-26', done: 1, refused: 0 },
        { day: '2026-03-27', done: 0, refused: 0 },
      ]);
      expect(data!.days.reduce((sum, { refused }) => sum + refused, 0)).toBe(12);
      const narrowed = await corin(api.activityLog.listDays, { account: busy, query: { ...march, category: 'permissions' } });
      expect(narrowed.data!.days.reduce((sum, { done, refused }) => sum + done + refused, 0)).toBe(30);
    });

    test('pages hold every line once, newest first, while lines are added', async () => {
      const expected = (await found({})).map(({ activityId }) => activityId);
      const seen: ActivityLine[] = [];
      let before: number | undefined;
      for (let page = 0; ; page++) {
        const { data } = await corin(api.activityLog.listActivities, {
          account: busy,
          query: { ...march, limit: 7, ...(before !== undefined && { before }) },
        });
        seen.push(...data!.lines);
        if (!data!.older) break;
        before = data!.lines.at(-1)!.activityId;
        // Newer than everything, so it comes before the first page.
        await write([{ accountName: busy, happenedAt: dayOf(30, `05:00:${String(page).padStart(2, '0')}`) }]);
      }
      expect(seen.map(({ activityId }) => activityId)).toEqual(expected);
      expect(seen.map(({ at }) => at)).toEqual(
        seen
          .map(({ at }) => at)
          .toSorted()
          .toReversed(),
      );
      const { data } = await corin(api.activityLog.countNewer, { account: busy, query: { ...march, after: Math.max(...expected) } });
      expect(data!.lines).toBe(Math.ceil(expected.length / 7) - 1);
    });

    test.each([
      ['from=2026-02-30', /from/],
      ['from=2025-01-01&to=2026-03-01', /more than 12 months/],
      ['from=2026-03-02&to=2026-03-01', /before/],
      ['actor=corin', /a contact id, person, staff, helper or system/],
      ['category=gossip', /category/],
      ['limit=1000', /limit/],
      ['before=-1', /before/],
    ])('%s is refused, and says what is wrong', async (query, words) => {
      expect(await statusOf(`/api/${busy}/activity-log?${query}`, 'corin')).toEqual([400, expect.stringMatching(words)]);
      if (query.startsWith('from'))
        expect(await statusOf(`/api/${busy}/activity-log/export?format=csv&${query}`, 'corin')).toEqual([
          400,
          expect.stringMatching(words),
        ]);
    });

    test('the export has the same lines and stable columns, and no cell is executed by a spreadsheet', async () => {
      await write([
        {
          accountName: busy,
          happenedAt: dayOf(31),
          summary: '=HYPERLINK("http://evil.example")',
          details: JSON.stringify({ contact: '@cmd, "x"' }),
        },
      ]);
      const token = await portal.tokenOf('corin');
      const query = 'from=2026-03-01&to=2026-03-31';
      const csv = await (
        await portal.request(`/api/${busy}/activity-log/export?format=csv&${query}`, { headers: { authorization: `Bearer ${token}` } })
      ).text();
      const [head, first] = csv.split('\r\n');
      expect(head).toBe(
        'activityId,at,actor,actorKind,action,what,object,summary,category,result,refusal,refusalWords,address,secondFactor,traceId',
      );
      expect(first).toContain(`"'@cmd, ""x""","'=HYPERLINK(""http://evil.example"")"`);
      const json = (await (
        await portal.request(`/api/${busy}/activity-log/export?format=json&${query}`, { headers: { authorization: `Bearer ${token}` } })
      ).json()) as { activityId: number }[];
      const listed = await found({});
      expect(json.map(({ activityId }) => activityId)).toEqual(listed.map(({ activityId }) => activityId));
      expect(csv.trimEnd().split('\r\n')).toHaveLength(listed.length + 1);
    });
  });

  test('a page and the counts of days are read through the index of the account, however long the log', async () => {
    await sql`insert into activity (happened_at, action, summary, trace_id, account_name)
      select now() - i * interval '20 minutes', 'contacts.updateContact', 'Changed a contact', ${traceId}, 'FJORD-TL' from generate_series(1, 20000) i`.execute(
      portal.db.unrecorded,
    );
    await sql`analyze activity`.execute(portal.db.unrecorded);
    const planOf = async (query: ReturnType<typeof sql<Record<string, string>>>): Promise<string> =>
      (await portal.db.read.rows(query)).map(row => Object.values(row)[0]).join('\n');
    const mine = sql`a.account_name = 'FJORD-TL' and a.action not like all (array['mail.%']) and a.happened_at >= now() - interval '300 days'`;
    for (const plan of [
      await planOf(sql`explain select a.activity_id from activity a where ${mine}
        and (a.happened_at, a.activity_id) < ((select happened_at from activity where activity_id = 5000), 5000::bigint)
        order by a.happened_at desc, a.activity_id desc limit 51`),
      await planOf(sql`explain select count(*) from activity a where ${mine} and a.happened_at < now() - interval '290 days'`),
    ]) {
      expect(plan).toMatch(/Index.* activity_of_account/);
      expect(plan).not.toMatch(/Seq Scan on activity a|Sort/);
    }
    const { data } = await (await portal.as('max'))(api.activityLog.listDays, { account: 'FJORD-TL', query: {} });
    expect(data!.days[10]).toMatchObject({ done: 72, refused: 0 });
  });

  test('lists the people in it and its start', async () => {
    const { data } = await corin(api.activityLog.getActivityLog, { account });
    expect(data!.contacts.map(({ name }) => name)).toContain('Corin Achterberg');
    expect(data!.since).toMatch(/^\d{4}-/);
  });
});
