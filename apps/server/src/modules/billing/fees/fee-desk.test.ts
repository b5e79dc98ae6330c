import { api } from '@portal/contract/api';
import type { FeeAnnouncement } from '@portal/contract/billing/fee-schedules';
import { daysAfter, yearsAfter } from '@portal/contract/days';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BillingPortal, billingPortal, today } from '../../../../test/billing-portal.ts';
import { announceExample, forgetFees, lastFees } from '../../../../test/example-fees.ts';
import { kindsForRules } from '../../../../test/portal.ts';
import { issueSignUps } from '../issuing/sign-up.ts';
import { announce } from './announcing.ts';
import { effectOf } from './fee-effect.ts';
import { warnOfMissingFees } from './missing-fees.ts';

const line = { action: 'test', summary: 'test', traceId: '0'.repeat(32) };
const account = 'EXAMPLE-AU';

/** Fees of a year: a tenth more than the last ones, the base in whole units. */
const feesOf = (next: { validFrom: string; validUntil: string }): FeeAnnouncement => ({
  ...next,
  fees: { ...lastFees, member: { ...lastFees.member, baseFee: '2000.00' } },
});

describe.each(kindsForRules)('fees at the desk on %s', kind => {
  let portal: BillingPortal;
  beforeAll(async () => {
    portal = await billingPortal(kind, { [account]: daysAfter(today, 20) });
  });
  afterAll(() => portal[Symbol.asyncDispose]());

  /** Approves what waits, as a second person of the staff. */
  async function approve(): Promise<number> {
    const stan = await portal.as('stan');
    const { waiting } = (await stan(api.proposals.listStaffProposals, {})).data!;
    expect(waiting).toHaveLength(1);
    const { proposalId, fingerprint } = waiting[0]!;
    return (await stan(api.proposals.approveStaffProposal, { proposalId, body: { fingerprint } })).status;
  }

  test('one person prepares next year’s fees and sees what they do, a second one approves, and the calculator has them; then they are withdrawn the same way', async () => {
    const [stella, stan, bill] = [await portal.as('stella'), await portal.as('stan'), await portal.as('bill')];
    const { next, announced } = (await stella(api.feeSchedules.getFees, {})).data!;
    expect(announced[0]).toMatchObject({ validUntil: daysAfter(next.validFrom, -1), canWithdraw: true, invoices: 0 });
    const ask = async () =>
      (await bill(api.feeEstimates.getFeeEstimate, { query: { kind: 'member', begins: next.validFrom, ipv4: '1024', ipv6: '0', asns: 0 } }))
        .data!.estimate;
    expect(await ask()).toMatchObject({ projected: true, total: '2492.99' });

    const { draftId } = (await stella(api.feeSchedules.prepareFees, { body: feesOf(next) })).data!;
    const effect = (await stan(api.feeSchedules.getFeeEffect, { draftId, query: { account: 'example-au' } })).data!;
    expect(effect).toMatchObject({ currency: 'AUD', less: { accounts: 0, median: null }, found: { accountName: account, economy: 'AU' } });
    expect(effect.accounts).toBe(effect.more.accounts + effect.same);
    expect(effect.sizes.reduce((sum, each) => sum + each.accounts, 0)).toBe(effect.accounts);
    expect(effect.sizes.reduce((sum, each) => sum + Number(each.after), 0)).toBeCloseTo(Number(effect.after), 2);
    const { data: steep } = await stan(api.feeSchedules.getFeeEffect, { draftId, query: { only: 'steep' } });
    expect(steep!.largest.every(({ before, difference }) => Number(difference) > Number(before) / 10)).toBe(true);
    expect(steep!.largest).toHaveLength(effect.steep);
    const [first] = effect.largest;
    expect(Number(first!.difference)).toBeCloseTo(Number(first!.after) - Number(first!.before), 2);
    const table = await stan(api.feeSchedules.exportFeeEffect, { draftId, query: { format: 'csv' } });
    const lines = (await table.data!.blob.text()).trim().split('\r\n');
    expect(lines[0]).toBe('account,organisation,kind,before,after,difference');
    expect(lines).toHaveLength(effect.accounts + 1);
    const after = lines.slice(1).map(each => Number(each.split(',').at(-2)));
    expect(after.reduce((sum, each) => sum + each, 0)).toBeCloseTo(Number(effect.after), 2);

    const asked = await stella(api.feeSchedules.announceFees, { draftId });
    expect(asked).toMatchObject({ status: 409, errors: [{ code: 'SECOND_PERSON' }] });
    expect(await ask()).toMatchObject({ projected: true });
    const { waiting } = (await stan(api.proposals.listStaffProposals, {})).data!;
    expect(waiting[0]).toMatchObject({ link: `/desk/fees?draft=${draftId}`, isMine: false });
    expect(waiting[0]!.shown.map(({ label }) => label)).toContain('Pay more');
    expect(await approve()).toBe(200);
    expect(await ask()).toMatchObject({ projected: false, total: '3511.25', schedule: { validFrom: next.validFrom } });
    const now = (await stella(api.feeSchedules.getFees, {})).data!;
    expect(now.drafts).toEqual([]);
    expect(now.announced[0]).toMatchObject({ validFrom: next.validFrom, announcedOn: today, canWithdraw: true });

    expect(await stella(api.feeSchedules.withdrawFees, { validFrom: next.validFrom })).toMatchObject({
      status: 409,
      errors: [{ code: 'SECOND_PERSON' }],
    });
    expect(await approve()).toBe(200);
    expect(await ask()).toMatchObject({ projected: true, total: '2492.99' });
  });

  test('what was announced is never edited, and what has begun is never withdrawn, not even by the database', async () => {
    const stella = await portal.as('stella');
    const { announced } = (await stella(api.feeSchedules.getFees, {})).data!;
    const current = announced.find(({ validFrom }) => validFrom <= today)!;
    expect(await stella(api.feeSchedules.withdrawFees, { validFrom: current.validFrom })).toMatchObject({
      status: 409,
      errors: [{ code: 'FEES_IN_USE', message: `The fees from ${current.validFrom} can’t be withdrawn: they have begun` }],
    });
    expect((await stella(api.feeSchedules.withdrawFees, { validFrom: '2099-01-01' })).status).toBe(404);
    expect((await stella(api.feeSchedules.withdrawFees, { validFrom: 'soon' })).status).toBe(404);
    const inDatabase = (statement: ReturnType<typeof sql>) => portal.db.change(line, change => change.rows(statement));
    await expect(inDatabase(sql`update fee_schedule set base_fee = 1 where valid_from = ${announced[0]!.validFrom}`)).rejects.toThrow(
      'Announced fees are never changed',
    );
    await expect(inDatabase(sql`delete from fee_schedule where valid_from = ${current.validFrom}`)).rejects.toThrow('have begun');
  });

  test('fees for days that have some are refused at the first day, and so are rules that are none, at their place', async () => {
    const stella = await portal.as('stella');
    const { next } = (await stella(api.feeSchedules.getFees, {})).data!;
    const refused = async (body: unknown) =>
      (await stella(api.feeSchedules.prepareFees, { body: body as FeeAnnouncement })).errors!.map(({ code, field, message }) => [
        code,
        field,
        message,
      ]);
    expect(await refused({ ...feesOf(next), validFrom: daysAfter(next.validFrom, -1) })).toEqual([
      ['FEES_ANNOUNCED', 'validFrom', expect.stringMatching(/^Fees of members are announced already from \d{4}-01-01 until/)],
    ]);
    expect(await refused({ ...feesOf(next), validUntil: daysAfter(next.validFrom, -1) })).toEqual([
      ['INVALID_REQUEST', 'validUntil', `Choose a date on or after ${next.validFrom}`],
    ]);
    const member = { ...lastFees.member, baseFee: '0', bitFactor: '0.9', freeAsns: -1, ldcShare: '2' };
    expect((await refused({ ...next, fees: { member } })).map(([, field]) => field)).toEqual([
      'fees.member.baseFee',
      'fees.member.bitFactor',
      'fees.member.ldcShare',
      'fees.member.freeAsns',
    ]);
    const unknown = await refused({ ...next, fees: { member: { ...lastFees.member, surcharge: '1.00' } } });
    expect(new Set(unknown.map(([code]) => code))).toEqual(new Set(['INVALID_REQUEST']));
    expect(JSON.stringify(unknown)).toContain('surcharge');
  });

  test('prepared fees are discarded, and are gone', async () => {
    const stella = await portal.as('stella');
    const { next } = (await stella(api.feeSchedules.getFees, {})).data!;
    const { draftId } = (await stella(api.feeSchedules.prepareFees, { body: feesOf(next) })).data!;
    expect((await stella(api.feeSchedules.discardFees, { draftId })).status).toBe(204);
    for (const gone of [draftId, '99999999', 'x'])
      expect((await stella(api.feeSchedules.getFeeEffect, { draftId: gone, query: {} })).status).toBe(404);
    expect((await stella(api.feeSchedules.announceFees, { draftId })).status).toBe(404);
  });

  test('holdings that were counted before fees were withdrawn on their eve are counted anew, by the rules of those that come instead', async () => {
    const stella = await portal.as('stella');
    const { announced } = (await stella(api.feeSchedules.getFees, {})).data!;
    const coming = announced.find(({ canWithdraw }) => canWithdraw)!;
    const [other, eve] = ['OTHER-SG', daysAfter(coming.validFrom, -1)];
    await portal.db.change(line, async change => {
      await change.updateTable('account').set({ expiryDate: eve }).where('accountName', '=', other).execute();
      await change.rows(sql`update delegation set source = 'historical' where account_name = ${other} and kind = 'ipv4'`);
    });
    const counted = () =>
      portal.db.read.rows<{ ipv4: string | null }>(
        sql`select ipv4::text from billing_step where account_name = ${other} and term_end = ${eve}::date and step = 'holdings'`,
      );
    await portal.on(eve);
    expect(await counted()).toEqual([{ ipv4: '0' }]);

    await stella(api.feeSchedules.withdrawFees, { validFrom: coming.validFrom });
    expect(await approve()).toBe(200);
    expect(await counted()).toEqual([]);
    await portal.on(eve);
    expect(await counted()).toEqual([]);

    const { validFrom, validUntil } = coming;
    const fees = { ...lastFees, member: { ...lastFees.member, countHistorical: true } };
    await portal.db.change(line, change => announce(change, { validFrom, validUntil, announcedOn: today, fees }));
    await portal.on(eve);
    const [anew] = await counted();
    expect(Number(anew!.ipv4)).toBeGreaterThan(0);
    await portal.db.change(line, change =>
      change.updateTable('account').set({ expiryDate: null }).where('accountName', '=', other).execute(),
    );
  });

  test('fees of which an invoice was issued in advance are not withdrawn', async () => {
    const [stella, bill] = [await portal.as('stella'), await portal.as('bill')];
    const { announced } = (await stella(api.feeSchedules.getFees, {})).data!;
    const coming = announced.find(({ canWithdraw }) => canWithdraw)!;
    const ended = daysAfter(coming.validFrom, -1);
    await portal.db.change(line, change =>
      change.updateTable('account').set({ expiryDate: ended }).where('accountName', '=', account).execute(),
    );
    const { context } = portal;
    const days = context.profile.billingCalendar.advanceDays;
    context.profile.billingCalendar.advanceDays = 900;
    try {
      expect((await bill(api.renewals.askForInvoice, { account })).status).toBe(200);
      await portal.on(today);
    } finally {
      context.profile.billingCalendar.advanceDays = days;
    }
    expect(await stella(api.feeSchedules.withdrawFees, { validFrom: coming.validFrom })).toMatchObject({
      status: 409,
      errors: [{ code: 'FEES_IN_USE', message: expect.stringContaining('was issued by them') }],
    });
  });
});

