import { createHash } from 'node:crypto';
import { type Flag, flagKeys, flags } from '@portal/contract';
import { allEndpoints, api } from '@portal/contract/api';
import type { NewFeatureSetting } from '@portal/contract/features/features';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kindsForRules, secondProcess, type TestPortal, testPortal } from '../../../test/portal.ts';

const account = 'EXAMPLE-AU';

/** Switches a feature as Stella, from where it is. */
async function set(portal: TestPortal, feature: Flag, to: Partial<NewFeatureSetting> & Pick<NewFeatureSetting, 'stands'>) {
  const stella = await portal.as('stella');
  const { edition } = (await stella(api.features.getFeature, { feature })).data!.setting;
  return stella(api.features.setFeature, {
    feature,
    body: { edition, share: null, accounts: [], reason: 'The first members try it', ...to },
  });
}

async function switched(...given: Parameters<typeof set>) {
  const answer = await set(...given);
  expect(answer.errors ?? []).toEqual([]);
  return answer.data!;
}

const featuresIn = async (portal: Pick<TestPortal, 'as'>, who = 'corin', name = account): Promise<readonly Flag[]> =>
  (await (await portal.as(who))(api.accounts.listAccounts, {})).data!.find(({ accountName }) => accountName === name)!.features;

describe.each(kindsForRules)('features on %s', kind => {
  let portal: TestPortal;
  beforeAll(async () => {
    portal = await testPortal(kind);
  });
  afterAll(() => portal[Symbol.asyncDispose]());

  test.each(flagKeys)('each call of the feature %s is refused to an account that doesn’t have it, and to no other', async feature => {
    const calls = allEndpoints.filter(({ flag }) => flag === feature);
    const codes = (): Promise<(string | null)[]> =>
      Promise.all(calls.map(async call => (await portal.answerOf(call, { as: 'corin' })).code));
    await switched(portal, feature, { stands: 'accounts', accounts: ['OTHER-SG'] });
    expect(await codes()).toEqual(calls.map(() => 'FEATURE_NOT_ON'));
    expect(await featuresIn(portal)).not.toContain(feature);
    expect(await featuresIn(portal, 'olive', 'OTHER-SG')).toContain(feature);
    await switched(portal, feature, { stands: 'accounts', accounts: [account] });
    for (const code of await codes()) expect(code ?? 'done').not.toMatch(/^FEATURE/);
    expect(await featuresIn(portal)).toContain(feature);
    await switched(portal, feature, { stands: 'off' });
    expect(await codes()).toEqual(calls.map(() => 'FEATURE_OFF'));
    await switched(portal, feature, { stands: 'everyone' });
    for (const code of await codes()) expect(code ?? 'done').not.toMatch(/^FEATURE/);
  });

  test('a refusal says which account doesn’t have what', async () => {
    await switched(portal, 'renewalquote', { stands: 'accounts', accounts: ['OTHER-SG'] });
    const corin = await portal.as('corin');
    expect(await corin(api.renewals.getRenewal, { account })).toMatchObject({
      status: 403,
      errors: [
        { message: 'This isn’t switched on for EXAMPLE-AU: renewal quotes in billing. The registry turns it on for some accounts first' },
      ],
    });
    await switched(portal, 'renewalquote', { stands: 'everyone' });
  });

  test('a call without an account, and anyone, have what everyone has', async () => {
    await switched(portal, 'zonefiles', { stands: 'share', share: 99 });
    const nobody = await portal.as(null);
    expect((await nobody(api.shell.getFeatureFlags, {})).data).toMatchObject({ zonefiles: false, checklists: true });
    await switched(portal, 'zonefiles', { stands: 'everyone' });
    expect((await nobody(api.shell.getFeatureFlags, {})).data).toMatchObject({ zonefiles: true });
  });

  test('registry staff who visit an account have what it has', async () => {
    await switched(portal, 'renewalquote', { stands: 'accounts', accounts: ['OTHER-SG'] });
    const stella = await portal.as('stella');
    const { data: visit } = await stella(api.staff.startVisit, { accountName: account });
    expect(visit!.account.features).not.toContain('renewalquote');
    expect(await stella(api.renewals.getRenewal, { account })).toMatchObject({ status: 403, errors: [{ code: 'FEATURE_NOT_ON' }] });
    await switched(portal, 'renewalquote', { stands: 'accounts', accounts: [account] });
    expect(await stella(api.renewals.getRenewal, { account })).toMatchObject({ status: 200 });
    expect((await stella(api.staff.getVisit, {})).data!.visit!.account.features).toContain('renewalquote');
    await stella(api.staff.endVisit, {});
    await switched(portal, 'renewalquote', { stands: 'everyone' });
  });

  test('a program with an API key has what its account has', async () => {
    const corin = await portal.as('corin');
    const made = await corin(api.apiKeys.createApiKey, { account, body: { label: 'books', scopes: ['billing:read'], days: 30 } });
    const ask = async (): Promise<number> =>
      (await portal.request(`/registry-api/v1/${account}/billing/renewal`, { headers: { authorization: `Bearer ${made.data!.secret}` } }))
        .status;
    expect(await ask()).toBe(200);
    await switched(portal, 'renewalquote', { stands: 'accounts', accounts: ['OTHER-SG'] });
    expect(await ask()).toBe(403);
    await switched(portal, 'renewalquote', { stands: 'everyone' });
  });

  test('every process has a change with the next call', async () => {
    await using other = kind === 'postgres' ? await secondProcess(portal.url) : null;
    for (const stands of ['off', 'everyone'] as const) {
      await switched(portal, 'checklists', { stands });
      for (const process of [portal, ...(other ? [other] : [])])
        expect((await featuresIn(process)).includes('checklists')).toBe(stands === 'everyone');
    }
  });

  test('a share is of the accounts whose place is in it; named accounts have it too', async () => {
    const names = (await portal.db.read.rows<{ accountName: string }>(sql`select account_name from account`)).map(
      ({ accountName }) => accountName,
    );
    const stella = await portal.as('stella');
    const on = async (): Promise<string[]> => {
      const answers = await Promise.all(
        names.map(
          async name => (await stella(api.features.getAccountFeature, { feature: 'ipv6oneclick', query: { account: name } })).data!,
        ),
      );
      return answers.flatMap(({ accountName, isOn }) => (isOn ? [accountName] : []));
    };
    let before: string[] = [];
    for (const share of [5, 30, 60, 90]) {
      const details = await switched(portal, 'ipv6oneclick', { stands: 'share', share });
      const now = await on();
      expect(now.toSorted()).toEqual(names.filter(name => placeOf('ipv6oneclick', name) < share * 100).toSorted());
      expect(before.filter(name => !now.includes(name))).toEqual([]);
      expect(details.accountsOn).toBe(details.accountsByShare[share]);
      before = now;
    }
    const outside = names.find(name => !before.includes(name)) ?? names.find(name => placeOf('ipv6oneclick', name) >= 100)!;
    await switched(portal, 'ipv6oneclick', { stands: 'share', share: 1, accounts: [outside] });
    const asked = await stella(api.features.getAccountFeature, { feature: 'ipv6oneclick', query: { account: outside.toLowerCase() } });
    expect(asked.data).toEqual({
      accountName: outside,
      isOn: true,
      why: 'named',
      fromShare: Math.floor(placeOf('ipv6oneclick', outside) / 100) + 1,
    });
    await switched(portal, 'ipv6oneclick', { stands: 'everyone' });
  });

  test('places of accounts are those of the hash, and about as many are in a share as it says', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...flagKeys),
        fc.array(fc.stringMatching(/^[A-Z][A-Z0-9-]{2,30}$/), { maxLength: 20 }),
        async (feature, some) => {
          const rows = await portal.db.read.rows<{ name: string; place: number }>(
            sql`select n as name, feature_place(${feature}, n) as place from unnest(${some}::text[]) n`,
          );
          for (const { name, place } of rows) expect(place, name).toBe(placeOf(feature, name));
        },
      ),
      { numRuns: 20 },
    );
    const many = 20_000;
    for (const share of [1, 25, 50, 99]) {
      const [row] = await portal.db.read.rows<{ inShare: number }>(sql`
        select count(*)::int as in_share from generate_series(1, ${many}) n where feature_place('zonefiles', 'MEMBER-' || n || '-AU') < ${share * 100}`);
      const part = share / 100;
      // Five standard deviations.
      expect(Math.abs(row!.inShare - many * part)).toBeLessThan(5 * Math.sqrt(many * part * (1 - part)));
    }
  });

  test('the second of two people who change a feature is told, and a setting that changes nothing is refused', async () => {
    const { setting } = await switched(portal, 'checklists', { stands: 'share', share: 20, accounts: [account] });
    expect(setting).toMatchObject({ stands: 'share', share: 20, accounts: [account], changedBy: 'Stella Kowalski' });
    expect(await set(portal, 'checklists', { stands: 'off', edition: setting.edition - 1 })).toMatchObject({
      status: 412,
      errors: [{ code: 'STALE' }],
    });
    expect(await set(portal, 'checklists', { stands: 'share', share: 20, accounts: [account] })).toMatchObject({
      status: 409,
      errors: [{ code: 'NOTHING_TO_DO' }],
    });
    const undone = await switched(portal, 'checklists', { stands: 'everyone', reason: 'Undone' });
    expect(undone.settings.slice(0, 2).map(({ stands, reason }) => [stands, reason])).toEqual([
      ['everyone', 'Undone'],
      ['share', 'The first members try it'],
    ]);
  });

  test.each([
    [{ stands: 'accounts' }, 'accounts', /Name at least one account/],
    [{ stands: 'accounts', accounts: ['NOWHERE-XX'] }, 'accounts', /No open account is called NOWHERE-XX/],
    [{ stands: 'share' }, 'share', /1 to 99 percent/],
    [{ stands: 'share', share: 100 }, 'share', /1 to 99 percent/],
    [{ stands: 'off', reason: ' ' }, 'reason', /Say why/],
  ] as const)('%j is refused at its field', async (to, field, message) => {
    const answer = await set(portal, 'zonefiles', to as Parameters<typeof set>[2]);
    expect(answer).toMatchObject({ status: 400, errors: [{ field, message: expect.stringMatching(message) as string }] });
  });

  test('only registry staff with the policy switch features, and an auditor reads them', async () => {
    for (const [who, read, change] of [
      ['corin', 404, 404],
      ['audra', 200, 403],
    ] as const) {
      expect(await portal.statusOf(api.features.listFeatures, { as: who })).toBe(read);
      expect(await portal.statusOf(api.features.setFeature, { as: who })).toBe(change);
    }
  });

  test('a setting is in the activity log, and is never another one', async () => {
    await switched(portal, 'zonefiles', { stands: 'accounts', accounts: [account], reason: 'Asked for by its engineers' });
    const [line] = await portal.db.read.rows<{ action: string; detail: unknown }>(
      sql`select action, details as detail from activity where action = 'features.setFeature' order by activity_id desc limit 1`,
    );
    expect(line).toMatchObject({
      detail: { feature: flags.zonefiles.title, after: 'On for named accounts', accounts: [account], reason: 'Asked for by its engineers' },
    });
    const line2 = { action: 'test', summary: 'Test', traceId: '0'.repeat(32) };
    for (const statement of [
      sql`update feature_setting set reason = 'x' where feature = 'zonefiles'`,
      sql`delete from feature_account where feature = 'zonefiles'`,
    ])
      await expect(portal.db.change(line2, change => change.rows(statement))).rejects.toThrow(/stays in its history/);
    await switched(portal, 'zonefiles', { stands: 'everyone' });
  });
});

test('what the installation switches off stays off, whatever is set, and the desk says so', async () => {
  await using portal = await testPortal(undefined, { FLAG_CHECKLISTS: 'no' });
  const details = await switched(portal, 'checklists', { stands: 'accounts', accounts: [account] });
  expect(details).toMatchObject({ offByInstallation: true, variable: 'FLAG_CHECKLISTS', accountsOn: 0 });
  expect(await featuresIn(portal)).not.toContain('checklists');
  expect(await portal.answerOf(api.rpkiChecklists.signChecklist, { as: 'corin' })).toMatchObject({ status: 403, code: 'FEATURE_OFF' });
  const stella = await portal.as('stella');
  expect((await stella(api.features.getAccountFeature, { feature: 'checklists', query: { account } })).data).toMatchObject({
    isOn: false,
    why: 'installation',
  });
});

/** The place of an account for a feature, as decision 326 says. */
function placeOf(feature: Flag, name: string): number {
  return createHash('sha256').update(`${feature} ${name}`).digest().readUIntBE(0, 3) % 10_000;
}
