import { api } from '@portal/contract/api';
import { daysAfter, yearsAfter } from '@portal/contract/days';
import { describe, expect, test } from 'vitest';
import { billingPortal, inWords, today } from '../../../../test/billing-portal.ts';
import { announceUntil } from '../../../../test/example-fees.ts';
import { kindsForRules } from '../../../../test/portal.ts';
import { sentFile } from '../../../../test/sample-files.ts';
import { readProfile } from '../../../profile.ts';
import { annualFee } from '../fees/fees.ts';
import { scheduleOn } from '../fees/fee-schedules.ts';
import { cents, inCurrency, printCents, times } from '../money.ts';
import { runBillingSchedule } from './clock.ts';

const line = { action: 'test', summary: 'test', traceId: '0'.repeat(32) };
const everybody = ['bill', 'corin', 'tess', 'tilda'];
const payers = ['bill', 'corin', 'tilda'];

describe.each(kindsForRules)('the clock of memberships on %s', kind => {
  test('acceptance scenario 8: an invoice unpaid from D-30 on is paid at D+35, and the term continues for a year from D', async () => {
    const D = daysAfter(today, -35);
    const after = (days: number): string => daysAfter(D, days);
    await using portal = await billingPortal(kind, { 'EXAMPLE-AU': D });
    const { on, newMails, accountStateOf, billingOf } = portal;
    const account = 'EXAMPLE-AU';
    await newMails();

    await on(after(-31));
    expect(await newMails()).toEqual([]);
    await on(after(-30));
    expect(await newMails()).toEqual(payers.map(who => `${who}: The membership of ${account} ends on ${inWords(D)}`));
    await on(after(-1));
    expect((await accountStateOf(account)).steps).toEqual([['reminder', after(-30)]]);
    // D begins at midnight in Brisbane, ten hours before it does in UTC.
    await portal.at(`${after(-1)}T13:59:59Z`);
    expect((await accountStateOf(account)).steps).toHaveLength(1);
    await portal.at(`${after(-1)}T14:00:00Z`);
    expect(await newMails()).toEqual([]);
    expect((await accountStateOf(account)).steps).toEqual([
      ['reminder', after(-30)],
      ['holdings', D],
    ]);
    expect((await billingOf(account)).invoices).toEqual([]);

    // 8,192 + 768 + 256 addresses, a /32 of IPv6, four AS numbers of which two are free.
    await on(after(1));
    const { invoices, next } = await billingOf(account);
    expect(invoices).toMatchObject([
      {
        issuedOn: after(1),
        dueOn: after(30),
        periodFrom: after(1),
        state: 'overdue',
        overdueDays: 5,
        paid: '0.00',
        poNumber: 'PO-2026-118',
      },
    ]);
    expect(next).toEqual({ step: 'suspension', day: after(30) });
    const { number, total, lines } = invoices[0]!;
    expect(number).toMatch(/^INV-\d{4}-000001$/);
    const schedule = await scheduleOn(portal.db.read, 'regular', after(1));
    const fees = annualFee(schedule, { ipv4: 9216n, ipv6: 16777216n, asns: 4 }, { nir: false, ldc: false });
    expect(lines.map(({ quantity, amount }) => [quantity, amount])).toEqual(
      fees.map(({ quantity, amount }) => [quantity, printCents(amount)]),
    );
    expect(lines).toMatchObject([{}, { quantity: 2 }]);
    expect(await newMails()).toEqual(
      ['accounts', ...payers].map(who => `${who}: ${account}: invoice ${number}, ${inCurrency('AUD', cents(total))}`),
    );

    await on(after(29));
    expect((await accountStateOf(account)).accountStatus).toBe('open');
    await on(after(30));
    expect((await accountStateOf(account)).accountStatus).toBe('suspended');
    expect(await newMails()).toEqual(everybody.map(who => `${who}: ${account} is suspended: ${number} is unpaid`));
    // The suspended member still sees its debt, and its log shows who suspended it.
    const bill = await portal.as('bill', { mfa: false });
    expect((await bill(api.billing.getBilling, { account })).data).toMatchObject({
      accountStatus: 'suspended',
      invoices: [{ balance: total }],
    });
    const corin = await portal.as('corin');
    const log = (await corin(api.activityLog.listActivities, { account, query: { category: 'billing' } })).data!;
    expect(log.lines.map(({ actor, what }) => [actor.name, what])).toEqual([
      ['Registry', 'Suspend the account: renewal unpaid'],
      ['Registry', 'Issue an invoice'],
      ['Registry', 'Count the number resources for the next invoice'],
      ['Registry', 'Send a reminder that the term ends'],
    ]);

    // D+35, which is today.
    await on(after(35));
    expect(await newMails()).toEqual([]);
    const stella = await portal.as('stella');
    const body = { amount: total, receivedOn: today, reference: 'BANK-1' };
    const paid = await stella(api.billing.recordPayment, { invoiceNumber: number, body });
    expect(paid).toMatchObject({ status: 200, data: { state: 'paid', balance: '0.00', paidOn: today } });
    expect(await accountStateOf(account)).toMatchObject({ accountStatus: 'open', expiryDate: paid.data!.periodTo });
    expect(paid.data!.periodTo).toBe(`${Number(D.slice(0, 4)) + 1}${D.slice(4)}`.replace(/^(\d+)-02-29$/, '$1-02-28'));
    expect(await newMails()).toEqual(['accounts', ...payers].map(who => `${who}: ${account}: ${number} is paid`));
    // Once paid, nothing happens until the next term ends.
    await on(after(100));
    expect((await accountStateOf(account)).steps).toHaveLength(4);
    expect(await newMails()).toEqual([]);
  });

  test('acceptance scenarios 9 and 30: with more time until D+75 a suspended account is not closed at D+60 but at D+75, and staff still have its invoice', async () => {
    const D = daysAfter(today, -40);
    const after = (days: number): string => daysAfter(D, days);
    await using portal = await billingPortal(kind, { 'OTHER-SG': D });
    const { on, newMails, accountStateOf, billingOf } = portal;
    const accountName = 'OTHER-SG';
    const [stella, olive] = await Promise.all([portal.as('stella'), portal.as('olive')]);
    await on(after(40));
    expect((await accountStateOf(accountName)).accountStatus).toBe('suspended');
    const { number, dueOn } = (await billingOf(accountName)).invoices[0]!;
    expect((await billingOf(accountName)).next).toEqual({ step: 'second-reminder', day: after(45) });
    await newMails();

    const given = await stella(api.billing.extendInvoice, {
      invoiceNumber: number,
      body: { until: after(75), reason: 'The bank is slow' },
    });
    expect(given).toMatchObject({ status: 200, data: { extendedUntil: after(75), dueOn, state: 'overdue' } });
    expect((await newMails()).sort()).toEqual(['accounts', 'olive'].map(who => `${who}: ${accountName}: more time to pay ${number}`));
    await on(after(59));
    expect(await newMails()).toEqual([]);
    await on(after(60));
    expect((await accountStateOf(accountName)).accountStatus).toBe('suspended');
    expect(await newMails()).toEqual([`olive: Second reminder: ${number} of ${accountName} is unpaid`]);
    await on(after(65));
    expect(await newMails()).toEqual([`olive: ${accountName} closes on ${inWords(after(75))}`]);
    await on(after(74));
    expect((await accountStateOf(accountName)).accountStatus).toBe('suspended');
    await on(after(75));
    expect((await accountStateOf(accountName)).accountStatus).toBe('closed');
    expect(await newMails()).toEqual([`olive: ${accountName} is closed`]);
    await on(after(200));
    expect(await newMails()).toEqual([]);

    // Scenario 30, its invoices.
    // Nothing but them is left to its contacts.
    expect((await olive(api.contacts.listContacts, { account: accountName, query: {} })).errors).toMatchObject([
      { code: 'ACCOUNT_NOT_FOUND' },
    ]);
    expect((await olive(api.billing.getBilling, { account: accountName })).data).toMatchObject({
      accountStatus: 'closed',
      invoices: [{ number }],
    });
    expect((await billingOf(accountName)).invoices).toMatchObject([{ number, state: 'overdue' }]);
    const { address } = (await stella(api.billing.openStaffInvoice, { invoiceNumber: number })).data!;
    const file = (await stella(api.files.downloadFile, { address })).data!;
    expect(file.fileName).toBe(`${number}.pdf`);
    expect(
      Buffer.from(await file.blob.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
    // What it owes can be paid; that doesn’t open it.
    const body = { amount: '10', receivedOn: today, reference: 'LATE-1' };
    expect((await stella(api.billing.recordPayment, { invoiceNumber: number, body })).status).toBe(200);
    expect((await accountStateOf(accountName)).accountStatus).toBe('closed');
  });

  test.each([
    // Clocks go forward in New York on 14 March 2027, and back in St John’s on 7 November 2027: a day has 23 hours, or 25.
    ['America/New_York', '2027-03-13', '2027-03-14T05:00:00Z', '2027-04-12T04:00:00Z'],
    ['America/St_Johns', '2027-10-09', '2027-10-10T02:30:00Z', '2027-11-08T03:30:00Z'],
    ['Australia/Brisbane', '2028-02-29', '2028-02-29T14:00:00Z', '2028-03-29T14:00:00Z'],
  ])('in %s each day of a term that ends on %s begins at the registry’s midnight', async (timeZone, end, invoiced, suspended) => {
    const account = 'OTHER-SG';
    await using portal = await billingPortal(kind, { [account]: end });
    await announceUntil(portal.db, 2028);
    const strike = (instant: string, earlierMs = 0) =>
      runBillingSchedule(portal.db, {
        now: new Date(Date.parse(instant) - earlierMs),
        profile: { ...readProfile(''), timeZone },
        store: portal.store,
        fonts: [],
      });
    await strike(invoiced, 1);
    expect((await portal.billingOf(account)).invoices).toEqual([]);
    await strike(invoiced);
    const [invoice] = (await portal.billingOf(account)).invoices;
    expect(invoice).toMatchObject({ issuedOn: daysAfter(end, 1), dueOn: daysAfter(end, 30), periodTo: yearsAfter(end, 1) });
    await strike(suspended, 1);
    expect((await portal.accountStateOf(account)).accountStatus).toBe('open');
    await strike(suspended);
    expect(await portal.accountStateOf(account)).toMatchObject({
      accountStatus: 'suspended',
      steps: expect.arrayContaining([['suspension', daysAfter(end, 30)]]) as unknown,
    });
  });

  test('acceptance scenarios 10 and 12: a /24 returned on D-1 lowers the fee, one returned on D+1 doesn’t; only Australia adds GST', async () => {
    const tomorrow = daysAfter(today, 1);
    const yesterday = daysAfter(today, -1);
    // Both accounts return a /24 today.
    await using portal = await billingPortal(kind, { 'EXAMPLE-AU': tomorrow, 'SOUTHSITE-NZ': yesterday });
    const { on, billingOf } = portal;
    await portal.db.change(line, change =>
      change.updateTable('delegation').set({ status: 'closed' }).where('resource', 'in', ['203.0.113.0/24', '192.0.2.0/24']).execute(),
    );
    await on(daysAfter(today, 2));
    const counted = await portal.db.read
      .selectFrom('billingStep')
      .select(['accountName', 'ipv4', 'ipv6', 'asns'])
      .where('step', '=', 'holdings')
      .orderBy('accountName')
      .execute();
    // The first /48 assigned to SOUTHSITE-NZ is free.
    expect(counted).toEqual([
      { accountName: 'EXAMPLE-AU', ipv4: String(9216 - 256), ipv6: '16777216', asns: 4 },
      { accountName: 'SOUTHSITE-NZ', ipv4: '256', ipv6: '0', asns: 0 },
    ]);
    const [au, nz] = await Promise.all(['EXAMPLE-AU', 'SOUTHSITE-NZ'].map(async name => (await billingOf(name)).invoices[0]!));
    expect(au!.tax).toBe(printCents(times(cents(au!.subtotal), '0.10')));
    expect(cents(au!.total)).toBe(cents(au!.subtotal) + cents(au!.tax));
    expect(nz).toMatchObject({ tax: '0.00', total: nz!.subtotal });
    // Numbers follow the days, not the names.
    expect([nz!.number, au!.number].map(number => number.slice(-6))).toEqual(
      nz!.issuedOn.slice(0, 4) === au!.issuedOn.slice(0, 4) ? ['000001', '000002'] : ['000001', '000001'],
    );
  });

  test('acceptance scenario 7: an invoice bears the old name until the registry has approved the new one', async () => {
    await using portal = await billingPortal(kind, { 'SOUTHSITE-NZ': daysAfter(today, -1), 'LABNET-AU': daysAfter(today, -1) });
    const [corin, stella] = await Promise.all([portal.as('corin'), portal.as('stella')]);
    const rename = async (account: string, value: string) =>
      (
        await corin(api.organisationChanges.requestOrganisationChange, {
          account,
          body: { field: 'orgName', value, documentIds: [await sentFile(corin)] },
        })
      ).data!;
    await rename('SOUTHSITE-NZ', 'Northsite Dairy Limited');
    const { changeId } = await rename('LABNET-AU', 'Labnet Foundation');
    expect((await stella(api.organisationChanges.approveOrganisationChange, { changeId, body: {} })).status).toBe(200);
    await portal.on(today);
    const nameOf = async (account: string) => (await corin(api.billing.getBilling, { account })).data!.invoices[0]!.orgName;
    expect(await nameOf('SOUTHSITE-NZ')).toBe('Southsite Dairy Limited');
    expect(await nameOf('LABNET-AU')).toBe('Labnet Foundation');
  });
});
