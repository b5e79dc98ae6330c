import { defaultPermissions, permissionKeys } from '@portal/contract';
import { api } from '@portal/contract/api';
import { DAY_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kindsForRules, testPortal, type TestPortal } from '../../../test/portal.ts';
import { runContactDeadlines } from './deadlines.ts';

const account = 'EXAMPLE-AU';
const statusesOf = (answers: { status: number }[]): number[] => answers.map(({ status }) => status).toSorted((a, b) => a - b);
type Person = Awaited<ReturnType<TestPortal['as']>>;

const contactsOf = async (person: Person, q = '') => (await person(api.contacts.listContacts, { account, query: { q } })).data!.rows;
const contactNamed = async (person: Person, name: string) => (await contactsOf(person)).find(contact => contact.fullName === name)!;
const tokenSentTo = async (portal: TestPortal, email: string): Promise<string> => {
  const mails = await portal.mailsTo(email);
  const link = mails.map(({ body }) => /accept-invitation\/([\w-]{43})/.exec(body)?.[1]).filter(Boolean);
  return link.at(-1)!;
};
const logOf = (portal: TestPortal, accountName = account) =>
  portal.db.read
    .selectFrom('activity')
    .select(['action', 'summary', 'refusal', 'details', 'contactId'])
    .where('accountName', '=', accountName)
    .orderBy('activityId')
    .execute();

/** Makes Olive a second corporate contact of EXAMPLE-AU the usual way: invited, approved by the registry, accepted. */
async function withSecondCorporateContact(portal: TestPortal): Promise<{ corin: Person; olive: Person; stella: Person }> {
  const [corin, olive, stella] = await Promise.all([portal.as('corin'), portal.as('olive'), portal.as('stella')]);
  const body = { fullName: 'Olive Tan', email: 'olive@other-sg.example', contactTypes: ['corporate' as const] };
  expect(await corin(api.contacts.inviteContact, { account, body })).toMatchObject({ status: 202, data: { status: 'pending-registry' } });
  const { data } = await stella(api.registryRequests.listRegistryRequests, {});
  const [request] = data!.rows;
  expect(request).toMatchObject({ kind: 'add', accountName: account, requestedBy: 'Corin Achterberg', otherCorporateContacts: 1 });
  await stella(api.registryRequests.approveRegistryRequest, { requestId: request!.requestId, body: {} });
  const acceptanceToken = await tokenSentTo(portal, 'olive@other-sg.example');
  expect(await olive(api.invitations.acceptInvitation, { acceptanceToken, body: {} })).toMatchObject({ status: 200 });
  return { corin, olive, stella };
}

