import { api } from '@portal/contract/api';
import { daysAfter } from '@portal/contract/days';
import { describe, expect, test } from 'vitest';
import { billingPortal, today } from '../../../../test/billing-portal.ts';
import { testContext } from '../../../../test/context.ts';
import { eInvoiceRows as rows, profileFile } from '../../../../test/e-invoice-profile.ts';
import { kindsForRules } from '../../../../test/portal.ts';
import { readProfile } from '../../../profile.ts';
import { attachmentsOf } from '../../mail/attachment.ts';
import { electronicAddress } from '../../../platform/electronic-address.ts';
import { eInvoiceFile, eInvoicesLack, electronicAddressOf, keepCreditEInvoice, untaxedOf } from './e-invoices.ts';
import { invoiceByNumber } from './invoices.ts';

test('an electronic address is a registration number that is one of its scheme to the digit, and none otherwise', () => {
  const profile = { ...readProfile(''), ...rows } as ReturnType<typeof readProfile>;
  const of = (economy: string | null, taxNumber: string) => electronicAddressOf({ economy, taxNumber }, profile);
  expect([of('AU', '51 824 753 556'), of('AU', '51824753556')]).toEqual(['0151:51824753556', '0151:51824753556']);
  expect([of('SG', '200904322N'), of('SG', '53012345D'), of('SG', 'T08GA0028A')]).toEqual([
    '0195:200904322N',
    '0195:53012345D',
    '0195:T08GA0028A',
  ]);
  const none: [string | null, string][] = [
    // Another word, another number beside it, a wrong check digit, too short, another case.
    ['AU', 'ABN 51 824 753 556'],
    ['AU', '51 824 753 556 / ACN 824 753 556'],
    ['AU', '51 824 753 557'],
    ['AU', '124086'],
    ['SG', 'UEN 200904322N'],
    ['SG', '2009-04322N'],
    ['SG', '200904322n'],
    ['AU', ''],
    ['NZ', '51824753556'],
    [null, '51824753556'],
  ];
  for (const [economy, number] of none) expect([number, of(economy, number)]).toEqual([number, null]);
  const lack = (economy: string, taxNumber: string) => eInvoicesLack({ economy, taxNumber }, profile);
  expect([lack('AU', 'ABN 51 824 753 556'), lack('AU', '51 824 753 556'), lack('NZ', 'x')]).toEqual(['an ABN of 11 digits', null, null]);
});

test.each([
  ['0007', '5560747551', '5560747552'],
  ['0088', '7300010000001', '7300010000002'],
  ['0184', '13585628', '13585629'],
  ['0192', '987654325', '987654321'],
  ['0208', '0202239951', '0202239952'],
])('a number of the scheme %s with right check digits is one, and with wrong ones isn’t', (scheme, right, wrong) => {
  expect([electronicAddress(scheme, right), electronicAddress(scheme, wrong)]).toEqual([`${scheme}:${right}`, null]);
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
  expect(await wrong({ ...rows, eInvoices: [...eInvoices, eInvoices[0]] })).toContain('"eInvoices" has AU twice');
  expect(await wrong({ ...rows, eInvoices: [{ economy: 'AU', scheme: '9999' }] })).toContain('a scheme of electronic addresses');
  expect(await wrong({ eInvoices })).toContain('"eInvoiceSeller.electronicAddress" is missing');
  const seller = (more: object) => ({ eInvoices, eInvoiceSeller: { ...eInvoiceSeller, ...more } });
  expect(await wrong(seller({ vatNumber: '' }))).toContain('invoices to AU are taxed');
  expect(await wrong(seller({ untaxedReason: '' }))).toContain('the category O asks for it');
  expect(await wrong(seller({ untaxedCategory: 'K' }))).toContain('one of O, E, G, Z, AE');
  const untaxed = (...list: object[]) => ({
    eInvoices,
    eInvoiceSeller,
    eInvoiceUntaxed: list.map(row => ({ economy: 'SG', customers: 'all', category: 'AE', reason: 'Reverse charge', ...row })),
  });
  expect(await wrong(untaxed({}, { customers: 'members' }))).toBe('');
  expect(await wrong(untaxed({}, {}))).toContain('"eInvoiceUntaxed" has SG and all customers twice');
  expect(await wrong(untaxed({ reason: '' }))).toContain('the category AE asks for it');
  expect(await wrong(untaxed({ category: 'Z' }))).toContain('the category Z has none');
  expect(await wrong(untaxed({ category: 'K' }))).toContain('one of O, E, G, Z, AE');
  expect(await wrong(seller({ electronicAddress: 'us@registry.example' }))).toContain('an electronic address with its scheme');
});

test('the category of what isn’t taxed is that of the payer’s economy and kind, the first that fits', () => {
  const row = (economy: string, customers: 'all' | 'members' | 'non-members', category: 'O' | 'E' | 'G' | 'Z' | 'AE') => ({
    economy,
    customers,
    category,
    reason: category === 'Z' ? '' : `As ${category}`,
  });
  const profile = {
    ...readProfile(''),
    eInvoiceSeller: rows.eInvoiceSeller,
    eInvoiceUntaxed: [row('SG', 'non-members', 'E'), row('SG', 'all', 'G'), row('', 'non-members', 'AE')],
  };
  const of = (economy: string, isMember: boolean) => untaxedOf({ economy, isMember }, profile).untaxedCategory;
  expect([of('SG', false), of('SG', true), of('AU', false), of('AU', true)]).toEqual(['E', 'G', 'AE', 'O']);
});

