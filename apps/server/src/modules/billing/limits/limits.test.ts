import { api } from '@portal/contract/api';
import { daysAfter } from '@portal/contract/days';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BillingPortal, billingPortal, today } from '../../../../test/billing-portal.ts';
import { anyNumbers } from '../../../../test/any-numbers.ts';
import { kindsForRules } from '../../../../test/portal.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { delegate } from '../../resources/index.ts';
import { lockInvoice } from '../invoices/invoices.ts';
import { recordPayment } from '../payments/payments.ts';
import { limitInvariants } from './limit-invariants.ts';

const line = { action: 'test', summary: 'test', traceId: '0'.repeat(32) };
const accounts = ['OTHER-SG', 'CAMPUS-JP', 'EXAMPLE-AU', 'KELP-WS'] as const;
type Account = (typeof accounts)[number];
const two = { status: 409, errors: [{ code: 'SECOND_PERSON' }] };
let references = 0;
const reference = (): string => `LIMIT-${(references += 1)}`;

/** A registry of which each account has an invoice and 40,000.00 of credit that two people recorded. */
async function registryWithCredit(kind: (typeof kindsForRules)[number]) {
  const portal = await billingPortal(kind, Object.fromEntries(accounts.map(name => [name, daysAfter(today, -10)])));
  await portal.on(today);
  const [stella, stan] = await Promise.all([portal.as('stella'), portal.as('stan')]);
  const logins = await portal.db.read
    .selectFrom('login')
    .select(['username', 'loginId'])
    .where('username', 'in', ['stella', 'stan'])
    .execute();
  const [first, second] = ['stella', 'stan'].map(name => logins.find(({ username }) => username === name)!.loginId);
  const latest = async (account: Account) => (await portal.billingOf(account)).invoices[0]!;
  for (const account of accounts) {
    const { number, balance } = await latest(account);
    const amount = String(Number(balance) + 40_000);
    await portal.db.change(line, async change =>
      recordPayment({
        change,
        caller: { loginId: first!, approvedBy: second! } as Caller,
        row: await lockInvoice(change, number),
        body: { amount, receivedOn: today, reference: reference() },
        hasSecondPerson: true,
        registry: { today, profile: portal.context.profile },
      }),
    );
  }
  const [dora, ravi] = await Promise.all([portal.as('dora'), portal.as('ravi')]);
  const people = { dora, ravi };
  const refund = (account: Account, amount: string, refundedOn = today, who: keyof typeof people = 'dora') =>
    people[who](api.corrections.recordRefund, {
      accountName: account,
      body: { amount, refundedOn, reference: reference(), reason: 'Asked for' },
    });
  return Object.assign(portal, { stella, stan, ...people, latest, refund });
}

const violations = async ({ db, context }: BillingPortal) =>
  (
    await Promise.all(
      limitInvariants.map(({ check }) =>
        check({
          read: db.read,
          accounts: null,
          profile: context.profile,
          modules: context.modules,
          secrets: context.config,
          now: new Date(),
        }),
      ),
    )
  ).flat();

