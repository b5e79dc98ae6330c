import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { api } from '@portal/contract/api';
import { type PostingAccount, postingAccountNames } from '@portal/contract/billing/books';
import { daysAfter, monthsAfter } from '@portal/contract/days';
import { expect, test } from 'vitest';
import { billingPortal, today } from '../../apps/server/test/billing-portal.ts';
import { confirmLast } from '../../apps/server/test/deciding-requests.ts';
import { kinds } from '../../apps/server/test/portal.ts';
import { cents } from '../../apps/server/src/modules/billing/money.ts';

const isInstalled = spawnSync('hledger', ['--version']).status === 0;
/** Reads the file as it is: a line is a posting of its document, and debit is positive. */
const rules = `skip 1
fields date, code, comment, account1, holder, description, currency, amount1-in, amount1-out
account1 (%account1)
description %code
currency %currency
date-format %Y-%m-%d
`;
const names = ['EXAMPLE-AU', 'OTHER-SG', 'CAMPUS-JP', 'KELP-WS'];
const month = today.slice(0, 7);
const first = monthsAfter(`${month}-01`, -11).slice(0, 7);

/** A year of invoices, of which some were paid, credited, paid by mistake or written off. */
async function year() {
  const portal = await billingPortal(
    'postgres',
    Object.fromEntries(names.map((name, place) => [name, daysAfter(today, -20 - 70 * place)])),
  );
  await portal.on(today);
  const [stella, dora] = await Promise.all([portal.as('stella'), portal.as('dora')]);
  const done = async (answer: Promise<{ status: number }>) => {
    if ((await answer).status === 409) await confirmLast(portal);
  };
  for (const [place, name] of names.entries()) {
    const { number, balance } = (await portal.billingOf(name)).invoices[0]!;
    const pay = (amount: string, reference: string) =>
      done(stella(api.billing.recordPayment, { invoiceNumber: number, body: { amount, receivedOn: today, reference } }));
    if (place === 0) await pay((Number(balance) + 17.03).toFixed(2), 'PAID-TOO-MUCH');
    if (place === 1) {
      await pay('33.33', 'BOUNCES');
      const { receipt } = (await portal.billingOf(name)).invoices[0]!.payments[0]!;
      await done(stella(api.reversals.reversePayment, { receiptNumber: receipt, body: { kind: 'bounced', reason: 'The bank' } }));
      await done(stella(api.corrections.issueCreditNote, { invoiceNumber: number, body: { amount: '12.34', reason: 'A mistake' } }));
    }
    if (place === 3 && (await portal.accountStateOf(name)).accountStatus === 'closed')
      await done(dora(api.corrections.writeOffInvoice, { invoiceNumber: number, body: { reason: 'Nothing is left there' } }));
  }
  await done(
    dora(api.corrections.recordRefund, {
      accountName: names[0]!,
      body: { amount: '5.01', refundedOn: today, reference: 'BACK', reason: 'They asked' },
    }),
  );
  return { portal, dora };
}

test.runIf(isInstalled && kinds.includes('postgres'))(
  `hledger imports the general ledger of a year: every document balances, and its trial balance is that of the books${isInstalled ? '' : ' (left out: hledger is not installed)'}`,
  async () => {
    const { portal, dora } = await year();
    await using _closed = portal;
    const folder = await mkdtemp(path.join(os.tmpdir(), 'hledger-'));
    try {
      const file = path.join(folder, 'general-ledger.csv');
      const exported = await dora(api.books.exportPostings, { month: first, query: { until: month, format: 'csv' } });
      await writeFile(file, await exported.data!.blob.text());
      await writeFile(path.join(folder, 'registry.rules'), rules);
      const hledger = (...args: readonly string[]): string => {
        const { status, stdout, stderr } = spawnSync(
          'hledger',
          ['-f', file, '--rules-file', path.join(folder, 'registry.rules'), ...args],
          {
            encoding: 'utf8',
            env: { ...process.env, LANG: 'C.UTF-8' },
          },
        );
        expect([status, stderr]).toEqual([0, '']);
        return stdout;
      };
      // "account","AUD -12.00", with a head and a sum.
      const balances = new Map(
        [...hledger('balance', '--flat', '--no-total', '-O', 'csv').matchAll(/^"(.*?)","(?:AUD ?)?(-?)(?:AUD ?)?(-?)([\d.,]+)"$/gmu)].map(
          ([, account, minus, after, digits]) => [account!, cents(`${minus! || after!}${digits!.replaceAll(',', '')}`)],
        ),
      );
      const of = (...accounts: readonly PostingAccount[]): bigint =>
        accounts.reduce((sum, account) => sum + (balances.get(postingAccountNames[account]) ?? 0n), 0n);
      expect([...balances.keys()].filter(name => !(Object.values(postingAccountNames) as string[]).includes(name))).toEqual([]);

      const { accounts } = (await dora(api.books.getBookMonth, { month })).data!;
      const { deferred } = (await dora(api.books.getBookReports, { month })).data!;
      const ours = Object.fromEntries(accounts.map(({ account, after }) => [account, cents(after)]));
      expect({
        receivable: of('receivable'),
        credit: of('credit'),
        bank: of('bank', 'card'),
        revenue: of('deferred', 'membershipFees', 'transferFees', 'otherFees'),
        tax: of('tax'),
        badDebt: of('badDebt'),
      }).toEqual(ours);
      expect(of('deferred')).toBe(-cents(deferred.after));
      expect([...balances.values()].reduce((sum, each) => sum + each, 0n)).toBe(0n);
      expect(of('receivable') !== 0n && of('credit') !== 0n && of('tax') !== 0n && of('membershipFees') !== 0n).toBe(true);
      // No document has a rest.
      expect(hledger('balance', '--pivot', 'description', '--no-total').trim()).toBe('');
      expect(hledger('print', '-O', 'csv').split('\n').length).toBeGreaterThan(20);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
);
