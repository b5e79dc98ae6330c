import { api } from '@portal/contract/api';
import { daysAfter, HOUR_MS, instantBefore } from '@portal/contract/days';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { stripeStandIn } from './stripe.ts';
import { stripeCheckout } from '../../apps/server/src/adapters/stripe-checkout.ts';
import { endCheckouts } from '../../apps/server/src/modules/billing/payments/ended-checkouts.ts';
import { checkInvariants } from '../../apps/server/src/platform/invariants.ts';
import { billingPortal, today } from '../../apps/server/test/billing-portal.ts';
import { confirmLast } from '../../apps/server/test/deciding-requests.ts';
import { cents } from '../../apps/server/src/modules/billing/money.ts';
import { ledgerAccounts, ledgerOf } from '../../apps/server/src/modules/billing/invoices/ledger.ts';

const account = 'EXAMPLE-AU';
const keys = { key: 'sk_test_1', webhookSecret: 'whsec_1' };

/** A portal with the stand-in of Stripe behind it, and one unpaid invoice. */
async function shop(settings: Record<string, string> = {}) {
  const stripe = await stripeStandIn(keys);
  const environment = { STRIPE_KEY: keys.key, STRIPE_WEBHOOK_SECRET: keys.webhookSecret, STRIPE_URL: stripe.url, ...settings };
  const portal = await billingPortal('postgres', { [account]: daysAfter(today, -2) }, environment);
  await portal.on(today);
  const bill = await portal.as('bill');
  const invoiceNumber = (await portal.billingOf(account)).invoices[0]!.number;
  type Event = { body: string; signature: string };
  return {
    portal,
    stripe,
    invoiceNumber,
    bill,
    pay: () => bill(api.checkouts.startCheckout, { account, invoiceNumber }),
    checkout: async (checkoutId: string) => (await bill(api.checkouts.getCheckout, { account, checkoutId })).data!,
    invoice: async () => (await portal.billingOf(account)).invoices.find(({ number }) => number === invoiceNumber)!,
    sendEvent: async ({ body, signature }: Event): Promise<number> =>
      (
        await portal.http.inject({
          method: 'POST',
          url: '/checkout-events/stripe',
          headers: { host: new URL(portal.config.appUrl).host, 'content-type': 'application/json', 'stripe-signature': signature },
          payload: body,
        })
      ).statusCode,
    async [Symbol.asyncDispose]() {
      await portal[Symbol.asyncDispose]();
      await stripe[Symbol.asyncDispose]();
    },
  };
}
const only = <Value>(values: Iterable<Value>): Value => {
  const [first, ...others] = values;
  expect(others).toEqual([]);
  return first!;
};

test('two clicks open one checkout; it is paid when the provider says so, once, however often it is reported', async () => {
  await using desk = await shop();
  const { portal, stripe } = desk;
  const [one, other] = await Promise.all([desk.pay(), desk.pay()]);
  expect(one.data).toMatchObject({ state: 'starting', page: null });
  expect(other.data!.checkoutId).toBe(one.data!.checkoutId);
  const { checkoutId } = one.data!;
  await portal.runTasks();
  const session = only(stripe.sessions.values());
  const before = await desk.invoice();
  expect(session).toMatchObject({ amount_total: Number(cents(before.balance)), currency: 'aud', client_reference_id: checkoutId });
  expect(await desk.checkout(checkoutId)).toMatchObject({ state: 'open', page: session.url });

  // The browser is back before the provider has said anything: nothing is paid.
  expect((await desk.invoice()).state).toBe(before.state);
  const paid = stripe.event('checkout.session.completed', session);
  expect([await desk.sendEvent(paid), await desk.sendEvent(paid)]).toEqual([200, 200]);
  expect(await desk.sendEvent(stripe.event('checkout.session.completed', session))).toBe(200);
  expect(await desk.invoice()).toMatchObject({ state: 'paid', payments: [{ method: 'card', amount: before.balance, recordedBy: null }] });
  expect(await desk.checkout(checkoutId)).toMatchObject({ state: 'paid', page: null });
  expect(await portal.accountStateOf(account)).toMatchObject({ accountStatus: 'open', expiryDate: before.periodTo });
  // What comes late changes nothing, and a paid invoice is not paid again.
  expect(await desk.sendEvent(stripe.event('checkout.session.expired', session))).toBe(200);
  expect((await desk.checkout(checkoutId)).state).toBe('paid');
  expect(await desk.pay()).toMatchObject({ status: 409, errors: [{ code: 'INVOICE_NOT_PAYABLE' }] });
});

