import { permissionKeys } from '@portal/contract';
import { api } from '@portal/contract/api';
import { HOUR_MS, instantBefore } from '@portal/contract/days';
import type { Proposal } from '@portal/contract/proposals/proposals';
import { type RawBuilder, sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { kindsForRules, type TestPortal, testPortal } from '../../../test/portal.ts';
import { giveStaffRole, takeStaffRoles } from '../../../test/staff-roles.ts';
import { expireProposals } from './proposals.ts';

const account = 'EXAMPLE-AU';
const line = { action: 'test', summary: 'Set the scene', traceId: '0'.repeat(32) };

/** Adds Tess as a second corporate contact; with the rule, each needs the other. */
async function withTwoCorporateContacts(portal: TestPortal, { rule }: { rule: boolean }) {
  await portal.db.change(line, change =>
    change
      .updateTable('contact')
      .set({ contactTypes: ['corporate'], permissions: [...permissionKeys] })
      .where('accountName', '=', account)
      .where('fullName', 'like', 'Tess%')
      .execute(),
  );
  const [corin, tess] = await Promise.all([portal.as('corin'), portal.as('tess')]);
  if (rule) expect((await corin(api.proposals.setTwoPersonRule, { account, body: { on: true } })).data).toEqual({ rule: true });
  return { corin, tess };
}
type Client = Awaited<ReturnType<TestPortal['as']>>;

const askForName = (as: Client) =>
  as(api.organisationChanges.requestOrganisationChange, { account, body: { field: 'organisationType', value: 'other', reason: 'New' } });
const waiting = async (as: Client): Promise<Proposal[]> => (await as(api.proposals.listProposals, { account })).data!.waiting;
const openChanges = async (as: Client): Promise<number> => (await as(api.organisations.getOrganisation, { account })).data!.changes.length;

describe.each(kindsForRules)('with the two-person rule on %s', kind => {
  test('a second person has a factor of the registry’s own, or signs in at an identity provider, which asks for its own', async () => {
    await using portal = await testPortal(kind);
    const { corin } = await withTwoCorporateContacts(portal, { rule: false });
    const change = (statement: RawBuilder<unknown>) => portal.db.change(line, change => change.rows(statement));
    const tess = sql`(select login_id from contact where account_name = ${account} and full_name like 'Tess%')`;
    await change(sql`delete from login_totp where login_id = ${tess} returning 1 as gone`);
    await change(sql`delete from login_passkey where login_id = ${tess} returning 1 as gone`);
    const setRule = () => corin(api.proposals.setTwoPersonRule, { account, body: { on: true } });
    const factorOf = async () =>
      (await corin(api.accountSafety.getAccountSafety, { account })).data!.colleagues.find(({ fullName }) => fullName.startsWith('Tess'));
    expect((await setRule()).errors).toMatchObject([{ code: 'NO_SECOND_PERSON' }]);
    expect(await factorOf()).toMatchObject({ hasSecondFactor: false });
    await change(
      sql`insert into login_subject (issuer, subject, login_id) values ('https://login.example', 'tess', ${tess}) returning 1 as made`,
    );
    expect((await setRule()).data).toEqual({ rule: true });
    expect(await factorOf()).toMatchObject({ hasSecondFactor: true });
  });

  test('a feature that is switched off meanwhile is off for what was proposed, too', async () => {
    await using portal = await testPortal(kind);
    const { corin, tess } = await withTwoCorporateContacts(portal, { rule: true });
    const [contact] = (await corin(api.contacts.listContacts, { account, query: {} })).data!.rows.filter(({ fullName }) =>
      fullName.startsWith('Bill'),
    );
    const { contactId, version } = contact!;
    const proposed = await corin(api.contacts.removeContact, { account, contactId, body: { version } });
    expect(proposed.errors).toMatchObject([{ code: 'SECOND_PERSON' }]);
    const stella = await portal.as('stella');
    const { edition } = (await stella(api.features.getFeature, { feature: 'contactmanagement' })).data!.setting;
    await stella(api.features.setFeature, {
      feature: 'contactmanagement',
      body: { edition, stands: 'off', share: null, accounts: [], reason: 'It fails' },
    });
    const [{ proposalId, fingerprint }] = (await waiting(tess)) as [Proposal];
    const approved = await tess(api.proposals.approveProposal, { account, proposalId, body: { fingerprint } });
    expect(approved.errors).toMatchObject([{ code: 'FEATURE_OFF' }]);
    expect((await waiting(tess)).map(each => each.proposalId)).toEqual([proposalId]);
  });

  test('a change waits for another corporate contact, who sees its effects; the proposer can’t approve it', async () => {
    await using portal = await testPortal(kind);
    const { corin, tess } = await withTwoCorporateContacts(portal, { rule: true });
    const before = await openChanges(corin);
    const proposed = await askForName(corin);
    expect(proposed).toMatchObject({
      status: 409,
      errors: [
        { code: 'SECOND_PERSON', message: expect.stringMatching(/^This needs a second approval\. Tess Lindqvist can approve it until /) },
      ],
      current: { isMine: true, state: 'pending' },
    });
    expect(await openChanges(corin)).toBe(before);
    // A repetition returns the same one.
    await askForName(corin);
    const [seen, ...others] = await waiting(tess);
    expect(others).toEqual([]);
    expect(seen).toMatchObject({ proposedBy: 'Corin Achterberg', isMine: false, what: 'Request a change of the organisation', link: null });
    expect(seen!.shown).toContainEqual({ label: 'After', value: 'other' });
    const mails = await portal.mailsTo('tess@example-au.example');
    expect(mails.at(-1)!.subject).toBe('Waiting for a second person: Request a change of the organisation, EXAMPLE-AU');

    const { proposalId, fingerprint } = seen!;
    const approve = (as: Client, body = { fingerprint }) => as(api.proposals.approveProposal, { account, proposalId, body });
    expect(await approve(corin)).toMatchObject({ status: 403, errors: [{ code: 'OWN_REQUEST' }] });
    expect(await approve(tess, { fingerprint: 'f'.repeat(64) })).toMatchObject({ status: 412, current: { fingerprint } });
    expect(await approve(tess)).toMatchObject({ status: 200, data: { state: 'approved', decidedBy: 'Tess Lindqvist' } });
    expect(await openChanges(corin)).toBe(before + 1);
    const { data } = await corin(api.organisations.getOrganisation, { account });
    expect(data!.changes.at(-1)).toMatchObject({ requestedBy: 'Corin Achterberg', wantedValue: 'other' });
    const lines = (await corin(api.activityLog.listActivities, { account, query: {} })).data!.lines;
    expect(lines.slice(0, 2).map(({ actor, action, result }) => `${actor.name}: ${action} ${result}`)).toEqual([
      'Tess Lindqvist: proposals.approveProposal done',
      'Tess Lindqvist: proposals.approveProposal refused',
    ]);
    expect((await portal.mailsTo('corin@example-au.example')).at(-1)!.subject).toBe(
      'Approved by Tess Lindqvist: Request a change of the organisation, EXAMPLE-AU',
    );
  });

  test('of two concurrent approvals one succeeds, the other sees the result', async () => {
    await using portal = await testPortal(kind);
    const { corin, tess } = await withTwoCorporateContacts(portal, { rule: true });
    const before = await openChanges(corin);
    await askForName(corin);
    const { proposalId, fingerprint } = (await waiting(tess))[0]!;
    const approve = () => tess(api.proposals.approveProposal, { account, proposalId, body: { fingerprint } });
    const answers = await Promise.all([approve(), approve()]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
    expect(answers.find(({ status }) => status === 409)).toMatchObject({
      errors: [{ code: 'ALREADY_RESOLVED' }],
      current: { state: 'approved', decidedBy: 'Tess Lindqvist' },
    });
    expect(await openChanges(corin)).toBe(before + 1);
  });

  test('a rejected, withdrawn or expired one does nothing, and rights lost meanwhile aren’t used', async () => {
    await using portal = await testPortal(kind);
    const { corin, tess } = await withTwoCorporateContacts(portal, { rule: true });
    const before = await openChanges(corin);
    await askForName(corin);
    const rejected = await tess(api.proposals.rejectProposal, {
      account,
      proposalId: (await waiting(tess))[0]!.proposalId,
      body: { note: 'Not now' },
    });
    expect(rejected).toMatchObject({ status: 200, data: { state: 'rejected', note: 'Not now' } });
    await askForName(corin);
    const own = (await waiting(corin))[0]!;
    expect((await tess(api.proposals.withdrawProposal, { account, proposalId: own.proposalId })).status).toBe(404);
    expect((await corin(api.proposals.withdrawProposal, { account, proposalId: own.proposalId })).data).toMatchObject({
      state: 'withdrawn',
    });
    await askForName(corin);
    await expireProposals(portal.db, new Date(Date.now() + 73 * HOUR_MS));
    expect(await waiting(tess)).toEqual([]);
    expect((await portal.mailsTo('corin@example-au.example')).at(-1)!.subject).toContain('in time');

    await askForName(tess);
    const { proposalId, fingerprint } = (await waiting(corin))[0]!;
    await portal.db.change(line, change =>
      change
        .updateTable('contact')
        .set({ permissions: [] })
        .where('accountName', '=', account)
        .where('fullName', 'like', 'Tess%')
        .execute(),
    );
    expect(await corin(api.proposals.approveProposal, { account, proposalId, body: { fingerprint } })).toMatchObject({ status: 403 });
    expect(await openChanges(corin)).toBe(before);
  });
});

test('S25 an approval is valid for 72 hours and exactly what was shown: changed input, another hash or a late click changes nothing', async () => {
  await using portal = await testPortal();
  const { corin, tess } = await withTwoCorporateContacts(portal, { rule: true });
  const before = await openChanges(corin);
  await askForName(corin);
  const { proposalId, fingerprint, proposedAt, expiresAt } = (await waiting(tess))[0]!;
  expect(Date.parse(expiresAt) - Date.parse(proposedAt)).toBe(72 * HOUR_MS);
  expect(fingerprint).toMatch(/^[0-9a-f]{64}$/);
  const approve = (hash = fingerprint) => tess(api.proposals.approveProposal, { account, proposalId, body: { fingerprint: hash } });
  const set = (what: object) =>
    portal.db.change(line, change => change.updateTable('proposal').set(what).where('proposalId', '=', Number(proposalId)).execute());
  expect(await approve('0'.repeat(64))).toMatchObject({ status: 412, errors: [{ code: 'STALE' }] });
  const { input, shown } = await portal.db.read
    .selectFrom('proposal')
    .select(['input', 'shown'])
    .where('proposalId', '=', Number(proposalId))
    .executeTakeFirstOrThrow();
  for (const altered of [
    { input: { ...(input as object), body: { field: 'organisationType', value: 'government', reason: 'New' } } },
    { shown: { ...(shown as object), note: 'Nothing of importance' } },
  ]) {
    await set(Object.fromEntries(Object.entries(altered).map(([name, value]) => [name, JSON.stringify(value)])));
    expect(await approve()).toMatchObject({ status: 412, errors: [{ code: 'STALE' }] });
    await set({ input: JSON.stringify(input), shown: JSON.stringify(shown) });
  }
  await set({ proposedAt: instantBefore(new Date(), 73 * HOUR_MS), expiresAt: instantBefore(new Date(), HOUR_MS) });
  expect(await approve()).toMatchObject({ status: 409, errors: [{ code: 'ALREADY_RESOLVED' }] });
  expect(await openChanges(corin)).toBe(before);
  await set({ expiresAt });
  expect((await approve()).status).toBe(200);
  expect(await openChanges(corin)).toBe(before + 1);
});

test('an invalid change is refused immediately, without waiting for approval', async () => {
  await using portal = await testPortal();
  const { corin } = await withTwoCorporateContacts(portal, { rule: true });
  const same = await corin(api.organisationChanges.requestOrganisationChange, {
    account,
    body: { field: 'organisationType', value: 'company', reason: '' },
  });
  expect(same).toMatchObject({ status: 400 });
  expect(await waiting(corin)).toEqual([]);
});

test('of a long text a second person approves at most 1 MB', async () => {
  await using portal = await testPortal();
  const { corin } = await withTwoCorporateContacts(portal, { rule: true });
  const contacts = { adminC: 'CA1-EX', techC: 'CA1-EX', zoneC: 'CA1-EX', mntBy: 'MAINT-AU-EXAMPLE' };
  const upload = (comment: number) =>
    corin(api.reverseZoneFiles.uploadZoneFile, {
      account,
      body: {
        ...contacts,
        text: `4.18.198.in-addr.arpa. NS ns1.example.net.\n4.18.198.in-addr.arpa. NS ns2.example.net.\n; ${'x'.repeat(comment)}\n`,
      },
    });
  expect(await upload(1_000_000)).toMatchObject({
    status: 400,
    errors: [{ code: 'INVALID_REQUEST', field: 'text', message: expect.stringMatching(/at most 1 MB at a time/) }],
  });
  expect(await waiting(corin)).toEqual([]);
  expect(await upload(900_000)).toMatchObject({ status: 409, errors: [{ code: 'SECOND_PERSON' }] });
});

test('the rule needs two corporate contacts with a second factor, and a second person to end it', async () => {
  await using portal = await testPortal();
  const alone = await (await portal.as('corin'))(api.proposals.setTwoPersonRule, { account, body: { on: true } });
  expect(alone).toMatchObject({
    status: 409,
    errors: [{ code: 'NO_SECOND_PERSON', message: expect.stringContaining('one corporate contact') }],
  });
  const { corin, tess } = await withTwoCorporateContacts(portal, { rule: true });
  expect(await corin(api.proposals.setTwoPersonRule, { account, body: { on: false } })).toMatchObject({
    status: 409,
    errors: [{ code: 'SECOND_PERSON' }],
  });
  const { proposalId, fingerprint } = (await waiting(tess))[0]!;
  expect((await tess(api.proposals.approveProposal, { account, proposalId, body: { fingerprint } })).status).toBe(200);
  expect((await corin(api.proposals.listProposals, { account })).data).toMatchObject({ rule: false, approvers: 2, waiting: [] });
});

test('without the rule a change is made immediately', async () => {
  await using portal = await testPortal();
  const { corin } = await withTwoCorporateContacts(portal, { rule: false });
  expect((await askForName(corin)).status).toBe(202);
});

describe.each(kindsForRules)('changes of registry staff on their own about a holder, on %s', kind => {
  test('is done when a second one of them approves; of two concurrent approvals one counts', async () => {
    await using portal = await testPortal(kind);
    const stella = await portal.as('stella');
    const { version } = (await stella(api.desk.getAccountSheet, { accountName: account })).data!;
    const set = () => stella(api.organisations.setEconomy, { accountName: account, body: { version, economy: 'NZ', reason: 'Moved' } });
    await takeStaffRoles(portal.db, 'stan');
    expect(await set()).toMatchObject({ status: 409, errors: [{ code: 'NO_SECOND_PERSON' }] });
    await giveStaffRole(portal.db, 'stan', 'hostmaster');
    const stan = await portal.as('stan');
    expect(await set()).toMatchObject({ status: 409, errors: [{ code: 'SECOND_PERSON' }], current: { accountName: account } });
    const { proposalId, fingerprint } = (await stan(api.proposals.listStaffProposals, {})).data!.waiting[0]!;
    const approve = (as: Client) => as(api.proposals.approveStaffProposal, { proposalId, body: { fingerprint } });
    expect((await approve(stella)).status).toBe(403);
    const economy = async () => (await stella(api.desk.getAccountSheet, { accountName: account })).data!.account.economy;
    expect(await economy()).toBe('AU');
    const answers = await Promise.all([approve(stan), approve(stan)]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
    expect(await economy()).toBe('NZ');
    // The member sees what registry staff did, without names; what they only consider it doesn’t see.
    const lines = (await (await portal.as('corin'))(api.activityLog.listActivities, { account, query: { actor: 'staff' } })).data!.lines;
    expect(lines.map(({ action }) => action)).toContain('proposals.approveStaffProposal');
    expect(lines.map(({ action }) => action)).not.toContain('proposals.proposeAtDesk');
    expect(new Set(lines.map(({ actor }) => actor.name))).toEqual(new Set(['Registry staff']));
  });
});
