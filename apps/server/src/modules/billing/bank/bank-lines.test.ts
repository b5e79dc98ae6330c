import type { BodyOf } from '@portal/contract';
import { api } from '@portal/contract/api';
import type { bankStatements } from '@portal/contract/billing/bank-statements';
import { daysAfter } from '@portal/contract/days';
import { describe, expect, test } from 'vitest';
import { billingPortal, today } from '../../../../test/billing-portal.ts';
import { kindsForRules } from '../../../../test/portal.ts';

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
            'Date,Amount,Description,Payer,Reference',
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
      [sg.balance, sg.number.replaceAll('-', ' ').replace('INV ', 'inv')],
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
      errors: [{ code: 'PAYMENT_RECORDED' }],
    });

    await desk.send([['20000.00', `${jp.number} much`]]);
    expect(await desk.record(`${jp.number} much`, [{ invoiceNumber: jp.number, amount: '20000.00' }])).toMatchObject({
      status: 409,
      errors: [{ code: 'SECOND_PERSON' }],
    });
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
