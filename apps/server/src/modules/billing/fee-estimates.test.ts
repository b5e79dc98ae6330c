import { api } from '@portal/contract/api';
import { daysAfter } from '@portal/contract/days';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BillingPortal, billingPortal, today } from '../../../test/billing-portal.ts';
import { kindsForRules } from '../../../test/portal.ts';
import { transferFeeOn } from './index.ts';

/** Returns the sum of the rows of a calculation: IPv4 addresses and /56 blocks of IPv6. */
function countOf(blocks: readonly { family: 'ipv4' | 'ipv6'; name: string; quantity: number }[], family: 'ipv4' | 'ipv6'): string {
  const bits = family === 'ipv4' ? 32 : 56;
  return String(
    blocks
      .filter(block => block.family === family)
      .map(({ name, quantity }) => (name.includes('/') ? 2n ** BigInt(bits - Number(name.split('/')[1])) : BigInt(name)) * BigInt(quantity))
      .reduce((sum, each) => sum + each, 0n),
  );
}

describe.each(kindsForRules)('the annual fee calculator on %s', kind => {
  const accounts = ['EXAMPLE-AU', 'OTHER-SG', 'CAMPUS-JP'];
  const ended = daysAfter(today, -10);
  let portal: BillingPortal;
  const nothing = { kind: 'member', begins: '2026-01-01', ipv4: '0', ipv6: '0', asns: 0 } as const;
  beforeAll(async () => {
    portal = await billingPortal(kind, Object.fromEntries(accounts.map(name => [name, ended])));
  });
  afterAll(() => portal[Symbol.asyncDispose]());

  test.each([
    ['negative addresses', { ipv4: '-1' }, 'ipv4', 'Enter a whole number of IPv4 addresses, such as 1024'],
    ['2^33 addresses', { ipv4: String(2n ** 33n) }, 'ipv4', 'There are only 4294967296 IPv4 addresses'],
    ['more than all of IPv6', { ipv6: String(2n ** 57n) }, 'ipv6', `There are only ${2n ** 56n} IPv6 blocks of /56`],
    ['a fraction', { ipv4: '1.5' }, 'ipv4', 'Enter a whole number of IPv4 addresses, such as 1024'],
  ] as const)('%s are refused in words', async (_, given, field, message) => {
    const bill = await portal.as('bill');
    expect(await bill(api.feeEstimates.getFeeEstimate, { query: { ...nothing, ...given } })).toMatchObject({
      status: 400,
      errors: [{ field, message }],
    });
  });

  test.each([-1, 10_001])('%d AS numbers are refused', async asns => {
    const { status, errors } = await (await portal.as('bill'))(api.feeEstimates.getFeeEstimate, { query: { ...nothing, asns } });
    expect([status, errors![0]!.field]).toEqual([400, 'asns']);
  });

  test.each(accounts)('the estimate of what %s holds equals the invoice that is issued on it', async account => {
    const person = await portal.as({ 'EXAMPLE-AU': 'tess', 'OTHER-SG': 'olive', 'CAMPUS-JP': 'hana' }[account]!);
    const held = (await person(api.feeEstimates.getCountedHoldings, { account })).data!;
    expect(held.begins).toBe(daysAfter(ended, 1));
    const { estimate } = (
      await person(api.feeEstimates.getFeeEstimate, {
        query: {
          kind: held.kind!,
          begins: held.begins!,
          ...(held.economy && { economy: held.economy }),
          ipv4: countOf(held.blocks, 'ipv4'),
          ipv6: countOf(held.blocks, 'ipv6'),
          asns: held.asns,
        },
      })
    ).data!;
    await portal.on(today);
    const invoice = (await portal.billingOf(account)).invoices[0]!;
    expect({ subtotal: estimate.subtotal, tax: estimate.tax, total: estimate.total }).toEqual({
      subtotal: invoice.subtotal,
      tax: invoice.tax,
      total: invoice.total,
    });
    expect(estimate.lines.map(({ amount }) => amount)).toEqual(invoice.lines.map(({ amount }) => amount));
  });

  test('a contact who may not see resources gets sizes, not prefixes; someone else finds no account', async () => {
    const [bill, tess, olive] = await Promise.all([portal.as('bill', { mfa: false }), portal.as('tess'), portal.as('olive')]);
    const names = async (person: typeof bill) =>
      (await person(api.feeEstimates.getCountedHoldings, { account: 'EXAMPLE-AU' })).data!.blocks.map(({ name }) => name);
    expect(await names(tess)).toContain('198.18.0.0/19');
    for (const name of await names(bill)) expect(name).toMatch(/^(\/\d+|\d+)$/);
    expect((await olive(api.feeEstimates.getCountedHoldings, { account: 'EXAMPLE-AU' })).status).toBe(404);
  });

  test.each([
    ['a /22 in 2025', { begins: '2025-06-01', ipv4: '1024' }, '2137.32', ['addresses']],
    ['a /29 of IPv6 is more than a /22', { ipv4: '1024', ipv6: '134217728' }, '5189.67', ['addresses']],
    ['a national registry in 2022', { kind: 'nir', begins: '2022-07-01', ipv4: '512000' }, '60779.65', ['addresses', 'nir']],
    ['half in a least developed country', { begins: '2025-01-01', economy: 'KH', ipv4: '1024' }, '1068.66', ['addresses', 'ldc']],
    ['three AS numbers beyond those that are free', { begins: '2025-01-01', ipv4: '256', asns: 5 }, '1536.00', ['addresses', 'asns']],
    ['only AS numbers', { begins: '2025-01-01', asns: 2 }, '500.00', ['associate']],
    ['a new account', { begins: '2025-01-01', ipv4: '256', newAccount: 'true' }, '1736.00', ['addresses', 'sign-up']],
    ['a non-member', { kind: 'non-member', ipv4: '256' }, '1488.00', ['addresses']],
    ['with tax in the economy that has it', { begins: '2025-01-01', economy: 'AU', ipv4: '1024' }, '2351.05', ['addresses']],
    ['the year after the last announced one, projected', { begins: '2028-03-01', ipv4: '256' }, '1420.00', ['addresses']],
  ] as const)('%s', async (_, given, total, steps) => {
    const nadia = await portal.as('nadia');
    const { estimate } = (await nadia(api.feeEstimates.getFeeEstimate, { query: { ...nothing, ...given } })).data!;
    expect([estimate.total, estimate.lines.map(({ step }) => step)]).toEqual([total, steps]);
  });

  test('a person without an account can estimate too, and sees the years around and the transfer fee', async () => {
    const newcomer = await portal.as('nadia');
    const { estimate, years, before, transferFee } = (
      await newcomer(api.feeEstimates.getFeeEstimate, { query: { ...nothing, ipv4: '1024', transferred: '1024' } })
    ).data!;
    expect(estimate).toMatchObject({
      projected: false,
      charged: 'ipv4',
      votes: 2,
      ipv4: { bits: 2, fee: '2256.41' },
      ipv6: { fee: '0.00' },
    });
    expect(years).toEqual([
      { begins: '2025-01-01', projected: false, total: '2137.32' },
      { begins: '2026-01-01', projected: false, total: '2256.41' },
      { begins: '2027-01-01', projected: false, total: '2380.63' },
    ]);
    expect(before).toEqual({ base: '1236.00', factor: '1.3150', ipv4Base: 24, ipv6Base: 34, year: 2025 });
    expect(transferFee).toBe('451.28');
  });

  test.each([
    ['0.10', '225.64'],
    ['0.00', null],
  ])('the transfer fee follows the share in the profile: %s', async (transferFeeShare, fee) => {
    const { requestPolicy } = portal.context.profile;
    const usual = requestPolicy.transferFeeShare;
    try {
      requestPolicy.transferFeeShare = transferFeeShare;
      const nadia = await portal.as('nadia');
      // Who isn't a member pays for a transfer what members pay.
      for (const kind of ['member', 'non-member'] as const) {
        const query = { ...nothing, kind, ipv4: '1024', transferred: '1024' };
        expect([kind, (await nadia(api.feeEstimates.getFeeEstimate, { query })).data!.transferFee]).toEqual([kind, fee]);
      }
      // A transfer is charged what the calculator shows.
      const charged = await transferFeeOn(portal.db.read, 1024n, transferFeeShare, '2026-01-01');
      expect(charged).toBe(fee ?? '0.00');
    } finally {
      requestPolicy.transferFeeShare = usual;
    }
  });

  test.each([
    ['before the first schedule', { begins: '2009-12-31' }, 'begins'],
    ['beyond the projection', { begins: '2029-01-01' }, 'begins'],
    ['on a day that is none', { begins: '2026-02-30' }, 'begins'],
    ['of more addresses than there are', { ipv4: '4294967297' }, 'ipv4'],
    ['of less than nothing', { ipv4: '-1' }, 'ipv4'],
    ['of more IPv6 than there is', { ipv6: '72057594037927937' }, 'ipv6'],
    ['of half an AS number', { asns: 1.5 }, 'asns'],
    ['of an economy in words', { economy: 'Australia' }, 'economy'],
  ])('an estimate %s is refused at the right field', async (_, given, field) => {
    const nadia = await portal.as('nadia');
    const refused = await nadia(api.feeEstimates.getFeeEstimate, { query: { ...nothing, ...given } });
    expect(refused).toMatchObject({ status: 400, errors: [{ code: 'INVALID_REQUEST', field: expect.stringContaining(field) }] });
  });

  test('an estimate can be saved as a PDF with the same bytes for the same input, and the same refusals', async () => {
    const nadia = await portal.as('nadia');
    const save = async (given: Partial<typeof nothing>) => {
      const { status, data, errors } = await nadia(api.feeEstimates.downloadFeeEstimate, { query: { ...nothing, ...given } });
      return { status, fileName: data?.fileName, bytes: data && Buffer.from(await data.blob.arrayBuffer()).toString('latin1'), errors };
    };
    const most = { ipv4: '4294967296', ipv6: '72057594037927936', asns: 10_000, transferred: '4294967296' } as object;
    const [one, again] = [await save(most), await save(most)];
    expect([one.status, one.fileName]).toEqual([200, 'fee-estimate-2026-01-01.pdf']);
    expect(one.bytes!.startsWith('%PDF-1.7')).toBe(true);
    expect(again.bytes).toBe(one.bytes);
    const refused = await save({ ipv4: '4294967297' } as object);
    expect([refused.status, refused.errors?.[0]?.code]).toEqual([400, 'INVALID_REQUEST']);
  });
});
