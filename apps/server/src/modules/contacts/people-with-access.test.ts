import { approvedBefore, isOfAccount, permissionKeys } from '@portal/contract';
import { allEndpoints, api } from '@portal/contract/api';
import { countsInAccount } from '@portal/contract/admission';
import { describe, expect, test } from 'vitest';
import { kindsForRules, testPortal, type TestPortal } from '../../../test/portal.ts';

const account = 'EXAMPLE-AU';
const line = { action: 'test', summary: 'Set the scene', traceId: '0'.repeat(32) };
type Person = Awaited<ReturnType<TestPortal['as']>>;

/** A registry in which EXAMPLE-AU has closed: Corin, and with `corporate` Tess too, are corporate contacts, Bill pays. `rule`: changes needed a second person. */
async function closedAccount(kind: Parameters<typeof testPortal>[0], { corporate = false, rule = false } = {}) {
  const portal = await testPortal(kind);
  await portal.db.change({ ...line, accountName: account }, async change => {
    await change
      .updateTable('contact')
      .set({ permissions: [] })
      .where('accountName', '=', account)
      .where('fullName', 'like', 'Tilda%')
      .execute();
    if (corporate)
      await change
        .updateTable('contact')
        .set({ contactTypes: ['corporate'], permissions: [...permissionKeys] })
        .where('accountName', '=', account)
        .where('fullName', '=', 'Tess Lindqvist')
        .execute();
    if (rule) await change.insertInto('twoPersonRule').values({ accountName: account, since: change.now }).execute();
    await change.updateTable('account').set({ accountStatus: 'closed' }).where('accountName', '=', account).execute();
  });
  const [corin, bill, tess, stella] = await Promise.all(['corin', 'bill', 'tess', 'stella'].map(name => portal.as(name)));
  const people = async (person: Person = corin!) => (await person(api.peopleWithAccess.listPeopleWithAccess, { account })).data!;
  const named = async (name: string) => (await people()).find(({ fullName }) => fullName === name)!;
  return {
    portal,
    corin: corin!,
    bill: bill!,
    tess: tess!,
    people,
    named,
    withdraw: async (person: Person, name: string, reason = '') => {
      const { contactId, version } = await named(name);
      return person(api.contacts.removeContact, { account, contactId, body: { version, reason } });
    },
    decide: async (isApproved: boolean) => {
      const { requestId } = (await stella!(api.registryRequests.listRegistryRequests, {})).data!.rows.find(
        ({ accountName }) => accountName === account,
      )!;
      return isApproved
        ? stella!(api.registryRequests.approveRegistryRequest, { requestId, body: {} })
        : stella!(api.registryRequests.refuseRegistryRequest, { requestId, body: { reason: 'They pay for it' } });
    },
    subjectsTo: async (name: string) => (await portal.mailsTo(`${name}@example-au.example`)).map(({ subject }) => subject),
    [Symbol.asyncDispose]: () => portal[Symbol.asyncDispose](),
  };
}

const hidden = { status: 404, errors: [{ code: 'ACCOUNT_NOT_FOUND' }] };
const gone = (name: string) => `${name} is no longer a contact of ${account}`;

test('a call of closed accounts that a second contact would approve says who does instead', () => {
  const calls = allEndpoints.filter(
    each => isOfAccount(each.access) && countsInAccount(each, { accountStatus: 'closed' }) && approvedBefore(each) === 'account',
  );
  expect(calls.map(({ id, secondPersonOfClosed }) => [id, secondPersonOfClosed])).toEqual([['contacts.removeContact', 'registry staff']]);
});

