import { api } from '@portal/contract/api';
import { DAY_MS, HOUR_MS, instantBefore } from '@portal/contract/days';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kindsForRules, type TestPortal, testPortal } from '../../../test/portal.ts';
import { modules } from '../../modules.ts';
import { sealActivities } from '../../platform/database/index.ts';
import { verify } from '../../platform/database/verify.ts';
import type { PersonalTable } from '../../platform/personal-data.ts';
import { addContact, createAccount } from '../accounts/index.ts';
import { tellOfErasedContact } from '../contacts/erased-contacts.ts';
import { contactsTexts } from '../contacts/mail-texts.ts';
import { addErasure, enableLogin, LAST_MAIL_DAYS, notifyPeople } from '../identity/index.ts';
import { erasePerson, forgetLastMails } from './erasures.ts';

const line = { action: 'test', summary: 'Test', traceId: '0'.repeat(32) };
const snake = (name: string): string => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
const seal = async (portal: TestPortal): Promise<void> => {
  while ((await sealActivities(portal.db, portal.config)) > 0);
};
const loginOf = async (portal: TestPortal, username: string) =>
  portal.db.read.selectFrom('login').selectAll().where('username', '=', username).executeTakeFirstOrThrow();
/** Files a request as Stella does, whose wait is over. */
async function file(portal: TestPortal, username: string): Promise<string> {
  const filed = await (await portal.as('stella'))(api.privacy.fileErasure, {
    body: { username, reason: 'Identified by passport, ticket 20001' },
  });
  expect(filed.errors).toBeUndefined();
  const { erasureId } = filed.data!;
  await portal.db.change(line, change =>
    change.rows(sql`update erasure set due_at = ${instantBefore(new Date(), 1)}::timestamptz where erasure_id = ${Number(erasureId)}`),
  );
  return erasureId;
}
const erase = async (portal: TestPortal, erasureId: string) => (await portal.as('stella'))(api.privacy.erasePerson, { erasureId });
const refusal = async (portal: TestPortal, erasureId: string) => (await erase(portal, erasureId)).errors?.[0];

test('each table that an erasure reaches is declared by its module, with the columns that are replaced, and no other is', async () => {
  await using portal = await testPortal(kindsForRules[0]!);
  const known = await portal.db.read.rows<{
    table: string;
    place: string;
    link: string;
    columns: Record<string, string> | null;
    isWhole: boolean;
  }>(sql`select table_name as "table", place, link, columns, only_rows = 'true' as is_whole from erased_tables()`);
  const declared = modules.flatMap(({ personal = {} }) =>
    Object.entries(personal).flatMap(([table, facts]) => {
      const { own, erased } = facts as PersonalTable<'login'>;
      if (own === undefined || (typeof erased === 'object' && 'kept' in erased && !('deleted' in erased))) return [];
      const columns = typeof erased === 'object' && 'replaced' in erased ? erased.replaced : null;
      return [
        {
          table: snake(table),
          links: Object.fromEntries(Object.entries(own).map(([column, link]) => [snake(column), link])),
          columns: columns && Object.fromEntries(Object.entries(columns).map(([column, kind]) => [snake(column), kind])),
          isWhole: erased === 'deleted' || columns !== null,
        },
      ];
    }),
  );
  expect(known.map(({ table }) => table).sort()).toEqual(declared.map(({ table }) => table).sort());
  for (const { table, place, link, columns, isWhole } of known) {
    const of = declared.find(each => each.table === table)!;
    expect({ table, columns, isWhole }).toEqual({ table, columns: of.columns, isWhole: of.isWhole });
    // A contact is found by its own number.
    if (table !== 'contact') expect({ table, link: of.links[place] }).toEqual({ table, link });
  }
  // Each column of a table whose rows stay is decided about.
  const undecided = modules.flatMap(({ personal = {} }) =>
    Object.entries(personal).flatMap(([table, facts]) => {
      const { own = {}, erased, gives = [], withholds = {}, acts = {} } = facts as PersonalTable<'login'>;
      if (typeof erased !== 'object' || !('replaced' in erased)) return [];
      const all = [...gives, ...Object.keys(withholds), ...Object.keys(acts), ...Object.keys(own)];
      const decided = new Set<string>([...Object.keys(erased.replaced), ...erased.stays, ...Object.keys(own)]);
      return [...all.filter(column => !decided.has(column)), ...[...decided].filter(column => !all.includes(column as never))].map(
        column => `${table}.${column}`,
      );
    }),
  );
  expect(undecided).toEqual([]);
  // The history of each table with copies is found by its index.
  const found = await portal.db.read.rows<{ table: string }>(sql`select e.table_name as "table" from erased_tables() e
    where (erased_by(e.table_name) is not null) <> exists (select from pg_trigger t where t.tgrelid = e.table_name::regclass and t.tgname = 'z_keep_deleted')
      or erased_by(e.table_name) <> e.place`);
  expect(found).toEqual([]);
  // And no row of a person who was erased is written to it.
  const unguarded =
    await portal.db.read.rows(sql`select e.table_name from erased_tables() e left join pg_trigger t on t.tgrelid = e.table_name::regclass and t.tgname = 'refuse_of_erased'
    where encode(t.tgargs, 'escape') is distinct from e.link || '\\000' or t.tgenabled is distinct from 'O'`);
  expect(unguarded).toEqual([]);
});

