import { api } from '@portal/contract/api';
import { daysAfter, monthsAfter } from '@portal/contract/days';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { type BillingPortal, billingPortal, today } from '../../../../test/billing-portal.ts';
import { kindsForRules } from '../../../../test/portal.ts';
import { readProfile } from '../../../profile.ts';
import { billingInvariants } from '../invariants.ts';
import { ledgerAccounts, ledgerOf } from '../invoices/ledger.ts';
import { issueTransferFees } from '../issuing/transfer-fees.ts';
import { reactivationOf } from '../membership/open-reactivation.ts';
import { cents } from '../money.ts';
import { completeReactivations } from './reactivation.ts';

const account = 'CAMPUS-JP';
const reason = 'They asked within a month';
const profile = readProfile('');

/** Periodic work of reactivations on a day. */
async function minute(portal: BillingPortal, day = today): Promise<void> {
  const now = new Date(`${day}T12:00:00Z`);
  await issueTransferFees(portal.db, { now, profile, store: portal.store, fonts: [] });
  await completeReactivations(portal.db, { now, profile, modules: portal.context.modules });
}

/** A registry in which the account was closed for an unpaid renewal. */
async function closedAccount(kind: Parameters<typeof billingPortal>[0]) {
  const portal = await billingPortal(kind, { [account]: daysAfter(today, -70) });
  await portal.on(today);
  const stella = await portal.as('stella');
  let references = 0;
  const pay = (invoiceNumber: string, amount: string) =>
    stella(api.billing.recordPayment, {
      invoiceNumber,
      body: { amount, receivedOn: today, reference: `REACT-PAYMENT-${(references += 1)}` },
    });
  return {
    portal,
    pay,
    start: (waiveFee?: boolean) => stella(api.reactivations.startReactivation, { accountName: account, body: { reason, waiveFee } }),
    end: () => stella(api.reactivations.endReactivation, { accountName: account, body: { reason } }),
    [Symbol.asyncDispose]: () => portal[Symbol.asyncDispose](),
  };
}

/** Hana, who may change the billing of the account, starts its reactivation for the price that she is shown. */
async function startByMember(portal: BillingPortal) {
  const { fee, owed } = (await portal.billingOf(account)).reactivation!;
  return (await portal.as('hana'))(api.reactivations.reactivateAccount, { account, body: { fee, owed } });
}

const refusedBecause = (why: string | RegExp) => ({
  status: 409,
  errors: [{ code: 'REACTIVATION_REFUSED', message: typeof why === 'string' ? expect.stringContaining(why) : expect.stringMatching(why) }],
});
const broken = async (portal: BillingPortal) =>
  billingInvariants.find(({ name }) => name === 'billing.terms')!.check({ read: portal.db.read, accounts: null } as never);