describe.each(kindsForRules)('e-invoices on %s', kind => {
  test('invoices and credit notes of economies that ask are there as UBL: on the page, for programs, and in the mails', async () => {
    const [account, without] = ['OTHER-SG', 'EXAMPLE-AU'];
    await using portal = await billingPortal(
      kind,
      { [account]: daysAfter(today, -10), [without]: daysAfter(today, -10) },
      {
        REGISTRY_PROFILE: await profileFile({
          ...rows,
          iban: 'NL91 ABNA 0417 1643 00',
          eInvoiceUntaxed: [{ economy: 'SG', customers: 'members', category: 'AE', reason: 'Reverse charge' }],
        }),
      },
    );
    const number = (accountName: string, registrationNumber: string) =>
      portal.db.change({ action: 'test', summary: 'test', traceId: '0'.repeat(32) }, change =>
        change.updateTable('organisation').set({ registrationNumber }).where('accountName', '=', accountName).execute(),
      );
    await number(account, '200904322N');
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
    expect(xml).toContain('<cbc:EndpointID schemeID="0195">200904322N</cbc:EndpointID>');
    // The account as programs take it, and no SEPA transfer of Australian dollars.
    expect(xml).toContain('<cac:PayeeFinancialAccount><cbc:ID>NL91ABNA0417164300</cbc:ID>');
    expect(xml).toContain('<cbc:PaymentMeansCode name="Credit transfer">30</cbc:PaymentMeansCode>');
    const credited = await olive(api.invoiceDocuments.downloadEInvoice, { account, documentNumber: note!.number });
    const ofNote = await credited.data!.blob.text();
    expect(ofNote).toContain('<CreditNote ');
    expect(ofNote).toContain('<cbc:PayableAmount currencyID="AUD">5.00</cbc:PayableAmount>');
    for (const what of [`issued-invoice:${invoice!.number}`, `issued-credit-note:${note!.number}`]) {
      const files = await attachmentsOf(testContext(portal), portal.db.read, what);
      const name = what.split(':')[1]!;
      expect(files.map(({ fileName, contentType }) => [fileName, contentType])).toEqual([
        [`${name}.pdf`, 'application/pdf'],
        [`${name}.xml`, 'application/xml'],
      ]);
    }

    // Registry staff who see the books open it, which is kept as the opening of a PDF is; others don't.
    const staffOpens = async (name: string, documentNumber: string) =>
      (await portal.as(name))(api.billing.openStaffEInvoice, { documentNumber });
    for (const documentNumber of [invoice!.number, note!.number]) {
      const opened = await staffOpens('stella', documentNumber);
      expect(opened.data!.fileName).toBe(`${documentNumber}.xml`);
      expect(await portal.lastActivity()).toMatchObject({ action: 'billing.openStaffEInvoice', accountName: account });
      const { address } = opened.data!;
      const saved = await stella(api.files.downloadFile, { address });
      expect(await saved.data!.blob.text()).toBe(documentNumber === note!.number ? ofNote : xml);
      expect((await olive(api.files.downloadFile, { address })).status).toBe(404);
    }
    expect((await staffOpens('stella', 'INV-1999-000001')).status).toBe(404);
    expect((await staffOpens('olive', invoice!.number)).status).toBe(404);

    // The mails that remind of it, and those to colleagues, carry the PDF alone: programs would book it again.
    for (const what of [`invoice:${invoice!.number}`, `credit-note:${note!.number}`])
      expect(await attachmentsOf(testContext(portal), portal.db.read, what)).toHaveLength(1);

    // Another profile and another number change nothing of what was issued, and a later credit note goes where the invoice went.
    const changed = {
      ...portal.context.profile,
      eInvoices: [],
      eInvoiceSeller: { ...rows.eInvoiceSeller, untaxedCategory: 'G', untaxedReason: 'Export', vatNumber: 'NL999999999B01' },
    } as typeof portal.context.profile;
    await number(account, 'none');
    const row = await invoiceByNumber(portal.db.read, invoice!.number);
    const sums = { subtotal: '1.00', tax: '0.00', total: '1.00' };
    await portal.db.change({ action: 'test', summary: 'test', traceId: '0'.repeat(32) }, change =>
      keepCreditEInvoice(change, row.number, { number: 'CN-2026-999999', issuedOn: today, ...sums, reason: 'Later' }, changed),
    );
    const later = new TextDecoder().decode((await eInvoiceFile(portal.db.read, 'CN-2026-999999'))!.content);
    expect(later).toContain('<cbc:EndpointID schemeID="0195">200904322N</cbc:EndpointID>');
    expect(later).toContain('<cbc:TaxExemptionReason>Reverse charge</cbc:TaxExemptionReason>');
    expect(xml).toContain('<cac:TaxCategory><cbc:ID>AE</cbc:ID><cbc:Percent>0</cbc:Percent>');
    const again = await olive(api.invoiceDocuments.downloadEInvoice, { account, documentNumber: invoice!.number });
    expect(await again.data!.blob.text()).toBe(xml);

    const others = (await bill(api.billing.getBilling, { account: without })).data!.invoices[0]!.number;
    const refused = async (who: typeof olive, accountName: string, documentNumber: string) => {
      const { status, errors } = await who(api.invoiceDocuments.downloadEInvoice, { account: accountName, documentNumber });
      return [status, errors?.[0]?.message];
    };
    expect(await refused(bill, without, others)).toEqual([404, expect.stringContaining(`An e-invoice of ${others}`)]);
    expect(await refused(olive, account, others)).toEqual([404, expect.stringContaining(others)]);
    expect(await refused(olive, account, 'INV-1999-000001')).toEqual([404, expect.stringContaining('INV-1999-000001')]);
    expect((await refused(await portal.as('tess'), without, others))[0]).toBe(403);
    expect(await attachmentsOf(testContext(portal), portal.db.read, `issued-invoice:${others}`)).toHaveLength(1);
  });
});
