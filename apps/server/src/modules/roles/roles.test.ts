import { api } from '@portal/contract/api';
import { DAY_MS, instantAfter, utcDay } from '@portal/contract/days';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '@portal/api-client';
import { sendRequest } from '../../../test/deciding-requests.ts';
import { kindsForRules, type TestPortal, testPortal } from '../../../test/portal.ts';
import { giveStaffRole, takeStaffRoles } from '../../../test/staff-roles.ts';

const line = { action: 'test', summary: 'Test', traceId: '0'.repeat(32) };
const reason = 'Joins the finance team';

describe.each(kindsForRules)('roles of registry staff on %s', kind => {
  let portal: TestPortal;
  let people: Record<'ola' | 'ravi' | 'fiona' | 'audra' | 'stella' | 'corin', Client>;
  let loginIds: Record<string, string>;
  beforeAll(async () => {
    portal = await testPortal(kind);
    const names = ['ola', 'ravi', 'fiona', 'audra', 'stella', 'corin'] as const;
    people = Object.fromEntries(await Promise.all(names.map(async name => [name, await portal.as(name)]))) as typeof people;
    const logins = await portal.db.read.selectFrom('login').select(['username', 'loginId']).execute();
    loginIds = Object.fromEntries(logins.map(({ username, loginId }) => [username, loginId]));
  });
  afterAll(() => portal[Symbol.asyncDispose]());

  const list = async () => (await people.ola(api.roles.listStaff, {})).data!;
  const rolesOf = async (username: string) => (await list()).members.find(each => each.username === username)!.roles;
  const assignmentOf = async (username: string, role: string) => (await rolesOf(username)).find(each => each.role === role)!.assignmentId;
  const give = (by: Client, username: string, role: string, more: { startsAt?: string; until?: string } = {}) =>
    by(api.roles.giveRole, { loginId: loginIds[username]!, body: { role, reason, ...more } });
  const withdraw = async (by: Client, username: string, role: string) =>
    by(api.roles.withdrawRole, { assignmentId: await assignmentOf(username, role), body: { reason } });

  test('a finance clerk sees no election and decides no transfer; a permission counts from the next call, and not after it is withdrawn', async () => {
    const elections = () => people.fiona(api.elections.listElections, {});
    expect(await elections()).toMatchObject({
      status: 403,
      errors: [
        {
          code: 'NO_STAFF_PERMISSION',
          message:
            'This needs the permission “Set up elections”, “Count and repeat elections”, or “Observe elections”. Ola Brandt or Ravi Menon can give it to you',
        },
      ],
    });
    expect((await people.fiona(api.requestDesk.refuseRequest, { requestId: '1', body: {} as never })).errors![0]!.code).toBe(
      'NO_STAFF_PERMISSION',
    );
    expect((await give(people.ola, 'fiona', 'elections')).status).toBe(200);
    expect(await portal.lastActivity()).toMatchObject({
      action: 'roles.giveRole',
      details: { person: 'Fiona Doi', role: 'Elections officer', reason },
    });
    expect((await portal.mailsTo('fiona@registry.example')).at(-1)!.subject).toBe('You have the role Elections officer');
    for (const overseer of ['ravi', 'audra'])
      expect((await portal.mailsTo(`${overseer}@registry.example`)).at(-1)).toMatchObject({
        subject: 'Fiona Doi has the role Elections officer',
        body: expect.stringMatching(
          new RegExp(
            `It counts from .*, until it is withdrawn\\.[^]*Permissions: Set up elections and Announcements and events\\.[^]*${reason}`,
          ),
        ),
      });
    expect(await portal.mailsTo('ola@registry.example')).toEqual([]);
    expect((await elections()).status).toBe(200);
    expect((await withdraw(people.ravi, 'fiona', 'elections')).status).toBe(200);
    expect((await portal.mailsTo('fiona@registry.example')).at(-1)!.subject).toBe('The role Elections officer was withdrawn from you');
    expect((await elections()).status).toBe(403);
  });

  test('an auditor reads what others do, documents too, and changes nothing', async () => {
    for (const read of [
      await people.audra(api.elections.listElections, {}),
      await people.audra(api.bankStatements.listBankLines, { query: {} }),
      await people.audra(api.documents.listStaffDocuments, { accountName: 'EXAMPLE-AU' }),
      await people.audra(api.roles.listStaff, {}),
      await people.audra(api.desk.listRequests, { query: {} }),
    ])
      expect(read.status).toBe(200);
    expect((await give(people.audra, 'fiona', 'elections')).errors![0]!.code).toBe('NO_STAFF_PERMISSION');
  });

  test('during a visit private data need their own permission', async () => {
    await people.fiona(api.staff.startVisit, { accountName: 'OTHER-SG' });
    expect((await people.fiona(api.resources.getSummary, { account: 'OTHER-SG' })).status).toBe(200);
    expect(await people.fiona(api.documents.listDocuments, { account: 'OTHER-SG' })).toMatchObject({
      status: 403,
      errors: [{ code: 'NO_STAFF_PERMISSION' }],
    });
    await people.stella(api.staff.startVisit, { accountName: 'OTHER-SG' });
    expect((await people.stella(api.documents.listDocuments, { account: 'OTHER-SG' })).status).toBe(200);
  });

  test('a visit shows private registrations only with the permission for private data: in lists, files, search, map, download and log', async () => {
    const account = 'EXAMPLE-AU';
    const within = '198.18.14.0/24';
    const [assigned] = await portal.db.read.rows<{ activityId: string }>(
      sql`select activity_id::text from row_change where table_name = 'assignment' and after ->> 'netname' = 'CUST-ELDER' order by 1 limit 1`,
    );
    const seenBy = async (person: Client) => {
      expect((await person(api.staff.startVisit, { accountName: account })).status).toBe(200);
      const answers = await Promise.all([
        person(api.resources.listRegistrations, { account, query: { kind: 'ipv4', parent: within } }),
        person(api.resources.getAddressMap, { account, query: { kind: 'ipv4', within } }),
        person(api.search.findInAccount, { account, query: { q: 'CUST-ELDER' } }),
        person(api.activityLog.getActivity, { account, activityId: assigned!.activityId }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      const file = await person(api.resources.exportRegistrations, { account, query: { kind: 'ipv4', format: 'csv' } });
      const texts = [...answers.map(({ data }) => JSON.stringify(data)), await file.data!.blob.text()];
      const download = await person(api.whoisDownload.countDownload, { account, query: { privateOnes: 'yes' } });
      return { named: texts.map(text => /CUST-ELDER|Elder Care/.test(text)), download: download.status };
    };
    expect(await seenBy(people.fiona)).toEqual({ named: [false, false, false, false, false], download: 403 });
    expect(await seenBy(people.stella)).toEqual({ named: [true, true, true, true, true], download: 200 });
    expect(await seenBy(people.audra)).toEqual({ named: [true, true, true, true, true], download: 200 });
  });

  test('reading accounts opens neither tickets nor books of a visited account', async () => {
    const account = 'EXAMPLE-AU';
    const corin = await portal.as('corin');
    const ticketText = { queue: 'helpdesk', account, subject: 'A flapping session', text: 'Since Monday.' } as const;
    const { ticketId } = (await corin(api.tickets.openTicket, { body: ticketText })).data!;
    const seenBy = async (person: Client) => {
      const { permissions } = (await person(api.staff.startVisit, { accountName: account })).data!.account;
      const answers = await Promise.all([
        person(api.accountTickets.listAccountTickets, { account, query: {} }),
        person(api.accountTickets.getAccountTicket, { account, ticketId }),
        person(api.billing.getBilling, { account }),
        person(api.renewals.getRenewal, { account }),
      ]);
      const found = (await person(api.search.findInAccount, { account, query: { q: 'flapping' } })).data!;
      return {
        statuses: answers.map(({ status }) => status),
        findsTickets: found.some(({ section }) => section === 'tickets'),
        // Search, the log and the home page ask for it.
        seesBilling: permissions.includes('member-billing-view'),
      };
    };
    expect(await seenBy(people.ola)).toEqual({ statuses: [403, 403, 403, 403], findsTickets: false, seesBilling: false });
    expect(await seenBy(people.fiona)).toEqual({ statuses: [200, 200, 200, 200], findsTickets: true, seesBilling: true });
  });

  test('the case decides who reads, approves and rejects it', async () => {
    const made = (await people.ola(api.roles.addRole, { body: { name: 'Delegations', permissions: ['resources'] } })).data!;
    const { key } = made.roles.find(({ name }) => name === 'Delegations')!;
    await takeStaffRoles(portal.db, 'stan');
    expect((await give(people.ola, 'stan', key)).status).toBe(200);
    const stan = await portal.as('stan');
    const { requestId } = await sendRequest(await portal.as('corin'), 'EXAMPLE-AU', 'return', {
      resources: ['198.18.64.0/24'],
      reason: 'Network closed',
      startsOn: utcDay(new Date()),
    });
    const read = async (person: Client) => (await person(api.requestDesk.getStaffRequest, { requestId })).errors?.[0]?.code;
    expect(await read(stan)).toBe('NO_STAFF_PERMISSION');
    expect(await read(people.audra)).toBeUndefined();
    const { version } = (await people.stella(api.requestDesk.getStaffRequest, { requestId })).data!;
    const approve = () => people.stella(api.requestDesk.approveRequest, { requestId, body: { version, note: '', resource: '' } });
    // Who decides other requests is no second person for this one.
    expect(await approve()).toMatchObject({ status: 409, errors: [{ code: 'NO_SECOND_PERSON' }] });
    await giveStaffRole(portal.db, 'dora', 'hostmaster');
    expect(await approve()).toMatchObject({
      status: 409,
      errors: [{ code: 'SECOND_PERSON', message: expect.stringMatching(/^This needs a second approval\. Dora \w+ can approve it until /) }],
    });
    const waitingFor = async (person: Client) => (await person(api.proposals.listStaffProposals, {})).data!.waiting;
    expect(await waitingFor(stan)).toEqual([]);
    expect(await waitingFor(people.audra)).toHaveLength(1);
    const dora = await portal.as('dora');
    const { proposalId, fingerprint } = (await waitingFor(dora))[0]!;
    for (const refused of [
      await stan(api.proposals.approveStaffProposal, { proposalId, body: { fingerprint } }),
      await stan(api.proposals.rejectStaffProposal, { proposalId, body: { note: 'No' } }),
    ])
      expect(refused).toMatchObject({
        status: 403,
        errors: [{ code: 'NO_STAFF_PERMISSION', message: expect.stringContaining('“Decide transfers”') }],
      });
    expect((await dora(api.proposals.approveStaffProposal, { proposalId, body: { fingerprint } })).status).toBe(200);
  });

  test('no one gives a role to themselves, withdraws or reviews their own, and the table refuses it too', async () => {
    const refused = { status: 403, errors: [{ code: 'OWN_ROLE', message: 'You can’t change your own roles. Ask Ravi Menon' }] };
    expect(await give(people.ola, 'ola', 'finance')).toMatchObject(refused);
    expect(await withdraw(people.ola, 'ola', 'administrator')).toMatchObject(refused);
    expect(await people.ola(api.roles.keepRoles, { loginId: loginIds['ola']! })).toMatchObject(refused);
    const row = {
      loginId: loginIds['ola']!,
      readyMade: 'finance',
      givenBy: loginIds['ola']!,
      reason,
      givenAt: new Date(),
      startsAt: new Date(),
    };
    await expect(
      portal.db.change(line, change =>
        change
          .insertInto('staffAssignment')
          .values({ ...row, givenAt: change.now, startsAt: change.now })
          .execute(),
      ),
    ).rejects.toThrow('staff_role_given_by_another');
    expect(await give(people.ola, 'corin', 'finance')).toMatchObject({ status: 409, errors: [{ code: 'NOT_STAFF' }] });
    await expect(
      portal.db.change(line, change =>
        change
          .insertInto('staffAssignment')
          .values({ loginId: loginIds['corin']!, readyMade: 'finance', reason, givenAt: change.now, startsAt: change.now })
          .execute(),
      ),
    ).rejects.toThrow('Only registry staff hold roles');
  });

  test('what policy keeps in different hands is refused by name, unless one ends before the other begins', async () => {
    const conflict = {
      status: 409,
      errors: [
        {
          code: 'ROLE_CONFLICT',
          message:
            'Policy keeps “Record payments” and “Write off and refund” in different hands, and Fiona Doi would hold both. Withdraw the other role first, or give this one to another person',
        },
      ],
    };
    expect(await give(people.ola, 'fiona', 'director')).toMatchObject(conflict);
    const inDays = (days: number) => instantAfter(new Date(), days * DAY_MS);
    expect((await give(people.ola, 'audra', 'finance', { until: inDays(5) })).status).toBe(200);
    for (const [period, field, message] of [
      [{ startsAt: inDays(-2) }, 'startsAt', 'The first day is over. Choose today or a later day'],
      [{ until: inDays(-1) }, 'until', 'The last day is over. Choose today or a later day'],
      [{ startsAt: inDays(4), until: inDays(3) }, 'until', 'The last day is before the first. Choose a later one'],
      [{ startsAt: '31/02/2026' }, 'startsAt', 'Enter a day, such as 31 Jan 2027'],
    ] as const)
      expect(await give(people.ola, 'audra', 'director', period)).toMatchObject({ status: 400, errors: [{ field, message }] });
    expect((await give(people.ola, 'audra', 'director', { startsAt: inDays(4) })).errors![0]!.code).toBe('ROLE_CONFLICT_UNTIL');
    // A role keeps others away for thirty days after its end.
    expect((await give(people.ola, 'audra', 'director', { startsAt: inDays(34) })).errors![0]!.code).toBe('ROLE_CONFLICT_UNTIL');
    expect((await give(people.ola, 'audra', 'director', { startsAt: inDays(36) })).status).toBe(200);
    expect(await give(people.ola, 'audra', 'finance')).toMatchObject({ status: 409, errors: [{ code: 'ROLE_HELD' }] });
    expect(await give(people.ola, 'stella', 'support', { until: inDays(-1) })).toMatchObject({ status: 400 });
    expect(await people.ola(api.roles.addRole, { body: { name: 'Cashier', permissions: ['payments', 'write-offs'] } })).toMatchObject({
      status: 409,
      errors: [{ code: 'ROLE_CONFLICT' }],
    });
    for (const role of ['finance', 'director']) expect((await withdraw(people.ola, 'audra', role)).status).toBe(200);
  });

  test('what is kept apart is not held by turns: a role withdrawn a moment ago counts, one that never began does not', async () => {
    const inDays = (days: number) => instantAfter(new Date(), days * DAY_MS);
    // Finance was withdrawn from Audra in the test before.
    const [day] = await portal.db.read.rows<{ until: string }>(
      sql`select to_char(max(withdrawn_at) + interval '30 days', 'FMDD Mon YYYY') as until from staff_assignment where login_id = ${loginIds['audra']!} and ready_made = 'finance'`,
    );
    expect(await give(people.ola, 'audra', 'director')).toMatchObject({
      status: 409,
      errors: [
        {
          code: 'ROLE_CONFLICT_UNTIL',
          message: `Policy keeps “Record payments” and “Write off and refund” in different hands, and Audra Lahde held the other side until lately. Give this role from ${day!.until}, or to another person`,
        },
      ],
    });
    // One that never counted keeps nothing away.
    expect((await give(people.ola, 'audra', 'elections', { startsAt: inDays(3) })).status).toBe(200);
    expect((await withdraw(people.ola, 'audra', 'elections')).status).toBe(200);
    expect((await give(people.ola, 'audra', 'returning-officer')).status).toBe(200);
    expect((await withdraw(people.ola, 'audra', 'returning-officer')).status).toBe(200);
  });

  test('a registry has roles of its own, which are deleted once no one holds them', async () => {
    const made = (await people.ola(api.roles.addRole, { body: { name: 'Zones', permissions: ['dns'] } })).data!;
    const { key } = made.roles.find(({ name }) => name === 'Zones')!;
    for (const overseer of ['ravi', 'audra'])
      expect((await portal.mailsTo(`${overseer}@registry.example`)).at(-1)).toMatchObject({
        subject: 'There is a new role Zones',
        body: expect.stringContaining('Permissions: DNS operations.'),
      });
    // A name that is another in capitals, by a letter of another script, or by an invisible one, would be taken for it.
    for (const name of ['zones', 'Z ones', 'Zоnes', 'Zones.', 'Hоstmaster', 'Adrninistrator'.replace('rn', 'm'), 'F1nance'])
      expect(await people.ola(api.roles.addRole, { body: { name, permissions: ['rpki'] } })).toMatchObject({
        status: 409,
        errors: [{ code: 'ROLE_NAME_TAKEN' }],
      });
    for (const name of ['Zo\u200bnes', 'Zo\u202enes'])
      expect(await people.ola(api.roles.addRole, { body: { name, permissions: ['rpki'] } })).toMatchObject({
        status: 400,
        errors: [{ field: 'name' }],
      });
    expect((await give(people.ola, 'fiona', key)).status).toBe(200);
    expect((await people.fiona(api.lameServers.listLameServers, { query: {} })).status).toBe(200);
    expect(await people.ola(api.roles.endRole, { roleId: key })).toMatchObject({
      status: 409,
      errors: [{ code: 'ROLE_IN_USE', message: 'Zones is held by Fiona Doi. Withdraw it from them first' }],
    });
    await withdraw(people.ola, 'fiona', key);
    expect((await people.ola(api.roles.endRole, { roleId: key })).status).toBe(200);
    expect((await give(people.ola, 'fiona', key)).status).toBe(404);
  });

  test('a colleague keeps the roles of a person once a quarter', async () => {
    expect((await rolesOf('fiona')).map(({ isDue }) => isDue)).toEqual([true]);
    expect((await people.ola(api.roles.keepRoles, { loginId: loginIds['fiona']! })).status).toBe(200);
    expect(await rolesOf('fiona')).toMatchObject([{ isDue: false, reviewedBy: 'Ola Brandt' }]);
  });

  test('an invited person chooses a password by the link, and has the role', async () => {
    const body = { fullName: 'Mele Tuita', email: 'mele@registry.example', role: 'support', reason: 'Joins support' };
    const answer = await people.ola(api.roles.inviteStaff, { body });
    expect(answer.data!.members.find(({ username }) => username === 'mele')).toMatchObject({
      isInvited: true,
      roles: [{ role: 'support', givenBy: 'Ola Brandt' }],
    });
    const [mail] = await portal.mailsTo('mele@registry.example');
    expect(mail).toMatchObject({
      subject: 'Invitation to the staff of Example Registry',
      body: expect.stringContaining('/account/new-password?token='),
    });
    expect(await people.ola(api.roles.inviteStaff, { body })).toMatchObject({ status: 409, errors: [{ code: 'ALREADY_STAFF' }] });
    // A member's login becomes staff once its person accepts (invitations.test.ts).
    expect((await people.ola(api.roles.inviteStaff, { body: { ...body, email: 'nadia@newcomer.example' } })).status).toBe(200);
    expect((await (await portal.as('nadia'))(api.people.getMe, {})).data).toMatchObject({ staff: false });
  });

  test('a contact of an account who leaves registry staff keeps the login', async () => {
    await giveStaffRole(portal.db, 'corin', 'support');
    const ended = await people.ola(api.roles.endStaff, { loginId: loginIds['corin']!, body: { reason: 'Helped' } });
    expect(ended.status).toBe(200);
    expect(await portal.db.read.selectFrom('login').select(['staff', 'disabledAt']).where('username', '=', 'corin').execute()).toEqual([
      { staff: false, disabledAt: null },
    ]);
    const again = await portal.as('corin');
    expect((await again(api.people.getMe, {})).data).toMatchObject({ staff: false });
    expect((await again(api.roles.listStaff, {})).status).toBe(404);
  });

  test('who never chose a password or is frozen counts as no other administrator', async () => {
    const set = (frozen: string) => portal.db.change(line, change => change.rows(sql`${sql.raw(frozen)} where username = 'ola'`));
    const body = { fullName: 'Ines Roa', email: 'ines@registry.example', role: 'administrator', reason: 'Joins' };
    expect((await people.ola(api.roles.inviteStaff, { body })).status).toBe(200);
    expect((await give(people.ola, 'stella', 'administrator', { until: instantAfter(new Date(), DAY_MS) })).status).toBe(200);
    const ravis = await assignmentOf('ravi', 'administrator');
    await set(`update login set frozen_at = now(), frozen_email = email`);
    expect(await people.stella(api.roles.withdrawRole, { assignmentId: ravis, body: { reason } })).toMatchObject({
      status: 409,
      errors: [{ code: 'LAST_ADMINISTRATOR' }],
    });
    await set(`update login set frozen_at = null, frozen_email = null`);
    expect((await withdraw(people.ola, 'stella', 'administrator')).status).toBe(200);
  });

  test('who leaves hands open cases to a colleague, and is signed out; the last administrator stays', async () => {
    const stan = await portal.as('stan');
    await portal.db.change(line, change =>
      change.rows(sql`update ticket set owner = ${loginIds['stan']} where ticket_id = (select min(ticket_id) from ticket)`),
    );
    const endStan = (casesTo: string | null) =>
      people.ola(api.roles.endStaff, { loginId: loginIds['stan']!, body: { reason: 'Moves on', casesTo } });
    expect(await endStan(null)).toMatchObject({ status: 409, errors: [{ code: 'CASES_LEFT', field: 'casesTo' }] });
    for (const [casesTo, message] of [
      ['no-such-login', 'No login has this id. Choose a colleague'],
      [loginIds['stan']!, 'Stan Petrov is the one who leaves. Choose a colleague'],
      [loginIds['corin']!, 'Corin Achterberg is not registry staff. Choose a colleague'],
      [loginIds['audra']!, 'Audra Lahde can’t decide cases now. Choose a colleague with another role, such as Hostmaster'],
    ] as const)
      expect(await endStan(casesTo)).toMatchObject({ status: 400, errors: [{ code: 'INVALID_REQUEST', field: 'casesTo', message }] });
    // Without a case, an unknown colleague is refused as well.
    const raviTo = { reason: 'Moves on', casesTo: 'no-such-login' };
    expect((await people.ola(api.roles.endStaff, { loginId: loginIds['ravi']!, body: raviTo })).status).toBe(400);
    const ended = await endStan(loginIds['stella']!);
    const [handed] = await portal.db.read.rows<{ owner: string }>(sql`select owner from ticket order by ticket_id limit 1`);
    expect(handed).toEqual({ owner: loginIds['stella'] });
    expect(ended.data!.members.find(({ username }) => username === 'stan')).toMatchObject({ disabled: true, roles: [] });
    await expect.poll(async () => (await stan(api.people.getMe, {})).status, { timeout: 1000 }).toBe(401);
    expect((await people.ola(api.roles.endStaff, { loginId: loginIds['ola']!, body: { reason: 'Moves on' } })).errors![0]!.code).toBe(
      'OWN_ROLE',
    );

    // Two administrators who end each other at the same moment: one stays.
    const [one, other] = await Promise.all([
      people.ola(api.roles.endStaff, { loginId: loginIds['ravi']!, body: { reason: 'A race' } }),
      people.ravi(api.roles.endStaff, { loginId: loginIds['ola']!, body: { reason: 'A race' } }),
    ]);
    expect([one.status, other.status].filter(status => status === 200)).toHaveLength(1);
    const [left] = await portal.db.read
      .selectFrom('login')
      .select('username')
      .where('username', 'in', ['ola', 'ravi'])
      .where('disabledAt', 'is', null)
      .execute();
    const last = await portal.as(left!.username);
    expect((await give(last, 'stella', 'administrator', { until: instantAfter(new Date(), DAY_MS) })).status).toBe(200);
    const withdrawn = await people.stella(api.roles.endStaff, { loginId: loginIds[left!.username]!, body: { reason: 'The last one' } });
    expect(withdrawn).toMatchObject({ status: 409, errors: [{ code: 'LAST_ADMINISTRATOR' }] });
  });
});
