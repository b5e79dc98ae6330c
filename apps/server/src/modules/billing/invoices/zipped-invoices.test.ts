import { createHash } from 'node:crypto';
import { api } from '@portal/contract/api';
import { daysAfter } from '@portal/contract/days';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BillingPortal, billingPortal, today } from '../../../../test/billing-portal.ts';
import { kindsForRules } from '../../../../test/portal.ts';

describe.each(kindsForRules)('invoices in one file on %s', kind => {
  const account = 'EXAMPLE-AU';
  let portal: BillingPortal;
  let invoices: { number: string; issuedOn: string; sha256: string }[];
  beforeAll(async () => {
    portal = await billingPortal(kind, { [account]: daysAfter(today, -10), 'OTHER-SG': daysAfter(today, -10) });
    await portal.on(today);
    const { number, total } = (await portal.billingOf(account)).invoices[0]!;
    const body = { amount: total, receivedOn: today, reference: 'ZIP-1' };
    await (await portal.as('stella'))(api.billing.recordPayment, { invoiceNumber: number, body });
    await portal.on(daysAfter(today, 366));
    invoices = await portal.db.read
      .selectFrom('invoice')
      .select(['number', 'issuedOn', 'sha256'])
      .where('accountName', '=', account)
      .orderBy('invoiceId')
      .execute();
  });
  afterAll(() => portal[Symbol.asyncDispose]());

  const download = async (query: { year?: string; numbers?: string }, name = 'bill') =>
    (await portal.as(name))(api.invoiceDocuments.downloadInvoices, { account, query });
  const content = async (query: { year?: string; numbers?: string }) => {
    const { data } = await download(query);
    const files = unzipSync(new Uint8Array(await data!.blob.arrayBuffer()));
    const hashes = Object.entries(files).map(([name, bytes]) => [name, createHash('sha256').update(bytes).digest('hex')]);
    return { fileName: data!.fileName, files: hashes };
  };
  const asFiles = (some: typeof invoices) => some.map(({ number, sha256 }) => [`${number}.pdf`, sha256]);

  test('all invoices, those of a year or those named are the files as issued', async () => {
    expect(invoices.length).toBeGreaterThan(1);
    expect(await content({})).toEqual({ fileName: `invoices-${account}.zip`, files: asFiles(invoices) });
    const year = invoices.at(-1)!.issuedOn.slice(0, 4);
    const ofYear = invoices.filter(({ issuedOn }) => issuedOn.startsWith(year));
    expect(await content({ year })).toEqual({ fileName: `invoices-${account}-${year}.zip`, files: asFiles(ofYear) });
    expect((await content({ numbers: invoices[0]!.number })).files).toEqual(asFiles(invoices.slice(0, 1)));
  });

  test('invoices of other accounts, years without invoices and malformed lists are refused', async () => {
    const theirs = (await portal.billingOf('OTHER-SG')).invoices[0]!.number;
    const refused = async (query: { year?: string; numbers?: string }, name?: string) => {
      const { status, errors } = await download(query, name);
      return [status, errors?.[0]?.message];
    };
    expect(await refused({ numbers: `${invoices[0]!.number},${theirs}` })).toEqual([404, expect.stringContaining(theirs)]);
    expect(await refused({ year: '1999' })).toEqual([404, expect.stringContaining('An invoice of 1999')]);
    expect((await refused({ year: '26' }))[0]).toBe(400);
    expect(await refused({ numbers: 'INV-1; drop' })).toEqual([400, expect.stringContaining('such as INV-2026-000001')]);
    const many = Array.from({ length: 201 }, (_, place) => `INV-2026-${String(place).padStart(6, '0')}`).join(',');
    expect((await refused({ numbers: many }))[0]).toBe(400);
    expect((await refused({}, 'tess'))[0]).toBe(403);
    expect((await refused({}, 'olive'))[0]).toBe(404);
  });
});
