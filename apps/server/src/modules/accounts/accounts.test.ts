import { api } from '@portal/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kinds, testPortal, type TestPortal } from '../../../test/portal.ts';

describe.each(kinds)('accounts of a login on %s', kind => {
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

  test('nobody’s: an empty list', async () => {
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
