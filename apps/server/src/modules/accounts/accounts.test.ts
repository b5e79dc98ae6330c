import { countsInAccount } from '@portal/contract/admission';
import { allEndpoints, api } from '@portal/contract/api';
import { buildNavigation, visibleNavigation } from '@portal/contract/navigation';
import type { NavigationItem } from '@portal/contract/shell/shell';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kindsForRules, testPortal, type TestPortal } from '../../../test/portal.ts';

describe.each(kindsForRules)('accounts of a login on %s', kind => {
  let portal: TestPortal;
  beforeAll(async () => {
    portal = await testPortal(kind);
  });
  afterAll(() => portal[Symbol.asyncDispose]());
  const accountsOf = async (name: string) => (await (await portal.as(name))(api.accounts.listAccounts, {})).data!;

  test('all twelve, the suspended and the closed one included: the portal drops closed ones', async () => {
    const accounts = await accountsOf('max');
    expect(accounts).toHaveLength(12);
    expect(
      accounts
        .filter(({ accountStatus }) => accountStatus !== 'open')
        .map(({ accountName, accountStatus }) => [accountName, accountStatus]),
    ).toEqual([
      ['GONE-VU', 'closed'],
      ['LATE-FJ', 'suspended'],
    ]);
  });

  test('with the contact types and permissions the person has in each', async () => {
    const [account] = await accountsOf('tilda');
    expect(account).toMatchObject({ accountName: 'EXAMPLE-AU', contactTypes: ['technical', 'billing'], nir: false, asStaff: false });
    expect(account!.permissions).toContain('roas-update');
    expect(account!.permissions).toContain('member-billing-view');
    expect(account!.permissions).not.toContain('voting-vote');
  });

  test('acceptance scenario 1: Nadia, who has no account, may apply, link and be invited, sees no billing, and votes as an attendee only', async () => {
    const nadia = await portal.as('nadia');
    expect(await accountsOf('nadia')).toEqual([]);
    const labels = (items: readonly NavigationItem[]): string[] =>
      items.flatMap(item => [item.label_en_us, ...labels(item.children ?? [])]);
    const seen = labels(
      visibleNavigation(buildNavigation('Registry', { staff: false, staffPermissions: new Set() }), { hasAccounts: false, account: null }),
    );
    expect(seen).toEqual(expect.arrayContaining(['Apply for membership', 'Link a membership']));
    expect(seen).not.toContain('Billing');
    expect(seen).not.toContain('Account contacts');

    expect((await nadia(api.applications.startApplication, {})).data).toMatchObject({ state: 'draft' });
    expect(await nadia(api.accessRequests.linkAccount, { body: { accountName: 'OTHER-SG' } })).toEqual({ status: 204 });
    expect((await nadia(api.accessRequests.listLinkRequests, {})).data).toMatchObject([{ accountName: 'OTHER-SG' }]);
    const corin = await portal.as('corin');
    const body = { fullName: 'Nadia Haddad', email: 'nadia@newcomer.example', contactTypes: ['billing' as const] };
    await corin(api.contacts.inviteContact, { account: 'EXAMPLE-AU', body });
    expect((await nadia(api.invitations.listOwnInvitations, {})).data).toMatchObject([{ accountName: 'EXAMPLE-AU' }]);
    // Invited is not yet a contact.
    expect((await nadia(api.home.getHome, { account: 'EXAMPLE-AU' })).status).toBe(404);
    // Nothing of any account, including its billing and votes.
    for (const endpoint of allEndpoints.filter(({ path, method }) => method === 'GET' && path.startsWith('/api/:account/')))
      expect(await portal.answerOf(endpoint, { as: 'nadia' })).toEqual({ status: 404, code: 'ACCOUNT_NOT_FOUND' });
    const { data: attending } = await nadia(api.voting.getAttendeeVoting, {});
    expect(attending!.elections.map(({ kind }) => kind)).toEqual(['sig', 'nro-nc']);
    expect(new Set(attending!.elections.flatMap(({ windows }) => windows.map(({ kind }) => kind)))).toEqual(
      new Set(['nomination', 'attendee-vote']),
    );
  });

  test('acceptance scenario 30: a closed account can’t be selected anywhere, and registry staff can still read it', async () => {
    const [max, stella] = await Promise.all([portal.as('max'), portal.as('stella')]);
    const closed = { accountName: 'GONE-VU', accountStatus: 'closed' };
    // The list keeps it for old pages; calls for it find nothing.
    expect((await accountsOf('max')).find(({ accountName }) => accountName === 'GONE-VU')).toMatchObject(closed);
    for (const endpoint of allEndpoints.filter(
      each => each.method === 'GET' && each.path.startsWith('/api/:account/') && !countsInAccount(each, closed),
    ))
      expect(await portal.answerOf(endpoint, { as: 'max', account: 'GONE-VU' })).toEqual({ status: 404, code: 'ACCOUNT_NOT_FOUND' });
    expect((await max(api.accounts.listAccounts, {})).data).toHaveLength(12);

    expect((await stella(api.desk.getAccountSheet, { accountName: 'GONE-VU' })).data).toMatchObject({ account: closed });
    expect((await stella(api.documents.listStaffDocuments, { accountName: 'GONE-VU' })).status).toBe(200);
    await stella(api.staff.startVisit, { accountName: 'GONE-VU' });
    expect((await stella(api.organisations.getOrganisation, { account: 'GONE-VU' })).status).toBe(200);
    await stella(api.staff.endVisit, {});
  });

  test('a person without accounts gets an empty list', async () => {
    expect(await accountsOf('nadia')).toEqual([]);
    expect(await accountsOf('stella')).toEqual([]);
  });

  test('an account of a national registry is marked, and only such a one', async () => {
    expect(await accountsOf('nils')).toMatchObject([{ accountType: 'confed-nir', nir: true }]);
    await expect(
      portal.db.change({ action: 'test', summary: 'test', traceId: '0'.repeat(32) }, change =>
        change.updateTable('account').set({ nir: true }).where('accountName', '=', 'OTHER-SG').execute(),
      ),
    ).rejects.toThrow('violates check constraint');
  });
});