describe.each(kindsForRules)('linking to an account on %s', kind => {
  test('a person asks, a corporate contact approves as technical contact, the person has the technical default set', async () => {
    await using portal = await testPortal(kind);
    const [nadia, corin] = await Promise.all([portal.as('nadia'), portal.as('corin')]);
    const before = (await logOf(portal)).length;
    expect(await nadia(api.accessRequests.linkAccount, { body: { accountName: ' example-au ' } })).toEqual({ status: 204 });
    await portal.runTasks();
    const { data: requests } = await corin(api.accessRequests.listAccessRequests, { account });
    expect(requests).toMatchObject([
      { kind: 'link', status: 'pending', requester: { name: 'Nadia Haddad', emailVerified: true }, isMine: false },
    ]);
    const { requestId } = requests![0]!;
    const resolved = await corin(api.accessRequests.resolveAccessRequest, {
      account,
      body: { requestId, decision: 'approved', contactTypes: ['technical'] },
    });
    expect(resolved).toMatchObject({
      status: 200,
      data: { status: 'approved', resolvedBy: 'Corin Achterberg', grantedContactTypes: ['technical'] },
    });
    const { data: mine } = await nadia(api.accounts.listAccounts, {});
    expect(mine).toMatchObject([{ accountName: account, contactTypes: ['technical'] }]);
    expect(mine![0]!.permissions.toSorted()).toEqual(defaultPermissions(['technical']).toSorted());
    expect((await nadia(api.resources.getSummary, { account })).status).toBe(200);
    expect((await nadia(api.accessRequests.listAccessRequests, { account })).status).toBe(403);
    // One line for the request and one for the decision in the account's log; the person's log has the request.
    expect((await logOf(portal)).slice(before).map(({ action }) => action)).toEqual([
      'contacts.accessRequests.linkAccount',
      'contacts.accessRequests.resolveAccessRequest',
    ]);
    const asked = await portal.db.read
      .selectFrom('activity')
      .select('details')
      .where('action', '=', 'contacts.accessRequests.linkAccount')
      .execute();
    expect(asked.map(({ details }) => details)).toContainEqual({ accountName: account });
    expect((await portal.mailsTo('nadia@newcomer.example')).map(({ subject }) => subject)).toEqual([
      'Your request to EXAMPLE-AU was approved',
    ]);
    expect((await portal.mailsTo('corin@example-au.example'))[0]!.subject).toBe('Nadia Haddad asks to be linked to EXAMPLE-AU');
  });

  test('existing, unknown, closed and own accounts get the same answer, and only the first leaves a request', async () => {
    await using portal = await testPortal(kind);
    const [nadia, tess] = await Promise.all([portal.as('nadia'), portal.as('tess')]);
    for (const accountName of ['EXAMPLE-AU', 'NEVER-WAS', 'GONE-VU'])
      expect(await nadia(api.accessRequests.linkAccount, { body: { accountName } })).toEqual({ status: 204 });
    expect(await tess(api.accessRequests.linkAccount, { body: { accountName: account } })).toEqual({ status: 204 });
    // The request itself does the same each time: a row and a task.
    expect(await portal.db.read.selectFrom('task').select('name').where('name', '=', 'contacts.linkAccount').execute()).toHaveLength(4);
    await portal.runTasks();
    const requests = await portal.db.read.selectFrom('accessRequest').select('accountName').execute();
    expect(requests).toEqual([{ accountName: account }]);
    const { data } = await nadia(api.accessRequests.listLinkRequests, {});
    expect(data!.map(({ accountName }) => accountName)).toEqual(['EXAMPLE-AU', 'GONE-VU', 'NEVER-WAS']);
    expect(await portal.db.read.selectFrom('linkAttempt').selectAll().execute()).toHaveLength(4);
  });

  test('a repetition makes no second request or mail; the sixth within a day has to wait', async () => {
    await using portal = await testPortal(kind);
    const nadia = await portal.as('nadia');
    const ask = () => nadia(api.accessRequests.linkAccount, { body: { accountName: account } });
    const answers = await Promise.all([ask(), ask(), ask(), ask(), ask(), ask(), ask()]);
    expect(statusesOf(answers)).toEqual([204, 204, 204, 204, 204, 429, 429]);
    await portal.runTasks();
    expect(await portal.db.read.selectFrom('accessRequest').selectAll().execute()).toHaveLength(1);
    expect(await portal.mailsTo('corin@example-au.example')).toHaveLength(1);
    expect(await nadia(api.accessRequests.linkAccount, { body: { accountName: 'x y' } })).toMatchObject({
      status: 400,
      errors: [{ code: 'INVALID_REQUEST', message: expect.stringContaining('such as EXAMPLE-AU') }],
    });
  });

  test('a person invited at their verified address is linked immediately', async () => {
    await using portal = await testPortal(kind);
    const [corin, nadia] = await Promise.all([portal.as('corin'), portal.as('nadia')]);
    await corin(api.contacts.inviteContact, {
      account,
      body: { fullName: 'Nadia Haddad', email: 'Nadia@Newcomer.example', contactTypes: ['billing'] },
    });
    await nadia(api.accessRequests.linkAccount, { body: { accountName: account } });
    await portal.runTasks();
    expect((await nadia(api.accounts.listAccounts, {})).data).toMatchObject([{ accountName: account, contactTypes: ['billing'] }]);
    const acceptanceToken = await tokenSentTo(portal, 'Nadia@Newcomer.example');
    expect(await nadia(api.invitations.acceptInvitation, { acceptanceToken, body: {} })).toMatchObject({ status: 410 });
    expect(await portal.db.read.selectFrom('accessRequest').selectAll().execute()).toEqual([]);
  });
});

