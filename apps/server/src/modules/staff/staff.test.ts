import { giveStaffRole } from '../../../test/staff-roles.ts';
import { api } from '@portal/contract/api';
import { DAY_MS, instantBefore, MINUTE_MS, utcDay } from '@portal/contract/days';
import { parseResource } from '@portal/number-resources';
import { describe, expect, test } from 'vitest';
import { sentFile } from '../../../test/sample-files.ts';
import { kindsForRules, testPortal } from '../../../test/portal.ts';
import { dayInWords } from '../../platform/attention.ts';
import { importStatistics } from '../resources/index.ts';

async function* file(...records: string[]): AsyncGenerator<Uint8Array> {
  const count = (kind: string): number => records.filter(record => record.split('|')[2] === kind).length;
  const summaries = ['asn', 'ipv4'].map(kind => `apnic|*|${kind}|*|${count(kind)}|summary`);
  yield Buffer.from(`${[`2.3|apnic|20160131|${records.length}||20160130|+1000`, ...summaries, ...records].join('\n')}\n`);
}

describe.each(kindsForRules)('the holder search on %s', kind => {
  test('finds the holder of a number, the contents of a range, and unassigned space', async () => {
    await using portal = await testPortal(kind);
    const from = file(
      'apnic|AU|ipv4|1.0.0.0|256|20110811|assigned|A1',
      'apnic||ipv4|1.0.1.0|256||available|',
      'apnic||asn|4608|1024||reserved|',
    );
    await importStatistics(portal.db, { ownRegistry: 'example', from });
    const stella = await portal.as('stella');
    const find = async (q: string) =>
      (await stella(api.staff.findHolders, { query: { q } })).data?.hits.map(
        ({ accountName, resource, pool }) => `${accountName || pool} ${resource}`,
      );
    expect(await find('198.18.5.1')).toEqual(['EXAMPLE-AU 198.18.0.0/19']);
    expect(await find('198.18.5.1/24')).toEqual(['EXAMPLE-AU 198.18.0.0/19']);
    expect(await find('198.18.66.0 - 198.18.128.0')).toEqual(['EXAMPLE-AU 198.18.64.0 - 198.18.66.255', 'OLDNET-JP 198.18.128.0/18']);
    expect(await find('1.0.0.0/8')).toEqual(['APNIC-A1 1.0.0.0/24', 'available 1.0.1.0/24']);
    expect(await find('AS64503')).toEqual(['NATREG-XX AS64502 - AS64509']);
    expect(await find('64503')).toEqual(['NATREG-XX AS64502 - AS64509']);
    expect(await find('as5000')).toEqual(['reserved AS4608 - AS5631']);
    // Pasted text: full-width digits, a trailing dot, quotes.
    expect(await find('１９８．１８．５．１')).toEqual(['EXAMPLE-AU 198.18.0.0/19']);
    expect(await find('"198.18.5.1."')).toEqual(['EXAMPLE-AU 198.18.0.0/19']);
    expect(await find('9.9.9.9')).toEqual([]);
  });

  test('finds accounts by a part of either name, the exact name first', async () => {
    await using portal = await testPortal(kind);
    const stella = await portal.as('stella');
    const find = async (q: string) => (await stella(api.staff.findHolders, { query: { q } })).data;
    expect((await find('cloud'))?.hits).toEqual([
      {
        accountName: 'OTHER-SG',
        orgName: 'Other Cloud Pte. Ltd.',
        accountType: 'regular',
        accountStatus: 'open',
        economy: 'SG',
        kind: null,
        resource: null,
        pool: null,
      },
    ]);
    expect((await find('example-au'))?.hits[0]?.accountName).toBe('EXAMPLE-AU');
    expect((await find('GONE'))?.hits[0]).toMatchObject({ accountName: 'GONE-VU', accountStatus: 'closed' });
    expect((await find('%_'))?.hits).toEqual([]);
    expect(await find('group')).toMatchObject({ more: false });
  });

  test('returns pages, with each hit on one page only', async () => {
    await using portal = await testPortal(kind);
    await importStatistics(portal.db, {
      ownRegistry: 'example',
      from: file(...Array.from({ length: 30 }, (_, n) => `apnic|AU|ipv4|1.0.${n}.0|256|20110811|assigned|A${n}`)),
    });
    const stella = await portal.as('stella');
    const page = async (offset: number) => (await stella(api.staff.findHolders, { query: { q: '1.0.0.0/16', offset } })).data!;
    const [first, second] = [await page(0), await page(20)];
    expect([first.hits.length, first.more, second.hits.length, second.more]).toEqual([20, true, 10, false]);
    expect(new Set([...first.hits, ...second.hits].map(({ resource }) => resource)).size).toBe(30);
    expect(first.hits.every(({ resource }) => parseResource(resource ?? '').family === 'ipv4')).toBe(true);
  });
});