describe.each(kindsForRules)('an erasure, on %s', kind => {
  let portal: TestPortal;
  /** The address of Nadia before. */
  let address = '';
  beforeAll(async () => {
    portal = await testPortal(kind);
  });
  afterAll(() => portal[Symbol.asyncDispose]());

  test('waits, and is taken up by no one before', async () => {
    const stella = await portal.as('stella');
    expect((await stella(api.privacy.fileErasure, { body: { username: 'nobody-here', reason: 'Passport' } })).errors).toMatchObject([
      { code: 'NOT_FOUND', field: 'username' },
    ]);
    expect((await stella(api.privacy.fileErasure, { body: { username: 'stella', reason: 'Passport' } })).errors).toMatchObject([
      { code: 'ERASURE_OWN', field: 'username' },
    ]);
    const filed = await stella(api.privacy.fileErasure, { body: { username: 'Max', reason: 'Passport, ticket 20001' } });
    expect(filed.data).toMatchObject({ username: 'max', filedBy: expect.stringContaining('Stella'), state: 'requested' });
    expect((await stella(api.privacy.fileErasure, { body: { username: 'max', reason: 'Passport' } })).errors).toMatchObject([
      { code: 'NOTHING_TO_DO' },
    ]);
    expect(await refusal(portal, filed.data!.erasureId)).toMatchObject({ code: 'ERASURE_EARLY' });
    const mails = await portal.db.read.rows(sql`select from mail where login_id = ${(await loginOf(portal, 'max')).loginId}
      and subject = 'Erasure of your data was requested'`);
    expect(mails.length).toBeGreaterThan(0);
    const { erasureId } = filed.data!;
    expect(
      (await stella(api.privacy.refuseErasure, { erasureId, body: { reason: 'The passport is of someone else' } })).errors,
    ).toBeUndefined();
    expect((await stella(api.privacy.refuseErasure, { erasureId, body: { reason: 'Once more' } })).errors).toMatchObject([
      { code: 'NOT_FOUND' },
    ]);
    const { data } = await stella(api.privacy.listErasures, {});
    expect(data!.open).toEqual([]);
    expect(data!.ended).toMatchObject([{ erasureId, state: 'refused', note: 'The passport is of someone else' }]);
    // The look is written down, without who it was; how many there are is read without one.
    const looks = () =>
      portal.db.read.rows<{ requests: string }>(
        sql`select details ->> 'requests' as requests from activity where action = 'privacy.listErasures'`,
      );
    expect(await looks()).toEqual([{ requests: erasureId }]);
    expect((await stella(api.privacy.countErasures, {})).data).toMatchObject({ open: 0, ended: 1 });
    expect(await looks()).toHaveLength(1);
  });

  test('is filed for no one whom no mail reaches, and mailed to the addresses of their contacts', async () => {
    const stella = await portal.as('stella');
    const { loginId, email } = await loginOf(portal, 'bill');
    const filed = () => stella(api.privacy.fileErasure, { body: { username: 'bill', reason: 'Passport, ticket 20002' } });
    await portal.db.change(line, async change => {
      await change.rows(sql`update login set email_verified = false where login_id = ${loginId}`);
      await change.rows(sql`update contact set email = 'bill-at-work@example.net' where login_id = ${loginId}`);
      await change.rows(sql`insert into mail_refusal (address, refusals, refusal, refused_at, unreachable_since)
        values ('bill-at-work@example.net', 3, '550 no such user', now(), now())`);
    });
    expect((await filed()).errors).toMatchObject([{ code: 'ERASURE_UNREACHABLE' }]);
    await portal.db.change(line, change => change.rows(sql`delete from mail_refusal`));
    const { data } = await filed();
    const mailed = await portal.db.read.rows(sql`select recipient, freeze_link_id is not null as freezes from mail
      where login_id = ${loginId} and subject = 'Erasure of your data was requested'`);
    expect(mailed).toEqual([{ recipient: 'bill-at-work@example.net', freezes: true }]);
    await stella(api.privacy.refuseErasure, { erasureId: data!.erasureId, body: { reason: 'Of someone else' } });
    await portal.db.change(line, change =>
      change.rows(
        sql`with verified as (update login set email_verified = true where login_id = ${loginId}) update contact set email = ${email} where login_id = ${loginId}`,
      ),
    );
  });

  test('says what it does with each kind of data', async () => {
    const { data } = await (await portal.as('stella'))(api.privacy.countErasures, {});
    const fateOf = (text: string) => data!.kinds.find(({ data: of }) => of.includes(text))?.fate;
    expect(fateOf('Password')).toBe('deleted');
    expect(fateOf('Name, user name')).toBe('replaced');
    expect(fateOf('Mails that the registry sent')).toBe('kept');
  });

  test('is refused while something is in the way: the last corporate contact, registry staff, a hold', async () => {
    const corin = await file(portal, 'corin');
    const { data } = await (await portal.as('stella'))(api.privacy.listErasures, {});
    const listed = data!.open.find(({ username }) => username === 'corin')!;
    expect(listed.obstacles).toContainEqual(expect.objectContaining({ what: expect.stringContaining('no other corporate contact of') }));
    expect(await refusal(portal, corin)).toMatchObject({ code: 'ERASURE_BLOCKED', message: expect.stringContaining('corporate contact') });
    // One whose login is frozen or disabled can't act for the account.
    const accountName = 'AAAA-AU';
    await portal.db.change(line, async change => {
      await createAccount(change, { accountName, accountStatus: 'open', accountType: 'regular', orgName: 'Other Networks', economy: 'AU' });
      for (const name of ['max', 'bill']) {
        const { loginId, email, fullName } = await loginOf(portal, name);
        await addContact(change, { accountName, loginId, fullName, email, contactTypes: ['corporate'] });
      }
    });
    const others = sql`username = 'bill'`;
    const lastOf = async () => {
      const { obstacles } = (await (await portal.as('stella'))(api.privacy.listErasures, {})).data!.open.find(
        ({ username }) => username === 'max',
      )!;
      return obstacles.map(({ what }) => what).filter(what => what.includes('corporate contact of AAAA-AU'));
    };
    const max = await file(portal, 'max');
    expect(await lastOf()).toEqual([]);
    for (const without of [sql`frozen_at = now(), frozen_email = email`, sql`disabled_at = now()`]) {
      await portal.db.change(line, change => change.rows(sql`update login set ${without} where ${others}`));
      expect(await lastOf()).toEqual(['There is no other corporate contact of AAAA-AU.']);
      await portal.db.change(line, change =>
        change.rows(sql`update login set frozen_at = null, frozen_email = null, disabled_at = null where ${others}`),
      );
    }
    // Objects of whois that aren't of a person stay, and are named before.
    await portal.db.change(line, change =>
      change.rows(sql`insert into whois_key (object_id, key) select o.object_id, lower(l.email) from whois_object o, login l
        where o.class = 'role' and l.username = 'max' order by o.object_id limit 1`),
    );
    const { warnings } = (await (await portal.as('stella'))(api.privacy.listErasures, {})).data!.open.find(
      ({ username }) => username === 'max',
    )!;
    expect(warnings).toContainEqual(
      expect.objectContaining({
        what: expect.stringMatching(/^The whois object .+ has an e-mail address of the person, and stays public/),
      }),
    );
    await (await portal.as('stella'))(api.privacy.refuseErasure, { erasureId: max, body: { reason: 'Not needed' } });
    const tess = await file(portal, 'stan');
    expect(await refusal(portal, tess)).toMatchObject({ code: 'ERASURE_BLOCKED', message: expect.stringContaining('registry staff') });
    // Who is under a hold isn't told, of the registry staff or not.
    await portal.db.change(line, change =>
      change.rows(sql`insert into legal_hold (login_id, reason, placed_by, placed_at) select s.login_id, 'Order of the court 11/26', p.login_id, now()
        from login s, login p where s.username = 'stan' and p.username = 'stella'`),
    );
    const seenBy = async (reader: string) =>
      (await (await portal.as(reader))(api.privacy.listErasures, {}))
        .data!.open.find(({ username }) => username === 'stan')!
        .obstacles.map(({ what }) => what);
    expect(await seenBy('stella')).toContain('There is a legal hold on the person.');
    expect((await seenBy('stan')).filter(what => what.includes('hold'))).toEqual([]);
    expect(await seenBy('stan')).toContain('The person is registry staff.');
    await portal.db.change(line, change => change.rows(sql`delete from legal_hold where reason = 'Order of the court 11/26'`));
    const olive = await file(portal, 'olive');
    const hold = await (await portal.as('stella'))(api.privacy.placeHold, {
      body: { kind: 'login', about: 'olive', reason: 'Order of the court 12/26' },
    });
    expect(await refusal(portal, olive)).toMatchObject({ code: 'ERASURE_BLOCKED', message: expect.stringContaining('legal hold') });
    await portal.db.change(line, change =>
      change.rows(sql`delete from legal_hold where legal_hold_id = ${Number(hold.data!.legalHoldId)}`),
    );
  });

  test('waits until what was changed is sealed, because only what is sealed can be forgotten', async () => {
    const nadia = await file(portal, 'nadia');
    await portal.db.change(line, change => change.rows(sql`update login set nickname = 'Nadia' where username = 'nadia'`));
    await portal.db.change(line, change => change.rows(sql`update login set nickname = 'Dia' where username = 'nadia'`));
    expect(await refusal(portal, nadia)).toMatchObject({ code: 'ERASURE_UNSEALED' });
  });

  test('is done by two people: nothing of the person is left, in the history neither, and every seal holds', async () => {
    const { loginId, email, fullName } = await loginOf(portal, 'nadia');
    address = email;
    // What belongs to the person in all kinds of tables, and a passkey that was removed before.
    await portal.db.change(line, async change => {
      await change.rows(
        sql`insert into mail_refusal (address, refusals, refusal, refused_at) values (lower(${email}), 1, '450 later', now())`,
      );
      await change.rows(sql`insert into api_key (account_name, login_id, label, scopes, issuer, subject, created_at, expires_at)
        values ('EXAMPLE-AU', ${loginId}, 'Monitoring of peers', '{resources:read}', 'x', 'x', now(), now() + interval '9 days')`);
      await change.rows(sql`insert into login_passkey (credential_id, login_id, name, public_key, transports, device_type, enrolled_at)
        select 'cred-' || name, ${loginId}, name, '\\x00', '{}', 'singleDevice', now() from unnest(array['Kept key of Nadia', 'Removed key of Nadia']) name`);
      await change.rows(sql`delete from login_passkey where name = 'Removed key of Nadia'`);
      await change.rows(
        sql`insert into login_subject (issuer, subject, login_id) values ('https://idp.example', 'subject-of-nadia', ${loginId})`,
      );
      await change.rows(sql`insert into contact (account_name, login_id, full_name, email, contact_types, permissions, status, phone, position)
        values ('EXAMPLE-AU', ${loginId}, ${fullName}, ${email}, '{technical}', '{}', 'active', '+61 7 5550 1234', 'Peering of Nadia')`);
      await change.rows(
        sql`insert into notification_address (login_id, topic, email) values (${loginId}, 'elections.votes', 'other-of-nadia@example.net')`,
      );
      await change.rows(
        sql`insert into mail (recipient, subject, body, written_at, topic, login_id) values (${email}, 'Waiting', 'Waiting', now(), 'login.security', ${loginId})`,
      );
      await change.rows(
        sql`insert into link_attempt (login_id, account_name, address, asked_at) values (${loginId}, 'GUESS-NADIA', '192.0.2.77', now())`,
      );
    });
    const registered = await portal.db.change(line, change =>
      change.rows(sql`insert into event_registration (event, login_id, full_name, email, part, state, fee, is_free_place, registered_at)
        select event, ${loginId}, ${fullName}, ${email}, 'online', 'registered', 0, false, now() from event where state = 'published' and ends_at > now() limit 1 returning event`),
    );
    expect(registered).toHaveLength(1);
    await seal(portal);
    const { data } = await (await portal.as('stella'))(api.privacy.listErasures, {});
    const { erasureId, obstacles, warnings } = data!.open.find(({ username }) => username === 'nadia')!;
    expect(obstacles).toEqual([]);
    expect(warnings).toContainEqual({
      what: 'The API key “Monitoring of peers” of EXAMPLE-AU is revoked with it: programs that use it stop.',
      path: '/desk/accounts/EXAMPLE-AU',
    });
    expect(await refusal(portal, erasureId)).toMatchObject({ code: 'SECOND_PERSON' });
    // Stella alone erases no one.
    const { proposalId, fingerprint } = (await (await portal.as('stella'))(api.proposals.listStaffProposals, {})).data!.waiting.find(
      ({ action }) => action === 'privacy.erasePerson',
    )!;
    const own = await (await portal.as('stella'))(api.proposals.approveStaffProposal, { proposalId, body: { fingerprint } });
    expect(own.errors).toMatchObject([{ code: 'OWN_REQUEST' }]);
    expect((await loginOf(portal, 'nadia')).disabledAt).toBeNull();
    await seal(portal);
    const stan = await portal.as('stan');
    const answers = await Promise.all([1, 2].map(() => stan(api.proposals.approveStaffProposal, { proposalId, body: { fingerprint } })));
    expect(answers.filter(({ errors }) => errors === undefined)).toHaveLength(1);

    const erased = await portal.db.read.selectFrom('login').selectAll().where('loginId', '=', loginId).executeTakeFirstOrThrow();
    expect(erased).toMatchObject({ fullName: 'Erased person', email: expect.stringMatching(/^erased-[0-9a-f]{12}@erased\.invalid$/) });
    expect(erased.disabledAt).not.toBeNull();
    expect(
      await portal.db.read.rows(
        sql`select full_name, status, phone from contact where login_id = ${loginId} and account_name = 'EXAMPLE-AU'`,
      ),
    ).toEqual([{ fullName: 'Erased person', status: 'removed', phone: '' }]);
    expect(await portal.db.read.rows(sql`select full_name, state from event_registration where login_id = ${loginId}`)).toEqual([
      { fullName: 'Erased person', state: 'cancelled' },
    ]);
    const words = `${fullName}|${email.replaceAll('.', '[.]')}|key of Nadia|subject-of-nadia|5550 1234|Peering of Nadia|other-of-nadia|GUESS-NADIA`;
    const left = await portal.db.read.rows<{
      table: string;
    }>(sql`select table_name as "table" from row_change where concat(before::text, after::text) ~ ${words}
      and table_name in (select table_name from erased_tables())`);
    expect(left).toEqual([]);
    expect(await portal.db.read.rows(sql`select from mail where login_id = ${loginId} and sent_at is null`)).toEqual([]);
    expect(
      await portal.db.read.rows(sql`select b.username as first, w.username as second from erasure e join login b on b.login_id = e.ended_by join login w on w.login_id = e.ended_with
        where e.login_id = ${loginId}`),
    ).toEqual([{ first: 'stella', second: 'stan' }]);
    // Their accounts learn that a contact is gone, not who it was.
    const asked = await portal.db.read.rows<{ input: Parameters<typeof tellOfErasedContact.run>[0]['input'] }>(
      sql`select input from task where name = 'contacts.endErasedContact' order by task_id`,
    );
    const told = asked.find(({ input }) => input.accountName === 'EXAMPLE-AU')!;
    await tellOfErasedContact.run({
      db: portal.db,
      context: portal.context,
      input: told.input,
      activity: { action: 'contacts.endErasedContact', summary: tellOfErasedContact.summary, traceId: '0'.repeat(32) },
    } as unknown as Parameters<typeof tellOfErasedContact.run>[0]);
    const mails = await portal.db.read.rows<{ subject: string; body: string; recipient: string }>(
      sql`select subject, body, recipient from mail where kind = 'contacts.contactErased'`,
    );
    expect(mails.map(({ recipient }) => recipient)).toContain((await loginOf(portal, 'corin')).email);
    expect(mails[0]!.body).toContain('(technical)');
    expect(mails[0]!.body).toContain('API keys of theirs that were revoked with it: 1.');
    expect(mails.filter(mail => JSON.stringify(mail).includes(fullName))).toEqual([]);
    expect(
      await portal.db.read.rows(
        sql`select account_name from activity where action = 'contacts.endErasedContact' and account_name = 'EXAMPLE-AU'`,
      ),
    ).toHaveLength(1);
    expect(await portal.db.read.rows(sql`select from mail_refusal where address = lower(${email})`)).toEqual([]);
    expect(await portal.db.read.rows(sql`select recipient, login_id from mail where subject = 'Your data was erased'`)).toEqual([
      { recipient: email, loginId: null },
    ]);
    const acts = await portal.db.read.rows(
      sql`select from activity where action like '%approveStaffProposal' and details::text like '%privacy.erasePerson%'`,
    );
    expect(acts.length).toBeLessThanOrEqual(1);
    await seal(portal);
    expect((await verify(portal.db, {})).problems).toEqual([]);
    expect(await refusal(portal, erasureId)).toMatchObject({ code: 'NOT_FOUND' });
  });

  /** The login of Nadia, who was erased. */
  const erasedLogin = async (): Promise<string> =>
    (await portal.db.read.rows<{ loginId: string }>(sql`select login_id from erasure where state = 'erased'`))[0]!.loginId;
  const write = (statement: ReturnType<typeof sql>) => portal.db.change(line, change => change.rows(statement));

  test('nothing of who was erased is written again, and nothing of theirs lives again', async () => {
    const loginId = await erasedLogin();
    const refused = 'was erased';
    for (const statement of [
      sql`update login set full_name = 'Nadia' where login_id = ${loginId}`,
      sql`update login set disabled_at = null where login_id = ${loginId}`,
      sql`update contact set phone = '+61 7 5550 1234' where login_id = ${loginId}`,
      sql`update contact set status = 'active' where login_id = ${loginId}`,
      sql`update api_key set revoked_at = null where login_id = ${loginId}`,
      sql`insert into session (sid, login_id, started_at, until) values ('again', ${loginId}, now(), now())`,
      sql`insert into notification_address (login_id, topic, email) values (${loginId}, 'elections.votes', 'back@example.net')`,
      sql`insert into mail (recipient, subject, body, written_at, topic, login_id) values ('back@example.net', 'x', 'x', now(), 'login.security', ${loginId})`,
      sql`insert into whois_follow (contact_id, account_name, class, key, shown, since_serial, followed_at)
        select contact_id, account_name, 'aut-num', 'as64500', 'AS64500', 0, now() from contact where login_id = ${loginId} limit 1`,
    ])
      await expect(write(statement)).rejects.toThrow(refused);
    // Rows that stay go on, without the person.
    await write(sql`update contact set version = version + 1 where login_id = ${loginId}`);
    expect(await portal.db.change(line, change => enableLogin(change, loginId))).toBe('erased');
    // What still names the login, such as a ticket, tells no one.
    const text = contactsTexts.written('contactErased', { accountName: 'EXAMPLE-AU', contactTypes: 'technical', keys: '' });
    await portal.db.change(line, change =>
      notifyPeople(change, { topic: 'contacts.access', accountName: 'EXAMPLE-AU', text }, [
        { fullName: 'Erased person', email: 'x@erased.invalid', loginId },
      ]),
    );
    expect(await portal.db.read.rows(sql`select from notification where login_id = ${loginId}`)).toEqual([]);
    expect(await portal.db.read.rows(sql`select from mail where recipient = 'x@erased.invalid'`)).toEqual([]);
  });

  test('no one is erased by fewer than two others, or before the wait is over', async () => {
    const max = await loginOf(portal, 'max');
    const [stella, stan] = [await loginOf(portal, 'stella'), await loginOf(portal, 'stan')];
    const end = (first: string, second: string | null, when: ReturnType<typeof sql>) =>
      portal.db.change(line, async change => {
        await addErasure(change, { loginId: max.loginId, waitDays: 1, config: portal.config });
        await change.rows(sql`update erasure set state = 'erased', ended_at = ${when}, ended_by = ${first}, ended_with = ${second}
          where login_id = ${max.loginId} and state = 'requested'`);
        throw new Error('This was let through');
      });
    const due = sql`due_at`;
    for (const [first, second, when] of [
      [stella.loginId, null, due],
      [stella.loginId, stella.loginId, due],
      [stella.loginId, max.loginId, due],
      [max.loginId, stan.loginId, due],
      [stella.loginId, stan.loginId, sql`now()`],
    ] as const)
      await expect(end(first, second, when)).rejects.toThrow('erasure_by_two');
    await expect(end(stella.loginId, stan.loginId, due)).rejects.toThrow('This was let through');
  });

  test('what comes back past the rules is found by “registry verify”', async () => {
    const loginId = await erasedLogin();
    const problems = async () => {
      await seal(portal);
      // That rules are turned off is said too.
      return (await verify(portal.db, {})).problems.filter(problem => !problem.startsWith('The trigger'));
    };
    const rules = async (how: 'disable' | 'enable') => {
      for (const [table, rule] of [
        ['contact', 'refuse_of_erased'],
        ['notification_address', 'refuse_of_erased'],
        ['login', 'refuse_life_of_erased'],
      ])
        await sql.raw(`alter table ${table} ${how} trigger ${rule}`).execute(portal.db.unrecorded);
      await sql
        .raw(`alter table erasure ${how === 'disable' ? 'drop constraint erasure_by_two' : `add constraint erasure_by_two ${byTwo}`}`)
        .execute(portal.db.unrecorded);
    };
    const [{ byTwo } = { byTwo: '' }] = await portal.db.read.rows<{ byTwo: string }>(
      sql`select pg_get_constraintdef(oid) as by_two from pg_constraint where conname = 'erasure_by_two'`,
    );
    await rules('disable');
    const of = `The person of the login ${loginId} was erased, and`;
    const stella = await loginOf(portal, 'stella');
    for (const [plant, clear, problem] of [
      [
        sql`update contact set phone = '+61 7 5550 1234' where login_id = ${loginId}`,
        sql`update contact set phone = '' where login_id = ${loginId}`,
        `${of} a value of them is in contact.`,
      ],
      [
        sql`insert into notification_address (login_id, topic, email) values (${loginId}, 'elections.votes', 'back@example.net')`,
        sql`delete from notification_address where login_id = ${loginId}`,
        `${of} a row of them is in notification_address.`,
      ],
      [
        sql`update login set disabled_at = null where login_id = ${loginId}`,
        sql`update login set disabled_at = now() where login_id = ${loginId}`,
        `${of} their login still works.`,
      ],
      [
        sql`update erasure set ended_with = ${stella.loginId} where login_id = ${loginId}`,
        sql`update erasure set ended_with = (select login_id from login where username = 'stan') where login_id = ${loginId}`,
        expect.stringContaining('was not erased by two people after the wait'),
      ],
    ] as const) {
      await write(plant);
      expect(await problems()).toEqual([problem]);
      await write(clear);
    }
    await rules('enable');
    expect(await problems()).toEqual([]);
  });

  test('no other change may cut a person out of the history', async () => {
    const { loginId } = await loginOf(portal, 'olive');
    await seal(portal);
    const cut = (how: ReturnType<typeof sql>) => portal.db.change(line, change => change.rows(how));
    await expect(
      cut(
        sql`update row_change set after = left_when_erased('login', after, 'x'), before = left_when_erased('login', before, 'x') where table_name = 'login' and after ->> 'login_id' = ${loginId}`,
      ),
    ).rejects.toThrow('was not erased by this change');
    await expect(
      cut(sql`update row_change set after = after - 'staff' where table_name = 'login' and after ->> 'login_id' = ${loginId}`),
    ).rejects.toThrow('row_change only grows');
    // Beside an erasure, which reaches its own person alone.
    const max = await loginOf(portal, 'max');
    await expect(
      portal.db.change(line, async change => {
        await addErasure(change, { loginId: max.loginId, waitDays: 1, config: portal.config });
        await change.rows(sql`update erasure set state = 'erased', ended_at = due_at, ended_by = (select login_id from login where username = 'stella'),
          ended_with = (select login_id from login where username = 'stan') where login_id = ${max.loginId} and state = 'requested'`);
        await change.rows(sql`select erase_person(${max.loginId})`);
        await change.rows(
          sql`update row_change set after = left_when_erased('login', after, 'x'), before = left_when_erased('login', before, 'x') where table_name = 'login' and after ->> 'login_id' = ${loginId}`,
        );
      }),
    ).rejects.toThrow('was not erased by this change');
  });

  test('who signs up later with the same address is a new person', async () => {
    await portal.db.change(line, change =>
      change.rows(sql`insert into login (username, email, full_name, display_name, nickname, staff, email_verified, created_at)
        values ('nadia', ${address}, 'Nadia Again', 'Nadia', 'Nadia', false, true, now())`),
    );
    const [counted] = await portal.db.read.rows<{ notifications: number; contacts: number }>(sql`select
      (select count(*)::int from notification where login_id = l.login_id) as notifications, (select count(*)::int from contact where login_id = l.login_id) as contacts
      from login l where username = 'nadia'`);
    expect(counted).toEqual({ notifications: 0, contacts: 0 });
  });

  test('a clock that is wrong erases no one', async () => {
    const erasureId = await file(portal, 'nadia');
    await seal(portal);
    const { loginId } = await loginOf(portal, 'stella');
    const act = {
      caller: { loginId },
      params: { erasureId },
      registry: { now: new Date(Date.now() + 3 * HOUR_MS) },
    } as unknown as Parameters<typeof erasePerson>[0];
    await expect(portal.db.change(line, change => erasePerson({ ...act, change }))).rejects.toThrow(/clock .* minutes apart/);
  });

  test('the last mail is deleted some days after it was sent', async () => {
    const count = async () => (await portal.db.read.rows(sql`select from mail where kind = 'identity.erasureDone'`)).length;
    expect(await count()).toBe(1);
    await forgetLastMails(portal.context);
    expect(await count()).toBe(1);
    const later = { ...portal.context, clock: () => new Date(Date.now() + (LAST_MAIL_DAYS + 1) * DAY_MS) };
    await portal.db.change(line, change => change.rows(sql`update mail set sent_at = null where kind = 'identity.erasureDone'`));
    await forgetLastMails(later);
    // One that a mail server hasn't taken yet is sent first.
    expect(await count()).toBe(1);
    await portal.db.change(line, change => change.rows(sql`update mail set sent_at = now() where kind = 'identity.erasureDone'`));
    await forgetLastMails(later);
    expect(await count()).toBe(0);
  });
});