describe.each(kindsForRules)('reactivation on %s', kind => {
  test('a closed account opens again when its fee and its debt are paid, for the term that was billed', async () => {
    await using desk = await closedAccount(kind);
    const { portal } = desk;
    const closed = await portal.billingOf(account);
    expect(closed.reactivation).toMatchObject({ state: 'possible', fee: '1000.00', owed: closed.invoices[0]!.balance });
    const [renewal] = closed.invoices;
    await portal.newMails();

    expect(await desk.start()).toMatchObject({ status: 200, data: { reactivation: { state: 'open' } } });
    expect(await desk.start()).toMatchObject({ status: 409, errors: [{ code: 'REACTIVATION_REFUSED' }] });
    await minute(portal);
    await minute(portal);
    const { invoices } = await portal.billingOf(account);
    const fee = invoices.find(({ kind: of }) => of === 'reactivation')!;
    expect(fee).toMatchObject({ subtotal: '1000.00', dueOn: daysAfter(today, profile.reactivationDays) });
    expect(new Set(await portal.newMails())).toEqual(
      new Set([
        `hana: ${account} can be opened again`,
        ...['accounts', 'hana'].map(who => `${who}: ${account}: invoice ${fee.number}, AUD\u00a01\u00a0000.00`),
      ]),
    );

    expect((await desk.pay(renewal!.number, renewal!.balance)).status).toBe(200);
    await minute(portal);
    expect((await portal.accountStateOf(account)).accountStatus).toBe('closed');
    expect((await desk.pay(fee.number, fee.balance)).status).toBe(200);
    await minute(portal);
    expect(await portal.accountStateOf(account)).toMatchObject({ accountStatus: 'open', expiryDate: renewal!.periodTo });
    const open = await portal.billingOf(account);
    expect(open).toMatchObject({ reactivation: null, accountStatus: 'open' });
    // The clock of memberships goes on with the new term.
    expect(open.next).toEqual({ step: 'reminder', day: daysAfter(renewal!.periodTo, -30) });
  });

  test('the contacts of a closed account still have its invoices, and who may change billing opens it again by paying', async () => {
    await using desk = await closedAccount(kind);
    const { portal } = desk;
    const hana = await portal.as('hana');
    const { data: closed } = await hana(api.billing.getBilling, { account });
    const [renewal] = closed!.invoices;
    expect(closed).toMatchObject({
      accountStatus: 'closed',
      reactivation: { state: 'possible', fee: '1000.00', owed: renewal!.balance, staffOnly: null },
    });
    const { address } = (await hana(api.billing.openInvoice, { account, invoiceNumber: renewal!.number })).data!;
    expect((await hana(api.files.downloadFile, { address })).status).toBe(200);
    expect((await hana(api.billing.downloadStatement, { account, query: {} })).status).toBe(200);
    expect((await hana(api.invoiceDocuments.downloadInvoices, { account, query: {} })).status).toBe(200);
    // All else stays hidden, also what is about billing but not about its invoices.
    const body = { version: closed!.details.version, poNumber: 'PO-1' };
    const hidden = { status: 404, errors: [{ code: 'ACCOUNT_NOT_FOUND' }] };
    expect(await hana(api.billing.updateBillingDetails, { account, body })).toMatchObject(hidden);
    expect(await hana(api.contacts.listContacts, { account, query: {} })).toMatchObject(hidden);
    expect(await (await portal.as('olive'))(api.billing.getBilling, { account })).toMatchObject(hidden);
    const price = { fee: '1000.00', owed: renewal!.balance };
    expect(await (await portal.as('olive'))(api.reactivations.reactivateAccount, { account, body: price })).toMatchObject(hidden);
    const withoutFactor = await portal.as('hana', { mfa: false });
    expect((await withoutFactor(api.reactivations.reactivateAccount, { account, body: price })).status).toBe(401);

    const other = await hana(api.reactivations.reactivateAccount, { account, body: { fee: '999.00', owed: renewal!.balance } });
    expect(other).toMatchObject({
      status: 412,
      errors: [{ code: 'STALE', message: expect.stringMatching(/999.00 .* to a fee of AUD.1.000.00/) }],
    });
    const started = await hana(api.reactivations.reactivateAccount, { account, body: price });
    expect(started).toMatchObject({ status: 200, data: { reactivation: { state: 'open', owed: renewal!.balance } } });
    expect(await hana(api.reactivations.reactivateAccount, { account, body: price })).toMatchObject({
      status: 409,
      errors: [{ code: 'REACTIVATION_REFUSED', message: expect.stringContaining('open already') }],
    });
    expect(await portal.lastActivity()).toMatchObject({ accountName: account });
    await minute(portal);
    for (const { number, balance } of (await portal.billingOf(account)).invoices) await desk.pay(number, balance);
    await minute(portal);
    expect((await portal.accountStateOf(account)).accountStatus).toBe('open');
    expect(await hana(api.reactivations.reactivateAccount, { account, body: price })).toMatchObject({
      status: 409,
      errors: [{ message: expect.stringContaining('isn’t closed') }],
    });
  });

  test('an account that staff closed, or that closed on request, is reactivated by staff alone', async () => {
    await using desk = await closedAccount(kind);
    const { portal } = desk;
    const hana = await portal.as('hana');
    const line = (action: string) => ({ action, summary: 'test', traceId: '0'.repeat(32), accountName: account });
    const status = (action: string, accountStatus: 'open' | 'closed') =>
      portal.db.change(line(action), change =>
        change.updateTable('account').set({ accountStatus }).where('accountName', '=', account).execute(),
      );
    await status('test', 'open');
    await status('organisations.closeAccount', 'closed');
    expect((await hana(api.billing.getBilling, { account })).data!.reactivation).toMatchObject({
      state: 'possible',
      staffOnly: 'it wasn’t closed for an unpaid invoice',
    });
    const price = { fee: '1000.00', owed: (await portal.billingOf(account)).reactivation!.owed };
    expect(await hana(api.reactivations.reactivateAccount, { account, body: price })).toMatchObject({
      status: 409,
      errors: [{ code: 'REACTIVATION_REFUSED', message: expect.stringContaining('Write to') }],
    });
    expect((await desk.start()).status).toBe(200);
  });

  test('an account that had asked to be closed, or about which staff are deciding, is opened by staff', async () => {
    await using desk = await closedAccount(kind);
    const { portal } = desk;
    const line = { action: 'test', summary: 'test', traceId: '0'.repeat(32), accountName: account };
    const staffOnly = async () => (await portal.billingOf(account)).reactivation!.staffOnly;
    expect(await staffOnly()).toBe(null);
    await portal.db.change(line, change =>
      change.rows(sql`insert into proposal (about, action, input, shown, fingerprint, proposed_by, proposed_at, expires_at)
        select ${account}, 'billing.corrections.writeOffInvoice', '{}', '{}', repeat('0', 64), login_id, now(), now() + interval '1 hour' from login where username = 'stella'`),
    );
    expect(await staffOnly()).toBe('they are deciding something about it');
    expect(await startByMember(portal)).toMatchObject(refusedBecause('they are deciding something about it'));
    await portal.db.change(line, change =>
      change.rows(sql`update proposal set state = 'withdrawn', decided_at = now() where about = ${account}`),
    );
    expect(await staffOnly()).toBe(null);
    for (const [state, note, why] of [
      ['withdrawn', null, null],
      ['rejected', '198.51.100.0/24 is locked by the account. Release the lock and ask again.', null],
      ['rejected', 'The account was closed.', 'it had asked to be closed with CLOSE-'],
      ['closed', null, 'it had asked to be closed with CLOSE-'],
    ] as const) {
      await portal.db.change(line, change =>
        change.rows(sql`insert into account_closure_request (account_name, reason, close_on, resources, state, requested_by, requested_at, resolved_at, note, ended_at)
          select account_name, 'Wound up', current_date, 'none', ${state}, contact_id, now(), now(), ${note}, case when ${state} <> 'rejected' then now() end
          from contact where account_name = ${account} limit 1`),
      );
      const now = await staffOnly();
      if (why === null) expect(now).toBe(null);
      else expect(now).toContain(why);
    }
    expect((await desk.start()).status).toBe(200);
  });

  test.each(['written off', 'cancelled'] as const)(
    'a debt that was %s is no paid term: staff decide, and it opens without the term',
    async how => {
      await using desk = await closedAccount(kind);
      const { portal } = desk;
      const [renewal] = (await portal.billingOf(account)).invoices;
      const { number: invoiceNumber } = renewal!;
      const before = (await portal.accountStateOf(account)).expiryDate;
      const given =
        how === 'written off'
          ? await (await portal.as('dora'))(api.corrections.writeOffInvoice, { invoiceNumber, body: { reason } })
          : await (await portal.as('stella'))(api.corrections.issueCreditNote, {
              invoiceNumber,
              body: { amount: renewal!.balance, reason },
            });
      expect(given.status).toBe(200);
      const why = `${invoiceNumber}, which it was closed for, was ${how}`;
      expect((await portal.billingOf(account)).reactivation).toMatchObject({ owed: '0.00', staffOnly: why });
      expect(await startByMember(portal)).toMatchObject(refusedBecause(why));
      expect((await desk.start(true)).status).toBe(200);
      await minute(portal);
      expect(await portal.accountStateOf(account)).toMatchObject({ accountStatus: 'open', expiryDate: before });
      expect(await broken(portal)).toEqual([]);
      // Staff bill it again.
      expect((await portal.billingOf(account)).again).toBe('possible');
      // What opened it for that term anyway is found.
      const line = { action: 'test', summary: 'test', traceId: '0'.repeat(32), accountName: account };
      await portal.db.change(line, change =>
        change.updateTable('account').set({ expiryDate: renewal!.periodTo }).where('accountName', '=', account).execute(),
      );
      expect(await broken(portal)).toMatchObject([{ object: `The term of ${account}` }]);
    },
  );

  test('staff keep an account closed: before a contact starts, when they end it, and when all is paid meanwhile', async () => {
    await using desk = await closedAccount(kind);
    const { portal } = desk;
    // Nothing is open: they bar it, also while a colleague decides something else about it.
    const line = { action: 'test', summary: 'test', traceId: '0'.repeat(32), accountName: account };
    await portal.db.change(line, change =>
      change.rows(sql`insert into proposal (about, action, input, shown, fingerprint, proposed_by, proposed_at, expires_at)
        select ${account}, 'billing.corrections.writeOffInvoice', '{}', '{}', repeat('0', 64), login_id, now(), now() + interval '1 hour' from login where username = 'stella'`),
    );
    expect((await desk.end()).status).toBe(200);
    await portal.db.change(line, change =>
      change.rows(sql`update proposal set state = 'withdrawn', decided_at = now() where about = ${account}`),
    );
    const why = /registry staff keep it closed since \d+ \w+ \d{4}/;
    expect(await startByMember(portal)).toMatchObject(refusedBecause(why));
    expect(await desk.end()).toMatchObject(refusedBecause('only registry staff can start one'));
    // They start one, and end it.
    expect((await desk.start()).status).toBe(200);
    expect((await desk.end()).status).toBe(200);
    expect(await startByMember(portal)).toMatchObject(refusedBecause(why));
    expect((await desk.start(true)).status).toBe(200);
    await minute(portal, daysAfter(today, profile.reactivationDays + 1));
    // One that ends unpaid doesn't lift it.
    expect((await portal.billingOf(account)).reactivation).toMatchObject({ state: 'possible', staffOnly: expect.stringMatching(why) });
  });

  test('a closed account pays its invoice without being reactivated: it stays closed, and is reactivated for the fee and the term it paid', async () => {
    await using desk = await closedAccount(kind);
    const { portal } = desk;
    const [renewal] = (await portal.billingOf(account)).invoices;
    expect((await desk.pay(renewal!.number, renewal!.balance)).status).toBe(200);
    const mails = await portal.db.read
      .selectFrom('mail')
      .select(['body', 'path'])
      .where('subject', '=', `${account}: ${renewal!.number} is paid`)
      .execute();
    expect(mails[0]!.body).toContain('The account stays closed: paying');
    // Its contacts can't choose it: the link names it.
    expect(mails.map(({ path }) => path)).toContain(`/member-account-settings/closed-account?account=${account}`);
    await minute(portal);
    expect(await portal.billingOf(account)).toMatchObject({
      accountStatus: 'closed',
      reactivation: { state: 'possible', owed: '0.00', staffOnly: null },
    });
    expect((await startByMember(portal)).status).toBe(200);
    await minute(portal);
    const fee = (await portal.billingOf(account)).invoices.find(({ kind: of }) => of === 'reactivation')!;
    expect((await desk.pay(fee.number, fee.balance)).status).toBe(200);
    await minute(portal);
    expect(await portal.accountStateOf(account)).toMatchObject({ accountStatus: 'open', expiryDate: renewal!.periodTo });
  });

  test('one that ended unpaid is started again by a contact', async () => {
    await using desk = await closedAccount(kind);
    const { portal } = desk;
    expect((await startByMember(portal)).status).toBe(200);
    await minute(portal, daysAfter(today, profile.reactivationDays + 1));
    expect((await portal.billingOf(account)).reactivation).toMatchObject({ state: 'possible', staffOnly: null });
    expect((await startByMember(portal)).status).toBe(200);
  });

  test('a recovery of its numbers is decided by staff: a contact can’t start, and what is paid meanwhile doesn’t open it', async () => {
    await using desk = await closedAccount(kind);
    const { portal } = desk;
    const stella = await portal.as('stella');
    const { resources } = (await stella(api.recoveries.listRecoverable, { accountName: account })).data!;
    expect((await startByMember(portal)).status).toBe(200);
    const body = { resources: [resources[0]!], ground: 'fraud' as const, reason: 'Registered with false papers' };
    const { reference, requestId } = (await stella(api.recoveries.openRecovery, { accountName: account, body })).data!;
    const why = `${reference} is open: Recovery of ${resources[0]}`;
    await minute(portal);
    for (const { number, balance } of (await portal.billingOf(account)).invoices) await desk.pay(number, balance);
    // It stays closed, on its day too.
    for (const day of [today, daysAfter(today, profile.reactivationDays + 1)]) await minute(portal, day);
    const waits = { accountStatus: 'closed', reactivation: { state: 'open', staffOnly: why } };
    expect(await portal.billingOf(account)).toMatchObject(waits);
    expect(await (await portal.as('hana'))(api.billing.getBilling, { account })).toMatchObject({ data: waits });
    expect(await desk.start(true)).toMatchObject(refusedBecause('was charged'));
    expect(requestId).toBeTruthy();
    expect(await desk.start()).toMatchObject({ status: 200, data: { reactivation: { state: 'open', staffOnly: null } } });
    await minute(portal);
    expect((await portal.accountStateOf(account)).accountStatus).toBe('open');
  });

  test('a contact can’t start where a recovery is open', async () => {
    await using desk = await closedAccount(kind);
    const { portal } = desk;
    const stella = await portal.as('stella');
    const { resources } = (await stella(api.recoveries.listRecoverable, { accountName: account })).data!;
    const body = { resources: [resources[0]!], ground: 'unpaid' as const, reason: 'Not paid' };
    const { reference } = (await stella(api.recoveries.openRecovery, { accountName: account, body })).data!;
    expect(await startByMember(portal)).toMatchObject(refusedBecause(`${reference} is open`));
    expect((await desk.start()).status).toBe(200);
  });

  test('with zero months none is opened again, not on the day of the closing either', async () => {
    await using desk = await closedAccount(kind);
    const { portal } = desk;
    const now = { today, profile: { ...profile, reactivationMonths: 0 }, modules: portal.context.modules };
    expect(await reactivationOf(portal.db.read, account, now)).toMatchObject({ state: 'too-late', until: null });
  });

  test('without a fee it opens when the debt is paid; a debt is not written off meanwhile', async () => {
    await using desk = await closedAccount(kind);
    const { portal } = desk;
    await desk.start(true);
    const [renewal] = (await portal.billingOf(account)).invoices;
    const dora = await portal.as('dora');
    expect(await dora(api.corrections.writeOffInvoice, { invoiceNumber: renewal!.number, body: { reason } })).toMatchObject({
      status: 409,
      errors: [{ code: 'INVOICE_SETTLED', message: expect.stringContaining('reactivation') }],
    });
    await desk.pay(renewal!.number, renewal!.balance);
    await minute(portal);
    expect((await portal.accountStateOf(account)).accountStatus).toBe('open');
    expect((await portal.billingOf(account)).invoices).toHaveLength(1);
  });

  test('a reactivation ends when it is not paid in time or staff end it, and payments of its fee become credit', async () => {
    await using desk = await closedAccount(kind);
    const { portal } = desk;
    await desk.start();
    await minute(portal);
    const fee = async () => (await portal.billingOf(account)).invoices.find(({ kind: of }) => of === 'reactivation')!;
    await desk.pay((await fee()).number, '400');
    await minute(portal, daysAfter(today, profile.reactivationDays + 1));
    expect(await portal.billingOf(account)).toMatchObject({
      accountStatus: 'closed',
      credit: '400.00',
      reactivation: { state: 'possible' },
    });
    expect((await fee()).state).toBe('cancelled');
    await desk.start();
    expect((await desk.end()).status).toBe(200);
    expect((await desk.end()).status).toBe(409);
    await minute(portal);
    expect((await portal.billingOf(account)).reactivation).toMatchObject({ state: 'possible' });
  });

  test('a fee that was credited in part, and then ends, leaves nothing owed in the ledger', async () => {
    await using desk = await closedAccount(kind);
    const { portal } = desk;
    await desk.start();
    await minute(portal);
    const fee = async () => (await portal.billingOf(account)).invoices.find(({ kind: of }) => of === 'reactivation')!;
    const invoiceNumber = (await fee()).number;
    const body = { amount: '333.33', reason };
    expect((await (await portal.as('stella'))(api.corrections.issueCreditNote, { invoiceNumber, body })).status).toBe(200);
    await desk.pay(invoiceNumber, '400');
    expect((await desk.end()).status).toBe(200);
    const sums = (await ledgerOf(portal.db.read, account)).reduce(
      (sum, entry) => ledgerAccounts.map((side, place) => sum[place]! + cents(entry[side])),
      ledgerAccounts.map(() => 0n),
    );
    const { invoices, credit } = await portal.billingOf(account);
    const [receivable, inCredit, bank, revenue, tax] = sums;
    expect(sums.reduce((all, each) => all + each, 0n)).toBe(0n);
    expect(receivable).toBe(invoices.reduce((all, { balance }) => all + cents(balance), 0n));
    expect([credit, inCredit, bank]).toEqual(['400.00', -40_000n, 40_000n]);
    // Of the fee nothing is left as income.
    const [renewal] = invoices.filter(({ kind: of }) => of === 'renewal');
    expect([revenue, tax]).toEqual([-cents(renewal!.subtotal), -cents(renewal!.tax)]);
  });

  test('three months after closing is too late, and an open account can’t be reactivated', async () => {
    await using desk = await closedAccount(kind);
    const { portal } = desk;
    const stella = await portal.as('stella');
    for (const [accountName, why] of [
      ['GONE-VU', 'isn’t known here'],
      ['OTHER-SG', 'it isn’t closed'],
    ] as const)
      expect(await stella(api.reactivations.startReactivation, { accountName, body: { reason } })).toMatchObject({
        status: 409,
        errors: [{ code: 'REACTIVATION_REFUSED', message: expect.stringContaining(why) }],
      });
    const on = async (day: string) =>
      (await reactivationOf(portal.db.read, account, { today: day, profile, modules: portal.context.modules }))!.state;
    const last = monthsAfter(today, profile.reactivationMonths);
    expect([await on(last), await on(daysAfter(last, 1))]).toEqual(['possible', 'too-late']);
    expect((await portal.billingOf('OTHER-SG')).reactivation).toBe(null);
  });
});
