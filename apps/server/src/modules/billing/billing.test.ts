import { createHash } from 'node:crypto';
import { type AnswerOf, api, type billing } from '@portal/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kinds, testPortal, type TestPortal } from '../../../test/portal.ts';
import { sentFile } from '../../../test/sample-files.ts';
import { readProfile } from '../../profile.ts';
import { openFileStore, sweepFiles, verifyFiles } from '../documents/index.ts';
import { dayIn } from '../organisations/index.ts';
import { beginBilling } from './beginning.ts';
import { attendToBilling } from './clock.ts';
import { daysAfter } from './days.ts';

const profile = readProfile('');
const today = dayIn(profile.timeZone, new Date());
const line = { action: 'test', summary: 'test', traceId: '0'.repeat(32) };

type Terms = Record<string, string | null>;

/** A registry that bills the terms of these accounts, which end on these days; all others have none. */
async function billingPortal(kind: TestPortal['db']['kind'], ends: Terms) {
  const portal = await testPortal(kind);
  const store = openFileStore(portal.config.filesDir);
  await portal.db.change(line, async change => {
    await change.updateTable('account').set({ expiryDate: null }).execute();
    for (const [accountName, expiryDate] of Object.entries(ends))
      await change.updateTable('account').set({ expiryDate, accountStatus: 'open' }).where('accountName', '=', accountName).execute();
    await beginBilling(change, '2000-01-01');
  });
  /** Lets the clock strike on a day, at noon in UTC: in the evening of the same day where the registry is. */
  const on = (day: string): Promise<void> =>
    attendToBilling(portal.db, { now: new Date(`${day}T12:00:00Z`), profile, store, fonts: [] });
  const standingOf = async (accountName: string) => {
    const { accountStatus, expiryDate } = await portal.db.read
      .selectFrom('account')
      .select(['accountStatus', 'expiryDate'])
      .where('accountName', '=', accountName)
      .executeTakeFirstOrThrow();
    const steps = await portal.db.read
      .selectFrom('billingStep')
      .select(['step', 'day'])
      .where('accountName', '=', accountName)
      .orderBy('day')
      .execute();
    return { accountStatus, expiryDate, steps: steps.map(({ step, day }) => [step, day]) };
  };
  /** Who was written to since, and with which subject. */
  let seen = 0;
  const newMails = async (): Promise<string[]> => {
    const mails = await portal.db.read.selectFrom('mail').select(['mailId', 'recipient', 'subject']).where('mailId', '>', seen).orderBy('mailId').execute();
    seen = mails.at(-1)?.mailId ?? seen;
    return mails.map(({ recipient, subject }) => `${recipient.split('@')[0]}: ${subject}`).sort();
  };
  const billingOf = async (accountName: string): Promise<AnswerOf<typeof billing.getStaffBilling>> =>
    (await (await portal.as('stella'))(api.billing.getStaffBilling, { accountName })).data!;
  return { ...portal, store, on, standingOf, newMails, billingOf };
}
type BillingPortal = Awaited<ReturnType<typeof billingPortal>>;

const everybody = ['bill', 'corin', 'tess', 'tilda'];
const payers = ['bill', 'corin', 'tilda'];
const inWords = (day: string): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'long', year: 'numeric' }).format(new Date(`${day}T00:00:00Z`));

describe.each(kinds)('the clock of memberships on %s', kind => {
  test('acceptance scenario 8: nothing is paid from D-30 on; at D+35 it is, and the term goes on a year from D', async () => {
    const D = daysAfter(today, -35);
    const after = (days: number): string => daysAfter(D, days);
    await using portal = await billingPortal(kind, { 'EXAMPLE-AU': D });
    const { on, newMails, standingOf, billingOf } = portal;
    const account = 'EXAMPLE-AU';
    await newMails();

    await on(after(-31));
    expect(await newMails()).toEqual([]);
    await on(after(-30));
    expect(await newMails()).toEqual(payers.map(who => `${who}: The membership of ${account} ends on ${inWords(D)}`));
    await on(after(-1));
    expect((await standingOf(account)).steps).toEqual([['reminder', after(-30)]]);
    await on(D);
    expect(await newMails()).toEqual([]);
    expect((await standingOf(account)).steps).toEqual([
      ['reminder', after(-30)],
      ['holdings', D],
    ]);
    expect((await billingOf(account)).invoices).toEqual([]);

    // 8,192 + 768 + 256 addresses, a /32 of IPv6, four AS numbers of which two are free; in Australia 10 % are added.
    await on(after(1));
    const { invoices, next } = await billingOf(account);
    expect(invoices).toMatchObject([
      { issuedOn: after(1), dueOn: after(30), periodFrom: after(1), state: 'overdue', overdueDays: 5, paid: '0.00', poNumber: 'PO-2026-118' },
    ]);
    expect(next).toEqual({ step: 'suspension', day: after(30) });
    const { number, total, lines } = invoices[0]!;
    expect(number).toMatch(/^INV-\d{4}-000001$/);
    expect(lines.map(({ amount }) => amount)).toEqual(['5432.72', '200.00']);
    expect(await newMails()).toEqual(
      ['accounts', ...payers].map(who => `${who}: ${account}: invoice ${number}, AUD ${total.replace(/^(\d)/, '$1,')}`),
    );

    await on(after(29));
    expect((await standingOf(account)).accountStatus).toBe('open');
    await on(after(30));
    expect((await standingOf(account)).accountStatus).toBe('suspended');
    expect(await newMails()).toEqual(everybody.map(who => `${who}: ${account} is suspended: ${number} is not paid`));
    // The suspended member still sees what it owes; its log says who suspended it.
    const bill = await portal.as('bill', { mfa: false });
    expect((await bill(api.billing.getBilling, { account })).data).toMatchObject({ accountStatus: 'suspended', invoices: [{ balance: total }] });
    const corin = await portal.as('corin');
    const log = (await corin(api.activityLog.listActivities, { account, query: { category: 'billing' } })).data!;
    expect(log.rows.map(({ actor, what }) => [actor.name, what])).toEqual([
      ['Registry', 'Suspend the account: its renewal was not paid'],
      ['Registry', 'Issue an invoice'],
      ['Registry', 'Count the number resources for the next invoice'],
      ['Registry', 'Remind that the term ends'],
    ]);

    // D+35, which is today.
    await on(after(35));
    expect(await newMails()).toEqual([]);
    const stella = await portal.as('stella');
    const body = { amount: total, receivedOn: today, reference: 'BANK-1' };
    const paid = await stella(api.billing.recordPayment, { invoiceNumber: number, body });
    expect(paid).toMatchObject({ status: 200, data: { state: 'paid', balance: '0.00', paidOn: today } });
    expect(await standingOf(account)).toMatchObject({ accountStatus: 'open', expiryDate: paid.data!.periodTo });
    expect(paid.data!.periodTo).toBe(`${Number(D.slice(0, 4)) + 1}${D.slice(4)}`.replace(/^(\d+)-02-29$/, '$1-02-28'));
    expect(await newMails()).toEqual(['accounts', ...payers].map(who => `${who}: ${account}: ${number} is paid`));
    await on(after(60));
  });
});
