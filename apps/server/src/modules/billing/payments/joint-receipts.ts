import { sql } from 'kysely';
import type { CheckoutEvent } from '../../../adapters/stripe-checkout.ts';
import { type Database, ownActivity } from '../../../platform/database/index.ts';
import type { Registry } from '../../../platform/registry.ts';
import { lockInvoice, whySettled } from '../invoices/invoices.ts';
import { cents, printCents } from '../money.ts';
import { notifyAboutPayment, settleInvoice } from './payments.ts';
import { keepPaidInVain } from './provider-reports.ts';

type Part = { invoiceId: number; number: string; accountName: string; amount: string; currency: string; received: boolean };
type Paid = Extract<CheckoutEvent['happened'], { kind: 'paid' }>;

/**
 * Distributes the money of a checkout to its invoices, each in its own change with a line in the log of its account. Invoices that already have their
 * money are skipped, so a repeated event continues where the last one stopped. An excess becomes credit of the last account.
 */
export async function receiveJointPayment(
  db: Database,
  checkoutId: number,
  { currency, amount, payment }: Paid,
  { today, profile }: Pick<Registry, 'today' | 'profile'>,
): Promise<void> {
  const parts = await db.read.rows<Part>(sql`
    select p.invoice_id, i.number, i.account_name, p.amount::text, i.currency, p.received_at is not null as received from checkout_part p join invoice i using (invoice_id)
    where p.checkout_id = ${checkoutId} order by i.number`);
  let left = BigInt(amount);
  for (const [place, part] of parts.entries()) {
    if (part.currency !== currency) throw new Error(`${payment} was paid in ${currency}, and ${part.number} is in ${part.currency}.`);
    const isLast = place === parts.length - 1;
    const wanted = cents(part.amount);
    const given = isLast || left < wanted ? left : wanted;
    left -= given;
    if (given <= 0n || part.received) continue;
    await db.change(ownActivity('billing.checkouts.receivePayment', 'Received an online payment', part.accountName), async change => {
      const invoice = await lockInvoice(change, part.number);
      const { receivedAt } = await change
        .selectFrom('checkoutPart')
        .select('receivedAt')
        .where('checkoutId', '=', checkoutId)
        .where('invoiceId', '=', part.invoiceId)
        .forUpdate()
        .executeTakeFirstOrThrow();
      if (receivedAt !== null) return;
      await change
        .updateTable('checkoutPart')
        .set({ receivedAt: change.now })
        .where('checkoutId', '=', checkoutId)
        .where('invoiceId', '=', part.invoiceId)
        .execute();
      const received = {
        method: 'card',
        amount: printCents(given),
        receivedOn: today,
        reference: `${payment} part ${place + 1}`,
      } as const;
      await notifyAboutPayment(change, part.number, { received, ...(await settleInvoice(change, part.number, received)) });
      if (whySettled(invoice) !== null)
        await keepPaidInVain(change, { payment: received.reference, currency, amount: Number(given) }, profile);
    });
  }
}
