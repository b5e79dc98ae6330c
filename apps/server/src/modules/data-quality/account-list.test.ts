import type { CallInput, Client } from '@portal/api-client';
import { api } from '@portal/contract/api';
import { plainFindings } from '@portal/contract/data-quality/findings';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kindsForRules, type TestPortal, testPortal } from '../../../test/portal.ts';
import { giveStaffRole, takeStaffRoles } from '../../../test/staff-roles.ts';
import { unpaidByAccount } from '../billing/index.ts';
import { economiesNamed } from './account-list.ts';

test('an economy is found by its code, its name, and the beginning of a word of its name', () => {
  const economies = ['AU', 'CN', 'FJ', 'HK', 'NZ', 'PG'];
  expect(economiesNamed('china', economies)).toEqual(['CN']);
  expect(economiesNamed('Guinea', economies)).toEqual(['PG']);
  expect(economiesNamed('zeal', economies)).toEqual(['NZ']);
  expect(economiesNamed('fj', economies)).toEqual(['FJ']);
  expect(economiesNamed('ustralia', economies)).toEqual([]);
  expect(economiesNamed('a', economies)).toEqual([]);
});

describe.each(kindsForRules)('the list of accounts on %s', kind => {
  let portal: TestPortal;
  let audra: Client;
  beforeAll(async () => {
    portal = await testPortal(kind);
    // One that is long overdue, one that is due much later, and two of one account.
    await portal.db.change({ action: 'test', summary: 'Issued invoices', traceId: '0'.repeat(32) }, async change => {
      await change.rows(
        sql`insert into stored_file (sha256, bytes, kind, stored_at, checked) values (repeat('a', 64), 1, 'pdf', now(), 'not-checked') on conflict do nothing`,
      );
      for (const [sequence, account, dueOn, total] of [
        [1, 'EXAMPLE-AU', '2001-02-01', '100.00'],
        [2, 'OTHER-SG', '2999-02-01', '70.50'],
        [3, 'OTHER-SG', '2999-03-01', '9.50'],
      ] as const)
        await change.rows(sql`insert into invoice (number, year, sequence, account_name, kind, issued_on, due_on, period_from, period_to, currency, org_name, billing_address, attention,
          tax_number, po_number, fee_schedule_id, ipv4, ipv6, asns, subtotal, tax, total, state, sha256)
          select 'INV-2001-00000' || ${sequence}::int, 2001, ${sequence}::int, ${account}, 'transfer', '2001-01-01', ${dueOn}::date, '2001-01-01', '2001-01-01', 'AUD', 'x', '{x}', '', '', '', null, 0, 0, 0,
            ${total}::numeric, 0, ${total}::numeric, 'issued', sha256 from stored_file limit 1`);
    });
    audra = await portal.as('audra');
  });
  afterAll(() => portal[Symbol.asyncDispose]());

  const list = async (query: NonNullable<CallInput<typeof api.accountList.listStaffAccounts>['query']> = {}) => {
    const answer = await audra(api.accountList.listStaffAccounts, { query: { limit: 100, ...query } });
    expect(answer.errors).toBeUndefined();
    return answer.data!;
  };
  const namesIn = async (query: NonNullable<CallInput<typeof api.accountList.listStaffAccounts>['query']>) =>
    (await list(query)).rows.map(({ accountName }) => accountName);
  const countWhere = async (where: ReturnType<typeof sql>) =>
    (await portal.db.read.rows<{ n: number }>(sql`select count(*)::int as n from account a where ${where}`))[0]!.n;

  test('shows every account by name, a page at a time', async () => {
    const first = await list();
    expect(first.all).toBe(await countWhere(sql`true`));
    expect(first.total).toBe(first.all);
    expect(first.rows.map(({ accountName }) => accountName)).toEqual(first.rows.map(({ accountName }) => accountName).toSorted());
    expect(first.economies.reduce((sum, { accounts }) => sum + accounts, 0)).toBe(await countWhere(sql`economy is not null`));
    const second = await list({ offset: 2, limit: 2 });
    expect(second.rows).toEqual(first.rows.slice(2, 4));
    expect(second.total).toBe(first.total);
  });

  test('is narrowed by words, economy, kind and state', async () => {
    expect(await namesIn({ q: 'example' })).toContain('EXAMPLE-AU');
    expect(await namesIn({ q: 'singapore' })).toContain('OTHER-SG');
    expect(await namesIn({ q: '%' })).toEqual([]);
    const ofAustralia = await list({ q: 'australia' });
    expect(ofAustralia.total).toBeGreaterThanOrEqual((await list({ economy: 'AU' })).total);
    expect((await list({ economy: 'AU' })).total).toBe(await countWhere(sql`economy = 'AU'`));
    expect((await list({ kind: 'confed-nir' })).total).toBe(await countWhere(sql`account_type = 'confed-nir'`));
    expect((await list({ state: 'closed' })).total).toBe(await countWhere(sql`account_status = 'closed'`));
  });

  test('says what each account owes, as its invoices do, and what those found owe together', async () => {
    const unpaid = await list({ balance: 'unpaid', sort: '-owed' });
    expect(unpaid.rows.map(({ accountName, owed, overdue }) => [accountName, owed, overdue])).toEqual([
      ['EXAMPLE-AU', [{ currency: 'AUD', amount: '100.00' }], true],
      ['OTHER-SG', [{ currency: 'AUD', amount: '80.00' }], false],
    ]);
    expect(unpaid.owed).toEqual([{ currency: 'AUD', amount: '180.00' }]);
    for (const { accountName, owed } of unpaid.rows.slice(0, 5)) {
      const { invoices } = (await audra(api.billing.getStaffBilling, { accountName })).data!;
      const sum = invoices.reduce((before, { balance, state }) => (state === 'cancelled' ? before : before + Number(balance)), 0);
      expect([accountName, owed!.reduce((before, { amount }) => before + Number(amount), 0)]).toEqual([accountName, sum]);
    }
    const sums = unpaid.rows.flatMap(({ owed }) => owed!.map(({ amount }) => Number(amount)));
    expect(unpaid.owed!.reduce((before, { amount }) => before + Number(amount), 0)).toBeCloseTo(
      sums.reduce((before, each) => before + each, 0),
      2,
    );
    const settled = await list({ balance: 'settled' });
    expect(settled.total + unpaid.total).toBe(settled.all);
    expect(settled.owed).toEqual([]);
    expect(await namesIn({ balance: 'overdue' })).toEqual(['EXAMPLE-AU']);
  });

  test('is narrowed to accounts in which something was found, as the list of the finding has them', async () => {
    const found = new Set<string>();
    for (const finding of plainFindings) {
      const { rows } = (await audra(api.dataQuality.listFinding, { finding, query: { limit: 100 } })).data!;
      const of = [...new Set(rows.flatMap(({ accountName }) => accountName ?? []))].toSorted();
      for (const name of of) found.add(name);
      expect([finding, await namesIn({ health: finding })]).toEqual([finding, of]);
    }
    expect(await namesIn({ health: 'any' })).toEqual([...found].toSorted());
    expect((await list({ health: 'none' })).total).toBe((await list()).all - found.size);
  });

  test('is exported with the same filters', async () => {
    const got = await audra(api.accountList.exportStaffAccounts, { query: { economy: 'AU' } });
    const lines = (await (got.data as { blob: Blob }).blob.text()).trim().split('\r\n');
    expect(lines[0]).toBe('account,organisation,economy,kind,state,since,until,marks,owed,overdue');
    expect(lines.slice(1).map(line => line.split(',')[0])).toEqual(await namesIn({ economy: 'AU' }));
  });

  test('shows what is owed to those who see the books only', async () => {
    for (const [role, sees] of [
      ['support', false],
      ['routing', false],
      ['finance', true],
      ['hostmaster', true],
    ] as const) {
      await takeStaffRoles(portal.db, 'stan');
      await giveStaffRole(portal.db, 'stan', role);
      const stan = await portal.as('stan');
      const { data } = await stan(api.accountList.listStaffAccounts, { query: {} });
      expect([role, data!.owed !== null, data!.rows.every(({ owed, overdue }) => (owed !== null && overdue !== null) === sees)]).toEqual([
        role,
        sees,
        true,
      ]);
      for (const query of [{ balance: 'overdue' }, { sort: '-owed' }] as const)
        expect([role, (await stan(api.accountList.listStaffAccounts, { query })).status]).toEqual([role, sees ? 200 : 403]);
      expect([role, (await stan(api.accountList.exportStaffAccounts, { query: { balance: 'unpaid' } })).status]).toEqual([
        role,
        sees ? 200 : 403,
      ]);
    }
    await takeStaffRoles(portal.db, 'stan');
    await giveStaffRole(portal.db, 'stan', 'elections');
    expect((await (await portal.as('stan'))(api.accountList.listStaffAccounts, { query: {} })).status).toBe(403);
  });

  test('reads unpaid invoices by an index of them alone', async () => {
    const plan = await portal.db.change({ action: 'test', summary: 'Read a plan', traceId: '0'.repeat(32) }, async change => {
      await change.rows(sql`set local enable_seqscan = off`);
      return change.rows<Record<string, string>>(sql`explain select * from ${unpaidByAccount('2026-11-28')} u`);
    });
    expect(JSON.stringify(plan)).toMatch(/invoice_unpaid/);
  });
});
