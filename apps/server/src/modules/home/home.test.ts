import { api } from '@portal/contract/api';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kindsForRules, testPortal, type TestPortal } from '../../../test/portal.ts';

const account = 'EXAMPLE-AU';

describe.each(kindsForRules)('the account at one glance on %s', kind => {
  let portal: TestPortal;
  beforeAll(async () => {
    portal = await testPortal(kind);
  });
  afterAll(() => portal[Symbol.asyncDispose]());
  const homeOf = async (name: string, accountName = account, options: { mfa?: boolean } = {}) =>
    (await (await portal.as(name, options))(api.home.getHome, { account: accountName })).data!;
  const ids = (home: Awaited<ReturnType<typeof homeOf>>): string[] => home.attention!.map(item => item.attentionId);

  test('a corporate contact sees deadlines, most harmful first, holdings, recent activity and the contacts', async () => {
    const home = await homeOf('corin');
    const due = home.attention!.map(({ attentionId, urgency }) => `${urgency} ${attentionId}`);
    expect(due).toEqual(expect.arrayContaining(['soon membership-expiring', 'note hold-203.0.113.0/24', 'soon single-corporate-contact']));
    // Most harmful first, then the earliest.
    const ranks = home.attention!.map(({ urgency, due: day }) => `${['urgent', 'soon', 'note'].indexOf(urgency)} ${day ?? '9999'}`);
    expect(ranks).toEqual(ranks.toSorted());
    const billing = await (await portal.as('corin'))(api.billing.getBilling, { account });
    expect(home.attention!.find(({ attentionId }) => attentionId === 'membership-expiring')).toMatchObject({
      due: billing.data!.expiryDate,
      // The page shows the due date, in the reader's time zone: a second one beside it could differ.
      detail: 'It renews for one year when the renewal invoice is paid.',
      action: { label: 'Open billing', link: '/member-account-settings/billing' },
    });
    expect(home.attention!.find(({ attentionId }) => attentionId === 'contacts-without-second-factor')).toMatchObject({
      title: '2 contacts have no two-factor authentication',
      action: { link: '/member-account-settings/account-contacts?view=safety' },
    });
    expect(home.resources).toMatchObject([
      { kind: 'ipv4', delegations: 3, size: '9216', used: '6592' },
      { kind: 'ipv6', delegations: 1 },
      { kind: 'asn', delegations: 2, size: '4' },
    ]);
    expect(home.recent!.lines.length).toBeGreaterThan(0);
    expect(home.recent!.lines.map(line => line.summary)).not.toContain('Previewed changes of whois objects');
    expect(home.contacts!.map(contact => contact.name)).toEqual(['Bill Okonkwo', 'Corin Achterberg', 'Tess Lindqvist', 'Tilda Marchetti']);
  });

  test('recent activity is in the order of the log, names its objects, and leaves routine out', async () => {
    const corin = await portal.as('corin');
    const invited = await corin(api.contacts.inviteContact, {
      account,
      body: { email: 'ivo@example-au.example', fullName: 'Ivo Ray', contactTypes: ['technical'] },
    });
    expect(invited.errors).toBeUndefined();
    const { lines } = (await homeOf('corin')).recent!;
    expect(lines[0]).toMatchObject({ by: 'Corin Achterberg' });
    expect(`${lines[0]!.summary} ${lines[0]!.object}`).toContain('Ivo Ray');
    expect(lines.map(({ at }) => at)).toEqual(
      lines
        .map(({ at }) => at)
        .toSorted()
        .toReversed(),
    );
    expect(lines.filter(({ summary }) => /reminder|Checked the announcements/.test(summary))).toEqual([]);
  });

  test('a billing contact sees neither resources nor the ledger, and no hint of them', async () => {
    const home = await homeOf('bill');
    expect(home).toMatchObject({ resources: null, recent: null });
    expect(ids(home)).toContain('membership-expiring');
    expect(ids(home).filter(id => /^(hold|sign|single|contacts|access)/.test(id))).toEqual([]);
  });

  test('a technical contact is not sent to billing', async () => {
    const home = await homeOf('tess');
    expect(home.attention!.find(item => item.attentionId === 'membership-expiring')).toMatchObject({ action: null });
  });

  test('a session without a second factor gets a hint', async () => {
    expect(ids(await homeOf('corin', account, { mfa: false }))).toContain('no-second-factor');
  });

  test('a suspended account says why, first of all', async () => {
    expect(ids(await homeOf('max', 'LATE-FJ'))[0]).toBe('account-suspended');
  });

  test('a part that fails leaves the others', async () => {
    await portal.db.change({ action: 'test', summary: 'Broke a part', traceId: '0'.repeat(32) }, change =>
      sql`alter table delegation rename column size to amount`.execute(change),
    );
    try {
      const home = await homeOf('corin');
      expect(home.resources).toBeNull();
      expect(home.contacts).toHaveLength(4);
    } finally {
      await portal.db.change({ action: 'test', summary: 'Mended it', traceId: '0'.repeat(32) }, change =>
        sql`alter table delegation rename column amount to size`.execute(change),
      );
    }
  });
});
