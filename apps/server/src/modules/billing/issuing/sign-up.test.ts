import { api } from '@portal/contract/api';
import { daysAfter, yearsAfter } from '@portal/contract/days';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { billingPortal, today } from '../../../../test/billing-portal.ts';
import { readProfile } from '../../../profile.ts';
import { issueSignUps } from './sign-up.ts';

const line = { action: 'test', summary: 'test', traceId: '0'.repeat(32) };
const profile = readProfile('');

test('an approved account gets one sign-up invoice, and opens for its first term once it is paid', async () => {
  await using portal = await billingPortal('postgres', {});
  const { db, store } = portal;
  const stella = await portal.as('stella');
  const issue = () => issueSignUps(db, { now: new Date(`${today}T12:00:00Z`), profile, store, fonts: [] });
  const now = async (accountName: string) => (await portal.billingOf(accountName)).invoices;
  await db.change(line, change =>
    change.rows(sql`insert into account (account_name, account_status, account_type, nir, org_name, economy) values
      ('FRESH-AU', 'new', 'regular', false, 'Fresh Networks', 'AU'), ('FRESH-RIR', 'new', 'rir', false, 'A registry', 'AU')`),
  );
  await db.change(line, change =>
    change.rows(sql`insert into membership_application (login_id, state, started_at, since, form, account_name, submitted_at, resolved_by, resolved_at, agreement_version, agreed_at, registration_key, org_name, economy)
      select login_id, 'approved', now(), now(), '{"resources": ["ipv4", "asn"]}', 'FRESH-AU', now(), login_id, now(), '1', now(), 'X', 'Fresh Networks', 'AU' from login where username = 'stella'`),
  );
  await issue();
  await issue();
  const [invoice, ...others] = await now('FRESH-AU');
  expect(others).toEqual([]);
  expect(invoice).toMatchObject({ kind: 'sign-up', issuedOn: today, periodFrom: today, periodTo: daysAfter(yearsAfter(today, 1), -1) });
  // A /24 costs the base fee; signing up is a line of its own, and both are taxed.
  const [annual, signUp] = invoice!.lines.map(({ amount }) => Number(amount));
  expect(signUp).toBe(500);
  expect(annual).toBeGreaterThan(1000);
  expect(Number(invoice!.total)).toBeCloseTo((annual! + 500) * 1.1, 2);
  expect(await now('FRESH-RIR')).toEqual([]);

  const body = { amount: invoice!.total, receivedOn: today, reference: 'SIGN-UP-1' };
  expect((await stella(api.billing.recordPayment, { invoiceNumber: invoice!.number, body })).status).toBe(200);
  expect(await portal.accountStateOf('FRESH-AU')).toMatchObject({ accountStatus: 'open', expiryDate: invoice!.periodTo });
  const { memberSince } = await db.read
    .selectFrom('account')
    .select('memberSince')
    .where('accountName', '=', 'FRESH-AU')
    .executeTakeFirstOrThrow();
  expect(memberSince).not.toBe(null);
  await issue();
  expect(await now('FRESH-AU')).toHaveLength(1);

  // Its payment bounces: the first term isn't paid any more, and the clock follows its invoice.
  const receiptNumber = (await now('FRESH-AU'))[0]!.payments[0]!.receipt;
  const bounced = await stella(api.reversals.reversePayment, { receiptNumber, body: { kind: 'bounced', reason: 'The bank says so' } });
  expect(bounced).toMatchObject({ status: 200, data: { state: 'unpaid', extendedUntil: daysAfter(today, 14) } });
  expect(await portal.accountStateOf('FRESH-AU')).toMatchObject({ accountStatus: 'open', expiryDate: daysAfter(today, -1), steps: [] });
  await portal.on(daysAfter(today, 13));
  expect(await portal.accountStateOf('FRESH-AU')).toMatchObject({ accountStatus: 'open', steps: [] });
  await portal.on(daysAfter(today, 40));
  expect(await portal.accountStateOf('FRESH-AU')).toMatchObject({ accountStatus: 'suspended' });
  expect(await now('FRESH-AU')).toHaveLength(1);
  const again = { ...body, reference: 'SIGN-UP-2' };
  expect((await stella(api.billing.recordPayment, { invoiceNumber: invoice!.number, body: again })).status).toBe(200);
  expect(await portal.accountStateOf('FRESH-AU')).toMatchObject({ accountStatus: 'open', expiryDate: invoice!.periodTo });
});
