import { api } from '@portal/contract/api';
import { DAY_MS, HOUR_MS, instantBefore } from '@portal/contract/days';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kindsForRules, type TestPortal, testPortal } from '../../../test/portal.ts';
import { modules } from '../../modules.ts';
import { sealActivities } from '../../platform/database/index.ts';
import { verify } from '../../platform/database/verify.ts';
import type { PersonalTable } from '../../platform/personal-data.ts';
import { addErasure, LAST_MAIL_DAYS } from '../identity/index.ts';
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
      { code: 'NOT_FOUND' },
    ]);
    expect((await stella(api.privacy.fileErasure, { body: { username: 'stella', reason: 'Passport' } })).errors).toMatchObject([
      { code: 'OWN_REQUEST' },
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
    const { data } = await (await portal.as('stella'))(api.privacy.listErasures, {});
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
    const { erasureId, obstacles } = data!.open.find(({ username }) => username === 'nadia')!;
    expect(obstacles).toEqual([]);
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

  test('a value that comes back is found by “registry verify”', async () => {
    const [{ loginId } = { loginId: '' }] = await portal.db.read.rows<{ loginId: string }>(
      sql`select login_id from erasure where state = 'erased'`,
    );
    await portal.db.change(line, change => change.rows(sql`update contact set phone = '+61 7 5550 1234' where login_id = ${loginId}`));
    await seal(portal);
    expect((await verify(portal.db, {})).problems).toEqual([
      `The person of the login ${loginId} was erased, and a value of them is in contact.`,
    ]);
    await portal.db.change(line, change => change.rows(sql`update contact set phone = '' where login_id = ${loginId}`));
    await portal.db.change(line, change =>
      change.rows(
        sql`insert into notification_address (login_id, topic, email) values (${loginId}, 'elections.votes', 'back@example.net')`,
      ),
    );
    await seal(portal);
    expect((await verify(portal.db, {})).problems).toEqual([
      `The person of the login ${loginId} was erased, and a row of them is in notification_address.`,
    ]);
    await portal.db.change(line, change => change.rows(sql`delete from notification_address where login_id = ${loginId}`));
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
        await change.rows(
          sql`update erasure set state = 'erased', ended_at = now(), ended_by = ${max.loginId} where login_id = ${max.loginId} and state = 'requested'`,
        );
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

  test('the last mail is deleted after some days', async () => {
    const count = async () => (await portal.db.read.rows(sql`select from mail where kind = 'identity.erasureDone'`)).length;
    expect(await count()).toBe(1);
    await forgetLastMails(portal.context);
    expect(await count()).toBe(1);
    await forgetLastMails({ ...portal.context, clock: () => new Date(Date.now() + (LAST_MAIL_DAYS + 1) * DAY_MS) });
    expect(await count()).toBe(0);
  });
});
