import { daysAfter } from '@portal/contract/days';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { type BillingPortal, billingPortal, inWords, type Terms, today } from '../../../../test/billing-portal.ts';
import { kinds, testPortal } from '../../../../test/portal.ts';
import { readProfile } from '../../../profile.ts';
import { openFileStore } from '../../documents/index.ts';
import { beginBilling } from './beginning.ts';
import { runBillingSchedule } from '../renewals/clock.ts';
import { isLeastDeveloped, scheduleOn } from '../fees/fee-schedules.ts';
import { cents, inCurrency } from '../money.ts';

const profile = readProfile('');
const line = { action: 'test', summary: 'test', traceId: '0'.repeat(32) };

test('the clock gives the same result whether it runs twice every day or once after 100 days', async () => {
  const ends: Terms = {
    'EXAMPLE-AU': today,
    'OTHER-SG': daysAfter(today, 9),
    'NATREG-XX': daysAfter(today, 60),
    'LABNET-AU': daysAfter(today, 300),
  };
  await using daily = await billingPortal(kinds.at(-1)!, ends);
  await using late = await billingPortal(kinds.at(-1)!, ends);
  const last = daysAfter(today, 100);

  for (let day = daysAfter(today, -1); day <= last; day = daysAfter(day, 1)) {
    await daily.on(day);
    await daily.on(day);
  }
  await late.on(last);
  const stateOf = async ({ db, accountStateOf }: BillingPortal) => ({
    accounts: await Promise.all(Object.keys(ends).map(accountStateOf)),
    invoices: await db.read.rows(sql`select number, account_name, issued_on, due_on, total, state, sha256 from invoice order by number`),
  });
  const state = await stateOf(daily);
  expect(state.accounts.map(({ accountStatus }) => accountStatus)).toEqual(['closed', 'closed', 'suspended', 'open']);
  expect(await stateOf(late)).toEqual(state);
  const unequal = await late.db.read.rows(sql`select number from invoice i
    where subtotal <> (select sum(amount) from invoice_line l where l.invoice_id = i.invoice_id)`);
  expect([state.invoices.length, unequal]).toEqual([3, []]);
});

test('two clocks running at the same time take every step once, and send one mail for it', async () => {
  await using portal = await billingPortal(kinds.at(-1)!, { 'OTHER-SG': today });
  await portal.newMails();
  await Promise.all([portal.on(daysAfter(today, 100)), portal.on(daysAfter(today, 100))]);
  const { accountStatus, steps } = await portal.accountStateOf('OTHER-SG');
  expect([accountStatus, steps.length]).toEqual(['closed', 7]);
  const { invoices } = await portal.billingOf('OTHER-SG');
  expect(invoices).toHaveLength(1);
  const { number } = invoices[0]!;
  expect((await portal.newMails()).filter(mail => mail.startsWith('olive'))).toEqual(
    [
      `olive: OTHER-SG: invoice ${number}, ${inCurrency('AUD', cents(invoices[0]!.total))}`,
      `olive: OTHER-SG closes on ${inWords(daysAfter(today, 60))}`,
      `olive: OTHER-SG is closed`,
      `olive: OTHER-SG is suspended: ${number} is unpaid`,
      `olive: Second reminder: ${number} of OTHER-SG is unpaid`,
    ].sort(),
  );
});

test('before billing starts, and for terms that ended earlier, no account is billed or suspended', async () => {
  await using portal = await testPortal();
  const store = openFileStore(portal.config.filesDir);
  const strike = () => runBillingSchedule(portal.db, { now: new Date(`${daysAfter(today, 20)}T12:00:00Z`), profile, store, fonts: [] });
  const stepsNow = () => portal.db.read.selectFrom('billingStep').select(['accountName', 'step']).execute();
  await strike();
  expect(await stepsNow()).toEqual([]);
  await portal.db.change(line, change => beginBilling(change, today));
  await strike();
  // LATE-FJ ended a month ago without consequences; EXAMPLE-AU ends in 30 days; historical and closed accounts are skipped.
  const touched = new Set((await stepsNow()).map(({ accountName }) => accountName));
  expect(touched).toContain('EXAMPLE-AU');
  for (const accountName of ['LATE-FJ', 'GONE-VU', 'OLDNET-JP']) expect(touched).not.toContain(accountName);
  expect(await portal.db.change(line, change => beginBilling(change, today))).toBe(false);
});

test('the schedules and the least developed countries of the registry are those that were announced', async () => {
  await using portal = await testPortal();
  const { read } = portal.db;
  const announced = async (accountType: string, day: string) => {
    const { baseFee, bitFactor, associateFee, asnFee } = await scheduleOn(read, accountType, day);
    return [baseFee, bitFactor, associateFee, asnFee].map(Number);
  };
  expect(await announced('regular', '2013-06-30')).toEqual([1180, 1.3, 675, 0]);
  expect(await announced('regular', '2015-01-01')).toEqual([1050, 1.308, 500, 0]);
  expect(await announced('confed-nir', '2022-12-31')).toEqual([1180, 1.3, 500, 0]);
  expect(await announced('regular', '2023-01-01')).toEqual([1180, 1.31, 500, 0]);
  expect(await announced('regular', '2025-07-01')).toEqual([1236, 1.315, 500, 100]);
  expect(await announced('regular', '2026-01-01')).toEqual([1295, 1.32, 500, 100]);
  expect(await announced('regular', '2027-12-31')).toEqual([1356, 1.325, 500, 100]);
  expect(await announced('non member', '2019-01-01')).toEqual([1200, 1.308, 500, 0]);
  expect(await announced('non member', '2025-01-01')).toEqual([1421, 1.315, 500, 100]);
  expect(await announced('non member', '2026-12-31')).toEqual([1488, 1.32, 500, 100]);
  expect(await announced('non member', '2027-01-01')).toEqual([1559, 1.325, 500, 100]);
  await expect(scheduleOn(read, 'rir', '2026-01-01')).rejects.toThrow('rir accounts pay no fee.');

  const listed = (economy: string, day: string) => isLeastDeveloped(readProfile(''), economy, day);
  expect(listed('BT', '2023-12-12')).toBe(true);
  expect(listed('BT', '2023-12-13')).toBe(false);
  expect(listed('TV', '2030-01-01')).toBe(true);
  expect(listed('AU', '2026-01-01')).toBe(false);
  expect(isLeastDeveloped(readProfile(''), null, '2026-01-01')).toBe(false);
});
