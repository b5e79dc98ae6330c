import { api } from '@portal/contract/api';
import { daysAfter } from '@portal/contract/days';
import { describe, expect, test } from 'vitest';
import { billingPortal, today } from '../../../../test/billing-portal.ts';
import { kindsForRules } from '../../../../test/portal.ts';
import type { JsonValue } from '../../../platform/database/index.ts';
import { readProfile } from '../../../profile.ts';
import { holdIfNeeded } from './holds.ts';
import { lastRunOf } from '../membership/open-hold.ts';
import { stepsAhead } from '../membership/term.ts';

const { billingCalendar: calendar } = readProfile('');

const profile = readProfile('');

test('the steps ahead of an unpaid term are those of the calendar, and end with its closing', () => {
  const term = {
    accountName: 'EXAMPLE-AU',
    termEnd: '2026-12-31',
    done: {},
    advance: null,
    feesAnnounced: '2000-01-01',
    invoice: null,
    holidays: [],
  };
  expect(stepsAhead(term, '2027-12-31', calendar).map(({ step, day }) => `${day} ${step}`)).toEqual([
    '2026-12-01 reminder',
    '2026-12-31 holdings',
    '2027-01-01 invoice',
    '2027-01-30 suspension',
    '2027-02-14 second-reminder',
    '2027-02-19 closing-warning',
    '2027-03-01 closing',
  ]);
  expect(stepsAhead(term, '2027-01-29', calendar)).toHaveLength(3);
  expect(
    stepsAhead({ ...term, invoice: { number: 'INV-2027-000001', dueOn: '', settled: true, extendedUntil: null } }, '2027-12-31', calendar),
  ).toHaveLength(3);
});

test('the last run’s note is read as a day, and anything else is ignored', () => {
  const noted: (JsonValue | null)[] = [null, {}, { ran: 3 }, 'x', { ran: '2026-11-22' }];
  expect(noted.map(lastRunOf)).toEqual([null, null, null, null, '2026-11-22']);
});

describe.each(kindsForRules)('suspensions and closures on %s', kind => {
  const D = daysAfter(today, -70);
  /** Two accounts that would be suspended and closed in one run: the clock did not run since their terms ended. */
  const late = () => billingPortal(kind, { 'EXAMPLE-AU': D, 'OTHER-SG': D });
  const hold = (portal: Awaited<ReturnType<typeof late>>, lastRun: string | null, more = {}) =>
    holdIfNeeded(portal.db, { now: new Date(`${today}T02:00:00Z`), profile: { ...profile, ...more }, lastRun });

  test.each([
    ['first-run', null, {}],
    ['outage', daysAfter(today, -4), {}],
    ['many', daysAfter(today, -1), { mostEndingsPerDay: 1 }],
  ] as const)('wait at %s until staff have read the plan; with more time nobody is suspended', async (reason, lastRun, more) => {
    await using portal = await late();
    await hold(portal, lastRun, more);
    await hold(portal, lastRun, more);
    expect((await portal.newMails()).filter(mail => mail.includes('wait for you'))).toEqual([
      'billing: 4 suspensions and closures wait for you',
    ]);
    await portal.on(today);
    // Reminder, count and invoice go on.
    const standing = await portal.accountStateOf('EXAMPLE-AU');
    expect([standing.accountStatus, standing.steps.map(([step]) => step)]).toEqual(['open', ['reminder', 'holdings', 'invoice']]);

    const stella = await portal.as('stella');
    const plan = (await stella(api.memberships.getPlan, {})).data!;
    expect(plan.hold).toMatchObject({ reason, since: today, lastRun });
    expect(plan.endings.map(({ accountName, step, held }) => [accountName, step, held])).toEqual([
      ['EXAMPLE-AU', 'suspension', true],
      ['OTHER-SG', 'suspension', true],
      ['EXAMPLE-AU', 'closing', true],
      ['OTHER-SG', 'closing', true],
    ]);
    expect(plan.endings[0]!.invoice?.balance).toMatch(/^\d+\.\d\d$/);

    const { holdId } = plan.hold!;
    const yesterday = await stella(api.memberships.releaseHold, { holdId, body: { extendUntil: today } });
    expect(yesterday).toMatchObject({ status: 400, errors: [{ code: 'INVALID_REQUEST' }] });
    const until = daysAfter(today, 20);
    const released = await stella(api.memberships.releaseHold, { holdId, body: { extendUntil: until } });
    expect(released.data).toMatchObject({ hold: null });
    expect(released.data!.endings.map(({ day }) => day)).toEqual([until, until, daysAfter(until, 30), daysAfter(until, 30)]);
    const twice = await stella(api.memberships.releaseHold, { holdId, body: {} });
    expect(twice).toMatchObject({ status: 409, errors: [{ code: 'HOLD_RELEASED' }] });
    expect((await stella(api.memberships.releaseHold, { holdId: '999', body: {} })).status).toBe(404);

    // No second hold on the same day, and no membership ends.
    await hold(portal, lastRun, more);
    await portal.on(today);
    expect((await portal.accountStateOf('EXAMPLE-AU')).accountStatus).toBe('open');
  });

  test('go on after a release without more time', async () => {
    await using portal = await late();
    await hold(portal, null);
    const stella = await portal.as('stella');
    const { holdId } = (await stella(api.memberships.getPlan, {})).data!.hold!;
    await stella(api.memberships.releaseHold, { holdId, body: {} });
    await portal.on(today);
    expect((await portal.accountStateOf('OTHER-SG')).accountStatus).toBe('closed');
  });

  test('do not wait when the clock ran yesterday, and members see no plan', async () => {
    await using portal = await late();
    await hold(portal, daysAfter(today, -1));
    await portal.on(today);
    expect((await portal.accountStateOf('OTHER-SG')).accountStatus).toBe('closed');
    const corin = await portal.as('corin');
    expect((await corin(api.memberships.getPlan, {})).status).toBe(404);
  });
});