describe.each(kindsForRules)('resolving access requests on %s', kind => {
  test('of two corporate contacts who decide concurrently one succeeds, and the other sees the first one’s decision', async () => {
    await using portal = await testPortal(kind);
    const { corin, olive } = await withSecondCorporateContact(portal);
    const bill = await portal.as('bill');
    await bill(api.contacts.askForPermission, { account, body: { permissions: ['resources-view'], message: 'Invoices' } });
    const { requestId } = (await corin(api.accessRequests.listAccessRequests, { account })).data![0]!;
    const approve = { account, body: { requestId, decision: 'approved' as const } };
    const reject = { account, body: { requestId, decision: 'rejected' as const, note: 'Ask Tess' } };
    const answers = await Promise.all([
      corin(api.accessRequests.resolveAccessRequest, approve),
      olive(api.accessRequests.resolveAccessRequest, reject),
    ]);
    expect(statusesOf(answers)).toEqual([200, 409]);
    const won = answers.find(({ status }) => status === 200)!;
    const lost = answers.find(({ status }) => status === 409)!;
    expect(lost).toMatchObject({ errors: [{ code: 'ALREADY_RESOLVED' }], current: { requestId, status: won.data!.status } });
  });

  test('permissions can be granted partly, apply from the next call on, and record who granted them', async () => {
    await using portal = await testPortal(kind);
    const [bill, corin] = await Promise.all([portal.as('bill'), portal.as('corin')]);
    expect((await bill(api.resources.getSummary, { account })).status).toBe(403);
    const asked = await bill(api.contacts.askForPermission, {
      account,
      body: { permissions: ['resources-view', 'tickets-resources-view'], message: 'I reconcile the invoice' },
    });
    const { requestId } = asked.data!;
    expect(
      await corin(api.accessRequests.resolveAccessRequest, {
        account,
        body: { requestId, decision: 'approved', permissions: ['resources-view', 'roas-update'] },
      }),
    ).toMatchObject({ status: 400, errors: [{ message: expect.stringContaining('roas-update wasn’t requested') }] });
    const resolved = await corin(api.accessRequests.resolveAccessRequest, {
      account,
      body: { requestId, decision: 'approved', permissions: ['resources-view'] },
    });
    expect(resolved.data).toMatchObject({
      grantedPermissions: ['resources-view'],
      permissions: ['resources-view', 'tickets-resources-view'],
    });
    expect((await bill(api.resources.getSummary, { account })).status).toBe(200);
    const { data: mine } = await bill(api.contacts.getMyPermissions, { account });
    const rows = mine!.groups.flatMap(({ permissions }) => permissions);
    expect(rows.map(({ permission }) => permission)).toEqual(permissionKeys);
    expect(rows.find(({ permission }) => permission === 'resources-view')).toMatchObject({
      held: true,
      from: 'decision',
      decidedBy: 'Corin Achterberg',
      decidedAt: expect.any(String),
    });
    expect(rows.find(({ permission }) => permission === 'member-billing-view')).toMatchObject({
      held: true,
      from: 'contact-type',
      decidedBy: null,
    });
    expect(rows.find(({ permission }) => permission === 'nominate-proxy')).toMatchObject({ held: false, notGrantable: null });
    expect(mine).toMatchObject({ corporateContacts: [{ name: 'Corin Achterberg' }], mayVote: true, maintainers: [] });
    const subjects = (await portal.mailsTo('bill@example-au.example')).map(({ subject }) => subject);
    expect(subjects).toEqual(['Permissions of Bill Okonkwo in EXAMPLE-AU changed', 'Your request to EXAMPLE-AU was approved']);
  });

  test('a technical contact requests adding one contact and removing another; both wait for approval', async () => {
    await using portal = await testPortal(kind);
    const [tess, corin] = await Promise.all([portal.as('tess'), portal.as('corin')]);
    const add = {
      kind: 'add-contact' as const,
      fullName: 'Noor El-Amin',
      email: 'noor@example-au.example',
      contactTypes: ['technical' as const, 'billing' as const],
      reason: 'New colleague',
    };
    expect(await tess(api.accessRequests.requestContactChange, { account, body: add })).toMatchObject({
      status: 200,
      data: { asked: ['Corin Achterberg'] },
    });
    expect(await tess(api.accessRequests.requestContactChange, { account, body: add })).toMatchObject({
      status: 409,
      errors: [{ code: 'ALREADY_ASKED' }],
    });
    const bill = await contactNamed(tess, 'Bill Okonkwo');
    await tess(api.accessRequests.requestContactChange, {
      account,
      body: { kind: 'remove-contact', contactId: bill.contactId, version: bill.version, reason: 'Left us' },
    });
    const [first, second] = (await corin(api.accessRequests.listAccessRequests, { account })).data!;
    const resolve = (requestId: string, more = {}) =>
      corin(api.accessRequests.resolveAccessRequest, { account, body: { requestId, decision: 'approved', ...more } });
    expect(await resolve(first!.requestId, { contactTypes: ['technical'] })).toMatchObject({
      data: { grantedContactTypes: ['technical'] },
    });
    expect(await resolve(second!.requestId)).toMatchObject({
      status: 200,
      data: { status: 'approved', subject: { name: 'Bill Okonkwo' } },
    });
    expect(await contactNamed(corin, 'Noor El-Amin')).toMatchObject({ status: 'invited', contactTypes: ['technical'] });
    expect((await (await portal.as('bill'))(api.contacts.getMyPermissions, { account })).status).toBe(404);
    expect(await tokenSentTo(portal, 'noor@example-au.example')).toHaveLength(43);
    const history = await corin(api.accessRequests.listResolvedRequests, { account, query: { limit: 1 } });
    expect(history.data).toMatchObject({ total: 2, rows: [{ kind: 'remove-contact' }] });
  });

  test('rejecting needs a reason, contacts cannot resolve their own request, and another account’s looks non-existent', async () => {
    await using portal = await testPortal(kind);
    const { corin, olive } = await withSecondCorporateContact(portal);
    const bill = await contactNamed(corin, 'Bill Okonkwo');
    await olive(api.accessRequests.requestContactChange, {
      account,
      body: { kind: 'change-role', contactId: bill.contactId, version: bill.version, contactTypes: ['technical'], reason: '' },
    });
    const [request] = (await corin(api.accessRequests.listAccessRequests, { account })).data!;
    const body = { requestId: request!.requestId, decision: 'rejected' as const };
    expect(await corin(api.accessRequests.resolveAccessRequest, { account, body })).toMatchObject({ status: 400 });
    expect(await olive(api.accessRequests.resolveAccessRequest, { account, body: { ...body, note: 'x' } })).toMatchObject({
      status: 403,
      errors: [{ code: 'OWN_REQUEST' }],
    });
    expect(await olive(api.accessRequests.resolveAccessRequest, { account: 'OTHER-SG', body: { ...body, note: 'x' } })).toMatchObject({
      status: 404,
    });
    expect(await corin(api.accessRequests.resolveAccessRequest, { account, body: { ...body, note: 'No need' } })).toMatchObject({
      data: { status: 'rejected', note: 'No need', resolvedBy: 'Corin Achterberg' },
    });
  });

  test('requests are reminded of after 7 and 21 days and expire after 30', async () => {
    await using portal = await testPortal(kind);
    const [bill, corin] = await Promise.all([portal.as('bill'), portal.as('corin')]);
    await bill(api.contacts.askForPermission, { account, body: { permissions: ['roas-update'] } });
    const on = async (day: number): Promise<number> => {
      const now = new Date(new Date().getTime() + day * DAY_MS);
      await runContactDeadlines(portal.db, now);
      await runContactDeadlines(portal.db, now);
      return (await portal.mailsTo('corin@example-au.example')).filter(({ subject }) => subject.includes('Bill Okonkwo')).length;
    };
    expect([await on(6), await on(8), await on(20), await on(22), await on(31), await on(40)]).toEqual([1, 2, 2, 3, 3, 3]);
    const { data } = await corin(api.accessRequests.listAccessRequests, { account });
    expect(data).toMatchObject([{ status: 'other', outcome: 'expired', resolvedBy: null }]);
    expect((await portal.mailsTo('bill@example-au.example')).map(({ subject }) => subject)).toContain('Your request to EXAMPLE-AU expired');
    expect((await logOf(portal)).map(({ action }) => action)).toContain('contacts.expireAccessRequest');
  });
});

