import { openFileStore } from '../../documents/index.ts';
import { cancelTransferFee, chargeTransferFee, issueTransferFees } from '../issuing/transfer-fees.ts';
import { isFeeComing } from '../renewals/coming-fees.ts';
import type { BodyOf } from '@portal/contract';
import { api } from '@portal/contract/api';
import type { bankStatements } from '@portal/contract/billing/bank-statements';
import { daysAfter } from '@portal/contract/days';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { billingPortal, today } from '../../../../test/billing-portal.ts';
import { confirmLast } from '../../../../test/deciding-requests.ts';
import { testContext } from '../../../../test/context.ts';
import { kindsForRules } from '../../../../test/portal.ts';
import { billingInvariants } from '../invariants.ts';
import { listKeptOpen } from './kept-open.ts';

/** A registry with two unpaid invoices and staff who match transfers. */
async function deskOf(kind: Parameters<typeof billingPortal>[0]) {
  const portal = await billingPortal(kind, { 'OTHER-SG': daysAfter(today, -2), 'CAMPUS-JP': daysAfter(today, -2) });
  await portal.on(today);
  const stella = await portal.as('stella');
  const invoiceOf = async (accountName: string) => (await portal.billingOf(accountName)).invoices[0]!;
  const lines = async (state: 'open' | 'recorded' | 'set-aside' = 'open') =>
    (await stella(api.bankStatements.listBankLines, { query: { state } })).data!;
  return {
    portal,
    stella,
    invoiceOf,
    lines,
    send: (rows: readonly (readonly [amount: string, words: string, payer?: string])[]) =>
      stella(api.bankStatements.importBankStatement, {
        body: {
          fileName: 'statement.csv',
          content: [
            'Date,Amount,Description,Payer,Bank reference',
            ...rows.map(([amount, words, payer = ''], place) => `${today},${amount},${words},${payer},TRN ${words} ${place}`),
            '',
          ].join('\n'),
        },
      }),
    record: async (words: string, parts: BodyOf<typeof bankStatements.recordBankLine>['parts']) => {
      const { rows } = await lines();
      const { bankLineId } = rows.find(({ remittance }) => remittance === words)!;
      return stella(api.bankStatements.recordBankLine, { bankLineId, body: { parts } });
    },
    /** Expects the invariants of the books. */
    holds: async () => {
      const { db, context } = portal;
      const scope = {
        read: db.read,
        accounts: null,
        profile: context.profile,
        modules: context.modules,
        secrets: context.config,
        now: new Date(),
      };
      for (const { name, check } of billingInvariants) expect(await check(scope), name).toEqual([]);
    },
    [Symbol.asyncDispose]: () => portal[Symbol.asyncDispose](),
  };
}