describe('people', () => {
  test('are found by address or part of the name, with their accounts; the search is logged', async () => {
    await using portal = await testPortal();
    const stella = await portal.as('stella');
    const find = async (q: string, more: { offset?: number; limit?: number } = {}) =>
      (await stella(api.desk.findPeople, { body: { q, ...more } })).data!;
    const [corin] = (await find('CORIN@example-au.example')).people;
    expect(corin).toMatchObject({ fullName: 'Corin Achterberg', hasSecondFactor: true, staff: false, disabled: false, frozen: false });
    expect(corin!.accounts.map(({ accountName }) => accountName)).toContain('EXAMPLE-AU');
    expect(await portal.lastActivity()).toMatchObject({
      action: 'staff.desk.findPeople',
      accountName: null,
      details: { sought: 'CORIN@example-au.example', found: 1 },
    });
    expect((await find('watan')).people.map(({ fullName }) => fullName)).toEqual(['Hana Watanabe']);
    expect((await find('nadia@')).people).toMatchObject([{ email: 'nadia@newcomer.example', accounts: [] }]);
    // The middle of an address finds no one: addresses can't be enumerated.
    expect((await find('@example-au.example')).people).toEqual([]);
    expect(await find('%%%')).toEqual({ people: [], more: false });
    expect(await stella(api.desk.findPeople, { body: { q: 'co' } })).toMatchObject({
      status: 400,
      errors: [{ message: expect.stringContaining('at least 3 characters') }],
    });
  });

  test('colleagues are found by those who may read who is staff; to others they are a contact, or no one', async () => {
    await using portal = await testPortal();
    const find = async (name: string, q: string) => (await (await portal.as(name))(api.desk.findPeople, { body: { q } })).data!.people;
    for (const reader of ['ola', 'audra'])
      expect(await find(reader, 'fiona')).toMatchObject([{ fullName: 'Fiona Doi', staff: true, accounts: [] }]);
    expect(await find('stella', 'fiona')).toEqual([]);
    await giveStaffRole(portal.db, 'corin', 'support');
    expect(await find('stella', 'corin')).toMatchObject([{ fullName: 'Corin Achterberg', staff: false }]);
    expect(await find('ola', 'corin')).toMatchObject([{ fullName: 'Corin Achterberg', staff: true }]);
  });

  test('contacts without a login are found as well, once however many accounts they are in', async () => {
    await using portal = await testPortal();
    await portal.db.change({ action: 'test', summary: 'Added contacts', traceId: '0'.repeat(32) }, change =>
      change
        .insertInto('contact')
        .values(
          ['EXAMPLE-AU', 'OTHER-SG'].map(accountName => ({
            accountName,
            fullName: 'Ines Duarte',
            email: 'ines@consult.example',
            contactTypes: ['technical' as const],
            permissions: [],
            status: 'invited' as const,
          })),
        )
        .execute(),
    );
    const { data } = await (await portal.as('stella'))(api.desk.findPeople, { body: { q: 'ines@' } });
    expect(data!.people).toMatchObject([
      { loginId: null, fullName: 'Ines Duarte', accounts: [{ accountName: 'EXAMPLE-AU' }, { accountName: 'OTHER-SG' }] },
    ]);
  });
});

