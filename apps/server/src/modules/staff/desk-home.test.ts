import type { Client } from '@portal/api-client';
import { api } from '@portal/contract/api';
import { homeMonths, homeWeeks, pulseParts } from '@portal/contract/staff/desk-home';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendRequest } from '../../../test/deciding-requests.ts';
import { kindsForRules, type TestPortal, testPortal } from '../../../test/portal.ts';
import { giveStaffRole, takeStaffRoles } from '../../../test/staff-roles.ts';
import { lastMonths, lastWeeks } from './morning-figures.ts';

const line = { action: 'test', summary: 'Test', traceId: '0'.repeat(32) };
const parts = ['cases', 'approvals', 'service', 'machines', 'pools', 'money', 'members', 'elections'] as const;

describe.each(kindsForRules)('the morning of registry staff on %s', kind => {
  let portal: TestPortal;
  let stella: Client;
  let requestId: string;
  beforeAll(async () => {
    portal = await testPortal(kind);
    stella = await portal.as('stella');
  });
  afterAll(() => portal[Symbol.asyncDispose]());

  const homeOf = async (as: Client) => {
    const { data, errors } = await as(api.deskHome.getDeskHome, {});
    expect([errors, data?.failed]).toEqual([undefined, []]);
    return data!;
  };
  const partsOf = async (name: string) => {
    const home = await homeOf(await portal.as(name));
    return [
      ...parts.filter(part => home[part] !== null),
      ...Object.entries(home.reports).flatMap(([key, value]) => (value === null ? [] : [key])),
    ];
  };

  test('has the parts whose lists the person’s roles open, and no other', async () => {
    expect(await partsOf('fiona')).toEqual(['approvals', 'money', 'members', 'ticketsWaiting', 'ticketsMine', 'bankLines', 'setAside']);
    expect(await partsOf('ola')).toEqual(['approvals', 'members', 'setAside']);
    expect(await partsOf('audra')).toEqual([
      ...parts,
      'ticketsWaiting',
      'ticketsMine',
      'bankLines',
      'lameServers',
      'rpkiAlarms',
      'setAside',
    ]);
    await takeStaffRoles(portal.db, 'stan');
    await giveStaffRole(portal.db, 'stan', 'returning-officer');
    expect(await partsOf('stan')).toEqual(['approvals', 'elections']);
    await takeStaffRoles(portal.db, 'stan');
    expect((await (await portal.as('stan'))(api.deskHome.getDeskHome, {})).status).toBe(404);
    expect((await (await portal.as('corin'))(api.deskHome.getDeskHome, {})).status).toBe(404);
  });

  test('draws each case that waits for the registry, and counts as its lists do', async () => {
    const need = { plan: [{ purpose: 'Hosting', amounts: [256, 512, 768, 1024, 1600] }], network: 'A data centre in Singapore.' };
    ({ requestId } = await sendRequest(await portal.as('olive'), 'OTHER-SG', 'pre-approval', { blocks: 2, ...need }));
    const { cases } = await homeOf(stella);
    const list = async (query: object) => (await stella(api.desk.listRequests, { query })).data!.total;
    expect(cases!.withUs + cases!.waitingOnMembers).toBe(await list({}));
    expect(cases!.waitingOnMembers).toBe(await list({ status: 'needs-info' }));
    expect(cases!.late).toBe(await list({ late: 'only' }));
    expect(cases!.mine + cases!.free).toBeLessThanOrEqual(await list({}));
    expect(cases!.rows).toHaveLength(cases!.withUs);
    expect(cases!.rows.find(each => each.requestId === requestId)).toMatchObject({
      kind: 'resources',
      resource: 'ipv4',
      reference: `REQ-${requestId}`,
      accountName: 'OTHER-SG',
      handler: null,
      isMine: false,
      late: false,
      second: null,
      hours: expect.any(Number),
    });
    // A person who decides transfers alone sees no request for resources, not even its count.
    const { key } = (
      await (
        await portal.as('ola')
      )(api.roles.addRole, { body: { name: 'Movers', permissions: ['transfers'] } })
    ).data!.roles.find(({ name }) => name === 'Movers')!;
    await portal.db.change(line, change =>
      change.rows(sql`insert into staff_assignment (login_id, staff_role_id, given_at, reason, starts_at)
        select login_id, ${Number(key)}, now(), 'Of a test', now() from login where username = 'stan'`),
    );
    const movers = (await homeOf(await portal.as('stan'))).cases!;
    expect(movers.rows.filter(({ kind: each }) => each !== 'transfers')).toEqual([]);
    expect(movers.withUs).toBe(movers.rows.length);
    await takeStaffRoles(portal.db, 'stan');
  });

  test('marks late cases, and says which answers kept the promise', async () => {
    await portal.db.change(line, change =>
      change.rows(
        sql`update resource_request set submitted_at = now() - interval '9 days', since = now() - interval '9 days' where resource_request_id = ${Number(requestId)}`,
      ),
    );
    const before = await homeOf(stella);
    expect(before.cases!.rows[0]).toMatchObject({ requestId, late: true, hours: expect.any(Number) });
    expect(before.cases!.rows[0]!.hours).toBeGreaterThan(before.cases!.promiseHours);
    expect((await stella(api.requestDesk.refuseRequest, { requestId, body: { reason: 'Ask again with a plan' } })).errors).toBeUndefined();
    const after = await homeOf(stella);
    expect(after.cases).toMatchObject({
      decidedToday: before.cases!.decidedToday + 1,
      decided: expect.arrayContaining([expect.objectContaining({ requestId, state: 'rejected', resolvedBy: 'Stella Kowalski' })]),
    });
    const [was, is] = [before.service!.weeks.at(-1)!, after.service!.weeks.at(-1)!];
    expect([is.answered - was.answered, is.kept - was.kept]).toEqual([1, 0]);
  });

  test('says what the pools have left, what comes in, who votes and how fresh everything is', async () => {
    const audra = await portal.as('audra');
    const home = await homeOf(audra);
    const pools = (await audra(api.requestDesk.listPools, {})).data!;
    expect(home.pools!.map(({ yearly: _yearly, delegations: _delegations, ...pool }) => pool)).toEqual(
      pools.map(({ kind: each, available, held, quarantine, reserved }) => ({ kind: each, available, held, quarantine, reserved })),
    );
    expect(home.money!.months.map(({ month }) => month)).toEqual(lastMonths(new Date(home.at)));
    expect(home.money!.months).toHaveLength(homeMonths);
    expect(home.service!.weeks.map(({ week }) => week)).toEqual(lastWeeks(new Date(home.at)));
    expect(home.service!.weeks).toHaveLength(homeWeeks);
    const accounts = await portal.db.read
      .selectFrom('account')
      .select(eb => eb.fn.countAll<string>().as('all'))
      .executeTakeFirstOrThrow();
    expect(home.members!.reduce((sum, each) => sum + each.accounts, 0)).toBe(Number(accounts.all));
    for (const { voters, voted } of home.elections!) expect(voted).toBeLessThanOrEqual(voters);
    expect(home.machines!.mail.written).toHaveLength(pulseParts);
    expect(home.machines!.whois.changes).toHaveLength(pulseParts);
    const feeds = (await audra(api.publicationFeeds.listFeeds, {})).data!.feeds;
    expect(home.machines!.feeds.map(({ name }) => name)).toEqual(feeds.map(({ name }) => name));
    expect(home.reports.lameServers).toBe((await audra(api.lameServers.listLameServers, { query: {} })).data!.total);
    expect(home.reports.bankLines).toBe((await audra(api.bankStatements.listBankLines, { query: {} })).data!.counts.open);
  });
});

test('weeks begin on Mondays, and months reach over the year', () => {
  expect(lastWeeks(new Date('2026-11-22T23:59:00Z')).at(-1)).toBe('2026-11-16');
  expect(lastWeeks(new Date('2026-11-23T00:00:00Z')).at(-1)).toBe('2026-11-23');
  expect(lastMonths(new Date('2026-03-31T12:00:00Z')).slice(-4)).toEqual(['2025-12', '2026-01', '2026-02', '2026-03']);
});
