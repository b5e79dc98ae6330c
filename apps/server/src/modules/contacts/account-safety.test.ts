import type { Client } from '@portal/api-client';
import { api } from '@portal/contract/api';
import { DAY_MS, utcDay } from '@portal/contract/days';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { confirmLink, linkIn } from '../../../test/mailed-links.ts';
import { kinds, kindsForRules, testPortal, type TestPortal } from '../../../test/portal.ts';
import { freezeAddress } from '../mail/index.ts';
import { runContactDeadlines } from './deadlines.ts';

const account = 'EXAMPLE-AU';
const day = (ahead: number): string => utcDay(Date.now() + ahead * DAY_MS);
const statusesOf = (answers: { status: number }[]): number[] => answers.map(({ status }) => status).toSorted((a, b) => a - b);
type Person = Awaited<ReturnType<TestPortal['as']>>;

const line = { action: 'test', summary: 'Test', traceId: '0'.repeat(32) };

describe.each(kindsForRules)('an account that demands a second factor, on %s', kind => {
  let portal: TestPortal;
  let corin: Person;
  const safety = async (person = corin) => (await person(api.accountSafety.getAccountSafety, { account })).data!;
  const demand = (from: string | null, version: number, person = corin) =>
    person(api.accountSafety.demandSecondFactor, { account, body: { version, from } });
  beforeAll(async () => {
    portal = await testPortal(kind);
    corin = await portal.as('corin');
  });
  afterAll(() => portal[Symbol.asyncDispose]());

  test('is set by corporate contacts only, and shows them who has a second factor', async () => {
    expect(await safety()).toMatchObject({ version: 0, securityEmail: null, secondFactorFrom: null });
    const { colleagues } = await safety();
    expect(colleagues.map(({ fullName, hasSecondFactor }) => [fullName, hasSecondFactor])).toEqual([
      ['Bill Okonkwo', false],
      ['Tilda Marchetti', false],
      ['Corin Achterberg', true],
      ['Tess Lindqvist', true],
    ]);
    for (const name of ['tess', 'bill'])
      expect(await (await portal.as(name))(api.accountSafety.getAccountSafety, { account })).toMatchObject({
        status: 403,
        errors: [{ code: 'CORPORATE_ONLY' }],
      });
    const withoutFactor = await portal.as('corin', { mfa: false });
    expect(await demand(day(0), 0, withoutFactor)).toMatchObject({ status: 401, errors: [{ code: 'MFA_REQUIRED' }] });
    expect(await demand(day(-2), 0)).toMatchObject({ status: 400, errors: [{ message: expect.stringContaining('is over') }] });
  });

  test('if two set it at the same time, the second sees what the first decided', async () => {
    const answers = await Promise.all([demand(day(20), 0), demand(day(30), 0)]);
    expect(statusesOf(answers)).toEqual([200, 412]);
    const won = answers.find(({ status }) => status === 200)!.data!;
    expect(answers.find(({ status }) => status === 412)).toMatchObject({ current: { secondFactorFrom: won.secondFactorFrom } });
    const notice = (await portal.mailsTo('bill@example-au.example')).at(-1)!;
    expect(notice.subject).toBe(`Set up two-factor for EXAMPLE-AU by ${won.secondFactorFrom}`);
    expect(await portal.mailsTo('tess@example-au.example')).toEqual([]);
    expect((await (await portal.as('bill'))(api.contacts.getMyPermissions, { account })).status).toBe(200);
  });

  test('reminds contacts without one a week before, once', async () => {
    const { version } = await safety();
    await demand(day(7), version);
    const before = (await portal.mailsTo('bill@example-au.example')).length;
    await portal.db.change({ action: 'test', summary: 'test', traceId: '0'.repeat(32) }, change =>
      change.updateTable('accountSafety').set({ remindedAt: '2020-01-01T00:00:00Z' }).execute(),
    );
    await runContactDeadlines(portal.db, new Date());
    await runContactDeadlines(portal.db, new Date());
    expect((await portal.mailsTo('bill@example-au.example')).length).toBe(before + 1);
  });

  test('requires one from the day on, says how to get one, and excludes no one else', async () => {
    const { version } = await safety();
    expect(await demand(day(0), version)).toMatchObject({ status: 200, data: { secondFactorFrom: day(0) } });
    const bill = await portal.as('bill', { mfa: false });
    const refused = await bill(api.contacts.getMyPermissions, { account });
    expect(refused).toMatchObject({
      status: 401,
      errors: [{ code: 'SECOND_FACTOR_DEMANDED', message: expect.stringContaining('set it up while logging in') }],
    });
    const raw = await portal.request(`/api/${account}/my-permissions`, {
      headers: { authorization: `Bearer ${await portal.tokenOf('bill', { mfa: false })}` },
    });
    expect(raw.headers.get('www-authenticate')).toContain('insufficient_user_authentication');
    expect((await bill(api.accounts.listAccounts, {})).data!.map(({ accountName }) => accountName)).toContain(account);
    expect((await (await portal.as('bill'))(api.contacts.getMyPermissions, { account })).status).toBe(200);
    expect((await (await portal.as('corin', { mfa: false }))(api.accountSafety.getAccountSafety, { account })).status).toBe(401);
    expect((await corin(api.accountSafety.getAccountSafety, { account })).status).toBe(200);
    expect((await (await portal.as('olive', { mfa: false }))(api.contacts.getMyPermissions, { account: 'OTHER-SG' })).status).toBe(200);
    const { version: now } = await safety();
    await demand(null, now);
    expect((await bill(api.contacts.getMyPermissions, { account })).status).toBe(200);
  });
});

