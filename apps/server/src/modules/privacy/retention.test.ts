import { api } from '@portal/contract/api';
import { DAY_MS, HOUR_MS, instantAfter } from '@portal/contract/days';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { confirmLast } from '../../../test/deciding-requests.ts';
import { kindsForRules, type TestPortal, testPortal } from '../../../test/portal.ts';
import { sealActivities } from '../../platform/database/index.ts';
import { verify } from '../../platform/database/verify.ts';
import { endingKinds } from './ending-rows.ts';
import { problemOfClock, settlePeriod } from './periods.ts';
import { endWhatIsOver, monthsBefore, ROWS_PER_RUN } from './retention.ts';

const line = { action: 'test', summary: 'Test', traceId: '0'.repeat(32) };
/** A registry that keeps nothing for any time. */
const withoutPeriods = ({ profile: { retention, ...profile } }: TestPortal['context']) => ({
  ...profile,
  retention: Object.fromEntries(Object.keys(retention).map(kind => [kind, 0])) as unknown as typeof retention,
});
const runAt = (portal: TestPortal, at: Date, noted: Parameters<typeof endWhatIsOver>[1] = null) =>
  endWhatIsOver({ ...portal.context, clock: () => at }, noted);
const seal = async (portal: TestPortal): Promise<void> => {
  while ((await sealActivities(portal.db, portal.config)) > 0);
};
const count = async (portal: TestPortal, table: string): Promise<number> =>
  (await portal.db.read.rows<{ n: number }>(sql`select count(*)::int as n from ${sql.table(table)}`))[0]!.n;
const lines = async (portal: TestPortal): Promise<{ details: { ended: Record<string, number> } }[]> =>
  portal.db.read.rows(sql`select details from activity where action = 'privacy.endWhatIsOver' order by activity_id`);
/** Ends everything, with periods of zero months that count already. */
const runWithoutPeriods = (portal: TestPortal) => endWhatIsOver({ ...portal.context, profile: withoutPeriods(portal.context) }, null);
const runUntilDone = async (portal: TestPortal): Promise<void> => {
  for (let runs = 0; (await runWithoutPeriods(portal)) === null; runs++) expect(runs).toBeLessThan(100);
};
/** Lets two people agree to all runs that wait. */
const agreeToAll = async (portal: TestPortal): Promise<void> => {
  const waiting = await portal.db.read.rows<{ kind: string }>(sql`select kind from ending_period where waits_since is not null`);
  for (const { kind } of waiting) {
    const asked = await (await portal.as('stella'))(api.privacy.agreeToEnding, {
      kind,
      body: { reason: 'The first run of this registry' },
    });
    expect(asked.errors).toMatchObject([{ code: 'SECOND_PERSON' }]);
    expect((await confirmLast(portal, 'stan')).errors).toBeUndefined();
  }
};

test('a period of months ends on the last day of a shorter month', () => {
  expect(monthsBefore(new Date('2026-03-31T10:00:00Z'), 1)).toBe('2026-02-28T10:00:00.000Z');
  expect(monthsBefore(new Date('2024-02-29T00:00:00Z'), 24)).toBe('2022-02-28T00:00:00.000Z');
  expect(monthsBefore(new Date('2026-05-15T00:00:00Z'), 84)).toBe('2019-05-15T00:00:00.000Z');
});