test('events in another order: paid after it expired, and for an invoice that a transfer has paid, is credit', async () => {
  await using desk = await shop();
  const { portal, stripe } = desk;
  const { checkoutId } = (await desk.pay()).data!;
  await portal.runTasks();
  const session = only(stripe.sessions.values());
  expect(await desk.sendEvent(stripe.event('checkout.session.expired', session))).toBe(200);
  expect((await desk.checkout(checkoutId)).state).toBe('expired');
  const { balance } = await desk.invoice();
  await (await portal.as('stella'))(api.billing.recordPayment, {
    invoiceNumber: desk.invoiceNumber,
    body: { amount: balance, receivedOn: today, reference: 'WIRE-1' },
  });
  expect(await desk.sendEvent(stripe.event('checkout.session.completed', session))).toBe(200);
  expect(await portal.billingOf(account)).toMatchObject({ credit: balance });
  expect((await desk.checkout(checkoutId)).state).toBe('paid');
  const entries = await ledgerOf(portal.db.read, account);
  expect(entries.reduce((sum, entry) => ledgerAccounts.reduce((all, side) => all + cents(entry[side]), sum), 0n)).toBe(0n);
});

/** Ends online payments at the provider, as the registry does each minute. */
const endThem = ({ portal, stripe }: Awaited<ReturnType<typeof shop>>, now = new Date()) =>
  endCheckouts(portal.db, { now, provider: stripeCheckout({ ...keys, url: stripe.url }) });

test('when nothing is due any more the checkout is ended at the provider; money that comes all the same is a task whose first act is the refund', async () => {
  await using desk = await shop();
  const { portal, stripe } = desk;
  const { checkoutId } = (await desk.pay()).data!;
  await portal.runTasks();
  const session = only(stripe.sessions.values());
  await endThem(desk);
  expect(session.status).toBe('open');
  const { balance } = await desk.invoice();
  const stella = await portal.as('stella');
  await stella(api.corrections.issueCreditNote, {
    invoiceNumber: desk.invoiceNumber,
    body: { amount: balance, reason: 'Billed by mistake' },
  });
  await endThem(desk);
  expect(session.status).toBe('expired');
  expect(await desk.checkout(checkoutId)).toMatchObject({ state: 'expired', page: null });
  // Ended once.
  const lines = async () => (await portal.db.read.rows(sql`select 1 from activity where action = 'billing.checkouts.endCheckout'`)).length;
  const before = await lines();
  await endThem(desk);
  expect(await lines()).toBe(before);

  // The press that was under way comes through.
  const paid = stripe.event('checkout.session.completed', session);
  expect([await desk.sendEvent(paid), await desk.sendEvent(paid)]).toEqual([200, 200]);
  expect(await portal.billingOf(account)).toMatchObject({ credit: balance });
  const reports = async () => (await stella(api.reversals.listProviderReports, {})).data!.reports;
  const [report, ...others] = await reports();
  expect(others).toEqual([]);
  expect(report).toMatchObject({ kind: 'ended-checkout', amount: balance, invoice: { number: desk.invoiceNumber, accountName: account } });
  const refunded = await stella(api.reversals.reversePayment, {
    receiptNumber: report!.receipt!,
    body: { kind: 'card-refund', reason: 'Nothing was due any more' },
  });
  // Credited and refunded, it is more than one person gives.
  if (refunded.status !== 200) {
    expect(refunded).toMatchObject({ status: 409, errors: [{ code: 'SECOND_PERSON' }] });
    expect((await confirmLast(portal)).status).toBe(200);
  }
  expect(await portal.billingOf(account)).toMatchObject({ credit: '0.00' });
  expect(await reports()).toEqual([]);
  expect((await checkInvariants(portal.context, null)).filter(({ violations }) => violations.length > 0)).toEqual([]);
});

