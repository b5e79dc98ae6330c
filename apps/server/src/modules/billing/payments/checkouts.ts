import type { Checkout, checkouts } from '@portal/contract/billing/checkouts';
import { checkoutLife } from '@portal/contract/billing/life';
import { canMove } from '@portal/contract/life';
import { pages } from '@portal/contract/pages';
import { sql } from 'kysely';
import * as z from 'zod';
import type { CheckoutEvent, ProviderNews } from '../../../adapters/stripe-checkout.ts';
import { type Database, ownActivity, type Read } from '../../../platform/database/index.ts';
import { refuse } from '../../../platform/failure.ts';
import type { Act, AdmittedAccount } from '../../../platform/http/endpoints.ts';
import type { Registry } from '../../../platform/registry.ts';
import { taskType } from '../../../platform/tasks.ts';
import { balanceOf } from '../invoices/invoice-content.ts';
import { invoiceByNumber, lockInvoice, whySettled } from '../invoices/invoices.ts';
import { cents, printCents } from '../money.ts';
import { checkoutProvider, checkoutProviderOf } from '../checkout-provider.ts';
import { receiveJointPayment } from './joint-receipts.ts';
import { notifyAboutPayment, refuseUnpayable, settleInvoice } from './payments.ts';
import { keepPaidInVain } from './provider-reports.ts';

const answerOf = (read: Pick<Read, 'rows'>, accountName: string, checkoutId: string): Promise<Checkout[]> =>
  read.rows<Checkout>(sql`select c.checkout_id::text, i.number as invoice_number, c.currency, c.amount::text, c.state,
      case c.state when 'open' then c.page end as page
    from checkout c join invoice i using (invoice_id) where c.account_name = ${accountName} and c.checkout_id::text = ${checkoutId}`);

/** @throws Failure NOT_FOUND */
export async function getCheckout({
  read,
  account: { accountName },
  params: { checkoutId },
}: {
  read: Pick<Read, 'rows'>;
  account: AdmittedAccount;
  params: { checkoutId: string };
}): Promise<Checkout> {
  const [row] = await answerOf(read, accountName, checkoutId);
  if (!row) throw refuse('NOT_FOUND', { what: 'The payment' });
  return row;
}

/**
 * Starts a checkout for the amount due of an invoice; a task opens it at the provider. An open checkout is returned again, unless the amount changed.
 * @throws Failure NOT_FOUND, INVOICE_NOT_PAYABLE, CHECKOUT_OFF
 */
export async function startCheckout({
  change,
  account,
  caller,
  params: { invoiceNumber: number },
  registry: { config },
}: Act<typeof checkouts.startCheckout>): Promise<Checkout> {
  const provider = checkoutProviderOf(config);
  if (provider === null) throw refuse('CHECKOUT_OFF');
  const { accountName } = account;
  if ((await invoiceByNumber(change, number)).accountName !== accountName) throw refuse('NOT_FOUND', { what: `Invoice ${number}` });
  const invoice = await lockInvoice(change, number);
  refuseUnpayable(invoice);
  const { invoiceId, currency } = invoice;
  const amount = balanceOf(invoice);
  const open = await change
    .selectFrom('checkout')
    .select(['checkoutId', 'amount'])
    .where('invoiceId', '=', invoiceId)
    .where('state', 'in', checkoutLife.expire.from)
    .executeTakeFirst();
  if (open && cents(String(open.amount)) === cents(amount))
    return getCheckout({ read: change, account, params: { checkoutId: String(open.checkoutId) } });
  if (open)
    await change.updateTable('checkout').set({ state: 'expired', endedAt: change.now }).where('checkoutId', '=', open.checkoutId).execute();
  const { checkoutId } = await change
    .insertInto('checkout')
    .values({ accountName, invoiceId, currency, amount, provider, startedBy: caller.loginId, startedAt: change.now })
    .returning('checkoutId')
    .executeTakeFirstOrThrow();
  await change.note({ invoice: number, amount, provider });
  await change.enqueue(openCheckout, { checkoutId: String(checkoutId) });
  return getCheckout({ read: change, account, params: { checkoutId: String(checkoutId) } });
}

type Opened = {
  accountName: string | null;
  number: string | null;
  currency: string;
  amount: string;
  state: string;
  isJoint: boolean;
  isClosed: boolean;
};

