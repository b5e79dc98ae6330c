import { api } from '@portal/contract/api';
import { daysAfter } from '@portal/contract/days';
import { createHash } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { billingPortal, today } from '../../../../test/billing-portal.ts';
import { testContext } from '../../../../test/context.ts';
import { kinds } from '../../../../test/portal.ts';
import { standIn } from '../../../platform/outside-systems.ts';
import { startWorker } from '../../../platform/worker.ts';
import { attachmentsOf } from '../../mail/attachment.ts';
import { deliverMail } from '../../mail/mail.ts';
import { mailServer } from '../../mail/mail-server.ts';

test('mails about an invoice, a credit note or a payment carry that document; other mails carry none', async () => {
  const account = 'OTHER-SG';
  await using portal = await billingPortal(kinds.at(-1)!, { [account]: daysAfter(today, -10) });
  await portal.on(today);
  const stella = await portal.as('stella');
  const { number } = (await portal.billingOf(account)).invoices[0]!;
  await stella(api.corrections.issueCreditNote, { invoiceNumber: number, body: { amount: '5', reason: 'Too much' } });
  const body = { amount: '7', receivedOn: today, reference: 'TR-1' };
  await stella(api.billing.recordPayment, { invoiceNumber: number, body });
  await stella(api.billing.extendInvoice, { invoiceNumber: number, body: { until: daysAfter(today, 30), reason: 'They asked' } });

  const sent: { recipient: string; subject: string; carries: string | null; sha256: string | null }[] = [];
  const post = standIn(mailServer, {
    deliver: async ({ recipient, subject, attachments: [attachment, ...more] }) => {
      expect(more).toEqual([]);
      const sha256 = attachment === undefined ? null : createHash('sha256').update(attachment.content).digest('hex');
      sent.push({ recipient, subject, carries: attachment?.fileName ?? null, sha256 });
      return undefined;
    },
    keepsLinks: false,
  });
  const context = testContext(portal, post);
  const runner = await startWorker(context, { tasks: [deliverMail], schedule: [] });
  try {
    await vi.waitFor(
      async () => expect(await portal.db.read.selectFrom('mail').select('mailId').where('sentAt', 'is', null).execute()).toEqual([]),
      { timeout: 20_000, interval: 20 },
    );
  } finally {
    await runner.stop();
  }
  const toOlive = sent.filter(({ recipient }) => recipient.startsWith('olive@')).sort((a, b) => (a.subject < b.subject ? -1 : 1));
  expect(toOlive.map(({ subject, carries }) => [subject.replace(/^OTHER-SG: /, ''), carries])).toEqual([
    [expect.stringMatching(/still due$/), `REC-${number.slice(4)}-1.pdf`],
    [`AUD\u00a05.00 of ${number} is credited`, `CN-${today.slice(0, 4)}-000001.pdf`],
    [expect.stringMatching(/^invoice /), `${number}.pdf`],
    [expect.stringMatching(/^more time/), null],
  ]);
  const { sha256 } = await portal.db.read.selectFrom('invoice').select('sha256').where('number', '=', number).executeTakeFirstOrThrow();
  expect(toOlive.find(({ carries }) => carries === `${number}.pdf`)!.sha256).toBe(sha256);
  await expect(attachmentsOf(context, portal.db.read, 'invoice:INV-1999-000001')).rejects.toThrow('INV-1999-000001');
  await expect(attachmentsOf(context, portal.db.read, 'painting:1')).rejects.toThrow('painting');
});
