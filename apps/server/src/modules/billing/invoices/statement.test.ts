import { api } from '@portal/contract/api';
import { daysAfter } from '@portal/contract/days';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { billingPortal, today } from '../../../../test/billing-portal.ts';
import { kindsForRules } from '../../../../test/portal.ts';
import { cents, printCents } from '../money.ts';

type Line = { day: string; document: string; description: string; charged: string; received: string; balance: string };

describe.each(kindsForRules)('a statement on %s', kind => {
  test('for any order of payments the last balance is the debt less the credit, and every line follows from the previous one', async () => {
    const account = 'OTHER-SG';
    await using portal = await billingPortal(kind, { [account]: daysAfter(today, -10) });
    await portal.on(today);
    const [stella, olive] = await Promise.all([portal.as('stella'), portal.as('olive')]);
    const statement = async (query: object = {}): Promise<Line[]> => {
      const file = await olive(api.billing.exportStatement, { account, query: { format: 'json', ...query } });
      expect(file.status).toBe(200);
      return JSON.parse(await file.data!.blob.text()) as Line[];
    };
    const { invoices } = await portal.billingOf(account);
    const { number, total } = invoices[0]!;
    const parts = fc.sample(fc.array(fc.integer({ min: 1, max: Number(cents(total)) }), { minLength: 2, maxLength: 4 }), {
      numRuns: 1,
      seed: 7,
    })[0]!;
    let place = 0;
    for (const part of [...parts, Number(cents(total)) + 5_00]) {
      const body = { amount: printCents(BigInt(part)), receivedOn: today, reference: `STATEMENT-${(place += 1)}` };
      const { status } = await stella(api.billing.recordPayment, { invoiceNumber: number, body });
      const { credit, invoices: after } = await portal.billingOf(account);
      const lines = await statement();
      expect(lines.at(-1)!.balance).toBe(printCents(cents(after[0]!.balance) - cents(credit)));
      let balance = 0n;
      for (const line of lines) {
        balance += cents(line.charged || '0') - cents(line.received || '0');
        expect(line.balance).toBe(printCents(balance));
      }
      if (status !== 200) break;
    }
    const later = await statement({ from: daysAfter(today, 1) });
    expect(later.map(({ description }) => description)).toEqual(['Balance brought forward']);
    expect(later[0]!.balance).toBe((await statement()).at(-1)!.balance);
    const pdf = await olive(api.billing.downloadStatement, { account, query: {} });
    const bytes = Buffer.from(await pdf.data!.blob.arrayBuffer()).toString('latin1');
    expect([pdf.data!.fileName, bytes.slice(0, 5), bytes.includes('/StructTreeRoot')]).toEqual([`statement-${account}.pdf`, '%PDF-', true]);
    const again = await olive(api.billing.downloadStatement, { account, query: {} });
    expect(Buffer.from(await again.data!.blob.arrayBuffer()).toString('latin1')).toBe(bytes);
    const turned = { from: today, to: daysAfter(today, -1) };
    expect(await olive(api.billing.downloadStatement, { account, query: turned })).toMatchObject({
      status: 400,
      errors: [{ field: 'to' }],
    });
    expect((await (await portal.as('tess'))(api.billing.downloadStatement, { account: 'EXAMPLE-AU', query: {} })).status).toBe(403);
    const backwards = await olive(api.billing.exportStatement, {
      account,
      query: { format: 'csv', from: today, to: daysAfter(today, -1) },
    });
    expect(backwards).toMatchObject({ status: 400, errors: [{ code: 'INVALID_REQUEST', field: 'to' }] });
  });

  test('a cancelled invoice is charged and taken back', async () => {
    const account = 'OTHER-SG';
    await using portal = await billingPortal(kind, { [account]: daysAfter(today, -10) });
    await portal.on(today);
    const [stella, olive] = await Promise.all([portal.as('stella'), portal.as('olive')]);
    const { number } = (await portal.billingOf(account)).invoices[0]!;
    await stella(api.billing.cancelInvoice, { invoiceNumber: number, body: { reason: 'Billed twice; sorry' } });
    const file = await olive(api.billing.exportStatement, { account, query: { format: 'csv' } });
    const text = await file.data!.blob.text();
    expect(
      text
        .split('\r\n')
        .slice(1, 3)
        .map(row => row.split(',').at(-1)),
    ).toEqual([expect.stringMatching(/^\d+\.\d\d$/), '0.00']);
    expect(text).toContain(`"Credit note for ${number}: Billed twice; sorry"`);
  });
});

describe.each(kindsForRules)('billing details on %s', kind => {
  test('an imported account, of which only the name is known, enters them, and its next invoice has them', async () => {
    const account = 'EXAMPLE-AU';
    await using portal = await billingPortal(kind, { [account]: daysAfter(today, 1) });
    await portal.db.change({ action: 'test', summary: 'test', traceId: '0'.repeat(32) }, change =>
      change.deleteFrom('organisation').where('accountName', '=', account).execute(),
    );
    const bill = await portal.as('bill');
    const { details } = (await bill(api.billing.getBilling, { account })).data!;
    expect(details).toMatchObject({ version: 0, orgName: 'Example Networks Pty Ltd', billingAddress: [], billingEmail: '', poNumber: '' });
    const body = {
      version: details.version,
      billingAddress: ['Accounts', '2 Example Street'],
      billingEmail: 'ap@example.com',
      poNumber: 'PO-1',
    };
    expect((await bill(api.billing.updateBillingDetails, { account, body })).data!.details).toMatchObject({ ...body, version: 1 });
    // Someone else, who saw them empty, is asked to look again.
    expect(await bill(api.billing.updateBillingDetails, { account, body })).toMatchObject({ status: 412, errors: [{ code: 'STALE' }] });
    await portal.on(daysAfter(today, 3));
    expect((await portal.billingOf(account)).invoices[0]).toMatchObject({ poNumber: 'PO-1' });
    expect(await portal.newMails()).toContainEqual(expect.stringMatching(/^ap: EXAMPLE-AU: invoice /));
  });

  test('a billing contact changes the PO number; the next invoice shows it, an old version is refused', async () => {
    const account = 'EXAMPLE-AU';
    await using portal = await billingPortal(kind, { [account]: daysAfter(today, 1) });
    const bill = await portal.as('bill');
    const { details, lost } = (await bill(api.billing.getBilling, { account })).data!;
    // Empty fields are left out.
    expect(lost.filter(words => words.startsWith('0 '))).toEqual([]);
    expect(lost).toContainEqual(expect.stringMatching(/^\d+ delegations of number resources$/));
    expect(lost).toContainEqual(expect.stringMatching(/^\d+ reverse DNS zones?$/));
    const body = { version: details!.version, poNumber: 'PO-77' };
    const changed = await bill(api.billing.updateBillingDetails, { account, body });
    expect(changed.data!.details).toMatchObject({ poNumber: 'PO-77', billingEmail: details!.billingEmail });
    expect(await bill(api.billing.updateBillingDetails, { account, body: { ...body, poNumber: 'PO-78' } })).toMatchObject({
      status: 412,
      errors: [{ code: 'STALE' }],
    });
    expect((await bill(api.billing.updateBillingDetails, { account, body: { version: 1, billingEmail: 'no address' } })).status).toBe(400);
    await portal.on(daysAfter(today, 3));
    expect((await portal.billingOf(account)).invoices[0]).toMatchObject({ poNumber: 'PO-77' });
    const tess = await portal.as('tess');
    expect((await tess(api.billing.updateBillingDetails, { account, body })).status).toBe(403);
  });
});
