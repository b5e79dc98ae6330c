import { api } from '@portal/contract/api';
import { DAY_MS, dayIn, daysAfter, instantAfter, instantBefore, MINUTE_MS } from '@portal/contract/days';
import { type PolicyProposal } from '@portal/contract/policy/policy';
import { noticeOf, type PolicyValueName, policyValueNames, policyValues } from '@portal/contract/policy/policy-values';
import { emptyForm } from '@portal/contract/requests/request-form';
import { sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import { testPortal, type TestPortal } from '../../../test/portal.ts';
import { confirmedValues, datedProfile, fileAgainst, fileOf, kindOf, leafOf, profileAt, readPolicy, timesOf } from '../../dated-profile.ts';
import { orderProblems, readProfile } from '../../profile.ts';
import { registryNow } from '../../platform/registry.ts';
import { dueBy, promisedBy } from '../requests/index.ts';
import { requestById } from '../requests/request-row.ts';
import { plannedFee } from '../requests/transfers/transfer-plan.ts';
import { policyInvariants } from './invariants.ts';
import { remindOfChanges } from './reminders.ts';

const example = readProfile('');
const hours = 'requestPolicy.promiseHours';

/** A registry whose clock can be set. */
async function registry() {
  const clock = { ahead: 0 };
  const portal = await testPortal(undefined, {}, () => new Date(Date.now() + clock.ahead));
  const today = (): string => dayIn(example.timeZone, new Date(Date.now() + clock.ahead));
  return Object.assign(portal, { clock, today });
}

const proposal = (
  validFrom: string,
  values: Partial<Record<PolicyValueName, string>>,
  more: Partial<PolicyProposal> = {},
): PolicyProposal => ({
  validFrom,
  values: Object.entries(values).map(([name, value]) => ({ name: name as PolicyValueName, value })),
  reason: 'The council decided it',
  decision: 'EC-2026-09, item 5',
  ...more,
});

/** Values of the example as another person would write them. */
const sameAs = (values: Partial<Record<PolicyValueName, string>>): Partial<Record<PolicyValueName, string>> =>
  'limitsAlone.given.person' in values ? { 'limitsAlone.given.person': `00${Number(example.limitsAlone.given.person)}` } : values;

type Registry = Awaited<ReturnType<typeof registry>>;

/** Stella prepares and proposes a change, and Stan confirms it. */
async function confirmed(portal: Registry, body: PolicyProposal): Promise<string> {
  const [stella, stan] = await Promise.all([portal.as('stella'), portal.as('stan')]);
  const { changeId } = (await stella(api.policy.preparePolicyChange, { body })).data!;
  expect(await stella(api.policy.confirmPolicyChange, { changeId })).toMatchObject({ status: 409, errors: [{ code: 'SECOND_PERSON' }] });
  await approve(portal, stan, `/desk/policy?change=${changeId}`);
  return changeId;
}

async function approve(_portal: Registry, as: Awaited<ReturnType<TestPortal['as']>>, link: string) {
  const { waiting } = (await as(api.proposals.listStaffProposals, {})).data!;
  const { proposalId, fingerprint } = waiting.find(each => each.link === link)!;
  const approved = await as(api.proposals.approveStaffProposal, { proposalId, body: { fingerprint } });
  expect(approved.errors ?? []).toEqual([]);
  return approved;
}

/** Max asks for a /24, and the request waits for the registry. */
async function waitingRequest(portal: Registry): Promise<string> {
  const max = await portal.as('max');
  const account = 'CORAL-KI';
  const { requestId, version } = (await max(api.requests.startRequest, { account, body: { kind: 'ipv4' } })).data!;
  const form = {
    ...emptyForm,
    path: 'lir' as const,
    length: 24,
    providerSpace: '100.64.0.0/24',
    plan: [{ purpose: 'Access', amounts: [256, 380, 512] }],
    network: 'Two cities, one border router each.',
  };
  const saved = await max(api.requests.saveRequest, { account, requestId, body: { version, form, documentIds: [] } });
  await max(api.requests.submitRequest, { account, requestId, body: { version: saved.data!.version, truthful: true } });
  return requestId;
}

const violations = async ({ db, context }: TestPortal) =>
  (
    await Promise.all(
      policyInvariants.map(({ check }) =>
        check({
          read: db.read,
          accounts: null,
          profile: context.profile,
          secrets: context.config,
          modules: context.modules,
          now: new Date(),
        }),
      ),
    )
  ).flat();

test('two people change the policy from a day on, and every reader has it from the first instant of that day', async () => {
  await using portal = await registry();
  const stella = await portal.as('stella');
  const validFrom = daysAfter(portal.today(), 3);
  const changeId = await confirmed(portal, proposal(validFrom, { [hours]: '24', 'limitsAlone.given.account': '5000.00' }));
  const { data } = await stella(api.policy.getPolicy, { query: {} });
  const valueOf = (name: PolicyValueName) => data!.values.find(each => each.name === name)!;
  expect(valueOf(hours)).toMatchObject({ value: '16', since: null, next: { day: validFrom, changeId, value: '24' }, fixed: false });
  expect(data!.changes[0]).toMatchObject({
    state: 'confirmed',
    proposedBy: expect.stringContaining('Stella'),
    confirmedBy: expect.stringContaining('Stan'),
  });
  expect((await stella(api.deskHome.getDeskHome, {})).data!.cases!.promiseHours).toBe(16);
  expect(portal.context.profile.requestPolicy.promiseHours).toBe(16);
  // As of the day it is another one already.
  const then = (await stella(api.policy.getPolicy, { query: { on: validFrom } })).data!;
  expect(then.values.find(({ name }) => name === hours)).toMatchObject({ value: '24', since: { day: validFrom, changeId }, next: null });
  portal.clock.ahead = 4 * DAY_MS;
  const later = await portal.as('stan');
  expect((await later(api.deskHome.getDeskHome, {})).data!.cases!.promiseHours).toBe(24);
  expect(portal.context.profile.requestPolicy.promiseHours).toBe(24);
  expect(portal.context.profile.limitsAlone.given).toEqual({ ...example.limitsAlone.given, account: '5000.00' });
  expect(registryNow(portal.context).profile.limitsAlone.given.account).toBe('5000.00');
  // A clock that goes back has the values of its time.
  portal.clock.ahead = 0;
  await readPolicy(portal.context.profile);
  expect(portal.context.profile.requestPolicy.promiseHours).toBe(16);
  expect(profileAt(portal.context.profile, new Date(Date.now() + 10 * DAY_MS)).requestPolicy.promiseHours).toBe(24);
  expect(await violations(portal)).toEqual([]);
});

test('the account’s limit of what one person gives counts from its day, without another start', async () => {
  await using portal = await registry();
  await confirmed(portal, proposal(daysAfter(portal.today(), 2), { 'limitsAlone.holidays.person': '1' }));
  const holiday = async (ahead: number, name: string) =>
    (await portal.as('stella'))(api.memberships.addHolidays, { body: { from: daysAfter(portal.today(), ahead), name } });
  expect((await holiday(100, 'First')).status).toBe(200);
  portal.clock.ahead = 3 * DAY_MS;
  expect(await holiday(101, 'Second')).toMatchObject({ status: 409, errors: [{ code: 'SECOND_PERSON' }] });
});

test('what can’t be a change says what would be right', async () => {
  await using portal = await registry();
  const stella = await portal.as('stella');
  const prepare = async (body: PolicyProposal) =>
    (await stella(api.policy.preparePolicyChange, { body })).errors?.map(({ code, field, message }) => [code, field, message]);
  const soon = daysAfter(portal.today(), 3);
  expect(await prepare(proposal(soon, { [hours]: '0' }))).toEqual([
    ['INVALID_REQUEST', 'values.0.value', 'Working hours to an answer of the registry: enter a whole number from 1 to 1,000'],
  ]);
  expect(await prepare(proposal(soon, { 'limitsAlone.given.person': '1e9' }))).toEqual([
    ['INVALID_REQUEST', 'values.0.value', 'Money given, by one person: enter an amount such as 1000.00'],
  ]);
  for (const day of [portal.today(), daysAfter(portal.today(), -400)])
    expect(await prepare(proposal(day, { [hours]: '24' }))).toEqual([
      [
        'POLICY_DAY',
        'validFrom',
        expect.stringMatching(
          /^The change can’t begin then\. This day has begun already\. Choose .+ or a later day\. A change is confirmed at least 1 hour/,
        ),
      ],
    ]);
  expect(await prepare(proposal(daysAfter(portal.today(), 5000), { [hours]: '24' }))).toEqual([
    ['POLICY_DAY', 'validFrom', expect.stringMatching(/or an earlier day$/)],
  ]);
  expect(await prepare(proposal(soon, { 'requestPolicy.lirNow': '100' }))).toEqual([
    ['POLICY_DAY', 'validFrom', expect.stringMatching(/“LIR: addresses used or needed now”, which they know 30 days before$/)],
  ]);
  expect(await prepare(proposal(daysAfter(portal.today(), 40), { 'requestPolicy.lirNow': '900000' }))).toEqual([
    [
      'INVALID_REQUEST',
      'values',
      expect.stringMatching(/“LIR: addresses used or needed now” \(900000\) would be above “LIR: addresses planned/),
    ],
  ]);
  // Another way to write the same amount or share is no change.
  for (const same of [{ 'limitsAlone.given.person': '0001000' }, { 'requestPolicy.transferFeeShare': '0.2' }])
    expect(await prepare(proposal(daysAfter(portal.today(), 40), sameAs(same)))).toEqual([
      ['NOTHING_TO_DO', undefined, expect.stringContaining('already so')],
    ]);
  // Terms are told their days when they are invoiced: these are of the file alone.
  for (const name of ['invoiceDays', 'dueDays', 'suspensionDays', 'secondReminderDays', 'closingWarningDays', 'closingDays'])
    expect(policyValueNames as readonly string[]).not.toContain(`billingCalendar.${name}`);
  expect(await prepare(proposal(soon, { [hours]: '16' }))).toEqual([
    ['NOTHING_TO_DO', undefined, expect.stringContaining('“Working hours to an answer of the registry” is already so')],
  ]);
});

test('of two who change the same value for the same day one wins, and the other reads who', async () => {
  await using portal = await registry();
  const [stella, stan] = await Promise.all([portal.as('stella'), portal.as('stan')]);
  const day = daysAfter(portal.today(), 5);
  const prepared = async (as: typeof stella, validFrom: string, value: string) =>
    (await as(api.policy.preparePolicyChange, { body: proposal(validFrom, { [hours]: value }) })).data!.changeId;
  const first = await prepared(stella, day, '24');
  const second = await prepared(stan, day, '12');
  const third = await prepared(stan, daysAfter(day, 2), '10');
  await stella(api.policy.confirmPolicyChange, { changeId: first });
  await stan(api.policy.confirmPolicyChange, { changeId: second });
  await approve(portal, stan, `/desk/policy?change=${first}`);
  const { waiting } = (await stella(api.proposals.listStaffProposals, {})).data!;
  const { proposalId, fingerprint } = waiting.find(({ link }) => link === `/desk/policy?change=${second}`)!;
  expect(await stella(api.proposals.approveStaffProposal, { proposalId, body: { fingerprint } })).toMatchObject({
    status: 409,
    errors: [{ code: 'POLICY_TAKEN', message: expect.stringMatching(/was changed for .+ already, by Stella/) }],
  });
  // What was looked at is no longer so.
  expect(await stan(api.policy.confirmPolicyChange, { changeId: third })).toMatchObject({
    status: 409,
    errors: [{ code: 'POLICY_MOVED', message: expect.stringContaining('was 16 hours when this change was prepared, and is now 24 hours') }],
  });
  expect((await stan(api.policy.getPolicyEffect, { changeId: third })).data!.moved).toEqual([{ name: hours, now: '24' }]);
  expect(await violations(portal)).toEqual([]);
});

test('a confirmed change is withdrawn by two people before its day, and stays in the history', async () => {
  await using portal = await registry();
  const [stella, stan] = await Promise.all([portal.as('stella'), portal.as('stan')]);
  const day = daysAfter(portal.today(), 5);
  const changeId = await confirmed(portal, proposal(day, { [hours]: '24' }));
  expect(await stella(api.policy.discardPolicyChange, { changeId })).toMatchObject({ status: 409, errors: [{ code: 'POLICY_ENDED' }] });
  expect(await stan(api.policy.withdrawPolicyChange, { changeId })).toMatchObject({ status: 409, errors: [{ code: 'SECOND_PERSON' }] });
  await approve(portal, stella, `/desk/policy?change=${changeId}`);
  const after = (await stella(api.policy.getPolicy, { query: { on: day } })).data!;
  expect(after.values.find(({ name }) => name === hours)).toMatchObject({ value: '16', since: null });
  expect(after.changes.find(each => each.changeId === changeId)).toMatchObject({ state: 'withdrawn' });
  // The day is free for another change.
  const again = await confirmed(portal, proposal(day, { [hours]: '20' }));
  portal.clock.ahead = 6 * DAY_MS;
  const later = await portal.as('stan');
  expect(await later(api.policy.withdrawPolicyChange, { changeId: again })).toMatchObject({
    status: 409,
    errors: [{ code: 'POLICY_ENDED', message: expect.stringContaining('its day begins within 1 hour, or has begun') }],
  });
  expect(await violations(portal)).toEqual([]);
});

test('members’ values come with a draft of an announcement, and staff are reminded once', async () => {
  await using portal = await registry();
  const stella = await portal.as('stella');
  const day = daysAfter(portal.today(), 40);
  const changeId = await confirmed(portal, proposal(day, { 'requestPolicy.transferFeeShare': '0.25' }));
  const { announcement } = (await stella(api.policy.getPolicy, { query: {} })).data!.changes.find(each => each.changeId === changeId)!;
  expect(announcement!.state).toBe('draft');
  const draft = (await stella(api.deskAnnouncements.getStaffAnnouncement, { announcementId: announcement!.announcementId })).data!;
  expect(draft).toMatchObject({
    state: 'draft',
    category: 'policy',
    body: expect.stringContaining('Transfer fee, as a share of the annual fee: 25 %, until then 20 %'),
  });
  const { db, context } = portal;
  const mails = async () =>
    (await db.read.rows<{ n: number }>(sql`select count(*)::int as n from notification where title like 'The policy changes on%'`))[0]!.n;
  const mailsWith = async (words: string) =>
    (
      await db.read.rows<{ n: number }>(
        sql`select count(*)::int as n from notification where title like 'The policy changes on%' and strpos(body, ${words}) > 0`,
      )
    )[0]!.n;
  const run = (days: number) =>
    remindOfChanges(db, { now: new Date(Date.now() + days * DAY_MS), profile: context.profile, modules: context.modules });
  await run(10);
  expect(await mails()).toBe(0);
  await run(35);
  const sent = await mails();
  expect(sent).toBeGreaterThan(1);
  expect(await mailsWith('It isn’t announced to members yet')).toBe(sent);
  await run(36);
  expect(await mails()).toBe(sent);
});

test('auditors read the policy, and change nothing; staff without the permission read nothing', async () => {
  await using portal = await registry();
  const [stella, audra, fiona] = await Promise.all([portal.as('stella'), portal.as('audra'), portal.as('fiona')]);
  const { changeId } = (await stella(api.policy.preparePolicyChange, { body: proposal(daysAfter(portal.today(), 5), { [hours]: '24' }) }))
    .data!;
  expect((await audra(api.policy.getPolicy, { query: {} })).status).toBe(200);
  expect((await audra(api.policy.getPolicyEffect, { changeId })).status).toBe(200);
  expect((await audra(api.policy.confirmPolicyChange, { changeId })).status).toBe(403);
  expect((await fiona(api.policy.getPolicy, { query: {} })).status).toBe(403);
});

test('a case and an answer have the hours of their own day, whatever was decided later', async () => {
  await using portal = await registry();
  await waitingRequest(portal);
  await confirmed(portal, proposal(daysAfter(portal.today(), 2), { [hours]: '400' }));
  portal.clock.ahead = 3 * DAY_MS;
  const stella = await portal.as('stella');
  const [first] = (await stella(api.desk.listRequests, { query: { kind: 'resources' } })).data!.rows.filter(({ dueAt }) => dueAt !== null);
  const now = registryNow(portal.context);
  const since = instantBefore(new Date(), 2 * DAY_MS);
  expect(promisedBy(since, now.profile)).toBe(dueBy(since, 16));
  const later = instantAfter(new Date(), 3 * DAY_MS);
  expect(promisedBy(later, now.profile)).toBe(dueBy(later, 400));
  expect(Date.parse(first!.dueAt!)).toBeLessThan(Date.now() + 10 * DAY_MS);
  // The list of what is late says the same of each row as the row does.
  for (const each of (await stella(api.desk.listRequests, { query: {} })).data!.rows)
    expect(each.late, each.requestId).toBe(each.dueAt !== null && Date.parse(each.dueAt) < now.now.getTime());
});

test('the calculator asks for the share of the day on which the term begins', async () => {
  await using portal = await registry();
  const bill = await portal.as('bill');
  const year = Number(portal.today().slice(0, 4)) + 1;
  const validFrom = `${year}-06-01`;
  const fee = async (begins: string) =>
    (
      await bill(api.feeEstimates.getFeeEstimate, {
        query: { kind: 'member', begins, ipv4: '1024', ipv6: '0', asns: 0, transferred: '256' },
      })
    ).data!.transferFee;
  const [before, after] = [await fee(`${year}-05-31`), await fee(validFrom)];
  expect(after).toBe(before);
  await confirmed(portal, proposal(validFrom, { 'requestPolicy.transferFeeShare': '0.40' }));
  portal.clock.ahead = 2 * MINUTE_MS;
  await portal.as('bill');
  await readPolicy(portal.context.profile);
  expect(await fee(`${year}-05-31`)).toBe(before);
  expect(Number(await fee(validFrom))).toBeCloseTo(Number(before) * 2, 1);
});

test('a value that the file fixes makes a confirmed change be without effect, and everyone who reads it sees so', async () => {
  await using portal = await registry();
  const changeId = await confirmed(portal, proposal(daysAfter(portal.today(), 3), { [hours]: '24' }));
  fileOf(portal.context.profile).fixed = [hours];
  const stella = await portal.as('stella');
  const change = () =>
    stella(api.policy.getPolicy, { query: {} }).then(({ data }) => data!.changes.find(each => each.changeId === changeId)!);
  expect(await change()).toMatchObject({ state: 'fixed', fixed: [hours] });
  await remindOfChanges(portal.db, { now: new Date(), profile: portal.context.profile, modules: portal.context.modules });
  expect((await portal.db.read.rows(sql`select 1 from notification where title like 'The policy changes on%'`)).length).toBe(0);
  const values = await confirmedValues(portal.db.read);
  expect(fileAgainst(fileOf(portal.context.profile), values)).toEqual([expect.stringMatching(/fixes requestPolicy\.promiseHours at 16/)]);
  const edited = { ...example, requestPolicy: { ...example.requestPolicy, promiseHours: 99 } };
  expect(fileAgainst(edited, values)).toEqual([expect.stringMatching(/has requestPolicy\.promiseHours at 99, without effect/)]);
});

test('before the first read nothing is done; afterwards an outage leaves what is known, with a pause', async () => {
  const spied = vi.spyOn(performance, 'now').mockReturnValue(1_000_000);
  let [asked, fails] = [0, true];
  const rows = async () => {
    asked += 1;
    if (fails) throw new Error('no answer');
    return [{ name: hours, value: 24, before: 16, beginsAt: new Date(0).toISOString() }];
  };
  let time = Date.now();
  const after = (ms: number) => {
    time += ms;
    spied.mockReturnValue(performance.now() + ms);
  };
  const profile = datedProfile(example, { db: { read: { rows } } as never, clock: () => new Date(time) });
  await expect(readPolicy(profile)).rejects.toThrow('no answer');
  await expect(readPolicy(profile)).rejects.toThrow('no answer');
  expect(asked).toBe(1);
  fails = false;
  after(6_000);
  await readPolicy(profile);
  expect(profile.requestPolicy.promiseHours).toBe(24);
  fails = true;
  after(2 * MINUTE_MS);
  expect(readPolicy(profile)).toBeNull();
  await Promise.resolve();
  expect(asked).toBe(3);
  after(40 * MINUTE_MS);
  await readPolicy(profile);
  expect(profile.requestPolicy.promiseHours).toBe(24);
  spied.mockRestore();
});

test('a process that can’t read the policy answers 503, and still says that it runs', async () => {
  await using portal = await registry();
  const rename = (from: string, to: string) =>
    portal.db.change({ action: 'test', summary: 'Renamed a table', traceId: '0'.repeat(32) }, change =>
      change.rows(sql`alter table ${sql.raw(from)} rename to ${sql.raw(to)}`),
    );
  await rename('policy_value', 'policy_value_away');
  const get = (url: string) => portal.http.inject({ url, headers: { host: 'portal.test' } });
  expect((await get('/healthz')).statusCode).toBe(200);
  const refused = await get('/api/public/fees');
  expect(refused.statusCode).toBe(503);
  expect(refused.body).toContain('The service isn’t available right now');
  await rename('policy_value_away', 'policy_value');
});

test('rows are listed for those who see them elsewhere, and counted for others', async () => {
  await using portal = await registry();
  await waitingRequest(portal);
  // Stan keeps the role of his that has no other permission than this one.
  await portal.db.change({ action: 'test', summary: 'Withdrew roles', traceId: '0'.repeat(32) }, change =>
    change.rows(sql`update staff_assignment set withdrawn_at = ${change.now}::timestamptz, withdrawn_reason = 'Of a test'
      where withdrawn_at is null and ready_made is not null and login_id = (select login_id from login where username = 'stan')`),
  );
  const [stella, fees] = await Promise.all([portal.as('stella'), portal.as('stan')]);
  const values = { [hours]: '24', 'requestPolicy.draftDays': '10', 'limitsAlone.given.person': '1.00' };
  const { changeId } = (await stella(api.policy.preparePolicyChange, { body: proposal(daysAfter(portal.today(), 5), values) })).data!;
  const [all, few] = [
    (await stella(api.policy.getPolicyEffect, { changeId })).data!.met,
    (await fees(api.policy.getPolicyEffect, { changeId })).data!.met,
  ];
  const of = (met: typeof all, name: string) => met.find(each => each.name === name)!;
  expect(of(all, hours).rows.length).toBeGreaterThan(0);
  for (const { name, all: count, met } of all) {
    expect(of(few, name)).toMatchObject({ all: count, met, rows: [] });
  }
  // Drafts are their members’ alone.
  expect(of(all, 'requestPolicy.draftDays').rows).toEqual([]);
  expect(of(few, hours).unseen).toBe(of(all, hours).all);
  const file = async (name: string) =>
    (
      await portal.http.inject({
        url: `/api/staff/policy/changes/${changeId}/effect/table?format=csv`,
        headers: { host: 'portal.test', authorization: `Bearer ${await portal.tokenOf(name)}` },
      })
    ).body;
  expect(await file('stella')).toContain('REQ-');
  expect(await file('stan')).not.toContain('REQ-');
});

test('a withdrawal takes the draft back, and says so to members who have read the announcement', async () => {
  await using portal = await registry();
  const [stella, stan] = await Promise.all([portal.as('stella'), portal.as('stan')]);
  const shareOn = (days: number, share: string) => proposal(daysAfter(portal.today(), days), { 'requestPolicy.transferFeeShare': share });
  const withdraw = async (changeId: string) => {
    await stan(api.policy.withdrawPolicyChange, { changeId });
    await approve(portal, stella, `/desk/policy?change=${changeId}`);
    return (await stella(api.policy.getPolicy, { query: {} })).data!.changes.find(each => each.changeId === changeId)!;
  };
  const announcementOf = async (changeId: string) =>
    (await stella(api.policy.getPolicy, { query: {} })).data!.changes.find(each => each.changeId === changeId)!.announcement!;
  const first = await confirmed(portal, shareOn(40, '0.25'));
  const draft = await announcementOf(first);
  expect(await withdraw(first)).toMatchObject({ state: 'withdrawn', announcement: null });
  expect((await stella(api.deskAnnouncements.getStaffAnnouncement, { announcementId: draft.announcementId })).status).toBe(404);

  const second = await confirmed(portal, shareOn(40, '0.30'));
  const { announcementId } = await announcementOf(second);
  const before = (await stella(api.deskAnnouncements.getStaffAnnouncement, { announcementId })).data!;
  const { category, severity, title, body, audience, resources, economies, kinds, requiresAck, expiresAt } = before;
  await stella(api.deskAnnouncements.changeAnnouncement, {
    announcementId,
    body: {
      version: before.version,
      values: {
        category,
        severity,
        title,
        body,
        audience,
        resources,
        economies,
        kinds,
        requiresAck,
        expiresAt,
        publishAt: instantBefore(new Date(), MINUTE_MS),
      },
    },
  });
  expect((await announcementOf(second)).state).toBe('published');
  const { announcement } = await withdraw(second);
  expect(announcement).toMatchObject({ state: 'draft' });
  expect(announcement!.announcementId).not.toBe(announcementId);
  const correction = (await stella(api.deskAnnouncements.getStaffAnnouncement, { announcementId: announcement!.announcementId })).data!;
  expect(correction.title).toMatch(/^The policy doesn’t change on /);
  expect(correction.body).toContain('Transfer fee, as a share of the annual fee: 20 %');
});

test('no change comes before a confirmed one of its value, and none is withdrawn from under it', async () => {
  await using portal = await registry();
  const [stella, stan] = await Promise.all([portal.as('stella'), portal.as('stan')]);
  const changeId = await confirmed(portal, proposal(daysAfter(portal.today(), 20), { [hours]: '24' }));
  expect(await stella(api.policy.preparePolicyChange, { body: proposal(daysAfter(portal.today(), 10), { [hours]: '12' }) })).toMatchObject({
    status: 409,
    errors: [{ code: 'POLICY_FOLLOWED', field: 'validFrom' }],
  });
  await confirmed(portal, proposal(daysAfter(portal.today(), 30), { [hours]: '30' }));
  expect(await stan(api.policy.withdrawPolicyChange, { changeId })).toMatchObject({
    status: 409,
    errors: [{ code: 'POLICY_ENDED', message: expect.stringContaining('was confirmed with it. Withdraw that one first') }],
  });
});

test('the database takes no value into a change that was confirmed', async () => {
  await using portal = await registry();
  const changeId = await confirmed(portal, proposal(daysAfter(portal.today(), 5), { [hours]: '24' }));
  await expect(
    portal.db.change({ action: 'test', summary: 'Added a value', traceId: '0'.repeat(32) }, change =>
      change.rows(sql`insert into policy_value (policy_change_id, name, value, before, valid_from, is_confirmed)
        select policy_change_id, 'holdYears', '1', '5', valid_from, true from policy_change where policy_change_id = ${Number(changeId)}`),
    ),
  ).rejects.toThrow(/before it is confirmed, never afterwards/);
});

test('a row that this version can’t read changes nothing', () => {
  const times = timesOf(example, [
    { name: hours, value: 0, beginsAt: '2020-01-01T00:00:00Z' },
    { name: 'requestPolicy.gone' as PolicyValueName, value: 1, beginsAt: '2020-01-01T00:00:00Z' },
  ]);
  expect(times.at(-1)!.profile.requestPolicy).toEqual(example.requestPolicy);
});

/** Another value that every order allows. */
function otherOf(name: PolicyValueName): string {
  const { unit } = policyValues[name];
  const was = Number(leafOf(example, name));
  if (unit === 'money') return (was / 2 + 10).toFixed(2);
  if (unit === 'share') return '0.15';
  return String(was > 1 ? was - 1 : was + 1);
}

describe('every value', () => {
  test('is of the profile, within its bounds, and says its impact', async () => {
    await using portal = await registry();
    const stella = await portal.as('stella');
    for (const name of policyValueNames) {
      expect(kindOf(name).read(leafOf(example, name)), name).toBe(leafOf(example, name));
      const made = await stella(api.policy.preparePolicyChange, {
        body: proposal(daysAfter(portal.today(), noticeOf([name]) + 2), { [name]: otherOf(name) }),
      });
      expect(made.errors ?? [], name).toEqual([]);
      const { changeId } = made.data!;
      const effect = await stella(api.policy.getPolicyEffect, { changeId });
      expect(effect.errors ?? [], name).toEqual([]);
      const [found] = effect.data!.met;
      expect(found!.sentence, name).toMatch(/\.$/);
      expect(found!.met, name).toBeLessThanOrEqual(found!.all);
      expect(found!.rows.length + found!.unseen, name).toBeLessThanOrEqual(Math.max(found!.met, found!.all));
      await stella(api.policy.discardPolicyChange, { changeId });
    }
    expect(orderProblems(example)).toEqual([]);
  });

  test('is in force for every act from its day on, and not before', async () => {
    await using portal = await registry();
    await confirmed(
      portal,
      proposal(daysAfter(portal.today(), 32), Object.fromEntries(policyValueNames.map(name => [name, otherOf(name)]))),
    );
    const values = () => policyValueNames.map(name => [name, Number(leafOf(registryNow(portal.context).profile, name))]);
    portal.clock.ahead = 30 * DAY_MS;
    expect(values()).toEqual(policyValueNames.map(name => [name, Number(leafOf(example, name))]));
    portal.clock.ahead = 33 * DAY_MS;
    await readPolicy(portal.context.profile);
    expect(values()).toEqual(policyValueNames.map(name => [name, Number(otherOf(name))]));
  });

  test('of the preview of a transfer’s fee is what the transfer’s plan says on that day', async () => {
    await using portal = await registry();
    const stella = await portal.as('stella');
    const changeId = await confirmed(portal, proposal(daysAfter(portal.today(), 32), { 'requestPolicy.transferFeeShare': '0.40' }));
    const [found] = (await stella(api.policy.getPolicyEffect, { changeId })).data!.met;
    const { profile, now } = registryNow(portal.context);
    const then = profileAt(profile, new Date(now.getTime() + 33 * DAY_MS));
    for (const { what, before, after } of found!.rows) {
      const row = (await requestById(portal.db.read, Number(what.replace('REQ-', ''))))!;
      const words = async (of: typeof profile) => {
        const fee = await plannedFee(portal.db.read, row, { profile: of, now });
        return fee === null ? 'No fee' : `${fee.currency} ${fee.amount}`;
      };
      expect([before, after]).toEqual([await words(profile), await words(then)]);
      expect(before).not.toBe(after);
    }
  });
});