describe.each(kindsForRules)('corporate contacts on %s', kind => {
  test('the last one can’t be removed or demoted, or leave', async () => {
    await using portal = await testPortal(kind);
    const { corin, olive, stella } = await withSecondCorporateContact(portal);
    // Olive leaves first: the registry approves, and Corin is the last.
    expect(await olive(api.contacts.leaveAccount, { account, body: { reason: 'Back to my own' } })).toMatchObject({
      status: 202,
      data: { removed: false },
    });
    const olives = await contactNamed(corin, 'Olive Tan');
    expect(olives).toMatchObject({ status: 'active', registryRequest: { kind: 'remove', requestedBy: 'Olive Tan' } });
    // While that waits, Corin already counts as the last.
    expect(await corin(api.contacts.leaveAccount, { account, body: {} })).toMatchObject({
      status: 409,
      errors: [{ code: 'LAST_CORPORATE_CONTACT' }],
    });
    const { data } = await stella(api.registryRequests.listRegistryRequests, {});
    await stella(api.registryRequests.approveRegistryRequest, {
      requestId: data!.rows[0]!.requestId,
      body: { note: 'Checked by telephone' },
    });
    expect((await olive(api.contacts.getMyPermissions, { account })).status).toBe(404);
    const own = await contactNamed(corin, 'Corin Achterberg');
    expect(await corin(api.contacts.removeContact, { account, contactId: own.contactId, body: { version: own.version } })).toMatchObject({
      status: 409,
      errors: [{ code: 'LAST_CORPORATE_CONTACT' }],
    });
  });

  test('two who remove each other at the same time: one request, one refusal', async () => {
    await using portal = await testPortal(kind);
    const { corin, olive } = await withSecondCorporateContact(portal);
    const [corins, olives] = [await contactNamed(corin, 'Corin Achterberg'), await contactNamed(corin, 'Olive Tan')];
    const answers = await Promise.all([
      corin(api.contacts.removeContact, { account, contactId: olives.contactId, body: { version: olives.version } }),
      olive(api.contacts.removeContact, { account, contactId: corins.contactId, body: { version: corins.version } }),
    ]);
    expect(statusesOf(answers)).toEqual([202, 409]);
  });

  test('promotion takes the registry’s approval: until then the contact stays unchanged', async () => {
    await using portal = await testPortal(kind);
    const [corin, stella, tess] = await Promise.all([portal.as('corin'), portal.as('stella'), portal.as('tess')]);
    const { contactId, version } = await contactNamed(corin, 'Tess Lindqvist');
    const promoted = await corin(api.contacts.updateContact, {
      account,
      contactId,
      body: { version, contactTypes: ['corporate', 'technical'], reason: 'Second signatory' },
    });
    expect(promoted).toMatchObject({
      status: 202,
      data: { contactTypes: ['technical'], registryRequest: { kind: 'change-role', contactTypes: ['corporate', 'technical'] } },
    });
    expect((await tess(api.accessRequests.listAccessRequests, { account })).status).toBe(403);
    // A second change meanwhile has to wait.
    expect(
      await corin(api.contacts.updateContact, {
        account,
        contactId,
        body: { version: promoted.data!.version, contactTypes: ['corporate'] },
      }),
    ).toMatchObject({ status: 409, errors: [{ code: 'REGISTRY_DECIDES' }] });
    const { requestId } = (await stella(api.registryRequests.listRegistryRequests, {})).data!.rows[0]!;
    const decide = () => stella(api.registryRequests.approveRegistryRequest, { requestId, body: {} });
    const answers = await Promise.all([
      decide(),
      stella(api.registryRequests.refuseRegistryRequest, { requestId, body: { reason: 'No' } }),
    ]);
    expect(statusesOf(answers)).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)).toMatchObject({ current: { status: expect.stringMatching(/approved|rejected/) } });
    const approved = answers[0]!.status === 200;
    expect((await tess(api.accessRequests.listAccessRequests, { account })).status).toBe(approved ? 200 : 403);
    const log = await logOf(portal);
    expect(log.at(-1)).toMatchObject({ action: expect.stringContaining('RegistryRequest'), contactId: null });
  });

  test('after a refusal with a reason, everything stays unchanged and the people are notified', async () => {
    await using portal = await testPortal(kind);
    const [corin, stella] = await Promise.all([portal.as('corin'), portal.as('stella')]);
    const body = { fullName: '山田 太郎', email: 'yamada@example-au.example', contactTypes: ['corporate' as const] };
    await corin(api.contacts.inviteContact, { account, body });
    const { requestId } = (await stella(api.registryRequests.listRegistryRequests, { query: { q: 'yamada' } })).data!.rows[0]!;
    expect(await stella(api.registryRequests.refuseRegistryRequest, { requestId, body: { reason: '' } })).toMatchObject({ status: 400 });
    expect(
      await stella(api.registryRequests.refuseRegistryRequest, { requestId, body: { reason: 'The letter is not signed' } }),
    ).toMatchObject({ data: { status: 'rejected', resolvedBy: 'Stella Kowalski' } });
    expect(await contactsOf(corin, 'yamada')).toEqual([]);
    expect(await portal.mailsTo('yamada@example-au.example')).toEqual([]);
    expect((await portal.mailsTo('corin@example-au.example')).at(-1)!.body).toContain('The letter is not signed');
  });

  test('only a corporate contact can request one, and only staff can decide', async () => {
    await using portal = await testPortal(kind);
    const [corin, tess] = await Promise.all([portal.as('corin'), portal.as('tess')]);
    const { contactId, version } = await contactNamed(corin, 'Tess Lindqvist');
    await corin(api.contacts.updateContact, {
      account,
      contactId,
      body: {
        version,
        permissions: [...defaultPermissions(['technical']), 'contacts-details-update', 'users-privileges-update', 'users-privileges-view'],
      },
    });
    const invite = { fullName: 'Any Body', email: 'any@example-au.example', contactTypes: ['corporate' as const] };
    expect(await tess(api.contacts.inviteContact, { account, body: invite })).toMatchObject({
      status: 403,
      errors: [{ code: 'CORPORATE_ONLY' }],
    });
    const bill = await contactNamed(tess, 'Bill Okonkwo');
    expect(
      await tess(api.contacts.updateContact, {
        account,
        contactId: bill.contactId,
        body: { version: bill.version, contactTypes: ['corporate'] },
      }),
    ).toMatchObject({ status: 403, errors: [{ message: 'Sorry, you must be a corporate contact' }] });
    const corins = await contactNamed(tess, 'Corin Achterberg');
    expect(
      await tess(api.contacts.removeContact, { account, contactId: corins.contactId, body: { version: corins.version } }),
    ).toMatchObject({ status: 403 });
  });
});

