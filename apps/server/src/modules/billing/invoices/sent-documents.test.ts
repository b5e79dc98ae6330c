import { api } from '@portal/contract/api';
import { daysAfter } from '@portal/contract/days';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BillingPortal, billingPortal, today } from '../../../../test/billing-portal.ts';
import { kindsForRules } from '../../../../test/portal.ts';

describe.each(kindsForRules)('documents sent to colleagues on %s', kind => {
  const account = 'EXAMPLE-AU';
  let portal: BillingPortal;
  let number: string;
  beforeAll(async () => {
    portal = await billingPortal(kind, { [account]: daysAfter(today, -10), 'OTHER-SG': daysAfter(today, -10) });
    await portal.on(today);
    number = (await portal.billingOf(account)).invoices[0]!.number;
  });
  afterAll(() => portal[Symbol.asyncDispose]());

  const colleagues = async (name: string) => (await (await portal.as(name))(api.invoiceDocuments.listColleagues, { account })).data!.rows;
  const mails = () =>
    portal.db.read
      .selectFrom('mail')
      .select(['recipient', 'subject', 'body', 'attaches'])
      .where('subject', 'like', '% from %')
      .orderBy('mailId')
      .execute();

  test('an invoice, a credit note and a receipt are mailed to a chosen contact with the note and the PDF, and logged', async () => {
    const [bill, stella] = [await portal.as('bill'), await portal.as('stella')];
    await stella(api.corrections.issueCreditNote, { invoiceNumber: number, body: { amount: '5', reason: 'Too much' } });
    await stella(api.billing.recordPayment, { invoiceNumber: number, body: { amount: '7', receivedOn: today, reference: 'TR-1' } });
    const { creditNotes, payments } = (await portal.billingOf(account)).invoices[0]!;
    const rows = await colleagues('bill');
    const bills = await portal.db.read.selectFrom('contact').select('fullName').where('email', 'like', 'bill@%').executeTakeFirstOrThrow();
    expect(rows.map(({ fullName }) => fullName)).not.toContain(bills.fullName);
    const tess = await portal.db.read
      .selectFrom('contact')
      .select(['contactId', 'fullName', 'email'])
      .where('accountName', '=', account)
      .where('email', 'like', 'tess@%')
      .executeTakeFirstOrThrow();
    expect(rows).toContainEqual({ contactId: tess.contactId, fullName: tess.fullName });
    const documents = [number, creditNotes[0]!.number, payments[0]!.receipt];
    for (const documentNumber of documents) {
      const { status, data } = await bill(api.invoiceDocuments.sendDocument, {
        account,
        documentNumber,
        body: { contactId: tess.contactId, note: 'For the books <b>of 2026</b>' },
      });
      expect([status, data]).toEqual([200, { sentTo: tess.fullName }]);
    }
    const sent = await mails();
    expect(sent.map(({ recipient, attaches }) => [recipient, attaches])).toEqual([
      [tess.email, `invoice:${documents[0]}`],
      [tess.email, `credit-note:${documents[1]}`],
      [tess.email, `receipt:${documents[2]}`],
    ]);
    expect(sent[1]!.subject).toBe(`${account}: credit note ${documents[1]} from ${bills.fullName}`);
    expect(sent[0]!.body).toContain('Note: For the books <b>of 2026</b>');
    const lines = await portal.db.read
      .selectFrom('activity')
      .select(['accountName', 'details'])
      .where('action', '=', 'billing.invoiceDocuments.sendDocument')
      .orderBy('activityId')
      .execute();
    expect(lines[2]).toMatchObject({ accountName: account, details: { receipt: documents[2], sentTo: tess.fullName } });
  });

  test('documents and contacts of other accounts are not found, and contacts who may not read invoices can’t send any', async () => {
    const bill = await portal.as('bill');
    const [someone] = await colleagues('bill');
    const theirs = (await portal.billingOf('OTHER-SG')).invoices[0]!.number;
    const olive = await portal.db.read
      .selectFrom('contact')
      .select('contactId')
      .where('accountName', '=', 'OTHER-SG')
      .executeTakeFirstOrThrow();
    const before = (await mails()).length;
    const send = async (name: string, documentNumber: string, contactId: string, of = account) => {
      const { status, errors } = await (await portal.as(name))(api.invoiceDocuments.sendDocument, {
        account: of,
        documentNumber,
        body: { contactId, note: '' },
      });
      return [status, errors?.[0]?.code];
    };
    const { contactId } = someone!;
    expect(await send('bill', theirs, contactId)).toEqual([404, 'NOT_FOUND']);
    expect(await send('bill', `REC-${number.slice(4)}-9`, contactId)).toEqual([404, 'NOT_FOUND']);
    expect(await send('bill', 'CN-2026-999999', contactId)).toEqual([404, 'NOT_FOUND']);
    expect(await send('bill', number, olive.contactId)).toEqual([400, 'INVALID_REQUEST']);
    expect(await send('tess', number, contactId)).toEqual([403, 'NO_PERMISSION']);
    expect((await send('olive', number, contactId))[0]).toBe(404);
    expect((await (await portal.as('tess'))(api.invoiceDocuments.listColleagues, { account })).status).toBe(403);
    const long = await bill(api.invoiceDocuments.sendDocument, {
      account,
      documentNumber: number,
      body: { contactId, note: 'x'.repeat(501) },
    });
    expect(long.errors?.[0]).toMatchObject({ code: 'INVALID_REQUEST', field: 'note' });
    expect((await mails()).length).toBe(before);
  });

  test('one person can send twenty a day', async () => {
    const bill = await portal.as('bill');
    const [someone] = await colleagues('bill');
    const send = () =>
      bill(api.invoiceDocuments.sendDocument, { account, documentNumber: number, body: { contactId: someone!.contactId, note: '' } });
    const before = (await mails()).length;
    const statuses = [];
    for (let i = before; i < 20; i++) statuses.push((await send()).status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect((await send()).errors?.[0]?.code).toBe('TOO_MANY_REQUESTS');
    expect((await mails()).length).toBe(20);
  });
});