test('a checkout of which another amount is due is ended, and one that was paid at the provider meanwhile keeps its money', async () => {
  await using desk = await shop();
  const { portal, stripe } = desk;
  const stella = await portal.as('stella');
  await desk.pay();
  await portal.runTasks();
  const session = only(stripe.sessions.values());
  session.status = 'complete';
  await stella(api.billing.recordPayment, {
    invoiceNumber: desk.invoiceNumber,
    body: { amount: '10', receivedOn: today, reference: 'WIRE-9' },
  });
  await endThem(desk);
  expect(session.status).toBe('complete');
  expect(await desk.sendEvent(stripe.event('checkout.session.completed', session))).toBe(200);
  expect(await desk.invoice()).toMatchObject({ state: 'paid' });
  expect(await portal.billingOf(account)).toMatchObject({ credit: '10.00' });
  expect((await stella(api.reversals.listProviderReports, {})).data!.reports).toEqual([]);
});

test('the clock of memberships waits for a person on the page of the provider, and not for ever', async () => {
  await using desk = await shop();
  const { portal } = desk;
  const status = async () => (await portal.accountStateOf(account)).accountStatus;
  const due = daysAfter(today, 31);
  /** A checkout that was begun then. */
  const begin = async (startedAt: string) => {
    const { checkoutId } = (await desk.pay()).data!;
    await portal.runTasks();
    await portal.db.change({ action: 'test', summary: 'test', traceId: '0'.repeat(32) }, change =>
      change.rows(
        sql`update checkout set started_at = ${startedAt}::timestamptz, expires_at = ${startedAt}::timestamptz + interval '1 day' where checkout_id::text = ${checkoutId}`,
      ),
    );
    return checkoutId;
  };
  const first = await begin(`${due}T03:00:00Z`);
  await portal.at(`${due}T20:00:00Z`);
  expect(await status()).toBe('open');
  const plan = (await (await portal.as('stella'))(api.memberships.getPlan, {})).data!;
  expect(plan.endings.find(({ accountName }) => accountName === account)).toMatchObject({ waitsFor: { what: 'checkout' } });
  // Another one, begun within a day, is waited for; those after it aren't.
  const expire = (checkoutId: string) =>
    portal.db.change({ action: 'test', summary: 'test', traceId: '0'.repeat(32) }, change =>
      change.rows(
        sql`update checkout set state = 'expired', ended_at = now(), provider_ended_at = now() where checkout_id::text = ${checkoutId}`,
      ),
    );
  await expire(first);
  const second = await begin(`${daysAfter(due, 1)}T02:00:00Z`);
  await portal.at(`${daysAfter(due, 1)}T20:00:00Z`);
  expect(await status()).toBe('open');
  await expire(second);
  await begin(`${daysAfter(due, 1)}T04:00:00Z`);
  await portal.at(`${daysAfter(due, 1)}T20:00:00Z`);
  expect(await status()).toBe('suspended');
});

test('a bank debit that completes is paid when it succeeds, and an event that overtakes the provider’s answer finds its checkout', async () => {
  await using desk = await shop();
  const { portal, stripe } = desk;
  const { checkoutId } = (await desk.pay()).data!;
  const session = { id: 'cs_test_early', client_reference_id: checkoutId, amount_total: 100, currency: 'aud', url: '' };
  expect(await desk.sendEvent(stripe.event('checkout.session.completed', session, { payment_status: 'unpaid' }))).toBe(200);
  expect((await desk.checkout(checkoutId)).state).toBe('starting');
  expect(await desk.sendEvent(stripe.event('checkout.session.async_payment_succeeded', session))).toBe(200);
  expect((await desk.checkout(checkoutId)).state).toBe('paid');
  expect(await desk.invoice()).toMatchObject({ state: 'partly-paid', paid: '1.00' });
  // The task that opens it comes too late and opens nothing.
  await portal.runTasks();
  expect(stripe.sessions.size).toBe(0);
});