describe.each(kindsForRules)('invitations on %s', kind => {
  let portal: TestPortal;
  let corin: Person;
  let nadia: Person;
  beforeAll(async () => {
    portal = await testPortal(kind);
    [corin, nadia] = await Promise.all([portal.as('corin'), portal.as('nadia')]);
  });
  afterAll(() => portal[Symbol.asyncDispose]());
  const invite = (email: string, contactTypes: ('technical' | 'billing' | 'corporate')[] = ['technical'], accountName = account) =>
    corin(api.contacts.inviteContact, { account: accountName, body: { fullName: 'Nadia Haddad', email, contactTypes } });

  test('S23 its link has at least 128 random bits, is stored only as a hash, and the corporate contacts are notified', async () => {
    const tokens: string[] = [];
    for (const email of ['random-1@newcomer.example', 'random-2@newcomer.example']) {
      await invite(email, ['technical'], 'SOUTHSITE-NZ');
      tokens.push(await tokenSentTo(portal, email));
    }
    expect(new Set(tokens).size).toBe(2);
    for (const token of tokens) {
      expect(Buffer.from(token, 'base64url').length).toBeGreaterThanOrEqual(16);
      const links = await portal.db.read.rows<{ text: string }>(
        sql`select l::text as text from login_link l union all select c::text from contact c`,
      );
      const inBinary = Buffer.from(token, 'base64url').toString('hex');
      for (const { text } of links) for (const form of [token, inBinary]) expect(text).not.toContain(form);
    }
    expect((await portal.mailsTo('corin@example-au.example')).map(({ subject }) => subject).join()).toContain('SOUTHSITE-NZ');
  });

  test('shows what it offers, can be accepted once, and makes the person a contact', async () => {
    await invite('nadia@newcomer.example', ['technical', 'billing'], 'SOUTHSITE-NZ');
    const acceptanceToken = await tokenSentTo(portal, 'nadia@newcomer.example');
    const shown = await nadia(api.invitations.getInvitation, { acceptanceToken });
    expect(shown.data).toMatchObject({
      state: 'open',
      accountName: 'SOUTHSITE-NZ',
      orgName: 'Southsite Dairy Limited',
      contactTypes: ['billing', 'technical'],
      invitedBy: 'Corin Achterberg',
      emailMatch: 'same',
    });
    const accept = () => nadia(api.invitations.acceptInvitation, { acceptanceToken, body: {} });
    const answers = await Promise.all([accept(), accept()]);
    expect(statusesOf(answers)).toEqual([200, 410]);
    expect((await nadia(api.invitations.getInvitation, { acceptanceToken })).data).toMatchObject({ state: 'used' });
    expect((await portal.mailsTo('corin@example-au.example')).map(({ subject }) => subject)).toContain(
      'Nadia Haddad is now a contact of SOUTHSITE-NZ',
    );
    expect((await logOf(portal, 'SOUTHSITE-NZ')).at(-1)).toMatchObject({
      summary: 'Accepted an invitation',
      contactId: expect.any(String),
    });
    // The token is stored nowhere in clear.
    const [kept] = await portal.db.read.rows<{
      kept: boolean;
    }>(sql`select exists (select from login_link where digest is not null and asked::text like ${`%${acceptanceToken}%`})
      or exists (select from mail where body like ${`%${acceptanceToken}%`}) or exists (select from activity where details::text like ${`%${acceptanceToken}%`}) as kept`);
    expect(kept!.kept).toBe(false);
  });

  test('with another address, the person has to confirm that both are theirs', async () => {
    await invite('n.haddad@elsewhere.example');
    const acceptanceToken = await tokenSentTo(portal, 'n.haddad@elsewhere.example');
    expect((await nadia(api.invitations.getInvitation, { acceptanceToken })).data).toMatchObject({ emailMatch: 'confirm' });
    expect(await nadia(api.invitations.acceptInvitation, { acceptanceToken, body: {} })).toMatchObject({
      status: 409,
      errors: [{ code: 'EMAIL_NOT_CONFIRMED', message: expect.stringContaining('n.haddad@elsewhere.example') }],
    });
    expect(await nadia(api.invitations.acceptInvitation, { acceptanceToken, body: { otherEmailConfirmed: true } })).toMatchObject({
      status: 200,
      data: { accountName: account },
    });
  });

  test('for a corporate contact, another address is refused, confirmed or not', async () => {
    await invite('boss@labnet.example', ['corporate'], 'LABNET-AU');
    const stella = await portal.as('stella');
    const { requestId } = (await stella(api.registryRequests.listRegistryRequests, {})).data!.rows[0]!;
    await stella(api.registryRequests.approveRegistryRequest, { requestId, body: {} });
    const acceptanceToken = await tokenSentTo(portal, 'boss@labnet.example');
    expect((await nadia(api.invitations.getInvitation, { acceptanceToken })).data).toMatchObject({ emailMatch: 'refused' });
    expect(await nadia(api.invitations.acceptInvitation, { acceptanceToken, body: { otherEmailConfirmed: true } })).toMatchObject({
      status: 403,
      errors: [{ code: 'EMAIL_MISMATCH' }],
    });
  });

  test('resending withdraws the old link; withdrawn, declined and expired links say so', async () => {
    const email = 'again@example-au.example';
    const invited = (await invite(email)).data!;
    const first = await tokenSentTo(portal, email);
    const resent = await corin(api.contacts.resendInvitation, {
      account,
      contactId: invited.contactId,
      body: { version: invited.version },
    });
    expect(resent.data).toMatchObject({ status: 'invited', invitation: { state: 'sent', invitedBy: 'Corin Achterberg' } });
    const second = await tokenSentTo(portal, email);
    const olive = await portal.as('olive');
    expect((await olive(api.invitations.getInvitation, { acceptanceToken: first })).data).toMatchObject({ state: 'revoked' });
    expect(await olive(api.invitations.acceptInvitation, { acceptanceToken: first, body: {} })).toMatchObject({
      errors: [{ code: 'INVITATION_REVOKED' }],
    });
    expect(await nadia(api.invitations.acceptInvitation, { acceptanceToken: second, body: { otherEmailConfirmed: true } })).toMatchObject({
      status: 409,
      errors: [{ code: 'ALREADY_CONTACT' }],
    });
    expect((await olive(api.invitations.declineInvitation, { acceptanceToken: second })).status).toBe(204);
    expect((await olive(api.invitations.getInvitation, { acceptanceToken: second })).data).toMatchObject({ state: 'used' });
    expect(await contactsOf(corin, email)).toEqual([]);

    const late = (await invite('late@example-au.example')).data!;
    const acceptanceToken = await tokenSentTo(portal, 'late@example-au.example');
    await runContactDeadlines(portal.db, new Date(Date.now() + 7.1 * DAY_MS));
    expect(await olive(api.invitations.acceptInvitation, { acceptanceToken, body: {} })).toMatchObject({
      status: 410,
      errors: [{ code: 'INVITATION_EXPIRED' }],
    });
    const [contact] = await contactsOf(corin, 'late@');
    expect(contact).toMatchObject({ contactId: late.contactId, invitation: { state: 'expired' } });
    expect(
      await corin(api.contacts.revokeInvitation, { account, contactId: late.contactId, body: { version: contact!.version } }),
    ).toMatchObject({ status: 204 });
  });

  test('guessing is slowed down, both for viewing and for answering', async () => {
    const hana = await portal.as('hana');
    const guess = () => hana(api.invitations.getInvitation, { acceptanceToken: 'A'.repeat(43) });
    const statuses: number[] = [];
    for (let n = 0; n < 12; n++) statuses.push((await guess()).status);
    expect(statuses).toEqual([...Array<number>(10).fill(404), 429, 429]);
    // Invitations can be guessed by number, too.
    expect((await hana(api.invitations.acceptOwnInvitation, { invitationId: '1' })).status).toBe(429);
    // Viewing and answering share one count of guesses.
    expect((await hana(api.invitations.acceptInvitation, { acceptanceToken: 'B'.repeat(43), body: {} })).status).toBe(429);
    const nils = await portal.as('nils');
    const accept = () => nils(api.invitations.acceptInvitation, { acceptanceToken: 'B'.repeat(43), body: {} });
    const accepts: number[] = [];
    for (let n = 0; n < 12; n++) accepts.push((await accept()).status);
    expect(accepts).toEqual([...Array<number>(10).fill(404), 429, 429]);
  });

  test('it can’t be accepted if the account was closed meanwhile', async () => {
    await invite('closing@example-au.example', ['technical'], 'LABNET-AU');
    const acceptanceToken = await tokenSentTo(portal, 'closing@example-au.example');
    await portal.db.change({ action: 'test', summary: 'Closed the account', traceId: '0'.repeat(32) }, change =>
      change.updateTable('account').set({ accountStatus: 'closed' }).where('accountName', '=', 'LABNET-AU').execute(),
    );
    expect((await nadia(api.invitations.getInvitation, { acceptanceToken })).data).toMatchObject({ state: 'account-closed' });
    expect(await nadia(api.invitations.acceptInvitation, { acceptanceToken, body: { otherEmailConfirmed: true } })).toMatchObject({
      status: 409,
      errors: [{ code: 'ACCOUNT_CLOSED' }],
    });
  });
});