describe.each(kindsForRules)('the limits of one person on %s', kind => {
  let portal: Awaited<ReturnType<typeof registryWithCredit>>;
  beforeAll(async () => {
    portal = await registryWithCredit(kind);
  });
  afterAll(() => portal[Symbol.asyncDispose]());

  test('count what was recorded, whatever day a refund is dated', async () => {
    expect((await portal.refund('OTHER-SG', '9999.00')).status).toBe(200);
    for (const day of [today, daysAfter(today, -1), daysAfter(today, -2), daysAfter(today, -20)])
      expect(await portal.refund('OTHER-SG', '9999.00', day), day).toMatchObject(two);
    // The rest of the limit is still one person's.
    expect((await portal.refund('OTHER-SG', '1.00')).status).toBe(200);
    expect(await portal.refund('OTHER-SG', '0.01')).toMatchObject(two);
  });

  test('count together for an account, by any person and any act', async () => {
    expect(await portal.refund('OTHER-SG', '5.00', today, 'ravi')).toMatchObject(two);
    const { number } = await portal.latest('OTHER-SG');
    const note = { invoiceNumber: number, body: { amount: '5.00', reason: 'A mistake' } };
    for (const as of [portal.stella, portal.stan]) expect(await as(api.corrections.issueCreditNote, note)).toMatchObject(two);
  });

  test('count together for a person, over all accounts', async () => {
    expect((await portal.refund('CAMPUS-JP', '9999.00')).status).toBe(200);
    // 10,000 and 9,999 of 25,000.
    expect(await portal.refund('EXAMPLE-AU', '5001.01')).toMatchObject(two);
    expect((await portal.refund('EXAMPLE-AU', '5001.00')).status).toBe(200);
    expect(await portal.refund('KELP-WS', '0.01')).toMatchObject(two);
    // Another person has a limit of their own.
    expect((await portal.refund('KELP-WS', '0.01', today, 'ravi')).status).toBe(200);
  });

  test('say to the second person why, and what two people did doesn’t count for a person', async () => {
    const { waiting } = (await portal.ravi(api.proposals.listStaffProposals, {})).data!;
    const asked = waiting.find(({ accountName, isMine }) => accountName === 'KELP-WS' && !isMine)!;
    expect(asked.shown).toContainEqual({
      label: 'Second person because',
      value: 'Money given: more than the limit of 30 days by one person, for all accounts',
    });
    const { proposalId, fingerprint } = asked;
    expect((await portal.ravi(api.proposals.approveStaffProposal, { proposalId, body: { fingerprint } })).status).toBe(200);
    const rows = await portal.db.read.rows<{ who: string; second: string | null; amount: string }>(sql`
      select l.username as who, s.username as second, a.amount::text from limited_act a join login l on l.login_id = a.made_by
      left join login s on s.login_id = a.second_person where a.account_name = 'KELP-WS' and a.name = 'given' order by limited_act_id`);
    expect(rows).toEqual([
      { who: 'ravi', second: null, amount: '0.01' },
      { who: 'dora', second: 'ravi', amount: '0.01' },
    ]);
  });

  test('count holidays that are removed and added again', async () => {
    const days = (until: number, name = 'A day off') =>
      portal.stella(api.memberships.addHolidays, {
        body: { from: daysAfter(today, 300), to: daysAfter(today, 300 + until - 1), name },
      });
    expect((await days(20)).status).toBe(200);
    expect((await portal.stella(api.memberships.removeHoliday, { day: daysAfter(today, 300) })).status).toBe(200);
    expect(await days(1)).toMatchObject(two);
    expect((await portal.stan(api.memberships.addHolidays, { body: { from: daysAfter(today, 300), name: 'Again' } })).status).toBe(200);
  });

  test('hold when many people act at the same moment', async () => {
    await using raced = await registryWithCredit(kind);
    const done = await Promise.all(
      Array.from({ length: 8 }, (_, place) =>
        raced.refund('OTHER-SG', '3000.00', daysAfter(today, -place), place % 2 === 0 ? 'dora' : 'ravi'),
      ),
    );
    expect(done.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(done.filter(({ errors }) => errors?.[0]?.code === 'SECOND_PERSON')).toHaveLength(5);
    expect(await violations(raced)).toEqual([]);
  });

  test('leave nothing that was done without the second person, and the acts stay as they were', async () => {
    expect(await violations(portal)).toEqual([]);
    for (const statement of [
      sql`update limited_act set amount = 1`,
      sql`delete from limited_act`,
      sql`update limit_in_force set person = 1`,
    ])
      await expect(portal.db.change(line, change => statement.execute(change))).rejects.toThrow('What was done under a limit stays');
    await expect(
      portal.db.change(line, change =>
        sql`insert into refund (account_name, currency, amount, refunded_on, reference, reason, recorded_by, recorded_at)
          select account_name, currency, amount, refunded_on, 'past the program', reason, recorded_by, recorded_at from refund limit 1`.execute(
          change,
        ),
      ),
    ).rejects.toThrow('limited_act_id');
  });
});

test('more time is given in pieces up to the limit of the account, and no further', async () => {
  const account = 'OTHER-SG';
  await using portal = await billingPortal(undefined, { [account]: daysAfter(today, -10) });
  await portal.on(today);
  const stella = await portal.as('stella');
  const invoiceNumber = (await portal.billingOf(account)).invoices[0]!.number;
  const extend = (days: number) =>
    stella(api.billing.extendInvoice, { invoiceNumber, body: { until: daysAfter(today, days), reason: 'They asked' } });
  expect((await extend(40)).status).toBe(200);
  expect((await extend(60)).status).toBe(200);
  expect(await extend(61)).toMatchObject(two);
  // Taking time back and giving it again is giving it.
  expect((await extend(10)).status).toBe(200);
  expect(await extend(60)).toMatchObject(two);
  expect((await portal.billingOf(account)).invoices[0]!.extendedUntil).toBe(daysAfter(today, 10));
});

test('payments count together however they are dated, split over invoices and statements, or taken back by a credit note and recorded again', async () => {
  const account = 'OTHER-SG';
  await using portal = await billingPortal(undefined, { [account]: daysAfter(today, -10) });
  await portal.db.change(line, change =>
    delegate(change, { accountName: account, resource: '44.0.0.0/10', type: 'allocated', delegatedOn: '2020-01-01' }, anyNumbers),
  );
  await portal.on(today);
  const stella = await portal.as('stella');
  const invoiceNumber = (await portal.billingOf(account)).invoices[0]!.number;
  const pay = (amount: string, receivedOn = today, isEarly = false) =>
    stella(api.billing.recordPayment, { invoiceNumber, body: { amount, receivedOn, reference: reference(), isEarly } });
  expect((await pay('5999.00')).status).toBe(200);
  expect((await pay('4000.00', daysAfter(today, -1))).status).toBe(200);
  expect(await pay('1.01', daysAfter(today, -200), true)).toMatchObject(two);
  const note = await stella(api.corrections.issueCreditNote, { invoiceNumber, body: { amount: '9999.00', reason: 'A mistake' } });
  expect(note.status).toBe(200);
  expect(await pay('1.01')).toMatchObject(two);
  const content = `Date,Amount,Description\n${today},1.01,${invoiceNumber}\n`;
  await stella(api.bankStatements.importBankStatement, { body: { fileName: 'forged.csv', content } });
  const { bankLineId } = (await stella(api.bankStatements.listBankLines, { query: {} })).data!.rows[0]!;
  expect(
    await stella(api.bankStatements.recordBankLine, { bankLineId, body: { parts: [{ invoiceNumber, amount: '1.01' }] } }),
  ).toMatchObject(two);
  expect(await violations(portal)).toEqual([]);
});
