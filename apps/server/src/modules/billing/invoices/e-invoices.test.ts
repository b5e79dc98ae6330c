import { api } from '@portal/contract/api';
import { daysAfter } from '@portal/contract/days';
import { describe, expect, test } from 'vitest';
import { billingPortal, today } from '../../../../test/billing-portal.ts';
import { testContext } from '../../../../test/context.ts';
import { eInvoiceRows as rows, profileFile } from '../../../../test/e-invoice-profile.ts';
import { kindsForRules } from '../../../../test/portal.ts';
import { readProfile } from '../../../profile.ts';
import { attachmentsOf } from '../../mail/attachment.ts';
import { electronicAddressOf } from './e-invoices.ts';

test('an electronic address is the registration number in the scheme of its economy, and none without a number', () => {
  const profile = { ...readProfile(''), ...rows };
  const of = (economy: string | null, taxNumber: string) =>
    electronicAddressOf({ economy, taxNumber }, profile as ReturnType<typeof readProfile>);
  expect(of('AU', 'ABN 51 824 753 556')).toBe('0151:51824753556');
  expect(of('SG', '2009-04322n')).toBe('0195:200904322N');
  expect([of('AU', ''), of('AU', 'none yet'), of('NZ', '123'), of(null, '123')]).toEqual([null, null, null, null]);
});

test('a profile that asks for e-invoices says what they need of the registry', async () => {
  const { eInvoices, eInvoiceSeller } = rows;
  const wrong = async (value: object): Promise<string> => {
    const file = await profileFile(value);
    try {
      readProfile(file);
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  };
  expect(await wrong(rows)).toBe('');
  expect(await wrong({ eInvoices })).toContain('"eInvoiceSeller.electronicAddress" is missing');
  const seller = (more: object) => ({ eInvoices, eInvoiceSeller: { ...eInvoiceSeller, ...more } });
  expect(await wrong(seller({ vatNumber: '' }))).toContain('invoices to AU are taxed');
  expect(await wrong(seller({ untaxedReason: '' }))).toContain('the category O asks for it');
  expect(await wrong(seller({ untaxedCategory: 'K' }))).toContain('one of O, E, G, Z, AE');
  expect(await wrong(seller({ electronicAddress: 'us@registry.example' }))).toContain('an electronic address with its scheme');
});

describe.each(kindsForRules)('e-invoices on %s', kind => {
  test('invoices and credit notes of economies that ask are there as UBL: on the page, for programs, and in the mails', async () => {
    const [account, without] = ['OTHER-SG', 'EXAMPLE-AU'];
    await using portal = await billingPortal(
      kind,
      { [account]: daysAfter(today, -10), [without]: daysAfter(today, -10) },
      {
        REGISTRY_PROFILE: await profileFile(rows),
      },
    );
    const number = (accountName: string, registrationNumber: string) =>
      portal.db.change({ action: 'test', summary: 'test', traceId: '0'.repeat(32) }, change =>
        change.updateTable('organisation').set({ registrationNumber }).where('accountName', '=', accountName).execute(),
      );
    await number(account, 'UEN 200904322N');
    await number(without, '');
    await portal.on(today);
    const [olive, bill, stella] = await Promise.all([portal.as('olive'), portal.as('bill'), portal.as('stella')]);
    const { invoices, eInvoices } = (await olive(api.billing.getBilling, { account })).data!;
    const [invoice] = invoices;
    expect(eInvoices).toEqual([invoice!.number]);
    expect((await bill(api.billing.getBilling, { account: without })).data!.eInvoices).toEqual([]);
    await stella(api.corrections.issueCreditNote, { invoiceNumber: invoice!.number, body: { amount: '5', reason: 'Too much' } });
    const [note] = (await olive(api.billing.getBilling, { account })).data!.invoices[0]!.creditNotes;

    const got = await olive(api.invoiceDocuments.downloadEInvoice, { account, documentNumber: invoice!.number });
    expect(got.data!.fileName).toBe(`${invoice!.number}.xml`);
    const xml = await got.data!.blob.text();
    expect(xml).toContain(`<cbc:PayableAmount currencyID="AUD">${invoice!.total}</cbc:PayableAmount>`);
    expect(xml).toContain('<cbc:EndpointID schemeID="0195">UEN200904322N</cbc:EndpointID>');
    const credited = await olive(api.invoiceDocuments.downloadEInvoice, { account, documentNumber: note!.number });
    const ofNote = await credited.data!.blob.text();
    expect(ofNote).toContain('<CreditNote ');
    expect(ofNote).toContain('<cbc:PayableAmount currencyID="AUD">5.00</cbc:PayableAmount>');
    for (const what of [`invoice:${invoice!.number}`, `credit-note:${note!.number}`]) {
      const files = await attachmentsOf(testContext(portal), portal.db.read, what);
      const name = what.split(':')[1]!;
      expect(files.map(({ fileName, contentType }) => [fileName, contentType])).toEqual([
        [`${name}.pdf`, 'application/pdf'],
        [`${name}.xml`, 'application/xml'],
      ]);
    }

    const others = (await bill(api.billing.getBilling, { account: without })).data!.invoices[0]!.number;
    const refused = async (who: typeof olive, accountName: string, documentNumber: string) => {
      const { status, errors } = await who(api.invoiceDocuments.downloadEInvoice, { account: accountName, documentNumber });
      return [status, errors?.[0]?.message];
    };
    expect(await refused(bill, without, others)).toEqual([404, expect.stringContaining(`An e-invoice of ${others}`)]);
    expect(await refused(olive, account, others)).toEqual([404, expect.stringContaining(others)]);
    expect(await refused(olive, account, 'INV-1999-000001')).toEqual([404, expect.stringContaining('INV-1999-000001')]);
    expect((await refused(await portal.as('tess'), without, others))[0]).toBe(403);
    expect(await attachmentsOf(testContext(portal), portal.db.read, `invoice:${others}`)).toHaveLength(1);
  });
});
