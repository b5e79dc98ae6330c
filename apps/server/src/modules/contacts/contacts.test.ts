import type { CallInput } from '@portal/api-client';
import { defaultPermissions, type Permission } from '@portal/contract';
import { api } from '@portal/contract/api';
import { DAY_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kindsForRules, testPortal, type TestPortal } from '../../../test/portal.ts';
import { runContactDeadlines } from './deadlines.ts';

const account = 'EXAMPLE-AU';
const statusesOf = (answers: { status: number }[]): number[] => answers.map(({ status }) => status).toSorted((a, b) => a - b);
type Person = Awaited<ReturnType<TestPortal['as']>>;
const line = { action: 'test', summary: 'test', traceId: '0'.repeat(32) };

const list = async (person: Person, query: CallInput<typeof api.contacts.listContacts>['query'] = {}, accountName = account) =>
  (await person(api.contacts.listContacts, { account: accountName, query })).data!;
const named = async (person: Person, name: string, accountName = account) =>
  (await list(person, { q: name.slice(0, 50) }, accountName)).rows.find(contact => contact.fullName === name)!;

describe.each(kindsForRules)('the contacts of an account on %s', kind => {
  let portal: TestPortal;
  let corin: Person;
  beforeAll(async () => {
    portal = await testPortal(kind);
    corin = await portal.as('corin');
  });
  afterAll(() => portal[Symbol.asyncDispose]());

  test('are listed by name, searched, filtered and paged by the server', async () => {
    const { rows, total } = await list(corin);
    expect(rows.map(({ fullName }) => fullName)).toEqual(['Bill Okonkwo', 'Corin Achterberg', 'Tess Lindqvist', 'Tilda Marchetti']);
    expect(total).toBe(4);
    expect(rows[1]).toMatchObject({ isMe: true, contactTypes: ['corporate'], hasSecondFactor: true, dormant: false, status: 'active' });
    expect(rows[0]).toMatchObject({ isMe: false, hasSecondFactor: false, lastSignInAt: null });
    expect((await list(corin, { type: 'billing', direction: 'desc' })).rows.map(({ fullName }) => fullName)).toEqual([
      'Tilda Marchetti',
      'Bill Okonkwo',
    ]);
    expect(await list(corin, { limit: 1, offset: 2 })).toMatchObject({ total: 4, rows: [{ fullName: 'Tess Lindqvist' }] });
    expect(await list(corin, { q: '%' })).toMatchObject({ rows: [], total: 0 });
    // What a contact without a second factor can't do, as the endpoints declare it.
    const { secondFactorFor } = await list(corin);
    expect(secondFactorFor.someChanges).toContain('member-billing-update');
    expect(secondFactorFor.always).toContain('roas-update');
    expect((await list(corin, { mark: 'no-second-factor' })).rows.map(({ fullName }) => fullName)).toEqual([
      'Bill Okonkwo',
      'Tilda Marchetti',
    ]);
  });

  test('show permissions, sign-ins and second factors of others only to people with the permission', async () => {
    const bill = await portal.as('bill');
    const { rows } = await list(bill);
    expect(rows.find(({ isMe }) => isMe)).toMatchObject({
      permissions: expect.arrayContaining(['member-billing-view']),
      hasSecondFactor: false,
    });
    expect(
      rows
        .filter(({ isMe }) => !isMe)
        .map(({ permissions, hasSecondFactor, lastSignInAt }) => [permissions, hasSecondFactor, lastSignInAt]),
    ).toEqual(Array(3).fill([null, null, null]));
    expect((await list(bill, { mark: 'no-second-factor' })).rows.map(({ fullName }) => fullName)).toEqual(['Bill Okonkwo']);
  });

  test('if two people edit one contact, the second sees what the first saved', async () => {
    const { contactId, version } = await named(corin, 'Tilda Marchetti');
    const edit = (position: string) => corin(api.contacts.updateContact, { account, contactId, body: { version, position } });
    const answers = await Promise.all([edit('Head of billing'), edit('Network engineer')]);
    expect(statusesOf(answers)).toEqual([200, 412]);
    const won = answers.find(({ status }) => status === 200)!.data!;
    expect(answers.find(({ status }) => status === 412)).toMatchObject({
      errors: [{ code: 'STALE' }],
      current: { contactId, version: won.version, position: won.position },
    });
    const mails = await portal.mailsTo('tilda@example-au.example');
    expect(mails.at(-1)).toMatchObject({
      subject: 'Details of Tilda Marchetti in EXAMPLE-AU changed',
      body: expect.stringContaining(won.position),
    });
    expect(await portal.mailsTo('corin@example-au.example')).toHaveLength(mails.length);
  });

  test('other contact types start with their defaults; extra permissions are marked as a person’s decision', async () => {
    const tilda = await named(corin, 'Tilda Marchetti');
    const first = await corin(api.contacts.updateContact, {
      account,
      contactId: tilda.contactId,
      body: { version: tilda.version, contactTypes: ['billing'] },
    });
    expect(first.data!.permissions!.toSorted()).toEqual(defaultPermissions(['billing']).toSorted());
    const kept: Permission[] = [...defaultPermissions(['billing']).filter(key => key !== 'advanced-invoice-update'), 'resources-view'];
    await corin(api.contacts.updateContact, {
      account,
      contactId: tilda.contactId,
      body: { version: first.data!.version, permissions: kept, maintainers: ['maint-example-au'] },
    });
    const { data } = await (await portal.as('tilda'))(api.contacts.getMyPermissions, { account });
    const decided = data!.groups.flatMap(({ permissions }) => permissions).filter(({ from }) => from === 'decision');
    expect(decided).toMatchObject([
      { permission: 'advanced-invoice-update', held: false, decidedBy: 'Corin Achterberg' },
      { permission: 'resources-view', held: true, decidedBy: 'Corin Achterberg' },
    ]);
    expect(data).toMatchObject({ maintainers: ['MAINT-EXAMPLE-AU'], contactTypes: ['billing'] });
    expect(
      await portal.db.read
        .selectFrom('activity')
        .select('details')
        .where('action', '=', 'contacts.updateContact')
        .orderBy('activityId', 'desc')
        .limit(1)
        .executeTakeFirst(),
    ).toMatchObject({
      details: { before: { contactTypes: ['billing'] }, after: { permissions: expect.arrayContaining(['resources-view']) } },
    });
  });

  test('contacts cannot raise their own permissions, grant what they do not hold, or grant what is not grantable', async () => {
    const own = await named(corin, 'Corin Achterberg');
    expect(
      await corin(api.contacts.updateContact, {
        account,
        contactId: own.contactId,
        body: { version: own.version, permissions: ['voting-vote'] },
      }),
    ).toMatchObject({ status: 403, errors: [{ code: 'OWN_PERMISSIONS' }] });
    const tess = await named(corin, 'Tess Lindqvist');
    const granted: Permission[] = [...tess.permissions!, 'users-privileges-update', 'contacts-details-update', 'voting-vote'];
    const given = await corin(api.contacts.updateContact, {
      account,
      contactId: tess.contactId,
      body: { version: tess.version, permissions: granted },
    });
    expect(given.status).toBe(200);
    const asTess = await portal.as('tess');
    const bill = await named(asTess, 'Bill Okonkwo');
    const grant = (permissions: Permission[]) =>
      asTess(api.contacts.updateContact, {
        account,
        contactId: bill.contactId,
        body: { version: bill.version, permissions: [...defaultPermissions(['billing']), ...permissions] },
      });
    expect(await grant(['tickets-admin-view'])).toMatchObject({
      status: 403,
      errors: [{ code: 'PERMISSION_NOT_GRANTABLE', message: expect.stringContaining('you don’t have it yourself') }],
    });
    expect(await grant(['nominate-proxy'])).toMatchObject({ errors: [{ code: 'PERMISSION_NOT_GRANTABLE' }] });
    expect(await grant(['resources-view'])).toMatchObject({ status: 200 });
    // Mass assignment: unknown fields are refused, and the call does nothing.
    const again = await named(corin, 'Bill Okonkwo');
    const answer = await corin(api.contacts.updateContact, {
      account,
      contactId: again.contactId,
      body: { version: again.version, email: 'evil@example.net', status: 'removed', loginId: 'x' } as never,
    });
    expect(answer.errors!.map(({ code, field }) => [code, field])).toEqual(
      ['email', 'status', 'loginId'].map(field => ['INVALID_REQUEST', field]),
    );
    expect(await named(corin, 'Bill Okonkwo')).toMatchObject({
      email: 'bill@example-au.example',
      status: 'active',
      version: again.version,
    });
  });

  test('the voting permission can be granted only if the account has votes', async () => {
    const hana = await portal.as('hana', { mfa: true });
    const invited = await hana(api.contacts.inviteContact, {
      account: 'CAMPUS-JP',
      body: {
        fullName: '佐藤',
        email: 'sato@campus.example',
        contactTypes: ['technical'],
        permissions: ['contacts-details-view', 'voting-vote'],
      },
    });
    expect(invited).toMatchObject({ status: 403, errors: [{ message: expect.stringContaining('accounts of this type can’t vote') }] });
  });

  test('without a second factor, or with an old one, nothing can be changed', async () => {
    const weak = await portal.as('corin', { mfa: false });
    const { contactId, version } = await named(corin, 'Bill Okonkwo');
    expect(await weak(api.contacts.updateContact, { account, contactId, body: { version, position: 'x' } })).toMatchObject({
      status: 401,
      errors: [{ code: 'MFA_REQUIRED' }],
    });
    expect((await weak(api.accessRequests.listAccessRequests, { account })).status).toBe(401);
    expect((await list(weak)).total).toBeGreaterThan(3);
  });

  test.each([
    ['山田 太郎', 'yamada'],
    ['محمد بن سلمان', 'mohammed'],
    ['<img src=x onerror=alert(1)>', 'html'],
    ['=HYPERLINK("http://evil.example")', 'formula'],
    ['ä'.repeat(200), 'long'],
    ['O\'Neill, "Bob"; drop table contact', 'quotes'],
  ])('a person called %s is invited, listed and exported unchanged', async (fullName, mailbox) => {
    const email = `${mailbox}@names.example`;
    const invited = await corin(api.contacts.inviteContact, { account, body: { fullName, email, contactTypes: ['technical'] } });
    expect(invited).toMatchObject({ status: 200, data: { fullName, status: 'invited', invitation: { state: 'sent' } } });
    expect(await named(corin, fullName)).toMatchObject({ email });
    const file = await corin(api.contacts.exportContacts, { account, query: { q: email } });
    const text = await file.data!.blob.text();
    const escaped = (fullName.startsWith('=') ? `'${fullName}` : fullName).replaceAll('"', '""');
    expect(text).toContain(/[",]/.test(fullName) ? `"${escaped}"` : escaped);
    expect(text.split('\r\n')[0]).toContain('fullName,email');
    expect(file.data!.fileName).toBe('contacts-EXAMPLE-AU.csv');
  });

  test.each([
    ['ä'.repeat(201), 'too long'],
    ['', 'empty'],
    ['A\nBcc: all@example.net', 'two lines'],
    ['A\u202eB', 'turned around'],
  ])('an invalid name is refused (%#)', async fullName => {
    expect(
      await corin(api.contacts.inviteContact, { account, body: { fullName, email: 'x@names.example', contactTypes: ['technical'] } }),
    ).toMatchObject({ status: 400, errors: [{ field: 'fullName' }] });
  });

  test.each([
    '',
    ' ',
    'bill',
    'bill@',
    '@example.net',
    'bill@example',
    'bill @example.net',
    'bill@exa mple.net',
    'bill@@example.net',
    'bill@example..net',
    '.bill@example.net',
    'bill.@example.net',
    'bill@-example.net',
    'bill@example-.net',
    'bill@example.n',
    'bill@192.0.2.1',
    'a,b@example.net',
    'bill@example.net\nBcc: x@example.net',
    `${'a'.repeat(65)}@example.net`,
    `a@${'b'.repeat(64)}.example`,
  ])('the address “%s” is refused in the specified words', async email => {
    const answer = await corin(api.contacts.inviteContact, { account, body: { fullName: 'A', email, contactTypes: ['technical'] } });
    expect(answer).toMatchObject({ status: 400 });
    expect(answer.errors!.map(({ field }) => field)).toEqual(answer.errors!.map(() => 'email'));
    expect(answer.errors![0]!.message).toMatch(/^(Enter a valid email address|It must be a valid email in English)/);
  });

  test('an address in another script gets a hint', async () => {
    const answer = await corin(api.contacts.inviteContact, {
      account,
      body: { fullName: 'A', email: '山田@example.net', contactTypes: ['technical'] },
    });
    expect(answer.errors![0]!.message).toContain('It must be a valid email in English');
  });

  test('one address is one contact of the account, in any spelling', async () => {
    const invite = (email: string) =>
      corin(api.contacts.inviteContact, { account, body: { fullName: 'B', email, contactTypes: ['billing'] } });
    const answers = await Promise.all([invite('twice@example.net'), invite('Twice@Example.net')]);
    expect(statusesOf(answers)).toEqual([200, 409]);
    expect(await invite('BILL@example-au.example')).toMatchObject({ errors: [{ code: 'ALREADY_CONTACT' }] });
  });

  test('a call repeated with its idempotency key is done once, even concurrently', async () => {
    const body = { fullName: 'Once Only', email: 'once@example.net', contactTypes: ['billing' as const] };
    const idempotencyKey = 'form-0123456789';
    const invite = () => corin(api.contacts.inviteContact, { account, body }, { idempotencyKey });
    const answers = [...(await Promise.all([invite(), invite()])), await invite()];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(answers.map(({ data }) => data!.contactId)).size).toBe(1);
    expect(await portal.mailsTo('once@example.net')).toHaveLength(1);
    expect(
      await corin(api.contacts.inviteContact, { account, body: { ...body, email: 'other@example.net' } }, { idempotencyKey }),
    ).toMatchObject({ status: 409, errors: [{ code: 'IDEMPOTENCY_KEY_REUSED' }] });
    expect(await corin(api.contacts.inviteContact, { account, body }, { idempotencyKey: 'short' })).toMatchObject({ status: 400 });
    // A key belongs to its login.
    const olive = await portal.as('olive');
    expect(await olive(api.contacts.inviteContact, { account: 'OTHER-SG', body }, { idempotencyKey })).toMatchObject({ status: 200 });
  });

  test('a contact changes and confirms their own details without a second factor; a removed one can’t', async () => {
    const bill = await portal.as('bill', { mfa: false });
    const { version } = await named(bill, 'Bill Okonkwo');
    const changed = await bill(api.contacts.updateOwnDetails, {
      account,
      body: { version, fullName: 'Bill Okonkwo', phone: '+61 7 5550 0100', position: 'Accounts' },
    });
    expect(changed.data).toMatchObject({
      phone: '+61 7 5550 0100',
      position: 'Accounts',
      confirmationDue: false,
      confirmedAt: expect.any(String),
    });
    expect((await bill(api.contacts.confirmOwnDetails, { account })).status).toBe(200);
    expect(
      await bill(api.contacts.updateOwnDetails, { account, body: { version, fullName: 'B', phone: 'call me', position: '' } }),
    ).toMatchObject({ status: 400 });
    expect(await bill(api.contacts.leaveAccount, { account, body: {} })).toMatchObject({ status: 200, data: { removed: true } });
    expect((await bill(api.contacts.getMyPermissions, { account })).status).toBe(404);
    expect((await portal.mailsTo('corin@example-au.example')).at(-1)!.subject).toBe('Bill Okonkwo is no longer a contact of EXAMPLE-AU');
  });

  test('after 180 days without a sign-in a contact is marked, and after a year asked once to confirm', async () => {
    await portal.db.change(line, async change => {
      await sql`update contact set created_at = now() - interval '400 days', confirmed_at = null where full_name = 'Tess Lindqvist'`.execute(
        change,
      );
      // The sessions are forgotten; the day of the last one is not.
      await sql`delete from session where login_id = (select login_id from contact where full_name = 'Tess Lindqvist')`.execute(change);
      await sql`update login set last_sign_in_at = now() - interval '190 days' where login_id = (select login_id from contact where full_name = 'Tess Lindqvist')`.execute(
        change,
      );
    });
    expect((await list(corin, { mark: 'dormant' })).rows.map(({ fullName }) => fullName)).toEqual(['Tess Lindqvist']);
    expect(await named(corin, 'Tess Lindqvist')).toMatchObject({ dormant: true, confirmationDue: true });
    const days = (Date.now() - Date.parse((await named(corin, 'Tess Lindqvist'))!.lastSignInAt!)) / DAY_MS;
    expect(Math.round(days)).toBe(190);
    const asked = async () => {
      await runContactDeadlines(portal.db, new Date());
      return (await portal.mailsTo('tess@example-au.example')).filter(({ subject }) => subject.startsWith('Are your details')).length;
    };
    expect([await asked(), await asked()]).toEqual([1, 1]);
    const tess = await portal.as('tess');
    expect((await tess(api.home.getHome, { account })).data!.attention!.map(({ attentionId }) => attentionId)).toContain(
      'contact-confirmation',
    );
    await tess(api.contacts.confirmOwnDetails, { account });
    expect(await named(corin, 'Tess Lindqvist')).toMatchObject({ dormant: false, confirmationDue: false });
  });

  test('a page of 500 contacts is found by indexes', async () => {
    await portal.db.change(line, async change => {
      await sql`insert into contact (account_name, full_name, email, contact_types, permissions)
        select case when n <= 500 then 'HARBOUR-HK' else 'KELP-WS' end, 'Person ' || n, 'p' || n || '@example.net', '{technical}', '{}' from generate_series(1, 5000) n`.execute(
        change,
      );
    });
    await sql`analyze contact`.execute(portal.db.unrecorded);
    const max = await portal.as('max');
    const started = performance.now();
    const page = await list(max, { sort: 'fullName', limit: 50 }, 'HARBOUR-HK');
    expect(performance.now() - started).toBeLessThan(2000);
    expect(page).toMatchObject({ total: 501 });
    const plan = await portal.db.read.rows<Record<string, string>>(
      sql<
        Record<string, string>
      >`explain select * from contact c where c.account_name = 'HARBOUR-HK' and c.status <> 'removed' order by lower(c.full_name) limit 50`,
    );
    expect(plan.map(row => Object.values(row)[0]).join('\n')).toMatch(/Index .*contact_(of_account|address)/);
    for (const query of [
      sql<Record<string, string>>`explain select max(started_at) from session where login_id = 'x'`,
      sql<
        Record<string, string>
      >`explain select from access_request where account_name = 'HARBOUR-HK' and status = 'pending' order by access_request_id`,
      sql<
        Record<string, string>
      >`explain select from invitation where contact_id = ${(await named(max, 'Person 7', 'HARBOUR-HK')).contactId}::uuid order by invitation_id desc limit 1`,
    ]) {
      await portal.db.change(line, async change => {
        await sql`set local enable_seqscan = off`.execute(change);
        expect((await change.rows(query)).map(row => Object.values(row)[0]).join('\n')).toMatch(/Index/);
      });
    }
  });

  test('a suspended account can still manage contacts and permissions', async () => {
    const max = await portal.as('max');
    const body = { fullName: 'Late Helper', email: 'helper@late.example', contactTypes: ['billing' as const] };
    const invited = await max(api.contacts.inviteContact, { account: 'LATE-FJ', body });
    expect(invited).toMatchObject({ status: 200 });
    const { contactId, version } = invited.data!;
    expect(
      await max(api.contacts.updateContact, {
        account: 'LATE-FJ',
        contactId,
        body: { version, permissions: ['contacts-details-view', 'member-billing-view'] },
      }),
    ).toMatchObject({ status: 200 });
    const { version: now } = await named(max, 'Late Helper', 'LATE-FJ');
    expect(await max(api.contacts.removeContact, { account: 'LATE-FJ', contactId, body: { version: now } })).toMatchObject({
      data: { removed: true },
    });
  });

  test('a contact of another account is not found', async () => {
    const olive = await portal.as('olive');
    const { contactId, version } = await named(corin, 'Tess Lindqvist');
    expect(await olive(api.contacts.updateContact, { account: 'OTHER-SG', contactId, body: { version, position: 'x' } })).toMatchObject({
      status: 404,
      errors: [{ message: 'The contact wasn’t found' }],
    });
  });
});

test('with the flag contactmanagement off contacts are listed but cannot be changed', async () => {
  await using portal = await testPortal(undefined, { FLAG_CONTACTMANAGEMENT: 'false' });
  const corin = await portal.as('corin');
  const { contactId, version } = await named(corin, 'Bill Okonkwo');
  expect(await corin(api.contacts.updateContact, { account, contactId, body: { version, position: 'x' } })).toMatchObject({
    status: 403,
    errors: [{ code: 'FEATURE_OFF', message: 'This is switched off for everyone right now: adding, changing and removing contacts' }],
  });
  const tess = await portal.as('tess');
  expect(await tess(api.contacts.leaveAccount, { account, body: {} })).toMatchObject({ status: 200 });
});