test('money in another currency than the invoice, a refund and a dispute are tasks of the desk, once, and the invoice stays as it is', async () => {
  await using desk = await shop();
  const { portal, stripe } = desk;
  const { checkoutId } = (await desk.pay()).data!;
  await portal.runTasks();
  const session = only(stripe.sessions.values());
  const inDollars = { ...session, currency: 'usd' };
  const wrong = stripe.event('checkout.session.completed', inDollars);
  expect([await desk.sendEvent(wrong), await desk.sendEvent(wrong)]).toEqual([200, 200]);
  // The provider repeats what it isn't sure of with another name of the event.
  expect(await desk.sendEvent(stripe.event('checkout.session.completed', inDollars))).toBe(200);
  expect(await desk.invoice()).toMatchObject({ paid: '0.00', payments: [] });
  expect((await desk.checkout(checkoutId)).state).toBe('open');
  const stella = await portal.as('stella');
  const reports = async () => (await stella(api.reversals.listProviderReports, {})).data!.reports;
  const amount = (session.amount_total / 100).toFixed(2);
  expect(await reports()).toMatchObject([{ kind: 'wrong-currency', currency: 'USD', amount, invoice: null }]);

  expect(await desk.sendEvent(stripe.event('checkout.session.completed', session))).toBe(200);
  expect((await desk.invoice()).state).toBe('paid');
  const payment = `pi_${session.id.slice(8)}`;
  const charge = (more: object) => ({ ...session, id: 'ch_1', payment_intent: payment, currency: 'aud', ...more });
  expect(await desk.sendEvent(stripe.event('charge.refunded', charge({ amount_refunded: 500 })))).toBe(200);
  const dispute = stripe.event('charge.dispute.created', charge({ amount: session.amount_total }));
  expect([await desk.sendEvent(dispute), await desk.sendEvent(dispute)]).toEqual([200, 200]);
  expect(await desk.sendEvent(stripe.event('charge.dispute.closed', charge({ amount: 100, status: 'lost' })))).toBe(200);
  const invoice = { number: desk.invoiceNumber, accountName: account };
  expect((await reports()).slice(1)).toMatchObject([
    { kind: 'refunded', amount: '5.00', payment, invoice },
    { kind: 'disputed', amount, payment, invoice },
    { kind: 'dispute-lost', amount: '1.00', payment, invoice },
  ]);
  expect((await desk.invoice()).state).toBe('paid');
});

test('a wrong signature, an old event and one about nothing known here change nothing', async () => {
  await using desk = await shop();
  const { portal, stripe } = desk;
  await desk.pay();
  await portal.runTasks();
  const session = only(stripe.sessions.values());
  const name = 'checkout.session.completed';
  expect(await desk.sendEvent(stripe.event(name, session, { secret: 'whsec_other' }))).toBe(400);
  expect(await desk.sendEvent(stripe.event(name, session, { at: new Date(instantBefore(new Date(), HOUR_MS)) }))).toBe(400);
  expect(await desk.sendEvent({ ...stripe.event(name, session), body: '{}' })).toBe(400);
  expect(await desk.sendEvent({ body: '', signature: '' })).toBe(400);
  expect(await desk.sendEvent(stripe.event(name, { ...session, client_reference_id: '999999' }))).toBe(200);
  expect(await desk.sendEvent(stripe.event(name, { ...session, id: 'cs_test_other' }))).toBe(200);
  expect((await desk.invoice()).paid).toBe('0.00');
});

test('what is due changes: a new checkout has the new amount; others’ invoices are not found, and without keys it is off', async () => {
  await using desk = await shop();
  const { portal, stripe } = desk;
  const first = (await desk.pay()).data!;
  await portal.runTasks();
  await (await portal.as('stella'))(api.billing.recordPayment, {
    invoiceNumber: desk.invoiceNumber,
    body: { amount: '10', receivedOn: today, reference: 'WIRE-2' },
  });
  const second = (await desk.pay()).data!;
  expect(second.checkoutId).not.toBe(first.checkoutId);
  expect(cents(second.amount)).toBe(cents(first.amount) - 1000n);
  expect((await desk.checkout(first.checkoutId)).state).toBe('expired');
  await portal.runTasks();
  expect(stripe.sessions.size).toBe(2);
  expect(await desk.bill(api.checkouts.startCheckout, { account, invoiceNumber: 'INV-1999-000001' })).toMatchObject({ status: 404 });
  expect((await (await portal.as('tess'))(api.checkouts.startCheckout, { account, invoiceNumber: desk.invoiceNumber })).status).toBe(403);
  expect((await desk.bill(api.billing.getBilling, { account })).data).toMatchObject({ payOnline: 'Stripe' });

  await using off = await shop({ STRIPE_KEY: '' });
  expect(await off.pay()).toMatchObject({ status: 409, errors: [{ code: 'CHECKOUT_OFF' }] });
  expect((await off.bill(api.billing.getBilling, { account })).data).toMatchObject({ payOnline: null });
  expect(await off.sendEvent({ body: '{}', signature: '' })).toBe(404);
});