describe.each(kindsForRules)('people with access to a closed account on %s', kind => {
  test('each sees the names and what they may do, and e-mail addresses only who sees contacts', async () => {
    await using closed = await closedAccount(kind);
    const seen = await closed.people();
    expect(seen.find(({ isMe }) => isMe)).toMatchObject({ fullName: 'Corin Achterberg', mayRead: true, mayPay: true, isLastPayer: false });
    expect(seen.find(({ fullName }) => fullName === 'Bill Okonkwo')).toMatchObject({
      email: 'bill@example-au.example',
      contactTypes: ['billing'],
      mayRead: true,
      mayPay: true,
    });
    expect(await closed.named('Tess Lindqvist')).toMatchObject({ mayRead: false, mayPay: false });
    await closed.portal.db.change({ ...line, accountName: account }, change =>
      change.updateTable('contact').set({ permissions: [] }).where('fullName', '=', 'Tess Lindqvist').execute(),
    );
    const byTess = await closed.people(closed.tess);
    expect(byTess.map(({ fullName }) => fullName)).toEqual(seen.map(({ fullName }) => fullName));
    expect(byTess.filter(({ email }) => email !== null)).toMatchObject([{ isMe: true, email: 'tess@example-au.example' }]);
    // The list of contacts, with all that it says, stays that of an open account.
    expect(await closed.corin(api.contacts.listContacts, { account, query: {} })).toMatchObject(hidden);
    const olive = await closed.portal.as('olive');
    expect(await olive(api.peopleWithAccess.listPeopleWithAccess, { account })).toMatchObject(hidden);
  });

  test('a corporate contact withdraws the access of another person, who gets an e-mail and sees nothing any more', async () => {
    await using closed = await closedAccount(kind);
    expect(await closed.withdraw(closed.corin, 'Bill Okonkwo', 'Left the company')).toMatchObject({ status: 200, data: { removed: true } });
    expect(await closed.portal.lastActivity()).toMatchObject({
      action: 'contacts.removeContact',
      summary: 'Removed a contact',
      accountName: account,
      details: { contact: 'Bill Okonkwo', after: null, reason: 'Left the company' },
    });
    const mail = (await closed.portal.mailsTo('bill@example-au.example')).at(-1)!;
    expect(mail.subject).toBe(gone('Bill Okonkwo'));
    expect(mail.body).toContain(`${account} is closed. They no longer see its invoices`);
    expect(await closed.subjectsTo('corin')).toContain(gone('Bill Okonkwo'));
    for (const call of [api.peopleWithAccess.listPeopleWithAccess, api.billing.getBilling])
      expect(await closed.bill(call, { account })).toMatchObject(hidden);
    expect((await closed.bill(api.accounts.listAccounts, {})).data).toEqual([]);
    expect((await closed.people()).map(({ fullName }) => fullName)).not.toContain('Bill Okonkwo');
  });

  test('it is refused without the permission, without a second factor, to strangers, and for what changed meanwhile', async () => {
    await using closed = await closedAccount(kind, { corporate: true });
    const { contactId, version } = await closed.named('Bill Okonkwo');
    const remove = (person: Person, at = version, of = contactId) =>
      person(api.contacts.removeContact, { account, contactId: of, body: { version: at } });
    const corins = await closed.named('Corin Achterberg');
    expect(await remove(closed.bill, corins.version, corins.contactId)).toMatchObject({ status: 403, errors: [{ code: 'NO_PERMISSION' }] });
    expect(await remove(await closed.portal.as('olive'))).toMatchObject(hidden);
    expect(await remove(await closed.portal.as('corin', { mfa: false }))).toMatchObject({ status: 401 });
    expect(await remove(closed.corin, version + 1)).toMatchObject({ status: 412, errors: [{ code: 'STALE' }] });
    expect(await remove(closed.corin, 0, '00000000-0000-4000-8000-000000000000')).toMatchObject({
      status: 404,
      errors: [{ code: 'NOT_FOUND' }],
    });
    // Who manages contacts without being a corporate one can't remove one.
    await closed.portal.db.change({ ...line, accountName: account }, change =>
      change
        .updateTable('contact')
        .set({ permissions: ['contacts-details-update'] })
        .where('contactId', '=', contactId)
        .execute(),
    );
    const now = await closed.named('Corin Achterberg');
    expect(await remove(closed.bill, now.version, now.contactId)).toMatchObject({ status: 403, errors: [{ code: 'CORPORATE_ONLY' }] });
    expect((await closed.people()).filter(({ status }) => status === 'active').map(({ fullName }) => fullName)).toEqual(
      expect.arrayContaining(['Bill Okonkwo', 'Corin Achterberg']),
    );
  });

  test('a person leaves, and the last one who can pay stays until the registry has another', async () => {
    await using closed = await closedAccount(kind);
    const leave = (person: Person) => person(api.contacts.leaveAccount, { account, body: {} });
    expect(await leave(closed.corin)).toMatchObject({ status: 409, errors: [{ code: 'LAST_CORPORATE_CONTACT' }] });
    expect(await leave(closed.bill)).toMatchObject({ status: 200, data: { removed: true } });
    expect(await closed.subjectsTo('bill')).toContain(gone('Bill Okonkwo'));
    expect(await closed.bill(api.peopleWithAccess.listPeopleWithAccess, { account })).toMatchObject(hidden);
    expect(await closed.named('Corin Achterberg')).toMatchObject({ isLastPayer: true });
    const refused = { status: 409, errors: [{ code: 'LAST_PAYER', message: expect.stringContaining('Write to the registry') }] };
    expect(await leave(closed.corin)).toMatchObject(refused);
    expect(await closed.withdraw(closed.corin, 'Corin Achterberg')).toMatchObject(refused);
    // Who pays nothing leaves all the same.
    expect(await leave(closed.tess)).toMatchObject({ status: 200, data: { removed: true } });
  });

  test('the registry approves that a corporate contact goes, and the last one who can pay stays', async () => {
    await using closed = await closedAccount(kind, { corporate: true });
    expect(await closed.withdraw(closed.corin, 'Tess Lindqvist')).toMatchObject({ status: 202, data: { removed: false } });
    const waiting = await closed.named('Tess Lindqvist');
    expect(waiting).toMatchObject({ status: 'active', removalAskedAt: expect.any(String) });
    expect((await closed.tess(api.billing.getBilling, { account })).status).toBe(200);
    expect(await closed.withdraw(closed.corin, 'Tess Lindqvist')).toMatchObject({ status: 409, errors: [{ code: 'REGISTRY_DECIDES' }] });
    expect(await closed.decide(true)).toMatchObject({ status: 200, data: { status: 'approved', accountStatus: 'closed' } });
    expect(await closed.tess(api.billing.getBilling, { account })).toMatchObject(hidden);
    expect(await closed.subjectsTo('tess')).toContain(`The registry approved a change of corporate contacts of ${account}`);
  });

  test('where changes need a second person, the registry is the second person', async () => {
    await using closed = await closedAccount(kind, { rule: true });
    expect(await closed.withdraw(closed.corin, 'Bill Okonkwo', 'Left')).toMatchObject({
      status: 202,
      data: { removed: false, words: expect.stringContaining('Bill Okonkwo keeps access') },
    });
    expect((await closed.bill(api.billing.getBilling, { account })).status).toBe(200);
    // The person and the corporate contacts learn of it before anything happens.
    for (const name of ['bill', 'corin']) expect(await closed.subjectsTo(name)).toContain(`Request about a contact of ${account}`);
    expect(await closed.decide(false)).toMatchObject({ status: 200, data: { status: 'rejected' } });
    expect(await closed.named('Bill Okonkwo')).toMatchObject({ status: 'active', removalAskedAt: null });
    expect(await closed.withdraw(closed.corin, 'Bill Okonkwo')).toMatchObject({ status: 202 });
    expect(await closed.decide(true)).toMatchObject({ status: 200 });
    expect(await closed.bill(api.billing.getBilling, { account })).toMatchObject(hidden);
    // Leaving needs no second person, by either call.
    expect(await closed.withdraw(closed.tess, 'Tess Lindqvist')).toMatchObject({ status: 403 });
    expect(await closed.tess(api.contacts.leaveAccount, { account, body: {} })).toMatchObject({ status: 200, data: { removed: true } });
  });

  test('the registry can’t approve more than that about a closed account, nor take its last payer', async () => {
    await using closed = await closedAccount(kind, { corporate: true });
    expect(await closed.withdraw(closed.corin, 'Tess Lindqvist')).toMatchObject({ status: 202 });
    await closed.portal.db.change({ ...line, accountName: account }, async change => {
      await change
        .updateTable('contact')
        .set({ permissions: ['contacts-details-view'] })
        .where('accountName', '=', account)
        .where('fullName', '<>', 'Tess Lindqvist')
        .execute();
    });
    expect(await closed.decide(true)).toMatchObject({ status: 409, errors: [{ code: 'LAST_PAYER' }] });
    await closed.portal.db.change({ ...line, accountName: account }, change =>
      change
        .updateTable('registryRequest')
        .set({ kind: 'change-role', contactTypes: ['billing'] })
        .where('accountName', '=', account)
        .execute(),
    );
    expect(await closed.decide(true)).toMatchObject({ status: 409, errors: [{ code: 'ACCOUNT_CLOSED' }] });
  });

  test('an invitation that was open when the account closed is withdrawn too, without a second person', async () => {
    await using portal = await testPortal(kind);
    const [corin, nadia] = await Promise.all([portal.as('corin'), portal.as('nadia')]);
    const body = { fullName: 'Nadia Haddad', email: 'nadia@newcomer.example', contactTypes: ['billing' as const] };
    expect((await corin(api.contacts.inviteContact, { account, body })).status).toBe(200);
    await portal.db.change({ ...line, accountName: account }, async change => {
      await change.insertInto('twoPersonRule').values({ accountName: account, since: change.now }).execute();
      await change.updateTable('account').set({ accountStatus: 'closed' }).where('accountName', '=', account).execute();
    });
    const { data } = await corin(api.peopleWithAccess.listPeopleWithAccess, { account });
    const { contactId, version, ...invited } = data!.find(({ status }) => status === 'invited')!;
    expect(invited).toMatchObject({ fullName: 'Nadia Haddad', isLastPayer: false });
    expect((await nadia(api.invitations.listOwnInvitations, {})).data).toEqual([]);
    expect(await corin(api.contacts.removeContact, { account, contactId, body: { version } })).toMatchObject({
      status: 200,
      data: { removed: true },
    });
    const [invitation] = await portal.db.read.selectFrom('invitation').select('state').where('contactId', '=', contactId).execute();
    expect(invitation).toEqual({ state: 'revoked' });
  });
});