describe.each(kindsForRules)('bank statements on %s', kind => {
  test('importing a file twice changes nothing; partial, excess, duplicate and unknown payments are assigned', async () => {
    await using desk = await deskOf(kind);
    const [sg, jp] = [await desk.invoiceOf('OTHER-SG'), await desk.invoiceOf('CAMPUS-JP')];
    const half = (Number(sg.balance) / 2).toFixed(2);
    const rows = [
      [half, `${sg.number} first half`],
      [sg.balance, sg.number.replaceAll('-', ' ').replace('INV ', 'inv'), sg.orgName.toUpperCase()],
      ['50.00', 'for the zoo', 'Unknown'],
      [jp.balance, 'thanks CAMPUS-JP'],
    ] as const;
    expect((await desk.send(rows)).data).toEqual({ format: 'CSV', added: 4, known: 0, leftOut: 0 });
    expect((await desk.send(rows)).data).toEqual({ format: 'CSV', added: 0, known: 4, leftOut: 0 });
    const { rows: open } = await desk.lines();
    expect(
      open.map(({ remittance, suggestions }) => [remittance, suggestions.map(({ invoiceNumber, match }) => `${invoiceNumber} ${match}`)]),
    ).toEqual([
      ['thanks CAMPUS-JP', [`${jp.number} account`]],
      ['for the zoo', []],
      [rows[1][1], [`${sg.number} exact`]],
      [rows[0][1], [`${sg.number} less`]],
    ]);

    // A part, then all of it again: the second one is too much.
    expect((await desk.record(rows[0][1], [{ invoiceNumber: sg.number, amount: half }])).data).toMatchObject({ state: 'recorded' });
    expect(await desk.invoiceOf('OTHER-SG')).toMatchObject({ state: 'partly-paid' });
    expect((await desk.record(rows[1][1], [{ invoiceNumber: sg.number, amount: sg.balance }])).status).toBe(200);
    expect(await desk.portal.billingOf('OTHER-SG')).toMatchObject({ credit: half, invoices: [{ state: 'paid', balance: '0.00' }] });
    // Paid a third time, it is credit, and the day it was paid stays.
    await desk.send([['20.00', `${sg.number} again`]]);
    expect((await desk.lines()).rows[0]!.suggestions).toMatchObject([{ match: 'paid' }]);
    expect((await desk.record(`${sg.number} again`, [{ invoiceNumber: sg.number, amount: '20.00' }])).status).toBe(200);
    expect((await desk.portal.billingOf('OTHER-SG')).credit).toBe((Number(half) + 20).toFixed(2));

    const [zoo] = (await desk.lines()).rows.filter(({ remittance }) => remittance === 'for the zoo');
    const { bankLineId } = zoo!;
    expect(await desk.stella(api.bankStatements.setAsideBankLine, { bankLineId, body: { reason: 'Sent back' } })).toMatchObject({
      data: { state: 'set-aside', note: 'Sent back' },
    });
    const aside = await desk.stella(api.bankStatements.setAsideBankLine, { bankLineId, body: { reason: 'Sent back' } });
    expect(aside).toMatchObject({ status: 409, errors: [{ code: 'BANK_LINE_RESOLVED' }] });
    expect((await desk.stella(api.bankStatements.reopenBankLine, { bankLineId })).data).toMatchObject({ state: 'open' });
    expect((await desk.lines()).counts).toEqual({ open: 2, recorded: 3, 'set-aside': 0 });
  });

  test('one transfer pays the invoices of two accounts, and its parts add up to it', async () => {
    await using desk = await deskOf(kind);
    const [sg, jp] = [await desk.invoiceOf('OTHER-SG'), await desk.invoiceOf('CAMPUS-JP')];
    const sum = (Number(sg.balance) + Number(jp.balance)).toFixed(2);
    await desk.send([[sum, 'both']]);
    const parts = [sg, jp].map(({ number, balance }) => ({ invoiceNumber: number, amount: balance }));
    for (const wrong of [parts.slice(0, 1), [parts[0]!, { ...parts[1]!, amount: '1.00' }], [parts[0]!, parts[0]!]])
      expect((await desk.record('both', wrong)).status).toBe(400);
    expect((await desk.record('both', [parts[0]!, { invoiceNumber: 'INV-1999-000001', amount: jp.balance }])).status).toBe(404);
    expect((await desk.record('both', parts)).data!.payments).toHaveLength(2);
    expect([(await desk.invoiceOf('OTHER-SG')).state, (await desk.invoiceOf('CAMPUS-JP')).state]).toEqual(['paid', 'paid']);
  });

  test('a transfer that was recorded by hand is not recorded again, and a large one takes a second person', async () => {
    await using desk = await deskOf(kind);
    const [sg, jp] = [await desk.invoiceOf('OTHER-SG'), await desk.invoiceOf('CAMPUS-JP')];
    await desk.send([
      [sg.balance, sg.number],
      [jp.balance, jp.number],
    ]);
    await desk.stella(api.billing.recordPayment, {
      invoiceNumber: jp.number,
      body: { amount: '1.00', receivedOn: today, reference: `trn ${jp.number}-1` },
    });
    expect((await desk.lines()).rows.find(({ remittance }) => remittance === jp.number)).toMatchObject({ recordedFor: jp.number });
    expect((await desk.record(sg.number, [{ invoiceNumber: sg.number, amount: sg.balance }])).status).toBe(200);
    expect([(await desk.invoiceOf('OTHER-SG')).state, (await desk.invoiceOf('CAMPUS-JP')).state]).toEqual(['paid', 'partly-paid']);
    expect(await desk.record(jp.number, [{ invoiceNumber: jp.number, amount: jp.balance }])).toMatchObject({
      status: 409,
      errors: [{ code: 'PAYMENT_ALIKE' }],
    });

    await desk.send([['20000.00', `${jp.number} much`]]);
    expect(await desk.record(`${jp.number} much`, [{ invoiceNumber: jp.number, amount: '20000.00' }])).toMatchObject({
      status: 409,
      errors: [{ code: 'SECOND_PERSON' }],
    });
  });

  test('the words of a payer twice are two payments, whatever their reference says', async () => {
    await using desk = await deskOf(kind);
    const sg = await desk.invoiceOf('OTHER-SG');
    const half = (Number(sg.balance) / 2).toFixed(2);
    const file = (head: string, rows: readonly string[]) =>
      desk.stella(api.bankStatements.importBankStatement, {
        body: { fileName: 'a.csv', content: [`Date,Amount,${head}`, ...rows, ''].join('\n') },
      });
    const twice = [`${daysAfter(today, -1)},${half},${sg.number}`, `${today},${half},${sg.number}`];
    expect((await file('Reference', twice)).data).toMatchObject({ added: 2 });
    const recordFirst = async (isAnother = false) => {
      const { rows } = await desk.lines();
      const body = { parts: [{ invoiceNumber: sg.number, amount: half }], isEarly: true, ...(isAnother && { isAnother }) };
      return desk.stella(api.bankStatements.recordBankLine, { bankLineId: rows.at(-1)!.bankLineId, body });
    };
    expect([(await recordFirst()).status, (await recordFirst()).status]).toEqual([200, 200]);
    expect(await desk.invoiceOf('OTHER-SG')).toMatchObject({ paid: (Number(half) * 2).toFixed(2) });

    // The same transfers in another file may be the same ones: that is asked, and a second person agrees.
    expect((await file('Details,Name', [`${today},${half},${sg.number},x`])).data).toMatchObject({ added: 1 });
    expect((await desk.lines()).rows).toMatchObject([{ recordedFor: sg.number }]);
    expect(await recordFirst()).toMatchObject({ status: 409, errors: [{ code: 'PAYMENT_ALIKE' }] });
    expect(await recordFirst(true)).toMatchObject({ status: 409, errors: [{ code: 'SECOND_PERSON' }] });
    expect((await confirmLast(desk.portal)).status).toBe(200);
    // So are the words of a payment that was recorded by hand.
    const jp = await desk.invoiceOf('CAMPUS-JP');
    const byHand = (isAnother: boolean) =>
      desk.stella(api.billing.recordPayment, {
        invoiceNumber: jp.number,
        body: { amount: '5.00', receivedOn: today, reference: 'CAMPUS-JP', ...(isAnother && { isAnother }) },
      });
    expect((await byHand(false)).status).toBe(200);
    expect(await byHand(false)).toMatchObject({ status: 409, errors: [{ code: 'PAYMENT_ALIKE' }] });
    expect(await byHand(true)).toMatchObject({ status: 409, errors: [{ code: 'SECOND_PERSON' }] });
    expect((await confirmLast(desk.portal)).status).toBe(200);
    expect((await desk.invoiceOf('CAMPUS-JP')).paid).toBe('10.00');
    await desk.holds();
  });

  test('a match with the wrong invoices is undone: both are due again, and the transfer pays the right one', async () => {
    await using desk = await deskOf(kind);
    const [sg, jp] = [await desk.invoiceOf('OTHER-SG'), await desk.invoiceOf('CAMPUS-JP')];
    const before = await desk.portal.accountStateOf('OTHER-SG');
    const sum = (Number(sg.balance) + 10).toFixed(2);
    await desk.send([[sum, 'wrong']]);
    const parts = [
      { invoiceNumber: sg.number, amount: sg.balance },
      { invoiceNumber: jp.number, amount: '10.00' },
    ];
    const { bankLineId } = (await desk.record('wrong', parts)).data!;
    expect((await desk.portal.accountStateOf('OTHER-SG')).expiryDate).toBe(sg.periodTo);
    const undo = (reason = 'It is of another member') => desk.stella(api.bankStatements.undoBankLine, { bankLineId, body: { reason } });
    expect(await undo(' ')).toMatchObject({ status: 400, errors: [{ field: 'reason' }] });
    expect((await undo()).data).toMatchObject({ state: 'open', payments: [], resolvedBy: null });
    for (const [accountName, invoice] of [
      ['OTHER-SG', sg],
      ['CAMPUS-JP', jp],
    ] as const)
      expect(await desk.invoiceOf(accountName)).toMatchObject({
        state: 'unpaid',
        balance: invoice.balance,
        payments: [{ reversed: { reason: 'It is of another member' } }],
      });
    expect(await desk.portal.accountStateOf('OTHER-SG')).toMatchObject({ expiryDate: before.expiryDate });
    expect(await undo()).toMatchObject({ status: 409, errors: [{ code: 'BANK_LINE_RESOLVED' }] });
    await desk.holds();

    // The same transfer again is no other one; nothing is asked.
    expect((await desk.record('wrong', [{ invoiceNumber: jp.number, amount: sum }])).data).toMatchObject({ state: 'recorded' });
    await desk.holds();
    // What went back to the payer is not on the bank's account to be matched again.
    const [, paid] = (await desk.invoiceOf('CAMPUS-JP')).payments;
    const bounced = { receiptNumber: paid!.receipt, body: { kind: 'bounced', reason: 'The bank says so' } } as const;
    expect((await desk.stella(api.reversals.reversePayment, bounced)).status).toBe(200);
    expect(await undo()).toMatchObject({ status: 409, errors: [{ code: 'PAYMENT_NOT_REVERSIBLE' }] });
    await desk.holds();
    expect((await (await desk.portal.as('olive'))(api.bankStatements.undoBankLine, { bankLineId, body: { reason: 'x' } })).status).toBe(
      404,
    );
  });

  test('transfers are found by payer, words, amount, day and the invoice they paid', async () => {
    await using desk = await deskOf(kind);
    const sg = await desk.invoiceOf('OTHER-SG');
    await desk.send([
      ['12.50', 'rent for the reef', 'Coral Ltd'],
      ['1234.50', '100% sure', 'Atoll'],
      [sg.balance, 'third', 'Lagoon'],
    ]);
    await desk.record('third', [{ invoiceNumber: sg.number, amount: sg.balance }]);
    const found = async (query: { q?: string; from?: string; to?: string; state?: 'recorded' }) => {
      const { counts, rows } = (await desk.stella(api.bankStatements.listBankLines, { query })).data!;
      return [counts.open, counts.recorded, rows.map(({ remittance }) => remittance)];
    };
    expect(await found({ q: 'REEF' })).toEqual([1, 0, ['rent for the reef']]);
    expect(await found({ q: 'coral' })).toEqual([1, 0, ['rent for the reef']]);
    expect(await found({ q: '12.5' })).toEqual([1, 0, ['rent for the reef']]);
    expect(await found({ q: '1,234.50' })).toEqual([1, 0, ['100% sure']]);
    expect(await found({ q: '0% s' })).toEqual([1, 0, ['100% sure']]);
    expect(await found({ q: sg.number, state: 'recorded' })).toEqual([0, 1, ['third']]);
    expect(await found({ q: 'OTHER-SG' })).toEqual([0, 1, []]);
    expect(await found({ from: daysAfter(today, 1) })).toEqual([0, 0, []]);
    expect(await found({ from: today, to: today, q: 'atoll' })).toEqual([1, 0, ['100% sure']]);
    expect(await found({ to: daysAfter(today, -1) })).toEqual([0, 0, []]);
  });

  test('money that is on the bank’s account and not matched keeps its account from being suspended and closed', async () => {
    await using desk = await deskOf(kind);
    const [sg, jp] = [await desk.invoiceOf('OTHER-SG'), await desk.invoiceOf('CAMPUS-JP')];
    await desk.send([
      [sg.balance, 'membership', sg.orgName],
      ['50.00', `part of ${jp.number}`],
    ]);
    const statuses = async () => {
      const states = [await desk.portal.accountStateOf('OTHER-SG'), await desk.portal.accountStateOf('CAMPUS-JP')];
      return states.map(({ accountStatus }) => accountStatus);
    };
    const importedOn = daysAfter(today, 45);
    await desk.portal.db.change({ action: 'test', summary: 'test', traceId: '0'.repeat(32) }, change =>
      change.rows(sql`update bank_statement set imported_at = ${`${importedOn}T03:00:00Z`}`),
    );
    await desk.portal.on(daysAfter(today, 40));
    expect(await statuses()).toEqual(['open', 'open']);
    const endings = (await desk.stella(api.memberships.getPlan, {})).data!.endings.filter(({ step }) => step === 'suspension');
    expect(
      endings
        .filter(({ waitsFor }) => waitsFor?.what === 'transfer' && waitsFor.until === daysAfter(importedOn, 30))
        .map(({ accountName }) => accountName)
        .toSorted(),
    ).toEqual(['CAMPUS-JP', 'OTHER-SG']);
    // Recorded, the part pays a part; set aside, the other one pays nothing: the clock goes on.
    expect((await desk.record(`part of ${jp.number}`, [{ invoiceNumber: jp.number, amount: '50.00' }])).status).toBe(200);
    const { bankLineId } = (await desk.lines()).rows[0]!;
    await desk.stella(api.bankStatements.setAsideBankLine, { bankLineId, body: { reason: 'Sent back' } });
    await desk.portal.on(daysAfter(today, 40));
    expect(await statuses()).toEqual(['suspended', 'suspended']);
    // Matched after all it waits again, and the account isn't closed.
    await desk.stella(api.bankStatements.reopenBankLine, { bankLineId });
    await desk.portal.on(daysAfter(today, 70));
    expect(await statuses()).toEqual(['suspended', 'closed']);
    expect((await desk.record('membership', [{ invoiceNumber: sg.number, amount: sg.balance }])).status).toBe(200);
    expect(await statuses()).toEqual(['open', 'closed']);
  });

  test('a transfer that names the fee of a case holds its end, and is credit of the payer where the case ended anyway', async () => {
    await using desk = await deskOf(kind);
    const { db, context, config } = desk.portal;
    const { profile } = context;
    const line = { action: 'test', summary: 'test', traceId: '0'.repeat(32) };
    const fee = { accountName: 'OTHER-SG', reference: 'REQ-9001', description: 'Transfer fee', amount: '260.00', days: 30 };
    await db.change(line, change => chargeTransferFee(change, fee));
    await issueTransferFees(db, { now: context.clock(), profile, store: openFileStore(config.filesDir), fonts: [] });
    const { number, total } = (await desk.portal.billingOf('OTHER-SG')).invoices.find(({ kind: of }) => of === 'transfer')!;
    const isComing = () => isFeeComing(db.read, 'REQ-9001', { today, profile });
    expect(await isComing()).toBe(false);
    await desk.send([[total, `for ${number}`]]);
    expect(await isComing()).toBe(true);
    await db.change(line, change => cancelTransferFee(change, 'REQ-9001', { profile, today }));
    expect(await isComing()).toBe(false);
    expect((await desk.lines()).rows[0]!.suggestions).toMatchObject([{ invoiceNumber: number, match: 'cancelled' }]);
    expect((await desk.record(`for ${number}`, [{ invoiceNumber: number, amount: total }])).status).toBe(200);
    expect((await desk.portal.billingOf('OTHER-SG')).credit).toBe(total);
  });

  test('a transfer that no one matches keeps an account open for the days of the profile, until which the desk says what to do', async () => {
    await using desk = await deskOf(kind);
    const { portal, stella } = desk;
    const { orgName, balance, number } = await desk.invoiceOf('OTHER-SG');
    await desk.send([[balance, 'membership', orgName]]);
    const on = async (day: string) => {
      await portal.on(day);
      return (await portal.accountStateOf('OTHER-SG')).accountStatus;
    };
    const importedOn = daysAfter(today, 25);
    await portal.db.change({ action: 'test', summary: 'test', traceId: '0'.repeat(32) }, change =>
      change.rows(sql`update bank_statement set imported_at = ${`${importedOn}T03:00:00Z`}`),
    );
    expect((await stella(api.bankStatements.listKeptOpen, {})).data!.rows).toEqual([]);
    const until = daysAfter(importedOn, 30);
    expect(await on(daysAfter(today, 40))).toBe('open');
    const { profile } = portal.context;
    const at = (day: string) => ({ ...testContext(portal), today: day, now: new Date(`${day}T12:00:00Z`), profile });
    const kept = async (day: string) =>
      (await listKeptOpen({ read: portal.db.read, registry: at(day) } as Parameters<typeof listKeptOpen>[0])).rows;
    expect(await kept(daysAfter(today, 40))).toMatchObject([
      { accountName: 'OTHER-SG', step: 'suspension', invoiceNumber: number, amount: balance, payer: orgName, until },
    ]);
    expect(await on(until)).toBe('open');
    expect(await on(daysAfter(until, 1))).toBe('suspended');
    expect(await kept(daysAfter(until, 1))).toEqual([]);
    expect((await (await portal.as('bill'))(api.bankStatements.listKeptOpen, {})).status).toBe(404);
  });

  test('a file from the future or of another kind is refused, and members cannot see transfers', async () => {
    await using desk = await deskOf(kind);
    const content = `Date,Amount,Description\n${daysAfter(today, 2)},5,x\n`;
    for (const [body, words] of [
      [{ fileName: 'a.csv', content }, 'after today'],
      [{ fileName: 'a.xml', content: '<html/>' }, 'begins with html'],
      [{ fileName: 'a.csv', content: 'nothing' }, 'The first line must name the columns'],
    ] as const)
      expect(await desk.stella(api.bankStatements.importBankStatement, { body })).toMatchObject({
        status: 400,
        errors: [{ field: 'content', message: expect.stringContaining(words) }],
      });
    expect((await (await desk.portal.as('bill'))(api.bankStatements.listBankLines, { query: {} })).status).toBe(404);
  });
});