/** Opens a checkout at the provider. A repeated call returns the same checkout. */
export const openCheckout = taskType({
  name: 'billing.checkouts.openCheckout',
  summary: 'Opened an online payment',
  runner: 'systems',
  input: z.object({ checkoutId: z.string() }),
  run: async ({ db, input: { checkoutId }, activity, context }) => {
    const provider = context.outside(checkoutProvider);
    if (!provider) throw new Error('An online payment waits for its provider, and none is configured (STRIPE_KEY, STRIPE_WEBHOOK_SECRET).');
    const [row] = await db.read.rows<Opened>(sql`
      select coalesce(c.account_name, (select min(j.account_name) from checkout_part p join invoice j using (invoice_id) where p.checkout_id = c.checkout_id)) as account_name,
        coalesce(i.number, p.number) as number, c.currency, c.amount::text, c.state, p.number is not null as is_joint,
        exists (select from account a where a.account_name = c.account_name and a.account_status = 'closed') as is_closed
      from checkout c left join invoice i using (invoice_id) left join joint_payment p using (joint_payment_id) where c.checkout_id::text = ${checkoutId}`);
    if (row?.state !== 'starting') return;
    const { accountName, number, currency, amount, isJoint, isClosed } = row;
    if (accountName === null || number === null)
      throw new Error(`The checkout ${checkoutId} is neither of an invoice nor of a joint payment.`);
    const start = isJoint ? `${pages.jointBilling.path}?payment=${number}` : `${pages.billing.path}?invoice=${number}`;
    const page = (query: string): string =>
      isClosed
        ? `${context.config.appUrl}${pages.closedAccount.path}?account=${accountName}&invoice=${number}${query}`
        : `${context.config.appUrl}/${accountName}/index.html?to=${encodeURIComponent(start + query)}`;
    const {
      providerId,
      page: payPage,
      expiresAt,
    } = await provider.create({
      key: `checkout-${checkoutId}`,
      currency,
      amount: Number(cents(amount)),
      description: isJoint ? number : `${number} ${accountName}`,
      reference: checkoutId,
      paidUrl: page(`&checkout=${checkoutId}`),
      cancelUrl: page(''),
    });
    await db.change(isJoint ? activity : { ...activity, accountName }, change =>
      // One that ended meanwhile keeps its name at the provider, by which it is ended there.
      change.rows(sql`update checkout set provider_id = ${providerId}, expires_at = ${expiresAt}, page = case state when 'starting' then ${payPage} else page end,
          state = case state when 'starting' then 'open' else state end
        where checkout_id::text = ${checkoutId} and provider_id is null`),
    );
  },
});

/**
 * Records an event about a checkout. Money is recorded once, in whatever order and however often it is reported, and whatever happened to the invoice
 * meanwhile; an excess becomes credit. Where nothing was due any more, all of it is credit, and a task of the desk in the same change. Returns what someone has to look at: money for a checkout that isn't known here, or in another currency than its
 * invoice; null otherwise.
 */
export async function receiveCheckoutEvent(
  db: Database,
  { reference, providerId, happened }: CheckoutEvent,
  { today, profile }: Pick<Registry, 'today' | 'profile'>,
): Promise<ProviderNews | null> {
  const [known] = await db.read.rows<{
    accountName: string | null;
    number: string | null;
    currency: string;
  }>(sql`select c.account_name, i.number, c.currency
    from checkout c left join invoice i using (invoice_id) where c.checkout_id::text = ${reference} and coalesce(c.provider_id, ${providerId}) = ${providerId}`);
  const newsOf = (kind: ProviderNews['kind']): ProviderNews | null =>
    happened.kind === 'paid' ? { ...happened, eventId: `${kind} ${happened.payment}`, kind } : null;
  if (!known) return newsOf('unknown-checkout');
  const { accountName, number, currency } = known;
  if (happened.kind === 'paid' && (happened.currency !== currency || happened.amount <= 0)) return newsOf('wrong-currency');
  // The invoices first: until all of them are paid, a repeated event finds the checkout open.
  if (number === null && happened.kind === 'paid') await receiveJointPayment(db, Number(reference), happened, { today, profile });
  const [action, summary] =
    happened.kind === 'paid'
      ? (['billing.checkouts.receivePayment', 'Received an online payment'] as const)
      : (['billing.checkouts.endCheckout', 'Ended an online payment'] as const);
  await db.change(ownActivity(action, summary, accountName), async change => {
    const invoice = number === null ? null : await lockInvoice(change, number);
    const { state } = await change
      .selectFrom('checkout')
      .select('state')
      .where('checkoutId', '=', Number(reference))
      .forUpdate()
      .executeTakeFirstOrThrow();
    const move = checkoutLife[({ paid: 'pay', expired: 'expire', failed: 'fail' } as const)[happened.kind]];
    if (!canMove(move, state)) {
      if (happened.kind !== 'paid')
        await change.rows(
          sql`update checkout set provider_ended_at = ${change.now} where checkout_id = ${reference}::bigint and provider_ended_at is null`,
        );
      return;
    }
    const end = () =>
      change
        .updateTable('checkout')
        .set({ state: move.to[0], providerId, endedAt: change.now, providerEndedAt: change.now })
        .where('checkoutId', '=', Number(reference))
        .execute();
    if (happened.kind !== 'paid' || number === null) return void (await end());
    const received = {
      method: 'card',
      amount: printCents(BigInt(happened.amount)),
      receivedOn: today,
      reference: happened.payment,
    } as const;
    await end();
    await notifyAboutPayment(change, number, { received, ...(await settleInvoice(change, number, received)) });
    if (whySettled(invoice!) !== null) await keepPaidInVain(change, happened, profile);
  });
  return null;
}