describe.each(kindsForRules)('a registry that has announced no fees on %s', kind => {
  const ended = daysAfter(today, -40);
  let portal: BillingPortal;
  beforeAll(async () => {
    portal = await billingPortal(kind, { [account]: ended });
    // Its clock has struck before: the reminder is sent.
    await portal.on(daysAfter(ended, -30));
    await portal.db.change(line, change => change.updateTable('invoice').set({ feeScheduleId: null, kind: 'transfer' }).execute());
    await forgetFees(portal.db);
  });
  afterAll(() => portal[Symbol.asyncDispose]());

  test('says in the calculator, at billing and at the desk what is missing and who announces it, and bills nothing', async () => {
    const [bill, stella] = [await portal.as('bill'), await portal.as('stella')];
    const query = { kind: 'member', begins: today, ipv4: '1024', ipv6: '0', asns: 0 } as const;
    const refused = await bill(api.feeEstimates.getFeeEstimate, { query });
    expect(refused).toMatchObject({
      status: 409,
      errors: [
        {
          code: 'FEES_NOT_ANNOUNCED',
          message: `No fees of members are announced for ${today}. Registry staff announce them at the desk, under Fees, or its operator with “registry fees announce”`,
        },
      ],
    });
    expect((await bill(api.feeEstimates.downloadFeeEstimate, { query })).status).toBe(409);
    await portal.on(daysAfter(ended, 35));
    expect((await portal.accountStateOf(account)).steps.map(([step]) => step)).toEqual(['reminder']);
    const { feesMissing, ahead } = (await bill(api.billing.getBilling, { account })).data!;
    expect([feesMissing, ahead]).toEqual([daysAfter(ended, 1), []]);
    const desk = (await stella(api.feeSchedules.getFees, {})).data!;
    expect(desk.missing).toContainEqual({ kind: 'member', from: today });
    expect(desk.unbilled).toEqual({ accounts: 1, from: daysAfter(ended, 1) });
    expect(desk.next).toEqual({ validFrom: `${today.slice(0, 4)}-01-01`, validUntil: `${today.slice(0, 4)}-12-31` });
    const renewal = (await bill(api.renewals.getRenewal, { account })).data!;
    expect(renewal).toMatchObject({ open: false });
  });

  test('the bills of members are compared although those of non-members are new', async () => {
    const { db, context } = portal;
    const effect = await db.rehearse(line, async change => {
      const [validFrom, validUntil] = [`${today.slice(0, 4)}-01-01`, `${today.slice(0, 4)}-12-31`];
      await announce(change, { validFrom, validUntil, announcedOn: today, fees: { member: lastFees.member } });
      const rise = { member: { ...lastFees.member, baseFee: '9000.00' }, 'non-member': lastFees['non-member']! };
      return effectOf(change, { validFrom: daysAfter(validUntil, 1), validUntil: yearsAfter(validUntil, 1), fees: rise }, context.profile);
    });
    expect(effect.first).toBeGreaterThan(0);
    expect(effect.more.accounts).toBeGreaterThan(0);
    expect(effect.accounts).toBe(effect.first + effect.more.accounts + effect.less.accounts + effect.same);
    expect(Number(effect.compared!.after)).toBeGreaterThan(Number(effect.compared!.before));
    expect(Number(effect.after)).toBeGreaterThan(Number(effect.compared!.after));
  });

  test('staff get one e-mail about it, and another only after there were fees', async () => {
    const warn = (before: Record<string, string>) => warnOfMissingFees(portal.db, { today, profile: portal.context.profile }, before);
    await portal.newMails();
    const warned = await warn({});
    expect(warned).toMatchObject({ member: today });
    expect(await portal.newMails()).toEqual([expect.stringContaining('billing: No fees are announced from')]);
    expect(await warn(warned)).toEqual(warned);
    expect(await portal.newMails()).toEqual([]);
  });

  test('an approved account waits for its sign-up invoice until there are fees, and one whose term has ended is billed then, with its days to pay', async () => {
    const { db, store } = portal;
    await db.change(line, change =>
      change.rows(sql`insert into account (account_name, account_status, account_type, nir, org_name, economy) values
        ('FRESH-AU', 'new', 'regular', false, 'Fresh Networks', 'AU')`),
    );
    const issue = () => issueSignUps(db, { now: new Date(`${today}T12:00:00Z`), profile: portal.context.profile, store, fonts: [] });
    await issue();
    expect(await portal.billingOf('FRESH-AU')).toMatchObject({ invoices: [], feesMissing: today });
    const [validFrom, validUntil] = [yearsAfter(today, -1), yearsAfter(today, 1)];
    await db.change(line, change => announce(change, { validFrom, validUntil, announcedOn: today, fees: lastFees }));
    await issue();
    expect(await portal.billingOf('FRESH-AU')).toMatchObject({ invoices: [{ kind: 'sign-up' }], feesMissing: null });

    await portal.on(today);
    const billed = await portal.billingOf(account);
    expect(billed.invoices.find(({ kind: of }) => of === 'renewal')).toMatchObject({
      issuedOn: today,
      dueOn: daysAfter(today, 30),
      periodFrom: daysAfter(ended, 1),
    });
    expect((await portal.accountStateOf(account)).accountStatus).toBe('open');
    expect(billed.next).toEqual({ step: 'suspension', day: daysAfter(today, 30) });
    await expect(announceExample(db)).rejects.toThrow('are announced already');
  });
});