describe('the sheet of an account', () => {
  test('shows on one screen its facts, contacts, holdings, requests and recent activity', async () => {
    await using portal = await testPortal();
    const [stella, corin] = await Promise.all([portal.as('stella'), portal.as('corin')]);
    await corin(api.organisationChanges.requestOrganisationChange, {
      account: 'EXAMPLE-AU',
      body: { field: 'orgName', value: 'Example Networks Ltd', reason: 'Renamed', documentIds: [await sentFile(corin)] },
    });
    const { data } = await stella(api.desk.getAccountSheet, { accountName: 'EXAMPLE-AU' });
    expect(data).toMatchObject({ account: { accountName: 'EXAMPLE-AU', accountStatus: 'open' }, own: false });
    expect(data!.contacts[0]).toMatchObject({ fullName: 'Corin Achterberg', hasSecondFactor: true, hasLogin: true });
    expect(data!.contacts.find(({ fullName }) => fullName.startsWith('Bill'))).toMatchObject({ hasSecondFactor: false });
    expect(data!.contactCount).toBe(data!.contacts.length);
    expect(data!.resources.find(({ kind }) => kind === 'ipv4')!.delegations).toBeGreaterThan(0);
    expect(data!.requests).toMatchObject([
      { kind: 'organisations', state: 'submitted', asked: 'Legal name: Example Networks Ltd', requestedBy: 'Corin Achterberg' },
    ]);
    expect(data!.activities[0]).toMatchObject({ actor: { kind: 'contact', name: 'Corin Achterberg' } });
    expect((await stella(api.desk.getAccountSheet, { accountName: 'GONE-VU' })).data).toMatchObject({
      account: { accountStatus: 'closed' },
    });
    expect(await stella(api.desk.getAccountSheet, { accountName: 'NOBODY' })).toMatchObject({
      status: 404,
      errors: [{ message: 'Account NOBODY wasn’t found' }],
    });
  });
});

describe.each(kindsForRules)('the queue on %s', kind => {
  test('contains every kind of request, counts waiting ones, and filters by kind, state, age and text', async () => {
    await using portal = await testPortal(kind);
    const [stella, corin] = await Promise.all([portal.as('stella'), portal.as('corin')]);
    const account = 'EXAMPLE-AU';
    await corin(api.contacts.inviteContact, {
      account,
      body: { fullName: 'Dora Eastwood', email: 'dora@example-au.example', contactTypes: ['corporate'] },
    });
    await corin(api.organisationChanges.requestOrganisationChange, {
      account,
      body: { field: 'orgName', value: 'Example Ltd', documentIds: [await sentFile(corin)] },
    });
    const closing = { reason: 'Merged', closeOn: '2099-01-01', resources: 'return', confirmation: account } as const;
    const closeOn = utcDay(Date.now() + 40 * DAY_MS);
    await corin(api.accountClosures.requestAccountClosure, { account, body: { ...closing, closeOn } });
    const list = async (query: Record<string, unknown> = {}) => (await stella(api.desk.listRequests, { query })).data!;

    const all = await list();
    expect(all.rows.filter(row => row.accountName === account).map(row => [row.kind, row.asked])).toEqual([
      ['contacts', 'Add Dora Eastwood as corporate contact'],
      ['organisations', 'Legal name: Example Ltd'],
      ['closures', `Close the account on ${dayInWords(closeOn)}`],
    ]);
    expect(all.waiting).toMatchObject({ contacts: 1, organisations: 1, closures: 1 });
    expect((await list({ kind: 'closures' })).rows.map(({ kind: of }) => of)).toEqual(['closures']);
    expect((await list({ q: 'dora' })).total).toBe(1);
    expect(await list({ q: '%' })).toMatchObject({ total: 0, waiting: { contacts: 1 } });
    expect((await list({ days: 1 })).total).toBe(0);
    expect(await list({ limit: 1, offset: 1 })).toMatchObject({ rows: [{}], total: all.total });

    const change = all.rows.find(row => row.kind === 'organisations')!;
    const one = { changeId: change.requestId };
    expect((await stella(api.organisationChanges.getStaffOrganisationChange, one)).data).toMatchObject({ reference: change.reference });
    await stella(api.organisationChanges.refuseOrganisationChange, { ...one, body: { reason: 'No paper' } });
    expect((await list({ status: 'decided', kind: 'organisations' })).rows[0]).toMatchObject({
      state: 'rejected',
      resolvedBy: 'Stella Kowalski',
    });
    expect((await list()).waiting.organisations).toBe(0);
    const contact = all.rows.find(row => row.kind === 'contacts')!;
    expect((await stella(api.registryRequests.getRegistryRequest, { requestId: contact.requestId })).data).toMatchObject({ kind: 'add' });
    const closure = all.rows.find(row => row.kind === 'closures')!;
    expect((await stella(api.accountClosures.getStaffAccountClosure, { closureId: closure.requestId })).data).toMatchObject({ closeOn });
    for (const id of ['0', 'x', '999999'])
      expect((await stella(api.registryRequests.getRegistryRequest, { requestId: id })).status).toBe(404);
  });
});

