import type { jointBilling, JointCheckout } from '@portal/contract/billing/joint-billing';
import { checkoutLife } from '@portal/contract/billing/life';
import { sql } from 'kysely';
import type { Read } from '../../../platform/database/index.ts';
import { refuse } from '../../../platform/failure.ts';
import type { Act } from '../../../platform/http/endpoints.ts';
import { invoiceByNumber } from '../invoices/invoices.ts';
import { cents, printCents } from '../money.ts';
import { checkoutProviderOf } from '../checkout-provider.ts';
import { openCheckout } from './checkouts.ts';
import { jointPaymentNamed } from './joint-payments.ts';
import { refuseUnpayable } from './payments.ts';

const answerOf = (read: Pick<Read, 'rows'>, loginId: string, checkoutId: string): Promise<JointCheckout[]> =>
  read.rows<JointCheckout>(sql`select c.checkout_id::text, p.number as payment_number, c.currency, c.amount::text, c.state,
      case c.state when 'open' then c.page end as page
    from checkout c join joint_payment p using (joint_payment_id) where c.started_by = ${loginId} and c.checkout_id::text = ${checkoutId}`);

/** Returns an online payment that the caller started. @throws Failure NOT_FOUND */
export async function getJointCheckout({
  read,
  caller: { loginId },
  params: { checkoutId },
}: {
  read: Pick<Read, 'rows'>;
  caller: { loginId: string };
  params: { checkoutId: string };
}): Promise<JointCheckout> {
  const [row] = await answerOf(read, loginId, checkoutId);
  if (!row) throw refuse('NOT_FOUND', { what: 'The payment' });
  return row;
}

/**
 * Starts a checkout for the amount due of several invoices; a task opens it at the provider. An open checkout is returned again, unless the amount changed.
 * @throws Failure NOT_FOUND, INVOICE_NOT_PAYABLE, CHECKOUT_OFF
 */
export async function startJointCheckout({
  change,
  caller,
  params: { paymentNumber: number },
  registry,
}: Act<typeof jointBilling.startJointCheckout>): Promise<JointCheckout> {
  const provider = checkoutProviderOf(registry.config);
  if (provider === null) throw refuse('CHECKOUT_OFF');
  const { jointPaymentId, currency, invoices } = await jointPaymentNamed(change, number, caller, registry);
  // Two clicks wait for each other.
  await change.rows(sql`select 1 from joint_payment where joint_payment_id = ${jointPaymentId} for update`);
  const due = invoices.filter(({ balance }) => balance !== '0.00');
  const rows = [];
  for (const { number: invoiceNumber } of due) {
    const invoice = await invoiceByNumber(change, invoiceNumber);
    refuseUnpayable(invoice);
    rows.push(invoice);
  }
  const amount = printCents(due.reduce((sum, { balance }) => sum + cents(balance), 0n));
  const open = await change
    .selectFrom('checkout')
    .select(['checkoutId', 'amount'])
    .where('jointPaymentId', '=', jointPaymentId)
    .where('state', 'in', checkoutLife.expire.from)
    .executeTakeFirst();
  if (open && cents(String(open.amount)) === cents(amount))
    return getJointCheckout({ read: change, caller, params: { checkoutId: String(open.checkoutId) } });
  if (open)
    await change.updateTable('checkout').set({ state: 'expired', endedAt: change.now }).where('checkoutId', '=', open.checkoutId).execute();
  const { checkoutId } = await change
    .insertInto('checkout')
    .values({ jointPaymentId, currency, amount, provider, startedBy: caller.loginId, startedAt: change.now })
    .returning('checkoutId')
    .executeTakeFirstOrThrow();
  await change
    .insertInto('checkoutPart')
    .values(rows.map(({ invoiceId }, place) => ({ checkoutId, invoiceId, amount: due[place]!.balance })))
    .execute();
  await change.note({ payment: number, amount, provider });
  await change.enqueue(openCheckout, { checkoutId: String(checkoutId) });
  return getJointCheckout({ read: change, caller, params: { checkoutId: String(checkoutId) } });
}