describe('a change that takes a second factor', () => {
  let portal: TestPortal;
  let corin: Person;
  beforeAll(async () => {
    portal = await testPortal(kinds.at(-1)!);
    corin = await portal.as('corin');
  });
  afterAll(() => portal[Symbol.asyncDispose]());
  const mailsWithFreeze = () =>
    portal.db.read.rows<{ recipient: string; loginId: string; freezeLinkId: string }>(sql`select recipient, f.login_id, m.freeze_link_id
      from mail m join freeze_link f using (freeze_link_id) order by mail_id`);
  const loginOf = async (username: string): Promise<string> =>
    (await portal.db.read.selectFrom('login').select('loginId').where('username', '=', username).executeTakeFirstOrThrow()).loginId;

  test('a security address counts once confirmed, and is notified when it is removed', async () => {
    const named = await corin(api.accountSafety.setSecurityAddress, { account, body: { version: 0, email: 'watch@example-au.example' } });
    expect(named.data).toMatchObject({ securityEmail: null, securityEmailAsked: 'watch@example-au.example' });
    const link = linkIn((await portal.mailsTo('watch@example-au.example')).at(-1)!.body);
    const asked = await (await portal.request(link.replace(portal.config.appUrl, ''))).text();
    expect(asked).toContain('Become the security address?');
    expect((await confirmLink(portal, link)).text).toContain('is now the security address of EXAMPLE-AU');
    const again = await confirmLink(portal, link);
    expect([again.status, again.text]).toEqual([410, expect.stringContaining('This link was already used')]);
    expect((await corin(api.accountSafety.getAccountSafety, { account })).data).toMatchObject({
      securityEmail: 'watch@example-au.example',
    });
  });

  test('is reported to corporate contacts, the security address and its author, each with a link that freezes that login alone', async () => {
    const { rows } = (await corin(api.contacts.listContacts, { account, query: { q: 'Tilda' } })).data!;
    const tilda = rows[0]!;
    await corin(api.contacts.updateContact, { account, contactId: tilda.contactId, body: { version: tilda.version, position: 'Routing' } });
    const corinsLogin = await loginOf('corin');
    const mails = (await mailsWithFreeze()).slice(-2);
    expect(mails.map(({ recipient }) => recipient).toSorted()).toEqual(['corin@example-au.example', 'watch@example-au.example']);
    expect(new Set(mails.map(({ loginId }) => loginId))).toEqual(new Set([corinsLogin]));
    const link = new URL(freezeAddress(portal.config, mails.find(({ recipient }) => recipient.startsWith('watch'))!.freezeLinkId));
    const page = await (await portal.request(link.pathname + link.search)).text();
    expect(page).toContain('Corin Achterberg');
    const csrf = /name="csrf" value="([^"]+)"/.exec(page)![1]!;
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const tess = await portal.as('tess');
    await portal.request(link.pathname + link.search, { method: 'POST', headers, body: new URLSearchParams({ csrf }).toString() });
    await expect.poll(async () => (await corin(api.accounts.listAccounts, {})).status, { timeout: 5000 }).toBe(401);
    expect((await tess(api.accounts.listAccounts, {})).status).toBe(200);
    const stella = await portal.as('stella');
    const unfreeze = (username: string, person = stella) =>
      person(api.frozenLogins.unfreezeLogin, { username, body: { reason: 'Called back on the number we know' } });
    expect((await unfreeze('corin', tess)).status).toBe(404);
    expect((await unfreeze('tess')).status).toBe(404);
    const frozen = async () => (await stella(api.frozenLogins.listFrozenLogins, {})).data!.rows;
    expect(await frozen()).toMatchObject([
      {
        username: 'corin',
        frozenEmail: 'corin@example-au.example',
        staff: false,
        notice: { subject: expect.stringContaining(account), mailedTo: 'watch@example-au.example', accountName: account },
        accounts: expect.arrayContaining([account, 'SOUTHSITE-NZ']),
      },
    ]);
    // A staff member's change of a login takes a second one's approval.
    expect(await unfreeze('corin')).toMatchObject({ status: 409, errors: [{ code: 'SECOND_PERSON' }] });
    expect((await frozen()).map(({ username }) => username)).toEqual(['corin']);
    const stan = await portal.as('stan');
    const proposal = (await stan(api.proposals.listStaffProposals, {})).data!.waiting.at(-1)!;
    expect(proposal).toMatchObject({
      action: 'identity.frozenLogins.unfreezeLogin',
      shown: expect.arrayContaining([{ label: 'Login', value: 'corin' }]),
    });
    const approval = { proposalId: proposal.proposalId, body: { fingerprint: proposal.fingerprint } };
    expect((await stella(api.proposals.approveStaffProposal, approval)).status).toBe(403);
    expect((await stan(api.proposals.approveStaffProposal, approval)).status).toBe(200);
    expect(await frozen()).toEqual([]);
    expect((await portal.mailsTo('corin@example-au.example')).map(({ subject }) => subject)).toContain('Your login is no longer frozen');
    // The sessions stay ended: the person signs in again.
    expect((await corin(api.accounts.listAccounts, {})).status).toBe(401);
    const back = await portal.as('corin');
    const { contactId, version } = (await back(api.contacts.getMyContact, { account })).data!;
    expect(
      await back(api.contacts.changeContactEmail, { account, contactId, body: { version, email: 'c@example.example' } }),
    ).toMatchObject({
      status: 403,
      errors: [{ code: 'COOLING_DOWN', message: expect.stringContaining('Your login was frozen') }],
    });
  });

  test('frozen logins of registry staff are shown to and unfrozen by those who administer staff, not by who answers tickets', async () => {
    const frozen = (which: string) =>
      portal.db.change(line, change =>
        change.rows(sql`update login set frozen_at = now(), frozen_email = email where username = ${which} returning 1 as frozen`),
      );
    for (const username of ['dora', 'bill']) await frozen(username);
    const [stella, ola, ravi, audra] = await Promise.all(['stella', 'ola', 'ravi', 'audra'].map(name => portal.as(name)));
    const seen = async (person: Client) =>
      (await person(api.frozenLogins.listFrozenLogins, {})).data!.rows.map(({ username }) => username).toSorted();
    expect(await seen(stella!)).toEqual(['bill']);
    expect(await seen(ola!)).toEqual(['dora']);
    expect(await seen(audra!)).toEqual(['bill', 'dora']);
    const unfreeze = (person: Client, username: string) =>
      person(api.frozenLogins.unfreezeLogin, { username, body: { reason: 'Met at the office' } });
    expect((await unfreeze(stella!, 'dora')).status).toBe(404);
    expect((await unfreeze(ola!, 'bill')).status).toBe(404);
    expect(await unfreeze(ola!, 'dora')).toMatchObject({
      status: 409,
      errors: [{ code: 'SECOND_PERSON', message: expect.stringContaining('Ravi') }],
    });
    const waiting = async (person: Client) => (await person(api.proposals.listStaffProposals, {})).data!.waiting;
    expect((await waiting(stella!)).filter(({ action }) => action === 'identity.frozenLogins.unfreezeLogin')).toEqual([]);
    const { proposalId, fingerprint } = (await waiting(ravi!)).at(-1)!;
    expect(await stella!(api.proposals.approveStaffProposal, { proposalId, body: { fingerprint } })).toMatchObject({
      status: 403,
      errors: [{ code: 'NO_STAFF_PERMISSION' }],
    });
    expect((await ravi!(api.proposals.approveStaffProposal, { proposalId, body: { fingerprint } })).status).toBe(200);
    expect(await seen(ola!)).toEqual([]);
  });
});