test('invoices of two accounts are paid by one checkout: each once, with its own receipt and line, whatever is reported again', async () => {
  await using stripe = await stripeStandIn(keys);
  const environment = { STRIPE_KEY: keys.key, STRIPE_WEBHOOK_SECRET: keys.webhookSecret, STRIPE_URL: stripe.url };
  const names = ['EXAMPLE-AU', 'SOUTHSITE-NZ'];
  await using portal = await billingPortal('postgres', Object.fromEntries(names.map(name => [name, daysAfter(today, -2)])), environment);
  await portal.on(today);
  const invoiceOf = async (name: string) => (await portal.billingOf(name)).invoices[0]!;
  const due = [await invoiceOf(names[0]!), await invoiceOf(names[1]!)];
  const corin = await portal.as('corin');
  const { number: paymentNumber, amount } = (
    await corin(api.jointBilling.combineInvoices, { body: { invoiceNumbers: due.map(({ number }) => number) } })
  ).data!;
  const [one, other] = await Promise.all([
    corin(api.jointBilling.startJointCheckout, { paymentNumber }),
    corin(api.jointBilling.startJointCheckout, { paymentNumber }),
  ]);
  const { checkoutId } = one.data!;
  expect(other.data!.checkoutId).toBe(checkoutId);
  await portal.runTasks();
  const session = only(stripe.sessions.values());
  expect(session.amount_total).toBe(Number(cents(amount)));
  expect((await corin(api.jointBilling.getJointCheckout, { checkoutId })).data).toMatchObject({
    state: 'open',
    page: session.url,
    paymentNumber,
  });
  expect((await (await portal.as('bill'))(api.jointBilling.getJointCheckout, { checkoutId })).status).toBe(404);

  const sendEvent = async ({ body, signature }: { body: string; signature: string }): Promise<number> =>
    (
      await portal.http.inject({
        method: 'POST',
        url: '/checkout-events/stripe',
        headers: { host: new URL(portal.config.appUrl).host, 'content-type': 'application/json', 'stripe-signature': signature },
        payload: body,
      })
    ).statusCode;
  // A transfer pays one of them meanwhile: what it gets of the checkout is its credit.
  await (await portal.as('stella'))(api.billing.recordPayment, {
    invoiceNumber: due[1]!.number,
    body: { amount: due[1]!.balance, receivedOn: today, reference: 'WIRE-J' },
  });
  const paid = stripe.event('checkout.session.completed', session);
  expect(await Promise.all([sendEvent(paid), sendEvent(paid)])).toEqual([200, 200]);
  expect(await sendEvent(stripe.event('checkout.session.completed', session))).toBe(200);
  expect((await corin(api.jointBilling.getJointCheckout, { checkoutId })).data).toMatchObject({ state: 'paid', page: null });
  expect(await invoiceOf(names[0]!)).toMatchObject({ state: 'paid', payments: [{ method: 'card', amount: due[0]!.balance }] });
  expect(await portal.billingOf(names[1]!)).toMatchObject({ credit: due[1]!.balance });
  for (const name of names) {
    const entries = await ledgerOf(portal.db.read, name);
    expect(entries.reduce((sum, entry) => ledgerAccounts.reduce((all, side) => all + cents(entry[side]), sum), 0n)).toBe(0n);
    const cards = await portal.db.read.rows(sql`select 1 from payment where account_name = ${name} and method = 'card'`);
    const lines = await portal.db.read.rows(
      sql`select 1 from activity where account_name = ${name} and action = 'billing.checkouts.receivePayment'`,
    );
    expect([cards.length, lines.length > 0]).toEqual([1, true]);
  }
  expect(await corin(api.jointBilling.startJointCheckout, { paymentNumber })).toMatchObject({ status: 404 });
});
