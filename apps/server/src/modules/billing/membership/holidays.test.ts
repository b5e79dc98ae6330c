import { api } from '@portal/contract/api';
import { daysAfter } from '@portal/contract/days';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BillingPortal, billingPortal, today } from '../../../../test/billing-portal.ts';
import { kindsForRules } from '../../../../test/portal.ts';
import { workingDay } from './holidays.ts';

test('a date on a holiday moves to the next day that isn’t one, across months, years and leap days', () => {
  expect(workingDay('2026-12-24', ['2026-12-25'])).toBe('2026-12-24');
  expect(workingDay('2026-12-31', ['2026-12-31', '2027-01-01'])).toBe('2027-01-02');
  expect(workingDay('2028-02-28', ['2028-02-28', '2028-02-29'])).toBe('2028-03-01');
  expect(workingDay('2027-02-28', ['2027-02-28'])).toBe('2027-03-01');
});

describe.each(kindsForRules)('holidays on %s', kind => {
  const account = 'OTHER-SG';
  const D = daysAfter(today, -2);
  let portal: BillingPortal;
  const add = async (body: { from: string; to?: string; name: string }, name = 'stella') =>
    (await portal.as(name))(api.memberships.addHolidays, { body });
  const remove = async (day: string) => (await portal.as('stella'))(api.memberships.removeHoliday, { day });
  beforeAll(async () => {
    portal = await billingPortal(kind, { [account]: D, 'CAMPUS-JP': daysAfter(today, 60) });
  });
  afterAll(() => portal[Symbol.asyncDispose]());

  test('staff add days; no invoice is due and no account is suspended or closed on one, and the plan says so', async () => {
    const due = daysAfter(D, 30);
    expect((await add({ from: due, to: daysAfter(due, 1), name: 'New Year' })).data!.holidays).toEqual([
      { day: due, name: 'New Year' },
      { day: daysAfter(due, 1), name: 'New Year' },
    ]);
    await add({ from: daysAfter(due, 32), name: 'Founders’ Day' });
    await portal.on(today);
    const [invoice] = (await portal.billingOf(account)).invoices;
    expect(invoice!.dueOn).toBe(daysAfter(due, 2));
    const plan = (await (await portal.as('stella'))(api.memberships.getPlan, {})).data!;
    const ofAccount = plan.endings.filter(({ accountName }) => accountName === account).map(({ step, day }) => [step, day]);
    expect(ofAccount).toEqual([
      ['suspension', daysAfter(due, 2)],
      ['closing', daysAfter(due, 33)],
    ]);
    expect(plan.holidays).toHaveLength(3);
    const contact = (await (await portal.as('olive'))(api.billing.getBilling, { account })).data!;
    expect(contact.ahead.find(({ step }) => step === 'suspension')!.day).toBe(daysAfter(due, 2));
    // The clock does what the plan says.
    await portal.on(daysAfter(due, 1));
    expect((await portal.accountStateOf(account)).accountStatus).toBe('open');
    await portal.on(daysAfter(due, 2));
    expect(await portal.accountStateOf(account)).toMatchObject({ accountStatus: 'suspended' });
  });

  test('a holiday that is removed brings no suspension before the invoice is due', async () => {
    const name = 'CAMPUS-JP';
    const ends = daysAfter(today, 60);
    await add({ from: daysAfter(ends, 30), name: 'Harbour Day' });
    await portal.on(daysAfter(ends, 1));
    expect((await portal.billingOf(name)).invoices[0]!.dueOn).toBe(daysAfter(ends, 31));
    expect((await remove(daysAfter(ends, 30))).status).toBe(200);
    expect((await portal.billingOf(name)).next).toEqual({ step: 'suspension', day: daysAfter(ends, 31) });
  });

  test('days that are past, too many or already known are refused, and contacts don’t find the call', async () => {
    const day = daysAfter(today, 200);
    await add({ from: day, name: 'Regatta' });
    for (const [body, message] of [
      [{ from: daysAfter(today, -1), name: 'X' }, `Choose ${today} or a later date`],
      [{ from: day, to: daysAfter(day, -1), name: 'X' }, `Choose a date on or after ${day}`],
      [{ from: day, to: daysAfter(day, 31), name: 'X' }, 'At most 31 days can be added together; these are 32'],
      [{ from: daysAfter(today, 2000), name: 'X' }, 'Choose a date within 5 years'],
      [{ from: '2027-02-30', name: 'X' }, 'Enter a date, such as 2026-12-25'],
      [{ from: day, name: ' ' }, 'This field is required'],
    ] as const)
      expect(await add(body)).toMatchObject({ status: 400, errors: [{ message }] });
    expect((await add({ from: day, name: 'Again' })).errors![0]!.message).toMatch(/ is a holiday already: Regatta$/);
    expect((await add({ from: day, name: 'X' }, 'olive')).status).toBe(404);
    expect((await remove(daysAfter(today, 201))).status).toBe(404);
    expect((await remove('tomorrow')).status).toBe(404);
  });
});