describe.each(kindsForRules)('data whose time is over, on %s', kind => {
  let portal: TestPortal;
  beforeAll(async () => {
    portal = await testPortal(kind);
    await portal.db.change(line, async change => {
      await change.rows(sql`insert into link_attempt (login_id, account_name, address, asked_at)
        select login_id, 'GUESSED-NAME', '192.0.2.77', now() - interval '25 months' from login where username = 'corin'`);
      await change.rows(sql`insert into link_attempt (login_id, account_name, address, asked_at)
        select login_id, 'YOUNG-NAME', '192.0.2.78', now() - interval '23 months' from login where username = 'corin'`);
      await change.rows(sql`insert into ticket (queue, subject, state, requestor_name, requestor_email, created_at, updated_at, waiting_since, resolved_at)
        values ('helpdesk', 'An old question', 'resolved', 'Olga Oldfield', 'olga@old.example', now() - interval '8 years', now() - interval '8 years', now() - interval '8 years', now() - interval '8 years')`);
      await change.rows(sql`insert into ticket_cc (ticket_id, email, full_name) select ticket_id, name || '@cc.example', name
        from ticket, unnest(array['first', 'second']) name where subject = 'An old question'`);
      // A copy that was taken off the ticket before: its history ends with the ticket.
      await change.rows(
        sql`insert into ticket_cc (ticket_id, email, full_name) select ticket_id, 'removed@cc.example', 'Removed' from ticket where subject = 'An old question'`,
      );
      await change.rows(sql`delete from ticket_cc where email = 'removed@cc.example'`);
      await change.rows(sql`insert into ticket_message (ticket_id, kind, by, author, content, at)
        select ticket_id, 'message', 'member', 'Olga Oldfield', 'My secret words', now() - interval '8 years' from ticket where subject = 'An old question'`);
    });
  });
  afterAll(() => portal[Symbol.asyncDispose]());

  test('stays while its last change isn’t sealed, because only what is sealed can be forgotten', async () => {
    await runAt(portal, new Date());
    expect(await portal.db.read.rows(sql`select from ticket where subject = 'An old question'`)).toHaveLength(1);
    expect(await portal.db.read.rows(sql`select from link_attempt where account_name = 'GUESSED-NAME'`)).toHaveLength(1);
  });

  test('is listed before it is deleted, and reading the list deletes nothing', async () => {
    const { data } = await (await portal.as('stella'))(api.privacy.getRetention, {});
    const of = (name: string) => data!.kinds.find(each => each.kind === name)!;
    expect(of('linkAttempts')).toMatchObject({ months: 24, over: 1, held: 0 });
    expect(of('tickets')).toMatchObject({ months: 84, over: 1, held: 0 });
    expect(of('linkAttempts').nextOn).not.toBeNull();
    expect(await portal.db.read.rows(sql`select from link_attempt where account_name = 'GUESSED-NAME'`)).toHaveLength(1);
  });

  test('is kept by a legal hold on its account or person, until two people release it', async () => {
    const stella = await portal.as('stella');
    await seal(portal);
    const placed = await stella(api.privacy.placeHold, { body: { kind: 'login', about: 'Corin', reason: 'Order of the court 12/26' } });
    expect(placed.data).toMatchObject({ kind: 'login', about: 'corin', placedBy: expect.stringContaining('Stella') });
    // Holds are read by an act, which leaves a line with those that were read; the page counts them.
    expect((await stella(api.privacy.listHolds, {})).data!.holds).toMatchObject([{ about: 'corin', reason: 'Order of the court 12/26' }]);
    const looks = await portal.db.read.rows(sql`select details ->> 'holds' as holds from activity where action = 'privacy.listHolds'`);
    expect(looks).toEqual([{ holds: placed.data!.legalHoldId }]);
    expect(JSON.stringify((await stella(api.privacy.getRetention, {})).data)).not.toContain('Order of the court');
    const again = await stella(api.privacy.placeHold, { body: { kind: 'login', about: 'corin', reason: 'Once more' } });
    expect(again.errors).toMatchObject([{ code: 'NOTHING_TO_DO' }]);
    const { data } = await stella(api.privacy.getRetention, {});
    expect(data!.kinds.find(each => each.kind === 'linkAttempts')).toMatchObject({ over: 0, held: 1 });
    await runAt(portal, new Date());
    expect(await portal.db.read.rows(sql`select from link_attempt where account_name = 'GUESSED-NAME'`)).toHaveLength(1);
    const { legalHoldId } = placed.data!;
    const release = await stella(api.privacy.releaseHold, { legalHoldId, body: { reason: 'The case is closed' } });
    expect(release.errors).toMatchObject([{ code: 'SECOND_PERSON' }]);
    const { data: proposals } = await stella(api.proposals.listStaffProposals, {});
    const { proposalId, fingerprint } = proposals!.waiting.find(({ action }) => action === 'privacy.releaseHold')!;
    const own = await stella(api.proposals.approveStaffProposal, { proposalId, body: { fingerprint } });
    expect(own.errors).toMatchObject([{ code: 'OWN_REQUEST' }]);
    expect((await stella(api.privacy.getRetention, {})).data!.holds).toBe(1);
    const stan = await portal.as('stan');
    expect((await stan(api.proposals.approveStaffProposal, { proposalId, body: { fingerprint } })).errors).toBeUndefined();
    expect((await stella(api.privacy.getRetention, {})).data!.holds).toBe(0);
    expect((await stella(api.privacy.releaseHold, { legalHoldId, body: { reason: 'Once more' } })).errors).toMatchObject([
      { code: 'NOT_FOUND' },
    ]);
  });

  test('is kept by a hold on the account of its person, and by none on who only worked on it', async () => {
    const over = async () =>
      (await (await portal.as('stella'))(api.privacy.getRetention, {})).data!.kinds.find(({ kind: of }) => of === 'linkAttempts')!;
    const hold = (place: ReturnType<typeof sql>) =>
      portal.db.change(line, change =>
        change.rows(sql`insert into legal_hold (account_name, login_id, reason, placed_by, placed_at)
          select (${place}), null, 'Test', login_id, now() from login where username = 'stella'`),
      );
    await hold(sql`'EXAMPLE-AU'`);
    expect(await over()).toMatchObject({ over: 0, held: 1 });
    await portal.db.change(line, change => change.rows(sql`delete from legal_hold`));
    await hold(sql`'GONE-VU'`);
    expect(await over()).toMatchObject({ over: 1, held: 0 });
    await portal.db.change(line, change => change.rows(sql`delete from legal_hold`));
  });

  test('who is under a hold neither sees it nor releases it, as the first person or the second', async () => {
    const [stella, stan] = [await portal.as('stella'), await portal.as('stan')];
    const { data: placed } = await stella(api.privacy.placeHold, { body: { kind: 'login', about: 'stan', reason: 'An investigation' } });
    expect((await stan(api.privacy.getRetention, {})).data!.holds).toBe(0);
    expect((await stan(api.privacy.listHolds, {})).data!.holds).toEqual([]);
    const { legalHoldId } = placed!;
    expect((await stan(api.privacy.releaseHold, { legalHoldId, body: { reason: 'It is over' } })).errors).toMatchObject([
      { code: 'NOT_FOUND' },
    ]);
    expect((await stella(api.privacy.releaseHold, { legalHoldId, body: { reason: 'It is over' } })).errors).toMatchObject([
      { code: 'SECOND_PERSON' },
    ]);
    expect((await confirmLast(portal, 'stan')).errors).toBeDefined();
    expect((await stella(api.privacy.getRetention, {})).data!.holds).toBe(1);
    await portal.db.change(line, change => change.rows(sql`delete from legal_hold`));
  });

  test.runIf(kind === 'postgres')('a hold that is placed while a run is under way is placed once that run is over', async () => {
    const [begun, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const order: string[] = [];
    const run = portal.db.change(line, async change => {
      await change.rows(sql`select lock_holds(true)`);
      begun.resolve();
      await goesOn.promise;
      order.push('run');
    });
    await begun.promise;
    const placing = (await portal.as('stella'))(api.privacy.placeHold, {
      body: { kind: 'login', about: 'corin', reason: 'Order 14/26' },
    }).then(answer => {
      order.push('hold');
      return answer;
    });
    await expect
      .poll(() => portal.db.read.rows(sql`select from pg_locks where locktype = 'advisory' and not granted and objid = 7331481`))
      .toHaveLength(1);
    expect(order).toEqual([]);
    goesOn.resolve();
    await run;
    expect((await placing).errors).toBeUndefined();
    expect(order).toEqual(['run', 'hold']);
    await portal.db.change(line, change => change.rows(sql`delete from legal_hold`));
  });

  test('is deleted with one line in the log, and nothing of it is left in the history; what is younger stays, and every seal holds', async () => {
    await seal(portal);
    const before = (await lines(portal)).length;
    await runAt(portal, new Date());
    const after = await lines(portal);
    expect(after.length - before).toBe(1);
    expect(after.at(-1)!.details.ended).toMatchObject({ linkAttempts: 1 });
    expect(await portal.db.read.rows(sql`select from ticket where subject = 'An old question'`)).toHaveLength(0);
    expect(await portal.db.read.rows(sql`select from link_attempt where account_name = 'YOUNG-NAME'`)).toHaveLength(1);
    const left = await portal.db.read.rows<{ table: string }>(sql`select table_name as "table" from row_change
      where concat(before::text, after::text) ~ 'Olga Oldfield|olga@old.example|My secret words|cc.example|GUESSED-NAME|192.0.2.77'`);
    expect(left).toEqual([]);
    await seal(portal);
    expect((await verify(portal.db, {})).problems).toEqual([]);
  });

  test('the log of an account says how many rows of a line were forgotten, and not that nothing changed', async () => {
    const opening = { ...line, action: 'tickets.openTicket', summary: 'Opened a ticket', accountName: 'EXAMPLE-AU' };
    const [opened] = await portal.db.change(opening, change =>
      change.rows<{
        activityId: number;
      }>(sql`insert into ticket (queue, subject, state, account_name, requestor_name, requestor_email, created_at, updated_at, waiting_since, resolved_at)
        values ('helpdesk', 'Of an account', 'resolved', 'EXAMPLE-AU', 'Olga Oldfield', 'olga@old.example', now() - interval '8 years', now() - interval '8 years', now() - interval '8 years', now() - interval '8 years')
        returning current_activity() as activity_id`),
    );
    const detail = async () =>
      (await (await portal.as('corin'))(api.activityLog.getActivity, { account: 'EXAMPLE-AU', activityId: String(opened!.activityId) }))
        .data;
    await seal(portal);
    expect(await detail()).toMatchObject({ forgotten: 0 });
    await runAt(portal, new Date());
    expect(await detail()).toMatchObject({ changes: [], forgotten: 1, seal: { hash: expect.any(String) } });
  });

  test('a row that can’t be deleted stops none of the others, and the run says which it is', async () => {
    await portal.db.change(line, change =>
      change.rows(sql`insert into ticket (queue, subject, state, requestor_name, requestor_email, created_at, updated_at, waiting_since, resolved_at)
        select 'helpdesk', subject, 'resolved', 'Olga Oldfield', 'olga@old.example', now() - interval '8 years', now() - interval '8 years', now() - interval '8 years', now() - interval '8 years'
        from unnest(array['Stuck', 'Free']) subject`),
    );
    await seal(portal);
    await sql`create table sticks (ticket_id bigint references ticket)`.execute(portal.db.unrecorded);
    await sql`insert into sticks select ticket_id from ticket where subject = 'Stuck'`.execute(portal.db.unrecorded);
    const [{ id } = { id: 0 }] = await portal.db.read.rows<{ id: number }>(sql`select ticket_id as id from ticket where subject = 'Stuck'`);
    await expect(runAt(portal, new Date())).rejects.toThrow(`ticket ${id}:`);
    await sql`drop table sticks`.execute(portal.db.unrecorded);
    expect(await portal.db.read.rows(sql`select subject from ticket where subject in ('Stuck', 'Free')`)).toEqual([{ subject: 'Stuck' }]);
    await seal(portal);
    expect((await verify(portal.db, {})).problems).toEqual([]);
    await runAt(portal, new Date());
    expect(await portal.db.read.rows(sql`select from ticket where subject = 'Stuck'`)).toEqual([]);
  });

  test('the history of what ends is found by its index, however long the history is', async () => {
    const plan = await portal.db.read.rows<
      Record<string, string>
    >(sql`explain select from row_change r where r.table_name = 'ticket' and forgotten_by(r.table_name) is not null
      and coalesce(r.after, r.before) ->> forgotten_by(r.table_name) = any (array['1', '2'])`);
    expect(JSON.stringify(plan)).toContain('row_change_ending');
  });

  test('a second run on the same day does nothing and leaves no line', async () => {
    const noted = await runAt(portal, new Date());
    const before = (await lines(portal)).length;
    expect(await runAt(portal, new Date(), noted)).toEqual(noted);
    await runAt(portal, new Date());
    expect((await lines(portal)).length).toBe(before);
  });

  test('nothing is deleted by a clock that is ahead of the database, or of the newest sealed line by a month', async () => {
    await seal(portal);
    const mails = await count(portal, 'mail');
    const noted = { doneAt: '2001-01-01T00:00:00.000Z' };
    expect(await runAt(portal, new Date(instantAfter(new Date(), 10 * 366 * DAY_MS)), noted)).toEqual(noted);
    expect(await count(portal, 'mail')).toBe(mails);
    expect(await problemOfClock(portal.db.read, new Date(instantAfter(new Date(), 2 * HOUR_MS)))).toContain('120 minutes apart');
    expect(await problemOfClock(portal.db.read, new Date())).toBeNull();
  });

  test('a shorter period waits a week, and a longer one counts immediately', () => {
    const now = '2026-03-10T00:00:00.000Z';
    const kind = 'tickets';
    const first = settlePeriod(undefined, { kind, months: 84, now });
    expect(first).toMatchObject({ months: 84, shorter: null });
    const shorter = settlePeriod(first, { kind, months: 48, now });
    expect(shorter).toMatchObject({ months: 84, shorter: 48, shorterAt: now });
    expect(settlePeriod(shorter, { kind, months: 48, now: '2026-03-16T23:00:00.000Z' })).toEqual(shorter);
    expect(settlePeriod(shorter, { kind, months: 12, now: '2026-03-16T23:00:00.000Z' })).toMatchObject({
      months: 84,
      shorter: 12,
      shorterAt: '2026-03-16T23:00:00.000Z',
    });
    expect(settlePeriod(shorter, { kind, months: 84, now: '2026-03-12T00:00:00.000Z' })).toEqual(first);
    expect(settlePeriod(shorter, { kind, months: 48, now: '2026-03-17T00:00:00.000Z' })).toMatchObject({ months: 48, shorter: null });
    expect(settlePeriod(first, { kind, months: 120, now })).toMatchObject({ months: 120, shorter: null });
  });

  test('a period that is shorter all at once deletes nothing yet, and the desk says when it will', async () => {
    const mails = await count(portal, 'mail');
    await runWithoutPeriods(portal);
    expect(await count(portal, 'mail')).toBe(mails);
    expect(await portal.db.read.rows(sql`select from ending_period where shorter = 0 and shorter_at is not null`)).not.toEqual([]);
  });

  test('a large part of a table waits for two people', async () => {
    await portal.db.change(line, async change => {
      await change.rows(sql`update ending_period set months = 0, shorter = null, shorter_at = null`);
      await change.rows(sql`insert into link_attempt (login_id, account_name, asked_at)
        select login_id, 'MANY-' || n, now() - interval '1 day' from login, generate_series(1, 200) n where username = 'corin'`);
    });
    await seal(portal);
    const attempts = await count(portal, 'link_attempt');
    await runWithoutPeriods(portal);
    expect(await count(portal, 'link_attempt')).toBe(attempts);
    expect(await portal.db.read.rows(sql`select kind from ending_period where waits_since is not null`)).toContainEqual({
      kind: 'linkAttempts',
    });
    await agreeToAll(portal);
    const again = await (await portal.as('stella'))(api.privacy.agreeToEnding, { kind: 'linkAttempts', body: { reason: 'Once more' } });
    expect(again.errors).toMatchObject([{ code: 'NOT_FOUND' }]);
  });

  test('everything that ends is over: all of it goes in bounded runs, and every check of the database still passes', async () => {
    await seal(portal);
    await runUntilDone(portal);
    for (const { details } of await lines(portal))
      for (const rows of Object.values(details.ended)) expect(rows).toBeLessThanOrEqual(2 * ROWS_PER_RUN);
    for (const table of ['notification', 'link_attempt', 'document_opening'])
      expect(await portal.db.read.rows(sql`select from ${sql.table(table)} limit 1`), table).toEqual([]);
    for (const left of [
      sql`select from mail where sent_at is not null`,
      sql`select from ticket where state in ('resolved', 'rejected')`,
      sql`select from access_request where resolved_at is not null`,
      sql`select from registry_request where resolved_at is not null`,
      sql`select from referral where state in ('declined', 'expired', 'withdrawn')`,
      sql`select from membership_application where state in ('rejected', 'withdrawn', 'expired')`,
    ])
      expect(await portal.db.read.rows(left)).toEqual([]);
    await seal(portal);
    expect((await verify(portal.db, {})).problems).toEqual([]);
    const { data } = await (await portal.as('stella'))(api.privacy.getRetention, {});
    expect(data!.kinds.map(({ kind: name, ended }) => [name, ended > 0])).toContainEqual(['tickets', true]);
  }, 120_000);

  test('each table that refers to rows which end is named with them, or lets them go', async () => {
    const refers = await portal.db.read.rows<{
      table: string;
      to: string;
    }>(sql`select c.conrelid::regclass::text as "table", c.confrelid::regclass::text as "to"
      from pg_constraint c where c.contype = 'f' and c.confdeltype not in ('c', 'n')`);
    const snake = (name: string): string => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
    const ending = endingKinds(portal.context.modules).flatMap(({ over }) => over);
    const forgotten = ending.flatMap(({ table, with: parts = [] }) => {
      const named = parts.map(({ table: part }) => snake(part));
      return refers
        .filter(({ table: from, to }) => to === snake(table) && !named.includes(from))
        .map(({ table: from, to }) => `${from} refers to ${to}`);
    });
    // A name that is reserved for an application is released when the application ends.
    expect([...new Set(forgotten)]).toEqual(['reserved_account_name refers to membership_application']);
  });

  test('each table that ends, and that the history copies, is one that it forgets', async () => {
    const copied = await portal.db.read.rows<{ table: string }>(
      sql`select c.relname::text as "table" from pg_trigger g join pg_class c on c.oid = g.tgrelid where g.tgname = 'z_keep_deleted'`,
    );
    const forgets = await portal.db.read.rows<{ table: string; place: string; same: boolean }>(
      sql`select table_name as "table", place, place = forgotten_by(table_name) as same from forgotten_tables()`,
    );
    expect(forgets.filter(({ same }) => !same)).toEqual([]);
    const snake = (name: string): string => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
    const ends = endingKinds(portal.context.modules).flatMap(({ over }) =>
      over.flatMap(({ table, with: parts = [] }) => [table, ...parts.map(part => part.table)]),
    );
    const names = new Set(ends.map(snake).filter(name => copied.some(({ table }) => table === name)));
    expect([...names].sort()).toEqual(forgets.map(({ table }) => table).sort());
  });

  describe('the history can’t be changed under the cover of forgetting', () => {
    const cut = (statement: ReturnType<typeof sql>) => portal.db.change(line, change => change.rows(statement));
    /** Past the triggers, as no one can who isn't at the database. */
    const past = async (...statements: ReturnType<typeof sql>[]): Promise<void> => {
      await sql`set session_replication_role = replica`.execute(portal.db.unrecorded);
      for (const statement of statements) await statement.execute(portal.db.unrecorded);
      await sql`set session_replication_role = origin`.execute(portal.db.unrecorded);
    };
    const idOf = async (statement: ReturnType<typeof sql>): Promise<number> =>
      (await portal.db.read.rows<{ id: number }>(statement as never))[0]!.id;
    const problems = async (): Promise<string[]> => (await verify(portal.db, {})).problems;

    test('of a table whose rows don’t end nothing is forgotten', async () => {
      const others = await portal.db.read.rows<{
        table: string;
        id: number;
      }>(sql`select table_name as "table", min(row_change_id) as id from row_change
        where table_name not in (select table_name from forgotten_tables()) and after is not null group by 1`);
      expect(others.length).toBeGreaterThan(20);
      for (const { table, id } of others)
        await expect(cut(sql`update row_change set after = '{}' where row_change_id = ${id}`), table).rejects.toThrow('only grows');
    });

    test('of a row that is there nothing is forgotten, nor of one that another change deleted', async () => {
      await cut(sql`insert into link_attempt (login_id, account_name, asked_at) select login_id, 'THERE', now() from login limit 1`);
      await cut(sql`insert into link_attempt (login_id, account_name, asked_at) select login_id, 'DELETED', now() from login limit 1`);
      await cut(sql`delete from link_attempt where account_name = 'DELETED'`);
      await seal(portal);
      for (const name of ['THERE', 'DELETED']) {
        const id = await idOf(
          sql`select row_change_id as id from row_change where table_name = 'link_attempt' and after ->> 'account_name' = ${name}`,
        );
        const forgotten = sql`update row_change set after = forget(after, '{link_attempt_id}', '{}', '') where row_change_id = ${id}`;
        await expect(cut(forgotten), name).rejects.toThrow('was not deleted by this change');
      }
      const putBack = portal.db.change(line, async change => {
        await change.rows(sql`create temporary table back on commit drop as select * from link_attempt where account_name = 'THERE'`);
        await change.rows(sql`delete from link_attempt where account_name = 'THERE'`);
        await change.rows(sql`update row_change set after = forget(after, '{link_attempt_id}', '{}', '')
          where table_name = 'link_attempt' and after ->> 'account_name' = 'THERE'`);
        await change.rows(sql`insert into link_attempt overriding system value select * from back`);
      });
      await expect(putBack).rejects.toThrow('is still there');
      expect(await problems()).toEqual([]);
    });

    test('of a row that a change deletes all but the key is forgotten, and nothing turned round, renamed or added', async () => {
      await cut(sql`insert into ticket (queue, subject, state, requestor_name, requestor_email, created_at, updated_at, waiting_since, resolved_at)
        values ('helpdesk', 'To be cut', 'resolved', 'Olga', 'olga@old.example', now(), now(), now(), now())`);
      await cut(
        sql`insert into ticket_cc (ticket_id, email, full_name) select ticket_id, 'cut@cc.example', 'Cut' from ticket where subject = 'To be cut'`,
      );
      await cut(sql`update ticket_cc set full_name = 'Changed' where email = 'cut@cc.example'`);
      await seal(portal);
      const id = await idOf(
        sql`select row_change_id as id from row_change where table_name = 'ticket_cc' and operation = 'UPDATE' and after ->> 'email' = 'cut@cc.example'`,
      );
      /** Deletes the row as it should be, leaves this of its history, and takes all back. */
      const leaving = (left: ReturnType<typeof sql>) =>
        portal.db.change(line, async change => {
          await change.rows(sql`delete from ticket_cc where email = 'cut@cc.example'`);
          await change.rows(sql`delete from ticket_move where ticket_id in (select ticket_id from ticket where subject = 'To be cut')`);
          await change.rows(sql`delete from ticket where subject = 'To be cut'`);
          await change.rows(sql`update row_change set ${left} where row_change_id = ${id}`);
          throw new Error('This was let through');
        });
      const [was, is] = ['before', 'after'].map(side => sql`forget(${sql.ref(side)}, '{email,ticket_id}', '{}', '')`) as [
        ReturnType<typeof sql>,
        ReturnType<typeof sql>,
      ];
      const erased = sql`'{"email": "erased-00000000000000000000000000000000"}'::jsonb`;
      for (const left of [
        sql`after = after`,
        sql`before = ${was}`,
        sql`before = ${was}, after = ${is} || '{"words": "put in"}'`,
        sql`before = ${was}, after = ${is} || '{"full_name": "erased-approved by Alice"}'`,
        sql`before = ${was}, after = null`,
        sql`before = after, after = before`,
        sql`before = ${was}, after = ${is}, operation = 'INSERT'`,
        sql`before = ${was}, after = ${is}, table_name = 'ticket'`,
        sql`before = ${was}, after = ${is} - 'ticket_id'`,
        sql`before = ${was}, after = ${is} || '{"email": "erased-by Alice"}'`,
        sql`before = ${was}, after = ${is} || '{"ticket_id": "erased-00000000000000000000000000000000"}'`,
        sql`before = ${was}, after = ${is} || ${erased} || '{"ticket_id": 1}'`,
      ])
        await expect(leaving(left)).rejects.toThrow('all but the key may be forgotten, and nothing changed');
      await expect(leaving(sql`before = ${was}, after = ${is}`)).rejects.toThrow('This was let through');
      await expect(leaving(sql`before = ${was} || ${erased}, after = ${is} || ${erased}`)).rejects.toThrow('This was let through');
      await expect(cut(sql`delete from row_change where row_change_id = ${id}`)).rejects.toThrow('only grows');
      await expect(cut(sql`insert into history_cut (row_change_id, digest) values (0, sha256(''))`)).rejects.toThrow('by hand');
      await expect(
        portal.db.unrecorded.updateTable('rowChange').set({ before: '{}' }).where('rowChangeId', '=', id).execute(),
      ).rejects.toThrow();
    });

    test('a change that says it forgets leaves a whole copy of what it deletes elsewhere', async () => {
      const deleted = await portal.db.change(line, async change => {
        await change.rows(sql`select set_config('portal.forgets', '{"table": "notification_address", "salt": "x"}', true)`);
        await change.rows(
          sql`insert into notification_address (login_id, topic, email) select login_id, 'test.topic', 'kept@copy.example' from login where username = 'corin'`,
        );
        await change.rows(sql`delete from notification_address where topic = 'test.topic'`);
        return await change.rows<{ email: string }>(sql`select before ->> 'email' as email from row_change
          where activity_id = current_activity() and table_name = 'notification_address' and operation = 'DELETE'`);
      });
      expect(deleted).toEqual([{ email: 'kept@copy.example' }]);
    });

    test('what isn’t sealed yet is not forgotten', async () => {
      const cutNow = portal.db.change(line, async change => {
        const [made] = await change.rows<{ id: number }>(sql`insert into link_attempt (login_id, account_name, asked_at)
          select login_id, 'UNSEALED', now() from login limit 1 returning link_attempt_id as id`);
        await change.rows(sql`delete from link_attempt where link_attempt_id = ${made!.id}`);
        await change.rows(sql`update row_change set after = forget(after, '{link_attempt_id}', '{}', ''), before = forget(before, '{link_attempt_id}', '{}', '')
          where activity_id = current_activity() and table_name = 'link_attempt'`);
      });
      await expect(cutNow).rejects.toThrow('is not sealed yet');
    });

    test('verify finds what the owner of the database does past the triggers', async () => {
      expect(await problems()).toEqual([]);
      expect((await verify(portal.db, {})).forgotten.find(({ table }) => table === 'ticket')!.rows).toBeGreaterThan(0);
      const id = await idOf(
        sql`select row_change_id as id from row_change where table_name = 'ticket_message' and digest_as_sealed is not null and after is not null order by 1 limit 1`,
      );
      const found = `The row ${id} of the history is not what was left of it when personal data was cut out.`;
      const [was] = await portal.db.read.rows<{ after: object }>(sql`select after from row_change where row_change_id = ${id}`);
      // Another content, with a digest that fits.
      await past(
        sql`update row_change set after = after || '{"words": "put in"}' where row_change_id = ${id}`,
        sql`update history_cut c set digest = row_change_digest(r) from row_change r where r.row_change_id = c.row_change_id and r.row_change_id = ${id}`,
      );
      expect(await problems()).toContain(found);
      await past(
        sql`update row_change set after = ${JSON.stringify(was!.after)}::jsonb where row_change_id = ${id}`,
        sql`update history_cut c set digest = row_change_digest(r) from row_change r where r.row_change_id = c.row_change_id and r.row_change_id = ${id}`,
      );
      expect(await problems()).toEqual([]);
      // The history of a row that is there, cut so that any row fits it.
      const ofContact = await idOf(
        sql`select row_change_id as id from row_change where table_name = 'contact' and after is not null order by 1 limit 1`,
      );
      await past(
        sql`update row_change r set digest_as_sealed = row_change_digest(r), after = forget(after, '{contact_id}', '{}', '') where row_change_id = ${ofContact}`,
        sql`insert into history_cut (row_change_id, digest) select row_change_id, row_change_digest(r) from row_change r where row_change_id = ${ofContact}`,
      );
      expect(await problems()).toContain(`The row ${ofContact} of the history is not what was left of it when personal data was cut out.`);
    });
  });

  test('each period of the profile ends something', () => {
    expect(endingKinds(portal.context.modules).map(({ period }) => period)).toEqual(
      expect.arrayContaining(Object.keys(portal.context.profile.retention)),
    );
  });
});