describe.each(kindsForRules)('visiting an account as its contacts see it, on %s', kind => {
  test('lasts half an hour, is read-only, for one account at a time, and logged for the member as "Registry staff"', async () => {
    await using portal = await testPortal(kind);
    const [stella, olive] = await Promise.all([portal.as('stella'), portal.as('olive')]);
    const account = 'OTHER-SG';
    const read = () => stella(api.resources.getSummary, { account });
    expect(await read()).toMatchObject({ status: 403, errors: [{ code: 'VISIT_NEEDED' }] });

    const { data: visit } = await stella(api.staff.startVisit, { accountName: account });
    expect(visit).toMatchObject({ account: { accountName: account, asStaff: true, contactTypes: [] } });
    expect(visit!.account.permissions.every(permission => permission.endsWith('-view'))).toBe(true);
    expect(Date.parse(visit!.until) - Date.parse(visit!.startedAt)).toBe(30 * MINUTE_MS);
    expect((await read()).status).toBe(200);
    expect((await stella(api.staff.getVisit, {})).data).toEqual({ visit });

    expect(
      await stella(api.organisationChanges.requestOrganisationChange, { account, body: { field: 'orgName', value: 'Mine', reason: '' } }),
    ).toMatchObject({
      status: 403,
      errors: [{ code: 'VISIT_READS_ONLY', message: 'You’re viewing OTHER-SG as registry staff, read-only' }],
    });
    const lines = async (as: typeof stella) =>
      (await as(api.activityLog.listActivities, { account, query: { actor: 'staff' } })).data!.lines;
    const named = async (as: typeof stella) => (await lines(as)).map(({ actor, action, result }) => `${actor.name}: ${action} ${result}`);
    expect(await named(olive)).toEqual([
      'Registry staff: organisations.changes.requestOrganisationChange refused',
      'Registry staff: staff.startVisit done',
    ]);
    expect((await named(stella))[1]).toBe('Stella Kowalski (registry staff): staff.startVisit done');

    await stella(api.staff.startVisit, { accountName: 'EXAMPLE-AU' });
    expect((await read()).status).toBe(403);
    expect((await stella(api.resources.getSummary, { account: 'EXAMPLE-AU' })).status).toBe(200);
    expect((await stella(api.staff.endVisit, {})).status).toBe(204);
    expect((await stella(api.resources.getSummary, { account: 'EXAMPLE-AU' })).status).toBe(403);
    expect((await stella(api.staff.getVisit, {})).data).toEqual({ visit: null });
    expect((await stella(api.staff.endVisit, {})).status).toBe(204);
  });

  test('ends automatically', async () => {
    await using portal = await testPortal(kind);
    const stella = await portal.as('stella');
    await stella(api.staff.startVisit, { accountName: 'OTHER-SG' });
    await portal.db.change({ action: 'test', summary: 'Let half an hour pass', traceId: '0'.repeat(32) }, change =>
      change
        .updateTable('staffVisit')
        .set({ startedAt: instantBefore(Date.now(), 31 * MINUTE_MS), until: instantBefore(Date.now(), MINUTE_MS) })
        .execute(),
    );
    expect((await stella(api.resources.getSummary, { account: 'OTHER-SG' })).status).toBe(403);
    expect((await stella(api.staff.getVisit, {})).data).toEqual({ visit: null });
    expect((await stella(api.staff.startVisit, { accountName: 'OTHER-SG' })).status).toBe(200);
  });

  test('of two visits started at the same time the later one counts', async () => {
    await using portal = await testPortal(kind);
    const stella = await portal.as('stella');
    const answers = await Promise.all(['OTHER-SG', 'EXAMPLE-AU'].map(accountName => stella(api.staff.startVisit, { accountName })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const open = await portal.db.read.selectFrom('staffVisit').select('accountName').where('endedAt', 'is', null).execute();
    expect(open).toHaveLength(1);
  });
});

test('everything needs registry staff with a second factor; for others it doesn’t exist', async () => {
  await using portal = await testPortal();
  for (const endpoint of [...Object.values(api.staff), ...Object.values(api.desk)]) {
    expect(await portal.statusOf(endpoint, { as: null })).toBe(401);
    expect(await portal.statusOf(endpoint, { as: 'corin' })).toBe(404);
  }
  const stella = await portal.as('stella', { mfa: false });
  expect(await stella(api.staff.findHolders, { query: { q: 'x' } })).toMatchObject({ status: 401, errors: [{ code: 'MFA_REQUIRED' }] });
});
